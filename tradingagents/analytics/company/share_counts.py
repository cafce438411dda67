"""Shares and earnings per share out of statements whose share figures are all in the shares of one day.

The gateway has brought them there (`dataflows.gateway.share_basis`). Sources are careless with both figures: fourth
quarters that a source derives by subtraction come with share counts that are no counts at all, which are passed over.
"""

from __future__ import annotations

from collections.abc import Sequence

from tradingagents.analytics.company.trailing import Period, total
from tradingagents.dataflows.gateway.share_jumps import SMALLEST_TESTABLE_EPS, usable_shares

EPS_TOLERANCE = 0.25
"""Relative difference allowed between summed earnings per share and net income over shares: buybacks, preferred
dividends and rounding stay well below, a split between quarters does not."""


def latest_shares(periods: Sequence[Period]) -> tuple[float, Period] | None:
    """Return the newest usable share count and the period it is from; None where there is none."""
    for period in sorted(periods, key=lambda one: one.end, reverse=True):
        count = usable_shares(period.income)
        if count is not None:
            return count, period
    return None


def earnings_per_share(periods: Sequence[Period]) -> float | None:
    """Return earnings per share summed over the periods.

    Diluted where given, else basic. Net income over the periods' newest share count stands in where a period gives
    none, or where the sum does not fit it. None where neither can be worked out.
    """
    if not periods:
        return None
    given = total([_per_share(period) for period in periods])
    counted = latest_shares(periods)
    income = total([period.flows["net_income"] for period in periods])
    implied = income / counted[0] if counted is not None and income is not None else None
    if given is None or implied is None:
        return implied if given is None else given
    smallest = SMALLEST_TESTABLE_EPS / periods[0].income.share_factor
    return given if abs(given - implied) <= max(smallest, EPS_TOLERANCE * abs(implied)) else implied


def _per_share(period: Period) -> float | None:
    items = period.income.items
    return items.get("eps_diluted", items.get("eps_basic"))
