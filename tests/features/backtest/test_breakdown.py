"""What a backtest's page rests on: opinions against outcomes, states without a look ahead, trades with reasons."""

from __future__ import annotations

import csv
import io
import math
from datetime import date

import numpy as np
import pytest

from tests.features.backtest.market import days_of, made_prices, table_of
from tests.support.builders import wander
from tradingagents.agents.schemas import Decision
from tradingagents.dataflows.models import Split
from tradingagents.features.backtest.advance import AccountRules
from tradingagents.features.backtest.decisions.decision_store import StoredDecision
from tradingagents.features.backtest.decisions.opinions import Opinion
from tradingagents.features.backtest.limits import RiskLimits
from tradingagents.features.backtest.pages.trades import TRADES, trade_rows, trades_csv
from tradingagents.features.backtest.score import by_day, run_account, score_account
from tradingagents.features.backtest.statistics.breakdown import break_down, market_states, scorecard
from tradingagents.features.backtest.statistics.outcomes import Pointed, beyond_chance, outcomes, pointed_share
from tradingagents.features.backtest.strategies import constant_targets, decision_targets


def stored(ticker: str, day: date, action: str, *opinions: Opinion, confidence: float = 0.6) -> StoredDecision:
    decision = Decision.model_validate({"action": action, "confidence": confidence, "rationale": "made"})
    return StoredDecision(f"{ticker}{day}".ljust(64, "0"), ticker, day, decision, "c" * 64, 0, 0.0, opinions)


def test_an_outcome_runs_from_the_close_after_a_decision_to_the_close_after_the_next():
    days = days_of(7)
    a = made_prices("A", days, [10, 20, 20, 22, 44, 44, 44], splits=())
    b = made_prices("B", days, [10, 10, 10, 30, 15, 12, 12], splits=[Split(days[4], 2)])
    table = table_of(a, b, days=days)
    wanted = [("A", days[0]), ("B", days[0]), ("A", days[2]), ("A", days[6])]
    found = outcomes(wanted, table, days[5])
    assert found == pytest.approx({("A", days[0]): 0.1, ("B", days[0]): 2.0, ("A", days[2]): 1.0})


def test_a_share_of_right_opinions_by_hand():
    days = days_of(6)
    known = {("A", day): change for day, change in zip(days, (0.1, 0.2, -0.1, 0.3, 0.1, 0.1), strict=True)}
    said = (0.5, 0.5, 0.5, -0.2, 0.01, 0.9)
    scores = [Pointed(day, score, known["A", day]) for day, score in zip(days, said, strict=True)]
    found = pointed_share(scores, known)
    assert (found.calls, found.days, found.right) == (5, 5, 0.6)  # 0.01 points nowhere
    assert found.by_chance == pytest.approx(0.8 * 5 / 6 + 0.2 * 1 / 6)
    assert found.after_bullish == pytest.approx((0.1 + 0.2 - 0.1 + 0.1) / 4)
    assert found.after_bearish == pytest.approx(0.3)
    assert found.beyond == pytest.approx(0.6 - found.by_chance)
    assert (found.beyond_low, found.tells) == (None, 0)
    assert found.no_interval == "no interval: 5 decision days are fewer than the 20 that a 95 % interval needs"
    assert pointed_share([], known).right is None


def test_a_hit_rate_beyond_chance_by_hand():
    """One ticker over 20 days: it rises on the even ones. BUY on the first 12, SELL on the other 8."""
    days = days_of(20)
    known = {("A", day): 0.1 if number % 2 == 0 else -0.1 for number, day in enumerate(days)}
    calls = [(day, 1.0 if number < 12 else -1.0, known["A", day]) for number, day in enumerate(days)]
    found, why = beyond_chance(calls, known)
    assert why == ""
    assert found is not None
    # Right: 6 of 12 BUY and 4 of 8 SELL; by chance half as well. A day adds: right - 0.5 less what its own share of
    # rising (0.6) and falling (0.4) days does to chance, (right - 0.5) - 0.6 (up - 0.5) - 0.4 (down - 0.5).
    assert found.estimate == pytest.approx(0.0)
    # BUY up 0.5 - 0.3 + 0.2 = 0.4, BUY down -0.4; SELL down 0.5 + 0.3 - 0.2 = 0.6, SELL up -0.6.
    error = math.sqrt((12 * 0.4**2 + 8 * 0.6**2) / 19 / 20)
    assert found.error == pytest.approx(error)
    assert found.high == pytest.approx(2.0930 * error, rel=1e-4)  # t(0.975, 19)


def test_who_always_says_buy_is_right_as_often_as_chance_and_has_no_interval():
    days = days_of(60)
    random = np.random.default_rng(3)
    known = {(ticker, day): float(random.normal(0.01, 0.03)) for day in days for ticker in "AB"}
    found = pointed_share([Pointed(day, 1.0, change) for (_, day), change in known.items()], known)
    assert (found.beyond, found.beyond_low, found.tells) == (0.0, None, 0)
    assert found.no_interval == (
        "no interval: on 0 decision days a call was other than the most frequent one, a 95 % interval needs 8"
    )


def test_nineteen_of_twenty_intervals_beyond_chance_hold_it():
    random, held = np.random.default_rng(21), 0
    days = days_of(20)
    for _ in range(400):
        market = random.normal(0.01, 0.03, 20)
        known = {
            (ticker, day): float(market[number] + random.normal(0, 0.03))
            for number, day in enumerate(days)
            for ticker in "ABC"
        }
        calls = [(day, float(random.choice([1, 1, -1])), change) for (_, day), change in known.items()]
        found, _ = beyond_chance(calls, known)
        assert found is not None
        held += found.low <= 0 <= found.high
    assert held / 400 == pytest.approx(0.95, abs=0.033)


def test_the_scorecard_tells_an_analyst_who_knows_from_one_who_guesses():
    random = np.random.default_rng(7)
    days = days_of(60)
    known = {(ticker, day): float(random.normal(0, 0.03)) for day in days for ticker in "ABC"}
    decided = {
        (ticker, day): stored(
            ticker, day, "HOLD",
            Opinion("market_report", 0.4 if known[ticker, day] > 0 else -0.4),
            Opinion("news_report", float(random.choice([0.3, -0.3]))),
            Opinion("market_report", -0.2 if known[ticker, day] > 0 else 0.2, "RSI", "get_indicators"),
        )
        for day in days for ticker in "ABC"
    }  # fmt: skip
    knows, guesses, wrong = scorecard(decided, known)
    assert (knows.who, knows.right, knows.tells) == ("Market Analyst", 1.0, 1)
    assert (guesses.who, guesses.tells) == ("News Analyst", 0)
    assert (wrong.reading, wrong.metric, wrong.right, wrong.tells) == ("RSI", "RSI", 0.0, -1)


def test_states_of_the_market_know_nothing_later():
    prices = wander(700, 5)
    days = tuple(day.item() for day in prices.days)
    whole = market_states(["MADE"], table_of(_named(prices, len(prices)), days=days), days[:650])
    short = market_states(["MADE"], table_of(_named(prices, 500), days=days[:500]), days[:500])
    assert {day: whole[day] for day in short} == short
    assert whole[days[150]].trend == "not known"
    assert {one.trend for one in whole.values()} == {"not known", "rising", "falling"}
    assert {one.volatility for one in whole.values()} == {"not known", "calm", "turbulent"}
    at = 400
    closes = prices.adj_close[at - 199 : at + 1]
    assert whole[days[at]].trend == ("rising" if closes[-1] > closes.mean() else "falling")
    returns = prices.adj_close[1:] / prices.adj_close[:-1] - 1
    spread = [returns[end - 20 : end].std(ddof=1) for end in range(at - 251, at + 1)]
    assert whole[days[at]].volatility == ("turbulent" if spread[-1] > np.median(spread) else "calm")


def _named(prices, count):
    import dataclasses

    columns = ("days", "open", "high", "low", "close", "adj_close", "volume")
    return dataclasses.replace(prices, symbol="MADE", **{name: getattr(prices, name)[:count] for name in columns})


def test_trades_name_the_decision_they_go_back_to_and_regimes_count_every_session():
    days = days_of(60)
    table = table_of(*(made_prices(one, days, np.linspace(10, 14, 60).tolist()) for one in "AB"), days=days)
    decided = {
        ("A", days[0]): stored("A", days[0], "BUY"),
        ("B", days[0]): stored("B", days[0], "HOLD"),
        ("A", days[30]): stored("A", days[30], "SELL"),
        ("B", days[30]): stored("B", days[30], "BUY"),
    }
    made = by_day({one: item.decision for one, item in decided.items()})
    limits = RiskLimits(max_position=0.5, max_sector=1.0)
    rules = AccountRules(limits=limits)
    account = run_account(table, days, rules, decision_targets(made, "confidence", limits, table))
    held = run_account(table, days, rules, constant_targets({"A": 0.5, "B": 0.5}, days[:1]))
    rows = list(trade_rows(account.ledger, decided))
    assert [(one.day, one.ticker, one.side, one.reason) for one in rows] == [
        (days[1], "A", "buy", "BUY"),
        (days[31], "A", "sell", "SELL"),
        (days[31], "B", "buy", "BUY"),
    ]
    assert [one.decided for one in rows] == [days[0], days[30], days[30]]
    assert rows[0].decision == decided["A", days[0]].key[:12]
    read = list(csv.DictReader(io.StringIO(trades_csv(rows))))
    assert tuple(read[0]) == TRADES
    spent = sum(float(one["value"]) * (1 if one["side"] == "buy" else -1) + float(one["commission"]) for one in read)
    assert 100_000 - spent == pytest.approx(account.ledger.book.cash / 100, abs=0.011)
    found = break_down(decided, account, held, table, tickers=("A", "B"), benchmark=None).regimes
    assert found.market == "the tickers in equal parts"
    for about in ("trend", "volatility", "both"):
        assert sum(one.sessions for one in found.rows if one.about == about) == len(days) - 1
    whole, tested = found.rows[-1], score_account(account, held).ci_equal_exposure  # too few sessions for any state
    assert tested is not None
    assert (whole.sessions, whole.gap, whole.low) == (59, tested.difference, tested.low)
