"""The three risk debators."""
