"""Sessions: conversations with their transcripts, state and artifacts, on disk."""

from __future__ import annotations

from tradingagents.features.assistant.sessions.artifacts import MEDIA_TYPES, ArtifactStore
from tradingagents.features.assistant.sessions.errors import (
    ArtifactRefused,
    NoSuchApproval,
    NoSuchArtifact,
    NoSuchSession,
    SessionBusy,
)
from tradingagents.features.assistant.sessions.session_store import SessionStore
from tradingagents.schemas.workspace import NewEntry

__all__ = [
    "MEDIA_TYPES",
    "ArtifactRefused",
    "ArtifactStore",
    "NewEntry",
    "NoSuchApproval",
    "NoSuchArtifact",
    "NoSuchSession",
    "SessionBusy",
    "SessionStore",
]
