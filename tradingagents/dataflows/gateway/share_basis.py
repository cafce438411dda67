"""Share counts and per-share figures in the shares of one day: splits between the source's day and ours are applied.

A source counts shares as filed, or restates its whole history for every split up to the day it is asked. Each row says
which (`Statement.shares_as_of`). A price as traded on a day needs counts in the shares of that very day.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date, datetime
from fractions import Fraction

from tradingagents.dataflows.models import EarningsEvent, InsiderTransaction, Split, Statement
from tradingagents.dataflows.reference.calendar import exchange_of, sessions
from tradingagents.dataflows.reference.line_items import PER_SHARE, SHARES

LARGEST_DENOMINATOR = 20
"""Splits of shares are simple ratios such as 3 for 2 or 1 for 20; odder ones are spin-offs."""
_DIGITS = 12
"""Significant digits kept of a converted figure: what lies beyond them is noise of the division."""


def is_share_split(split: Split) -> bool:
    """Tell a split of shares (3 for 2, 1 for 10) from a spin-off that sources record as an odd ratio (1.128)."""
    if not 0 < split.ratio < math.inf:
        return False
    return any(
        abs(ratio / Fraction(ratio).limit_denominator(LARGEST_DENOMINATOR) - 1) < 1e-4
        for ratio in (split.ratio, 1 / split.ratio)
        if Fraction(ratio).limit_denominator(LARGEST_DENOMINATOR)
    )


def shares_per_share(splits: Iterable[Split], counted: date, day: date) -> float:
    """Return how many shares of `day` stand for one share of the day on which it was counted.

    Above 1 where shares were split since; below 1 where they were counted after a split that `day` lies before. A split
    counts from its first morning on.
    """
    later, undone = 1.0, 1.0
    for split in splits:
        if counted < split.day <= day and is_share_split(split):
            later *= split.ratio
        elif day < split.day <= counted and is_share_split(split):
            undone *= split.ratio
    return later / undone


def has_share_figures(statement: Statement) -> bool:
    """Tell whether a statement has share counts or per-share figures."""
    return not (PER_SHARE | SHARES).isdisjoint(statement.items)


def counted_on(statement: Statement) -> date:
    """Return the day in whose shares a statement counts, as its source gave it."""
    return local_day(statement.shares_as_of or statement.known_at, statement.symbol)


def statement_in_shares_of(day: date, statement: Statement, splits: Sequence[Split], *, cutoff: datetime) -> Statement:
    """Return a statement with its share counts and per-share figures in the shares of a day.

    Args:
        day: The session whose shares are wanted.
        statement: As its source gave it.
        splits: All that are known, those after `day` too: they only undo what the source restated.
        cutoff: The instant that stands as `shares_as_of` from now on.
    """
    if not splits:
        return replace(statement, shares_as_of=cutoff, share_factor=1.0)
    factor = shares_per_share(splits, counted_on(statement), day)
    since_filed = shares_per_share(splits, local_day(statement.known_at, statement.symbol), day)
    given = statement.items
    items = given if factor == 1 else {name: _item(name, value, factor) for name, value in given.items()}
    return replace(statement, items=items, shares_as_of=cutoff, share_factor=since_filed)


def without_share_figures(statement: Statement) -> Statement:
    """Return a statement without its share counts and per-share figures."""
    kept = {name: value for name, value in statement.items.items() if name not in PER_SHARE | SHARES}
    return replace(statement, items=kept)


def trade_in_shares_of(day: date, trade: InsiderTransaction, splits: Sequence[Split]) -> InsiderTransaction:
    """Return an insider's trade with its number of shares in the shares of a day; its value stays."""
    counted = trade.shares_as_of or trade.transaction_date
    factor = shares_per_share(splits, counted, day)
    since = shares_per_share(splits, trade.transaction_date, day)
    if factor == since == 1:
        return trade
    return replace(trade, shares=_rounded(trade.shares * factor), shares_as_of=day, share_factor=since)


def event_in_shares_of(day: date, event: EarningsEvent, splits: Sequence[Split]) -> EarningsEvent:
    """Return an earnings event with its figures per share in the shares of a day."""
    factor = shares_per_share(splits, local_day(event.shares_as_of or event.known_at, event.symbol), day)
    if factor == 1:
        return event
    return replace(event, eps=_per_share(event.eps, factor), eps_estimate=_per_share(event.eps_estimate, factor))


def local_day(instant: datetime, symbol: str) -> date:
    """Return the day of an instant at the symbol's exchange."""
    return instant.astimezone(sessions(exchange_of(symbol)).zone).date()


def _item(name: str, value: float, factor: float) -> float:
    if name in SHARES:
        return _rounded(value * factor)
    return _rounded(value / factor) if name in PER_SHARE else value


def _per_share(value: float | None, factor: float) -> float | None:
    return None if value is None else _rounded(value / factor)


def _rounded(value: float) -> float:
    return float(f"{value:.{_DIGITS}g}")
