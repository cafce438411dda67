"""What a company earns: its fiscal quarters, revenue and margins, the income statement they make, and its dividends.

A quarter knows when it ends, when it is filed and how far its earnings surprise. Dividends are cash: one a quarter,
raised once a year, set without regard to the price.
"""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

import numpy as np

from tradingagents.dataflows.models import Floats
from tradingagents.dataflows.vendors.simulated.companies import Company, Traits
from tradingagents.dataflows.vendors.simulated.market import FIRST_SESSION, Timeline, stream

_FIRST_QUARTER_END = date(2015, 2, 1)
_QUARTER_LAG = (29, 44)
"""Days from period end to filing, both ends included; a holiday pulls the filing up to four days forward."""
_ANNUAL_LAG = (50, 74)
_LATEST_CLOSE = time(20, 0, tzinfo=UTC)  # half-days close earlier, but nobody files before the usual close of summer


@dataclass(frozen=True, slots=True)
class Quarter:
    """One fiscal quarter that has been filed."""

    fiscal_year: int
    """Named for the calendar year it ends in."""
    number: int
    """1 to 4."""
    start: date
    end: date
    filed_at: datetime
    """UTC, within the hour after the close of a session."""
    surprise: float
    """Earnings against their trend, in standard deviations."""
    revenue_noise: float
    """Standard normal: what revenue does beside the surprise."""

    @property
    def label(self) -> str:
        """Q1 … Q4."""
        return f"Q{self.number}"


def quarters_of(company: Company, traits: Traits, seed: int, timeline: Timeline) -> tuple[Quarter, ...]:
    """Return the quarters filed within the calendar, oldest first, from the first whole fiscal year after January 2015.

    Empty for a company that files nothing.
    """
    if not company.files:
        return ()
    ends = _quarter_ends(company.year_end, timeline.days[-1])
    draws = stream(seed, company.symbol, "quarters")
    normals = draws.standard_normal((len(ends), 2)).tolist()
    chances = stream(seed, company.symbol, "filings").random((len(ends), 2)).tolist()
    quarters = []
    for index, end in enumerate(ends):
        number = index % 4 + 1
        filed_at = _filing(end, number, chances[index], timeline)
        if filed_at is None:
            break
        surprise = min(max(0.3 * traits.quality + normals[index][0], -2.8), 2.8)
        start = _month_end(end.year, end.month - 3) + timedelta(days=1)
        year = end.year if end.month <= company.year_end else end.year + 1
        quarters.append(Quarter(year, number, start, end, filed_at, surprise, normals[index][1]))
    return tuple(quarters)


def _quarter_ends(year_end: int, last: date) -> tuple[date, ...]:
    """Return the ends of fiscal quarters before `last`, beginning with a first quarter of a fiscal year."""
    first_month = (year_end + 2) % 12 + 1
    year = 2015
    while _month_end(year, first_month) < _FIRST_QUARTER_END:
        year += 1
    ends, months = [], 0
    while (end := _month_end(year, first_month + months)) <= last:
        ends.append(end)
        months += 3
    return tuple(ends)


def _filing(end: date, number: int, chances: list[float], timeline: Timeline) -> datetime | None:
    """Return the instant of filing; None where it lies beyond the calendar."""
    shortest, longest = _ANNUAL_LAG if number == 4 else _QUARTER_LAG
    day = end + timedelta(days=shortest + int(chances[0] * (longest - shortest + 1)))
    if day > timeline.days[-1]:
        return None
    session = timeline.calendar.on_or_before(day)
    close = max(timeline.calendar.close_of(session), datetime.combine(session, _LATEST_CLOSE))
    return close + timedelta(minutes=5 + int(chances[1] * 55))


def _month_end(year: int, month: int) -> date:
    """Return the last day of a month; `month` may lie outside 1 to 12 and then counts into other years."""
    years, index = divmod(month, 12)
    return date(year + years, index + 1, 1) - timedelta(days=1)


EX_MONTHS = (2, 5, 8, 11)
"""Months of ex-dates: each fiscal quarter of a simulated company holds exactly one."""


def dividend_per_share(company: Company, traits: Traits, year: int) -> float:
    """Return the quarterly dividend of a calendar year, in USD and whole cents; 0 where the company pays none."""
    raise_a_year = min(max(traits.growth, 0.0), 0.08)
    first = company.price * company.dividend_yield / 4.0
    return round(first * (1.0 + raise_a_year) ** (year - FIRST_SESSION.year), 2)


def dividend_in(company: Company, traits: Traits, start: date, end: date) -> float:
    """Return the dividends per share with an ex-month that ends within [start, end]."""
    months = ((year, month) for year in range(start.year, end.year + 1) for month in EX_MONTHS)
    return sum(
        dividend_per_share(company, traits, year) for year, month in months if start <= date(year, month, 28) <= end
    )


def dividends_by_session(company: Company, traits: Traits, timeline: Timeline) -> Floats:
    """Return the cash paid per share on each session, by ex-date."""
    paid = np.zeros(len(timeline))
    if not company.dividend_yield:
        return paid
    for year in range(FIRST_SESSION.year, timeline.days[-1].year + 1):
        for month in EX_MONTHS:
            position = timeline.position(date(year, month, _ex_day(company)))
            if position < len(timeline):
                paid[position] = dividend_per_share(company, traits, year)
    return paid


def _ex_day(company: Company) -> int:
    """Return the company's day of the month: 15 to 24."""
    return 15 + hashlib.sha256(company.symbol.encode()).digest()[0] % 10


REVENUE_SURPRISE = 0.015
"""Log change of revenue, for good, per standard deviation of surprise."""
MARGIN_SURPRISE = 0.05
"""Relative change of the operating margin per standard deviation; it fades by `_MARGIN_KEEP` a quarter."""
INTEREST_RATE = 0.045
"""On debt, a year."""
_MARGIN_KEEP = 0.85
_MIN_MARGIN = 0.05  # margin surprises are relative to at least this
_TAX_RATE = 0.21
_MIN_SELLING = 0.03  # of revenue, however well a company does
_MIN_NET_MARGIN = 0.02  # keeps the revenue of companies that hardly earn from running away


@dataclass(frozen=True, slots=True)
class Operations:
    """Revenue and operating margin of one quarter, with and without its surprise."""

    revenue: float
    margin: float
    expected_revenue: float
    expected_margin: float
    trend: float
    """Revenue before seasons and noise, as a multiple of that at the first session."""


def yearly_revenue(company: Company, traits: Traits) -> float:
    """Return one year's revenue at the first session: the one at which the market value is the multiple of earnings."""
    net_margin = (traits.valued_margin - INTEREST_RATE * traits.debt) * (1.0 - _TAX_RATE)
    return company.cap * 1e9 / (traits.price_to_earnings * max(net_margin, _MIN_NET_MARGIN))


def operations_of(company: Company, traits: Traits, quarters: tuple[Quarter, ...]) -> tuple[Operations, ...]:
    """Return what trend, surprises, seasons and noise make of each quarter, oldest first."""
    unit = MARGIN_SURPRISE * max(abs(traits.operating_margin), _MIN_MARGIN)
    usual = yearly_revenue(company, traits) / 4.0
    surprised = -sum(quarter.surprise for quarter in quarters if quarter.end < FIRST_SESSION)
    gap, path = 0.0, []
    for quarter in quarters:
        years = (quarter.end - FIRST_SESSION).days / 365.25
        level = traits.growth * years + REVENUE_SURPRISE * surprised
        expected = usual * _season(traits, quarter) * math.exp(level + 0.008 * quarter.revenue_noise)
        step = math.exp(REVENUE_SURPRISE * quarter.surprise)
        usual_margin = traits.operating_margin * math.exp(traits.margin_trend * years)
        expected_gap = _MARGIN_KEEP * gap
        gap = expected_gap + unit * quarter.surprise
        surprised += quarter.surprise
        path.append(
            Operations(
                revenue=expected * step,
                margin=usual_margin + gap,
                expected_revenue=expected,
                expected_margin=usual_margin + expected_gap,
                trend=math.exp(level) * step,
            )
        )
    return tuple(path)


def _season(traits: Traits, quarter: Quarter) -> float:
    """Return what the season multiplies revenue by: more in the quarter that holds December, less in the others."""
    december = date(quarter.start.year, 12, 1)
    return 1.0 + traits.seasonality * (1.0 if quarter.start <= december <= quarter.end else -1.0 / 3.0)


def income_statement(traits: Traits, revenue: float, margin: float, wear: float, interest: float) -> dict[str, float]:
    """Return the income statement of a quarter down to net income.

    Args:
        traits: Shares of revenue.
        revenue: USD.
        margin: Operating margin.
        wear: Depreciation and amortisation, contained in the expenses, USD.
        interest: USD.
    """
    revenue = thousands(revenue)
    # A better operating margin comes half from making and half from selling.
    gross_margin = min(traits.gross_margin + 0.5 * (margin - traits.operating_margin), 0.95)
    gross_profit = revenue - thousands(revenue * (1.0 - gross_margin))
    research = thousands(revenue * traits.research)
    selling = max(gross_profit - research - thousands(revenue * margin), thousands(revenue * _MIN_SELLING))
    operating_income = gross_profit - research - selling
    pretax = operating_income - interest
    tax = thousands(max(pretax, 0.0) * _TAX_RATE)
    return {
        "revenue": revenue,
        "cost_of_revenue": revenue - gross_profit,
        "gross_profit": gross_profit,
        "research_and_development": research,
        "selling_general_administrative": selling,
        "operating_expenses": research + selling,
        "operating_income": operating_income,
        "depreciation_and_amortization": wear,
        "ebitda": operating_income + wear,
        "interest_expense": interest,
        "pretax_income": pretax,
        "income_tax": tax,
        "net_income": pretax - tax,
    }


def thousands(amount: float) -> float:
    """Round to whole thousands: sums of such amounts are exact, and so the identities are."""
    return round(amount / 1000.0) * 1000.0
