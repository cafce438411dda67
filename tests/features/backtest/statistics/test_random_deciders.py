"""Random deciders: a decider without knowledge has any place among them, one that sees the future the first."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from datetime import date

import numpy as np
import pytest
from scipy import stats

from tests.features.backtest.market import days_of, made_prices
from tests.features.backtest.statistics.made_market import call, foreseeing, ledger_score, persistent, walking_market
from tradingagents.agents.schemas import Decision
from tradingagents.features.backtest.advance import AccountRules
from tradingagents.features.backtest.broker import TradingCosts
from tradingagents.features.backtest.limits import ShortRules
from tradingagents.features.backtest.market import BacktestMarket
from tradingagents.features.backtest.statistics.many_accounts import BUY, SELL, STAY
from tradingagents.features.backtest.statistics.random_deciders import (
    NEVER_DIFFER,
    Panel,
    RandomDeciders,
    random_deciders,
)
from tradingagents.features.backtest.strategies import Decisions
from tradingagents.features.backtest.traded_prices import TradedPrices

Decide = Callable[[BacktestMarket, int], Decisions]
INDEPENDENT = (((0.85, 0.1), 6), ((0.34, 0.33), 5))
"""Shares of BUY and SELL, and tickers, of deciders that throw a die."""


def anew(buy: float, sell: float) -> Decide:
    """Return a decider that throws a die for each ticker and day."""

    def decide(market: BacktestMarket, seed: int) -> Decisions:
        random, found = np.random.default_rng(seed), dict[date, dict[str, Decision]]()
        for day in market.decision_days:
            for ticker in market.tickers:
                action = str(random.choice(["BUY", "SELL", "HOLD"], p=[buy, sell, 1 - buy - sell]))
                found.setdefault(day, {})[ticker] = call(action, round(float(random.uniform(0.5, 0.9)), 2))
        return found

    return decide


def together(market: BacktestMarket, seed: int) -> Decisions:
    """Decide mostly the same on all tickers: a guess of the market's direction that lasts for some days."""
    random, found, guess = np.random.default_rng(seed), dict[date, dict[str, Decision]](), "BUY"
    for day in market.decision_days:
        if random.random() < 0.3:
            guess = "SELL" if guess == "BUY" else "BUY"
        for ticker in market.tickers:
            found.setdefault(day, {})[ticker] = call(guess if random.random() < 0.85 else "HOLD")
    return found


def judged(market: BacktestMarket, made: Decisions, *, draws: int = 200, seed: int = 1) -> RandomDeciders:
    rules = AccountRules(sectors=market.sectors)
    return random_deciders(
        made, market, rules, "confidence", ledger_score(market, made, rules), draws=draws, seed=seed
    )  # fmt: skip


@pytest.mark.parametrize(
    ("decide", "tickers"),
    [
        *((persistent, 6), (together, 6), (persistent, 1)),
        # Independent throws are the easy case: the two above, which are dependent in time and over tickers, are not.
        *(pytest.param(anew(*shares), count, marks=pytest.mark.nightly) for shares, count in INDEPENDENT),
    ],
)
def test_the_place_of_a_decider_without_knowledge_is_uniform(decide: Decide, tickers: int):
    found = []
    for seed in range(8):
        market = walking_market(seed, tickers=tickers, sessions=300, every=10)
        found += [judged(market, decide(market, 100 * seed + one), seed=one) for one in range(12)]
    told = [one for one in found if one.unknown is None]
    assert len(told) > 90
    places, values = np.array([one.percentile for one in told]), np.array([one.p_value for one in told])
    assert stats.kstest(places, "uniform").pvalue > 0.001
    assert (values <= 0.05).mean() < 0.14  # 5 % are expected, more than 13 % of 96 come once in a thousand times
    assert np.median([one.turnover_ratio for one in told]) == pytest.approx(1, abs=0.15)
    assert np.median([one.exposure_ratio for one in told]) == pytest.approx(1, abs=0.03)


def test_turnover_of_who_decides_anew_each_time_stays_within_some_percent():
    ratios = []
    for seed in range(10):
        market = walking_market(seed, sessions=300)
        ratios.append(judged(market, anew(0.85, 0.1)(market, seed), draws=100).turnover_ratio)
    assert np.median(ratios) == pytest.approx(1, abs=0.03)
    assert max(abs(one - 1) for one in ratios if one is not None) < 0.1


def test_who_sees_the_future_is_better_than_nearly_all_and_who_sees_its_opposite_worse():
    for seed in range(3):
        market = walking_market(seed, sessions=300, every=10)
        best, worst = judged(market, foreseeing(market, 0.85, seed)), judged(market, foreseeing(market, 0.0, seed))
        assert best.percentile is not None
        assert best.percentile > 0.99
        assert best.p_value == pytest.approx(1 / 201, abs=0.006)
        assert worst.percentile is not None
        assert worst.percentile < 0.01


def constant(action: str, market: BacktestMarket) -> Decisions:
    return {day: {one: call(action) for one in market.tickers} for day in market.decision_days}


def bought_once(market: BacktestMarket) -> Decisions:
    made = constant("HOLD", market)
    return {**made, market.decision_days[0]: {one: call("BUY") for one in market.tickers}}


@pytest.mark.parametrize("action", ["BUY", "SELL", "HOLD", "NO_DECISION", "once", "none"])
def test_decisions_that_never_differ_tell_nothing(action: str):
    market = walking_market(1)
    made = bought_once(market) if action == "once" else {} if action == "none" else constant(action, market)
    found = judged(market, made)
    assert found.unknown == NEVER_DIFFER
    assert (found.percentile, found.p_value, found.quantiles) == (None, None, None)


def test_confidence_that_differs_is_a_difference_where_it_is_the_weight():
    market, rules = walking_market(1), AccountRules()
    made = {
        day: {one: call("BUY", 0.5 + 0.03 * ((place * 7 + column) % 11)) for column, one in enumerate(market.tickers)}
        for place, day in enumerate(market.decision_days)
    }
    assert judged(market, made).unknown is None
    equal = random_deciders(made, market, rules, "equal", ledger_score(market, made, rules, "equal"), draws=50)
    assert equal.unknown == NEVER_DIFFER


def test_too_few_arrangements_tell_nothing():
    market = walking_market(2, tickers=1, sessions=60)  # 12 decision days of one ticker: 12 rotations
    made = {day: {"T00": call("BUY" if place < 6 else "SELL")} for place, day in enumerate(market.decision_days)}
    found = judged(market, made)
    assert found.unknown == "the decisions can be arranged on tickers and days in 12 ways only, and 20 are needed"
    assert found.different == 12
    assert found.percentile is None


def test_what_cannot_be_computed_in_arrays_is_withheld_with_its_reason():
    market, rules = walking_market(2), AccountRules()
    made = persistent(market, 2)
    score = ledger_score(market, made, rules)
    short = random_deciders(made, market, replace(rules, shorts=ShortRules()), "confidence", score)
    assert short.unknown == "random deciders are not computed for accounts that may sell borrowed shares"
    exits = random_deciders(made, market, rules, "confidence", score, exits="plan")
    assert exits.unknown == "random deciders are not computed where stops and targets close positions"
    assert "the weights hrp" in str(random_deciders(made, market, rules, "hrp", score).unknown)
    off = random_deciders(made, market, rules, "confidence", replace(score, final_equity=score.final_equity * 1.02))
    assert off.unknown == "the tested account, computed as the random deciders are, ends 2.0 % off its ledger"
    assert off.percentile is None


def test_random_deciders_that_would_pay_for_more_trades_are_no_measure():
    market, costly = walking_market(1, sessions=300, every=10), AccountRules(costs=TradingCosts(half_spread=0.01))
    made = persistent(market, 1, change=0.05)  # it seldom changes, so that where a rotation joins tells
    found = random_deciders(made, market, costly, "confidence", ledger_score(market, made, costly), draws=200)
    assert found.unknown == "random deciders would trade 1.72 times as much as the tested account, and pay for it"
    assert found.turnover_ratio == pytest.approx(1.72, abs=0.005)
    assert found.percentile is None
    cheap = judged(market, made)
    assert cheap.unknown is None
    assert cheap.turnover_ratio is not None
    assert cheap.turnover_ratio > 1.7


def test_the_cost_of_models_does_not_count_as_a_gap():
    market, rules = walking_market(2), AccountRules()
    made = persistent(market, 2)
    score = ledger_score(market, made, replace(rules, charges=dict.fromkeys(market.decision_days, 60.0)))
    found = random_deciders(made, market, rules, "confidence", score, draws=50)
    assert score.model_cost == pytest.approx(60 * len(market.decision_days))
    assert found.unknown is None


def test_a_random_decider_makes_the_same_decisions_elsewhere():
    days = days_of(5)
    made: Decisions = {
        days[0]: {"A": call("HOLD"), "B": call("BUY", 0.7)},
        days[1]: {"A": call("BUY", 0.8)},
        days[2]: {"A": call("HOLD"), "B": call("SELL")},
    }
    panel = Panel.of(made, ["A", "B"], days[:4])
    assert panel.standing.T.tolist() == [[SELL, BUY, BUY, BUY], [BUY, BUY, SELL, SELL]]
    own, swapped, turned = ([[0, 1]], [[1, 0]], [[0, 1]])

    def decided(columns: list[list[int]], shift: int) -> list[list[int]]:
        found = [panel.on(place, np.array([shift]), np.array(columns)) for place in range(4)]
        return [one.action[0].tolist() for one in found]

    assert decided(own, 0) == [[SELL, BUY], [BUY, STAY], [STAY, SELL], [STAY, STAY]]
    assert decided(swapped, 0) == [[BUY, SELL], [STAY, BUY], [SELL, STAY], [STAY, STAY]]
    # Two days later A is held and B is not, although both then say HOLD or SELL; after the end comes the beginning.
    assert decided(turned, 2) == [[BUY, SELL], [STAY, STAY], [SELL, BUY], [BUY, STAY]]
    first = panel.on(0, np.array([2]), np.array(turned))
    assert first.confidence.tolist() == [[0.8, 0.0]]


def test_the_figures_are_of_the_draws_and_the_same_each_time():
    days = days_of(60)
    closes = 100 * np.exp(np.cumsum(np.random.default_rng(3).normal(0, 0.02, (4, 60)), axis=1))
    prices = {name: made_prices(name, days, closes[place]) for place, name in enumerate("ABCD")}
    market = BacktestMarket(TradedPrices(prices, days), prices, {}, {}, days, days[:-1:5], ())
    made = anew(0.4, 0.4)(market, 1)
    found, again, other = judged(market, made), judged(market, made), judged(market, made, seed=2)
    assert found == again
    assert found != other
    assert found.quantiles is not None
    values = list(found.quantiles.values())
    assert list(found.quantiles) == ["5", "25", "50", "75", "95"]
    assert values == sorted(values)
    assert found.p_value is not None
    assert found.percentile is not None
    assert found.p_value == pytest.approx(1 - found.percentile, abs=0.02)
    assert found.total_return == pytest.approx(ledger_score(market, made, AccountRules()).total_return, abs=1e-4)


def test_a_thousand_random_deciders_of_fifty_tickers_take_less_than_two_seconds():
    market = walking_market(1, tickers=50, sessions=300)  # 60 decision days
    rules, made = AccountRules(sectors=market.sectors), anew(0.85, 0.1)(market, 1)
    score, began = ledger_score(market, made, rules), time.process_time()
    assert random_deciders(made, market, rules, "confidence", score).unknown is None
    assert time.process_time() - began < 2
