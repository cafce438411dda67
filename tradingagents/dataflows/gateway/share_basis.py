"""Convert share counts and per-share figures between share bases by applying splits.

A source counts shares as filed, or restates its whole history for every split up to the day of the request. Each row
states its basis (`Statement.shares_as_of`). A price as traded on a day needs counts on that day's basis.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date, datetime
from fractions import Fraction
from functools import lru_cache

from tradingagents.dataflows.models import EarningsEvent, InsiderTransaction, Split, Statement
from tradingagents.dataflows.reference.calendar import exchange_of, sessions
from tradingagents.dataflows.reference.line_items import PER_SHARE, SHARES

LARGEST_DENOMINATOR = 20
"""Share splits have simple ratios such as 3 for 2 or 1 for 20; other ratios are spin-offs."""
_OF_SHARES = PER_SHARE | SHARES
_DIGITS = 12
"""Significant digits of a converted figure; further digits are rounding noise."""


def is_share_split(split: Split) -> bool:
    """Return whether a split is a share split (3 for 2, 1 for 10), not a spin-off recorded as an odd ratio (1.128)."""
    if not 0 < split.ratio < math.inf:
        return False
    return any(
        abs(ratio / Fraction(ratio).limit_denominator(LARGEST_DENOMINATOR) - 1) < 1e-4
        for ratio in (split.ratio, 1 / split.ratio)
        if Fraction(ratio).limit_denominator(LARGEST_DENOMINATOR)
    )


def shares_per_share(splits: Iterable[Split], counted: date, day: date) -> float:
    """Return how many shares of `day` correspond to one share of the counting day.

    Above 1 if shares were split since; below 1 if they were counted after a split later than `day`. A split applies
    from the morning of its day.
    """
    later, undone = 1.0, 1.0
    for split in splits:
        if counted < split.day <= day and is_share_split(split):
            later *= split.ratio
        elif day < split.day <= counted and is_share_split(split):
            undone *= split.ratio
    return later / undone


def has_share_figures(statement: Statement) -> bool:
    """Return whether a statement has share counts or per-share figures."""
    return not _OF_SHARES.isdisjoint(statement.items)


def counted_on(statement: Statement) -> date:
    """Return the day of a statement's share basis, as given by its source."""
    return local_day(statement.shares_as_of or statement.known_at, statement.symbol)


def statement_in_shares_of(day: date, statement: Statement, splits: Sequence[Split], *, cutoff: datetime) -> Statement:
    """Return a statement converted to the share basis of a day.

    Args:
        day: The session of the wanted basis.
        statement: As given by its source.
        splits: All known splits, including those after `day`: they only undo the source's restatement.
        cutoff: The new `shares_as_of`.
    """
    if not splits:
        return replace(statement, shares_as_of=cutoff, share_factor=1.0)
    factor = shares_per_share(splits, counted_on(statement), day)
    since_filed = shares_per_share(splits, local_day(statement.known_at, statement.symbol), day)
    given = statement.items
    items = given if factor == 1 else {name: _item(name, value, factor) for name, value in given.items()}
    return replace(statement, items=items, shares_as_of=cutoff, share_factor=since_filed)


def without_share_figures(statement: Statement, reason: str = "") -> Statement:
    """Return a statement without share counts and per-share figures.

    Args:
        reason: Why they are withheld; empty for rows whose basis is not known, of which nothing is said. Nor is it of a
            balance sheet, whose count only stands next to those of the income statement.
    """
    kept = {name: value for name, value in statement.items.items() if name not in _OF_SHARES}
    if not reason or statement.kind == "balance":
        return replace(statement, items=kept)
    gone = dict.fromkeys(sorted(_OF_SHARES & statement.items.keys()), reason)
    return replace(statement, items=kept, withheld={**gone, **statement.withheld})


def trade_in_shares_of(day: date, trade: InsiderTransaction, splits: Sequence[Split]) -> InsiderTransaction:
    """Return an insider trade with its share count on a day's basis; its value is unchanged."""
    counted = trade.shares_as_of or trade.transaction_date
    factor = shares_per_share(splits, counted, day)
    since = shares_per_share(splits, trade.transaction_date, day)
    if factor == since == 1:
        return trade
    return replace(trade, shares=_rounded(trade.shares * factor), shares_as_of=day, share_factor=since)


def event_in_shares_of(day: date, event: EarningsEvent, splits: Sequence[Split]) -> EarningsEvent:
    """Return an earnings event with its per-share figures on a day's basis."""
    factor = shares_per_share(splits, local_day(event.shares_as_of or event.known_at, event.symbol), day)
    if factor == 1:
        return event
    return replace(event, eps=_per_share(event.eps, factor), eps_estimate=_per_share(event.eps_estimate, factor))


def local_day(instant: datetime, symbol: str) -> date:
    """Return the day of an instant at the symbol's exchange."""
    return _local_day(instant, exchange_of(symbol))


@lru_cache(maxsize=16384)
def _local_day(instant: datetime, exchange: str) -> date:
    return instant.astimezone(sessions(exchange).zone).date()


def _item(name: str, value: float, factor: float) -> float:
    if name in SHARES:
        return _rounded(value * factor)
    return _rounded(value / factor) if name in PER_SHARE else value


def _per_share(value: float | None, factor: float) -> float | None:
    return None if value is None else _rounded(value / factor)


def _rounded(value: float) -> float:
    return float(f"{value:.{_DIGITS}g}")
