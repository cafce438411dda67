"""Strategies of a backtest: decisions turned into target weights, and the baselines beside them."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from datetime import date

import numpy as np

from tradingagents.agents.schemas import Decision
from tradingagents.analytics.price.trading_rules import RULES
from tradingagents.backtest.advance import Targets
from tradingagents.backtest.limits import RiskLimits
from tradingagents.backtest.traded_prices import TradedPrices
from tradingagents.backtest.weights import Scheme, scheme_weights
from tradingagents.dataflows.models import Floats, Prices

RETURNS = 120
"""Daily returns that volatility and correlation are computed from."""
OPEN = RiskLimits(max_positions=10_000, max_position=1.0, max_sector=1.0, min_cash=0.0)
"""The limits of baselines: none, so that they are fully invested."""
Decisions = Mapping[date, Mapping[str, Decision]]
"""Decisions by day and ticker."""


def decision_targets(decisions: Decisions, scheme: Scheme, limits: RiskLimits, table: TradedPrices) -> Targets:
    """Return targets that follow decisions.

    BUY: the ticker gets a weight by the scheme. SELL: it gets none. HOLD, NO_DECISION and no decision at all: what is
    held of it stays. The weights of BUY share what those that stay and `min_cash` leave.

    Args:
        decisions: By day and ticker.
        scheme: How weights are computed.
        limits: Whose `max_position` is the weight of full confidence, and whose `min_cash` stays free.
        table: Returns up to each day.
    """

    def targets(day: date, held: Mapping[str, float]) -> Mapping[str, float] | None:
        made = decisions.get(day)
        if made is None:
            return None
        bought = {ticker: one.confidence for ticker, one in sorted(made.items()) if one.action == "BUY"}
        sold = {ticker for ticker, one in made.items() if one.action == "SELL"}
        stay = {symbol: weight for symbol, weight in held.items() if symbol not in bought and symbol not in sold}
        left = max(0.0, 1 - limits.min_cash - sum(stay.values()))
        returns = table.returns(tuple(bought), day, RETURNS)
        found = scheme_weights(scheme, bought, returns, limits.max_position)
        factor = min(1.0, left / sum(found.values())) if scheme == "confidence" and found else left
        return {**stay, **{symbol: weight * factor for symbol, weight in found.items()}}

    return targets


def shuffled(decisions: Decisions, seed: int) -> Decisions:
    """Return the same decisions on other tickers and days: as many trades, and no information."""
    places = [(day, ticker) for day, made in sorted(decisions.items()) for ticker in sorted(made)]
    values = [decisions[day][ticker] for day, ticker in places]
    random.Random(seed).shuffle(values)  # noqa: S311 - no secret depends on it
    found: dict[date, dict[str, Decision]] = {}
    for (day, ticker), value in zip(places, values, strict=True):
        found.setdefault(day, {})[ticker] = value
    return found


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
    positions = {symbol: (one.days, RULES[name](one)) for symbol, one in prices.items()}
    last: list[frozenset[str]] = []

    def targets(day: date, _held: Mapping[str, float]) -> Mapping[str, float] | None:
        wanted = frozenset(symbol for symbol, (days, held) in positions.items() if _position(days, held, day))
        if last and last[-1] == wanted:
            return None
        last.append(wanted)
        return dict.fromkeys(sorted(wanted), 1 / len(positions))

    return targets


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
