"""Models that faces suggest, by provider, and the variable that holds the provider's key."""

from __future__ import annotations

from collections.abc import Mapping

MODELS: Mapping[str, tuple[str, ...]] = {
    "openai": ("gpt-5-mini", "gpt-5-nano", "gpt-5", "gpt-5.2"),
    "anthropic": ("claude-haiku-4-5", "claude-sonnet-4-5", "claude-opus-4-5"),
    "google": ("gemini-2.5-flash", "gemini-2.5-flash-lite", "gemini-2.5-pro"),
}
"""Suggested models; any other can be entered."""
KEY_VARIABLES: Mapping[str, str] = {
    "openai": "OPENAI_API_KEY",
    "anthropic": "ANTHROPIC_API_KEY",
    "google": "GOOGLE_API_KEY",
}
"""Providers that are missing here need no key of their own."""
