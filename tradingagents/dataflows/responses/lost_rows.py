"""What a reader leaves out of a vendor's answer because it cannot be read: told beside what can be.

Readers say so with `lost` and `unread`; the gateway collects it for the question that was asked, the data sheet warns
of it, and the answer that an agent reads has it as a note. A run on a past day hears of what was known by then only:
that a row cannot be read which became known later would tell that there is one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, date, datetime, time
from typing import NamedTuple


class LeftOut(NamedTuple):
    """Something that was left out of an answer."""

    what: str
    """In words."""
    since: datetime | None
    """When it became known at the earliest, or the end of the day it is of; None where its day cannot be read."""


Lost = Counter[LeftOut]
"""How often each thing was left out."""
SCHEDULED = datetime.min.replace(tzinfo=UTC)
"""Of rows on a day to come: they were known before it."""
MOST_NAMED = 4
_NOTED: ContextVar[Lost | None] = ContextVar("lost_rows", default=None)


def lost(what: str, *, since: date | None = None, **needed: object) -> None:
    """Note that a row is left out.

    Args:
        what: What the row is, such as `article`.
        since: The day or instant from which it was known; None: the latest of those that it needs.
        **needed: What was read from the fields it needs, by the vendor's names; those that are None made it unreadable.
    """
    lacking = [name for name, value in needed.items() if value is None]
    since = since or max((_instant(value) for value in needed.values() if isinstance(value, date)), default=None)
    _note(f"{what} without a readable {' and '.join(lacking) or 'form'}", since)


def unread(field: str, value: object, *, since: date | None = None) -> None:
    """Note that a field is left out since its value is of another kind: a text that is no number.

    Args:
        field: The vendor's name of it.
        value: What stands there; None and the empty text say that there is none, and are not noted.
        since: The day or instant from which its row was known.
    """
    if value is not None and value != "":
        _note(f"value of {field} that cannot be read", since)


def contradicted(what: str, why: str, *, since: date | None = None) -> None:
    """Note that a row or a value is left out since the same answer says something else.

    Args:
        what: What it is, such as `insider trade`.
        why: The fields that contradict each other, as a clause that follows it.
        since: The day or instant from which the row was known.
    """
    _note(f"{what} {why}", since)


def without_zone(field: str, since: date) -> None:
    """Note that of an instant only the day is used, since nothing says which zone its time is in.

    Args:
        field: The vendor's name of it.
        since: The day from which its row was known.
    """
    _note(f"time of {field}, which names no zone", since)


def not_listed(what: str, count: int) -> None:
    """Note that rows are missing which the answer itself counts.

    Args:
        what: What a row is, such as `article`.
        count: How many; none or fewer are not noted.
    """
    for _ in range(count):
        _note(f"{what} that the answer counts and does not list", None)


def listed_none(what: str) -> None:
    """Note that a list is empty, of a source that gives an empty one for a company it does not cover too.

    Args:
        what: What a row would be, such as `article`.
    """
    _note(f"every {what}, if there are any: the list is empty, as it is for a company that is not covered", None)


def note_again(noted: Lost) -> None:
    """Note what was left out of a page when it was read, for another question that is answered from it."""
    counted = _NOTED.get()
    if counted is not None:
        counted.update(noted)


def _note(what: str, since: date | None) -> None:
    noted = _NOTED.get()
    if noted is not None:
        noted[LeftOut(what, None if since is None else _instant(since))] += 1


def _instant(when: date) -> datetime:
    """Return an instant in UTC; of a day its end: what is of a day was known after it."""
    if not isinstance(when, datetime):
        return datetime.combine(when, time.max, tzinfo=UTC)
    return when if when.tzinfo else when.replace(tzinfo=UTC)


@contextmanager
def noting_lost_rows() -> Iterator[Lost]:
    """Collect what readers leave out while one question is answered."""
    noted: Lost = Counter()
    token = _NOTED.set(noted)
    try:
        yield noted
    finally:
        _NOTED.reset(token)


def sentence_of(vendor: str, about: str, noted: Lost, until: datetime | None = None) -> str:
    """Return what was left out of an answer as one sentence; empty for nothing.

    Args:
        vendor: Who gave the answer, as settings name it.
        about: What was asked, such as `get_news of AAPL`.
        noted: What was left out.
        until: The cut-off of a run on a past day: what became known later is not told. None: all is.
    """
    known: Counter[str] = Counter()
    for row, count in noted.items():
        if until is None or row.since is None or row.since <= until:
            known[row.what] += count
    if not known:
        return ""
    most = known.most_common()
    named = "; ".join(what if count == 1 else f"{what} ({count} times)" for what, count in most[:MOST_NAMED])
    more = f"; {len(most) - MOST_NAMED} further kinds" if len(most) > MOST_NAMED else ""
    return f"{vendor}'s answer to {about} is not whole; left out: {named}{more}."
