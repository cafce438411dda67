"""The backtest: decisions of past days traded against recorded prices, with an account that must agree with itself."""
