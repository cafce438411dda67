"""Measures of decisions: outcome, scoreboard, confidence interval."""
