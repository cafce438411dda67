"""Whether a decision can be traded, and what came of it.

Missing risk is never low risk: without the volatility of 20 sessions there is no entry, stop, target or size, whoever
decides.

Returns are fractions of `adj_close`, so they include dividends and splits. They ignore costs, fills and stops: they
evaluate a forecast, not a trade, which is the task of a backtest. `stop_hit` says when a stop would have ended it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta

import numpy as np

from tradingagents.analytics.least_history import LEAST_HISTORY
from tradingagents.analytics.price.returns import LONGEST_GAP, annualised_volatility
from tradingagents.dataflows.gateway.checks.price_days import trading_calendar
from tradingagents.dataflows.gateway.checks.traded_bars import why_not_tradable
from tradingagents.dataflows.models import Floats, Prices
from tradingagents.dataflows.reference.calendar import Sessions
from tradingagents.dataflows.reference.data_faults import FaultKind, reference

VOLATILITY_BARS = LEAST_HISTORY["volatility_20d"]
"""Bars of the volatility that stop and size are set by."""


def no_trade(prices: Prices, session: date) -> str | None:
    """Return why no decision can rest on prices: too few are sound, or the newest are old; None if one can.

    Args:
        prices: Bars known at the cut-off, at least one.
        session: The last session that had closed.
    """
    found = prices.withheld
    if found is not None and len(prices) < VOLATILITY_BARS:
        return (
            f"The prices of {prices.symbol} are sound since {found.sound_from} only, {len(prices)} sessions, and a "
            f"decision needs {VOLATILITY_BARS}: {found.text}. Correct the prices, or name another vendor or a later "
            f"day ({reference(found.kind)})."
        )
    return why_not_tradable(prices, session, trading_calendar(prices.symbol))


def no_size(prices: Prices) -> str | None:
    """Return why the volatility of the last 20 sessions is not known, so that no level and no size can be set by it."""
    count = len(prices)
    if count < VOLATILITY_BARS:
        return (
            f"the volatility of 20 sessions needs {VOLATILITY_BARS} sessions of prices, and {prices.symbol} has "
            f"{count} ({reference('short-history')})."
        )
    if prices.spans_gap(VOLATILITY_BARS):
        count = prices.gaps_within(VOLATILITY_BARS)
        first = prices.days[-VOLATILITY_BARS].item()
        kind: FaultKind = "no-trade" if prices.untraded and prices.untraded[-1] > first else "missing-days"
        return (
            f"{count} session{'s' if count > 1 else ''} since {first} had no trade or no sound bar, "
            f"so that the volatility of the last 20 is not known ({reference(kind)})."
        )
    if not annualised_volatility(prices):
        return f"the close of {prices.symbol} did not move in 20 sessions, which measures no risk."
    return None


SIDE: Mapping[str, int] = {"BUY": 1, "HOLD": 0, "SELL": -1}
"""Position after a decision: 1 long, 0 none, -1 short."""


def position(action: str, sell_means: str | None = "short") -> int:
    """Return the position after a decision, see `SIDE`; a SELL that only closes gives 0.

    Args:
        action: BUY, SELL or HOLD.
        sell_means: Meaning of SELL, short or close; None means short, as in earlier versions.
    """
    return 0 if action == "SELL" and sell_means == "close" else SIDE[action]


@dataclass(frozen=True, slots=True)
class Path:
    """Returns and drawdowns over a window: of the stock, its benchmark and the decision's position."""

    total_return: float
    benchmark_return: float | None
    """None when there is no benchmark, or no prices of it for the window."""
    drawdown: float
    """Largest decline of the stock from a running high within the window, including its first close; 0 or negative."""
    position_drawdown: float
    """Largest decline of the position's value: of the stock for BUY, of a short position worth 1 at the start for SELL;
    0 for HOLD and for a SELL that only closes. Below -1 when a short position lost more than it was worth."""


def window_end(calendar: Sessions, until: date) -> date:
    """Return the session whose close ends a window: the first on or after `until`.

    Raises:
        ValueError: The day lies beyond the calendar.
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
    from_open: bool = False,
) -> Path | None:
    """Return the changes from the close of `start` to that of `end`; None unless the stock traded on both.

    The benchmark's last prices on or before the two days are used, since exchanges have different holidays.

    Args:
        action: BUY, SELL or HOLD.
        prices: The stock.
        start: Session of the first close.
        end: Session of the last close.
        benchmark: Prices of the benchmark; None for no benchmark.
        sell_means: Meaning of SELL, short or close.
        from_open: Whether the window begins with the open of `start` instead of its close.
    """
    held = prices.since(start).upto(end)
    if len(held) < (1 if from_open else 2) or held.days[0].item() != start or held.days[-1].item() != end:
        return None
    closes = np.concatenate([_adjusted_open(held)[:1], held.adj_close]) if from_open else held.adj_close
    if not (np.isfinite(closes).all() and (closes > 0).all()):
        return None
    return Path(
        total_return=float(closes[-1] / closes[0] - 1),
        benchmark_return=None if benchmark is None else _change(benchmark, start, end, from_open=from_open),
        drawdown=_deepest_fall(closes),
        position_drawdown=_deepest_fall(1 + position(action, sell_means) * (closes / closes[0] - 1)),
    )


def stop_hit(
    action: str,
    prices: Prices,
    start: date,
    end: date,
    stop: float,
    *,
    as_of_price: float,
    sell_means: str | None = "short",
    from_open: bool = False,
) -> date | None:
    """Return the first session of a window in which the decision's stop would have closed its position.

    A long position is closed where a low reaches the stop, a short one where a high does. The stop is on the basis of
    `as_of_price`; later splits are undone by what they did to the close of that session. Dividends do not move it.

    Args:
        action: BUY, SELL or HOLD; a position of none has no stop.
        prices: The stock, with the session of `as_of_price`.
        start: Session of the as-of price; of the first open where `from_open`.
        end: Last session of the window.
        stop: As traded on the day of the decision.
        as_of_price: The last close that the decision knew, as traded then.
        sell_means: Meaning of SELL, short or close.
        from_open: Whether the window begins with the open of `start` instead of its close.
    """
    side = position(action, sell_means)
    before = prices.upto(start - timedelta(days=1)) if from_open else prices.upto(start)
    if not side or not len(before):
        return None
    level = stop * float(before.close[-1]) / as_of_price
    held = prices.since(start if from_open else start + timedelta(days=1)).upto(end)
    reached = held.low <= level if side > 0 else held.high >= level
    first = int(np.argmax(reached)) if reached.any() else None
    return None if first is None else held.days[first].item()


def earned(action: str, total_return: float, sell_means: str | None = "short") -> float:
    """Return the return of the decision's position.

    It is the stock's return for BUY, its negative for SELL, and 0 for HOLD and for a SELL that only closes.
    """
    return position(action, sell_means) * total_return + 0.0


def excess(action: str, total_return: float, benchmark_return: float | None) -> float | None:
    """Return by how much a decision beat the benchmark; None without one.

    It is the stock's return minus the benchmark's for BUY, the negative of that for SELL, and 0 for HOLD. This holds
    for both meanings of SELL: a short position against the benchmark gains that difference, and so does a sale whose
    proceeds are invested in the benchmark, compared with keeping the stock.
    """
    return None if benchmark_return is None else SIDE[action] * (total_return - benchmark_return) + 0.0


def proved_right(action: str, total_return: float, benchmark_return: float | None) -> bool | None:
    """Return whether a decision beat the benchmark or, without one, whether the stock moved in its direction.

    None for HOLD, which takes no side, and for NO_DECISION.
    """
    if not SIDE.get(action):
        return None
    return SIDE[action] * (total_return - (benchmark_return or 0.0)) > 0


def _deepest_fall(values: Floats) -> float:
    return float((values / np.maximum.accumulate(values)).min() - 1)


def _adjusted_open(prices: Prices) -> Floats:
    """Return the opens on the basis of `adj_close`; NaN where a close is 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return prices.open * prices.adj_close / prices.close


def _change(prices: Prices, start: date, end: date, *, from_open: bool) -> float | None:
    traded_then = len(prices.since(start).upto(start)) == 1
    begin = _adjusted_open(prices) if from_open and traded_then else prices.adj_close
    first, last = _price_on(prices, begin, start), _price_on(prices, prices.adj_close, end)
    return None if first is None or last is None else last / first - 1


def _price_on(prices: Prices, values: Floats, day: date) -> float | None:
    """Return the value of a day or of the last one before it, unless that is long ago."""
    index = int(np.searchsorted(prices.days, np.datetime64(day, "D"), side="right")) - 1
    if index < 0 or (day - prices.days[index].item()).days > LONGEST_GAP:
        return None
    price = float(values[index])
    return price if math.isfinite(price) and price > 0 else None
