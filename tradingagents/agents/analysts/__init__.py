"""The four analysts."""
