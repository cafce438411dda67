"""The earnings calendar: every filing of every company, with the estimate the press compares it with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date, timedelta

from tradingagents.dataflows.models import EarningsEvent, Profile
from tradingagents.dataflows.vendors.simulated.books import accounts_of
from tradingagents.dataflows.vendors.simulated.filings import statements_of
from tradingagents.dataflows.vendors.simulated.shares import Share
from tradingagents.dataflows.vendors.universe import QuarterlyResults

_ZONES = timedelta(days=1)
"""How far the day of a filing at the company's exchange may be from its day in UTC."""


def files_within(share: Share, start: date, end: date) -> bool:
    """Return whether a company may file a quarter on the days [start, end], without writing its books."""
    return any(start - _ZONES <= quarter.filed_at.date() <= end + _ZONES for quarter in share.quarters)


class FiledResults:
    """The results of a company by day of filing; each is judged when it is first asked for.

    Estimates are public before a filing, and headlines quote them on the day: what the quarter would have earned
    without its surprise. Here they come with the filing, so an open quarter has none.
    """

    def __init__(self, share: Share, profile: Profile) -> None:
        """Write the company's books."""
        symbol, accounts = share.company.symbol, accounts_of(share.company, share.traits, share.quarters)
        statements = statements_of(symbol, accounts, kind="income", freq="quarterly")
        self._results = QuarterlyResults(statements, lambda _: profile)
        self._estimates: Mapping[date | None, float] = {filed.quarter.end: filed.expected_eps for filed in accounts}

    def between(self, start: date, end: date) -> Iterator[EarningsEvent]:
        """Yield the results filed on the days [start, end], by day."""
        for event in self._results.between(start, end):
            yield replace(event, eps_estimate=self._estimates.get(event.period_end))
