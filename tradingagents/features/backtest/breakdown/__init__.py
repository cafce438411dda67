"""What a backtest's result consists of: opinions of each agent, states of the market, calls by confidence."""
