"""The data sheet grouped by tool and vendor, with answers that differ in their symbol only on one line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from tradingagents.reports import formatting as words
from tradingagents.reports.names import figure_anchor, figure_label, tool_anchor, tool_label
from tradingagents.schemas.records import DataSheetRecord

SIMULATED = "simulated"
_MARKET = "market"


class SheetLine(NamedTuple):
    """Answers that differ in their symbol only."""

    symbols: tuple[str, ...]
    """`market` if an answer isn't about a single symbol."""
    window: str
    rows: int
    known_at: str
    fetched: str
    """The day on which the source was read; for the simulated market, that it is computed."""


class SheetFigure(NamedTuple):
    """One number of an answer."""

    name: str
    """As in the tool's answer."""
    label: str
    anchor: str
    """Id of the figure in a page; empty if the page already has the id."""
    value: float


@dataclass(frozen=True, slots=True)
class SheetGroup:
    """The answers of one tool by one vendor."""

    method: str
    title: str
    anchor: str
    """Id of the group in a page; empty for a further group of the same tool."""
    vendor: str
    lines: tuple[SheetLine, ...]
    figures: tuple[SheetFigure, ...]
    notes: tuple[str, ...]
    inputs: tuple[str, ...]

    @property
    def symbols(self) -> int:
        """Number of symbols in the answers."""
        return len({symbol for line in self.lines for symbol in line.symbols} - {_MARKET})

    @property
    def fetched(self) -> str:
        """When the source was read, if on a single day; empty otherwise."""
        days = {line.fetched for line in self.lines}
        return days.pop() if len(days) == 1 else ""


def sheet_groups(sheet: Sequence[DataSheetRecord]) -> list[SheetGroup]:
    """Group a data sheet by tool and vendor, in order of first appearance."""
    grouped: dict[tuple[str, str], list[DataSheetRecord]] = {}
    for entry in sheet:
        grouped.setdefault((entry.method, entry.vendor), []).append(entry)
    known: set[str] = set()
    groups = []
    for (method, vendor), entries in grouped.items():
        anchor = "" if method in known else tool_anchor(method)
        known.add(method)
        groups.append(_group(method, vendor, anchor, entries))
    return groups


def fetched_words(entry: DataSheetRecord) -> str:
    """Return when a source was read: the day; the simulated market is computed, not read."""
    return "computed" if entry.vendor == SIMULATED else words.instant(entry.fetched_at)[: len("2025-03-14")]


def _group(method: str, vendor: str, anchor: str, entries: Sequence[DataSheetRecord]) -> SheetGroup:
    alike: dict[tuple[str, int, str, str], list[str]] = {}
    figures: dict[str, list[float]] = {}
    for entry in entries:
        key = (words.window(entry.start, entry.end), entry.rows, words.instant(entry.known_at))
        alike.setdefault((*key, fetched_words(entry)), []).append(entry.symbol or _MARKET)
        for name, value in entry.figures.items():
            figures.setdefault(name, []).append(value)
    return SheetGroup(
        method=method,
        title=tool_label(method),
        anchor=anchor,
        vendor=vendor,
        lines=tuple(SheetLine(tuple(dict.fromkeys(symbols)), *key) for key, symbols in alike.items()),
        figures=tuple(
            SheetFigure(name, figure_label(name), figure_anchor(name, method) if anchor and not again else "", value)
            for name, values in figures.items()
            for again, value in enumerate(values)
        ),
        notes=tuple(dict.fromkeys(note for entry in entries for note in entry.notes)),
        inputs=tuple(dict.fromkeys(name for entry in entries for name in entry.inputs)),
    )
