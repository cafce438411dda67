"""Market data in: vendors, routing, time, cache. Knows nothing of language models."""
