"""Answers to questions on stated positions."""
