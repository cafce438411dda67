"""The agents of the market scan."""
