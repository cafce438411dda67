"""Variants of a backtest: other weights, ablations, the offline analysts, and repeats of the same decisions."""
