"""The backtest: decisions of past days, traded against recorded prices in accounts whose books must close."""
