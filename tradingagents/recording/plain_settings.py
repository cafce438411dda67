"""Settings as a record may hold them: without user names and passwords."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

WITH_URLS = ("backend_url", "vendor_urls", "database_url")
"""How the names of settings end that are URLs, or hold some."""


def without_passwords(settings: dict[str, Any]) -> dict[str, Any]:
    """Return settings with user names and passwords taken out of the servers' URLs."""
    return {key: _plain(value) if key.endswith(WITH_URLS) else value for key, value in settings.items()}


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _plain(part) for name, part in value.items()}
    parts = urlsplit(value) if isinstance(value, str) else None
    return parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl() if parts and "@" in parts.netloc else value
