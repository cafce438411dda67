"""The numbers that tools answered, each with what its table or sentence says of it.

At first only the values of a line are found. What it says of them is read when a number of a text has one of them.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import islice, zip_longest
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


class DataNumber(NamedTuple):
    """A number of the data; `days` name its day.

    `row` counts quarters back from the latest one, and is 0 for the latest price bar.
    """

    value: float
    unit: str
    about: NumberContext
    days: frozenset[str] = NONE
    row: int = -1


class _PartedRow(NamedTuple):
    """The cells of a row, which of them are values, its day, and the words that say what it is."""

    cells: list[str]
    values: list[re.Match[str] | None]
    day: str
    label: str


class DataNumbers:
    """The numbers of a run's tool answers, by value and by metric; a line is read when one of its values is asked."""

    def __init__(self, answers: Iterable[str], more: Iterable[str], subject: tuple[str, ...]) -> None:
        """Find the values of answers, and of `more` tables without units; `subject` is the stock studied."""
        self._lines = [line for answer in answers for line in lines_of(answer)]
        self._with_units = len(self._lines)
        self._lines += [line for table in more for line in lines_of(table)]
        self.reader = Reader(_names(self._lines, subject))
        self.names: dict[str, set[str]] = {}
        """Names of figures by the words for them."""
        self.quotes: dict[str, tuple[str, ...]] = {}
        """Words for figures by the value as it is shown."""
        self._rows: list[int] = []
        """See `DataNumber`."""
        self._parted: dict[int, _PartedRow] = {}
        self._found: dict[int, tuple[list[DataNumber], list[tuple[str, str]]]] = {}
        self._passages: dict[tuple[str, str, float, float], Collection[DataNumber]] = {}
        self._of_metric: dict[str, list[DataNumber]] = {}
        self._abouts: dict[tuple[str, ...], NumberContext] = {}
        values: list[float] = []
        places: list[int] = []
        for at, (line, row) in enumerate(zip(self._lines, _rows_of(self._lines), strict=True)):
            if line.header.startswith("| Figure |"):
                self._name(line.text.split("|"))
            self._rows.append(row)
            shown = _values_of(line)
            values += shown
            places += [at] * len(shown)
        order = sorted(range(len(values)), key=values.__getitem__)
        self._values = array("d", map(values.__getitem__, order))
        self._places = array("l", map(places.__getitem__, order))

    def of_metric(self, metric: str) -> list[DataNumber]:
        """Return the cells of a metric in tables, in order, that are of no day, or of a quarter or the latest bar."""
        if metric not in self._of_metric:
            cells = (cell for at in self._naming.get(metric, ()) for cell in self._of_line(at)[0])
            named = (cell for cell in cells if cell.row >= 0 or not cell.days)
            self._of_metric[metric] = [cell for cell in named if metric in cell.about.metrics]
        return self._of_metric[metric]

    @cached_property
    def _naming(self) -> dict[str, list[int]]:
        """The rows that may hold a cell without a day of its own, by the metrics that their words may name."""
        found: dict[str, list[int]] = {}
        for at, (line, row) in enumerate(zip(self._lines, self._rows, strict=True)):
            if row >= 0 or line.mark == "|":
                label = "" if line.header.startswith("Date,") else self._row(at).label
                of_row, of_table = self.reader.label(label), self.reader.label(line.header)
                returns = _RETURN if of_row.periods or of_table.periods else NONE
                for metric in of_row.metrics | of_table.metrics | returns:
                    found.setdefault(metric, []).append(at)
        return found

    def near(self, value: float, slack: float) -> Iterator[DataNumber]:
        """Yield the numbers whose value, of either sign, is `value` but for `slack`."""
        first, last = bisect_left(self._values, value - slack), bisect_right(self._values, value + slack)
        for at in dict.fromkeys(self._places[first : min(last, first + _MOST)]):
            cells, passages = self._of_line(at)
            for cell in cells:
                if abs(abs(cell.value) - value) <= slack:
                    yield cell
            for passage in passages:
                yield from self._of_prose(*passage, value - slack, value + slack)

    def _name(self, cells: Sequence[str]) -> None:
        """Remember what the figure of a row is called, and how its value is shown."""
        name, shown = cells[1].strip(), cells[2].strip()
        words = known_label(name) or name
        self.names.setdefault(words.lower(), set()).add(name)
        self.quotes[shown] = (*self.quotes.get(shown, ()), words)

    def _of_line(self, at: int) -> tuple[list[DataNumber], list[tuple[str, str]]]:
        """Return the cells of a line, and its passages of prose with what stands above them; found once."""
        if at not in self._found:
            line, row = self._lines[at], self._rows[at]
            passages: list[tuple[str, str]] = []
            if line.header.startswith("Date,"):
                cells = list(self._of_bar(line, row))
            elif line.mark:
                cells = list(self._of_row(at, passages))
            elif line.text.startswith("- ") and len(dated := _DATED_VALUE.findall(line.text)) > 1:
                name = line.text[2:].partition(":")[0]
                about = self._about(name, "", line.heading, name or "-")
                cells = [DataNumber(float(value), "", about, _days_of(day)) for day, value in dated]
            else:
                cells, passages = [], [(line.text, line.heading)]
            self._found[at] = cells, passages
        return self._found[at]

    def _of_bar(self, line: TextLine, row: int) -> Iterator[DataNumber]:
        day, *values = line.text.split(",")
        days = _days_of(day)
        for title, value in zip(line.header.split(",")[1:], values, strict=False):
            yield DataNumber(float(value), "", self._about("", title, line.heading, "-"), days, row)

    def _row(self, at: int) -> _PartedRow:
        """Return the cells of a row; parted once."""
        if at not in self._parted:
            cells = [cell.strip() for cell in self._lines[at].text.split("|")]
            values = [*map(_VALUE.fullmatch, cells)]
            day = next(filter(_DATE.fullmatch, cells[:3]), "")
            words = [cell for cell, value in zip(cells[:_LABELS], values, strict=False) if not value and cell != day]
            self._parted[at] = _PartedRow(cells, values, day, " | ".join(words).strip(" |"))
        return self._parted[at]

    def _of_row(self, at: int, passages: list[tuple[str, str]]) -> Iterator[DataNumber]:
        """Yield the cells of a row; a cell of several words is a passage of prose."""
        cells, values, day, label = self._row(at)
        line, row, given = self._lines[at], self._rows[at], "" if at < self._with_units else ANY
        titles, days = line.header.split("|") + [""] * len(cells), _days_of(day)
        for place, (cell, value) in enumerate(zip(cells, values, strict=True)):
            if value:
                sign, digits, scale, unit = value.groups("")
                shown = label if label and place == _FIRST else "-"
                about = self._about(label, titles[place], line.heading, shown)
                number = float(sign + digits.replace(",", "")) * SCALES[scale.lower()]
                yield DataNumber(number, given or _unit(unit, titles[place]), about, days, row)
            elif place >= _LABELS - 2 and cell != day and _DIGIT.search(cell) and not _DATE.match(cell):
                passages.append((cell, f"{label} {line.heading}"))

    def _of_prose(self, text: str, heading: str, least: float, most: float) -> Iterable[DataNumber]:
        """Return the numbers of a passage with a value, read once; of those with the same words only one."""
        key = (text, heading, least, most)
        if key not in self._passages:
            cells, above = dict[tuple[object, ...], DataNumber](), self.reader.label(heading)
            for number in islice(self.reader.prose(text, 0, heading, (least, most)), _MOST):
                about = NumberContext(
                    *(
                        number.metrics,
                        number.periods,
                        number.subjects,
                        number.said,
                        number.way,
                        "",
                        above,
                        number.close_by,
                        number.window,
                    )
                )
                cell = DataNumber(number.number.value, number.number.unit, about, number.said.days)
                cells.setdefault((cell.value, cell.unit, number.metrics, number.periods, number.way), cell)
            self._passages[key] = cells.values()
        return self._passages[key]

    def _about(self, label: str, title: str, heading: str, shown: str) -> NumberContext:
        """Return what is said of the cells of a label and a title; of the label is `shown` what names the figure."""
        key = (label, title, heading, shown)
        if (about := self._abouts.get(key)) is None:
            row, column = self.reader.label(label), self.reader.label(title)
            periods = _both(row.periods, column.periods)
            metrics = _both(row.metrics, column.metrics) or (_RETURN if periods else NONE)
            subjects = column.subjects or row.subjects or self.reader.label(heading).subjects
            way = way_of(column.marks.get("way") or row.marks.get("way", []))
            about = self._abouts[key] = NumberContext(metrics, periods, subjects, row, way, shown, column)
        return about


def _rows_of(lines: Sequence[TextLine]) -> Iterator[int]:
    """Yield for each line how many quarters it lies back, 0 for the latest price bar, -1 for others."""
    quarter, header = 0, ""
    for line, further in zip_longest(lines, lines[1:]):
        quarter = quarter + 1 if line.header == header else 0
        header = line.header
        if header.startswith("Date,"):
            yield 0 if further is None or further.header != header else -1
        else:
            yield quarter if header.startswith("| Quarter") else -1


def _values_of(line: TextLine) -> list[float]:
    """Return the values of the numbers that a line shows, without signs, and perhaps some that are none."""
    if line.header.startswith("Date,"):
        return [*map(float, line.text.split(",")[1:])]
    if line.text == line.header:
        return []
    return [
        float(digits.replace(",", "")) * SCALES[scale[:1].lower()]
        for digits, date, scale in _SHOWN.findall(line.text)
        if not date
    ]


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
