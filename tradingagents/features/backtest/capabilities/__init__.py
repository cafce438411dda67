"""What backtests and paper accounts lend as tools."""
