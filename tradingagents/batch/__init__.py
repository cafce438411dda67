"""Run many tickers for one day: batch, auto, watch list."""
