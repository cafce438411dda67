"""A fault in what a vendor delivered: which row, what is wrong with it, and what was done about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

SHOWN = 3
"""Most faults of one kind that are named in one answer; the rest is counted."""
LENGTH = 40
"""Longest faulty value that is quoted."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong with a row."""

    subject: str
    """Symbol or name; empty where the row has none."""
    day: date | None
    """Day the row is about; None where it has none that can be read."""
    what: str
    """What is wrong, such as `close is 0`."""
    done: str
    """What was done about it, such as `the bar is left out`."""
    row: Any = None
    """The row, split or dividend as delivered, so that a vendor can tell where it stands; None for bars."""

    def text(self, where: str = "") -> str:
        """Return the fault without its end: subject, day, place and what is wrong."""
        about = " ".join(part for part in (self.subject, self.day.isoformat() if self.day else "") if part)
        place = f" ({where})" if where else ""
        return f"{about}{place}: {self.what}" if about or place else self.what


def quoted(value: object) -> str:
    """Return a faulty value on one line, cut where it is long."""
    if isinstance(value, int) and abs(value) > 10**LENGTH:  # long integers refuse to be written out
        return "an integer of more than 40 digits"
    text = value if isinstance(value, str) else repr(value)
    text = " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())
    return text if len(text) <= LENGTH else f"{text[: LENGTH - 1]}…"


def summarised(faults: Sequence[tuple[Fault, str]]) -> list[str]:
    """Return faults, each with its place, as the first few of each kind; the others are counted."""
    by_kind: dict[tuple[str, str], list[tuple[Fault, str]]] = {}
    for fault, where in faults:
        by_kind.setdefault((fault.subject, fault.done), []).append((fault, where))
    sentences: list[str] = []
    for (_, done), same in by_kind.items():
        some = "; ".join(fault.text(where) for fault, where in same[:SHOWN])
        more = f" and {len(same) - SHOWN} more" if len(same) > SHOWN else ""
        sentences.append(f"{some}{more}; {done}.")
    return sentences
