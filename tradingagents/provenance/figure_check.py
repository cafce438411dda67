"""Grounding: which figures of a model's texts can be traced to the data that its run was given.

A figure is traced where it equals a cell of the data as rounded, scaled or turned into a percentage, or follows from
two cells that its own sentence names: a difference, a change, a ratio, a sum. Where the words beside it say what it
measures, of whom and over which period, the cell must be of that: a right number for the wrong thing is not traced.

Nothing here judges whether a text is true: a figure that is not traced may still be right, and one that is traced may
stand in a wrong argument. What a writer proposes (an entry, a stop, a size), what it makes a condition, and what it
says it worked out by rules of its own are no figures of the data and are not looked at.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from tradingagents.provenance.equality import ANY_UNIT
from tradingagents.provenance.metric_mentions import names_in
from tradingagents.provenance.numbers import Number
from tradingagents.provenance.reading import Reading, read
from tradingagents.provenance.table_cells import SMALL, Cells

_BESIDE = 8
"""Most figures of a sentence that another one is looked for between."""
_AROUND = 40
"""Characters either side of a figure that are shown with it."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a figure stands in a text, and whether it can be traced."""

    start: int
    end: int
    """Characters [start, end)."""
    traced: bool


class Given:
    """What a run was given: every text a model writes in it is held against that. Not for several threads at once."""

    def __init__(
        self,
        answers: Iterable[str],
        *,
        figures: Iterable[tuple[str | None, Mapping[str, float]]] = (),
        subject: tuple[str, ...] = (),
        english: bool = True,
    ) -> None:
        """Read what was given.

        Args:
            answers: What agents read: answers of tools, as Markdown.
            figures: Named values beside those, each with the symbol they are of; None for the whole market.
            subject: Symbol and name of the one stock studied: whom a sentence speaks of that names nobody. () for none.
            english: Whether models write English. Otherwise words tell little: a figure is traced where any cell has
                its value, and `1.234,5` is read as well as `1,234.5`.
        """
        different = list(dict.fromkeys(answers))
        self._english = english
        self._names = names_in(different, subject)
        self._cells = Cells([cell for answer in different for cell in read(answer, self._names)], subject[:1])
        for symbol, named in figures:
            cells = read(_as_table(symbol, named), self._names)
            self._cells.add(replace(cell, number=replace(cell.number, unit=ANY_UNIT)) for cell in cells)
        self._known: dict[str, tuple[Place, ...]] = {}

    def places(self, text: str) -> tuple[Place, ...]:
        """Return the figures of a text that a model wrote, in order; worked out once for each text."""
        known = self._known.get(text)
        if known is None:
            known = self._known[text] = tuple(self._traced(text) if self._english else self._traced_by_value(text))
        return known

    def _traced(self, text: str) -> list[Place]:
        """Trace each figure; what follows from others of its sentence comes last."""
        cells = self._cells
        readings = [reading for reading in read(text, self._names) if _is_figure(reading)]
        traced = [cells.hold(reading) for reading in readings]
        beside: dict[int, list[Number]] = {}
        for reading, known in zip(readings, traced, strict=True):
            if known:
                beside.setdefault(reading.sentence, []).append(reading.number)
        for at, reading in enumerate(readings):
            if not traced[at] and cells.imply(reading, beside.get(reading.sentence, [])[:_BESIDE]):
                traced[at] = True
                beside.setdefault(reading.sentence, []).append(reading.number)
        return [Place(one.start, one.end, known) for one, known in zip(readings, traced, strict=True)]

    def _traced_by_value(self, text: str) -> list[Place]:
        english = {one.start: one for one in read(text)}
        continental = {one.start: one for one in read(text, continental=True)}
        found = []
        for start, reading in sorted({**english, **continental}.items()):
            if reading.number.whole and abs(reading.number.value) <= SMALL:
                continue
            versions = {reading.number, english.get(start, reading).number}
            found.append(Place(start, reading.end, any(self._cells.hold_value(one) for one in versions)))
        return found


def words_around(text: str, place: Place) -> str:
    """Return a figure with the words around it, whole ones, on one line."""
    start, end = max(0, place.start - _AROUND), min(len(text), place.end + _AROUND)
    before, after = text[start : place.start], text[place.end : end]
    if start and not text[start - 1].isspace():
        before = before.partition(" ")[2]
    if end < len(text) and not text[end].isspace():
        after = after.rpartition(" ")[0]
    return " ".join(f"{before}{text[place.start : place.end]}{after}".split())


def untraced(places: Sequence[Place]) -> list[Place]:
    """Return the figures that could not be traced."""
    return [place for place in places if not place.traced]


def _is_figure(reading: Reading) -> bool:
    number = reading.number
    return not reading.own and not (number.whole and abs(number.value) <= SMALL and not reading.firm)


def _as_table(symbol: str | None, figures: Mapping[str, float]) -> str:
    """Write named values as an answer shows them, so that they are read in the same way."""
    rows = "\n".join(f"| {name} | {value} |" for name, value in figures.items())
    return f"{f'# {symbol}' if symbol else ''}\n| Figure | Value |\n|---|---|\n{rows}"
