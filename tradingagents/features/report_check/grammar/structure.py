"""The parts of a sentence that states figures, and what lies between them.

Every name in a sentence is a candidate for every number; what lies between the two sets the cost. Other numbers,
commas, brackets and the limits of a comparison (`compared with $4bn in Q2`) cost more. Numbers and names that are
listed in the same order are paired.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import pairwise
from typing import TypeVar

from tradingagents.features.report_check.grammar.patterns import (
    BACKGROUND,
    BASE,
    BASE_END,
    EVEN_IF,
    FROM,
    LIST_GAP,
    LISTED,
    NEAR_NAME,
    STRONG,
    SUFFIX,
    TO,
    WEAK,
)
from tradingagents.features.report_check.periods import NamedPeriod
from tradingagents.features.report_check.words import ReportLexicon
from tradingagents.provenance.numbers import Number
from tradingagents.provenance.wording import Mark

_T = TypeVar("_T")
NOT_IN = 2.0
"""Cost of a name of another part of a comparison."""


class Structure:
    """The parts of a sentence and what lies between them; places are counted from its start."""

    def __init__(
        self, text: str, numbers: Sequence[Number], periods: Sequence[NamedPeriod], lexicon: ReportLexicon,
        inherited: frozenset[str] = frozenset(),
    ) -> None:  # fmt: skip
        """Set the sentence.

        Args:
            text: The sentence.
            numbers: Its figures.
            periods: The periods that it names.
            lexicon: Finds its phrases.
            inherited: Metrics of the sentence before, for one that names none.
        """
        self.text, self.numbers = text, numbers
        self.periods = [
            period for period in periods if not BACKGROUND.search(text, max(0, period.start - 24), period.start)
        ]
        self._inherited = inherited
        marks = lexicon.of(text).marks
        covered = [(period.start, period.end) for period in periods]
        self.metrics = [
            mark for mark in marks.get("metric", []) if not _inside(mark, covered) and not _is_share_of(text, mark)
        ]
        self.subjects = marks.get("subject", [])
        self.ways = [mark for mark in marks.get("way", []) if not _inside(mark, covered)]
        self.bases = marks.get("basis", [])
        self.views = [
            mark
            for mark in marks.get("view", [])
            if not _is_a_name(text, mark) and not EVEN_IF.search(text, 0, mark.end)
        ]

    @cached_property
    def strong(self) -> list[int]:
        """Where clauses that are independent of each other meet."""
        return [match.start() for match in STRONG.finditer(self.text)]

    @cached_property
    def _weak(self) -> list[int]:
        return [match.start() for match in WEAK.finditer(self.text)]

    @cached_property
    def _brackets(self) -> list[tuple[int, int]]:
        spans, opened = [], []
        for at, char in enumerate(self.text):
            if char == "(":
                opened.append(at)
            elif char == ")" and opened:
                spans.append((opened.pop(), at))
        negative = {number.start - 1 for number in self.numbers if number.bracketed}
        return [span for span in spans if span[0] not in negative]

    @cached_property
    def base_spans(self) -> list[tuple[int, int]]:
        """Parts of the sentence that say what something is compared with: each holds a figure or a period."""
        spans: list[tuple[int, int]] = []
        metrics = [(metric.start, metric.end) for metric in self.metrics]
        for match in BASE.finditer(self.text):
            if any(start <= match.start() < end for start, end in metrics) or self._is_told_of_a_period(match):
                continue
            negative = {number.end for number in self.numbers if number.bracketed}
            endings = (match.start() for match in BASE_END.finditer(self.text, match.end()))
            end = next((one for one in endings if one not in negative), len(self.text))
            held = [number.start for number in self.numbers if match.end() <= number.start < end]
            held += [period.start for period in self.periods if period.back and match.end() <= period.start < end]
            backs = [period for period in self.periods if period.back and match.end() <= period.start < end]
            if backs and not any(match.end() <= number.start < end for number in self.numbers):
                end = backs[0].end  # `from a year earlier in Q3`: the quarter is that of the figure
            if held and min(held) - match.end() <= NEAR_NAME and (not spans or match.start() >= spans[-1][1]):
                spans.append((match.start(), end))
        return spans

    def _is_told_of_a_period(self, match: re.Match[str]) -> bool:
        """Tell whether `had been` states a figure of the period that its clause names: `in 2023 it had been $5bn`."""
        if not match[0].lower().startswith(("had", "was")):
            return False
        begin = max((at for at in self.strong if at < match.start()), default=0)
        return any(begin <= period.start < match.start() for period in self.periods)

    def base_of(self, start: int) -> tuple[int, int] | None:
        """Return the base of a comparison in which a place lies."""
        return next((span for span in self.base_spans if span[0] <= start < span[1]), None)

    def is_base(self, number: Number) -> bool:
        """Tell whether a number is what another figure is compared with."""
        return self.base_of(number.start) is not None

    def bracket_of(self, start: int) -> tuple[int, int] | None:
        """Return the brackets right around a place."""
        around = [bracket for bracket in self._brackets if bracket[0] < start < bracket[1]]
        return max(around, default=None)

    def between(self, number: Number, left: int, right: int) -> float:
        """Return what lies between two places costs: other numbers, most of all of the same unit, and commas."""
        cost = 0.0
        for figure in self.numbers:
            if left <= figure.start and figure.end <= right and figure is not number:
                cost += 0.8 if alike(figure, number) else 0.3
        cost += 0.7 * sum(left <= at < right for at in self.strong)
        cost += min(0.6, 0.2 * sum(left <= at < right for at in self._weak))
        return cost + 0.02 * self.text.count(" ", left, right)

    def across(self, number: Number, start: int) -> float:
        """Return what the limits of comparisons and of brackets between a number and a name cost."""
        cost = 0.0
        mine, its = self.base_of(number.start), self.base_of(start)
        if its is not None and its != mine:
            cost += NOT_IN
        elif mine is not None and its is None:
            cost += 0.3
        mine, its = self.bracket_of(number.start), self.bracket_of(start)
        if its is not None and its != mine:
            cost += 0.2 if its[1] <= number.start and not self.holds_number(its) else 1.5
        return cost

    def holds_number(self, span: tuple[int, int]) -> bool:
        """Tell whether a figure stands in a part of the sentence."""
        return any(span[0] < number.start < span[1] for number in self.numbers)

    def clause(self, number: Number) -> tuple[int, int]:
        """Return the part of the sentence between the strong limits around a number."""
        before = [at for at in self.strong if at < number.start]
        behind = [at for at in self.strong if at >= number.end]
        return (before[-1] if before else 0), (behind[0] if behind else len(self.text))

    def _runs(self, spans: Sequence[_T], place: Callable[[_T], tuple[int, int]]) -> list[list[_T]]:
        """Return the lists among some parts of the sentence: at least two, with nothing but commas between them."""
        runs: list[list[_T]] = []
        for left, right in pairwise(spans):
            gap = self.text[place(left)[1] : place(right)[0]]
            if LIST_GAP.fullmatch(gap) and LISTED.search(gap):
                if runs and runs[-1][-1] is left:
                    runs[-1].append(right)
                else:
                    runs.append([left, right])
        return runs

    @cached_property
    def _number_runs(self) -> list[list[Number]]:
        runs = self._runs(self.numbers, lambda one: (one.start, one.end))
        runs += [
            [left, right]
            for left, right in pairwise(self.numbers)
            if TO.fullmatch(self.text[left.end : right.start])
            and FROM.search(self.text, max(0, left.start - 12), left.start)
        ]
        return [run for run in runs if all(alike(run[0], member) for member in run)]

    def paired(self, number: Number, spans: Sequence[_T], place: Callable[[_T], tuple[int, int]]) -> _T | None:
        """Return the name that stands at the place of a number in a list of as many names; None without such lists."""
        for run in self._number_runs:
            at = next((at for at, member in enumerate(run) if member is number), None)
            if at is None:
                continue
            lists = [other for other in self._runs(spans, place) if len(other) == len(run)]
            if len(run) == 2:
                lists += [
                    [left, right]
                    for left, right in pairwise(spans)
                    if TO.fullmatch(self.text[place(left)[1] : place(right)[0]])
                ]
            free = [
                listed
                for listed in lists
                if not any(place(listed[0])[0] < each.start < place(listed[-1])[1] for each in run)
            ]
            if free:
                near = min(
                    free,
                    key=lambda listed: min(
                        abs(place(listed[-1])[1] - run[0].start), abs(place(listed[0])[0] - run[-1].end)
                    ),
                )
                return near[at]
        return None


def _inside(mark: Mark, spans: Sequence[tuple[int, int]]) -> bool:
    return any(start <= mark.start < end for start, end in spans)


def _is_share_of(text: str, mark: Mark) -> bool:
    """Tell whether `a share` is one of a whole, not one of stock."""
    return text.startswith(" of", mark.end) and SUFFIX.fullmatch(text, mark.start, mark.end) is not None


def _is_a_name(text: str, mark: Mark) -> bool:
    """Tell whether a word of expectation is a month or a company by its capital: `May`, `Target`."""
    return (
        text[mark.start].isupper()
        and mark.start > 0
        and not text[: mark.start].rstrip().endswith((".", ":", "-", "*", "•"))
        and (text[mark.start : mark.end] in ("May", "Target", "Will"))
    )


def alike(one: Number, other: Number) -> bool:
    """Tell whether two numbers may be of the same metric."""
    kinds = [("%" if each.unit in ("%", "points", "bps") else each.unit) for each in (one, other)]
    return kinds[0] == kinds[1] or {*kinds} == {"", "money"}
