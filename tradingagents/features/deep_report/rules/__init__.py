"""Rules that write a deep report without a language model."""
