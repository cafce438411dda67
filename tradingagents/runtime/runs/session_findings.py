"""`SessionFindings`: what was researched in a session, in one file that every interface reads and adds to."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from tradingagents.errors import UsageError
from tradingagents.files.atomic import unreadable
from tradingagents.files.json_file import JsonFile
from tradingagents.runtime.runs.run_folder import is_component
from tradingagents.schemas.facts import AnsweredQuestion
from tradingagents.schemas.record import problem_of

FOLDER = "research_sessions"
"""Folder under `home`, one file a session."""
MOST_KEPT = 8
"""Questions of a session that are remembered, the latest."""
FINDING_CHARS = 1500
"""Characters of one finding that are kept, and that the agents of later iterations read.

A finding of 150 words, which is what a task is asked for, is shown whole. So the findings of five iterations of ten
tasks take at most 45,000 characters, however much the model writes.
"""
QUESTIONS, TOLD, CONTINUED = "questions", "told", "continued_as"
WAY_OUT = "delete it: only the reuse of earlier answers is lost"
_LIST = TypeAdapter(list[AnsweredQuestion])


class SessionFindings:
    """The latest questions of one session with what was found, the oldest first.

    Runs of one session work side by side: each reads the file when it begins, and adds its answer when it has ended.
    """

    def __init__(self, home: Path, session: str) -> None:
        """Name the session; nothing is read or written yet.

        Args:
            session: Its id: one of the assistant's, or any name.

        Raises:
            UsageError: The id cannot be a file's name.
        """
        if not is_component(session):
            raise UsageError("A session's name takes letters, digits, dots, dashes and underscores.")
        self._home, self.session = home, session

    def known(self) -> list[AnsweredQuestion]:
        """Return what was found, the oldest first; empty where nothing was.

        Raises:
            UnreadableFile: The file is damaged.
        """
        return self._stored()

    def add(self, answered: AnsweredQuestion) -> None:
        """Add what a run has found, in place of what an earlier start of the same run added.

        Raises:
            HomeNotWritable: The folder is not writable.
        """
        file = self._file()
        with file.changing():
            state = file.read()
            others = [question for question in state.get(QUESTIONS, []) if question.get("run_id") != answered.run_id]
            file.write({**state, QUESTIONS: [*others, answered.as_json()][-MOST_KEPT:]})

    def not_told(self) -> list[AnsweredQuestion]:
        """Return what the session's conversation has not been told of. Raises UnreadableFile as `known` does."""
        told = set(self._file().read().get(TOLD, []))
        return [question for question in self._stored() if question.run_id not in told]

    def note_told(self, run_ids: Iterable[str]) -> None:
        """Note that the session's conversation has been told of runs."""
        file = self._file()
        with file.changing():
            state = file.read()
            known = {question.get("run_id") for question in state.get(QUESTIONS, [])}
            told = [run_id for run_id in (*state.get(TOLD, []), *run_ids) if run_id in known]
            file.write({**state, TOLD: list(dict.fromkeys(told))})

    def continued_as(self) -> str | None:
        """Return the id of the conversation that continues a session of a name; None where none does."""
        found: str | None = self._own().read().get(CONTINUED)
        return found

    def continue_as(self, session_id: str) -> None:
        """Hand what was found to a conversation; from now on, this name means that conversation."""
        own, target = self._own(), SessionFindings(self._home, session_id)._own()
        with own.changing():
            state = own.read()
            with target.changing():
                target.write({QUESTIONS: state.get(QUESTIONS, [])})
            own.write({CONTINUED: session_id})

    def forget(self) -> None:
        """Delete what was found; the runs stay."""
        path = self._own().path
        path.unlink(missing_ok=True)
        path.with_suffix(".lock").unlink(missing_ok=True)

    def _stored(self) -> list[AnsweredQuestion]:
        file = self._file()
        try:
            return _LIST.validate_python(file.read().get(QUESTIONS, []))
        except ValidationError as error:
            raise unreadable(file.path, problem_of(error), WAY_OUT) from error

    def _file(self) -> JsonFile:
        """Return the file of the session, or of the conversation that continues it."""
        continued = self.continued_as()
        return self._own() if continued is None else SessionFindings(self._home, continued)._own()

    def _own(self) -> JsonFile:
        path = self._home / FOLDER / f"{self.session}.json"
        return JsonFile(self._home, path, way_out=WAY_OUT)
