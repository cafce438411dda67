"""The commands of `tradingagents`, one file each."""
