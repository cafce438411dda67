"""Follow the events of a task: those in its journal, then those that come, whoever works on it.

The journal is the only source of events. Whoever is slow reads it at its own pace; the work never waits for a reader.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import suppress

from tradingagents.schemas.workspace import ENDED, TaskEvent, TaskStatus
from tradingagents.service.tasks.folder import TaskFolder
from tradingagents.service.tasks.journal import TaskJournal, last_event, offset_after, read_events

POLL_SECONDS = 0.2
"""How often the journal of a task that another process works on is looked at."""
AT_REST: frozenset[TaskStatus] = ENDED | {"interrupted", "awaiting_approval"}
STATUS = "task"
"""Type of the events that tell a change of status."""


async def follow(
    folder: TaskFolder, after: int, journal_here: Callable[[], TaskJournal | None]
) -> AsyncIterator[TaskEvent]:
    """Yield the events numbered above `after` until the task has ended or waits for a person.

    Args:
        after: The last event that the reader has seen; -1 for none.
        journal_here: Returns the journal while this process works on the task, None otherwise.
    """
    seen, last = after, None
    place: int | None = None
    while True:
        journal = journal_here()
        ring = journal.announcer.next_ring() if journal is not None else None
        events = journal.after(seen) if journal is not None else None
        if events is not None:
            place = None
        else:
            begin = offset_after(folder.events, seen) if place is None else place
            events, place = read_events(folder.events, begin, seen)
            if not events and place > begin:
                continue
        for event in events:
            seen, last = event.seq, event
            yield event
        if events:
            await asyncio.sleep(0)  # a long history does not keep the loop from other work
            continue
        newest = last or last_event(folder.events)  # a reader that has seen all, or claims to, is not sent any
        if newest is not None and newest.seq <= seen and is_at_rest(newest):
            return
        await _news(ring)


def is_at_rest(event: TaskEvent) -> bool:
    """Return whether an event tells that nothing more happens until a person resumes or answers the task."""
    of_the_task = event.type == STATUS and event.run_id is None  # a research run tells of its own tasks by this type
    return of_the_task and event.data.get("status") in AT_REST


async def _news(ring: asyncio.Event | None) -> None:
    """Wait until there may be news."""
    if ring is None:
        await asyncio.sleep(POLL_SECONDS)
        return
    with suppress(TimeoutError):
        await asyncio.wait_for(ring.wait(), 60)
