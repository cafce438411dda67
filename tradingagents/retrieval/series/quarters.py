"""Quarters that no filing states by themselves: a longer period less the part of it before its last quarter.

The fourth quarter is the year less nine months; of cash flows, which quarterly reports state from the start of the
year, the second is the half-year less the first, and the third is nine months less the half-year. Two figures are
subtracted only where nothing tells that they are on different bases: where one of them was restated and the other was
not, the quarter is withheld.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from itertools import pairwise

from tradingagents.dataflows.reference.fiscal_periods import LAST_QUARTER, RECAST, days_of, length_of_days
from tradingagents.retrieval.series.fact import FactPeriod, SeriesFact, Version
from tradingagents.retrieval.series.items import combined

_YEAR_BEFORE = (350, 380)
_DAY = timedelta(days=1)
_NAMES = {"quarter": "first_quarter", "half-year": "half_year", "nine months": "nine_months", "year": "year"}
Versions = Sequence[SeriesFact]
"""Statements of one period, the first known first."""
Flow = tuple[date, date]


@dataclass(frozen=True, slots=True)
class DerivedQuarter:
    """A quarter worked out from longer periods, or why there is none."""

    fact: SeriesFact | None = None
    reason: str = ""


def derived_quarter(flows: Mapping[Flow, Versions], end: date, version: Version) -> DerivedQuarter:
    """Return the quarter that ends on a day as a longer period less the part before it.

    `first` takes the longer period as first stated and its part as known by then; `latest` takes both as known last.

    Args:
        flows: Every statement of the item, by period.
        end: Last day of the quarter.
    """
    reasons = []
    for whole in sorted((days for days in flows if days[1] == end), key=lambda days: days[0], reverse=True):
        for part in flows:
            if part[0] != whole[0] or not _is_last_quarter(part[1], end):
                continue
            found = _difference(flows, whole, part, version)
            if found.fact is not None:
                return found
            reasons.append(found.reason)
    return DerivedQuarter(reason=reasons[0] if reasons else "")


def _difference(flows: Mapping[Flow, Versions], whole: Flow, part: Flow, version: Version) -> DerivedQuarter:
    total = flows[whole][0] if version == "first" else flows[whole][-1]
    known = [fact for fact in flows[part] if version == "latest" or fact.known_at <= total.known_at]
    names = [_NAMES.get(length_of_days(days_of(*days)) or "", "period") for days in (whole, part)]
    words = [name.replace("_", " ") for name in names]
    if not known:
        return DerivedQuarter(reason=f"its {words[0]} was stated before the {words[1]} to {part[1]} was")
    rest = known[-1]
    if total.unit != rest.unit or total.basis != rest.basis:
        return DerivedQuarter(reason=f"its {words[0]} and its {words[1]} are in different units or of different parts")
    # As first stated, a year that follows a restated part is on the basis of the restatement.
    changes = [restatements(flows[whole]), restatements(known)]
    if version == "latest" and changes[0] != changes[1]:
        restated, other = words if changes[0] > changes[1] else words[::-1]
        return DerivedQuarter(reason=f"its {restated} was restated and its {other} was not")
    before_whole, before_part = _year_before(flows, whole), _year_before(flows, part)
    then = max(total.known_at, rest.known_at)
    recast = [
        restatements([fact for fact in flows[days] if fact.known_at <= then]) if days else 0
        for days in (before_whole, before_part)
    ]
    if version == "first" and recast[0] > recast[1]:
        return DerivedQuarter(
            reason=f"the {words[0]} before was restated with it and the {words[1]} before was not, so that the two are "
            f"on different bases"
        )
    fact = combined(total.item or "", [total, rest], [1.0, -1.0], names)
    period = FactPeriod(whole[1], part[1] + _DAY)
    place = replace(total.place, cell=None)
    return DerivedQuarter(replace(fact, period=period, place=place))


def restatements(versions: Versions) -> int:
    """Return how often a figure was stated anew with another value."""
    return sum(not math.isclose(before.value, after.value, rel_tol=RECAST) for before, after in pairwise(versions))


def _is_last_quarter(part_end: date, end: date) -> bool:
    low, high = LAST_QUARTER
    return part_end < end and low <= (end - part_end).days <= high


def _year_before(flows: Mapping[Flow, Versions], days: Flow) -> Flow | None:
    low, high = _YEAR_BEFORE
    return next(
        (flow for flow in flows if low <= (days[1] - flow[1]).days <= high and low <= (days[0] - flow[0]).days <= high),
        None,
    )
