"""Completes what is typed in a conversation: commands, tickers, ids of runs and conversations, personas."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tradingagents.errors import TradingAgentsError

from .actions import FORMATS
from .commands import COMMANDS, command_of

if TYPE_CHECKING:
    from tradingagents.service.workspace.workspace import Workspace

    from .session import ChatSession

LISTED = 50
SHORTEST = 2
"""Characters of a word in a message from which on it is completed as a ticker."""


@dataclass(frozen=True)
class CompletionWords:
    """The words there are now."""

    tickers: tuple[str, ...] = ()
    """Of the watch list, then of the conversation."""
    runs: tuple[str, ...] = ()
    """Ids, the newest first."""
    sessions: tuple[str, ...] = ()
    personas: tuple[str, ...] = ()
    approvals: tuple[str, ...] = ()
    formats: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    """Of a comparison."""


@dataclass(frozen=True)
class CompletionChoice:
    """One way to complete a line."""

    text: str
    replaces: int
    """Characters before the cursor that it replaces."""
    about: str = ""


def candidates(line: str, words: CompletionWords) -> list[CompletionChoice]:
    """Return how the line up to the cursor can be completed."""
    if line.startswith("/") and " " not in line:
        begun = line[1:].lower()
        return [
            CompletionChoice(f"/{listed.name}", len(line), listed.help)
            for listed in COMMANDS
            if listed.name.startswith(begun)
        ]
    word = line.rpartition(" ")[2].lstrip("$")
    if not line.startswith("/"):
        return _beginning(word, words.tickers) if len(word) >= SHORTEST and word.isupper() else []
    command = command_of(line[1:].partition(" ")[0])
    known = getattr(words, command.completes) if command is not None and command.completes else ()
    first = len(line.split(" ")) == 2
    if command is not None and command.completes == "personas" and not first:
        known = words.tickers
    if command is not None and command.completes == "formats" and not first:
        known = words.runs
    if command is not None and command.name == "compare" and "on" in line.split(" ")[2:-1]:
        word, known = word.rpartition(",")[2], words.topics
    return _beginning(word, known)


def _beginning(word: str, known: Iterable[str]) -> list[CompletionChoice]:
    return [
        CompletionChoice(option, len(word))
        for option in dict.fromkeys(known)
        if option.lower().startswith(word.lower())
    ]


async def words_of(chat: ChatSession) -> CompletionWords:
    """Return what can be completed now; what cannot be read is left out, since nothing depends on it."""
    workspace = chat.workspace
    session = await workspace.session(chat.session_id)
    return CompletionWords(
        tickers=tuple(dict.fromkeys((*_watched(workspace), *session.symbols))),
        runs=tuple(str(row["run_id"]) for row in await workspace.runs(limit=LISTED)),
        sessions=tuple(info.session_id for info in await workspace.sessions(limit=LISTED)),
        personas=_names(chat),
        formats=FORMATS,
        topics=_topics(),
        approvals=tuple(approval.approval_id for approval in session.approvals if approval.status == "waiting"),
    )


def _topics() -> tuple[str, ...]:
    from tradingagents.features.compare.agents.topics import TOPICS

    return tuple(TOPICS)


def _watched(workspace: Workspace) -> Sequence[str]:
    from tradingagents.runtime.runs.watch_list import WatchList

    try:
        return WatchList(workspace.settings.home_dir).tickers
    except TradingAgentsError:
        return ()


def _names(chat: ChatSession) -> tuple[str, ...]:
    try:
        return tuple(persona.name for persona in chat.personas())
    except TradingAgentsError:
        return ()
