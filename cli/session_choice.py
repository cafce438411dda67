"""The session that a run of the command line belongs to."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from tradingagents.errors import NotFound
from tradingagents.settings import Settings


def session_and_day(
    settings: Settings, environ: Mapping[str, str], session: str | None, day: date | None
) -> tuple[str | None, date | None]:
    """Return the id of a session, and the day of a run in it.

    Args:
        session: Id of a conversation with the assistant, or the name of a session of research; None for none.
        day: The day that was asked for; None: the conversation's, where it has one.

    Raises:
        UsageError: The id cannot be used.
        NotFound: It has the form of a conversation's id, and there is none.
    """
    from tradingagents.features.assistant.sessions.ids import is_session_id
    from tradingagents.runtime.runs.session_findings import SessionFindings

    if session is None:
        return None, day
    name = SessionFindings(settings.home_dir, session).continued_as() or session
    if not is_session_id(name):
        return name, day
    from tradingagents.features.assistant.sessions import SessionStore

    store = SessionStore(settings, environ=environ)
    try:
        return name, day or store.get(name).defaults.as_of
    except NotFound:
        if name == session:
            raise
        return session, day  # the conversation that continued it was deleted
    finally:
        store.close()
