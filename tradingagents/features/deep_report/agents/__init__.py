"""Agents of the deep report: hypotheses, research, dialectic, evaluation, narrative."""
