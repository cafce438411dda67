"""How far decisions without any signal stray from buy and hold: the noise in which a test has to see an edge."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tradingagents.agents.schemas import Decision
from tradingagents.analytics.holdings.weights import Scheme
from tradingagents.analytics.price.returns import SESSIONS_PER_YEAR
from tradingagents.dataflows.models import Floats
from tradingagents.errors import NoData
from tradingagents.features.backtest.advance import AccountRules
from tradingagents.features.backtest.market import BacktestMarket
from tradingagents.features.backtest.score import Account, run_account
from tradingagents.features.backtest.strategies import OPEN, Decisions, constant_targets, decision_targets
from tradingagents.features.backtest.traded_prices import TradedPrices

if TYPE_CHECKING:
    from tradingagents.features.backtest.request import BacktestRequest


LEAST_HISTORY = 60
"""Sessions before the start below which nothing can be planned."""
SEED, DRAWS = 20260101, 12
SHARES = {"BUY": 0.4, "HOLD": 0.3, "SELL": 0.3}
"""The mix of actions that is assumed; what a model decides is not known before it is paid for."""
CONFIDENCE = (0.5, 0.9)


class _NoReturns(TradedPrices):
    """Sessions without prices, for weights that depend on none."""

    def returns(self, symbols: Sequence[str], day: date, sessions: int) -> NDArray[np.float64]:  # noqa: ARG002
        return np.empty((0, len(symbols)))


@dataclass(frozen=True, slots=True)
class ActiveRisk:
    """What decisions without a signal do in the sessions before the start. A year, as fractions."""

    sessions: int
    """Of the history that was used."""
    volatility: float
    """Mean volatility of the tickers."""
    correlation: float | None
    """Mean correlation between them; None for one ticker."""
    tracking_error: float
    """Volatility of the account's return beyond buy and hold at equal exposure."""
    exposure: float
    """Mean invested share."""
    turnover: float
    cost: float
    """Commissions, spread and impact over the account's value: an edge has to pay for them first."""


def active_risk(request: BacktestRequest, market: BacktestMarket) -> ActiveRisk:
    """Trade random decisions in accounts over the recorded sessions before the start, and measure how they stray.

    Nothing of the test's own period is read.

    Args:
        request: What is to be tested.
        market: Its prices, from before the start on.

    Raises:
        NoData: There are fewer than 60 sessions with prices before the start.
    """
    first = max(history.days[0].item() for history in market.prices.values())
    days = tuple(day for day in market.table.days if first <= day < market.days[0])
    if len(days) < LEAST_HISTORY:
        raise NoData(
            f"A plan needs {LEAST_HISTORY} sessions of prices before the start; there are {len(days)}. Set "
            "price_history_days higher, or start later."
        )
    returns = market.table.returns(market.tickers, days[-1], len(days) - 1)
    on = days[:-1][:: request.every]
    held = _held(market, days, request)
    rules = AccountRules(request.deposit, request.costs, request.limits, market.sectors, foreign=market.foreign)
    gaps, exposure, turnover, cost = list[Floats](), list[float](), list[float](), list[float]()
    for number in range(DRAWS):
        made = random_decisions(market.tickers, on, random.Random(SEED + number))  # noqa: S311
        targets = decision_targets(made, request.scheme, request.limits, market.table)
        account = run_account(market.table, days, rules, targets)
        gaps.append((account.returns - account.matched(held))[1:])  # before, nothing is held
        years, mean = len(gaps[-1]) / SESSIONS_PER_YEAR, float(account.equity.mean()) * 100
        exposure.append(float(account.exposure[1:].mean()))
        turnover.append(account.ledger.book.traded / mean / years)
        cost.append((account.ledger.book.commissions + account.ledger.book.slippage) / mean / years)
    return ActiveRisk(
        sessions=len(days),
        volatility=float(returns.std(axis=0, ddof=1).mean()) * math.sqrt(SESSIONS_PER_YEAR),
        correlation=_correlation(returns),
        tracking_error=tracking_error(gaps),
        exposure=float(np.mean(exposure)),
        turnover=float(np.mean(turnover)),
        cost=float(np.mean(cost)),
    )


def tracking_error(gaps: Sequence[Floats]) -> float:
    """Return the yearly volatility of differences, from the mean of the series' variances.

    The variances are divided by one less than the sessions: each mean is estimated from its own series, and without
    that a plan from 60 sessions would take the noise for 0.8 % smaller than it is, and its test for stronger.

    Args:
        gaps: Daily differences, one series a draw, two sessions each at least.
    """
    return math.sqrt(float(np.mean([gap.var(ddof=1) for gap in gaps])) * SESSIONS_PER_YEAR)


def relative_risk(request: BacktestRequest, sectors: Sequence[str | None], names: int) -> float:
    """Return how far the weights of random decisions on so many names stray from equal weights, without unit.

    For names of one volatility and correlation the tracking error is proportional to it. Weights by volatility or by
    hierarchical risk parity are then equal weights.

    Args:
        request: Weights and limits.
        sectors: Sectors of the tickers that are planned with; further names are spread over them alike.
        names: How many names.
    """
    symbols = [f"N{number:04}" for number in range(names)]
    spread = {symbol: sectors[number % len(sectors)] for number, symbol in enumerate(symbols)}
    scheme: Scheme = "confidence" if request.scheme == "confidence" else "equal"
    days = tuple(date.fromordinal(date(2000, 1, 1).toordinal() + number) for number in range(40))
    made, weights = random_decisions(symbols, days, random.Random(SEED)), dict[str, float]()  # noqa: S311
    targets = decision_targets(made, scheme, request.limits, _NoReturns({}, days))
    squares = list[float]()
    for day in days:
        wanted = targets(day, weights) or {}
        weights, _ = request.limits.apply(wanted, spread)
        equal = sum(weights.values()) / names
        squares.append(sum((weights.get(symbol, 0.0) - equal) ** 2 for symbol in symbols))
    return math.sqrt(sum(squares[5:]) / len(squares[5:]))


def random_decisions(tickers: Sequence[str], days: Sequence[date], dice: random.Random) -> Decisions:
    """Return decisions without any signal, in the assumed mix."""
    actions, shares = list(SHARES), list(SHARES.values())

    def one() -> Decision:
        action = dice.choices(actions, shares)[0]
        return Decision.model_validate({"action": action, "confidence": dice.uniform(*CONFIDENCE), "rationale": "none"})

    return {day: {ticker: one() for ticker in tickers} for day in days}


def _held(market: BacktestMarket, days: tuple[date, ...], request: BacktestRequest) -> Account:
    equal: Mapping[str, float] = dict.fromkeys(market.tickers, 1 / len(market.tickers))
    rules = AccountRules(request.deposit, request.costs, OPEN, foreign=market.foreign)
    return run_account(market.table, days, rules, constant_targets(equal, days[:1]))


def _correlation(returns: np.ndarray) -> float | None:
    count = returns.shape[1]
    if count < 2:
        return None
    found = np.corrcoef(returns, rowvar=False)
    return float((found.sum() - count) / (count * (count - 1)))
