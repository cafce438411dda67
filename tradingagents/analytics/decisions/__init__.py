"""Measures of decisions: outcome, scoreboard, confidence intervals."""
