"""Small made-up prices and statements whose numbers can be worked out by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta

import numpy as np

from tradingagents.dataflows.models import Frequency, KnownBy, Prices, Statement, StatementKind
from tradingagents.dataflows.reference.calendar import sessions

FETCHED = datetime(2024, 7, 2, 6, tzinfo=UTC)
AS_OF = date(2024, 6, 28)
"""A Friday, and a session."""
KNOWN = datetime(2024, 6, 28, 20, tzinfo=UTC)
_CALENDAR = sessions("XNYS")


def session_days(count: int, last: date = AS_OF) -> np.ndarray:
    """The `count` sessions up to and including `last`."""
    stop = _CALENDAR.days.index(last) + 1
    return np.array(_CALENDAR.days[stop - count : stop], dtype="datetime64[D]")


def bars(closes: Sequence[float], symbol: str = "MADE", last: date = AS_OF, **changes: object) -> Prices:
    """Bars with the given closes, one point of range either way, and 1,000 shares a day."""
    close = np.array(closes, dtype=float)
    fields: dict[str, object] = {
        "days": session_days(len(close), last),
        "open": close.copy(),
        "high": close + 1,
        "low": close - 1,
        "close": close,
        "adj_close": close.copy(),
        "volume": np.full(len(close), 1000.0),
        "currency": "USD",
        "vendor": "made",
        "fetched_at": FETCHED,
        **changes,
    }
    return Prices(symbol=symbol, **fields)  # type: ignore[arg-type]


def wander(count: int = 300, seed: int = 7, last: date = AS_OF, symbol: str = "MADE") -> Prices:
    """A random walk with honest opens, highs, lows and volumes."""
    rng = np.random.default_rng(seed)
    close = 100 * np.exp(np.cumsum(rng.normal(0.0003, 0.015, count)))
    open_ = close * np.exp(rng.normal(0, 0.004, count))
    high = np.maximum(open_, close) * (1 + rng.uniform(0, 0.01, count))
    low = np.minimum(open_, close) * (1 - rng.uniform(0, 0.01, count))
    volume = rng.uniform(5e5, 2e6, count).round()
    return bars(close, symbol, last, open=open_, high=high, low=low, volume=volume)


def statement(
    end: date,
    items: Mapping[str, float],
    kind: StatementKind = "income",
    frequency: Frequency = "quarterly",
    *,
    filed: date | None = None,
    known_by: KnownBy = "accepted",
    currency: str = "USD",
) -> Statement:
    """A statement filed 30 days after its period, unless told otherwise."""
    filed = filed or end + timedelta(days=30)
    return Statement(
        symbol="MADE",
        kind=kind,
        frequency=frequency,
        fiscal_year=end.year,
        fiscal_period="FY" if frequency == "annual" else f"Q{(end.month - 1) // 3 + 1}",
        period_end=end,
        known_at=datetime.combine(filed, time(12), tzinfo=UTC),
        currency=currency,
        source="books",
        items=dict(items),
        known_by=known_by,
    )


QUARTER_ENDS = (
    date(2024, 3, 31),
    date(2023, 12, 31),
    date(2023, 9, 30),
    date(2023, 6, 30),
    date(2023, 3, 31),
    date(2022, 12, 31),
    date(2022, 9, 30),
    date(2022, 6, 30),
)
"""Eight quarters, newest first."""


def quarters(name: str, values: Sequence[float], kind: StatementKind = "income") -> list[Statement]:
    """One statement per value, newest first, each with a single item."""
    return [statement(end, {name: value}, kind) for end, value in zip(QUARTER_ENDS, values, strict=False)]
