"""Share counts and earnings per share from statements adjusted to one share basis.

`share_basis` has adjusted them for splits. Sources often get both figures wrong: fourth quarters that
a source derives by subtraction have meaningless share counts, which are ignored.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from statistics import fmean

from tradingagents.analytics.company.trailing import Period, total
from tradingagents.dataflows.gateway.checks.share_jumps import SMALLEST_TESTABLE_EPS, usable_shares
from tradingagents.dataflows.models import Statement
from tradingagents.dataflows.reference.fiscal_periods import length_of
from tradingagents.dataflows.reference.metrics import Figure

EPS_TOLERANCE = 0.25
"""Allowed relative difference between summed earnings per share and net income over shares: buybacks, preferred
dividends and rounding stay well below it, a split between quarters does not."""

CONTRADICTS = 0.02
"""Of an average: a later count of outstanding shares that lies further away takes its place. Options and buybacks of a
quarter stay below it."""
MOST_FEWER, MOST_MORE = 0.10, 0.50
"""Of an average: a count further below is one class of several, one further above is in another unit or class."""
_COUNTS = ("shares_diluted", "shares_basic")


def latest_shares(periods: Sequence[Period]) -> tuple[float, Period] | None:
    """Return the newest usable share count and its period; None if there is none, or a newer statement is withheld."""
    for period in sorted(periods, key=lambda span: span.end, reverse=True):
        if not period.income.items and not period.income.withheld.keys().isdisjoint(_COUNTS):
            return None
        count = usable_shares(period.income)
        if count is not None:
            return count, period
    return None


@dataclass(frozen=True, slots=True)
class CountedShares:
    """The newest count of a company's shares."""

    value: float
    source: str
    """Where it stands, such as `get_income_statement: shares_diluted, average of the quarter to 2024-12-28`."""
    period: Period
    """Of the average that it is, or is held against."""
    note: str = ""
    """A later count that the average contradicts, with both; empty where there is none."""


def newest_shares(periods: Sequence[Period], sheet: Statement | None) -> CountedShares | None:
    """Return the newest diluted count: the newest average, or what is outstanding since where that contradicts it.

    An average of a period lags a merger, an issue or a buyback. The outstanding shares of a later balance sheet, or of
    the cover of its report, are made diluted by what the average adds to the basic one of its period.

    Args:
        periods: Income statements with their periods.
        sheet: The newest balance sheet, on the same share basis; None where there is none.
    """
    counted = latest_shares(periods)
    if counted is None:
        return None
    average, period = counted
    name = "shares_diluted" if period.income.items.get("shares_diluted") == average else "shares_basic"
    span = length_of(period.income) or "period"
    words = f"average of the {'fiscal year' if span == 'year' else span} to {period.end}"
    found = CountedShares(average, f"get_income_statement: {name}, {words}", period)
    outstanding = sheet.items.get("shares_outstanding") if sheet is not None else None
    if sheet is None or not outstanding or sheet.period_end < period.end:
        return found
    return _later_count(found, outstanding, sheet.period_end, words)


def _later_count(average: CountedShares, outstanding: float, end: date, words: str) -> CountedShares:
    """Return the outstanding shares with dilution where they contradict the average; else the average."""
    basic = average.period.income.items.get("shares_basic", average.value)
    diluted = outstanding + max(average.value - basic, 0.0)
    change = diluted / average.value - 1
    if abs(change) <= CONTRADICTS:
        return average
    both = f"{_count_text(average.value)} shares are the {words}, {_count_text(outstanding)} are outstanding by the"
    report = f"{both} balance sheet of {end} or its cover"
    if not -MOST_FEWER <= change <= MOST_MORE:
        note = f"{report}: too far away for the same shares, so that the average counts."
        return CountedShares(average.value, average.source, average.period, note)
    note = f"{report}: the newer count is used, with dilution {_count_text(diluted)}."
    source = f"get_balance_sheet: shares_outstanding, {end}, with the dilution of the {words}"
    return CountedShares(diluted, source, average.period, note)


def _count_text(count: float) -> str:
    return Figure("shares", count).text


def no_shares_because(periods: Sequence[Period]) -> str:
    """Return why there is no usable share count, as a clause about the newest period."""
    if not periods:
        return "no income statement is known"
    newest = max(periods, key=lambda span: span.end)
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
    if any(count is not None for count in known):
        known = [_from_counts(at, periods) if count is None else count for at, count in enumerate(known)]
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
    pairs = [(span.flows["net_income"], span.income.items.get("net_income_to_common")) for span in periods]
    taken = [whole - common for whole, common in pairs if whole is not None and common is not None]
    return income - (fmean(taken) if taken else 0.0)


def _per_share(period: Period) -> float | None:
    items = period.income.items
    return items.get("eps_diluted", items.get("eps_basic"))
