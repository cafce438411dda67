"""`GuidanceLedger`: what a company guided to over time, each statement beside the one that it revises."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from tradingagents.retrieval.guidance.guided_items import guided_items
from tradingagents.retrieval.guidance.periods import GuidedPeriod
from tradingagents.retrieval.guidance.statements import (
    GuidanceReading,
    GuidanceStatement,
    WithheldRange,
)
from tradingagents.retrieval.models import DocumentInfo

_RELEASES = ("8-K", "EX-99", "6-K")
"""Forms in which companies guide; annual and quarterly reports hold plans and scenarios. An exhibit that is added by
itself names no form."""
_SAME = 1e-9


@dataclass(frozen=True, slots=True)
class GuidanceEntry:
    """A statement with what it changes."""

    statement: GuidanceStatement
    revision: str
    """`first`, or against the one before: `raised`, `lowered`, `narrowed`, `widened`, `moved` or `reaffirmed`."""


@dataclass(frozen=True, slots=True)
class GuidanceLedger:
    """What was guided to: the latest periods first, and of an item in the order in which it was said."""

    entries: tuple[GuidanceEntry, ...]
    withheld: tuple[WithheldRange, ...]
    documents: int
    """Documents that were read."""

    def last(self) -> tuple[GuidanceStatement, ...]:
        """Return for each item and period the statement that no later one revises."""
        return tuple(line[-1] for line in self.lines())

    def lines(self) -> tuple[tuple[GuidanceStatement, ...], ...]:
        """Return for each item and period its statements, in the order in which they were said."""
        lines: dict[object, list[GuidanceStatement]] = {}
        for entry in self.entries:
            lines.setdefault(entry.statement.key, []).append(entry.statement)
        return tuple(map(tuple, lines.values()))


def may_guide(info: DocumentInfo) -> bool:
    """Tell whether a document is one in which companies guide: a call, or a release on Form 8-K with its exhibits."""
    return info.kind == "call" or not info.form or info.form.startswith(_RELEASES)


def guidance_ledger(documents: Iterable[GuidanceReading], item: str = "") -> GuidanceLedger:
    """Return the ledger of a company's documents.

    What one day's release and call both say is entered once, from the document that states its basis.

    Args:
        documents: Readings of calls and releases of one company, in any order; of which day they may be known is the
            caller's.
        item: The only item that is entered, by its key or by words of the company's own; empty: all.
    """
    readings = sorted(documents, key=lambda reading: (reading.info.known_at, reading.info.name))
    lines: dict[object, list[GuidanceEntry]] = {}
    said = [one for reading in readings for one in reading.statements if _is_asked(one, item)]
    for statement in _said_once(said):
        line = lines.setdefault(statement.key, [])
        line.append(GuidanceEntry(statement, _revision(line[-1].statement if line else None, statement)))
    entries = sorted(
        (entry for line in lines.values() for entry in line),
        key=lambda entry: (_newest_first(entry.statement.period), entry.statement.item, entry.statement.known_at),
    )
    withheld = tuple(one for reading in readings for one in reading.withheld)
    return GuidanceLedger(tuple(entries), withheld, len(readings))


def _is_asked(statement: GuidanceStatement, item: str) -> bool:
    """Tell whether a statement is of an item: its key, or words that stand in the company's own."""
    words = f"{statement.part} {statement.item}".replace("_", " ").split()
    return item in ("", statement.item) or (item not in guided_items() and set(item.split("_")) <= set(words))


def _newest_first(period: GuidedPeriod) -> tuple[int, int]:
    year, part = period.order
    return -year, -part


def _said_once(statements: Sequence[GuidanceStatement]) -> list[GuidanceStatement]:
    kept: list[GuidanceStatement] = []
    for statement in statements:
        same = next((number for number, one in enumerate(kept) if _is_repeated(one, statement)), None)
        if same is None:
            kept.append(statement)
        elif not kept[same].basis and statement.basis:
            kept[same] = replace(statement, known_at=kept[same].known_at)
    return kept


def _is_repeated(first: GuidanceStatement, second: GuidanceStatement) -> bool:
    """Tell whether two statements of one day are the same, of which one may leave out its basis."""
    same_day = first.known_at.date() == second.known_at.date()
    same = replace(first, basis="").key == replace(second, basis="").key
    bases = {first.basis, second.basis} - {""}
    return same_day and same and len(bases) < 2 and (first.low, first.high) == (second.low, second.high)


def _revision(before: GuidanceStatement | None, after: GuidanceStatement) -> str:
    if before is None:
        return "first"
    low, high = _move(before.low, after.low), _move(before.high, after.high)
    if low is None or high is None:
        return "reaffirmed" if (before.low, before.high) == (after.low, after.high) else "moved"
    if low == high == 0:
        return "reaffirmed"
    if low >= 0 and high >= 0:
        return "raised"
    if low <= 0 and high <= 0:
        return "lowered"
    return "narrowed" if low > 0 else "widened"


def _move(before: float | None, after: float | None) -> int | None:
    """Return 1 where an end went up, -1 where down, 0 where it stayed; None where one of the two is open."""
    if before is None or after is None:
        return 0 if before is after else None
    tolerance = _SAME * max(abs(before), abs(after))
    return 0 if abs(after - before) <= tolerance else 1 if after > before else -1
