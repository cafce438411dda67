"""The agent that reads one cell."""
