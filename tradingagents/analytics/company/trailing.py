"""Sums over the last twelve months of a company's statements.

Four quarters, or two half-years of a company that reports so, are summed only if they are consecutive; income and cash
flow of a period are matched by its last day. Otherwise the last fiscal year is used, and a note says so. A sum with a
missing item is None; zero is a value. Periods that ended too long ago (`period_age`) give no sums, growth or ratios of
the day, and a note says so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from itertools import pairwise, takewhile
from typing import Literal

from tradingagents.analytics.company.cost_of_revenue import gross_profit_doubt
from tradingagents.analytics.company.period_age import HALF_YEAR_GAP, interim_interval, is_current, stale_reason
from tradingagents.analytics.company.statements import NEXT_QUARTER, consecutive, filing_notes, newest_first
from tradingagents.dataflows.models import Profile, Statement

Basis = Literal["ttm", "annual", "none"]
FLOWS = (
    "revenue",
    "gross_profit",
    "operating_income",
    "ebitda",
    "net_income",
    "operating_cash_flow",
    "free_cash_flow",
)
QUARTERS = 4
HALVES = 2
YEAR_APART = (350, 380)
"""Days between a period's end and that of the same period a year before, including 52- and 53-week years."""


@dataclass(frozen=True, slots=True)
class Period:
    """Income and cash flows of one quarter or year."""

    end: date
    income: Statement
    flows: Mapping[str, float | None]
    """`FLOWS`, in the statement's currency."""


@dataclass(frozen=True, slots=True)
class Trailing:
    """The last twelve months, or the fiscal year used instead."""

    basis: Basis
    """`ttm`: four quarters, or two half-years; `annual`: the last fiscal year; `none`: neither is available."""
    periods: tuple[Period, ...]
    """The periods summed, newest first."""
    before: tuple[Period, ...]
    """The same number of periods of the year before, for growth; empty if not available."""
    flows: Mapping[str, float | None]
    """`FLOWS` over the periods."""
    quarters: tuple[Period, ...]
    """Every known quarter, newest first, not necessarily consecutive."""
    years: tuple[Period, ...]
    """Every known fiscal year, newest first."""
    balance: Statement | None
    """The newest balance sheet, quarterly or annual; None where it is too old to be called current."""
    notes: tuple[str, ...]
    withheld: tuple[str, ...] = ()
    """Which figures are withheld for the age of the statements, one sentence each; `notes` holds them too."""
    current_quarters: tuple[Period, ...] = ()
    """`quarters` where the newest may be called current, else ()."""
    current_years: tuple[Period, ...] = ()
    """`years`, likewise."""


def trailing(
    income: Sequence[Statement],
    balance: Sequence[Statement],
    cashflow: Sequence[Statement],
    profile: Profile | None = None,
    *,
    as_of: date,
) -> Trailing:
    """Find the last twelve months in statements of both frequencies, in any order.

    Args:
        balance: Balance sheets.
        cashflow: Cash-flow statements.
        profile: The company; gross profit is withheld for a bank or insurer.
        as_of: The day of which the figures shall tell.
    """
    quarters, years = _periods(income, cashflow, "quarterly"), _periods(income, cashflow, "annual")
    newest = max((*quarters[:1], *years[:1]), key=lambda period: period.end, default=None)
    doubt = gross_profit_doubt(profile, newest.flows) if newest is not None else None
    if doubt is not None:
        quarters, years = _without_gross_profit(quarters), _without_gross_profit(years)
    current_quarters, current_years = _current(quarters, as_of), _current(years, as_of)
    basis, used, before = _twelve_months(current_quarters, current_years)
    sheet, stale_sheet = _newest_sheet(balance, as_of)
    flows = {name: total([period.flows[name] for period in used]) if used else None for name in FLOWS}
    withheld = (*_stale_periods(newest, used, current_quarters, as_of), *stale_sheet)
    return Trailing(
        basis=basis,
        periods=used,
        before=before,
        flows=flows,
        quarters=quarters,
        years=years,
        balance=sheet,
        notes=(
            *(withheld or _basis_notes(basis, quarters, current_quarters, used)),
            *((doubt,) if doubt else ()),
            *_gap_notes(flows, used, withheld=doubt is not None),
            *(() if stale_sheet else _balance_notes(used, sheet)),
            *filing_notes([period.income for period in used] + ([sheet] if sheet else [])),
        ),
        withheld=withheld,
        current_quarters=current_quarters,
        current_years=current_years,
    )


def _current(periods: tuple[Period, ...], as_of: date) -> tuple[Period, ...]:
    """Return the periods if the newest may be called current, else ()."""
    incomes = [period.income for period in periods]
    return periods if incomes and is_current(incomes[0], incomes, as_of) else ()


def _twelve_months(
    quarters: tuple[Period, ...], years: tuple[Period, ...]
) -> tuple[Basis, tuple[Period, ...], tuple[Period, ...]]:
    """Return the basis, the periods of the last twelve months, and those of the twelve months before."""
    halves = interim_interval(period.end for period in quarters) == "half-year"
    run, count = (_half_years(quarters), HALVES) if halves else (_run(quarters), QUARTERS)
    if run >= count:
        return "ttm", quarters[:count], quarters[count : 2 * count] if run >= 2 * count else ()
    if years:
        return "annual", years[:1], tuple(one for one in (year_before(years[0], years),) if one is not None)
    return "none", (), ()


def _run(quarters: Sequence[Period]) -> int:
    """Return how many of the newest quarters follow each other without a gap."""
    return len(consecutive([period.income for period in quarters]))


def _half_years(periods: Sequence[Period]) -> int:
    """Return how many of the newest half-years follow each other without a gap."""
    shortest, longest = HALF_YEAR_GAP
    gaps = ((later.end - earlier.end).days for later, earlier in pairwise(periods))
    return 1 + sum(1 for _ in takewhile(lambda gap: shortest <= gap <= longest, gaps))


def _newest_sheet(balance: Sequence[Statement], as_of: date) -> tuple[Statement | None, tuple[str, ...]]:
    """Return the newest balance sheet; where it is too old, None and the reason."""
    sheet = max(balance, key=lambda one: (one.period_end, one.known_at), default=None)
    if sheet is None or is_current(sheet, balance, as_of):
        return sheet, ()
    return None, (stale_reason("balance sheet", sheet.period_end, as_of, "P/B and ratios of the balance"),)


def _stale_periods(
    newest: Period | None, used: tuple[Period, ...], current: tuple[Period, ...], as_of: date
) -> tuple[str, ...]:
    """Return why there are no twelve months where the periods known ended too long ago; else ()."""
    if newest is None or used or current:
        return ()
    what = "year" if newest.income.frequency == "annual" else "quarter"
    return (stale_reason(what, newest.end, as_of, "sums of twelve months, growth and multiples"),)


def year_before(period: Period, periods: Sequence[Period]) -> Period | None:
    """Return the period that ended a year before; None if there is none."""
    low, high = (timedelta(days=days) for days in YEAR_APART)
    return next((one for one in periods if low <= period.end - one.end <= high), None)


def quarter_before(period: Period, periods: Sequence[Period]) -> Period | None:
    """Return the previous quarter; None if it is missing."""
    low, high = (timedelta(days=days) for days in NEXT_QUARTER)
    return next((one for one in periods if low <= period.end - one.end <= high), None)


def year_span(basis: Basis, periods: Sequence[date]) -> str:
    """Return the fiscal year that "12-month" figures cover; empty when they cover four quarters."""
    return f"fiscal year to {periods[0]}" if basis == "annual" and periods else ""


def total(values: Sequence[float | None]) -> float | None:
    """Return the sum; None when any part is missing."""
    found = [value for value in values if value is not None]
    return sum(found) if len(found) == len(values) else None


def total_debt(balance: Statement) -> tuple[float | None, str | None]:
    """Return a company's interest-bearing debt, and a note if it is incomplete."""
    items = balance.items
    if "total_debt" in items:
        return items["total_debt"], None
    if "long_term_debt" not in items:
        return None, None
    if "short_term_debt" in items:
        return items["long_term_debt"] + items["short_term_debt"], None
    if not balance.withheld.keys().isdisjoint(("short_term_debt", "total_debt")):
        return None, None
    return items["long_term_debt"], "Total debt counts long-term debt only: the source gives no short-term debt."


def _periods(
    income: Sequence[Statement], cashflow: Sequence[Statement], frequency: Literal["quarterly", "annual"]
) -> tuple[Period, ...]:
    cash = {one.period_end: one for one in newest_first(one for one in cashflow if one.frequency == frequency)}
    return tuple(
        Period(one.period_end, one, _flows(one.items, cash[one.period_end].items if one.period_end in cash else {}))
        for one in newest_first(one for one in income if one.frequency == frequency)
    )


def _flows(income: Mapping[str, float], cashflow: Mapping[str, float]) -> dict[str, float | None]:
    """Return `FLOWS` of one period; missing ones are derived from their parts where possible."""
    items: dict[str, float] = {**cashflow, **income}
    found: dict[str, float | None] = {name: items.get(name) for name in FLOWS}
    derived = {
        "gross_profit": ("revenue", "cost_of_revenue", -1),
        "ebitda": ("operating_income", "depreciation_and_amortization", 1),
        "free_cash_flow": ("operating_cash_flow", "capital_expenditure", 1),  # money out is negative
    }
    for name, (left, right, sign) in derived.items():
        if found[name] is None and left in items and right in items:
            found[name] = items[left] + sign * items[right]
    return found


def _basis_notes(
    basis: Basis, quarters: tuple[Period, ...], current: tuple[Period, ...], used: tuple[Period, ...]
) -> tuple[str, ...]:
    """Return why the figures are not of four quarters; () where they are."""
    if basis == "ttm":
        halves = f"The company reports half-yearly: twelve months are its two half-years to {used[0].end}."
        return (halves,) if len(used) == HALVES else ()
    if not quarters:
        why = "No quarterly statements are known"
    elif not current:
        why = f"The newest quarter known ended on {quarters[0].end}"
    elif interim_interval(period.end for period in quarters) == "half-year":
        why = "The company reports half-yearly, and a half-year is missing"
    elif len(quarters) < QUARTERS:
        why = f"Only {len(quarters)} of four quarters are known"
    else:
        why = f"A quarter is missing before {quarters[_run(quarters) - 1].end}"
    if basis == "annual":
        return (f"{why}: figures are of the fiscal year to {used[0].end}, not of the last twelve months.",)
    return (f"{why}, and no recent fiscal year: there is no sum over twelve months.",)


def _without_gross_profit(periods: tuple[Period, ...]) -> tuple[Period, ...]:
    return tuple(replace(period, flows={**period.flows, "gross_profit": None}) for period in periods)


def _gap_notes(flows: Mapping[str, float | None], used: tuple[Period, ...], *, withheld: bool) -> list[str]:
    missing = [name for name in FLOWS if flows[name] is None and not (withheld and name == "gross_profit")]
    return [f"Not given for every period: {', '.join(missing)}."] if used and missing else []


def _balance_notes(used: tuple[Period, ...], sheet: Statement | None) -> list[str]:
    if sheet is None:
        return ["No balance sheet is known."]
    if used and sheet.period_end < used[0].end:
        return [f"The newest balance sheet is of {sheet.period_end}."]
    return []
