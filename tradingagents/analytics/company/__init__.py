"""Figures and texts about one company."""
