"""Check which figures of a model's text are in the data that its run was given.

A figure is traced where a number of the tool results has its value, unit and scale, as rounded, and nothing that stands
with the figure (metric, period, company, day, direction) contradicts that number. A row of a key-metrics table whose
label names a figure of the data must show that figure's value. A figure may also follow from others of its sentence, or
from values of the metrics named there: a difference, a change, a ratio, a share, a sum.

Nothing here judges whether a text is true. What a writer proposes (an entry, a stop), makes a condition, or marks as
derived is not looked at.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import islice, pairwise, permutations
from typing import NamedTuple

from tradingagents.provenance.data_numbers import ANY, DataNumber, DataNumbers, NumberContext
from tradingagents.provenance.mentions import Mention, TextLine, is_judgement, lines_of
from tradingagents.provenance.numbers import SMALL, Number, read_numbers
from tradingagents.provenance.wording import tables

_MOST_BESIDE = 8
_PRECISE = 100
"""A number this many times as large as the half of its last digit, as 6.7 is, has a value of the data by no chance."""
_TELLING = 1000
"""The same of a number that is evidence by itself, as 96.58 is; one like 97 or 5 % needs words that say what it is."""
_SCALED = 10_000
"""Greater numbers are amounts, others multiples, prices, rates."""
_ONE_DAY = 2
"""What one day names: its month and itself."""
_AROUND = 40
"""Characters either side of a figure that are shown with it."""
_PERCENT = frozenset(("%", "points", "bps"))
_FACTORS = {
    **dict.fromkeys((("%", "%"), ("%", "points"), ("points", "%"), ("points", "points"), ("points", "")), 1.0),
    **dict.fromkeys((("bps", "bps"), ("x", "x"), ("x", ""), ("money", "money"), ("money", "")), 1.0),
    **dict.fromkeys((("%", ""), ("%", "x"), ("bps", "%"), ("bps", "points")), 0.01),
}
"""What a number of one unit is multiplied by to compare it with one of another; bare numbers are of any unit."""
_BESIDE = re.compile(r"(?:(?! and |[,;:)]).){0,300}\b(above|below)\b(?:(?! and | but |[,;:)]).){0,300}")
_TO = re.compile(r"[^,;.:]*\bto [$€£]?")
_PARTS = {"gross_margin": "gross_profit", "operating_margin": "operating_income", "net_margin": "net_income"}


_Traced = Sequence[tuple[int, int, bool]]
"""The figures of a line as `Place` has them, within the line."""


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
        about: Callable[[Mention], bool] | None = None,
    ) -> None:
        """Read the data.

        Args:
            answers: Tool results as agents read them, in Markdown.
            figures: Named values besides those, each with the symbol they are of; None for the whole market.
            subject: Symbol and name of the one stock studied, which a sentence without a name is about; () for none.
            english: Whether models write English. Otherwise a figure is traced where any number of the data has its
                value, and `1.234,5` is read as well as `1,234.5`.
            about: Says whether a mention is of these data at all, whose numbers then imply no others; None: any is.
        """
        self._about = about
        self._english = english
        self._subject = frozenset(one.lower() for one in subject[:1])
        self._levels, self._unsigned = (frozenset(tables()["words"][one]) for one in ("levels", "unsigned"))
        self._plain = self._levels | {"return"}
        self._data = DataNumbers(dict.fromkeys(answers), (_as_table(*one) for one in figures), subject)
        self._reader = self._data.reader
        self._series: dict[tuple[Hashable, ...], list[DataNumber]] = {}
        self._lines: dict[tuple[str, str, str], _Traced] = {}
        self._texts: dict[str, tuple[Place, ...]] = {}

    def places(self, text: str) -> tuple[Place, ...]:
        """Return the figures of a text that a model wrote, in order."""
        if not self._english:
            return tuple(self._traced_by_value(text))
        if text not in self._texts:
            lines = ((line.start, self._of_line(line)) for line in lines_of(text))
            self._texts[text] = tuple(
                Place(begin + start, begin + end, known) for begin, found in lines for start, end, known in found
            )
        return self._texts[text]

    def supports(self, text: str) -> bool:
        """Tell whether a text states a figure of the data, and not a number that the data have by chance.

        A round number is traced wherever one of the data has its value: "100 percent sure" has the value of some share.
        It is evidence only if its words too are those of the data, or if its digits leave no doubt.
        """
        if not self._english:
            return any(place.traced for place in self.places(text))
        for line in lines_of(text):
            known = {start for start, _, is_known in self._of_line(line) if is_known}
            for mention in self._reader.mentions(line):
                if mention.start in known and (not self._holds(mention) or self._is_told(mention)):
                    return True  # one that is not held follows from others
        return False

    def _is_told(self, wanted: Mention) -> bool:
        """Tell whether the words beside a mention, or its digits, say which number of the data it is."""
        if abs(wanted.number.value) > _TELLING * wanted.number.half:
            return True
        alike = (one.about for one in self._near(wanted.number) if self._agrees(wanted, one))
        return any(wanted.periods & its.periods or self._names(wanted, its) for its in alike)

    def _of_line(self, line: TextLine) -> _Traced:
        """Return the figures of a line; texts repeat lines."""
        key = (line.text, line.heading, line.header)
        if key not in self._lines:
            self._lines[key] = self._traced(line)
        return self._lines[key]

    def _traced(self, line: TextLine) -> _Traced:
        """Trace each figure of a line; what follows from others of its sentence comes last."""
        numbers = [one for one in self._reader.numbers(line.text) if not is_judgement(line.text, one)]
        quoted = {one.start for one in numbers if self._is_quoted(line.text, one)}
        if len(quoted) == len(numbers) and self._about is None:
            return [(one.start, one.end, True) for one in numbers]
        wanted = [one for one in self._reader.mentions(line) if one.start in quoted or _is_figure(one)]
        held = [(one.start in quoted or self._holds(one)) and self._is_about(one) for one in wanted]
        traced = list(held)
        beside = [one for one, known in zip(wanted, held, strict=True) if known]
        for at, mention in enumerate(wanted):
            near = [one.number for one in beside if _is_near(one, mention)][:_MOST_BESIDE]
            if not traced[at] and self._about is None and self._implies(mention, near):
                traced[at] = True
                beside.append(mention)
        for at, (figure, other) in enumerate(pairwise(wanted), 1):
            if held[at - 1] and held[at] and _contradict(line.text, figure, other):
                traced[at] = False
        return [
            (figure.start, figure.start + figure.number.end - figure.number.start, known)
            for figure, known in zip(wanted, traced, strict=True)
        ]

    def _is_about(self, mention: Mention) -> bool:
        return self._about is None or self._about(mention)

    def _is_quoted(self, text: str, number: Number) -> bool:
        """Tell whether a number stands right behind its label as the data shows it: `RSI 58.75`, `RSI (58.75)`."""
        labels = self._data.quotes.get(text[number.start : number.end])
        return labels is not None and text[: number.start].rstrip(" (|:").endswith(labels)

    def _traced_by_value(self, text: str) -> Iterator[Place]:
        english = {one.start: one for one in read_numbers(text)}
        found = {**english, **{one.start: one for one in read_numbers(text, continental=True)}}
        for _, figure in sorted(found.items()):
            if not figure.whole or abs(figure.value) > SMALL:
                near = any(True for number in {figure, english.get(figure.start, figure)} for _ in self._near(number))
                yield Place(figure.start, figure.end, near)

    def _near(self, number: Number) -> Iterator[DataNumber]:
        """Yield the numbers of the data with a fitting unit whose value, of either sign, rounds to a number."""
        plain = not number.unit and number.value < _SCALED and abs(number.value) > _PRECISE * number.half
        for factor in (1.0, 0.01) if number.unit in _PERCENT else (1.0, 1e6, 1e9) if plain else (1.0,):
            for cell in self._data.near(abs(number.value) * factor, number.half * factor):
                if not number.unit or cell.unit == ANY or _FACTORS.get((number.unit, cell.unit)) == factor:
                    yield cell

    def _holds(self, wanted: Mention) -> bool:
        """Tell whether a number of the data is what a mention says."""
        agree = (one for one in self._near(wanted.number) if self._agrees(wanted, one))
        if exact := wanted.label and self._data.names.get(wanted.label.lower()):
            quarters = wanted.metrics if "past" in wanted.said.marks else frozenset[str]()
            return any(cell.about.label in exact or (cell.row >= 0 and quarters & cell.about.metrics) for cell in agree)
        meant = _meant(wanted)
        by_words = False
        for cell in agree:
            if meant & cell.about.metrics:
                return True
            scaled = abs(cell.value) > _SCALED > abs(wanted.number.value) and not wanted.number.unit
            by_words = by_words or (not scaled and self._fits_by_words(wanted, cell.about))
        return by_words and not (wanted.close_by and self._known_otherwise(wanted))

    def _fits_by_words(self, wanted: Mention, its: NumberContext) -> bool:
        """Tell whether a number of the data may be meant by a mention beside which its metric is not named."""
        said = wanted.said
        if abs(wanted.number.value) > _PRECISE * wanted.number.half > 0:
            return True
        if not said.metrics and (not its.metrics or not its.metrics.isdisjoint(self._plain)):
            return True
        return self._names(wanted, its)

    def _names(self, wanted: Mention, its: NumberContext) -> bool:
        """Tell whether the words around a mention are those that stand with a number of the data."""
        said = wanted.said
        if its.metrics & (said.metrics | _meant(wanted)) or wanted.subjects & its.subjects - self._subject:
            return True
        return bool(said.words & its.said.words or (its.above and said.words & its.above.words))

    def _agrees(self, wanted: Mention, cell: DataNumber) -> bool:
        """Tell whether unit, period, direction, company and day of a mention fit a number of the data."""
        unit, its = wanted.number.unit, cell.about
        if unit in ("%", "bps") and cell.unit in ("", "x") and not (wanted.metrics and its.label):
            return False
        of_it = wanted.subjects & its.subjects or wanted.periods & its.periods
        if not unit and not wanted.metrics and cell.unit in _PERCENT and (wanted.number.whole or not of_it):
            return False
        if unit == "money" and its.metrics & {"volume", "avg_volume_20d"}:
            return False
        if wanted.window and its.window and wanted.window != its.window:
            return False
        if wanted.periods and its.periods and not wanted.periods & its.periods and unit in _PERCENT:
            return False
        return self._same_direction(wanted, cell) and self._same_subject(wanted, its) and self._same_day(wanted, cell)

    def _same_direction(self, wanted: Mention, cell: DataNumber) -> bool:
        number, value, its = wanted.number, cell.value, cell.about
        if self._unsigned & (wanted.metrics | its.metrics):
            way = (1 if number.value > 0 else -1) if number.signed else wanted.way
            return not way or (its.way or (value < 0 and -1)) != -way
        if not value or not number.value or number.bracketed:
            return True
        if number.signed:
            return (number.value < 0) == (value < 0)
        if value < 0:
            said = "negative" in wanted.said.marks and number.unit not in _PERCENT
            fell = wanted.way < 0 and number.unit != ""
            return said or fell or (not wanted.way and (number.unit == "points" or wanted.way_before < 0))
        if number.unit not in _PERCENT:
            return True
        return not (wanted.way < 0 and (its.metrics & {"return", "alpha"} or its.periods))

    def _same_day(self, wanted: Mention, cell: DataNumber) -> bool:
        """Tell whether a value of an earlier day may be meant: the text names the day, or speaks of another time."""
        if wanted.back and cell.row >= 0:
            return wanted.back == cell.row
        if wanted.days:
            return _meet(wanted.days, cell.days)
        named = frozenset(day for day in wanted.said.days if day[0] != "y")
        spans = wanted.timed or "span" in wanted.said.marks or len(named) > _ONE_DAY
        if not cell.days or not cell.about.label or not cell.row or spans:
            return True
        return _meet(named, cell.days) if named else cell.row < 0 and "past" in wanted.said.marks

    def _same_subject(self, wanted: Mention, its: NumberContext) -> bool:
        """Tell whether both are of the same company; one named far from a number may not be the one that is meant."""
        others = its.label and its.subjects - self._subject
        if others and not wanted.said.capitals.isdisjoint(one[:3] for one in others):
            return True  # a company whose name the data do not hold: `Helvane` of HELQ
        meant = (wanted.subjects, *([] if wanted.named or not self._subject else [self._subject]))
        return any(self._is_of(wanted, its, one) for one in meant)

    def _is_of(self, wanted: Mention, its: NumberContext, meant: frozenset[str]) -> bool:
        of = its.subjects - {"@own", "@peers"}
        if "@own" in meant:
            meant = meant - {"@own"} | self._subject
        if not of or not its.label or meant & (of | {"@peers"}) or "@fund" in of & wanted.said.subjects:
            return True
        if "alpha" in its.metrics:
            return not of - self._subject - {"@fund"}
        if "@median" in of:
            return "past" in wanted.said.marks  # it is compared with them
        return not meant and (not self._subject or bool(of & self._subject))

    def _of(self, wanted: Mention, metric: str) -> list[DataNumber]:
        """Return the first cells of a metric for the company meant: those without a day, quarters newest first."""
        key = (metric, wanted.subjects, wanted.named, wanted.said.subjects, "past" in wanted.said.marks)
        if key not in self._series:
            cells = (one for one in self._data.of_metric(metric) if one.row >= 0 or not one.days)
            self._series[key] = list(islice((one for one in cells if self._same_subject(wanted, one.about)), 40))
        return self._series[key]

    def _implies(self, wanted: Mention, beside: Sequence[Number]) -> bool:
        """Tell whether a figure follows from others near it, or from values of the metrics named there."""
        number = wanted.number
        if self._data.names.get(wanted.label.lower()) or (number.whole and abs(number.value) <= SMALL):
            return False
        values = [one.value for one in beside if not one.whole or abs(one.value) > SMALL]
        way = (1 if number.value > 0 else -1) if number.signed else wanted.way if number.unit in _PERCENT else 0
        pair = bool(wanted.way or "pair" in wanted.said.marks)
        if any(_follows(number, *two, 0, pair=True) for two in self._of_quarters(wanted)):
            return True
        of_two = number.unit == "x" and len(wanted.said.marks.get("metric", ())) > 1  # debt is 4.2 times EBITDA
        if wanted.close_by and not wanted.way and not of_two and self._known_otherwise(wanted):
            return False
        if any(_follows(number, *two, way, pair=pair) for two in permutations(values, 2)):
            return True
        return any(_follows(number, *two, way, pair=pair) for two in self._pairs(wanted, values))

    def _known_otherwise(self, wanted: Mention) -> bool:
        """Tell whether the data shows another number, of the same unit, for the metric that a mention names."""
        unit, great = wanted.number.unit, abs(wanted.number.value) > _SCALED
        units = {"money": ("money", ""), "x": ("x", ""), "": ("", "money", "x")}.get(unit, (unit,))
        cells = (cell for metric in wanted.metrics for cell in self._of(wanted, metric) if cell.unit in units)
        alike = (cell for cell in cells if cell.unit == "money" == unit or great == (abs(cell.value) > _SCALED))
        return any(cell.about.periods <= wanted.periods for cell in alike)

    def _pairs(self, wanted: Mention, beside: Sequence[float]) -> Iterator[tuple[float, float]]:
        """Yield (new, old) or (part, whole): quarters of a metric, two metrics of one time, a price and a level."""
        named = sorted(wanted.metrics | wanted.said.metrics)[:8]
        quarters = {metric: self._quarters(wanted, metric) for metric in named}
        for values in quarters.values():
            for step, period in ((1, "qoq"), (4, "yoy")):
                if not wanted.periods & {"qoq", "yoy"} or period in wanted.periods:
                    yield from zip(values[:4], values[step:], strict=False)
        for cells, others in permutations([self._of(wanted, metric) for metric in named], 2):
            for one, other in zip(cells, others, strict=False):
                if one.unit == other.unit:
                    yield one.value, other.value
        prices = [*(one.value for one in self._of(wanted, "price")[:1]), *beside]
        for metric in self._levels.union(("atr",)).intersection({*named, *_wider(named)}):
            for level in (*(one.value for one in self._of(wanted, metric)[:1]), *beside):
                yield from (two for price in prices for two in ((price, level), (level, price)))
        for metric in wanted.metrics - self._levels:
            yield from ((one, cell.value) for one in beside for cell in self._of(wanted, metric)[:3])

    def _of_quarters(self, wanted: Mention) -> Iterator[tuple[float, float]]:
        """Yield halves and years of the metrics named, alone and with the one before; part and whole of margins."""
        for metric in wanted.metrics:
            quarters = self._quarters(wanted, metric)
            for count in (2, 4):
                sums = [sum(quarters[at : at + count]) for at in (0, count) if len(quarters) >= at + count]
                yield from ((one, 0.0) for one in sums)
                yield from pairwise(sums)
            if not quarters and (part := _PARTS.get(metric)):
                yield from zip(self._quarters(wanted, part), self._quarters(wanted, "revenue"), strict=False)

    def _quarters(self, wanted: Mention, metric: str) -> list[float]:
        return [one.value for one in self._of(wanted, metric) if one.row >= 0]


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


def _meant(wanted: Mention) -> frozenset[str]:
    """Return the metrics that a mention names, and those that they are kinds of."""
    return wanted.metrics.union(*(tables()["wider"].get(metric, ()) for metric in wanted.metrics))


def _wider(metrics: Iterable[str]) -> Iterator[str]:
    return (other for metric in metrics for other in tables()["wider"].get(metric, ()))


def _meet(mine: frozenset[str], its: frozenset[str]) -> bool:
    """Tell whether days agree: of years, of days and of months those that both name."""
    for kind in (lambda day: day[0] == "y", lambda day: "-" in day, str.isdigit):
        one, other = set(filter(kind, mine)), set(filter(kind, its))
        if one and other and not one & other:
            return False
    return True


def _is_near(one: Mention, other: Mention) -> bool:
    """Tell whether a figure may follow from another: of its sentence, or of the one before.

    Of that only one with a unit, or one of the same metric: a bare number would be made of others by chance.
    """
    before = other.sentence - one.sentence
    return before == 0 or (before == 1 and bool(other.number.unit or one.metrics & other.metrics))


def _is_figure(mention: Mention) -> bool:
    number = mention.number
    return not mention.own and not (number.whole and abs(number.value) <= SMALL and not mention.close_by)


def _contradict(text: str, one: Mention, other: Mention) -> bool:
    """Tell whether a text says the wrong way from one figure to the next: `fell from 4 to 5`, `4 is above the 5`."""
    between = text[one.start + one.number.end - one.number.start : other.start]
    way = one.way_before if _TO.fullmatch(between) and text[: one.start].endswith("from ") else 0
    if between.endswith((" from ", " from $")) and " or " not in between:
        way = -other.way_before
    elif one.number.unit != "%" and (said := _BESIDE.fullmatch(between)):
        way = way or (1 if said[1] == "below" else -1)
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
        if abs(abs(first - second) * factor - value) <= half + 1e-9:
            return right_way
        share = abs(first / second) * 100 if second and number.unit == "%" and first * second >= 0 else -1e9
        slack = half + 0.0003 * share
        return right_way and (abs(abs(share - 100) - value) <= slack or (abs(share - value) <= slack and share < 100))
    bare = not number.unit and pair and not number.whole
    if (number.unit == "x" or bare) and second and abs(abs(first / second) - value) <= half + 2e-4 * value:
        return right_way
    if not second:
        return abs(abs(first) - value) <= half + 3e-4 * value
    made = (first - second, first + second, first * second, first * second / 100, first / (second or 1))
    close = any(abs(abs(one) - value) <= half + 3e-4 * value for one in made)
    return right_way and pair and number.unit != "x" and close
