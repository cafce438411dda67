"""Comparisons by rule."""
