"""Valuation multiples: what a price pays for twelve months of earnings, sales and cash, and for the equity."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tradingagents.analytics.returns import percent, ratio
from tradingagents.analytics.share_counts import earnings_per_share, is_share_split, latest_shares
from tradingagents.analytics.trailing import Period, Trailing, total_debt
from tradingagents.dataflows.rows import Split, Statement


@dataclass(frozen=True, slots=True)
class Multiples:
    """Multiples of one price; None where a part is missing or the multiple says nothing."""

    shares: float | None = None
    """In shares of the day."""
    market_cap: float | None = None
    eps_ttm: float | None = None
    pe_ttm: float | None = None
    ps_ttm: float | None = None
    pb: float | None = None
    peg: float | None = None
    ev_ebitda: float | None = None
    fcf_yield: float | None = None
    """Percent."""


def multiples(
    price: float, books: Trailing, splits: Sequence[Split], history: Sequence[Statement]
) -> tuple[Multiples, tuple[str, ...]]:
    """Return the multiples of a price in the books' currency, and the doubts about them.

    Args:
        price: As traded on the day.
        books: The last twelve months filed by then.
        splits: Up to the day; those after a filing restate its shares.
        history: All known income statements.
    """
    counted = latest_shares((*books.quarters, *books.years), splits, history)
    count = counted[0] if counted else None
    cap = price * count if count is not None else None
    eps = earnings_per_share(books.periods, splits, history)
    before = earnings_per_share(books.before, splits, history)
    pe = ratio(price, _positive(eps))
    debt = total_debt(books.balance)[0] if books.balance else None
    cash = books.balance.items.get("cash") if books.balance else None
    enterprise = cap + debt - cash if cap is not None and debt is not None and cash is not None else None
    equity = books.balance.items.get("equity") if books.balance else None
    growth = 100 * (eps / before - 1) if eps is not None and before is not None and before > 0 else None
    found = Multiples(
        shares=count,
        market_cap=cap,
        eps_ttm=eps,
        pe_ttm=pe,
        ps_ttm=ratio(cap, _positive(books.flows["revenue"])),
        pb=ratio(cap, _positive(equity)),
        peg=ratio(pe, _positive(growth)),
        ev_ebitda=ratio(enterprise, _positive(books.flows["ebitda"])),
        fcf_yield=percent(ratio(books.flows["free_cash_flow"], cap)),
    )
    return found, (*_doubts(found, before, growth, equity, enterprise), *_count_notes(splits, counted, books))


def _positive(value: float | None) -> float | None:
    return value if value is not None and value > 0 else None


def _doubts(
    found: Multiples, before: float | None, growth: float | None, equity: float | None, enterprise: float | None
) -> list[str]:
    notes = []
    if found.shares is None:
        notes.append("No usable share count: market cap and what rests on it are n/a.")
    if found.eps_ttm is not None and found.eps_ttm <= 0:
        notes.append("The last twelve months made a loss: there is no P/E and no PEG.")
    elif found.pe_ttm is not None and before is None:
        notes.append("No PEG: earnings of the twelve months before are not known.")
    elif found.pe_ttm is not None and (growth is None or growth <= 0):
        notes.append("No PEG: earnings per share did not grow from a profit.")
    if equity is not None and equity <= 0:
        notes.append("Equity is not positive: there is no P/B.")
    if found.shares is not None and enterprise is None:
        notes.append("No EV/EBITDA: debt or cash is not given.")
    return notes


def _count_notes(splits: Sequence[Split], counted: tuple[float, Period] | None, books: Trailing) -> list[str]:
    """Say how old the share count is, and which splits since the oldest statement used were taken for what."""
    if counted is None or not books.periods:
        return []
    notes = []
    if counted[1].end < books.periods[0].end:
        notes.append(f"The share count is of the period to {counted[1].end}.")
    oldest = min(period.income.known_at.date() for period in (*books.periods, *books.before))
    for one in splits:
        if one.day > oldest and is_share_split(one):
            notes.append(f"Split of {one.ratio:g} for 1 on {one.day}: older share counts are restated.")
        elif one.day > oldest:
            notes.append(f"The ratio {one.ratio:g} of {one.day} is taken for a spin-off and leaves share counts alone.")
    return notes
