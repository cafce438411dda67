"""Cash dividends of companies: one a quarter, raised once a year, set without regard to the price."""

from __future__ import annotations

import hashlib
from datetime import date

import numpy as np

from tradingagents.dataflows.models import Floats
from tradingagents.dataflows.vendors.simulated.companies import Company
from tradingagents.dataflows.vendors.simulated.timeline import FIRST_SESSION, Timeline
from tradingagents.dataflows.vendors.simulated.traits import Traits

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
