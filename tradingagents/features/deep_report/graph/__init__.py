"""The graph of the deep report."""
