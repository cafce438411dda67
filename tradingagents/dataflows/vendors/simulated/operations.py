"""What a company sells and earns: revenue and margins by quarter, and the income statement they make."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import date

from tradingagents.dataflows.vendors.simulated.companies import Company
from tradingagents.dataflows.vendors.simulated.earnings import Quarter
from tradingagents.dataflows.vendors.simulated.timeline import FIRST_SESSION
from tradingagents.dataflows.vendors.simulated.traits import Traits

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
