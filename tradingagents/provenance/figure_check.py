"""Check which figures of a model's text are in the data that its run was given.

A figure is traced where a number of the tool results has its value, unit and scale, as rounded, and where what its
sentence or row says (metric, period, company, day, direction) does not contradict that number. A row of a key-metrics
table whose label names a figure of the data must show that figure's value. A figure may also follow from two others of
its sentence, or from the values of the metrics named there: a difference, a change, a ratio, a share.

Nothing here judges whether a text is true. What a writer proposes (an entry, a stop), makes a condition, or marks as
derived is not looked at.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import combinations, islice, permutations
from typing import NamedTuple

from tradingagents.analytics.company.metric_names import known_label
from tradingagents.provenance.mentions import Mention, Reader, TextLine, is_judgement, lines_of
from tradingagents.provenance.numbers import SCALES, SMALL, Number, read_numbers
from tradingagents.provenance.wording import NONE, aliases, tables

_MOST_NEAR = 500
"""Most numbers of one value, or of one line, that are looked at: no text may take forever."""
_MOST_BESIDE = 8
_AROUND = 40
"""Characters either side of a figure that are shown with it."""
_ANY = "?"
"""Unit of a figure that was given without one."""
_PERCENT = frozenset(("%", "points", "bps"))
_FACTORS = {
    **dict.fromkeys((("%", "%"), ("%", "points"), ("points", "%"), ("points", "points"), ("points", "")), 1.0),
    **dict.fromkeys((("bps", "bps"), ("x", "x"), ("x", ""), ("money", "money"), ("money", "")), 1.0),
    **dict.fromkeys((("%", ""), ("%", "x"), ("bps", "%"), ("bps", "points")), 0.01),
}
"""What a number of one unit is multiplied by to compare it with one of another; bare numbers are of any unit."""
_SHOWN = re.compile(
    r"([0-9][\d,]*(?:\.\d+)?)(-\d\d-\d\d)?(?:[ -]?([TtBbMm](?:n|rillion|illion)?|[Kk]|thousand|cents?)\b)?"
)
_BESIDE = re.compile(r"(?:(?! and |[,;:)]).)*\b(above|below)\b(?:(?! and | but |[,;:)]).)*")
_DIGIT = re.compile(r"\d")
_DIGITS = re.compile(r"[\s+-]*\d|\s*$")
_TO = re.compile(r"[^,;.:]*\bto [$€£]?")
_RETURN = frozenset(("return",))
_DATED_VALUE = re.compile(r"(\d{4}-\d\d-\d\d) (-?\d+(?:\.\d+)?)")
_NAME_COLUMNS = frozenset(("symbol", "ticker", "name", "company", "index", "sector", "industry", "fund"))


class Place(NamedTuple):
    """Where a figure stands in a text, characters [start, end), and whether it can be traced."""

    start: int
    end: int
    traced: bool


class Given:
    """The data a run was given, against which each text of its models is checked. Not safe for several threads."""

    def __init__(
        self,
        answers: Iterable[str],
        *,
        figures: Iterable[tuple[str | None, Mapping[str, float]]] = (),
        subject: tuple[str, ...] = (),
        english: bool = True,
    ) -> None:
        """Read the data.

        Args:
            answers: Tool results as agents read them, in Markdown.
            figures: Named values besides those, each with the symbol they are of; None for the whole market.
            subject: Symbol and name of the one stock studied, which a sentence without a name is about; () for none.
            english: Whether models write English. Otherwise a figure is traced where any number of the data has its
                value, and `1.234,5` is read as well as `1,234.5`.
        """
        self._english = english
        self._subject = frozenset(one.lower() for one in subject[:1])
        self._levels, self._unsigned = (frozenset(tables()["words"][one]) for one in ("levels", "unsigned"))
        self._lines = [row for answer in dict.fromkeys(answers) for line in lines_of(answer) for row in _rows_of(line)]
        self._with_units = len(self._lines)
        self._lines += [line for symbol, values in figures for line in lines_of(_as_table(symbol, values))]
        self._reader = Reader(self._aliases(subject))
        self._values = sorted(
            (float(shown[1].replace(",", "")) * SCALES[shown[3][:1].lower() if shown[3] else ""], at, shown.start())
            for at, line in enumerate(self._lines)
            for shown in _SHOWN.finditer(line.text)
            if not shown[2]
        )
        self._names: dict[str, set[str]] = {}
        self._quotes: dict[str, tuple[str, ...]] = {}
        for line in self._lines:
            if line.header.startswith("| Figure |"):
                name, shown = (cell.strip() for cell in line.text.split("|")[1:3])
                label = known_label(name) or name
                self._names.setdefault(label.lower(), set()).add(name)
                self._quotes[shown] = (*self._quotes.get(shown, ()), label)
        self._known: dict[tuple[int, int], list[Mention]] = {}
        self._columns: dict[str, list[tuple[int, int]]] = {}
        self._series: dict[tuple[Hashable, ...], list[float]] = {}
        """What `_of` found, by the metric and what `_same_subject` asks of a mention."""
        self._places: dict[tuple[str, str, str], list[Place]] = {}

    @cached_property
    def _current(self) -> frozenset[str]:
        """The metrics of which the data shows the value of the day."""
        names = (name for said in self._names.values() for name in said)
        return frozenset("_").union(*(self._reader.label(name).metrics for name in names))

    def _aliases(self, subject: tuple[str, ...]) -> Iterator[tuple[str, str, str]]:
        """Yield what the stock studied and those named in tables are called."""
        named, columns = {subject: None}, dict[str, list[int]]()
        for line in self._lines:
            if line.header not in columns:
                titles = [title.strip().lower() for title in line.header.split("|")[:4]]
                columns[line.header] = [at for at, title in enumerate(titles) if title in _NAME_COLUMNS]
            if columns[line.header] and line.text != line.header:
                cells = line.text.split("|")
                named[tuple(cells[at].strip() for at in columns[line.header] if at < len(cells))] = None
        return (alias for names in named for alias in aliases(names))

    def places(self, text: str) -> tuple[Place, ...]:
        """Return the figures of a text that a model wrote, in order."""
        if not self._english:
            return tuple(self._traced_by_value(text))
        found: list[Place] = []
        for line in lines_of(text):
            key = (line.text, line.heading, line.header)
            if key not in self._places:
                self._places[key] = self._traced(line)
            found += [Place(start + line.start, end + line.start, traced) for start, end, traced in self._places[key]]
        return tuple(found)

    def _traced(self, line: TextLine) -> list[Place]:
        """Trace each figure of a line; what follows from others of its sentence comes last."""
        numbers = [one for one in read_numbers(line.text) if not is_judgement(line.text, one)]
        quoted = {one.start for one in numbers if self._is_quoted(line.text, one)}
        if len(quoted) == len(numbers):
            return [Place(one.start, one.end, traced=True) for one in numbers]
        wanted = [one for one in self._reader.mentions(line) if one.start in quoted or _is_figure(one)]
        held = [one.start in quoted or self._holds(one) for one in wanted]
        traced = list(held)
        beside: dict[int, list[Number]] = {}
        for mention, known in zip(wanted, held, strict=True):
            if known:
                beside.setdefault(mention.sentence, []).append(mention.number)
        for at, mention in enumerate(wanted):
            if not traced[at] and self._implies(mention, beside.get(mention.sentence, [])[:_MOST_BESIDE]):
                traced[at] = True
                beside.setdefault(mention.sentence, []).append(mention.number)
        for at in range(1, len(wanted)):
            if held[at - 1] and held[at] and _contradict(line.text, wanted[at - 1], wanted[at]):
                traced[at] = False
        places = ((one.start, one.start + one.number.end - one.number.start) for one in wanted)
        return [Place(*place, known) for place, known in zip(places, traced, strict=True)]

    def _is_quoted(self, text: str, number: Number) -> bool:
        """Tell whether a number stands right behind its label as the data shows it: `RSI 58.75`, `RSI (58.75)`."""
        labels = self._quotes.get(text[number.start : number.end])
        return labels is not None and text[: number.start].rstrip(" (|:").endswith(labels)

    def _traced_by_value(self, text: str) -> Iterator[Place]:
        english = {one.start: one for one in read_numbers(text)}
        found = {**english, **{one.start: one for one in read_numbers(text, continental=True)}}
        for _, one in sorted(found.items()):
            if not one.whole or abs(one.value) > SMALL:
                near = any(True for number in {one, english.get(one.start, one)} for _ in self._near(number))
                yield Place(one.start, one.end, near)

    def _near(self, number: Number) -> Iterator[Mention]:
        """Yield the numbers of the data with a fitting unit whose value, of either sign, rounds to a number."""
        for factor in (1.0, 0.01) if number.unit in _PERCENT else (1.0,):
            value, slack = abs(number.value) * factor, number.half * factor
            first, seen = bisect_left(self._values, (value - slack, -1, -1)), set[int]()
            for exact, line, start in self._values[first : first + _MOST_NEAR]:
                if exact > value + slack:
                    break
                cells = self._cells(line, start)
                for cell in cells if id(cells) not in seen else ():
                    unit = cell.number.unit
                    fits = not number.unit or unit == _ANY or _FACTORS.get((number.unit, unit)) == factor
                    if fits and abs(abs(cell.number.value) - value) <= slack:
                        yield cell
                seen.add(id(cells))

    def _cells(self, at: int, start: int) -> list[Mention]:
        """Return the numbers of a line, or of the cell of a row that holds a character; each is read once."""
        line = self._lines[at]
        first = line.text.rfind(line.mark, 0, start) + 1 if line.mark else 0
        if (at, first) not in self._known:
            read = self._reader.cell(line, first) if line.mark else self._reader.mentions(line)
            row = 0 if line.header.startswith("| Quarter") else -1
            while row >= 0 and self._lines[at - row - 1].header == line.header:
                row += 1
            found = {(one.number[2:], *one[2:]): one for one in islice(read, _MOST_NEAR)}.values()
            self._known[at, first] = [
                one._replace(row=row) if at < self._with_units else one._replace(number=one.number._replace(unit=_ANY))
                for one in found
            ]
        return self._known[at, first]

    def _cells_of(self, metric: str) -> Iterator[Mention]:
        """Yield the numbers of a metric in the tables of the data."""
        if not self._columns:
            self._read_columns()
        for at, start in self._columns.get(metric, ()):
            yield from (cell for cell in self._cells(at, start) if metric in cell.metrics)

    def _read_columns(self) -> None:
        """Note in which cells of tables each metric may stand: by the label of the row, or the title of the column."""
        label, titles = self._reader.label, dict[str, list[frozenset[str]]]()
        for at, line in enumerate(self._lines):
            mark = line.mark or "\n"
            if line.header not in titles:
                said = [label(title) for title in line.header.split(mark)]
                titles[line.header] = [one.metrics | (_RETURN if one.periods else NONE) for one in said]
            cells = line.text.split(mark)
            labels = [label(cell).metrics for cell in cells[:4] if mark == "|" and not _DIGITS.match(cell)]
            of_row, start = NONE.union(*labels), 0
            for cell, of_column in zip(cells, titles[line.header], strict=False):
                for one in of_row | of_column if _DIGIT.search(cell) else ():
                    self._columns.setdefault(one, []).append((at, start))
                start += len(cell) + 1

    def _holds(self, wanted: Mention) -> bool:
        """Tell whether a number of the data is what a mention says."""
        agree = (one for one in self._near(wanted.number) if self._agrees(wanted, one))
        if exact := wanted.label and self._names.get(wanted.label.lower()):
            return any(cell.label in exact for cell in agree)
        meant = wanted.metrics.union(*(tables()["wider"].get(metric, ()) for metric in wanted.metrics))
        by_words = False
        for cell in agree:
            shared = len(wanted.said.words & (cell.said.words | cell.above.words if cell.above else cell.said.words))
            if meant & cell.metrics and (cell.label or cell.close_by or shared):
                return True
            by_words = by_words or self._fits_by_words(wanted, cell, shared)
        return by_words and not (wanted.close_by and self._known_otherwise(wanted))

    def _known_otherwise(self, wanted: Mention) -> bool:
        """Tell whether the data shows another number, of the same unit, for the metric that a mention names."""
        unit = wanted.number.unit
        units = {"money": ("money", ""), "x": ("x", ""), "": ("", "x")}.get(unit, (unit,))
        cells = (cell for metric in wanted.metrics for cell in self._cells_of(metric))
        alike = (cell for cell in cells if cell.label and cell.number.unit in units and cell.periods <= wanted.periods)
        return any(self._same_subject(wanted, cell) for cell in alike)

    def _fits_by_words(self, wanted: Mention, cell: Mention, shared: int) -> bool:
        """Tell whether a number of the data is meant by a mention that names no metric that the data has."""
        shared += bool(wanted.subjects & cell.subjects - self._subject)
        if not cell.label:
            return shared >= (2 if wanted.said.metrics - {"net_income", "return", "price"} else 1)
        if not cell.metrics or cell.metrics & ({"price", "return"} | wanted.said.metrics | self._levels):
            return True
        return bool(shared) and not wanted.said.metrics

    def _agrees(self, wanted: Mention, cell: Mention) -> bool:
        """Tell whether direction, company, period and day of a mention fit a number of the data."""
        unit, its = wanted.number.unit, cell.number.unit
        if not wanted.metrics and (its in _PERCENT) > (unit in _PERCENT):
            return False
        ratio = wanted.metrics and cell.label and abs(cell.number.value) < 20
        if unit in ("%", "bps") and its in ("", "x") and not ratio:
            return False
        if unit == "money" and cell.metrics & {"volume", "avg_volume_20d"}:
            return False
        if wanted.window and cell.window and wanted.window != cell.window:
            return False
        if wanted.periods and cell.periods and not wanted.periods & cell.periods and unit in _PERCENT:
            return False
        return self._same_direction(wanted, cell) and self._same_subject(wanted, cell) and self._same_day(wanted, cell)

    def _same_direction(self, wanted: Mention, cell: Mention) -> bool:
        number, its = wanted.number, cell.number.value
        if self._unsigned & (wanted.metrics | cell.metrics):
            way = wanted.way or (number.signed and (1 if number.value > 0 else -1))
            return not way or (cell.way or (its < 0 and -1)) != -way
        if not its or not number.value or number.bracketed:
            return True
        if number.signed:
            return (number.value < 0) == (its < 0) or (
                its > 0 and (number.value < 0) == (cell.way < 0) and cell.way != 0
            )
        if its < 0:
            said = "negative" in wanted.said.marks and number.unit not in _PERCENT
            return said or wanted.way < 0 or (not wanted.way and (number.unit == "points" or wanted.way_before < 0))
        if number.unit not in _PERCENT:
            return True
        if cell.way and not cell.number.signed:
            return wanted.way == cell.way or (not wanted.way and cell.way > 0)
        return not (wanted.way < 0 and (cell.metrics & {"return", "alpha"} or cell.periods))

    def _same_day(self, wanted: Mention, cell: Mention) -> bool:
        """Tell whether a value of an earlier day may be meant: the sentence names the day, or looks back."""
        mine, its = wanted.days or frozenset(day for day in wanted.said.days if day[0] != "y"), cell.said.days
        if wanted.back and cell.row >= 0:
            return wanted.back == cell.row or (bool(mine) and wanted.back < cell.row)
        if not cell.label or not its or "span" in wanted.said.marks:
            return not (cell.label and wanted.days) or _meet(wanted.days, its)
        if wanted.days or (mine and self._levels & cell.metrics):
            return _meet(mine, its)
        if not cell.metrics <= self._current:
            return not any("-" in day for day in mine) or _meet(mine, its)
        if mine:
            return _meet(mine, its)
        return bool(wanted.label or wanted.said.periods & {"yoy", "qoq"}) or "past" in wanted.said.marks

    def _same_subject(self, wanted: Mention, cell: Mention) -> bool:
        """Tell whether both are of the same company; one named far from a number may not be the one that is meant."""
        if self._is_of(wanted, cell, wanted.subjects):
            return True
        return not wanted.named and bool(self._subject) and self._is_of(wanted, cell, self._subject)

    def _is_of(self, wanted: Mention, cell: Mention, meant: frozenset[str]) -> bool:
        of = cell.subjects - {"@own", "@peers"}
        if "@own" in meant:
            meant = (meant - {"@own"}) | self._subject or wanted.said.subjects - {"@own"}
        if "@median" in of and meant <= self._subject and "past" in wanted.said.marks:
            return True  # it is compared with them
        if "@peers" in meant or ("alpha" in cell.metrics and not of - self._subject):
            return True
        if not cell.label and not meant & wanted.said.subjects and not of & cell.said.subjects:
            return True  # neither names anybody itself: headings do, of which a note may stand under any
        if not of:
            return meant <= self._subject | {"@fund", "@peers"} or not (cell.label and cell.metrics and self._subject)
        if meant:
            return bool(meant & of) or (meant <= self._subject and not of - self._subject)
        return not self._subject or bool(of & self._subject) or not cell.label

    def _of(self, wanted: Mention, metric: str, most: int) -> list[float]:
        """Return the first values of a metric in tables, for the company meant, newest first; no more is read."""
        key = (metric, wanted.subjects, wanted.named, wanted.said.subjects, "past" in wanted.said.marks)
        if key not in self._series:
            cells = (one for one in self._cells_of(metric) if one.label and self._same_subject(wanted, one))
            right = (one.number.value for one in cells if not (metric in self._levels and one.said.days))
            self._series[key] = list(dict.fromkeys(islice(right, 40)))
        return self._series[key][:most]

    def _implies(self, wanted: Mention, beside: Sequence[Number]) -> bool:
        """Tell whether a figure follows from two others of its sentence, or from values of the metrics named there."""
        number, pair = wanted.number, bool(wanted.way or "pair" in wanted.said.marks)
        if self._names.get(wanted.label.lower()):
            return False
        values = [one.value for one in beside if not one.whole or abs(one.value) > SMALL]
        signed = number.signed or (bool(wanted.label) and not wanted.way)  # a row without a word of direction
        way = (1 if number.value > 0 else -1) if signed else wanted.way if number.unit in _PERCENT else 0
        mine = combinations(values, 2) if wanted.label and signed else permutations(values, 2)
        if any(_follows(number, *two, way, pair=pair) for two in mine):
            return True
        if wanted.close_by and not wanted.way and not wanted.label and self._known_otherwise(wanted):
            return False
        return any(_follows(number, *two, way, pair=pair) for two in self._pairs(wanted, values, pair=pair))

    def _pairs(self, wanted: Mention, beside: Sequence[float], *, pair: bool) -> Iterator[tuple[float, float]]:
        """Yield (new, old) or (part, whole): quarters of a metric, the price and a level, two metrics or companies."""
        for metric in wanted.metrics:
            series = self._of(wanted, metric, 10)
            for step in (1, 4):
                yield from zip(series[:2], series[step:], strict=False)
        named = sorted(wanted.metrics | wanted.said.metrics)[:8]
        latest = {metric: self._of(wanted, metric, 3) for metric in named}
        prices = [*self._of(wanted, "price", 2), *beside]
        levels = {
            one
            for metric in named
            for one in (metric, *tables()["wider"].get(metric, ()))
            if one in self._levels | {"atr"}
        }
        for metric in levels:
            own = latest[metric][:1] if metric in latest else self._of(wanted, metric, 1)
            for level in (*own, *beside):
                yield from (two for price in prices for two in ((price, level), (level, price)))
        yield from permutations(
            [found[0] for metric, found in latest.items() if found and metric not in self._levels], 2
        )
        for metric in wanted.metrics - self._levels:
            yield from ((one, value) for one in beside for value in latest.get(metric, ()))
        if pair and (others := wanted.said.subjects):
            moves = {(min(one.subjects), one.number.value) for one in self._cells_of("return") if one.subjects & others
                     and (not wanted.periods or one.periods & wanted.periods)}  # fmt: skip
            yield from ((a[1], b[1]) for a, b in permutations(sorted(moves)[:8], 2) if a[0] != b[0])


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


def _rows_of(line: TextLine) -> Iterator[TextLine]:
    """Yield a line of the data; each value of a series as a row of its own: `- rsi: strength. 2024-05-06 44.71, …`."""
    if line.text.startswith("- ") and len(values := _DATED_VALUE.findall(line.text)) > 1:
        header = f"Date,{line.text[2:].partition(':')[0]}"
        yield from (TextLine(f"{day},{value}", 0, line.heading, header) for day, value in values)
    else:
        yield line


def _meet(mine: frozenset[str], its: frozenset[str]) -> bool:
    """Tell whether days agree: of years, of days and of months those that both name."""
    for kind in (lambda day: day[0] == "y", lambda day: "-" in day, str.isdigit):
        one, other = set(filter(kind, mine)), set(filter(kind, its))
        if one and other and not one & other:
            return False
    return True


def _is_figure(mention: Mention) -> bool:
    number = mention.number
    return not mention.own and not (number.whole and abs(number.value) <= SMALL and not mention.close_by)


def _contradict(text: str, one: Mention, other: Mention) -> bool:
    """Tell whether a text says the wrong way from one figure to the next: `fell from 4 to 5`, `4 is above the 5`."""
    between = text[one.start + one.number.end - one.number.start : other.start]
    way = one.way_before if _TO.fullmatch(between) and text[: one.start].endswith("from ") else 0
    if between.endswith((" from ", " from $")) and " or " not in between:
        way = -other.way_before
    if (
        not way
        and one.number.unit != "%"
        and ("above" in between or "below" in between)
        and (said := _BESIDE.fullmatch(between))
    ):
        way = 1 if said[1] == "below" else -1
    same = one.sentence == other.sentence and one.number.unit == other.number.unit
    return same and (other.number.value - one.number.value) * way < 0


def _as_table(symbol: str | None, figures: Mapping[str, float]) -> str:
    rows = "\n".join(f"| {name} | {value} |" for name, value in figures.items())
    return f"{f'# {symbol}' if symbol else ''}\n| Figure | Value |\n|---|---|\n{rows}"


def _follows(number: Number, first: float, second: float, way: int, *, pair: bool) -> bool:
    """Tell whether a number is a change, share, ratio, difference or sum of two others, in a direction."""
    value, half, right_way = abs(number.value), number.half, (first - second) * way >= 0
    if number.unit in _PERCENT:
        factor = 100 if number.unit == "bps" else 1
        if abs(abs(first - second) * factor - value) <= half + 0.01 * factor and abs(first) < 1000:
            return right_way
        share = abs(first / second) * 100 if second and number.unit == "%" and first * second >= 0 else -1e9
        slack = half + 0.0011 * share
        return right_way and (abs(abs(share - 100) - value) <= slack or (abs(share - value) <= slack and share < 100))
    bare = not number.unit and pair and not (number.whole or number.signed) and 0.05 < value < 50
    if (number.unit == "x" or bare) and second and abs(abs(first / second) - value) <= half + 0.0011 * value:
        return right_way
    made = (first - second, first + second, first * second, first * second / 100, first / (second or 1))
    close = any(abs(abs(one) - value) <= half + 1e-3 * value for one in made)
    return right_way and pair and number.unit != "x" and close
