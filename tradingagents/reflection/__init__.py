"""What came of decisions, and what the agents learn from it."""
