"""Repeats: how much decisions and results differ between runs with the same settings, and what may be ranked."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import combinations

import numpy as np

from tradingagents.agents.schemas import Decision
from tradingagents.analytics.performance import PairedTest, paired_test
from tradingagents.analytics.performance.intervals import LEVEL
from tradingagents.analytics.performance.student_t import student_t
from tradingagents.analytics.price.returns import SESSIONS_PER_YEAR
from tradingagents.dataflows.models import Floats

Decided = Mapping[tuple[str, date], Decision]
RULES = "The offline analysts are rules: they decide the same each time, so no repeat was needed."
ONCE = "Models decided once: how much repeats would differ is not known, so nothing is ranked."


@dataclass(frozen=True, slots=True, kw_only=True)
class RepeatedDecisions:
    """What repeating the decisions of the tested variant shows."""

    repeats: int
    compared: int
    """Ticker-days with a decision in every repeat."""
    flip_rate: float | None
    """Share of them on which the repeats did not all decide alike; None where it is not known."""
    agreement: float | None
    """Share of pairs of repeats that decided alike on the same ticker and day."""
    confidence_deviation: float | None
    """Mean standard deviation of the confidence over repeats."""
    differences: tuple[float, ...]
    """Yearly return of each repeat beyond buy and hold at equal exposure."""
    noise_floor: float | None
    """Two variants whose yearly results, averaged over the repeats, are nearer than this differ by no more than repeats
    of the same one do (95 %). None where it is not known."""
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedVariant:
    """A variant among the others. Differences are yearly, beyond buy and hold at equal exposure."""

    name: str
    rank: int | None
    """1 for the best; variants that noise or chance may have ordered share a rank. None: nothing may be ranked."""
    difference: float
    """Mean over the repeats."""
    low: float | None
    high: float | None
    smallest_edge: float | None
    """The smallest yearly edge that its own test could have seen; None for the reason that `untested_because` says."""


def repeated(runs: Sequence[Decided], gaps: Sequence[Floats], *, rules: bool) -> RepeatedDecisions:
    """Compare the repeats of one variant.

    Args:
        runs: Decisions of each repeat, by ticker and day.
        gaps: Daily returns of each repeat's account beyond buy and hold at equal exposure.
        rules: Whether rules decided, which need no repeats.
    """
    yearly = [float(gap.mean()) * SESSIONS_PER_YEAR for gap in gaps]
    both = [case for case in runs[0] if all(case in other for other in runs[1:])]
    if len(runs) == 1:
        known = 0.0 if rules else None
        return RepeatedDecisions(
            repeats=1, compared=len(both), flip_rate=known, agreement=1.0 if rules else None,
            confidence_deviation=known, differences=tuple(yearly), noise_floor=known, note=RULES if rules else ONCE,
        )  # fmt: skip
    made = [[run[case] for run in runs] for case in both]
    pairs = [a.action == b.action for each in made for a, b in combinations(each, 2)]
    flips = [len({decision.action for decision in each}) > 1 for each in made]
    spread = [float(np.std([decision.confidence for decision in each], ddof=1)) for each in made]
    floor = noise_floor(yearly)
    return RepeatedDecisions(
        repeats=len(runs),
        compared=len(both),
        flip_rate=float(np.mean(flips)) if flips else None,
        agreement=float(np.mean(pairs)) if pairs else None,
        confidence_deviation=float(np.mean(spread)) if spread else None,
        differences=tuple(yearly),
        noise_floor=floor,
        note=f"{len(runs)} repeats differ by chance alone; results nearer than the noise floor are not ranked.",
    )


def noise_floor(yearly: Sequence[float]) -> float:
    """Return the distance that means over repeats of two equal variants stay within in 95 of 100 cases.

    Source: the two-sample interval of Student's t with one variance, estimated from these repeats.

    Args:
        yearly: Result of each repeat, two at least.
    """
    freedom = len(yearly) - 1
    return student_t(1 - LEVEL / 2, freedom) * float(np.std(yearly, ddof=1)) * math.sqrt(2 / len(yearly))


def ranked(gaps: Mapping[str, Floats], floor: float | None) -> tuple[RankedVariant, ...]:
    """Order variants by result; those that noise or chance may have ordered share a rank.

    A variant gets a rank of its own when it is worse than the best of the rank before by more than the noise floor, and
    the paired test between the two tells them apart.

    Args:
        gaps: Daily returns beyond buy and hold at equal exposure, averaged over repeats, by variant.
        floor: Noise floor; None: it is not known, and nothing is ranked.
    """
    yearly = {name: float(gap.mean()) * SESSIONS_PER_YEAR for name, gap in gaps.items()}
    ordered = sorted(gaps, key=lambda name: -yearly[name])
    found, leader, rank = list[RankedVariant](), ordered[0], 1
    for place, name in enumerate(ordered, start=1):
        if floor is not None and yearly[leader] - yearly[name] > floor and _apart(gaps[leader], gaps[name]):
            leader, rank = name, place
        test = paired_test(gaps[name], np.zeros(len(gaps[name])))
        found.append(_row(name, rank if floor is not None else None, yearly[name], test))
    return tuple(found)


def _apart(better: Floats, worse: Floats) -> bool:
    test = paired_test(better, worse)
    return test is not None and test.low > 0


def _row(name: str, rank: int | None, difference: float, test: PairedTest | None) -> RankedVariant:
    if test is None:
        return RankedVariant(name=name, rank=rank, difference=difference, low=None, high=None, smallest_edge=None)
    return RankedVariant(
        name=name, rank=rank, difference=difference, low=test.low, high=test.high, smallest_edge=test.smallest_edge
    )
