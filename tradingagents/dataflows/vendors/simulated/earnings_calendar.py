"""The earnings calendar: every filing of every company, with the estimate the press compares it with."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import date

from tradingagents.dataflows.models import EarningsEvent, Profile, Statement
from tradingagents.dataflows.vendors.simulated.books import accounts_of
from tradingagents.dataflows.vendors.simulated.filings import statements_of
from tradingagents.dataflows.vendors.simulated.shares import Share
from tradingagents.dataflows.vendors.universe import earnings_events


def filed_results(shares: Iterable[Share], profile_of: Callable[[str], Profile]) -> tuple[EarningsEvent, ...]:
    """Return the results of all companies by day of filing.

    Estimates are public before a filing, and headlines quote them on the day: what the quarter would have earned
    without its surprise. Here they come with the filing, so an open quarter has none.
    """
    statements: list[Statement] = []
    estimates: dict[tuple[str, date | None], float] = {}
    for share in shares:
        symbol, accounts = share.company.symbol, accounts_of(share.company, share.traits, share.quarters)
        statements += statements_of(symbol, accounts, kind="income", freq="quarterly")
        estimates |= {(symbol, filed.quarter.end): filed.expected_eps for filed in accounts}
    return tuple(
        replace(event, eps_estimate=estimates[event.symbol, event.period_end])
        for event in earnings_events(statements, profile_of)
    )
