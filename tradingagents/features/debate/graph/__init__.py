"""The graphs of the debate on one company, and of questions after it."""
