"""The research graph: its steps, its tasks, the tools they are offered, and what the offline rules read."""
