"""The `tradingagents` command. Nothing heavy is imported before a command needs it: `--help` answers at once."""
