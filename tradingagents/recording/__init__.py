"""A run from its start to its record: what watches it, and what it leaves."""
