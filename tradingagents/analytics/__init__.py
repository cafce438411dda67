"""Pure functions from typed market data to typed results: no input or output, no language model."""
