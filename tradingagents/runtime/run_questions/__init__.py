"""Answers questions about a finished run by rule."""
