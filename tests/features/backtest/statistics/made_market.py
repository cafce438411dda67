"""Made markets and deciders: walks with dividends and splits, and decisions that persist or see the future."""

from __future__ import annotations

from datetime import date
from itertools import pairwise

import numpy as np

from tests.features.backtest.market import days_of, made_prices
from tradingagents.agents.schemas import Decision
from tradingagents.analytics.holdings.weights import Scheme
from tradingagents.dataflows.models import Split
from tradingagents.features.backtest.advance import AccountRules
from tradingagents.features.backtest.market import BacktestMarket
from tradingagents.features.backtest.score import StrategyScore, run_account, score_account
from tradingagents.features.backtest.strategies import Decisions, decision_targets
from tradingagents.features.backtest.traded_prices import TradedPrices

SECTORS = ("Technology", "Energy", "Utilities", None)


def walking_market(
    seed: int, *, tickers: int = 6, sessions: int = 126, every: int = 5, volume: float = 1e7, actions: bool = True
) -> BacktestMarket:
    """Return a market of random walks that move together; with dividends, and a split of the first ticker."""
    random, days = np.random.default_rng(seed), days_of(sessions)
    common = random.normal(0.0003, 0.008, sessions)
    prices = {}
    for number in range(tickers):
        symbol = f"T{number:02}"
        close = random.uniform(20, 300) * np.exp(np.cumsum(common + random.normal(0, 0.015, sessions)))
        opens = close * np.exp(random.normal(0, 0.006, sessions))
        paid = [(days[place], float(close[place] / 200)) for place in range(20 + number, sessions, 60)] * actions
        splits = [Split(days[sessions // 2], 3.0)] * (actions and number == 0)
        if splits:
            close[sessions // 2 :] /= 3
            opens[sessions // 2 :] /= 3
        prices[symbol] = made_prices(
            symbol, days, close, opens=opens, volume=volume, dividends=paid, splits=splits,
            missing=days[40:43] if actions and number == 1 else (),
        )  # fmt: skip
    sectors = {symbol: SECTORS[place % len(SECTORS)] for place, symbol in enumerate(prices)}
    return BacktestMarket(TradedPrices(prices, days), prices, {}, sectors, days, days[:-1][::every], ())


def call(action: str, confidence: float = 0.6) -> Decision:
    return Decision.model_validate({"action": action, "confidence": confidence, "rationale": "made"})


def persistent(market: BacktestMarket, seed: int, *, change: float = 0.2, missing: float = 0.05) -> Decisions:
    """Return decisions without knowledge: each ticker is decided anew with probability `change`, and else HOLD."""
    random = np.random.default_rng(seed)
    found: dict[date, dict[str, Decision]] = {}
    for place, day in enumerate(market.decision_days):
        for ticker in market.tickers:
            if random.random() < missing:
                continue
            action = "HOLD"
            if place == 0 or random.random() < change:
                action = str(random.choice(["BUY", "BUY", "SELL"]))
            found.setdefault(day, {})[ticker] = call(action, round(float(random.uniform(0.5, 0.9)), 2))
    return found


def foreseeing(market: BacktestMarket, share: float, seed: int) -> Decisions:
    """Return decisions that know the return to the next decision, right with a probability of `share`."""
    random, days = np.random.default_rng(seed), [*market.decision_days, market.days[-1]]
    found: dict[date, dict[str, Decision]] = {}
    for day, then in pairwise(days):
        for ticker in market.tickers:
            rises = (market.table.total_return(ticker, day, then) or 0) > 0
            right = random.random() < share
            found.setdefault(day, {})[ticker] = call("BUY" if rises == right else "SELL")
    return found


def ledger_score(
    market: BacktestMarket, decisions: Decisions, rules: AccountRules, scheme: Scheme = "confidence"
) -> StrategyScore:
    """Return what became of the decisions in an account with a ledger."""
    targets = decision_targets(decisions, scheme, rules.limits, market.table, rules.shorts)
    return score_account(run_account(market.table, market.days, rules, targets), None)
