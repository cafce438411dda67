"""Forms of questions that are read by rules of their own."""
