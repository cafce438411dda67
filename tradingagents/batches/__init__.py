"""Many tickers for one day, done once: from a scan to decisions, and a watch list."""
