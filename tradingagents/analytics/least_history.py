"""The least history at which each figure of prices means what its name says. Below it a figure is absent.

`LEAST_HISTORY` is the one table: whoever works out, shows or explains a figure reads it here. Counts are bars, that is
sessions with a trade, the last one included: a change over 21 sessions needs 22 closes. The ranges of 52 weeks go by
the calendar, because a year has 242 sessions in Shanghai and 365 of a coin.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date, timedelta

from tradingagents.dataflows.gateway.faults import Fault
from tradingagents.dataflows.models import Prices
from tradingagents.dataflows.reference.data_faults import reference

YEAR = timedelta(days=365)
HISTORY = timedelta(days=800)
"""What figures of a whole history are over, such as tail losses and drawdowns: the history that every run reads. A run
that reads more gives the same figures, and none reads less (`price_history_days`)."""
NEAR_YEAR = YEAR - timedelta(days=7)
"""A history that begins so long before its last bar spans 52 weeks, give or take a week without a session."""
_WILDER_14 = 4 * 27
"""Four times the span of an exponential average, after which the first bar weighs less than 0.1 %. Wilder's smoothing
over n equals a span of 2 n - 1."""
_MACD = 6 * 26
"""A small difference of two averages, and averages of it, take longer: six times the longer span. From there on, of 270
recorded US symbols, none is off by more than 0.003 % of the price, and a MACD after 104 sessions by up to 0.05 %, which
is more than 1 % of it in one case of 25."""

LEAST_HISTORY: Mapping[str, int] = {
    # changes: one close more than the sessions between
    "change_1d": 2,
    "change_1w": 6,
    "change_1m": 22,
    "change_3m": 64,
    "change_6m": 127,
    "return_252d": 253,
    # ranges of a year: by the calendar, of which this is New York's count
    "high_52w": 252,
    "low_52w": 252,
    "max_drawdown_1y": 252,
    "dividend_yield": 252,
    # risk
    "volatility_20d": 21,
    "volatility_252d": 253,
    "downside_deviation_252d": 253,
    "amihud_illiquidity": 253,
    "beta": 61,
    "var_95_1d": 61,
    "expected_shortfall_95_1d": 61,
    "var_99_1d": 251,
    "expected_shortfall_99_1d": 251,
    "daily_range": 15,
    # volume
    "avg_volume_20d": 20,
    "mean_dollar_volume_20d": 20,
    # averages and indicators: the window of a simple average, the warm-up of an exponential one
    "sma_50": 50,
    "sma_200": 200,
    "close_50_sma": 50,
    "close_200_sma": 200,
    "close_10_ema": 4 * 10,
    "macd": _MACD,
    "macds": _MACD,
    "macdh": _MACD,
    "rsi": _WILDER_14,
    "boll": 20,
    "boll_ub": 20,
    "boll_lb": 20,
    "atr": _WILDER_14,
    "vwma": 14,
    "mfi": 15,
    "obv": 2,
}
"""Bars that a figure needs, by its name in answers."""
_BY_CALENDAR = frozenset({"high_52w", "low_52w", "dividend_yield"})


def is_long_enough(prices: Prices, name: str) -> bool:
    """Return whether there are enough bars for a figure of `LEAST_HISTORY`."""
    if name in _BY_CALENDAR:
        return len(prices) > 1 and _last(prices) - _first(prices) >= NEAR_YEAR
    return len(prices) >= LEAST_HISTORY[name]


def short_history_note(prices: Prices, names: Iterable[str]) -> str | None:
    """Return which figures are absent for want of history, with the sessions there are and are needed; None for none.

    Args:
        prices: Bars up to the day. Where earlier bars are withheld, the note on those says it.
        names: The figures of the answer.
    """
    if prices.withheld is not None or not len(prices):
        return None
    lacking: dict[int, list[str]] = {}
    for name in names:
        if not is_long_enough(prices, name):
            lacking.setdefault(LEAST_HISTORY[name], []).append(name)
    if not lacking:
        return None
    needs = "; ".join(f"{', '.join(some)}: {'about ' if _BY_CALENDAR & {*some} else ''}{least}"
                      for least, some in sorted(lacking.items()))  # fmt: skip
    count = f"{len(prices)} session{'' if len(prices) == 1 else 's'}"
    return (
        f"Short history ({reference('short-history')}): {prices.symbol} has {count} from {_first(prices)}. Absent are, "
        f"with the sessions they need, {needs}."
    )


def short_window_note(prices: Prices, what: str) -> str | None:
    """Return that a figure is over a history of less than a year, with its first day; None where it is longer.

    Args:
        prices: Bars up to the day. Where earlier bars are withheld, the note on those says it.
        what: The figure, with its verb.
    """
    if prices.withheld is not None or not len(prices) or is_long_enough(prices, "volatility_252d"):
        return None
    count = f"{len(prices)} session{'' if len(prices) == 1 else 's'}"
    return f"Short history ({reference('short-history')}): {what} over {count} from {_first(prices)}."


def missing_returns_note(prices: Prices, absent: Mapping[str, int | None]) -> str:
    """Return why returns are absent: of too short a history, or of sessions without a bar.

    Args:
        prices: Bars up to the day.
        absent: What the periods without a return are called, each with its sessions; None where it goes by the date.
    """
    if all(sessions is not None and len(prices) > sessions for sessions in absent.values()):
        return f"No return over {', '.join(absent)}: a session in between had no trade or no sound bar."
    needs = [f"{label} needs {sessions + 1}" for label, sessions in absent.items() if sessions is not None]
    return f"The history is too short for {', '.join(absent)}: {', '.join([f'{len(prices)} sessions', *needs])}."


def short_history_fault(prices: Prices) -> Fault | None:
    """Return that a history is shorter than its longest figures need, for the record of a run; None where it is not."""
    short = [name for name in LEAST_HISTORY if not is_long_enough(prices, name)]
    if prices.withheld is not None or not len(prices) or not short:
        return None
    count = len(prices)
    most = max(LEAST_HISTORY[name] for name in short)
    what = f"prices begin on this day, {count} session{'' if count == 1 else 's'}, and the longest figures need {most}"
    done = "figures that need more are absent and score nothing"
    return Fault(prices.symbol, _first(prices), what, done, kind="short-history", withholds=True)


def _first(prices: Prices) -> date:
    day: date = prices.days[0].item()
    return day


def _last(prices: Prices) -> date:
    day: date = prices.days[-1].item()
    return day
