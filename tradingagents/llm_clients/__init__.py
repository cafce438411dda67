"""Model tiers, providers and their quirks, structured output, usage meter, offline analysts, scripted model."""
