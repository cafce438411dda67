"""Accounts of the classic rules equal, to the cent, what plain pandas and a loop over sessions give."""

from __future__ import annotations

import math
from pathlib import Path

import pandas as pd
import pytest

from tests.analytics.price.test_trading_rules import by_pandas, frame_of
from tests.features.backtest.market import NO_COSTS, table_of
from tests.support.builders import bars, wander
from tradingagents.dataflows.models import Prices
from tradingagents.features.backtest.advance import AccountRules
from tradingagents.features.backtest.score import run_account
from tradingagents.features.backtest.strategies import OPEN, constant_targets, rule_targets

DEPOSIT = 100_000
BEFORE = 300
"""Sessions in which the rules are warmed up."""


def equity_by_pandas(prices: Prices, held: pd.Series) -> list[float]:
    """Trade a position series: decided after a close, filled at the next open, in whole shares and cents."""
    cash, shares, order, last, equity = DEPOSIT * 100, 0, 0, -1.0, list[float]()
    sessions = pd.DataFrame({"open": prices.open, "close": prices.close, "held": held.to_numpy()})[BEFORE:]
    for bar in sessions.itertuples():
        if order > 0:
            order = min(order, math.floor(cash / 100 / bar.open) + 1)
            while round(order * bar.open * 100) > cash:
                order -= 1
        cash, shares, order = cash - round(order * bar.open * 100), shares + order, 0
        value = cash + round(shares * bar.close * 100)
        if bar.held != last:
            order = (math.floor(value / 100 / bar.close) if bar.held else 0) - shares
            last = bar.held
        equity.append(value / 100)
    return equity


def assert_every_rule_equals_pandas(prices: Prices) -> None:
    days = tuple(day.item() for day in prices.days)
    table, tested = table_of(prices, days=days), days[BEFORE:]
    rules = AccountRules(deposit=DEPOSIT, costs=NO_COSTS, limits=OPEN, least_trade=0.0)
    for name, held in by_pandas(frame_of(prices)).items():
        own = {prices.symbol: 1.0}
        targets = (
            constant_targets(own, tested[:1]) if name == "buy_and_hold" else rule_targets(name, {prices.symbol: prices})
        )
        account = run_account(table, tested, rules, targets)
        assert account.equity.tolist() == equity_by_pandas(prices, held), name


@pytest.mark.parametrize("seed", range(3))
def test_accounts_of_rules_equal_pandas_to_the_cent(seed: int):
    assert_every_rule_equals_pandas(wander(700, seed))


@pytest.mark.real_data
@pytest.mark.parametrize("symbol", ["AAPL", "JPM"])
def test_accounts_of_rules_on_recorded_prices_equal_pandas_to_the_cent(symbol: str, test_data: Path):
    table = pd.read_parquet(test_data / "snapshot" / "prices.parquet")
    rows = table[table.symbol == symbol].sort_values("date")[-800:]
    columns = {name: rows[name].to_numpy(float) for name in ("open", "high", "low", "close", "adj_close", "volume")}
    assert_every_rule_equals_pandas(bars(columns["close"], symbol, **columns))
