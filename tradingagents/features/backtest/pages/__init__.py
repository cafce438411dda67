"""The page of a backtest: its document, its charts, and the files that hold what the page shows."""
