"""The grammar of a sentence that states figures: which metric, period and company each of its numbers goes with.

Every name in a sentence is a candidate for every number; what lies between the two sets the cost. A name tied by a
preposition or standing right beside a number costs nothing; other numbers, commas, brackets and the limits of a
comparison (`compared with $4bn in Q2`) cost more. Numbers and names that are listed in the same order are paired.
The cheapest candidate is what the sentence says, those that cost little more are what it may say.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple, TypeVar

from tradingagents.dataflows.reference.line_items import BALANCE
from tradingagents.provenance.numbers import Number
from tradingagents.provenance.report_check.measures import FigureMeasure, Saying, measures_of
from tradingagents.provenance.report_check.periods import NamedPeriod
from tradingagents.provenance.report_check.words import OWN, PEERS, UNKNOWN, Lexicon
from tradingagents.provenance.wording import Mark

_T = TypeVar("_T")
_SENTENCE_END = re.compile(r"(?<=[.!?])(?<!\b[A-Z]\.)(?:[\"')*_¹²³⁴†‡]|\[\d+\])*\s+(?=[\"'(*_A-Z\d$€£])")
_ABBREVIATED = re.compile(
    r"\b(?:vs|co|corp|inc|ltd|cf|no|pp|ca|op|est|adj|approx|prev|mr|ms|dr|e\.g|i\.e|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\.\s+$",
    re.IGNORECASE,
)
_LONGEST = 1000
"""Characters of a sentence that are read together: time must grow with a text's length only."""
_STRONG = re.compile(
    r";|\s[–—-]\s|—|,?\s\b(?:but|while|whereas|although|though|yet|whilst|even as|as against)\b", re.IGNORECASE
)
_WEAK = re.compile(r",(?=\s)|:(?=\s)|\s(?:and|as|after|before|on|with|plus)\s|\s/\s|\|", re.IGNORECASE)
_BASE = re.compile(
    r"\b(?:(?:up|down|higher|lower|better|worse)\s+(?:from|on)|from|versus|vs\.?|v\.?(?=\s+[$€£\d])|against|(?:as\s+)?compared\s+(?:with|to)|comparing\s+with|relative\s+to"
    r"|(?<!more )(?<!less )(?<!fewer )(?<!rather )(?<!other )than|after(?=\s+(?:[$€£\d]|a\s+[$€£\d]))|had\s+been|was\s+still"
    r"|(?<=\()(?:prior(?:[\s-]year)?|previous(?:ly)?|prev\.?|PY|LY|year[\s-]ago|last\s+year)(?=\W)|comparable\s+figure|following|on\s+top\s+of)(?=\W|$)",
    re.IGNORECASE,
)
"""Opens the base of a comparison."""
_BASE_END = re.compile(
    r",\s|:\s|;|\)|\s[–—]\s|\sto\s(?=(?:about\s|some\s|around\s)?(?:US)?[$€£+-]?\s?\d|USD|EUR)|\swhile\s|\sbut\s",
    re.IGNORECASE,
)
_BACKGROUND = re.compile(r"\b(?:since|founded in|established in|listed in|owned since|dating from|ever since)\s+(?:the\s+)?$", re.IGNORECASE)
"""Before a year in which something began."""
_GOES_ON = re.compile(
    r"\W*(?:it|that|this|they|those|these|the (?:figure|number|result|latter|total)|(?:a|one) year (?:ago|earlier|before)|in the (?:prior|previous|same|year)"
    r"|compared|versus|up|down|against)\b",
    re.IGNORECASE,
)
"""Opens a sentence that speaks of the figure before it."""
_NEAR_NAME = 60
_TIED = re.compile(
    r"\s*(?:\(\s*|,?\s*(?:all\s+)?(?:in|for|during|over|of|at|as of|as at|at the end of|at the close of|by the end of|by|on|through|throughout|when)\s+"
    r"(?:the\s+(?:end of\s+(?:the\s+)?|whole of\s+|close of\s+)?|its\s+|all of\s+|just\s+)?)?\s*",
    re.IGNORECASE,
)
"""Between a figure and its period."""
_BEHIND = re.compile(
    r"[\s*_]*(?:(?:of|in|worth of|as|a|the|its|their|quarterly|annual|total|net|trailing|reported|new|more|group|fresh)[\s*_]+){0,4}",
    re.IGNORECASE,
)
"""Between a figure and its metric behind it: `$5bn of revenue`, `a 45% gross margin`."""
_SUFFIX = re.compile(r"(?:a|per|each)\s+(?:\w+\s+)?share", re.IGNORECASE)
_SHARE_OF = re.compile(
    r"(?:percentage|percent|per\s+cent|%|share|proportion|pct)\s+of\s+(?:its\s+|the\s+|total\s+|net\s+|group\s+)*$", re.IGNORECASE
)
"""Before the name of what something is a share of."""
_CHANGE_BEHIND = re.compile(
    r"\s*(?:y/y|yoy|q/q|qoq|year[\s-]over[\s-]year|year[\s-]on[\s-]year|annual|quarterly|sequential|\s)*\s*"
    r"(?P<word>increase|decrease|decline|drop|fall|rise|growth|gain|jump|surge|reduction|contraction|expansion|improvement|advance|dip|slide"
    r"|slump|higher|lower|up|down|uplift|uptick|climb|leap|plunge|more|less|better|worse|above|below|ahead|widening|narrowing|positive|negative)\b"
    r"(?:\s+(?:in|of|for|at)(?:\s+(?:its|the|their|quarterly|annual|total))*\s+)?",
    re.IGNORECASE,
)
_OF_REVENUE = re.compile(
    r"\s+of\s+(?:its\s+|total\s+|net\s+|group\s+|the\s+)*(?:revenues?|sales|turnover|top\s+line)\b", re.IGNORECASE
)
_MARGIN = re.compile(r"\bmargins?\b", re.IGNORECASE)
_PER_SHARE = re.compile(r"\s*(?:per|a|each)\s+(?:\w+\s+){0,2}?share\b|\s*/\s*share\b|\s+each\b", re.IGNORECASE)
_PER_SHARE_BEFORE = re.compile(r"\bper[\s-](?:\w+\s+){0,2}?share\b|\bEPS\b|/share\b", re.IGNORECASE)
_LIST_GAP = re.compile(
    r"\s*(?:,|;)?\s*(?:and|or|&|plus|/)?\s*(?:then\s+)?(?:the\s+|its\s+|at\s+|in\s+|for\s+|of\s+|a\s+)*", re.IGNORECASE
)
_LISTED = re.compile(r"[,;&/]|\band\b|\bor\b", re.IGNORECASE)
_TO = re.compile(r"\s+(?:to|until|and)\s+(?:the\s+|its\s+)?", re.IGNORECASE)
_FROM = re.compile(r"\bfrom\s+$", re.IGNORECASE)
_RANGE = re.compile(r"\s?(?:-|–|—)\s?(?:US)?[$€£]?|\s+to\s+(?:US)?[$€£]?")
_WORD = re.compile(r"[\w'’&-]+")
_DIVIDER = re.compile(r"[,;:]\s|\s[–—]\s")
_FOLLOWED_BY_COLON = re.compile(r"\s*[:=]")
_EVEN_IF = re.compile(r"\b(?:even|as)\s+if$", re.IGNORECASE)
_NOT_IN = 2.0
_ALTERNATIVE = 0.45
"""What costs at most so much more than the cheapest candidate may be meant as well."""
MOST_DOUBTFUL = 1.3
"""What costs more is a guess."""


class Candidate(NamedTuple):
    """What a number may measure, by one name of the sentence."""

    cost: float
    measures: tuple[FigureMeasure, ...]
    mark: Mark | None


@dataclass(frozen=True, slots=True)
class StatedFigure:
    """A number of a sentence with what the sentence says of it, the likeliest first."""

    number: Number
    candidates: tuple[Candidate, ...]
    """Those that may be meant; the first is what the sentence says."""
    cost: float
    only: bool
    """Whether its unit fits only one metric of those that the sentence names."""
    periods: tuple[NamedPeriod, ...]
    subjects: tuple[frozenset[str], ...]
    way: int
    is_base: bool
    """Whether it is what another figure is compared with."""
    is_range: bool
    is_view: bool
    names_unknown: bool
    """Whether the nearest name is that of a figure that the data do not have."""


class Sentence:
    """One sentence with its numbers and names, places counted from its start."""

    def __init__(
        self, text: str, numbers: Sequence[Number], periods: Sequence[NamedPeriod], lexicon: Lexicon,
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
        self.periods = [one for one in periods if not _BACKGROUND.search(text, max(0, one.start - 24), one.start)]
        self._inherited = inherited
        marks = lexicon.of(text).marks
        covered = [(one.start, one.end) for one in periods]
        self.metrics = [
            one for one in marks.get("metric", []) if not _inside(one, covered) and not _is_share_of(text, one)
        ]
        self.subjects = marks.get("subject", [])
        self._ways = [one for one in marks.get("way", []) if not _inside(one, covered)]
        self._bases = marks.get("basis", [])
        self._views = [one for one in marks.get("view", []) if not _is_a_name(text, one) and not _EVEN_IF.search(text, 0, one.end)]

    # -- structure ---------------------------------------------------------------------------------------------------

    @cached_property
    def _strong(self) -> list[int]:
        return [one.start() for one in _STRONG.finditer(self.text)]

    @cached_property
    def _weak(self) -> list[int]:
        return [one.start() for one in _WEAK.finditer(self.text)]

    @cached_property
    def _brackets(self) -> list[tuple[int, int]]:
        spans, opened = [], []
        for at, char in enumerate(self.text):
            if char == "(":
                opened.append(at)
            elif char == ")" and opened:
                spans.append((opened.pop(), at))
        negative = {one.start - 1 for one in self.numbers if one.bracketed}
        return [one for one in spans if one[0] not in negative]

    @cached_property
    def _base_spans(self) -> list[tuple[int, int]]:
        """Parts of the sentence that say what something is compared with: each holds a figure or a period."""
        spans: list[tuple[int, int]] = []
        metrics = [(one.start, one.end) for one in self.metrics]
        for match in _BASE.finditer(self.text):
            if any(start <= match.start() < end for start, end in metrics):
                continue
            negative = {one.end for one in self.numbers if one.bracketed}
            endings = (one.start() for one in _BASE_END.finditer(self.text, match.end()))
            end = next((one for one in endings if one not in negative), len(self.text))
            held = [one.start for one in self.numbers if match.end() <= one.start < end]
            held += [one.start for one in self.periods if one.back and match.end() <= one.start < end]
            backs = [one for one in self.periods if one.back and match.end() <= one.start < end]
            if backs and not any(match.end() <= one.start < end for one in self.numbers):
                end = backs[0].end  # `from a year earlier in Q3`: the quarter is that of the figure
            if held and min(held) - match.end() <= _NEAR_NAME and (not spans or match.start() >= spans[-1][1]):
                spans.append((match.start(), end))
        return spans

    def _base_of(self, start: int) -> tuple[int, int] | None:
        return next((one for one in self._base_spans if one[0] <= start < one[1]), None)

    def is_base(self, number: Number) -> bool:
        """Tell whether a number is what another figure is compared with."""
        return self._base_of(number.start) is not None

    def _bracket_of(self, start: int) -> tuple[int, int] | None:
        around = [one for one in self._brackets if one[0] < start < one[1]]
        return max(around, default=None)

    def _between(self, number: Number, left: int, right: int) -> float:
        """Return what lies between two places costs: other numbers, most of all of the same unit, and commas."""
        cost = 0.0
        for one in self.numbers:
            if left <= one.start and one.end <= right and one is not number:
                cost += 0.8 if _alike(one, number) else 0.3
        cost += 0.7 * sum(left <= at < right for at in self._strong)
        cost += min(0.6, 0.2 * sum(left <= at < right for at in self._weak))
        return cost + 0.02 * self.text.count(" ", left, right)

    def _across(self, number: Number, start: int) -> float:
        """Return what the limits of comparisons and of brackets between a number and a name cost."""
        cost = 0.0
        mine, its = self._base_of(number.start), self._base_of(start)
        if its is not None and its != mine:
            cost += _NOT_IN
        elif mine is not None and its is None:
            cost += 0.3
        mine, its = self._bracket_of(number.start), self._bracket_of(start)
        if its is not None and its != mine:
            cost += 0.2 if its[1] <= number.start and not self._holds_number(its) else 1.5
        return cost

    def _holds_number(self, span: tuple[int, int]) -> bool:
        return any(span[0] < one.start < span[1] for one in self.numbers)

    # -- lists -------------------------------------------------------------------------------------------------------

    def _runs(self, spans: Sequence[_T], place: Callable[[_T], tuple[int, int]]) -> list[list[_T]]:
        """Return the lists among some parts of the sentence: at least two, with nothing but commas between them."""
        runs: list[list[_T]] = []
        for one, other in pairwise(spans):
            gap = self.text[place(one)[1] : place(other)[0]]
            if _LIST_GAP.fullmatch(gap) and _LISTED.search(gap):
                if runs and runs[-1][-1] is one:
                    runs[-1].append(other)
                else:
                    runs.append([one, other])
        return runs

    @cached_property
    def _number_runs(self) -> list[list[Number]]:
        runs = self._runs(self.numbers, lambda one: (one.start, one.end))
        runs += [
            [one, other]
            for one, other in pairwise(self.numbers)
            if _TO.fullmatch(self.text[one.end : other.start]) and _FROM.search(self.text, max(0, one.start - 12), one.start)
        ]
        return [run for run in runs if all(_alike(run[0], one) for one in run)]

    def _paired(self, number: Number, spans: Sequence[_T], place: Callable[[_T], tuple[int, int]]) -> _T | None:
        """Return the name that stands at the place of a number in a list of as many names; None without such lists."""
        for run in self._number_runs:
            at = next((at for at, one in enumerate(run) if one is number), None)
            if at is None:
                continue
            lists = [one for one in self._runs(spans, place) if len(one) == len(run)]
            if len(run) == 2:
                lists += [
                    [one, other]
                    for one, other in pairwise(spans)
                    if _TO.fullmatch(self.text[place(one)[1] : place(other)[0]])
                ]
            free = [one for one in lists if not any(place(one[0])[0] < each.start < place(one[-1])[1] for each in run)]
            if free:
                near = min(
                    free,
                    key=lambda one: min(abs(place(one[-1])[1] - run[0].start), abs(place(one[0])[0] - run[-1].end)),
                )
                return near[at]
        return None

    # -- what each number goes with ----------------------------------------------------------------------------------

    def stated(self, number: Number) -> StatedFigure:
        """Return what the sentence says of one of its numbers."""
        ranked = sorted(self._candidates(number), key=lambda one: one.cost)
        unknown = bool(ranked) and not ranked[0].measures
        known = [one for one in ranked if one.measures]
        best = known[0].cost if known else _NOT_IN
        first = known[0].measures if known else ()
        kinds = {frozenset(one.measures) for one in known}
        return StatedFigure(
            number,
            tuple(one for one in known if one.cost <= best + _ALTERNATIVE),
            best,
            len(kinds) == 1 and not unknown and known[0].mark is not None,
            self._periods_of(number, first),
            self._subjects_of(number),
            self._way(number),
            self._base_of(number.start) is not None,
            self._is_range(number),
            self._is_view(number),
            unknown,
        )

    def _anchor(self, number: Number) -> tuple[Mark, Number] | None:
        """Return whose name a figure without one in its bracket, base or clause inherits: that of the figure before."""
        base, bracket = self._base_of(number.start), self._bracket_of(number.start)
        clause = self._clause(number)
        for scope in (base, bracket, clause):
            if scope is None or scope[0] == 0 or any(scope[0] <= one.start < scope[1] for one in self.metrics):
                continue
            before = [one for one in self.numbers if one.end <= scope[0] and self._base_of(one.start) is None]
            before = before or [one for one in self.numbers if one.end <= scope[0]]
            alike = [one for one in before if _alike(one, number)] or before
            if alike:
                found = [one for one in self._candidates(alike[-1]) if one.mark is not None]
                mark = min(found, key=lambda one: one.cost).mark if found else None
                return (mark, alike[-1]) if mark is not None else None
        return None

    def _candidates(self, number: Number) -> Iterator[Candidate]:
        anchor, before = self._anchor(number) or (None, None)
        paired = self._paired(number, self.metrics, lambda one: (one.start, one.end))
        text = self.text[number.start : number.end]
        of_revenue = _OF_REVENUE.match(self.text, number.end) if number.unit == "%" else None
        for mark in self.metrics:
            if of_revenue and number.end <= mark.start < of_revenue.end():
                continue
            if mark in self._wholes:
                continue
            said = self._saying(number, mark, bool(of_revenue))
            if mark is anchor and before is not None and self._saying(before, mark, False).per_share:
                said = said._replace(per_share=True)
            measures = measures_of(mark.means - {UNKNOWN}, number, text, said)
            if not measures and UNKNOWN not in mark.means:
                continue
            cost = 0.0 if mark is paired else self._metric_cost(number, mark) + (1.0 if paired is not None else 0.0)
            yield Candidate(min(cost, 0.1) if mark is anchor and paired is None else cost, measures, mark)
        if not self.metrics and self._inherited:
            said = self._saying(number, None, bool(of_revenue))
            if measures := measures_of(self._inherited, number, text, said):
                yield Candidate(0.6 if _GOES_ON.match(self.text) else _NOT_IN, measures, None)

    @cached_property
    def _wholes(self) -> list[Mark]:
        """Names of what another figure is a share of: `R&D as a percentage of sales`."""
        return [one for one in self.metrics if _SHARE_OF.search(self.text, max(0, one.start - 40), one.start)]

    def _saying(self, number: Number, mark: Mark | None, of_revenue: bool) -> Saying:
        begin, end = self._clause(number)
        around = self.text[begin:end].lower()
        if mark is not None:
            around += " " + self.text[mark.start : mark.end].lower()
        change = _CHANGE_BEHIND.match(self.text, number.end)
        per_share = _PER_SHARE.match(self.text, number.end) is not None
        name = self.text[mark.start : mark.end] if mark is not None else ""
        behind = [one for one in self._wholes if mark is not None and mark.end <= one.start < number.start]
        return Saying(
            bases=frozenset().union(*[one.means for one in self._bases if begin <= one.start < end])
            | self._relative(begin, end),
            is_change=bool(change) or self._way(number) != 0,
            of_revenue=of_revenue or (bool(behind) and number.unit == "%"),
            is_margin=mark is not None and bool(_MARGIN.match(self.text[mark.end :].lstrip()[:8])),
            per_share=per_share or bool(_PER_SHARE_BEFORE.search(name)),
            diluted=True if "diluted" in around else False if "basic" in around else None,
        )

    def _relative(self, begin: int, end: int) -> frozenset[str]:
        return frozenset(one.back for one in self.periods if one.back and begin <= one.start < end)

    def _clause(self, number: Number) -> tuple[int, int]:
        """Return the part of the sentence between the strong limits around a number."""
        before = [at for at in self._strong if at < number.start]
        behind = [at for at in self._strong if at >= number.end]
        return (before[-1] if before else 0), (behind[0] if behind else len(self.text))

    def _metric_cost(self, number: Number, mark: Mark) -> float:
        across = self._across(number, mark.start)
        if mark.start >= number.end:
            gap = self.text[number.end : mark.start]
            if _BEHIND.fullmatch(gap) or ((change := _CHANGE_BEHIND.match(gap)) and change.end() == len(gap)):
                free = 0.6 if _SUFFIX.fullmatch(self.text, mark.start, mark.end) else 0.0  # a unit more than a name
                return free if across < 1 else across
            return 0.9 + self._between(number, number.end, mark.start) + across
        cost = 0.1 + self._between(number, mark.end, number.start) + across
        taken = next((one for one in self.numbers if one.end <= mark.start and self._owns_behind(one, mark)), None)
        if taken is not None and taken is not number and _alike(taken, number):
            cost += 0.5
        return cost

    def _owns_behind(self, number: Number, mark: Mark) -> bool:
        """Tell whether a name behind a number is that number's: `$5bn of revenue and $1bn ...`."""
        gap = self.text[number.end : mark.start]
        return (
            mark.start - number.end < _NEAR_NAME
            and bool(gap.strip()) is not None
            and (_BEHIND.fullmatch(gap) is not None and not _FOLLOWED_BY_COLON.match(self.text, mark.end))
        )

    def _periods_of(self, number: Number, measures: Sequence[FigureMeasure]) -> tuple[NamedPeriod, ...]:
        paired = self._paired(number, self.periods, lambda one: (one.start, one.end))
        costs = []
        if paired is None and self._is_undated_base(number):
            return ()
        for one in self.periods:
            if one.back and any(each.kind in ("change", "points") for each in measures):
                continue
            cost = 0.0 if one is paired else self._period_cost(number, one) + (1.0 if paired is not None else 0.0)
            costs.append((cost + _misfit(one, measures), one.start, one))
        costs.sort(key=lambda one: one[:2])
        found = tuple(one for cost, _, one in costs if cost <= costs[0][0] + _ALTERNATIVE and cost < MOST_DOUBTFUL + 0.6)
        main = [one for one in self.periods if not one.back and self._base_of(one.start) is None]
        if not main and self._base_spans and self._base_spans[0][0] == 0:  # `Against sales of $5bn in Q3, profit was $1bn`
            main = [one for one in self.periods if not one.back]
        return found or (tuple(main) if len(main) == 1 else ())

    def _is_undated_base(self, number: Number) -> bool:
        """Tell whether a figure is compared with another of the same company, without a period of its own."""
        base = self._base_of(number.start)
        if base is None or any(base[0] <= one.start < base[1] for one in (*self.periods, *self.subjects)):
            return False
        behind = next((one for one in self.periods if one.start >= number.end), None)
        return behind is None or not _TIED.fullmatch(self.text[number.end : behind.start])

    def _period_cost(self, number: Number, period: NamedPeriod) -> float:
        across = self._across(number, period.start)
        if period.start >= number.end:
            if _FOLLOWED_BY_COLON.match(self.text, period.end):
                return _NOT_IN
            gap = self.text[number.end : period.start]
            if _TIED.fullmatch(gap):
                return (
                    0.0
                    if across < 1.5
                    or gap.lstrip().startswith("(")
                    and not self._holds_number(self._bracket_of(period.start) or (0, 0))
                    else across
                )
            return 0.3 + self._between(number, number.end, period.start) + across
        if (
            period.back
            and self._base_of(period.start) is None
            and self._bracket_of(period.start) is None
            and across == 0
        ):
            across += 0.1
        cost = 0.15 + self._between(number, period.end, number.start) + across
        owner = next(
            (
                one
                for one in self.numbers
                if one.end <= period.start and _TIED.fullmatch(self.text[one.end : period.start])
            ),
            None,
        )
        heads = _FOLLOWED_BY_COLON.match(self.text, period.end) is not None
        if owner is not None and owner is not number and _alike(owner, number) and not heads:
            cost += 0.5
        if not self.text[: period.start].strip(" -*•(") or len(self.text[: period.start]) < 12:
            cost = min(cost, 0.7 + across)
        return cost

    def _subjects_of(self, number: Number) -> tuple[frozenset[str], ...]:
        paired = self._paired(number, self.subjects, lambda one: (one.start, one.end))
        costs = []
        for one in self.subjects:
            if one is paired:
                cost = 0.0
            else:
                across = self._across(number, one.start)
                if self.text[number.end : one.start] == " (":
                    cost = 0.0
                elif one.start >= number.end:
                    cost = 0.3 + self._between(number, number.end, one.start) + across
                else:
                    cost = 0.05 + 0.8 * self._between(number, one.end, number.start) + across
                cost += 1.0 if paired is not None else 0.0
            costs.append((cost, one.start, frozenset() if one.means == {OWN} else one.means))
        costs.sort(key=lambda one: one[:2])
        found = [one for cost, _, one in costs if cost <= costs[0][0] + _ALTERNATIVE]
        if found and not found[0]:  # `the firm` may be the one that is named elsewhere
            found += [one for _, _, one in costs if one]
        named = [one for one in found if PEERS not in one]
        chosen = found[:1] + [one for one in named if one != found[0]] if found else []
        return tuple(dict.fromkeys(chosen))

    def _way(self, number: Number) -> int:
        """Return -1 where the words beside a number say that something fell, 1 where it rose, 0 where they say neither."""
        begin, end = self._clause(number)
        behind = [one for one in self._ways if number.end <= one.start < min(end, number.end + 25)]
        if behind and (match := _CHANGE_BEHIND.match(self.text, number.end)) and behind[0].start < match.end():
            return _sign(behind[0])
        before = [one for one in self._ways if begin <= one.start and one.end <= number.start]
        return _sign(before[-1]) if before else 0

    def _is_range(self, number: Number) -> bool:
        for one, other in pairwise(self.numbers):
            if number in (one, other) and one.unit == other.unit and _RANGE.fullmatch(self.text[one.end : other.start]):
                before = self.text[max(0, one.start - 12) : one.start].rstrip()
                return not re.search(r"\bfrom$", before) or self.text[one.end : other.start].strip() != "to"
        for one, other in pairwise(self.numbers):
            if number in (one, other) and self.text[one.end : other.start].strip() == "and":
                return re.search(r"\bbetween\s+$", self.text[max(0, one.start - 10) : one.start]) is not None
        return False

    def _is_view(self, number: Number) -> bool:
        """Tell whether a number is somebody's view: a word of expectation governs it."""
        for one in self._views:
            if one.end <= number.start:
                between = self.text[one.end : number.start]
                if self._strong_between(one.end, number.start):
                    continue
                if "beside" in one.means:
                    if _DIVIDER.search(between.replace(": ", " ", 1)) or len(between) > 35 or self._is_told(between):
                        continue
                    return True
                base = self._base_of(number.start)
                if base is not None and one.end <= base[0] and self._has_own_period(number, base):
                    continue
                if self._is_told(between) and "," in between:
                    continue
                return True
            if one.start >= number.end and one.start - number.end < 28:
                between = self.text[number.end : one.start]
                if (
                    not _DIVIDER.search(between)
                    and not any(mark.start < one.start and mark.start >= number.end for mark in self.metrics)
                    and (
                        "beside" in one.means
                        or self.text[one.start : one.end].lower() in ("expected", "forecast", "estimated", "projected")
                    )
                    and not re.search(
                        r"\b(?:beat|above|ahead|topp|below|miss|in line|against|vs|versus|than|exceed)",
                        between,
                        re.IGNORECASE,
                    )
                ):
                    return True
        return False

    def _strong_between(self, left: int, right: int) -> bool:
        return any(left <= at < right for at in self._strong)

    def _has_own_period(self, number: Number, base: tuple[int, int]) -> bool:
        return any(base[0] <= one.start < base[1] and not one.forecast for one in self.periods)

    @staticmethod
    def _is_told(between: str) -> bool:
        return (
            re.search(
                r"\b(?:was|were|came|reported|posted|reached|stood|printed|delivered|booked|rose|fell|grew|recorded|earned|generated|closed)\b",
                between,
            )
            is not None
        )


def sentence_ends(line: str) -> Iterator[int]:
    """Yield where sentences end; abbreviations end none, and a long one is cut."""
    start = 0
    ends = [one.end() for one in _SENTENCE_END.finditer(line)]
    for end in [*(one for one in ends if not _ABBREVIATED.search(line, max(0, one - 12), one)), len(line)]:
        while end - start > _LONGEST:
            start = line.rfind(" ", start + 1, start + _LONGEST) + 1 or start + _LONGEST
            yield start
        yield end
        start = end


def _inside(mark: Mark, spans: Sequence[tuple[int, int]]) -> bool:
    return any(start <= mark.start < end for start, end in spans)


def _is_share_of(text: str, mark: Mark) -> bool:
    """Tell whether `a share` is one of a whole, not one of stock."""
    return text.startswith(" of", mark.end) and _SUFFIX.fullmatch(text, mark.start, mark.end) is not None


def _is_a_name(text: str, mark: Mark) -> bool:
    """Tell whether a word of expectation is a month or a company by its capital: `May`, `Target`."""
    return (
        text[mark.start].isupper()
        and mark.start > 0
        and not text[: mark.start].rstrip().endswith((".", ":", "-", "*", "•"))
        and (text[mark.start : mark.end] in ("May", "Target", "Will"))
    )


def _sign(mark: Mark) -> int:
    return -1 if "-1" in mark.means else 1


def _alike(one: Number, other: Number) -> bool:
    """Tell whether two numbers may be of the same metric."""
    kinds = [("%" if each.unit in ("%", "points", "bps") else each.unit) for each in (one, other)]
    return kinds[0] == kinds[1] or {*kinds} == {"", "money"}


def _misfit(period: NamedPeriod, measures: Sequence[FigureMeasure]) -> float:
    """Return what a kind of period costs with a kind of figure: closes are of days, sales are not."""
    if not measures:
        return 0.0
    of_day = all(one.kind == "day" for one in measures)
    if of_day:
        return 0.0 if period.span == "day" else 0.5
    return (0.3 if period.months_only else 0.8) if period.span == "day" and not _of_sheet(measures) else 0.0


def _of_sheet(measures: Sequence[FigureMeasure]) -> bool:
    return any(one.metric in BALANCE or one.metric == "total_debt" for one in measures)
