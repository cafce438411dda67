"""Lessons and outcomes of past decisions, and the search for lessons from similar situations."""
