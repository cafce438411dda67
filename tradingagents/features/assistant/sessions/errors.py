"""Errors of sessions and artifacts."""

from __future__ import annotations

from tradingagents.errors import ConfigurationError, NotFound, UsageError
from tradingagents.features.assistant.sessions.ids import is_artifact_id, is_session_id
from tradingagents.files.redaction import Redactor, shown_value


class NoSuchSession(NotFound):
    """There is no session with this id, or it belongs to an agent and may not be seen."""


class NoSuchApproval(NotFound):
    """A session has no approval with this id, or it was answered before."""


class NoSuchArtifact(NotFound):
    """There is no artifact with this id, or its file is gone."""


class ArtifactRefused(UsageError):
    """A file may not become an artifact: it lies outside the home folder, or its type is not one of its kind."""


class SessionBusy(ConfigurationError):
    """Another turn of the same session is running."""


class ContextTooSmall(ConfigurationError):
    """The model's context has no room for the conversation beside instructions and tools."""


def no_such_session(session_id: str) -> NoSuchSession:
    """Return the error for an unknown id; it does not tell whether a session was hidden or never existed."""
    shown = session_id if is_session_id(session_id) else shown_value(session_id, Redactor({}), 60)
    return NoSuchSession(f"There is no session {shown}; list the sessions there are, or create one.")


def no_such_artifact(artifact_id: str) -> NoSuchArtifact:
    """Return the error for an unknown id."""
    shown = artifact_id if is_artifact_id(artifact_id) else shown_value(artifact_id, Redactor({}), 60)
    return NoSuchArtifact(f"There is no artifact {shown}; list the artifacts there are.")
