"""Errors over answers of model servers that no client library names."""

from __future__ import annotations

GARBLED = (ValueError, TypeError, LookupError, AttributeError)
"""What client libraries raise where an answer is not what it should be."""


class NotACompletion(Exception):
    """What a server answered is not a chat completion."""
