"""Figures computed from prices."""
