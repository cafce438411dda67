"""The baselines once more, with pandas: constant weights and the classic rules; they share no code with them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date

import numpy as np
import pandas as pd

from tradingagents.dataflows.models import Prices
from tradingagents.features.backtest.audit.result_folder import RecordedBacktest
from tradingagents.features.backtest.audit.second.prices import SymbolHistory

Weights = Mapping[str, float]
BONDS = ("AGG", "BND", "IEF", "TLT")
HELD = "buy_and_hold"
MACD_SESSIONS, RSI_SESSIONS = 156, 108
"""Sessions after which the first close no longer matters: six times 26, and four times the span 27 of Wilder's 14."""


def rule_weights(
    rule: Callable[[pd.DataFrame], pd.Series], prices: Mapping[str, Prices], days: Sequence[date]
) -> dict[date, Weights]:
    """Return the weights of a rule on the days on which they change: equal shares of what it holds.

    Args:
        rule: One of `SECOND_RULES`.
        prices: By ticker, from long before the first day on.
        days: The sessions of a backtest.
    """
    held = pd.DataFrame({name: rule(_frame(history)) for name, history in prices.items()}).sort_index().ffill()
    on = held.reindex(held.index.union(list(days))).ffill().loc[list(days)].fillna(0.0) > 0
    changed = on.ne(on.shift()).any(axis=1)
    changed.iloc[0] = True
    return {day: {name: 1 / len(prices) for name in on.columns if on.at[day, name]} for day in on.index[changed]}


def _frame(prices: Prices) -> pd.DataFrame:
    """Return bars adjusted for dividends, too."""
    scale = prices.adj_close / prices.close
    columns = {"high": prices.high * scale, "low": prices.low * scale, "close": prices.adj_close}
    frame = pd.DataFrame(columns, index=pd.Index([day.item() for day in prices.days]))
    return frame[~frame.index.duplicated(keep="last")]


def _between(buys: pd.Series, sells: pd.Series) -> pd.Series:
    """Return 1 from a buy to the session before a sale."""
    return pd.Series(np.nan, index=buys.index).mask(buys, 1.0).mask(sells, 0.0).ffill().fillna(0.0)


def _macd(frame: pd.DataFrame) -> pd.Series:
    line = frame["close"].ewm(span=12, adjust=True).mean() - frame["close"].ewm(span=26, adjust=True).mean()
    found = (line > line.ewm(span=9, adjust=True).mean()).astype(float)
    found.iloc[: MACD_SESSIONS - 1] = 0.0
    return found


def _kdj_rsi(frame: pd.DataFrame) -> pd.Series:
    close = frame["close"]
    lowest, highest = frame["low"].rolling(9).min(), frame["high"].rolling(9).max()
    raw = (100 * (close - lowest) / (highest - lowest)).where(highest > lowest, 50.0)[8:]
    k = pd.concat([pd.Series([50.0]), raw]).ewm(alpha=1 / 3, adjust=False).mean().iloc[1:].reindex(close.index)
    change = close.diff().fillna(0.0)
    gain = change.clip(lower=0).ewm(alpha=1 / 14, adjust=True).mean()
    loss = (-change.clip(upper=0)).ewm(alpha=1 / 14, adjust=True).mean()
    rsi = (100 * gain / (gain + loss)).where(gain + loss > 0, 50.0)
    rsi.iloc[: RSI_SESSIONS - 1] = np.nan
    return _between((k <= 20) & (rsi <= 30), (k >= 80) & (rsi >= 70))


def _zmr(frame: pd.DataFrame) -> pd.Series:
    close = frame["close"]
    distance = (close - close.rolling(20).mean()) / close.rolling(20).std()
    return _between(distance <= -1, distance >= 0)


def _sma(frame: pd.DataFrame) -> pd.Series:
    return (frame["close"].rolling(50).mean() > frame["close"].rolling(200).mean()).astype(float)


def _momentum(frame: pd.DataFrame) -> pd.Series:
    return (frame["close"].shift(21) > frame["close"].shift(252)).astype(float)


SECOND_RULES: Mapping[str, Callable[[pd.DataFrame], pd.Series]] = {
    "macd": _macd,
    "kdj_rsi": _kdj_rsi,
    "zmr": _zmr,
    "sma": _sma,
    "momentum": _momentum,
}
"""What each rule holds after each close, 0 or 1, by the name of its baseline."""


Plans = dict[str, Mapping[date, Weights]]
"""Target weights of baselines, by name and by the session after whose close they are wanted."""


def constant_plans(
    recorded: RecordedBacktest, funds: Sequence[str], sectors: Sequence[str], histories: Mapping[str, SymbolHistory]
) -> Plans:
    """Return the baselines of constant weights; funds that are only held reinvest their dividends.

    Args:
        recorded: The folder.
        funds: The funds of the run.
        sectors: Which of them are those of sectors.
        histories: Prices by symbol.
    """
    days = days_of(recorded)

    def held(symbols: Sequence[str]) -> list[date]:
        paid = {day for symbol in symbols if symbol in histories for day in histories[symbol].dividends}
        return [*days[:1], *(day for day in days[1:] if day in paid)]

    months = [
        day for before, day in zip([None, *days], days, strict=False) if before is None or before.month != day.month
    ]
    equal = dict.fromkeys(recorded.tickers, 1 / len(recorded.tickers))
    plans: dict[str, tuple[Mapping[str, float], Sequence[date]]] = {
        HELD: (equal, days[:1]),
        "equal_weight": (equal, months),
    }
    bonds = [fund for fund in BONDS if fund in funds]
    others = [fund for fund in funds if fund not in (*BONDS, *sectors)]
    if others:
        plans["benchmark"] = ({others[0]: 1.0}, held(others[:1]))
        if bonds:
            plans["60_40"] = ({others[0]: 0.6, bonds[0]: 0.4}, months)
    if own := [fund for fund in funds if fund in sectors]:
        plans["sector_funds"] = (dict.fromkeys(own, 1 / len(own)), held(own))
    return {name: dict.fromkeys(on, weights) for name, (weights, on) in plans.items()}


def rule_plans(recorded: RecordedBacktest, prices: Mapping[str, Prices]) -> Plans:
    """Return the baselines of the classic rules, whose signals are computed again; none where prices are missing."""
    days = days_of(recorded)
    if not days or {*prices} != {*recorded.tickers}:
        return {}
    return {name: rule_weights(rule, prices, days) for name, rule in SECOND_RULES.items()}


def days_of(recorded: RecordedBacktest) -> list[date]:
    """Return the sessions of a result's equity from the start that was asked for."""
    return [day for day in sorted(set(recorded.equity_rows)) if str(day) >= recorded.request["start"]]
