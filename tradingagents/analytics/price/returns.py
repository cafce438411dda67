"""Returns and risk of daily prices in plain NumPy, fast enough for many tickers at once.

Returns are fractions (0.05 for 5 %) of `adj_close`, so they include dividends and splits. Horizons are sessions, not
calendar days. Results are None when the history is too short or a price is not a positive number.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import date
from itertools import pairwise

import numpy as np

from tradingagents.dataflows.models import Floats, Prices

HORIZONS: Mapping[str, int] = {"1w": 5, "1m": 21, "3m": 63, "6m": 126}
"""Sessions of the documented horizons; the year to date (`ytd`) is found by date."""
PERIODS = (*HORIZONS, "ytd")
SCAN_HORIZONS: Mapping[str, int] = {"1d": 1, "1w": 5, "1m": 21}
"""Sessions of the horizons used in a market scan."""
SCAN_PERIODS = (*SCAN_HORIZONS, "ytd")
SESSIONS_PER_YEAR = 252
REACH = 0.05
"""By what share prices of one session without a bar may lie beyond those around it, so that what lies further away is
known without them: about three times the daily deviation of a share."""
FALL_TOLERANCE = 0.0025
"""By how much a possible fall may exceed the known one: a quarter of a percentage point."""
MOST_LOST = 100
"""Of so many sessions of a regression one may be without a bar."""
LONGEST_GAP = 10
"""Maximum age in calendar days of the bar used for a day: longer than any closure of the supported exchanges."""


def simple_return(prices: Prices, sessions: int) -> float | None:
    """Return the relative change of the last close from that `sessions` sessions earlier; None without a bar of it."""
    base = prices.sessions_back(sessions) if sessions >= 1 else None
    return None if base is None else _change(float(prices.adj_close[base]), float(prices.adj_close[-1]))


def year_to_date(prices: Prices) -> float | None:
    """Return the relative change of the last close from the last close of the previous calendar year."""
    base = _year_start(prices)
    return None if base is None else _change(float(prices.adj_close[base]), float(prices.adj_close[-1]))


def horizon_returns(prices: Prices) -> dict[str, float | None]:
    """Return the returns of all `PERIODS`, by period."""
    found: dict[str, float | None] = {name: simple_return(prices, count) for name, count in HORIZONS.items()}
    return {**found, "ytd": year_to_date(prices)}


def scan_returns(prices: Prices) -> dict[str, float | None]:
    """Return the returns of all `SCAN_PERIODS`, by period."""
    found: dict[str, float | None] = {name: simple_return(prices, count) for name, count in SCAN_HORIZONS.items()}
    return {**found, "ytd": year_to_date(prices)}


def largest_daily_change(prices: Prices, sessions: int = 1) -> float | None:
    """Return the largest absolute one-session return of the last sessions; None if none has a return.

    Args:
        sessions: Number of last sessions; fewer when the history is shorter, none where one of them has no bar.
    """
    if (
        prices.lacks(sessions + 1)
        or prices.spans_gap(sessions + 1)
        or np.isnan(prices.adj_close[-sessions - 1 :]).any()
    ):
        return None
    changes = (_change(float(base), float(last)) for base, last in pairwise(prices.adj_close[-sessions - 1 :]))
    return max((abs(change) for change in changes if change is not None), default=None)


def mean_dollar_volume(prices: Prices, sessions: int = 20) -> float | None:
    """Return the mean of close times volume over the last sessions, in the currency of the prices.

    None with fewer sessions, one without a bar, or when a factor is not known.
    """
    if len(prices) < sessions or prices.spans_gap(sessions):
        return None
    traded = prices.close[-sessions:] * prices.volume[-sessions:]
    return float(traded.mean()) if np.isfinite(traded).all() else None


def returns_alongside(other: Prices, stock: Prices) -> dict[str, float | None]:
    """Return the returns of `other` over the same days as the stock's `PERIODS`, by period.

    Horizons are counted in the stock's sessions. For each end of a horizon, the other's last close on or before the
    day is used, at most `LONGEST_GAP` days old; None if either has no such close, or
    the close of that session is lost.
    """
    if not len(stock) or not len(other):
        return dict.fromkeys(PERIODS)
    bases: dict[str, int | None] = {name: stock.sessions_back(count) for name, count in HORIZONS.items()}
    bases["ytd"] = _year_start(stock)
    last = _close_on(other, stock.days[-1])
    return {
        name: None if base is None or last is None else _change(_close_on(other, stock.days[base]), last)
        for name, base in bases.items()
    }


def annualised_volatility(prices: Prices, sessions: int = 20) -> float | None:
    """Return the sample standard deviation (n - 1) of the last daily log returns times √252, as a fraction.

    None where there are fewer returns, or a session has no bar: the next return is that of several sessions.
    """
    if sessions < 2 or len(prices) <= sessions or prices.spans_gap(sessions + 1):
        return None
    closes = prices.adj_close[-sessions - 1 :]
    if not _usable(closes):
        return None
    return float(np.diff(np.log(closes)).std(ddof=1)) * math.sqrt(SESSIONS_PER_YEAR)


def max_drawdown(prices: Prices, sessions: int = SESSIONS_PER_YEAR) -> float | None:
    """Return the largest decline from a running high within the last sessions: a fraction, 0 or negative.

    None with fewer bars than `sessions`, or where a close of a session without a bar could have made it larger.
    """
    if len(prices) < max(sessions, 2):
        return None
    numbers = prices.gaps_before + np.arange(len(prices))
    first = int(np.searchsorted(numbers, numbers[-1] - sessions, side="right"))
    closes = prices.adj_close[first:]
    if not _usable(closes):
        return None
    fall = _deepest(closes)
    if not prices.gaps:
        return fall
    gaps = around_gaps(prices, prices.adj_close, prices.adj_close)
    gaps = gaps[gaps[:, 0] >= first]
    possible = np.insert(closes, np.repeat(gaps[:, 0].astype(int) - first, 2), gaps[:, 1:].ravel())
    return fall if _deepest(possible) > fall - FALL_TOLERANCE else None


def around_gaps(prices: Prices, highs: Floats, lows: Floats) -> Floats:
    """Return what prices may have been in sessions without a bar: a row for each stretch of them.

    Args:
        highs: Of each bar, as are the lows.

    Returns:
        Rows of the index of the bar after the stretch (the number of bars where none follows), the highest and the
        lowest price. They lie `REACH` beyond the bars around it, times the root of the number of sessions.
    """
    after = np.append(np.diff(prices.gaps_before, prepend=prices.gaps_before[:1]), prices.gaps_within(1))
    stretches = np.flatnonzero(after)
    reach = 1 + REACH * np.sqrt(after[stretches])
    before, then = stretches - 1, np.minimum(stretches, len(prices) - 1)
    highest, lowest = np.maximum(highs[before], highs[then]), np.minimum(lows[before], lows[then])
    return np.column_stack([stretches, highest * reach, lowest / reach])


def _deepest(closes: Floats) -> float:
    return float((closes / np.maximum.accumulate(closes)).min() - 1)


def beta(
    prices: Prices, benchmark: Prices, *, sessions: int = 2 * SESSIONS_PER_YEAR, minimum: int = 60
) -> float | None:
    """Return the slope of the stock's daily returns on the benchmark's: covariance over variance on common days.

    Across sessions without a bar both returns span the same days; with more than one in `MOST_LOST` there is no beta.

    Args:
        prices: The stock.
        benchmark: The market index it is compared with.
        sessions: Number of common sessions, two years by default.
        minimum: Minimum number of daily returns.

    Returns:
        The beta; None with fewer returns than `minimum`, when the benchmark did not change, or where bars of the
        window are withheld.
    """
    if prices.lacks(sessions + 1) or benchmark.lacks(sessions + 1):
        return None
    if too_many_lost(prices, sessions + 1) or too_many_lost(benchmark, sessions + 1):
        return None
    stock, market = common_closes(prices, benchmark)
    stock, market = stock[-sessions - 1 :], market[-sessions - 1 :]
    if len(stock) <= minimum or not (_usable(stock) and _usable(market)):
        return None
    ours, theirs = np.diff(stock) / stock[:-1], np.diff(market) / market[:-1]
    deviation = theirs - theirs.mean()
    variance = float(deviation @ deviation)
    return float(deviation @ (ours - ours.mean())) / variance if variance > 0 else None


def too_many_lost(prices: Prices, sessions: int) -> bool:
    """Return whether a regression over the last sessions would lack more than one bar in `MOST_LOST`."""
    return prices.gaps_within(sessions) > min(len(prices), sessions) // MOST_LOST


def percent(fraction: float | None) -> float | None:
    """Convert a fraction to percent; None stays None."""
    return None if fraction is None else 100 * fraction


def ratio(numerator: float | None, denominator: float | None) -> float | None:
    """Return the quotient; None when a part is missing or the denominator is zero."""
    return None if numerator is None or not denominator else numerator / denominator


def times(value: float | None, factor: float) -> float | None:
    """Return a number times a factor; None stays None."""
    return None if value is None else value * factor


def last_day(prices: Prices) -> date:
    """Return the session of the last bar."""
    return prices.days[-1].astype(date)  # type: ignore[no-any-return]


def price_unit(prices: Prices) -> str:
    """Return the unit of the prices: the currency, or an empty string for index points."""
    return "" if prices.basis == "index" else prices.currency


def common_closes(left: Prices, right: Prices) -> tuple[Floats, Floats]:
    """Return the adjusted closes of the days on which both traded, oldest first."""
    if np.array_equal(left.days, right.days):
        return left.adj_close, right.adj_close
    _, ours, theirs = np.intersect1d(left.days, right.days, assume_unique=True, return_indices=True)
    return left.adj_close[ours], right.adj_close[theirs]


def _year_start(prices: Prices) -> int | None:
    """Return the index of the last bar of the previous calendar year; None when the history begins later.

    None too where the last session of that year has no bar, or the symbol has not traded since its last bar.
    """
    if not len(prices) or prices.gaps_within(1):
        return None
    new_year = prices.days[-1].astype("datetime64[Y]").astype("datetime64[D]")
    first = int(np.searchsorted(prices.days, new_year, side="left"))
    if not first:
        return None
    lost = any(prices.days[first - 1] < np.datetime64(day) < new_year for day in prices.gaps)
    return None if lost else first - 1


def _close_on(prices: Prices, day: np.datetime64) -> float | None:
    index = int(np.searchsorted(prices.days, day, side="right")) - 1
    if index < 0 or int((day - prices.days[index]).astype(int)) > LONGEST_GAP or day.item() in prices.gaps:
        return None
    return float(prices.adj_close[index])


def _change(base: float | None, last: float) -> float | None:
    if base is None or not (math.isfinite(base) and math.isfinite(last)) or base <= 0:
        return None
    return last / base - 1


def _usable(closes: Floats) -> bool:
    return bool(np.isfinite(closes).all() and (closes > 0).all())
