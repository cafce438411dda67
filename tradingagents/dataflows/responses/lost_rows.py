"""What a reader leaves out of a vendor's answer because it cannot be read: told beside what can be.

Readers say so with `lost` and `unread`; the gateway collects it for the question that was asked, the data sheet warns
of it, and the answer that an agent reads has it as a note.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

Lost = Counter[str]
"""How often each thing was left out, in words."""
MOST_NAMED = 4
_NOTED: ContextVar[Lost | None] = ContextVar("lost_rows", default=None)


def lost(what: str, **needed: object) -> None:
    """Note that a row is left out.

    Args:
        what: What the row is, such as `article`.
        **needed: What was read from the fields it needs, by the vendor's names; those that are None made it unreadable.
    """
    lacking = [name for name, value in needed.items() if value is None]
    _note(f"{what} without a readable {' and '.join(lacking) or 'form'}")


def unread(field: str, value: object) -> None:
    """Note that a field is left out since its value is of another kind: a text that is no number.

    Args:
        field: The vendor's name of it.
        value: What stands there; None and the empty text say that there is none, and are not noted.
    """
    if value is not None and value != "":
        _note(f"value of {field} that cannot be read")


def contradicted(what: str, why: str) -> None:
    """Note that a row or a value is left out since the same answer says something else.

    Args:
        what: What it is, such as `insider trade`.
        why: The fields that contradict each other, as a clause that follows it.
    """
    _note(f"{what} {why}")


def not_listed(what: str, count: int) -> None:
    """Note that rows are missing which the answer itself counts.

    Args:
        what: What a row is, such as `article`.
        count: How many; none or fewer are not noted.
    """
    for _ in range(count):
        _note(f"{what} that the answer counts and does not list")


def note_again(noted: Lost) -> None:
    """Note what was left out of a page when it was read, for another question that is answered from it."""
    counted = _NOTED.get()
    if counted is not None:
        counted.update(noted)


def _note(what: str) -> None:
    noted = _NOTED.get()
    if noted is not None:
        noted[what] += 1


@contextmanager
def noting_lost_rows() -> Iterator[Lost]:
    """Collect what readers leave out while one question is answered."""
    noted: Lost = Counter()
    token = _NOTED.set(noted)
    try:
        yield noted
    finally:
        _NOTED.reset(token)


def sentence_of(vendor: str, about: str, noted: Lost) -> str:
    """Return what was left out of an answer as one sentence; empty for nothing.

    Args:
        vendor: Who gave the answer, as settings name it.
        about: What was asked, such as `get_news of AAPL`.
        noted: What was left out.
    """
    if not noted:
        return ""
    most = noted.most_common()
    named = "; ".join(what if count == 1 else f"{what} ({count} times)" for what, count in most[:MOST_NAMED])
    more = f"; {len(most) - MOST_NAMED} further kinds" if len(most) > MOST_NAMED else ""
    return f"{vendor}'s answer to {about} is not whole; left out: {named}{more}."
