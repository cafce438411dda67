"""`SessionStore`: conversations with their transcripts and state, in `<home>/sessions`.

A transcript is a file of its own that only grows; the state (view, symbols, defaults, tasks, artifacts, approvals,
audit) is in a database; `sessions.json` lists the sessions for people and other tools.

Hidden sessions belong to agents that the assistant consults. A method that takes an id answers for a hidden one as for
an unknown one unless it is told `hidden=True`.
"""

from __future__ import annotations

import builtins
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tradingagents.errors import TradingAgentsError
from tradingagents.features.assistant.sessions.entries import instant, plain_record, plain_text
from tradingagents.features.assistant.sessions.errors import NoSuchApproval, SessionBusy, no_such_session
from tradingagents.features.assistant.sessions.ids import is_session_id, new_approval_id, new_session_id
from tradingagents.features.assistant.sessions.transcript_file import TranscriptFile
from tradingagents.files.atomic import writing
from tradingagents.files.lock import Locked, locked
from tradingagents.files.redaction import Redactor
from tradingagents.retrieval.questions.holdings import without_holdings
from tradingagents.runtime.runs.session_findings import SessionFindings
from tradingagents.schemas.workspace import (
    ActionApproval,
    NewEntry,
    SessionDefaults,
    SessionInfo,
    TranscriptEntry,
    ViewContext,
)
from tradingagents.settings import Settings, secrets_of

if TYPE_CHECKING:
    from tradingagents.features.assistant.sessions.index_file import IndexFile
    from tradingagents.features.assistant.sessions.rows import Change, SessionRow, SessionRows

FOLDER = "sessions"
TITLE_CHARS = 120
NOTE_CHARS = 1000
MOST_SYMBOLS = 20
AUDIT_PAGE = 1000
LOOKING_SECONDS = 0.1
"""How long a turn waits for its lock: another process may just be looking whether it is held."""
REMEMBERED = 10_000
"""Sessions of which a process remembers whether they are hidden."""


def sessions_address(settings: Settings) -> Path | str:
    """Return where the state of sessions and artifacts is stored: `database_url`, or a file in the home folder."""
    return settings.database_url or settings.home_dir / FOLDER / "sessions.sqlite"


class SessionStore:
    """The sessions of a home folder. Thread-safe; several processes may share one folder."""

    def __init__(self, settings: Settings, *, environ: Mapping[str, str] | None = None) -> None:
        """Set the folder; the first session creates it.

        Args:
            settings: Name the home folder and the database.
            environ: Variables whose secrets never reach a transcript; None: `.env` and the process environment.
        """
        self._home = settings.home_dir
        self.folder = self._home / FOLDER
        self._address = sessions_address(settings)
        self._redactor = Redactor(environ, secrets_of(settings))
        self._hidden: dict[str, bool] = {}
        self._restored = False

    def close(self) -> None:
        """Write `sessions.json` if it is out of date, and close the database; a later call opens it again."""
        if "_rows" in self.__dict__:
            try:
                if "_index" in self.__dict__:
                    self._index.catch_up(now=True)
            finally:
                self._rows.close()

    def create(
        self,
        agent: str,
        title: str = "",
        defaults: SessionDefaults | None = None,
        *,
        hidden: bool = False,
        parent: str | None = None,
    ) -> SessionInfo:
        """Create a session.

        Args:
            agent: Name of the agent that answers in it.
            title: For lists; empty: the beginning of the first message.
            defaults: What it assumes where a message does not say.
            hidden: Whether no list shows it, and only its id with `hidden=True` finds it.
            parent: The session that a hidden one belongs to: its view and defaults are taken over, and it is deleted
                with it.

        Raises:
            NoSuchSession: There is no session `parent`.
            HomeNotWritable, DatabaseUnreachable: As `Database` raises; this applies to every method.
        """
        now = datetime.now(UTC)
        above = self._row(parent, hidden=True) if parent is not None else None
        row = self._new_row(
            session_id=new_session_id(now),
            agent=agent,
            title=self._title(without_holdings(title)),
            hidden=hidden,
            parent=parent,
            created_at=now,
            updated_at=now,
            view=above.view if above else ViewContext(),
            symbols=above.symbols if above else (),
            defaults=defaults or (above.defaults if above else SessionDefaults()),
        )
        rows, transcript = self._ready_rows(), self._transcript(row.session_id)
        transcript.create(_heading(row))  # first: a session that is listed has its file, whenever this process ends
        try:
            rows.add([row])
        except TradingAgentsError:
            transcript.path.unlink(missing_ok=True)
            raise
        self._hidden[row.session_id] = hidden
        if not hidden:
            self._index.catch_up()
        return self._info(row)

    def list(self, limit: int = 50, before: str | None = None) -> tuple[SessionInfo, ...]:
        """Return the newest sessions that are not hidden, by creation; `before` goes on after the last id of a page."""
        if self.empty or limit <= 0:
            return ()
        rows = self._ready_rows()
        self._index.catch_up()
        return tuple(self._info(row) for row in rows.page(limit, before))

    def get(self, session_id: str, *, hidden: bool = False) -> SessionInfo:
        """Return a session.

        Raises:
            NoSuchSession: There is none of that id; or it is hidden, and `hidden` is not set.
        """
        return self._info(self._row(session_id, hidden=hidden))

    def update(
        self,
        session_id: str,
        *,
        title: str | None = None,
        view: ViewContext | None = None,
        defaults: SessionDefaults | None = None,
        hidden: bool = False,
    ) -> SessionInfo:
        """Change what is given; the symbols of a view become the latest of the session. Raises NoSuchSession."""

        def change(row: SessionRow) -> Mapping[str, Any]:
            changed: dict[str, Any] = {}
            if title is not None:
                changed["title"] = self._title(title)
            if view is not None:
                changed |= {"view": self._view(view), "symbols": _latest_first(view.symbols, row.symbols)}
            if defaults is not None:
                changed["defaults"] = defaults.model_dump(mode="json")
            return changed

        row = self._change(session_id, change, hidden)
        if title is not None and not row.hidden:
            self._index.catch_up()
        return self._info(row)

    def set_view(self, session_id: str, view: ViewContext, *, hidden: bool = False) -> SessionInfo:
        """Note what the user is looking at; its symbols become the latest of the session. Raises NoSuchSession."""
        return self.update(session_id, view=view, hidden=hidden)

    def note_symbols(self, session_id: str, symbols: Iterable[str], *, hidden: bool = False) -> SessionInfo:
        """Note the symbols that the conversation is about, the most relevant first. Raises NoSuchSession."""
        noted = tuple(symbols)

        def change(row: SessionRow) -> Mapping[str, Any]:
            latest = _latest_first(noted, row.symbols)
            return {"symbols": latest} if latest != [*row.symbols] else {}

        return self._info(self._change(session_id, change, hidden))

    def delete(self, session_id: str, *, hidden: bool = False) -> None:
        """Delete a session with its transcript, its state and its hidden sessions; runs and artifacts stay.

        Raises:
            NoSuchSession: There is none of that id.
            SessionBusy: A turn of the session is running.
        """
        shown = not self._row(session_id, hidden=hidden).hidden
        rows = self._ready_rows()
        with ExitStack() as stack:
            for member in (family := rows.family(session_id)):
                stack.enter_context(self.turn(member, hidden=True))
            rows.delete(family)
            with writing(self._home):
                for member in family:
                    self._transcript(member).path.unlink(missing_ok=True)
                    self._turn_lock(member).unlink(missing_ok=True)
                    SessionFindings(self._home, member).forget()
        for member in family:
            self._hidden.pop(member, None)
        if shown:
            self._index.catch_up()

    @contextmanager
    def turn(self, session_id: str, *, hidden: bool = False) -> Iterator[None]:
        """Hold a session for one turn: no other turn begins in any process, and nobody deletes the session.

        Raises:
            NoSuchSession: There is none of that id.
            SessionBusy: Another turn is running.
        """
        self._assert_known(session_id, hidden)
        with ExitStack() as stack:
            try:
                with writing(self._home):
                    stack.enter_context(locked(self._turn_lock(session_id), wait=LOOKING_SECONDS))
            except Locked:
                raise SessionBusy(
                    f"A turn of session {session_id} is running; wait until it has ended, or cancel it first."
                ) from None
            if not self._transcript(session_id).path.exists():  # deleted meanwhile
                self._turn_lock(session_id).unlink(missing_ok=True)
                raise no_such_session(session_id)
            yield

    # Transcript
    def append(
        self, session_id: str, entries: Sequence[NewEntry], *, hidden: bool = False
    ) -> tuple[TranscriptEntry, ...]:
        """Append entries to the transcript, together and without secrets; return them with their numbers.

        Other processes may append at the same time. The entries survive the end of this process once this returns.

        Raises:
            NoSuchSession: There is no session of that id.
            HomeNotWritable: The disk is full, or the folder is not writable; nothing was appended.
        """
        self._assert_known(session_id, hidden)
        if not entries:
            return ()
        with self._known_file(session_id) as transcript:
            written = transcript.append(entries)
        said = next((entry.text for entry in written if entry.type == "user"), "")
        if said.strip() and written[0].seq == 0:
            self._name_after(session_id, said, hidden)
        return written

    def entries(
        self, session_id: str, after: int = -1, limit: int | None = 200, *, hidden: bool = False
    ) -> tuple[TranscriptEntry, ...]:
        """Return the entries numbered above `after`, oldest first; `limit` None: all of them. Raises NoSuchSession."""
        self._assert_known(session_id, hidden)
        with self._known_file(session_id) as transcript:
            return transcript.entries(after, limit)

    def recent(self, session_id: str, *, hidden: bool = False) -> tuple[TranscriptEntry, ...]:
        """Return what a model is shown: the last summary and the entries that it does not cover, oldest first.

        It takes as long as these are, however long the transcript is. Raises NoSuchSession.
        """
        self._assert_known(session_id, hidden)
        found: list[TranscriptEntry] = []
        covered = -1
        with self._known_file(session_id) as transcript:
            for entry in transcript.backwards():
                if entry.seq <= covered:
                    break
                if entry.type == "summary" and entry.covers is not None:
                    if entry.covers < covered:
                        continue
                    if covered >= 0:
                        found = [entry for entry in found if entry.type != "summary"]
                    covered = entry.covers
                found.append(entry)
        return tuple(reversed(found))

    # State
    def add_task(self, session_id: str, task_id: str, *, hidden: bool = False) -> SessionInfo:
        """Note a task that the session started. Raises NoSuchSession."""
        self._assert_known(session_id, hidden)
        self._ready_rows().link(session_id, "task", task_id, instant(datetime.now(UTC)))
        return self.get(session_id, hidden=hidden)

    def add_approval(
        self, session_id: str, action: str, arguments: Mapping[str, Any], reason: str, *, hidden: bool = False
    ) -> ActionApproval:
        """Note an action that the user must allow.

        Args:
            action: Name of the capability or kind of task.
            arguments: Its arguments; secrets in them are hidden.
            reason: Why the user is asked.
            hidden: Whether the session may be hidden.

        Raises:
            NoSuchSession: There is no session of that id.
        """
        self._assert_known(session_id, hidden)
        approval = ActionApproval(
            approval_id=new_approval_id(),
            action=action,
            arguments=plain_record(arguments, self._redactor),
            reason=plain_text(reason, self._redactor),
            created_at=datetime.now(UTC),
        )
        self._ready_rows().add_approval(session_id, approval)
        return approval

    def approval(self, session_id: str, approval_id: str, *, hidden: bool = False) -> ActionApproval:
        """Return an approval. Raises NoSuchSession, NoSuchApproval."""
        self._assert_known(session_id, hidden)
        found = [
            approval for approval in self._ready_rows().approvals(session_id) if approval.approval_id == approval_id
        ]
        if not found:
            raise NoSuchApproval(f"Session {session_id} has no such approval; the session lists those it has.")
        return found[0]

    def answer_approval(
        self, session_id: str, approval_id: str, approved: bool, *, task_id: str | None = None, hidden: bool = False
    ) -> ActionApproval:
        """Allow or refuse an action; of several answers, only the first counts.

        Args:
            approved: Whether the action is allowed.
            task_id: The task that it started, where there is one already; see `note_approval_task`.
            hidden: Whether the session may be hidden.

        Raises:
            NoSuchSession: There is no session of that id.
            NoSuchApproval: It has no such approval, or it was answered before.
        """
        before = self.approval(session_id, approval_id, hidden=hidden)
        now = instant(datetime.now(UTC))
        rows = self._ready_rows()
        answered = rows.answer(session_id, approval_id, "approved" if approved else "refused", now)
        if answered is None:
            raise NoSuchApproval(f"The approval of {before.action} was answered before; the session lists the answers.")
        if task_id is not None:
            self.note_approval_task(session_id, approval_id, task_id, hidden=hidden)
            return answered.model_copy(update={"task_id": task_id})
        return answered

    def note_approval_task(self, session_id: str, approval_id: str, task_id: str, *, hidden: bool = False) -> None:
        """Note the task that an approved action started. Raises NoSuchSession, NoSuchApproval."""
        self.approval(session_id, approval_id, hidden=hidden)
        self._ready_rows().approval_task(session_id, approval_id, task_id)

    def audit(self, session_id: str, record: Mapping[str, Any]) -> None:
        """Record an action of a session, hidden or not. Raises NoSuchSession."""
        self._assert_known(session_id, hidden=True)
        now = instant(datetime.now(UTC))
        self._ready_rows().add_audit(session_id, plain_record(record, self._redactor), now)

    def audit_log(
        self, session_id: str, limit: int = AUDIT_PAGE, *, hidden: bool = False
    ) -> tuple[dict[str, Any], ...]:
        """Return the latest records, oldest first, each with its time as `ts`. Raises NoSuchSession."""
        self._assert_known(session_id, hidden)
        return tuple({"ts": ts, **record} for ts, record in self._ready_rows().audit(session_id, limit))

    @property
    def empty(self) -> bool:
        """Whether there has never been a session in the home folder, so that nothing needs to be opened."""
        return isinstance(self._address, Path) and not self._address.exists() and not self.folder.exists()

    # Private
    @cached_property
    def _rows(self) -> SessionRows:
        from tradingagents.features.assistant.sessions.rows import SessionRows

        return SessionRows(self._address)

    @cached_property
    def _index(self) -> IndexFile:
        from tradingagents.features.assistant.sessions.index_file import IndexFile

        return IndexFile(self._home, self.folder, self._rows)

    def _new_row(self, **fields: Any) -> SessionRow:
        from tradingagents.features.assistant.sessions.rows import SessionRow

        return SessionRow(**fields)

    def _ready_rows(self) -> SessionRows:
        """Return the database; one that has lost its sessions gets them back from the transcripts."""
        rows = self._rows
        if not self._restored:
            if rows.empty() and (found := builtins.list(self._headings())):
                rows.add(found)
            self._restored = True
        return rows

    def _headings(self) -> Iterator[SessionRow]:
        for path in sorted(self.folder.glob("s-*.jsonl")):
            if not is_session_id(path.stem):
                continue
            transcript = self._transcript(path.stem)
            known = transcript.heading() or {}
            last = transcript.last()
            created = known.get("created_at") or (last.ts if last else datetime.now(UTC))
            yield self._new_row(
                session_id=path.stem,
                agent=str(known.get("agent", "")),
                title=self._title(without_holdings(str(known.get("title") or _first_words(transcript)))),
                hidden=known.get("hidden") is not False,  # a session that does not say so is never shown by mistake
                parent=known.get("parent") if isinstance(known.get("parent"), str) else None,
                created_at=created,
                updated_at=last.ts if last else created,
            )

    def _transcript(self, session_id: str) -> TranscriptFile:
        return TranscriptFile(self._home, self.folder / f"{session_id}.jsonl", self._redactor)

    @contextmanager
    def _known_file(self, session_id: str) -> Iterator[TranscriptFile]:
        """Yield a transcript; one that is gone because the session was deleted is as unknown as its id."""
        try:
            yield self._transcript(session_id)
        except FileNotFoundError:
            self._hidden.pop(session_id, None)
            raise no_such_session(session_id) from None

    def _turn_lock(self, session_id: str) -> Path:
        return self.folder / "locks" / f"{session_id}.lock"

    def _assert_known(self, session_id: str, hidden: bool) -> None:
        """Raise NoSuchSession unless there is such a session that the caller may see."""
        if not is_session_id(session_id) or self.empty:
            raise no_such_session(session_id)
        known = self._hidden.get(session_id)
        if known is None:
            known = self._ready_rows().hidden(session_id)
            if known is not None:
                if len(self._hidden) >= REMEMBERED:
                    self._hidden.clear()
                self._hidden[session_id] = known
        if known is None or (known and not hidden):
            raise no_such_session(session_id)

    def _row(self, session_id: str, *, hidden: bool) -> SessionRow:
        row = None
        if is_session_id(session_id) and not self.empty:
            row = self._ready_rows().get(session_id)
        if row is None or (row.hidden and not hidden):
            raise no_such_session(session_id)
        return row

    def _change(self, session_id: str, change: Change, hidden: bool) -> SessionRow:
        self._assert_known(session_id, hidden)
        row = self._ready_rows().change(session_id, change, instant(datetime.now(UTC)))
        if row is None:
            raise no_such_session(session_id)
        return row

    def _name_after(self, session_id: str, said: str, hidden: bool) -> None:
        title = self._title(without_holdings(said), 60)
        row = self._change(session_id, lambda row: {} if row.title else {"title": title}, hidden)
        if not row.hidden:
            self._index.catch_up()

    def _info(self, row: SessionRow) -> SessionInfo:
        try:
            last = self._transcript(row.session_id).last()
        except FileNotFoundError:
            last = None
        fields = {name: getattr(row, name) for name in SessionInfo.model_fields}
        if last is not None:
            fields |= {"updated_at": max(row.updated_at, last.ts), "entries": last.seq + 1}
        return SessionInfo(**fields)

    def _title(self, title: str, most: int = TITLE_CHARS) -> str:
        return _shortened(" ".join(plain_text(title, self._redactor).split()), most)

    def _view(self, view: ViewContext) -> dict[str, Any]:
        shown = plain_record(view.model_dump(mode="json"), self._redactor)
        return {**shown, "symbols": shown["symbols"][:MOST_SYMBOLS], "note": _shortened(shown["note"], NOTE_CHARS)}


def _heading(row: SessionRow) -> dict[str, Any]:
    """Return the first line of a transcript."""
    return {
        "session_id": row.session_id,
        "agent": row.agent,
        "title": row.title,
        "created_at": instant(row.created_at),
        "hidden": row.hidden,
        "parent": row.parent,
    }


def _first_words(transcript: TranscriptFile) -> str:
    first = transcript.entries(limit=1)
    return first[0].text if first and first[0].type == "user" else ""


def _latest_first(symbols: Iterable[str], earlier: Iterable[str]) -> builtins.list[str]:
    return builtins.list(dict.fromkeys([*symbols, *earlier]))[:MOST_SYMBOLS]


def _shortened(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"
