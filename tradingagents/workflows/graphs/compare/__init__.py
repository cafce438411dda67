"""The graph of a comparison."""
