"""Which metric, period and company each number of a sentence goes with.

A name that a preposition ties to a number, or that stands right beside it, costs nothing. The cheapest candidate is
what the sentence says, those that cost little more are what it may say.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from tradingagents.dataflows.reference.line_items import BALANCE
from tradingagents.dataflows.reference.line_items import PER_SHARE as PER_SHARE_ITEMS
from tradingagents.features.report_check.grammar.patterns import (
    BEHIND,
    CHANGE_BEHIND,
    FOLLOWED_BY_COLON,
    GOES_ON,
    HEADED_BY,
    IN_PART,
    MARGIN,
    NEAR_NAME,
    OF_REVENUE,
    OF_SOMETHING,
    PER_SHARE,
    PER_SHARE_BEFORE,
    SHARE_OF,
    SUFFIX,
    TIED,
    TRADED_AT,
)
from tradingagents.features.report_check.grammar.structure import NOT_IN, Structure, alike
from tradingagents.features.report_check.grammar.views import is_range, is_view
from tradingagents.features.report_check.measures import ITEMS, FigureMeasure, Saying, measures_of
from tradingagents.features.report_check.periods import NamedPeriod
from tradingagents.features.report_check.words import OWN, PEERS, UNKNOWN
from tradingagents.provenance.numbers import Number
from tradingagents.provenance.wording import NONE, Mark

ALTERNATIVE = 0.45
"""What costs at most so much more than the cheapest candidate may be meant as well."""
LEAST_AMOUNT = 1e5
"""Less money is no item of the statements unless it is called one."""
MOST_DOUBTFUL = 1.3
"""What costs more is a guess."""


class MetricCandidate(NamedTuple):
    """What a number may measure, by one name of the sentence."""

    cost: float
    measures: tuple[FigureMeasure, ...]
    mark: Mark | None


@dataclass(frozen=True, slots=True)
class StatedFigure:
    """A number of a sentence with what the sentence says of it, the likeliest first."""

    number: Number
    candidates: tuple[MetricCandidate, ...]
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


class FigureSentence(Structure):
    """One sentence with its numbers and names: says which go together."""

    def stated(self, number: Number) -> StatedFigure:
        """Return what the sentence says of one of its numbers."""
        ranked = sorted(self._candidates(number), key=lambda candidate: candidate.cost)
        unknown = bool(ranked) and not ranked[0].measures
        known = [candidate for candidate in ranked if candidate.measures]
        best = known[0].cost if known else NOT_IN
        first = known[0].measures if known else ()
        kinds = {frozenset(candidate.measures) for candidate in known}
        return StatedFigure(
            number,
            tuple(candidate for candidate in known if candidate.cost <= best + ALTERNATIVE),
            best,
            len(kinds) == 1 and not unknown and known[0].mark is not None,
            self._periods_of(number, first),
            self._subjects_of(number),
            self._way(number),
            self.base_of(number.start) is not None,
            is_range(self, number),
            is_view(self, number),
            unknown,
        )

    def named_by(self, number: Number, names: Sequence[Mark]) -> list[Mark]:
        """Return which of some names are those of a number, the likeliest first; one behind it must be tied to it."""
        if (paired := self.paired(number, names, lambda one: (one.start, one.end))) is not None:
            return [paired]
        if HEADED_BY.fullmatch(self.text[: number.start]):
            return [name for name in names if name.start >= number.end][:1]
        tied = [name for name in names if name.end <= number.start or self._is_tied(number, name)]
        return sorted(tied, key=lambda one: self._metric_cost(number, one))

    def _is_tied(self, number: Number, name: Mark) -> bool:
        gap = self.text[number.end : name.start]
        return BEHIND.fullmatch(gap) is not None or IN_PART.fullmatch(gap) is not None

    def is_change(self, number: Number) -> bool:
        """Tell whether the words beside a number call it a rise or a fall."""
        return CHANGE_BEHIND.match(self.text, number.end) is not None or self._way(number) != 0

    def _anchor(self, number: Number) -> tuple[Mark, Number] | None:
        """Return whose name a figure without one in its bracket, base or clause inherits: that of the figure before."""
        base, bracket = self.base_of(number.start), self.bracket_of(number.start)
        clause = self.clause(number)
        for scope in (base, bracket, clause):
            if scope is None or scope[0] == 0 or any(scope[0] <= metric.start < scope[1] for metric in self.metrics):
                continue
            before = [
                figure for figure in self.numbers if figure.end <= scope[0] and self.base_of(figure.start) is None
            ]
            before = before or [figure for figure in self.numbers if figure.end <= scope[0]]
            like = [other for other in before if alike(other, number)] or before
            if like:
                found = [candidate for candidate in self._candidates(like[-1]) if candidate.mark is not None]
                mark = min(found, key=lambda candidate: candidate.cost).mark if found else None
                return (mark, like[-1]) if mark is not None else None
        return None

    def _candidates(self, number: Number) -> Iterator[MetricCandidate]:
        anchor, before = self._anchor(number) or (None, None)
        paired = self.paired(number, self.metrics, lambda one: (one.start, one.end))
        text = self.text[number.start : number.end]
        of_revenue = OF_REVENUE.match(self.text, number.end) if number.unit == "%" else None
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
            yield MetricCandidate(min(cost, 0.1) if mark is anchor and paired is None else cost, measures, mark)
        if not self.metrics and self._inherited and (of_revenue or not OF_SOMETHING.match(self.text, number.end)):
            said = self._saying(number, None, bool(of_revenue))
            measures = measures_of(self._inherited, number, text, said)
            if number.unit == "money" and abs(number.value) < LEAST_AMOUNT:  # `It was bought at $41.30`
                kept = (
                    PER_SHARE_ITEMS if any(period.back for period in self.periods) else NONE
                )  # `A year earlier: $2.36`
                measures = tuple(
                    measure for measure in measures if measure.metric not in ITEMS or measure.metric in kept
                )
            if measures:
                yield MetricCandidate(0.6 if GOES_ON.match(self.text) else NOT_IN, measures, None)

        if not self.metrics and self.subjects and TRADED_AT.search(self.text, 0, number.start):
            said = self._saying(number, None, False)
            yield MetricCandidate(0.0, measures_of({"price"}, number, text, said), None)

    @cached_property
    def _wholes(self) -> list[Mark]:
        """Names of what another figure is a share of: `R&D as a percentage of sales`."""
        return [
            metric for metric in self.metrics if SHARE_OF.search(self.text, max(0, metric.start - 40), metric.start)
        ]

    def _saying(self, number: Number, mark: Mark | None, of_revenue: bool) -> Saying:
        begin, end = self.clause(number)
        around = self.text[begin:end].lower()
        if mark is not None:
            around += " " + self.text[mark.start : mark.end].lower()
        per_share = PER_SHARE.match(self.text, number.end) is not None
        name = self.text[mark.start : mark.end] if mark is not None else ""
        behind = [whole for whole in self._wholes if mark is not None and mark.end <= whole.start < number.start]
        return Saying(
            bases=frozenset().union(*[base.means for base in self.bases if begin <= base.start < end])
            | self._relative(begin, end),
            is_change=self.is_change(number),
            of_revenue=of_revenue or (bool(behind) and number.unit == "%"),
            is_margin=mark is not None and bool(MARGIN.match(self.text[mark.end :].lstrip()[:8])),
            per_share=per_share or bool(PER_SHARE_BEFORE.search(name)),
            diluted=True if "diluted" in around else False if "basic" in around else None,
        )

    def _relative(self, begin: int, end: int) -> frozenset[str]:
        return frozenset(period.back for period in self.periods if period.back and begin <= period.start < end)

    def _metric_cost(self, number: Number, mark: Mark) -> float:
        across = self.across(number, mark.start)
        if mark.start >= number.end:
            gap = self.text[number.end : mark.start]
            if BEHIND.fullmatch(gap) or ((change := CHANGE_BEHIND.match(gap)) and change.end() == len(gap)):
                free = 0.6 if SUFFIX.fullmatch(self.text, mark.start, mark.end) else 0.0  # a unit more than a name
                return free if across < 1 else across
            return 0.9 + self.between(number, number.end, mark.start) + across
        cost = 0.1 + self.between(number, mark.end, number.start) + across
        taken = next(
            (figure for figure in self.numbers if figure.end <= mark.start and self._owns_behind(figure, mark)), None
        )
        if taken is not None and taken is not number and alike(taken, number):
            cost += 0.5
        return cost

    def _owns_behind(self, number: Number, mark: Mark) -> bool:
        """Tell whether a name behind a number is that number's: `$5bn of revenue and $1bn ...`."""
        gap = self.text[number.end : mark.start]
        near = mark.start - number.end < NEAR_NAME and BEHIND.fullmatch(gap) is not None
        return near and not FOLLOWED_BY_COLON.match(self.text, mark.end)

    def _periods_of(self, number: Number, measures: Sequence[FigureMeasure]) -> tuple[NamedPeriod, ...]:
        paired = self.paired(number, self.periods, lambda one: (one.start, one.end))
        costs = []
        if paired is None and self._is_undated_base(number):
            return ()
        for period in self.periods:
            if period.back and any(each.kind in ("change", "points") for each in measures):
                continue
            cost = 0.0 if period is paired else self._period_cost(number, period) + (1.0 if paired is not None else 0.0)
            costs.append((cost + _misfit(period, measures), period.start, period))
        costs.sort(key=lambda one: one[:2])
        found = tuple(one for cost, _, one in costs if cost <= costs[0][0] + ALTERNATIVE and cost < MOST_DOUBTFUL + 0.6)
        main = [period for period in self.periods if not period.back and self.base_of(period.start) is None]
        leading = bool(self.base_spans) and self.base_spans[0][0] == 0
        if not main and leading:  # `Against sales of $5bn in Q3, profit was $1bn`
            main = [period for period in self.periods if not period.back]
        return found or (tuple(main) if len(main) == 1 else ())

    def _is_undated_base(self, number: Number) -> bool:
        """Tell whether a figure is compared with another of the same company, without a period of its own."""
        base = self.base_of(number.start)
        if base is None:
            return False
        named = [*(period.start for period in self.periods), *(subject.start for subject in self.subjects)]
        if any(base[0] <= start < base[1] for start in named):
            return False
        behind = next((period for period in self.periods if period.start >= number.end), None)
        return behind is None or not TIED.fullmatch(self.text[number.end : behind.start])

    def _period_cost(self, number: Number, period: NamedPeriod) -> float:
        across = self.across(number, period.start)
        if period.start >= number.end:
            if FOLLOWED_BY_COLON.match(self.text, period.end):
                return NOT_IN
            gap = self.text[number.end : period.start]
            if TIED.fullmatch(gap):
                bracket = self.bracket_of(period.start)
                alone = gap.lstrip().startswith("(") and bracket is not None and not self.holds_number(bracket)
                return 0.0 if across < 1.5 or alone else across
            return 0.3 + self.between(number, number.end, period.start) + across
        if period.back and self.base_of(period.start) is None and self.bracket_of(period.start) is None and across == 0:
            across += 0.1
        cost = 0.15 + self.between(number, period.end, number.start) + across
        owner = next(
            (
                figure
                for figure in self.numbers
                if figure.end <= period.start and TIED.fullmatch(self.text[figure.end : period.start])
            ),
            None,
        )
        heads = FOLLOWED_BY_COLON.match(self.text, period.end) is not None
        if owner is not None and owner is not number and alike(owner, number) and not heads:
            cost += 0.5
        if not self.text[: period.start].strip(" -*•(") or len(self.text[: period.start]) < 12:
            cost = min(cost, 0.7 + across)
        return cost

    def _subjects_of(self, number: Number) -> tuple[frozenset[str], ...]:
        paired = self.paired(number, self.subjects, lambda one: (one.start, one.end))
        costs = []
        for subject in self.subjects:
            if subject is paired:
                cost = 0.0
            else:
                across = self.across(number, subject.start)
                if self.text[number.end : subject.start] == " (":
                    cost = 0.0
                elif subject.start >= number.end:
                    cost = 0.3 + self.between(number, number.end, subject.start) + across
                else:
                    cost = 0.05 + 0.8 * self.between(number, subject.end, number.start) + across
                cost += 1.0 if paired is not None else 0.0
            costs.append((cost, subject.start, frozenset() if subject.means == {OWN} else subject.means))
        costs.sort(key=lambda one: one[:2])
        found = [one for cost, _, one in costs if cost <= costs[0][0] + ALTERNATIVE]
        if found and not found[0]:  # `the firm` may be the one that is named elsewhere
            found += [one for _, _, one in costs if one]
        named = [name for name in found if PEERS not in name]
        chosen = found[:1] + [name for name in named if name != found[0]] if found else []
        return tuple(dict.fromkeys(chosen))

    def _way(self, number: Number) -> int:
        """Return -1 where the words beside a number say that it fell, 1 where it rose, 0 where they say neither."""
        begin, end = self.clause(number)
        behind = [one for one in self.ways if number.end <= one.start < min(end, number.end + 25)]
        if behind and (match := CHANGE_BEHIND.match(self.text, number.end)) and behind[0].start < match.end():
            return _sign(behind[0])
        before = [one for one in self.ways if begin <= one.start and one.end <= number.start]
        return _sign(before[-1]) if before else 0


def _sign(mark: Mark) -> int:
    return -1 if "-1" in mark.means else 1


def _misfit(period: NamedPeriod, measures: Sequence[FigureMeasure]) -> float:
    """Return what a kind of period costs with a kind of figure: closes are of days, sales are not."""
    if not measures:
        return 0.0
    of_day = all(measure.kind == "day" for measure in measures)
    if of_day:
        return 0.0 if period.span == "day" else 0.5
    return (0.3 if period.months_only else 0.8) if period.span == "day" and not _of_sheet(measures) else 0.0


def _of_sheet(measures: Sequence[FigureMeasure]) -> bool:
    return any(measure.metric in BALANCE or measure.metric == "total_debt" for measure in measures)
