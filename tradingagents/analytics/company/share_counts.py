"""Share counts and earnings per share from statements adjusted to one share basis.

`dataflows.gateway.share_basis` has adjusted them for splits. Sources often get both figures wrong: fourth quarters that
a source derives by subtraction have meaningless share counts, which are ignored.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

from tradingagents.analytics.company.trailing import Period, total
from tradingagents.dataflows.gateway.share_jumps import SMALLEST_TESTABLE_EPS, usable_shares

EPS_TOLERANCE = 0.25
"""Allowed relative difference between summed earnings per share and net income over shares: buybacks, preferred
dividends and rounding stay well below it, a split between quarters does not."""

_COUNTS = ("shares_diluted", "shares_basic")


def latest_shares(periods: Sequence[Period]) -> tuple[float, Period] | None:
    """Return the newest usable share count and its period; None if there is none."""
    for period in sorted(periods, key=lambda one: one.end, reverse=True):
        count = usable_shares(period.income)
        if count is not None:
            return count, period
    return None


def no_shares_because(periods: Sequence[Period]) -> str:
    """Return why there is no usable share count, as a clause about the newest period."""
    if not periods:
        return "no income statement is known"
    newest = max(periods, key=lambda one: one.end)
    income = newest.income
    reason = next((income.withheld[name] for name in _COUNTS if name in income.withheld), "")
    if reason:
        return f"that of the period to {newest.end} is withheld, for {reason.removesuffix('.')}"
    given = next((income.items[name] for name in _COUNTS if name in income.items), None)
    if given is None:
        return f"the income statement of the period to {newest.end} gives none, nor does an earlier one"
    if given <= 0:
        return f"that of the period to {newest.end} is {given:,.0f}"
    return (
        f"{given:,.0f} of the period to {newest.end} times its earnings per share is not its net income, and no "
        f"earlier count fits either"
    )


def earnings_per_share(periods: Sequence[Period]) -> float | None:
    """Return earnings per share summed over the periods.

    Diluted if given, else basic; of a period with neither, what it earned for common shareholders over the share counts
    next to it. Net income over the periods' newest share count is used instead if the sum is inconsistent with it, or
    no period gives any. None if neither can be computed.
    """
    if not periods:
        return None
    known = [_per_share(period) for period in periods]
    if any(one is not None for one in known):
        known = [_from_counts(at, periods) if one is None else one for at, one in enumerate(known)]
    given = total(known)
    counted = latest_shares(periods)
    income = total([period.flows["net_income"] for period in periods])
    implied = income / counted[0] if counted is not None and income is not None else None
    if given is None or implied is None:
        return implied if given is None else given
    smallest = SMALLEST_TESTABLE_EPS / periods[0].income.share_factor
    return given if abs(given - implied) <= max(smallest, EPS_TOLERANCE * abs(implied)) else implied


def _from_counts(at: int, periods: Sequence[Period]) -> float | None:
    """Return the earnings per share of a period from its share count, or the mean of those next to it."""
    own = usable_shares(periods[at].income)
    near = sorted(range(len(periods)), key=lambda other: abs(other - at))
    counts = [own] if own is not None else [one for other in near if (one := usable_shares(periods[other].income))][:2]
    earned = _earned(periods[at], periods)
    return None if earned is None or not counts else earned / fmean(counts)


def _earned(period: Period, periods: Sequence[Period]) -> float | None:
    """Return a period's net income less preferred dividends: as given, or as much as the others take from theirs."""
    given, income = period.income.items.get("net_income_to_common"), period.flows["net_income"]
    if given is not None or income is None:
        return given
    pairs = [(one.flows["net_income"], one.income.items.get("net_income_to_common")) for one in periods]
    taken = [whole - common for whole, common in pairs if whole is not None and common is not None]
    return income - (fmean(taken) if taken else 0.0)


def _per_share(period: Period) -> float | None:
    items = period.income.items
    return items.get("eps_diluted", items.get("eps_basic"))
