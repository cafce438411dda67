"""The `tradingagents` command."""
