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

from tradingagents.analytics.price.returns import LONGEST_GAP
from tradingagents.dataflows.models import Floats, Prices
from tradingagents.dataflows.reference.calendar import Sessions

SIDE: Mapping[str, int] = {"BUY": 1, "HOLD": 0, "SELL": -1}
"""What one holds after a decision: 1 the stock, 0 nothing of it, -1 the stock sold short."""


def position(action: str, sell_means: str | None = "short") -> int:
    """Return what one holds after a decision, see `SIDE`; a SELL that only closes holds nothing.

    Args:
        action: BUY, SELL or HOLD.
        sell_means: What SELL asked for, short or close; None: short, as before that was said.
    """
    return 0 if action == "SELL" and sell_means == "close" else SIDE[action]


@dataclass(frozen=True, slots=True)
class Path:
    """What a stock did over a window, a benchmark over the same, and what the side taken went through."""

    total_return: float
    benchmark_return: float | None
    """None where there is no benchmark, or no prices of it for the window."""
    drawdown: float
    """Deepest fall of the stock from a running high within the window, its first close included; 0 or negative."""
    position_drawdown: float
    """The same of a position's value: the stock for BUY, a short worth 1 at the start for SELL, 0 for HOLD and for a
    SELL that only closes. Below -1 where a short lost more than it was worth."""


def window_end(calendar: Sessions, until: date) -> date:
    """Return the session whose close ends a window: the first on or after `until`.

    Raises:
        ValueError: It lies beyond the calendar.
    """
    return calendar.after(until - timedelta(days=1))


def path(
    action: str,
    prices: Prices,
    start: date,
    end: date,
    benchmark: Prices | None = None,
    *,
    sell_means: str | None = "short",
) -> Path | None:
    """Return what happened from the close of `start` to that of `end`; None unless the stock traded on both.

    The benchmark's closes are its last ones on or before the two days, as exchanges close on different holidays.

    Args:
        action: BUY, SELL or HOLD: the side a position took.
        prices: The stock.
        start: Session of the first close.
        end: Session of the last close.
        benchmark: What it is measured against; None: nothing.
        sell_means: What SELL asked for, short or close.
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
        position_drawdown=_deepest_fall(1 + position(action, sell_means) * (closes / closes[0] - 1)),
    )


def earned(action: str, total_return: float, sell_means: str | None = "short") -> float:
    """Return what the position of a decision earned.

    The return for BUY, its negative for SELL, 0 for HOLD and for a SELL that only closes.
    """
    return position(action, sell_means) * total_return + 0.0


def excess(action: str, total_return: float, benchmark_return: float | None) -> float | None:
    """Return how far a decision beat the benchmark; None without one.

    The stock's return less the benchmark's for BUY, the negative of that for SELL, 0 for HOLD. That holds for both
    meanings of SELL: a short against the benchmark gains it, and so does who puts the proceeds of a sale into the
    benchmark, measured against who kept the stock.
    """
    return None if benchmark_return is None else SIDE[action] * (total_return - benchmark_return) + 0.0


def proved_right(action: str, total_return: float, benchmark_return: float | None) -> bool | None:
    """Tell whether a decision beat the benchmark, or without one whether the stock moved its way.

    None for HOLD, which took no side; and for NO_DECISION.
    """
    if not SIDE.get(action):
        return None
    return SIDE[action] * (total_return - (benchmark_return or 0.0)) > 0


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
