"""An invalid row in a vendor's answer: which row, what is wrong, and how it was handled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from tradingagents.dataflows.reference.data_faults import FaultKind, reference
from tradingagents.schemas.records import DataFaultRecord

SHOWN = 3
"""Maximum number of faults of one kind listed per answer; the rest is counted."""
LENGTH = 40
"""Maximum length of a quoted value."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong with a row."""

    subject: str
    """Symbol or name; empty if the row has none."""
    day: date | None
    """Day of the row; None if it has no readable one."""
    what: str
    """What is wrong, such as `close is 0`."""
    done: str
    """How it was handled, such as `the bar is left out`."""
    row: Any = None
    """The row, split or dividend as delivered, so that a vendor can locate it; None for bars."""
    kind: FaultKind = "invalid-value"
    withholds: bool = False
    """Whether figures are absent because of it."""

    @property
    def reason(self) -> str:
        """Why figures are absent: the fault, how it was handled, and where its kind is explained."""
        return f"{self.text()}; {self.done} ({reference(self.kind)})."

    def to_record(self, method: str, vendor: str) -> DataFaultRecord:
        """Return the fault as JSON."""
        return DataFaultRecord(
            kind=self.kind,
            subject=self.subject,
            method=method,
            vendor=vendor,
            day=self.day.isoformat() if self.day else None,
            what=self.what,
            done=self.done,
            withholds=self.withholds,
            page=reference(self.kind),
        )

    def text(self, where: str = "") -> str:
        """Return the fault without how it was handled: subject, day, location and what is wrong."""
        about = " ".join(part for part in (self.subject, self.day.isoformat() if self.day else "") if part)
        place = f" ({where})" if where else ""
        return f"{about}{place}: {self.what}" if about or place else self.what


def quoted(value: object) -> str:
    """Return an invalid value on one line, truncated if long."""
    if isinstance(value, int) and abs(value) > 10**LENGTH:  # Python refuses to print very long integers
        return "an integer of more than 40 digits"
    text = value if isinstance(value, str) else repr(value)
    text = " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())
    return text if len(text) <= LENGTH else f"{text[: LENGTH - 1]}…"


def summarised(faults: Sequence[tuple[Fault, str]]) -> list[str]:
    """Return the first faults of each kind as text with their locations, and the number of the others."""
    by_kind: dict[tuple[str, str, FaultKind], list[tuple[Fault, str]]] = {}
    for fault, where in faults:
        by_kind.setdefault((fault.subject, fault.done, fault.kind), []).append((fault, where))
    sentences: list[str] = []
    for (_, done, kind), same in by_kind.items():
        some = "; ".join(fault.text(where) for fault, where in same[:SHOWN])
        more = f" and {len(same) - SHOWN} more" if len(same) > SHOWN else ""
        sentences.append(f"{some}{more}; {done} ({reference(kind)}).")
    return sentences
