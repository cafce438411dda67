"""The figures a run was given, found by what they measure and by their value."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import permutations

from tradingagents.provenance.equality import equal, follows, points_the_way, same_period, same_time, scales
from tradingagents.provenance.lexicon import LEVELS
from tradingagents.provenance.numbers import Number
from tradingagents.provenance.phrases import wider
from tradingagents.provenance.reading import Reading

SMALL = 12
"""Bare whole numbers up to this one, with no word of what they count, are no figures: two plants, the 3 reasons."""
_MOST_NEAR = 500
"""Most cells of one value that are looked at: an answer of nothing but one number must not take forever."""
_OF_OTHERS = frozenset(("@fund", "@peers"))


class Cells:
    """The figures a run was given, found by what they measure and by their value."""

    def __init__(self, readings: Iterable[Reading], subject: tuple[str, ...]) -> None:
        self._subject = frozenset(one.lower() for one in subject)
        self._all: list[Reading] = []
        self._seen: set[tuple[object, ...]] = set()
        self._by_concept: dict[str, list[Reading]] = {}
        self._sorted: list[tuple[float, int]] | None = None
        for reading in readings:
            self.add((reading,))

    def add(self, readings: Iterable[Reading]) -> None:
        """Take further cells in."""
        for reading in readings:
            number = reading.number
            same = (number.value, number.unit, reading.concepts, reading.subjects, reading.words, reading.months)
            if same in self._seen:
                continue
            self._seen.add(same)
            self._all.append(reading)
            for concept in _measured(reading):
                self._by_concept.setdefault(concept, []).append(reading)
        self._sorted = None

    def hold(self, wanted: Reading) -> bool:
        """Tell whether some cell is what a reading says."""
        near = self._near(wanted.number)
        meant = frozenset(name for concept in wanted.concepts for name in wider(concept))
        if any(meant.intersection(_measured(cell)) and self._fits(wanted, cell) for cell in near):
            return True
        return any(self._fits_by_words(wanted, cell) for cell in near)

    def hold_value(self, number: Number) -> bool:
        """Tell whether any cell has a number's value, whatever it measures."""
        return bool(self._near(number))

    def imply(self, wanted: Reading, beside: Sequence[Number]) -> bool:
        """Tell whether a reading follows from two numbers of its sentence, or from cells that the sentence names."""
        number = wanted.number
        values = [one.value for one in beside if not one.whole or abs(one.value) > SMALL]
        if any(follows(number, *pair, wanted.pair) for pair in permutations(values, 2)):
            return True
        levels = [one.value for one in beside if one.unit in ("", "money")]
        if len(levels) > 1 and wanted.past and number.unit in ("%", "points", "bps"):
            return False  # it is said from what to what
        directed = any(
            follows(number, *pair, wanted.pair) and points_the_way(wanted, *pair)
            for pair in self._directed_pairs(wanted, values)
        )
        return directed or any(follows(number, *pair, wanted.pair) for pair in self._named_pairs(wanted, values))

    def _near(self, number: Number) -> list[Reading]:
        """Return the cells whose value, of either sign, rounds to a number; also as a ratio of 1 for a percentage."""
        if self._sorted is None:
            self._sorted = sorted((abs(cell.number.value), at) for at, cell in enumerate(self._all))
        near: list[Reading] = []
        for value, half in scales(number):
            low = bisect_left(self._sorted, (abs(value) - half, -1))
            most = low + _MOST_NEAR
            while low < min(most, len(self._sorted)) and self._sorted[low][0] <= abs(value) + half:
                near.append(self._all[self._sorted[low][1]])
                low += 1
        return near

    def _fits(self, wanted: Reading, cell: Reading) -> bool:
        if not equal(wanted, cell, firm=True) or not self._same_subject(wanted, cell):
            return False
        if not cell.tabled and len(wanted.words & cell.words) < 2 and not self._dated_line(cell):
            return False
        return same_period(wanted, cell) and same_time(wanted, cell)

    @staticmethod
    def _dated_line(cell: Reading) -> bool:
        """Tell whether a cell stands in a line of dated values, or beside its name, rather than in the news."""
        return bool(cell.months) or cell.firm

    def _fits_by_words(self, wanted: Reading, cell: Reading) -> bool:
        """Tell whether a cell is meant by a reading whose words name no concept that has it."""
        if not equal(wanted, cell, firm=False) or not self._same_subject(wanted, cell):
            return False
        shared = wanted.words & cell.words
        named = bool(wanted.subjects & cell.subjects - self._subject)
        if not cell.tabled:
            return len(shared) + named >= (2 if wanted.firm else 1)
        if wanted.firm and any(self._by_concept.get(name) for one in wanted.concepts for name in wider(one)):
            return False
        if not (same_period(wanted, cell) and same_time(wanted, cell)):
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
            meant = (meant - {"@own"}) | self._subject or wanted.others - {"@own"}
        if "@peers" in meant or ("alpha" in cell.concepts and not of - self._subject):
            return True
        if not cell.tabled and not meant & wanted.others and not of & cell.others:
            return True  # neither names anybody itself: headings do, of which a note may stand under any
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
                if cell.subjects & wanted.others and same_period(wanted, cell)
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


def _measured(cell: Reading) -> tuple[str, ...]:
    """Return what a cell is of: in prose the nearest words alone say it."""
    return cell.concepts if cell.tabled else cell.concepts[:1]
