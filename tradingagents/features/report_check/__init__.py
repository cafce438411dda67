"""Look every figure of a report up: whose, which figure, which period and unit, and whether the data have it so."""
