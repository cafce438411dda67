"""The three risk debaters."""
