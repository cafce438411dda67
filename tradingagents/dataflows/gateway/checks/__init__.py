"""Checks of vendors' answers: nothing that cannot be true reaches an agent."""
