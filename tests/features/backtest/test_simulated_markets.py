"""A small sample of `benchmarks/backtest_markets.py`: markets without a signal, and with a planted one."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.backtest_markets import STRONG, WEAK, check_power, paired_seconds, share_beating, simulated_test
from tests.features.backtest.market import NO_COSTS
from tradingagents.analytics.performance import exposure_matched_alpha
from tradingagents.features.backtest.advance import AccountRules
from tradingagents.features.backtest.score import run_account
from tradingagents.features.backtest.statistics.active_risk import tracking_error
from tradingagents.features.backtest.strategies import HELD, baseline_targets, constant_targets

SHORT = 130


def test_without_a_signal_few_markets_look_beaten_and_a_planted_one_is_found():
    none, edge = share_beating(30, 0.0, tested=SHORT)
    assert none <= 0.17  # 1 or 2 of 30 are expected, more than 5 come once in 300 times; the benchmark takes 400
    assert abs(edge) < 0.06
    found, edge = share_beating(4, 2 * STRONG, first=50_000, tested=SHORT)
    assert (found, edge > 0.2) == (1.0, True)


def test_a_plan_expects_what_simulated_markets_show():
    found = check_power(20, WEAK, plans=2, tested=SHORT)
    assert 0.2 < found.planned < 0.95
    assert 0.04 < found.error < 0.12
    assert found.simulated == pytest.approx(found.planned, abs=3 * found.error)  # the benchmark tells it to 0.7 point


def test_a_plan_from_few_sessions_does_not_take_the_noise_for_smaller():
    series = np.random.default_rng(7).normal(0, 0.01, (40_000, 60))
    assert tracking_error(list(series)) == pytest.approx(0.01 * np.sqrt(252), rel=2e-3)  # 0.8 % less before


def test_a_hundred_paired_tests_take_less_than_a_second():
    assert paired_seconds() < 1.0


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
