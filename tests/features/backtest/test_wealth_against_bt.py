"""Final wealth of three strategies against the package `bt`, which decides and trades by its own algorithms.

Buy and hold of equal shares, 60/40 restored each month, and each month the stock with the best six months: of the
simulated market, and of recorded prices. The end is within `CLOSE_ENOUGH` of bt's. What remains has three reasons:

- Orders are for whole shares, counted by the close of the decision; the open they are filled at is another price, so
  that up to the night's move stays cash, or is missing for the last order. bt buys fractions for all it has.
- A dividend is cash until the next orders; bt runs on prices adjusted for dividends, which reinvest it at once. Buy and
  hold never reinvests.
- Cents: each fill and each dividend is rounded.

Accounts are fully invested, so that interest on cash changes no more than the first two reasons do. bt is given two
prices a session, the open and the close adjusted for dividends, and trades at the opens that follow decisions.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime, time
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd
import pytest

from tests.features.backtest.market import NO_COSTS, table_of
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.models import Prices
from tradingagents.features.backtest.advance import AccountRules, Targets
from tradingagents.features.backtest.score import run_account
from tradingagents.features.backtest.strategies import OPEN, constant_targets, month_starts
from tradingagents.settings import load_settings

if TYPE_CHECKING:
    import bt

CLOSE_ENOUGH = 0.005
DEPOSIT = 1_000_000.0
OPENS, CLOSES = time(9, 30), time(16)
HISTORY = pd.DateOffset(months=6)
SIMULATED = ("VELQ", "AERQ", "DRIQ", "KLNQ")
RECORDED = ("AAPL", "JPM", "MSFT", "XOM")
Market = Mapping[str, Prices]


def adjusted(market: Market) -> pd.DataFrame:
    """The open and the close of each session, adjusted for dividends, one row each."""
    found = {}
    for symbol, prices in market.items():
        days = [day.item() for day in prices.days]
        opens = dict(zip(((day, OPENS) for day in days), prices.open * prices.adj_close / prices.close, strict=True))
        closes = dict(zip(((day, CLOSES) for day in days), prices.adj_close, strict=True))
        found[symbol] = pd.Series({datetime.combine(*at): price for at, price in {**opens, **closes}.items()})
    return pd.DataFrame(found).sort_index()


def wealth(market: Market, days: Sequence[date], targets: Targets) -> float:
    """What the account's last close is worth."""
    table = table_of(*market.values(), days=days)
    rules = AccountRules(deposit=DEPOSIT, costs=NO_COSTS, limits=OPEN, least_trade=0.0)
    return float(run_account(table, days, rules, targets).equity[-1])


def wealth_by_bt(frame: pd.DataFrame, days: Sequence[date], orders: Sequence[date], *algos: bt.core.Algo) -> float:
    """What bt makes of the deposit by trading at the open after each day of `orders`."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import bt

        opens = [datetime.combine(days[days.index(day) + 1], OPENS) for day in orders]
        steps = [bt.algos.RunOnDate(*opens), *algos, bt.algos.Rebalance()]
        test = bt.Backtest(bt.Strategy("one", steps), frame, initial_capital=DEPOSIT, integer_positions=False)
        return float(bt.run(test).prices["one"].iloc[-1]) / 100 * DEPOSIT


def best_of_six_months(frame: pd.DataFrame, on: Sequence[date]) -> Targets:
    """Hold the stock that rose most from the open six months before, by this file's own reading of the prices."""

    def targets(day: date, _held: Mapping[str, float]) -> Mapping[str, float] | None:
        if day not in on:
            return None
        until = frame.loc[: datetime.combine(day, CLOSES)]
        following = frame.index[len(until)]
        since = until.loc[following - pd.DateOffset(hours=1) - HISTORY :]
        return {str((since.iloc[-1] / since.iloc[0]).idxmax()): 1.0}

    return targets


def _weighed(weights: Mapping[str, float]) -> tuple[bt.core.Algo, ...]:
    import bt

    return (bt.algos.WeighSpecified(**weights),)


def assert_three_strategies_end_alike(market: Market, first: date) -> None:
    """Compare the final wealth of each strategy."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import bt

    frame = adjusted(market)
    days = [day for day in sorted({at.date() for at in frame.index}) if day >= first]
    monthly, symbols = month_starts(days[:-1]), list(market)
    equal = dict.fromkeys(symbols, 1 / len(symbols))
    sixty = {symbols[0]: 0.6, symbols[1]: 0.4}
    best = (bt.algos.SelectAll(), bt.algos.SelectMomentum(1, HISTORY, pd.DateOffset(hours=1)), bt.algos.WeighEqually())
    ends = {
        "buy and hold": (
            wealth(market, days, constant_targets(equal, days[:1])),
            wealth_by_bt(frame, days, days[:1], *_weighed(equal)),
        ),
        "60/40": (
            wealth(market, days, constant_targets(sixty, monthly)),
            wealth_by_bt(frame, days, monthly, *_weighed(sixty)),
        ),
        "momentum": (
            wealth(market, days, best_of_six_months(frame, monthly)),
            wealth_by_bt(frame, days, monthly, *best),
        ),
    }
    assert all(abs(theirs / DEPOSIT - 1) > 0.02 for _, theirs in ends.values()), "too still to compare"
    differences = {name: own / theirs - 1 for name, (own, theirs) in ends.items()}
    assert all(abs(one) < CLOSE_ENOUGH for one in differences.values()), differences


def assert_it_is_the_dividends(market: Market, first: date) -> None:
    """Compare buy and hold of prices without dividends: neither side reinvests, and only whole shares differ."""
    plain = {symbol: replace(one, dividends=(), adj_close=one.close) for symbol, one in market.items()}
    frame, equal = adjusted(plain), dict.fromkeys(plain, 1 / len(plain))
    days = [day for day in sorted({at.date() for at in frame.index}) if day >= first]
    own = wealth(plain, days, constant_targets(equal, days[:1]))
    assert own == pytest.approx(wealth_by_bt(frame, days, days[:1], *_weighed(equal)), rel=CLOSE_ENOUGH / 3)


def read(vendor: Mapping[str, str], symbols: Sequence[str], home: Path) -> Market:
    data = MarketData(load_settings({**vendor, "home": home}, environ={}), date(2025, 3, 14))
    return {symbol: data.prices(symbol, days=1000) for symbol in symbols}


def test_three_strategies_of_the_simulated_market_end_as_with_bt(tmp_path: Path):
    market = read({"data_vendor": "simulated"}, SIMULATED, tmp_path)
    assert_three_strategies_end_alike(market, date(2024, 1, 2))
    assert_it_is_the_dividends(market, date(2023, 3, 1))


@pytest.mark.real_data
def test_three_strategies_on_recorded_prices_end_as_with_bt(test_data: Path, tmp_path: Path):
    vendor = {"data_vendor": "snapshot", "data_dir": str(test_data / "snapshot")}
    market = read(vendor, RECORDED, tmp_path)
    assert_three_strategies_end_alike(market, date(2024, 1, 2))
    assert_it_is_the_dividends(market, date(2023, 3, 1))
