"""Accounts in arrays end where ledgers of the same decisions end."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import get_args

import numpy as np
import pytest

from tests.features.backtest.market import FIRST, days_of
from tests.features.backtest.statistics.made_market import call, ledger_score, persistent, walking_market
from tradingagents.dataflows.models import ListingEnd
from tradingagents.features.backtest.advance import AccountRules
from tradingagents.features.backtest.broker import TradingCosts
from tradingagents.features.backtest.financing.bills import BillRates
from tradingagents.features.backtest.limits import RiskLimits
from tradingagents.features.backtest.statistics.many_accounts import PlainScheme, run_accounts
from tradingagents.features.backtest.statistics.random_deciders import Panel, random_deciders
from tradingagents.features.backtest.traded_prices import TradedPrices

RULES = {
    "usual": AccountRules(),
    "small": AccountRules(deposit=5_000.0),
    "costly": AccountRules(costs=TradingCosts(half_spread=0.003, commission_per_share=0.05), least_trade=0.02),
    "full": AccountRules(limits=RiskLimits(max_position=1.0, max_sector=1.0, min_cash=0.0)),
    "tight": AccountRules(limits=RiskLimits(max_positions=3, max_position=0.3, max_sector=0.2, min_cash=0.3)),
    "bills": AccountRules(bills=BillRates(dict.fromkeys(days_of(250), 0.08), "made")),
    "foreign": AccountRules(foreign=frozenset({"T01", "T03"})),
}


@pytest.mark.parametrize("scheme", get_args(PlainScheme))
@pytest.mark.parametrize("name", list(RULES))
def test_an_account_in_arrays_ends_where_its_ledger_ends(name: str, scheme: PlainScheme):
    market = walking_market(3, volume=3e4 if name == "tight" else 1e7)
    rules, made = replace(RULES[name], sectors=market.sectors), persistent(market, 5)
    score = ledger_score(market, made, rules, scheme)
    found = random_deciders(made, market, rules, scheme, score, draws=30)
    assert found.ledger_gap is not None
    assert found.ledger_gap < (0.002 if name == "small" else 0.0005)


def test_all_walks_together_are_as_exact_as_said():
    gaps = []
    for seed in range(12):
        market = walking_market(seed, tickers=4 + seed)
        rules = AccountRules(sectors=market.sectors)
        made = persistent(market, seed, change=0.5)
        found = random_deciders(made, market, rules, "confidence", ledger_score(market, made, rules), draws=5)
        gaps.append(found.ledger_gap)
    assert max(gaps) < 0.0005


ENDS = {
    "unknown": ListingEnd(FIRST, "delisted"),
    "cash": ListingEnd(FIRST, "merged", cash=31.5),
    "shares": ListingEnd(FIRST, "merged", cash=1.25, into="T00", shares=0.73),
    "shares of no ticker": ListingEnd(FIRST, "merged", into="OUT", shares=0.4),
}


@pytest.mark.parametrize("name", list(ENDS))
def test_a_ticker_that_ended_is_paid_out_and_a_late_one_is_not_bought_before(name: str):
    market = walking_market(8, sessions=160)
    ended = replace(ENDS[name], day=market.days[71])
    prices = dict(market.prices)
    prices["T02"] = replace(prices["T02"].upto(market.days[70]), ended=ended)
    prices["T03"] = prices["T03"].since(market.days[50])
    others = {"OUT": replace(prices["T05"], symbol="OUT")}
    market = replace(market, prices=prices, table=TradedPrices({**others, **prices}, market.days))
    rules, made = AccountRules(sectors=market.sectors), persistent(market, 2, change=0.4)
    made = {**made, market.days[70]: {**made[market.days[70]], "T02": call("BUY")}}
    made[market.days[65]] = {**made[market.days[65]], "T02": call("BUY", 0.9)}
    found = random_deciders(made, market, rules, "equal", ledger_score(market, made, rules, "equal"), draws=30)
    assert found.ledger_gap is not None
    # Shares of a company that is no ticker are sold at once, and held on in the ledger.
    assert found.ledger_gap < (0.02 if ended.into == "OUT" else 0.0005)


def test_turnover_and_exposure_are_those_of_the_ledger_up_to_how_often_they_are_measured():
    market = walking_market(4)
    rules, made = AccountRules(sectors=market.sectors), persistent(market, 4)
    panel, same = Panel.of(made, sorted(market.tickers), market.decision_days), np.arange(6)[None]
    decided = {day: partial(panel.on, place, np.array([0]), same) for place, day in enumerate(panel.days)}
    found = run_accounts(market.table, market.days, panel.tickers, decided, rules, "confidence")
    score = ledger_score(market, made, rules)
    years = (len(market.days) - 1) / 252
    assert found.turnover[0] / years == pytest.approx(score.turnover, rel=0.02)
    assert found.exposure[0] == pytest.approx(score.exposure, abs=0.03)
    assert np.isfinite(found.final).all()
