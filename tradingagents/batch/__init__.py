"""Runs of many tickers for one day: batches, `auto` and the watch list."""
