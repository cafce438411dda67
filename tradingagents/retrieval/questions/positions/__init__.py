"""Positions that a question states in everyday words, and the sums that it asks for."""
