"""The run of the trading team: one ticker and day, from a request to a decision."""
