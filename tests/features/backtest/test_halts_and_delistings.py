"""A halt tells no risk to a backtest, and a delisted ticker is named with the day of its last price."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.features.backtest.market import days_of, made_prices, table_of
from tradingagents.dataflows.models import ListingEnd
from tradingagents.features.backtest.advance import AccountRules
from tradingagents.features.backtest.limits import RiskLimits
from tradingagents.features.backtest.pages.trades import trade_rows
from tradingagents.features.backtest.score import run_account
from tradingagents.features.backtest.strategies import constant_targets


def test_the_trades_say_of_which_day_a_delisted_position_s_price_is():
    days = days_of(40)
    table = table_of(
        made_prices("A", days, [10.0] * 40),
        made_prices("B", days, [20.0] * 40, missing=days[25:], ended=ListingEnd(days[25], "delisted")),
        days=days,
    )
    assert table.last_traded("B") == days[24]
    rules = AccountRules(limits=RiskLimits(max_position=0.5, max_sector=1.0))
    account = run_account(table, days, rules, constant_targets({"B": 0.5}, days[:1]))
    bought, ended = list(trade_rows(account.ledger, {}))
    assert (bought.side, bought.ticker) == ("buy", "B")
    assert (ended.day, ended.side, ended.price) == (days[25], "delisted", 20.0)
    assert ended.reason == f"delisted; last price of {days[24]}"


def test_bars_without_a_trade_are_no_returns_of_a_calm_stock():
    days = days_of(40)
    closes = np.linspace(10, 14, 40)
    closes[20:30] = closes[19]
    halted = made_prices("A", days, closes.tolist())
    volume = halted.volume.copy()
    volume[20:30] = 0
    table = table_of(replace(halted, volume=volume), days=days)
    found = table.returns(("A",), days[-1], 120)
    assert len(found) == 29
    assert found[19, 0] == pytest.approx(closes[30] / closes[19] - 1)
    assert table.total_return("A", days[0], days[25]) is None
