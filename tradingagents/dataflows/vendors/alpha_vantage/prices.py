"""Convert Alpha Vantage's bars, which are as traded in the free series, to adjusted prices."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import date, datetime
from typing import Any

import numpy as np

from tradingagents.dataflows.models import Dividend, Floats, Prices, Split
from tradingagents.dataflows.responses.lost_rows import lost
from tradingagents.dataflows.vendors.alpha_vantage.fields import NAME, Unreadable, data_of, day_of, number, object_of

ROUNDING = 0.000051
"""Half of the last decimal that Alpha Vantage gives of a split factor, plus a small margin."""
LARGEST_REVERSE = 100
"""Reverse splits of more shares than this can't be distinguished by four decimals."""


def prices_of(
    symbol: str,
    daily: Any,
    splits: Sequence[Split],
    dividends: Sequence[Dividend],
    *,
    start: date,
    end: date,
    now: datetime,
) -> Prices | None:
    """Return the bars of [start, end]; None if there are none.

    Alpha Vantage's free series is as traded. Ours is adjusted for splits until today, `adj_close` for dividends too: on
    each ex-date what came before is multiplied by 1 - dividend / close of the session before, as CRSP and Yahoo do.

    Args:
        daily: Bars by day, as Alpha Vantage words them.
        splits: Every split until today.
        dividends: Every dividend until today, as paid.
        start: First day.
        end: Last day.
        now: When they were read.
    """
    read = sorted(row for day, bar in object_of(daily).items() if (row := _bar(day, bar)) is not None)
    if daily and not read:
        raise Unreadable
    bars = [row for row in read if row[0] >= start]
    if not any(row[0] <= end for row in bars):
        return None
    days = [row[0] for row in bars]
    factor = np.array([_shares_since(day, splits) for day in days])
    opened, high, low, close, volume = (np.array(column) for column in list(zip(*bars, strict=True))[1:])
    adjusted = close / factor
    paid = tuple(
        Dividend(dividend.day, dividend.amount / _shares_since(dividend.day, splits)) for dividend in dividends
    )
    whole = Prices(
        symbol=symbol,
        days=np.array(days, dtype="datetime64[D]"),
        open=opened / factor,
        high=high / factor,
        low=low / factor,
        close=adjusted,
        adj_close=adjusted * _kept_after(days, adjusted, paid),
        volume=volume * factor,
        currency="USD",
        vendor=NAME,
        fetched_at=now,
        splits=tuple(splits),
        dividends=tuple(dividend for dividend in paid if days[0] <= dividend.day <= days[-1]),
    )
    return whole.upto(end)


def splits_of(answer: Any, *, today: date) -> tuple[Split, ...]:
    """Return the splits in force, oldest first; future ones don't affect prices yet.

    Raises:
        Unreadable: One is invalid: prices without it would be wrong by its ratio.
    """
    splits = []
    for entry in data_of(answer):
        day, ratio = day_of(entry.get("effective_date")), number(entry.get("split_factor"))
        if day is None or ratio is None or ratio <= 0:
            raise Unreadable
        if day <= today:
            splits.append(Split(day, _unrounded(ratio)))
    return tuple(sorted(splits, key=_by_day))


def _unrounded(factor: float) -> float:
    """Return the ratio for a factor of four decimals: 0.0667 is one share for 15."""
    old = round(1 / factor) if 1 / factor < LARGEST_REVERSE else 0
    return 1 / old if old > 1 and abs(1 / old - factor) <= ROUNDING else factor


def dividends_of(answer: Any, *, today: date) -> tuple[Dividend, ...]:
    """Return the dividends whose ex-date has passed, oldest first, as paid."""
    found = [(day_of(entry.get("ex_dividend_date")), number(entry.get("amount"))) for entry in data_of(answer)]
    if found and all(day is None or paid is None for day, paid in found):
        raise Unreadable
    for day, paid in found:
        if day is None or paid is None:
            lost("dividend", ex_dividend_date=day, amount=paid)
    return tuple(sorted((Dividend(day, paid) for day, paid in found if day and paid and day <= today), key=_by_day))


def _bar(day: Any, bar: Any) -> tuple[date, float, float, float, float, float] | None:
    read = day_of(day)
    if read is None or not isinstance(bar, dict):
        lost("bar", day=read, bar=bar if isinstance(bar, dict) else None)
        return None
    named = {name: number(bar.get(name)) for name in ("1. open", "2. high", "3. low", "4. close", "5. volume")}
    numbers = list(named.values())
    if any(one is None for one in numbers):
        lost("bar", since=read, **named)
        return None
    if (numbers[3] or 0.0) <= 0.0:
        return None
    opened, high, low, close, volume = (one or 0.0 for one in numbers)
    return read, opened, high, low, close, volume


def _shares_since(day: date, splits: Sequence[Split]) -> float:
    """Return how many of today's shares one share of a day has become."""
    return math.prod(split.ratio for split in splits if split.day > day)


def _kept_after(days: Sequence[date], close: Floats, dividends: Sequence[Dividend]) -> Floats:
    """Return the factor for each session's close that accounts for later dividends."""
    kept = np.ones(len(days))
    ordinals = np.array([day.toordinal() for day in days])
    for paid in dividends:
        at = int(np.searchsorted(ordinals, paid.day.toordinal(), side="left"))
        if 0 < at < len(days) and paid.amount < close[at - 1]:
            kept[:at] *= 1.0 - paid.amount / close[at - 1]
    return kept


def _by_day(one: Split | Dividend) -> date:
    return one.day
