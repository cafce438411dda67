"""Shares and earnings per share out of statements, in the shares of the day: sources are careless with both.

A statement counts shares as they were when it was filed, so splits since then are applied; a source that has restated
its old statements is noticed by share counts that do not jump at the split. Fourth quarters that a source derives by
subtraction come with share counts that are no counts at all: those are passed over.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from tradingagents.analytics.trailing import Period, total
from tradingagents.dataflows.rows import Split, Statement

SMALLEST_TESTABLE_EPS = 0.05
"""Below it rounding to cents makes earnings per share useless as a check."""
EPS_TOLERANCE = 0.25
"""Relative difference allowed between summed earnings per share and net income over shares: buybacks, preferred
dividends and rounding stay well below, a split between quarters does not."""


def shares(statement: Statement) -> float | None:
    """Return the diluted (else basic) average shares as filed; None where missing or at odds with the earnings."""
    items = statement.items
    for count, per_share in (("shares_diluted", "eps_diluted"), ("shares_basic", "eps_basic")):
        found = items.get(count)
        if found is not None and found > 0 and _fits(found, items.get(per_share), items.get("net_income")):
            return found
    return None


def split_factor(statement: Statement, splits: Sequence[Split], history: Sequence[Statement]) -> float:
    """Return by how much shares have multiplied since the statement was filed.

    Args:
        statement: Its shares and per-share items are to be restated.
        splits: Those up to the day of the question.
        history: All known income statements: they show whether the source has restated already.
    """
    filed = statement.known_at.date()
    since = (one for one in splits if one.day > filed and is_share_split(one) and not _restated(one, history))
    return math.prod(one.ratio for one in since)


def is_share_split(split: Split) -> bool:
    """Tell a split of shares (3 for 2, 1 for 10) from a spin-off that sources record as an odd ratio (1.128)."""
    return any(
        abs(ratio / Fraction(ratio).limit_denominator(20) - 1) < 1e-4
        for ratio in (split.ratio, 1 / split.ratio)
        if Fraction(ratio).limit_denominator(20)
    )


def latest_shares(
    periods: Sequence[Period], splits: Sequence[Split], history: Sequence[Statement]
) -> tuple[float, Period] | None:
    """Return the newest usable share count in today's shares, and the period it is from; None where there is none."""
    for period in sorted(periods, key=lambda one: one.end, reverse=True):
        count = shares(period.income)
        if count is not None:
            return count * split_factor(period.income, splits, history), period
    return None


def earnings_per_share(
    periods: Sequence[Period], splits: Sequence[Split], history: Sequence[Statement]
) -> float | None:
    """Return earnings per share summed over the periods, in today's shares.

    Diluted where given, else basic. Net income over the periods' newest share count stands in where a period gives
    none, or where the sum does not fit it. None where neither is to be had.
    """
    if not periods:
        return None
    given = total([_per_share(period.income, splits, history) for period in periods])
    counted = latest_shares(periods, splits, history)
    income = total([period.flows["net_income"] for period in periods])
    implied = income / counted[0] if counted is not None and income is not None else None
    if given is None or implied is None:
        return implied if given is None else given
    apart = abs(given - implied)
    return given if apart <= max(SMALLEST_TESTABLE_EPS, EPS_TOLERANCE * abs(implied)) else implied


def _per_share(statement: Statement, splits: Sequence[Split], history: Sequence[Statement]) -> float | None:
    given = statement.items.get("eps_diluted", statement.items.get("eps_basic"))
    return None if given is None else given / split_factor(statement, splits, history)


def _fits(count: float, per_share: float | None, net_income: float | None) -> bool:
    """Tell whether a count agrees with net income over earnings per share by half or double; True where untestable."""
    if per_share is None or net_income is None or abs(per_share) < SMALLEST_TESTABLE_EPS:
        return True
    return net_income * per_share > 0 and 0.5 < count * per_share / net_income < 2


def _restated(split: Split, history: Sequence[Statement]) -> bool:
    """Tell whether statements filed before the split already count the shares after it.

    Their share count is compared with that of the first statement filed after: restated, they are about equal. False
    where there are not both.
    """
    counted = [(one, count) for one in history if (count := shares(one)) is not None]
    before = [(one.known_at, count) for one, count in counted if one.known_at.date() < split.day]
    after = [(one.known_at, count) for one, count in counted if one.known_at.date() >= split.day]
    if not before or not after:
        return False
    growth = math.log(min(after)[1] / max(before)[1])
    return abs(growth) < abs(growth - math.log(split.ratio))
