"""Ids of sessions, approvals and artifacts: each is one safe component of a path."""

from __future__ import annotations

import re
import secrets
from datetime import datetime

_SESSION = re.compile(r"s-\d{20}-[0-9a-f]{12}")
_ARTIFACT = re.compile(r"a-[0-9a-f]{32}")


def new_session_id(now: datetime) -> str:
    """Return a new id: UTC time to the microsecond, and a random suffix. Ids sort by creation time."""
    return f"s-{now:%Y%m%d%H%M%S%f}-{secrets.token_hex(6)}"


def new_artifact_id() -> str:
    """Return a new id of 128 random bits."""
    return f"a-{secrets.token_hex(16)}"


def new_approval_id() -> str:
    """Return a new id."""
    return f"p-{secrets.token_hex(8)}"


def is_session_id(text: str) -> bool:
    """Return whether a text has the form of a session id."""
    return _SESSION.fullmatch(text) is not None


def is_artifact_id(text: str) -> bool:
    """Return whether a text has the form of an artifact id."""
    return _ARTIFACT.fullmatch(text) is not None
