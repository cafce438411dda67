"""Statistics of a backtest: how good its calls were, what choosing among variants costs, and what repeats differ by."""
