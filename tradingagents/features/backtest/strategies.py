"""Strategies of a backtest: decisions turned into target weights, and the baselines beside them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from itertools import pairwise

import numpy as np

from tradingagents.agents.schemas import Decision
from tradingagents.analytics.holdings.weights import Scheme, bought_weights, scheme_weights
from tradingagents.analytics.price.trading_rules import RULES
from tradingagents.dataflows.models import Floats, Prices
from tradingagents.dataflows.reference.sectors import SECTOR_ETF
from tradingagents.features.backtest.advance import Targets
from tradingagents.features.backtest.limits import RiskLimits, ShortRules
from tradingagents.features.backtest.market import BONDS, BacktestMarket
from tradingagents.features.backtest.traded_prices import TradedPrices

DECISIONS, HELD = "decisions", "buy_and_hold"
"""The strategy that is tested, and the one that every other is compared with."""
BENCHMARK = "benchmark"
"""The benchmark fund, bought and held."""
RETURNS = 120
"""Daily returns that volatility and correlation are computed from."""
OPEN = RiskLimits(max_positions=10_000, max_position=1.0, max_sector=1.0, min_cash=0.0)
"""The limits of baselines: none, so that they are fully invested."""
Decisions = Mapping[date, Mapping[str, Decision]]
"""Decisions by day and ticker."""


def decision_targets(
    decisions: Decisions, scheme: Scheme, limits: RiskLimits, table: TradedPrices, shorts: ShortRules | None = None
) -> Targets:
    """Return targets that follow decisions.

    BUY: the ticker gets a weight by the scheme. SELL: it gets none, or a negative one where short positions are allowed
    and the decision does not mean to close only. HOLD, NO_DECISION and no decision at all: what is
    held of it stays. The weights of BUY share what those that stay and `min_cash` leave.

    Args:
        decisions: By day and ticker.
        scheme: How weights are computed.
        limits: Whose `max_position` is the weight of full confidence, and whose `min_cash` stays free.
        table: Returns up to each day.
        shorts: Whose `max_short` is the short weight of full confidence; None: SELL opens nothing.
    """

    def weights(day: date, chosen: Mapping[str, float], largest: float) -> dict[str, float]:
        return scheme_weights(scheme, chosen, table.returns(tuple(chosen), day, RETURNS), largest)

    def targets(day: date, held: Mapping[str, float]) -> Mapping[str, float] | None:
        made = decisions.get(day)
        if made is None:
            return None
        bought = {ticker: decision.confidence for ticker, decision in sorted(made.items()) if decision.action == "BUY"}
        sold = {ticker for ticker, decision in made.items() if decision.action == "SELL"}
        stay = {symbol: weight for symbol, weight in held.items() if symbol not in bought and symbol not in sold}
        known = table.returns(tuple(bought), day, RETURNS)
        wanted = {**stay, **bought_weights(scheme, bought, known, stay, limits)}
        if shorts is not None:
            sure = {ticker: made[ticker].confidence for ticker in sorted(sold) if made[ticker].sell_means != "close"}
            wanted |= {symbol: -weight for symbol, weight in weights(day, sure, shorts.max_short).items()}
        return wanted

    return targets


def constant_targets(weights: Mapping[str, float], on: Sequence[date]) -> Targets:
    """Return targets that restore the same weights on some days."""
    days = set(on)
    return lambda day, _held: weights if day in days else None


def rule_targets(name: str, prices: Mapping[str, Prices]) -> Targets:
    """Return targets of a classic rule: each ticker has an equal share, invested while the rule holds it.

    Args:
        name: One of `analytics.price.trading_rules.RULES`.
        prices: By ticker, from before the backtest on, so that the rule is warmed up when it begins.
    """
    positions = {symbol: (history.days, RULES[name](history)) for symbol, history in prices.items()}
    last: list[frozenset[str]] = []

    def targets(day: date, _held: Mapping[str, float]) -> Mapping[str, float] | None:
        wanted = frozenset(symbol for symbol, (days, held) in positions.items() if _position(days, held, day))
        if last and last[-1] == wanted:
            return None
        last.append(wanted)
        return dict.fromkeys(sorted(wanted), 1 / len(positions))

    return targets


def baseline_targets(market: BacktestMarket) -> dict[str, Targets]:
    """Return the baselines that need no decisions, by name, buy and hold first; funds as far as there are prices."""
    equal = dict.fromkeys(market.tickers, 1 / len(market.tickers))
    return {
        HELD: constant_targets(equal, market.days[:1]),
        "equal_weight": constant_targets(equal, month_starts(market.days)),
        **{name: rule_targets(name, market.prices) for name in RULES if name != HELD},
        **_fund_targets(market),
    }


def ticker_targets(market: BacktestMarket, ticker: str) -> dict[str, Targets]:
    """Return the baselines on one ticker alone, as the papers compare them: buy and hold, and the classic rules."""
    own = {ticker: market.prices[ticker]}
    return {
        HELD: constant_targets({ticker: 1.0}, market.days[:1]),
        **{name: rule_targets(name, own) for name in RULES if name != HELD},
    }


def all_in_targets(decisions: Decisions, ticker: str) -> Targets:
    """Return targets that hold a ticker with the whole account after BUY, nothing after SELL, and else stay."""
    wanted = {"BUY": {ticker: 1.0}, "SELL": dict[str, float]()}

    def targets(day: date, _held: Mapping[str, float]) -> Mapping[str, float] | None:
        made = decisions.get(day, {}).get(ticker)
        return None if made is None else wanted.get(made.action)

    return targets


def always_bought(market: BacktestMarket) -> Decisions:
    """Return BUY for every ticker on each decision day."""
    return {day: dict.fromkeys(market.tickers, _BUY) for day in market.decision_days}


def _fund_targets(market: BacktestMarket) -> dict[str, Targets]:
    """Return the targets of the funds that have prices: the benchmark, 60/40, and the sectors' funds."""
    funds, months = list(market.funds), month_starts(market.days)
    bonds = [fund for fund in BONDS if fund in funds]
    sectors = [fund for fund in funds if fund in SECTOR_ETF.values()]
    stocks = [fund for fund in funds if fund not in BONDS and fund not in sectors]
    found: dict[str, Targets] = {}
    if stocks:
        found[BENCHMARK] = constant_targets({stocks[0]: 1.0}, _first_and_paid(market, stocks[:1]))
        if bonds:
            found["60_40"] = constant_targets({stocks[0]: 0.6, bonds[0]: 0.4}, months)
    if sectors:
        equal = dict.fromkeys(sectors, 1 / len(sectors))
        found["sector_funds"] = constant_targets(equal, _first_and_paid(market, sectors))
    return found


def _first_and_paid(market: BacktestMarket, funds: Sequence[str]) -> list[date]:
    """Return the first session and those on which a fund pays: its total return has the dividends reinvested."""
    paid = [
        day for before, day in pairwise(market.days) if any(market.table.dividend(fund, before, day) for fund in funds)
    ]
    return [market.days[0], *paid]


_BUY = Decision(action="BUY", confidence=0.5, rationale="always")


def month_starts(days: Sequence[date]) -> list[date]:
    """Return the first session of each month, and the first of all."""
    return [
        day
        for before, day in zip([None, *days[:-1]], days, strict=True)
        if before is None or (before.year, before.month) != (day.year, day.month)
    ]


def _position(days: np.ndarray, held: Floats, day: date) -> bool:
    """Return a rule's position after the last bar on or before a day."""
    at = int(np.searchsorted(days, np.datetime64(day, "D"), side="right")) - 1
    return at >= 0 and bool(held[at])
