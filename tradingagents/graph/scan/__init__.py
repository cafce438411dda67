"""The run of the scanner: one day's market, from a request to stocks to study."""
