"""Errors for invalid answers of model servers, where the client libraries have no error type of their own."""

from __future__ import annotations

GARBLED = (ValueError, TypeError, LookupError, AttributeError)
"""Builtin exceptions that client libraries raise for a malformed answer."""


class NotACompletion(Exception):
    """The server's answer isn't a chat completion."""


class EmptyCompletion(Exception):
    """The server's answer is a chat completion without a reply; the text says what it has instead."""
