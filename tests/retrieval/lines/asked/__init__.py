"""Tests of how questions for lines are read."""
