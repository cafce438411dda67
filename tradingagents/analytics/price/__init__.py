"""Results computed from prices: returns, risk, indicators, daily range."""
