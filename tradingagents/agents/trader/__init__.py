"""The trader."""
