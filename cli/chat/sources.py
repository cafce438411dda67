"""What the last answer of a conversation rests on: the sources of a run, or the tool results of a turn."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..text import one_line

if TYPE_CHECKING:
    from tradingagents.schemas.workspace import TaskInfo, TranscriptEntry
    from tradingagents.service.workspace.workspace import Workspace

NOTHING_YET = "Nothing was answered here yet."
NO_SOURCES = "The last answer rests on no tool result."
ENTRIES = 400
"""Entries of the transcript that are read, from its end: more than one turn has."""
SHEET_ROWS = 40
ASKED_ABOUT = frozenset({"research", "debate", "compare", "deep_report"})
"""Kinds of tasks whose runs can be asked about."""
TASKS = 20
"""Newest tasks among which the last run is looked for."""


async def sources_of(workspace: Workspace, session_id: str) -> list[str]:
    """Return a line for each source of the last answer, whichever came last: a run or a turn."""
    session = await workspace.session(session_id)
    entries = await workspace.transcript(session_id, after=session.entries - ENTRIES - 1, limit=ENTRIES)
    replies = [entry for entry in entries if entry.type == "assistant" and entry.text]
    run = _last_run(await workspace.tasks(session_id=session_id, limit=TASKS))
    if run is not None and (not replies or (run.finished_at or run.created_at) > replies[-1].ts):
        return sources_of_run(await workspace.run(run.run_ids[-1])) or [NO_SOURCES]
    return (sources_of_turn(entries, replies[-1].turn) or [NO_SOURCES]) if replies else [NOTHING_YET]


async def last_run(workspace: Workspace, session_id: str) -> str | None:
    """Return the id of the last run of a session; None where there is none."""
    found = _last_run(await workspace.tasks(session_id=session_id, limit=TASKS))
    return None if found is None else found.run_ids[-1]


async def last_researched(workspace: Workspace, session_id: str) -> str | None:
    """Return the id of the last run that can be asked about, wherever in the session it was made; None for none."""
    from tradingagents.runtime.runs.session_findings import SessionFindings

    known = await asyncio.to_thread(SessionFindings(workspace.settings.home_dir, session_id).known)
    tasks = await workspace.tasks(session_id=session_id, limit=TASKS)
    ended = [task.run_ids[-1] for task in tasks if task.status == "done" and task.run_ids and task.kind in ASKED_ABOUT]
    return max((*ended, *(question.run_id for question in known)), default="") or None


def sources_of_run(card: Mapping[str, Any]) -> list[str]:
    """Return the sources that a card names; where it names none, what was read from vendors."""
    named = [source for source in card.get("sources") or () if isinstance(source, str)]
    if named:
        return [f"[{one_line(source)}]" for source in named]
    evidence = card.get("evidence") or ()
    if evidence:
        return [
            one_line(f"[{item['id']}] {item['title']}, as of {item['as_of']}")
            for item in evidence
            if not item["failure"]
        ]
    rows = (card.get("data_sheet") or ())[:SHEET_ROWS]
    return list(dict.fromkeys(
        one_line(f"{row['method']} {row['symbol'] or 'market'}: {row['vendor']}") for row in rows
    ))  # fmt: skip


def sources_of_turn(entries: Sequence[TranscriptEntry], turn: str) -> list[str]:
    """Return the tool results that a turn was answered from."""
    asked = {
        entry.call_id: entry.arguments or {} for entry in entries if entry.type == "tool_call" and entry.turn == turn
    }
    found = []
    for entry in entries:
        if entry.type == "tool_result" and entry.turn == turn and entry.status == "ok":
            given = ", ".join(f"{name}={value}" for name, value in asked.get(entry.call_id, {}).items())
            day = entry.data.get("answered_as_of")
            label = f"[{entry.data['label']}] " if entry.data.get("label") else ""
            found.append(one_line(f"{label}{entry.name}({given}): {entry.data.get('title') or entry.text[:100]}"
                                  + (f", as of {day}" if day else "")))  # fmt: skip
    return found


def _last_run(tasks: Sequence[TaskInfo]) -> TaskInfo | None:
    return next((task for task in tasks if task.status == "done" and task.run_ids), None)
