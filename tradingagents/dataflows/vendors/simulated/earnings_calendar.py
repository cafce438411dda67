"""The earnings calendar: every filing of every company, with the estimate the press compares it with."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

from tradingagents.dataflows.models import EarningsEvent, Profile
from tradingagents.dataflows.vendors.simulated.books import accounts_of
from tradingagents.dataflows.vendors.simulated.filings import statements_of
from tradingagents.dataflows.vendors.simulated.shares import Share
from tradingagents.dataflows.vendors.universe import earnings_events

_ZONES = timedelta(days=1)
"""How far the day of a filing at the company's exchange may be from its day in UTC."""


def files_within(share: Share, start: date, end: date) -> bool:
    """Return whether a company may file a quarter on the days [start, end], without writing its books."""
    return any(start - _ZONES <= quarter.filed_at.date() <= end + _ZONES for quarter in share.quarters)


def filed_results(share: Share, profile: Profile) -> tuple[EarningsEvent, ...]:
    """Return the results of a company by day of filing.

    Estimates are public before a filing, and headlines quote them on the day: what the quarter would have earned
    without its surprise. Here they come with the filing, so an open quarter has none.
    """
    symbol, accounts = share.company.symbol, accounts_of(share.company, share.traits, share.quarters)
    estimates = {filed.quarter.end: filed.expected_eps for filed in accounts}
    statements = statements_of(symbol, accounts, kind="income", freq="quarterly")
    return tuple(
        replace(event, eps_estimate=None if event.period_end is None else estimates[event.period_end])
        for event in earnings_events(statements, lambda _: profile)
    )
