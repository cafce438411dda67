"""Models: tiers, providers, calls, retries, structured output, usage, prices, kept replies and the scripted model."""
