"""The account's equity against the package `bt`: the same fills, without fees, give the same equity every day."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pandas as pd
import pytest

from tests.features.backtest.market import NO_COSTS, days_of, made_prices, table_of
from tests.features.backtest.test_accounting import FREE, OPEN_LIMITS, run
from tradingagents.features.backtest.advance import AccountRules
from tradingagents.features.backtest.ledger import BookLedger
from tradingagents.features.backtest.postings import OrderFill

SYMBOLS = ("A", "B", "C")


@pytest.mark.parametrize("seed", range(3))
def test_equity_equals_that_of_bt(seed: int):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import bt
    random = np.random.default_rng(seed)
    days = days_of(120)
    closes = {name: np.round(60 * np.exp(np.cumsum(random.normal(0, 0.02, 120))), 2) for name in SYMBOLS}
    opens = {name: np.concatenate(([closes[name][0]], closes[name][:-1])) for name in SYMBOLS}  # the close before
    table = table_of(*(made_prices(one, days, closes[one], opens=opens[one]) for one in SYMBOLS), days=days)
    drawn = dict(zip(days, random.dirichlet([1, 1, 1, 1], 120)[:, :3], strict=True))
    ledger = BookLedger()
    rules = AccountRules(deposit=100_000.0, costs=NO_COSTS, limits=OPEN_LIMITS, least_trade=FREE.least_trade)
    run(ledger, table, days, rules, lambda day, _: dict(zip(SYMBOLS, drawn[day].tolist(), strict=True)))

    frame = pd.DataFrame(closes, index=pd.DatetimeIndex(days))
    other = bt.Strategy("other", children=list(SYMBOLS))
    other.setup(frame)
    other.adjust(100_000.0)
    traded = 0
    for line, following in zip(ledger.lines, [*ledger.lines[1:], None], strict=True):
        stamp = pd.Timestamp(line.mark.day)
        other.update(stamp)
        assert math.isclose(other.value, line.mark.equity / 100, rel_tol=1e-12)
        # An order of this close is filled at the next open, which is this close: bt trades at the close itself.
        for fill in following.postings if following else ():
            if isinstance(fill, OrderFill):
                other.transact(fill.shares, child=fill.symbol)
                traded += 1
    assert traded > 200
