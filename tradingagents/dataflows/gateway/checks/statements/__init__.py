"""Checks of financial statements: periods, units, sums, and statements against each other."""
