"""What came of a decision: returns and drawdowns from one session's close to a later one's, in plain NumPy.

Returns are fractions of `adj_close`, so dividends and splits count. They run from close to close and know nothing of
costs, of fills or of stops: they judge what was foreseen, not a trade. A backtest does that.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta

import numpy as np

from tradingagents.analytics.returns import LONGEST_GAP
from tradingagents.dataflows.calendar import Sessions
from tradingagents.dataflows.rows import Floats, Prices

SIDE: Mapping[str, int] = {"BUY": 1, "HOLD": 0, "SELL": -1}
"""What one holds after a decision: 1 the stock, 0 nothing of it, -1 the stock sold short."""


@dataclass(frozen=True, slots=True)
class Path:
    """What a stock did over a window, a benchmark over the same, and what the side taken went through."""

    total_return: float
    benchmark_return: float | None
    """None where there is no benchmark, or no prices of it for the window."""
    drawdown: float
    """Deepest fall of the stock from a running high within the window, its first close included; 0 or negative."""
    position_drawdown: float
    """The same of a position's value: the stock for BUY, 0 for HOLD, a short worth 1 at the start for SELL. Below -1
    where a short lost more than it was worth."""


def window_end(calendar: Sessions, until: date) -> date:
    """Return the session whose close ends a window: the first on or after `until`.

    Raises:
        ValueError: It lies beyond the calendar.
    """
    return calendar.after(until - timedelta(days=1))


def path(action: str, prices: Prices, start: date, end: date, benchmark: Prices | None = None) -> Path | None:
    """Return what happened from the close of `start` to that of `end`; None unless the stock traded on both.

    The benchmark's closes are its last ones on or before the two days, as exchanges close on different holidays.

    Args:
        action: BUY, SELL or HOLD: the side a position took.
        prices: The stock.
        start: Session of the first close.
        end: Session of the last close.
        benchmark: What it is measured against; None: nothing.
    """
    held = prices.since(start).upto(end)
    if len(held) < 2 or held.days[0].item() != start or held.days[-1].item() != end:
        return None
    closes = held.adj_close
    if not (np.isfinite(closes).all() and (closes > 0).all()):
        return None
    return Path(
        total_return=float(closes[-1] / closes[0] - 1),
        benchmark_return=None if benchmark is None else _change(benchmark, start, end),
        drawdown=_deepest_fall(closes),
        position_drawdown=_deepest_fall(1 + SIDE[action] * (closes / closes[0] - 1)),
    )


def earned(action: str, total_return: float) -> float:
    """Return what the side of an action earned: the return for BUY, its negative for SELL, 0 for HOLD."""
    return SIDE[action] * total_return + 0.0


def excess(action: str, total_return: float, benchmark_return: float | None) -> float | None:
    """Return what the side of an action earned beyond the benchmark; None without one."""
    return None if benchmark_return is None else earned(action, total_return - benchmark_return)


def proved_right(action: str, total_return: float, benchmark_return: float | None) -> bool | None:
    """Tell whether the side taken earned more than nothing against the benchmark, or without one at all.

    None for HOLD, which took no side; and for NO_DECISION.
    """
    if not SIDE.get(action):
        return None
    return earned(action, total_return - (benchmark_return or 0.0)) > 0


def _deepest_fall(values: Floats) -> float:
    return float((values / np.maximum.accumulate(values)).min() - 1)


def _change(prices: Prices, start: date, end: date) -> float | None:
    first, last = _close_on(prices, start), _close_on(prices, end)
    return None if first is None or last is None else last / first - 1


def _close_on(prices: Prices, day: date) -> float | None:
    index = int(np.searchsorted(prices.days, np.datetime64(day, "D"), side="right")) - 1
    if index < 0 or (day - prices.days[index].item()).days > LONGEST_GAP:
        return None
    close = float(prices.adj_close[index])
    return close if math.isfinite(close) and close > 0 else None
