"""Models: tiers, providers, calls, retries, structured output, usage, prices, reply cache and scripted model."""
