"""Rules that stand in for a language model in the research loop."""
