"""Grounding: which figures of a model's texts can be traced to the data that its run was given.

A figure is traced where it equals a cell of the data as rounded, scaled or turned into a percentage, or follows from two
cells that its own sentence names: a difference, a change, a ratio, a sum. Where the words beside it say what it measures,
of whom and over which period, the cell must be of that: a right number for the wrong thing is not traced.

Nothing here judges whether a text is true: a figure that is not traced may still be right, and one that is traced may
stand in a wrong argument. What a writer proposes (an entry, a stop, a size), what it makes a condition, and what it says
it worked out by rules of its own are no figures of the data and are not looked at.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations

from tradingagents.analytics.grounding_numbers import Number
from tradingagents.analytics.grounding_reading import Reading, read
from tradingagents.analytics.grounding_words import LEVELS, UNSIGNED, Kind, Phrases, common_phrases, phrase_book, tokens, wider

SMALL = 12
"""Bare whole numbers up to this one, with no word of what they count, are no figures: two plants, the 3 reasons."""
_AROUND = 40
"""Characters either side of a figure that are shown with it."""
_NAME_COLUMNS = frozenset(("symbol", "ticker", "name", "company", "index", "sector", "industry", "insider", "fund"))
_PLAIN_NAMES = frozenset(
    "consumer information communication health real specialty industrial electrical household integrated discount packaged "
    "aerospace farm group global first american united national general international energy materials".split()
)
_SYMBOL = re.compile(r"\^?[A-Z][A-Z0-9]*(?:[.-][A-Z0-9]+)?=?[A-Z]*|\d{3,6}\.[A-Z]{1,3}")
_PERIODS_OF_RETURNS = frozenset(("1d", "1w", "1m", "3m", "6m", "ytd", "1y", "yoy", "qoq"))
_OF_OTHERS = frozenset(("@fund", "@peers"))


@dataclass(frozen=True, slots=True)
class Text:
    """A text a model wrote."""

    where: str
    """What the figures found in it are filed under."""
    words: str


@dataclass(frozen=True, slots=True)
class Untraced:
    """A figure that could not be traced."""

    where: str
    """As in its `Text`."""
    start: int
    end: int
    """Characters [start, end) of the text."""
    figure: str
    """As written."""
    around: str
    """The words around it, on one line."""


@dataclass(frozen=True, slots=True)
class Grounding:
    """What became of the figures of a run's texts."""

    figures: Mapping[str, int]
    """Figures looked at, by `Text.where`; a text without any has 0."""
    untraced: tuple[Untraced, ...]
    """In the order of the texts."""


def ground(
    texts: Sequence[Text],
    given: Iterable[str],
    *,
    figures: Iterable[tuple[str | None, Mapping[str, float]]] = (),
    subject: tuple[str, ...] = (),
    english: bool = True,
) -> Grounding:
    """Match the figures of texts with what a run was given.

    Args:
        texts: What models wrote.
        given: What agents read: answers of tools, as Markdown.
        figures: Named values beside those, each with the symbol they are of; None for the whole market.
        subject: Symbol and name of the one stock studied: what a sentence that names nobody speaks of. () for none.
        english: Whether the texts are in English. Otherwise words tell little: a figure is traced where any cell has its
            value, and `1.234,5` is read as well as `1,234.5`.
    """
    answers = list(dict.fromkeys(given))
    names = _names(answers, subject)
    cells = Cells([reading for answer in answers for reading in read(answer, names)], subject[:1])
    for symbol, named in figures:
        cells.add(_named(symbol, named, names))
    counted: dict[str, int] = {}
    untraced: list[Untraced] = []
    for text in texts:
        found = _traced(text.words, names, cells) if english else _traced_by_value(text.words, cells)
        counted[text.where] = len(found)
        untraced += [_untraced(text, *place) for *place, traced in found if not traced]
    return Grounding(counted, tuple(untraced))


def _untraced(text: Text, start: int, end: int) -> Untraced:
    words = text.words
    return Untraced(
        where=text.where,
        start=start,
        end=end,
        figure=words[start:end],
        around=" ".join(words[max(0, start - _AROUND) : end + _AROUND].split()),
    )


def _traced(words: str, names: Phrases, cells: Cells) -> list[tuple[int, int, bool]]:
    """Return where each figure of a text begins and ends, and whether it was traced; what follows from others is tried last."""
    readings = [reading for reading in read(words, names) if _is_figure(reading)]
    traced = [cells.hold(reading) for reading in readings]
    for at, reading in enumerate(readings):
        if not traced[at]:
            beside = [
                other.number
                for other, known in zip(readings, traced, strict=True)
                if known and other.sentence == reading.sentence and other is not reading
            ]
            traced[at] = cells.imply(reading, beside)
    return [(reading.start, reading.end, known) for reading, known in zip(readings, traced, strict=True)]


def _is_figure(reading: Reading) -> bool:
    number = reading.number
    if reading.own:
        return False
    return not (number.whole and abs(number.value) <= SMALL and not reading.concepts)


def _traced_by_value(words: str, cells: Cells) -> list[tuple[int, int, bool]]:
    english = {one.start: one for one in read(words)}
    continental = {one.start: one for one in read(words, continental=True)}
    found = []
    for start, reading in sorted({**english, **continental}.items()):
        if reading.number.whole and abs(reading.number.value) <= SMALL:
            continue
        versions = {reading.number, english.get(start, reading).number}
        found.append((start, reading.end, any(cells.hold_value(one) for one in versions)))
    return found


# Cells


class Cells:
    """The figures a run was given, found by what they measure and by their value."""

    def __init__(self, readings: Iterable[Reading], subject: tuple[str, ...]) -> None:
        self._subject = frozenset(one.lower() for one in subject)
        self._all: list[Reading] = []
        self._by_concept: dict[str, list[Reading]] = {}
        self._sorted: list[tuple[float, int]] | None = None
        for reading in readings:
            self.add((reading,))

    def add(self, readings: Iterable[Reading]) -> None:
        """Take further cells in."""
        for reading in readings:
            self._all.append(reading)
            for concept in reading.concepts if reading.tabled else reading.concepts[:1]:
                self._by_concept.setdefault(concept, []).append(reading)
        self._sorted = None

    def hold(self, wanted: Reading) -> bool:
        """Tell whether some cell is what a reading says."""
        for concept in wanted.concepts:
            if any(self._fits(wanted, cell, concept) for name in wider(concept) for cell in self._by_concept.get(name, ())):
                return True
        return any(self._fits_by_words(wanted, cell) for cell in self._near(wanted.number))

    def hold_value(self, number: Number) -> bool:
        """Tell whether any cell has a number's value, whatever it measures."""
        return bool(self._near(number))

    def imply(self, wanted: Reading, beside: Sequence[Number]) -> bool:
        """Tell whether a reading follows from two numbers of its sentence, or from cells that the sentence names."""
        number = wanted.number
        values = [one.value for one in beside[:8] if not one.whole or abs(one.value) > SMALL]
        if any(_follows(number, *pair, wanted.pair) for pair in permutations(values, 2)):
            return True
        levels = [one.value for one in beside if one.unit in ("", "money")]
        if len(levels) > 1 and wanted.past and number.unit in ("%", "points", "bps"):
            return False  # it is said from what to what
        directed = any(
            _follows(number, *pair, wanted.pair) and _points(wanted, *pair) for pair in self._directed_pairs(wanted, values)
        )
        return directed or any(_follows(number, *pair, wanted.pair) for pair in self._named_pairs(wanted, values))

    def _near(self, number: Number) -> list[Reading]:
        """Return the cells whose value, of either sign, rounds to a number; also as a ratio of 1 for a percentage."""
        if self._sorted is None:
            self._sorted = sorted((abs(cell.number.value), at) for at, cell in enumerate(self._all))
        near: list[Reading] = []
        for value, half in _scales(number):
            low = bisect_left(self._sorted, (abs(value) - half, -1))
            while low < len(self._sorted) and self._sorted[low][0] <= abs(value) + half:
                near.append(self._all[self._sorted[low][1]])
                low += 1
        return near

    def _fits(self, wanted: Reading, cell: Reading, concept: str) -> bool:
        if not _equal(wanted, cell, firm=True) or not self._same_subject(wanted, cell):
            return False
        if not cell.tabled and len((wanted.words & cell.words)) < 2 and not self._dated_line(cell):
            return False
        return _same_period(wanted, cell) and _same_time(wanted, cell)

    @staticmethod
    def _dated_line(cell: Reading) -> bool:
        """Tell whether a cell stands in a line of dated values, or beside its name, rather than in the news."""
        return bool(cell.months) or cell.firm

    def _fits_by_words(self, wanted: Reading, cell: Reading) -> bool:
        """Tell whether a cell is meant by a reading whose words name no concept that has it."""
        if not _equal(wanted, cell, firm=False) or not self._same_subject(wanted, cell):
            return False
        shared = wanted.words & cell.words
        named = bool(wanted.subjects & cell.subjects - self._subject)
        if not cell.tabled:
            return len(shared) + named >= (2 if wanted.firm else 1)
        if wanted.firm and any(self._by_concept.get(name) for one in wanted.concepts for name in wider(one)):
            return False
        if not (_same_period(wanted, cell) and _same_time(wanted, cell)):
            return False
        known = frozenset(cell.concepts)
        return (
            not known
            or (named and not known & LEVELS)
            or bool(known & (wanted.nearby | {"price", "return", "change"}))
            or (bool(shared) and not wanted.concepts)
        )

    def _same_subject(self, wanted: Reading, cell: Reading) -> bool:
        meant, of = wanted.subjects, cell.subjects - {"@own"}
        if "@own" in meant:
            meant = (meant - {"@own"}) or self._subject or wanted.others - {"@own"}
        if "@peers" in meant or ("alpha" in cell.concepts and not of - self._subject):
            return True
        if not of:
            return not meant or meant <= self._subject | _OF_OTHERS or not cell.tabled or not self._subject
        if meant:
            return bool(meant & of) or (meant <= self._subject and not of - self._subject)
        return not self._subject or bool(of & self._subject) or not cell.tabled

    def _directed_pairs(self, wanted: Reading, beside: Sequence[float]) -> Iterator[tuple[float, float]]:
        """Yield (new, old) of one concept a quarter and a year apart, and (price, level) of one instrument."""
        for concept in wanted.concepts:
            series = self._latest(wanted, concept)[:10]
            for step in (1, 4):
                yield from zip(series[:2], series[step:], strict=False)
        named = [concept for concept in dict.fromkeys((*wanted.concepts, *sorted(wanted.nearby))) if concept in LEVELS]
        prices = self._latest(wanted, "price")[:2]
        for concept in named:
            for level in (*self._latest(wanted, concept)[:1], *beside):
                for price in prices if concept != "price" else beside:
                    yield price, level

    def _named_pairs(self, wanted: Reading, beside: Sequence[float]) -> Iterator[tuple[float, float]]:
        """Yield values of different things that a sentence names: two concepts, or two moves of the same period."""
        concepts = [*wanted.concepts, *sorted(wanted.nearby - set(wanted.concepts))][:5]
        concepts = [concept for concept in concepts if concept not in LEVELS]
        latest = {concept: self._latest(wanted, concept)[:1] for concept in concepts}
        for one, other in permutations(latest, 2):
            yield from ((first, second) for first in latest[one] for second in latest[other])
        for concept in wanted.concepts:
            for value in latest.get(concept, ()):
                yield from ((value, other) for other in beside)
                yield from ((other, value) for other in beside)
        if wanted.pair and wanted.others:
            moves = {
                (min(cell.subjects), cell.number.value)
                for cell in self._by_concept.get("return", ())
                if cell.subjects & wanted.others and _same_period(wanted, cell)
            }
            for (one, first), (other, second) in permutations(sorted(moves)[:8], 2):
                if one != other:
                    yield first, second

    def _latest(self, wanted: Reading, concept: str) -> list[float]:
        """Return the values of a concept as they stand in tables, in the tables' order, newest first."""
        found = [
            cell.number.value
            for cell in self._by_concept.get(concept, ())
            if cell.tabled and self._same_subject(wanted, cell) and not (concept in LEVELS and cell.months)
        ]
        return list(dict.fromkeys(found))


# What equals what


def _scales(number: Number) -> Iterator[tuple[float, float]]:
    """Yield a number's value and half width as cells may hold it."""
    half = _half(number)
    if number.unit == "bps":
        yield number.value, half
        yield number.value / 100, half / 100
    else:
        yield number.value, half
        if number.unit == "%":
            yield number.value / 100, half / 100
        elif not number.unit and abs(number.value) < 20:
            yield number.value * 100, half * 100


def _half(number: Number) -> float:
    """Return how far off a cell may lie: half of the last digit, more where the words say `about`."""
    half = number.half
    if number.about:
        half *= 2
        if number.half >= 0.5 and number.value:  # about 20,000: the zeros are not meant
            zeros = len(f"{abs(number.value):.0f}") - len(f"{abs(number.value):.0f}".rstrip("0"))
            half = max(half, min(0.5 * 10**zeros, 0.03 * abs(number.value)))
    return half * (1 + 1e-9) + abs(number.value) * 1e-9


def _equal(wanted: Reading, cell: Reading, *, firm: bool) -> bool:
    """Tell whether a cell has a reading's value, unit and direction."""
    number, other = wanted.number, cell.number
    half = _half(number)
    value = number.value
    if number.unit == "%":
        if other.unit in ("", "x") and firm and abs(other.value) <= 20 and cell.tabled:
            value, half = value / 100, half / 100
        elif other.unit not in ("%", "points"):
            return False
    elif number.unit == "bps":
        if other.unit in ("%", "points"):
            value, half = value / 100, half / 100
        elif other.unit != "bps":
            return False
    elif number.unit == "points":
        if other.unit not in ("%", "points", ""):
            return False
    elif number.unit == "x":
        if other.unit not in ("x", ""):
            return False
    elif number.unit == "money":
        if other.unit not in ("money", ""):
            return False
    elif other.unit in ("%", "bps", "points") and not firm:
        return False
    if abs(abs(value) - abs(other.value)) > half:
        return False
    return _same_way(wanted, cell, value)


def _same_way(wanted: Reading, cell: Reading, value: float) -> bool:
    """Tell whether signs and words of direction agree."""
    if any(UNSIGNED.intersection(one.concepts) for one in (wanted, cell)):
        return not (cell.way and wanted.way and cell.way != wanted.way)
    return any(_agree(wanted, cell, value, way) for way in {wanted.way, wanted.way or wanted.way_before})


def _agree(wanted: Reading, cell: Reading, value: float, way: int) -> bool:
    number, its = wanted.number, cell.number.value
    if not its or not value:
        return True
    if number.bracketed:
        return True
    if number.signed:
        return (value < 0) == (its < 0) or (cell.way != 0 and its > 0 and not cell.number.signed and (value < 0) == (cell.way < 0))
    if its < 0:
        return way < 0
    if cell.way and not cell.number.signed and number.unit in ("%", "points", "bps"):
        return way == cell.way or (not way and cell.way > 0)
    return not (way < 0 and _is_move(cell) and number.unit in ("%", "points", "bps"))


def _is_move(cell: Reading) -> bool:
    """Tell whether a cell is a change, so that its sign matters."""
    return cell.number.unit in ("%", "points") and (
        bool(cell.periods & _PERIODS_OF_RETURNS) or bool({"return", "change", "alpha"} & set(cell.concepts))
    )


def _same_period(wanted: Reading, cell: Reading) -> bool:
    mine, its = wanted.periods & _PERIODS_OF_RETURNS, cell.periods & _PERIODS_OF_RETURNS
    return not mine or not its or bool(mine & its) or wanted.number.unit not in ("%", "points", "bps")


def _same_time(wanted: Reading, cell: Reading) -> bool:
    """Tell whether a value of an earlier day may be meant: the sentence names the day, or looks back."""
    if not cell.past or not cell.tabled:
        return True
    days, its = ({day for day in one.months if "-" in day} for one in (wanted, cell))
    if days and its:
        return bool(days & its)
    if wanted.months and LEVELS.intersection(cell.concepts):
        return bool(wanted.months & cell.months)
    return wanted.past or wanted.tabled


def _follows(number: Number, first: float, second: float, pair: bool) -> bool:
    """Tell whether a number is a change, share, ratio, difference or sum of two others."""
    value, half = abs(number.value), _half(number)
    if number.unit in ("%", "points", "bps"):
        factor = 100 if number.unit == "bps" else 1
        if abs(abs(first - second) * factor - value) <= half + 0.01 * factor and abs(first) < 1000:
            return True
        if not second or number.unit != "%" or first * second < 0:
            return False
        share = abs(first / second) * 100
        slack = half + 0.0011 * share
        return abs(abs(share - 100) - value) <= slack or (abs(share - value) <= slack and share < 100)
    if number.unit == "x" or (number.unit == "" and pair and not (number.whole or number.signed) and 0.05 < value < 50):
        return bool(second) and abs(abs(first / second) - value) <= half + 0.0011 * value
    if not pair:
        return False
    return any(abs(abs(made) - value) <= half + 1e-3 * value for made in (first - second, first + second))


def _points(wanted: Reading, new: float, old: float) -> bool:
    """Tell whether a change goes the way that the words, or the sign, say."""
    way = (1 if wanted.number.value > 0 else -1) if wanted.number.signed else wanted.way
    return not way or (new - old) * way >= 0 or wanted.number.unit not in ("%", "points", "bps")


# Names


def _names(answers: Iterable[str], subject: tuple[str, ...]) -> Phrases:
    """Return the names that answers use in their tables, each with the symbol or first name it stands for."""
    pairs: list[tuple[str, Kind, str]] = [(one, "subject", subject[0].lower()) for one in _said(subject)]
    for answer in answers:
        columns: list[int] = []
        header: list[str] = []
        for line in answer.split("\n"):
            if not line.startswith("|"):
                header = []
                continue
            cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
            if not header:
                header = cells
                columns = [at for at, name in enumerate(cells[:2]) if name.lower() in _NAME_COLUMNS]
                continue
            own = [cells[at] for at in columns if at < len(cells)]
            if own and not own[0].startswith("---"):
                pairs += _aliases(own)
                if "benchmark" in cells:
                    pairs.append((own[0], "subject", "@fund"))
    return phrase_book(pairs, common_phrases())


def _aliases(own: Sequence[str]) -> list[tuple[str, Kind, str]]:
    names = [part for name in own for part in re.split(r"\s*[()]\s*", name) if part]
    symbol = next((name for name in names if _SYMBOL.fullmatch(name)), names[0]).lower()
    return [(name, "subject", symbol) for name in _said(names)]


def _said(names: Sequence[str]) -> list[str]:
    """Return names with the short forms that people use: `Groverly` for Groverly Markets."""
    short = []
    if any(_SYMBOL.fullmatch(name) for name in names):
        for name in names:
            words = [word for word, _, _ in tokens(name)]
            if len(words) > 1 and len(words[0]) > 4 and words[0] not in _PLAIN_NAMES:
                short.append(words[0])
    return [*names, *short]


def _named(symbol: str | None, figures: Mapping[str, float], names: Phrases) -> list[Reading]:
    """Return named values as cells: `rsi`, `MODZ_change_1d`, `technology_1m`."""
    table = "\n".join(["| Figure | Value |", "|---|---|", *(f"| {name} | {value} |" for name, value in figures.items())])
    return read(f"# {symbol}\n{table}" if symbol else table, names)
