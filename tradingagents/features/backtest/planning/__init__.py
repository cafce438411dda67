"""Plans of backtests: what a test could see, what it costs, and a seal before anything is spent."""
