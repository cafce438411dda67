"""Sums over the last twelve months of a company's statements.

Four quarters are summed only if they are consecutive; income and cash flow of a quarter are matched by its last day.
Otherwise the last fiscal year is used, and a note says so. A sum with a missing item is None; zero is a value.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Literal

from tradingagents.analytics.company.cost_of_revenue import gross_profit_doubt
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
LATE = 200
"""Days after a period's end by which the next quarter should have been filed: a quarter plus 90 days and some slack."""
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
    """`ttm`: four quarters; `annual`: the last fiscal year; `none`: neither is available."""
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
    """The newest balance sheet, quarterly or annual."""
    notes: tuple[str, ...]


def trailing(
    income: Sequence[Statement],
    balance: Sequence[Statement],
    cashflow: Sequence[Statement],
    profile: Profile | None = None,
) -> Trailing:
    """Find the last twelve months in statements of both frequencies, in any order.

    Args:
        balance: Balance sheets.
        cashflow: Cash-flow statements.
        profile: The company; gross profit is withheld for a bank or insurer.
    """
    quarters, years = _periods(income, cashflow, "quarterly"), _periods(income, cashflow, "annual")
    newest = max((*quarters[:1], *years[:1]), key=lambda period: period.end, default=None)
    doubt = gross_profit_doubt(profile, newest.flows) if newest is not None else None
    if doubt is not None:
        quarters, years = _without_gross_profit(quarters), _without_gross_profit(years)
    run = consecutive([period.income for period in quarters])
    if len(run) >= QUARTERS:
        basis: Basis = "ttm"
        used, before = quarters[:QUARTERS], quarters[QUARTERS : 2 * QUARTERS] if len(run) >= 2 * QUARTERS else ()
    elif years:
        basis, used = "annual", years[:1]
        before = tuple(period for period in (year_before(years[0], years),) if period is not None)
    else:
        basis, used, before = "none", (), ()
    sheets = sorted(balance, key=lambda one: (one.period_end, one.known_at))
    sheet = sheets[-1] if sheets else None
    flows = {name: total([period.flows[name] for period in used]) if used else None for name in FLOWS}
    return Trailing(
        basis=basis,
        periods=used,
        before=before,
        flows=flows,
        quarters=quarters,
        years=years,
        balance=sheet,
        notes=(
            *_basis_notes(basis, quarters, used, len(run)),
            *((doubt,) if doubt else ()),
            *_gap_notes(flows, used, withheld=doubt is not None),
            *_balance_notes(used, sheet),
            *filing_notes([period.income for period in used] + ([sheet] if sheet else [])),
        ),
    )


def year_before(period: Period, periods: Sequence[Period]) -> Period | None:
    """Return the period that ended a year before; None if there is none."""
    low, high = (timedelta(days=days) for days in YEAR_APART)
    return next((one for one in periods if low <= period.end - one.end <= high), None)


def quarter_before(period: Period, periods: Sequence[Period]) -> Period | None:
    """Return the previous quarter; None if it is missing."""
    low, high = (timedelta(days=days) for days in NEXT_QUARTER)
    return next((one for one in periods if low <= period.end - one.end <= high), None)


def age_note(books: Trailing, as_of: date) -> tuple[str, ...]:
    """Return a note if the newest quarter is too old; else ()."""
    newest = max((period.end for period in (*books.quarters[:1], *books.periods[:1])), default=None)
    if newest is None or books.basis == "annual" or (as_of - newest).days <= LATE:
        return ()
    return (
        f"The newest quarter known ended on {newest}, {(as_of - newest).days} days before; later ones are missing.",
    )


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


def _basis_notes(basis: Basis, quarters: tuple[Period, ...], used: tuple[Period, ...], run: int) -> list[str]:
    if basis == "ttm":
        return []
    if not quarters:
        why = "No quarterly statements are known"
    elif len(quarters) < QUARTERS:
        why = f"Only {len(quarters)} of four quarters are known"
    else:
        why = f"A quarter is missing before {quarters[run - 1].end}"
    if basis == "annual":
        return [f"{why}: figures are of the fiscal year to {used[0].end}, not of the last twelve months."]
    return [f"{why}, and no fiscal year: there is no sum over twelve months."]


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
