"""A small sample of `benchmarks/backtest_markets.py`: markets without a signal, and with a planted one."""

from __future__ import annotations

import pytest

from benchmarks.backtest_markets import STRONG, WEAK, bootstrap_seconds, planned_power, share_beating, simulated_test
from tradingagents.analytics.performance import exposure_matched_alpha
from tradingagents.backtest.advance import AccountRules
from tradingagents.backtest.broker import NO_COSTS
from tradingagents.backtest.score import run_account
from tradingagents.backtest.strategies import HELD, baseline_targets, constant_targets

SHORT = 130


def test_without_a_signal_few_markets_look_beaten_and_a_planted_one_is_found():
    none, edge = share_beating(30, 0.0, tested=SHORT)
    assert none <= 0.17  # 1 or 2 of 30 are expected, more than 5 come once in 300 times; the benchmark takes 400
    assert abs(edge) < 0.06
    found, edge = share_beating(4, 2 * STRONG, first=50_000, tested=SHORT)
    assert (found, edge > 0.2) == (1.0, True)


def test_a_plan_expects_what_simulated_markets_show():
    share, edge = share_beating(20, WEAK, first=100_000, tested=SHORT)
    planned = planned_power(2, edge, first=100_000, tested=SHORT)
    assert 0.2 < planned < 0.95
    assert share == pytest.approx(planned, abs=0.3)  # 20 markets tell it to 22 points; the benchmark to 3


def test_a_thousand_paired_bootstraps_take_less_than_a_second():
    assert bootstrap_seconds() < 1.0


def test_always_invested_alike_is_no_edge_whatever_the_share():
    """Half the capital in the same tickers is compared with half of buy and hold, not with less of it."""
    test = simulated_test(5, 0.0, tested=60)
    market = test.market
    rules = AccountRules(deposit=1e7, costs=NO_COSTS)
    held = run_account(market.table, market.days, AccountRules(deposit=1e7, costs=NO_COSTS, limits=rules.limits),
                       baseline_targets(market)[HELD])  # fmt: skip
    half = constant_targets(dict.fromkeys(market.tickers, 0.5 / len(market.tickers)), market.days[:1])
    own = run_account(market.table, market.days, rules, half)
    alpha = exposure_matched_alpha(own.returns, held.returns, own.share_of(held))
    assert alpha == pytest.approx(0, abs=2e-3)
    assert own.share_of(held)[5:] == pytest.approx(own.exposure[5:-1] / held.exposure[5:-1])
