"""The numbers that tools answered, each with what its table or sentence says of it.

Tables, price bars and series are read at once; sentences where a number of a text has the value of one of theirs.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from functools import cached_property, lru_cache
from itertools import islice
from typing import NamedTuple

from tradingagents.analytics.company.metric_names import known_label
from tradingagents.provenance.mentions import Reader, TextLine, lines_of, way_of
from tradingagents.provenance.numbers import SCALES
from tradingagents.provenance.wording import NONE, Wording, aliases

ANY = "?"
"""Unit of a figure that was given without one."""
_MOST = 500
"""Most numbers of one value, or of one sentence, that are looked at: no text may take forever."""
_FIRST = 2
"""Place of the cell behind a row's label."""
_LABELS = 5
"""Cells at the beginning of a row in which the words stand that say what it is."""
_VALUE = re.compile(r"([+-]?)[$€£]?(\d[\d,]*(?:\.\d+)?)([TBMk]?)(?: ?(%|x|[A-Za-z]+))?")
_SHOWN = re.compile(
    r"(\d[\d,]*(?:\.\d+)?)(-\d\d-\d\d)?(?:[ -]?([TtBbMm](?:n|rillion|illion)?|[Kk]|thousand|cents?)\b)?"
)
_DIGIT = re.compile(r"\d")
_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_DATED_VALUE = re.compile(r"(\d{4}-\d\d-\d\d) (-?\d+(?:\.\d+)?)")
_NAME_COLUMNS = frozenset(("symbol", "ticker", "name", "company", "index", "sector", "industry", "fund"))
_RETURN = frozenset(("return",))


class NumberContext(NamedTuple):
    """What a table says of the cells of one label and column, or a sentence of its number; see `Mention`."""

    metrics: frozenset[str]
    periods: frozenset[str]
    subjects: frozenset[str]
    said: Wording
    way: int = 0
    label: str = "-"
    above: Wording | None = None
    close_by: bool = True
    window: str = ""
    signed: bool = False


class DataNumber(NamedTuple):
    """A number of the data; `days` name its day.

    `row` counts quarters back from the latest one, and is 0 for the latest price bar.
    """

    value: float
    unit: str
    about: NumberContext
    days: frozenset[str] = NONE
    row: int = -1


class _Cell(NamedTuple):
    """A cell as it stands in its table."""

    value: float
    unit: str
    words: tuple[str, str, str]
    """Label, title and heading; see `DataNumbers._about`."""
    day: str
    row: int = -1


class DataNumbers:
    """The cells of a run's tool answers, by value and by metric."""

    def __init__(self, answers: Iterable[str], more: Iterable[str], subject: tuple[str, ...]) -> None:
        """Read answers, and `more` tables whose figures have no units; `subject` is the stock studied."""
        rows = [line for answer in answers for line in lines_of(answer)]
        count = len(rows)
        rows += [line for table in more for line in lines_of(table)]
        self.reader = Reader(_names(rows, subject))
        self.names: dict[str, set[str]] = {}
        """Names of figures by the words for them."""
        self.quotes: dict[str, tuple[str, ...]] = {}
        """Words for figures by the value as it is shown."""
        self._cells: list[_Cell] = []
        self._known: dict[int, DataNumber] = {}
        self._sentences: list[TextLine] = []
        self._read: dict[int, list[DataNumber]] = {}
        self._abouts: dict[tuple[str, ...], NumberContext] = {}
        quarter, header = 0, ""
        for at, line in enumerate(rows):
            quarter = quarter + 1 if line.header == header else 0
            header = line.header
            if header.startswith("Date,"):
                self._add_bar(line, 0 if at + 1 == len(rows) or rows[at + 1].header != header else -1)
            elif line.mark:
                self._add_row(line, quarter if header.startswith("| Quarter") else -1, ANY if at >= count else "")
            elif line.text.startswith("- ") and len(values := _DATED_VALUE.findall(line.text)) > 1:
                words = (line.text[2:].partition(":")[0], "", line.heading)
                self._cells += [_Cell(float(value), "", words, day) for day, value in values]
            else:
                self._sentences.append(line)
        found = sorted([*((abs(cell.value), at) for at, cell in enumerate(self._cells)), *self._in_sentences()])
        self._values, self._places = array("d", (value for value, _ in found)), array("l", (at for _, at in found))

    @cached_property
    def by_metric(self) -> dict[str, list[DataNumber]]:
        """The cells of each metric, in order; many texts need none of them."""
        found: dict[str, list[DataNumber]] = {}
        for at in range(len(self._cells)):
            for metric in (cell := self._cell(at)).about.metrics:
                found.setdefault(metric, []).append(cell)
        return found

    def near(self, value: float, slack: float) -> Iterator[DataNumber]:
        """Yield the cells whose value, of either sign, is `value` but for `slack`."""
        first, last = bisect_left(self._values, value - slack), bisect_right(self._values, value + slack)
        seen = set[int]()
        for at in self._places[first : min(last, first + _MOST)]:
            if at >= 0:
                yield self._cell(at)
            elif at not in seen:
                seen.add(at)
                yield from (cell for cell in self._of_sentence(at) if abs(abs(cell.value) - value) <= slack)

    def _cell(self, at: int) -> DataNumber:
        """Return a cell with what is said of it, which is read when it is first asked for."""
        if at not in self._known:
            cell = self._cells[at]
            self._known[at] = DataNumber(cell.value, cell.unit, self._about(*cell.words), _days_of(cell.day), cell.row)
        return self._known[at]

    def _in_sentences(self) -> Iterator[tuple[float, int]]:
        for at, line in enumerate(self._sentences):
            for digits, date, scale in _SHOWN.findall(line.text):
                if not date:
                    yield float(digits.replace(",", "")) * SCALES[scale[:1].lower()], -at - 1

    def _of_sentence(self, at: int) -> list[DataNumber]:
        """Return the numbers of a line of prose, read once; of the same number with the same words only one."""
        if at not in self._read:
            line, cells = self._sentences[-at - 1], dict[tuple[object, ...], DataNumber]()
            above = self.reader.label(line.heading)
            for one in islice(self.reader.prose(line.text, 0, line.heading), _MOST):
                about = NumberContext(
                    *(one.metrics, one.periods, one.subjects, one.said, one.way, "", above, one.close_by, one.window),
                    signed=one.number.signed,
                )
                cell = DataNumber(one.number.value, one.number.unit, about, one.said.days)
                cells.setdefault((cell.value, cell.unit, one.metrics, one.periods, one.way), cell)
            self._read[at] = list(cells.values())
        return self._read[at]

    def _add_bar(self, line: TextLine, row: int) -> None:
        day, *values = line.text.split(",")
        if _DATE.fullmatch(day):
            for title, value in zip(line.header.split(",")[1:], values, strict=False):
                self._cells.append(_Cell(float(value), "", ("", title, line.heading), day, row))

    def _add_row(self, line: TextLine, quarter: int, unit: str) -> None:
        """Add the cells of a row; a cell of several words is read as a sentence."""
        if line.text == line.header:
            return
        cells = [cell.strip() for cell in line.text.split("|")]
        titles = [*line.header.split("|"), *[""] * len(cells)]
        found = [_VALUE.fullmatch(cell) for cell in cells]
        day = next((cell for cell in cells[:3] if _DATE.fullmatch(cell)), "")
        words = [cell for cell, value in zip(cells[:_LABELS], found, strict=False) if not value and cell != day]
        label = " | ".join(words).strip(" |")
        if line.header.startswith("| Figure |"):
            words_for = known_label(cells[1]) or cells[1]
            self.names.setdefault(words_for.lower(), set()).add(cells[1])
            self.quotes[cells[2]] = (*self.quotes.get(cells[2], ()), words_for)
        for at, (cell, value) in enumerate(zip(cells, found, strict=True)):
            if value:
                about = (label if at == _FIRST else f"{label}\n", titles[at], line.heading)
                shown = unit or _unit(value[4] or "", titles[at])
                number = float(value[1] + value[2].replace(",", "")) * SCALES[value[3].lower()]
                self._cells.append(_Cell(number, shown, about, day, quarter))
            elif cell != day and not _DATE.match(cell) and _DIGIT.search(cell) and at >= _LABELS - 2:
                self._sentences.append(TextLine(cell, 0, f"{label} {line.heading}"))

    def _about(self, label: str, title: str, heading: str) -> NumberContext:
        """Return what is said of the cells of a label and a title; a label that ends with a line is not shown."""
        key = (label, title, heading)
        if key not in self._abouts:
            row, column = self.reader.label(label), self.reader.label(title)
            periods = _both(row.periods, column.periods)
            metrics = _both(row.metrics, column.metrics) or (_RETURN if periods else NONE)
            subjects = column.subjects or row.subjects or self.reader.label(heading).subjects
            way = way_of(column.marks.get("way") or row.marks.get("way", []))
            shown = label if label and not label.endswith("\n") else "-"
            self._abouts[key] = NumberContext(metrics, periods, subjects, row, way, shown, column)
        return self._abouts[key]


def _both(one: frozenset[str], other: frozenset[str]) -> frozenset[str]:
    return one | other if one and other else one or other


def _unit(shown: str, title: str) -> str:
    if shown in ("%", "x", "points", "bps"):
        return shown
    return "%" if "%" in title else "money" if len(shown) == len("USD") and shown.isupper() else ""


@lru_cache(maxsize=2048)
def _days_of(day: str) -> frozenset[str]:
    return frozenset((f"y{day[:4]}", day[5:7], day[5:])) if day else NONE


def _names(lines: Iterable[TextLine], subject: tuple[str, ...]) -> Iterator[tuple[str, str, str]]:
    """Yield what the stock studied and those named in tables are called."""
    named, columns = {subject: None}, dict[str, list[int]]()
    for line in lines:
        if line.header not in columns:
            titles = [title.strip().lower() for title in line.header.split("|")[:_LABELS]]
            columns[line.header] = [at for at, title in enumerate(titles) if title in _NAME_COLUMNS]
        if columns[line.header] and line.text != line.header:
            cells = line.text.split("|")
            named[tuple(cells[at].strip() for at in columns[line.header] if at < len(cells))] = None
    return (alias for names in named for alias in aliases(names))
