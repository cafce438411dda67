"""How often a backtest is wrong: whole simulated markets through the accounts, without a signal and with a planted one.

`python -m benchmarks.backtest_markets [MARKETS]` (400) prints three shares and the time of 100 paired tests:
without any signal, "beats buy and hold at 5 %" has to appear in 5 % ± 2.2 %; a planted, knowable signal has to be
found; and the power that the plan computes has to be the simulated one within 3 points. For the last it takes six times
as many markets, so that the standard error of the difference is about 0.7 point.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from statistics import NormalDist

import numpy as np

from tests.features.backtest.market import NO_COSTS
from tradingagents.agents.schemas import Decision
from tradingagents.analytics.performance import PairedTest, paired_test, power_of
from tradingagents.analytics.performance.intervals import LEVEL
from tradingagents.dataflows.models import Dividend, Prices, Split
from tradingagents.dataflows.reference.calendar import sessions
from tradingagents.features.backtest.advance import AccountRules
from tradingagents.features.backtest.financing.bills import BillRates
from tradingagents.features.backtest.limits import RiskLimits
from tradingagents.features.backtest.market import BacktestMarket
from tradingagents.features.backtest.request import BacktestRequest
from tradingagents.features.backtest.score import run_account, score_account
from tradingagents.features.backtest.statistics.active_risk import CONFIDENCE, active_risk
from tradingagents.features.backtest.strategies import HELD, Decisions, baseline_targets, decision_targets
from tradingagents.features.backtest.traded_prices import TradedPrices

NAMES, EVERY = 8, 5
HISTORY, TESTED = 130, 253
LIMITS = RiskLimits(max_position=0.25, max_sector=1.0)
FIRST, LAST = date(2021, 1, 4), date(2023, 6, 30)
BILL_RATE = 0.05
"""What cash earns a year: the comparison at equal exposure has to give it to both sides."""
WEAK, STRONG = 0.006, 0.012
"""Drift over the sessions to the next decision for a signal of one standard deviation."""


@dataclass(frozen=True)
class SimulatedTest:
    """One market, and the decisions that someone made who sees the signal, if there is one."""

    market: BacktestMarket
    request: BacktestRequest
    decisions: Decisions


def simulated_test(seed: int, drift: float, *, tested: int = TESTED, names: int = NAMES) -> SimulatedTest:
    """Return a market with a common factor, gaps over night, splits and dividends, and decisions on it.

    Args:
        seed: Of the market.
        drift: What a signal of one is worth until the next decision; 0: the signal is worth nothing. The sessions
            before the test have signals of the same worth, which nobody acts on: a plan measures their noise too.
        tested: Sessions of the test, after those of the history.
        names: Number of tickers.
    """
    random = np.random.default_rng(seed)
    days = sessions().between(FIRST, LAST)[: HISTORY + tested]
    on = days[HISTORY:-1][::EVERY]
    signals = random.normal(size=(len(on), names))
    returns = 0.0003 + random.normal(0, 0.008, (len(days), 1)) + random.standard_t(5, (len(days), names)) * 0.012
    for number in range(len(on)):  # from the open after a decision to the open after the next
        first = HISTORY + number * EVERY + 1
        returns[first : first + EVERY] += drift / EVERY * signals[number]
    unused = np.random.default_rng((seed, HISTORY)).normal(size=(HISTORY // EVERY, names))
    returns[1 : HISTORY + 1] += drift / EVERY * np.repeat(unused, EVERY, axis=0)
    symbols = [f"S{number}" for number in range(names)]
    prices = {symbol: _prices(symbol, days, returns[:, place], random) for place, symbol in enumerate(symbols)}
    request = BacktestRequest(tickers=tuple(symbols), start=days[HISTORY], end=days[-1], every=EVERY, limits=LIMITS)
    table = TradedPrices(prices, days)
    bills = BillRates(dict.fromkeys(days[HISTORY:], BILL_RATE), "made")
    market = BacktestMarket(table, prices, {}, dict.fromkeys(symbols), days[HISTORY:], on, (), bills=bills)
    made = {
        day: {symbol: _decision(signals[number, place], random) for place, symbol in enumerate(symbols)}
        for number, day in enumerate(on)
    }
    return SimulatedTest(market, request, made)


def traded_and_tested(test: SimulatedTest) -> PairedTest | None:
    """Trade the decisions, and test them against buy and hold at equal exposure, as a backtest does."""
    market, request = test.market, test.request
    rules = AccountRules(costs=NO_COSTS, bills=market.bills)
    limited = replace(rules, limits=LIMITS)
    own = decision_targets(test.decisions, request.scheme, LIMITS, market.table)
    account = run_account(market.table, market.days, limited, own)
    held = run_account(market.table, market.days, rules, baseline_targets(market)[HELD])
    return score_account(account, held).ci_equal_exposure


def share_beating(markets: int, drift: float, *, first: int = 0, tested: int = TESTED) -> tuple[float, float]:
    """Return how often the decisions beat buy and hold at 5 %, and their mean yearly difference."""
    known = _tested(markets, drift, first, tested)
    return float(np.mean([one.beats for one in known])), float(np.mean([one.difference for one in known]))


@dataclass(frozen=True)
class PowerCheck:
    """The power that plans compute for the edge that markets had, and how often the edge was seen."""

    markets: int
    edge: float
    """Mean yearly difference in these markets."""
    planned: float
    simulated: float
    error: float
    """Standard error of planned less simulated."""


def check_power(markets: int, drift: float, *, plans: int, first: int = 200_000, tested: int = TESTED) -> PowerCheck:
    """Compare planned and simulated power.

    Args:
        markets: How many are traded.
        drift: Of the planted signal.
        plans: For how many of them a plan is made.
        first: Seed of the first market.
        tested: Sessions of the test.
    """
    known = _tested(markets, drift, first, tested)
    hits, edges = (np.array([getattr(one, name) for one in known], float) for name in ("beats", "difference"))
    edge, errors = float(edges.mean()), planned_errors(plans, drift, first=first, tested=tested)
    powers = np.array([power_of(edge, one, tested - 1) for one in errors])
    # The edge is that of the same markets: where it is larger by chance, so are both powers.
    normal, error = NormalDist(), float(np.mean(errors)) * np.sqrt(252 / (tested - 1))
    slope = normal.pdf(edge / error - normal.inv_cdf(1 - LEVEL)) / error
    spread = float(np.var(hits - slope * edges, ddof=1)) / markets + float(powers.var(ddof=1)) / plans
    return PowerCheck(markets, edge, float(powers.mean()), float(hits.mean()), float(np.sqrt(spread)))


def planned_errors(plans: int, drift: float, *, first: int, tested: int = TESTED) -> list[float]:
    """Return the tracking errors that plans measure in the history of markets."""
    tests = (simulated_test(first + seed, drift, tested=tested) for seed in range(plans))
    return [active_risk(test.request, test.market).tracking_error for test in tests]


def _tested(markets: int, drift: float, first: int, tested: int) -> list[PairedTest]:
    found = [traded_and_tested(simulated_test(first + seed, drift, tested=tested)) for seed in range(markets)]
    return [one for one in found if one is not None]


def paired_seconds(tests: int = 100, count: int = 1260) -> float:
    """Return the processor time of paired tests over five years."""
    random = np.random.default_rng(1)
    market = random.normal(0, 0.01, count)
    held = market + random.normal(0, 0.006, count)
    began = time.process_time()
    for _ in range(tests):
        paired_test(held, market)
    return time.process_time() - began


def _decision(signal: float, random: np.random.Generator) -> Decision:
    """Return what someone decides who sees a signal: the mix of actions is that of a plan."""
    buy, sell = 0.2533, -0.5244  # quantiles of the normal distribution: 40 % above, 30 % below
    action = "BUY" if signal > buy else "SELL" if signal < sell else "HOLD"
    values: Mapping[str, object] = {"action": action, "confidence": random.uniform(*CONFIDENCE), "rationale": "made"}
    return Decision.model_validate(values)


def _prices(symbol: str, days: tuple[date, ...], returns: np.ndarray, random: np.random.Generator) -> Prices:
    close = 50 * random.uniform(0.5, 3) * np.cumprod(1 + np.maximum(returns, -0.5))
    before = np.concatenate(([close[0]], close[:-1]))
    opened = before * (1 + 0.3 * (close / before - 1))
    paid = tuple(Dividend(days[place], float(close[place]) * 0.004) for place in range(40, len(days), 63))
    adjusted = close.copy()
    for one in paid:
        place = days.index(one.day)
        adjusted[:place] *= 1 - one.amount / close[place - 1]
    return Prices(
        symbol=symbol,
        days=np.array(days, dtype="datetime64[D]"),
        open=opened,
        high=np.maximum(opened, close),
        low=np.minimum(opened, close),
        close=close,
        adj_close=adjusted,
        volume=np.full(len(days), 1e8),
        currency="USD",
        vendor="simulated",
        fetched_at=datetime(2026, 1, 1, tzinfo=UTC),
        splits=(Split(days[int(random.integers(60, len(days)))], 2.0),),
        dividends=paid,
    )


def main(markets: int = 400) -> None:
    """Print the shares."""
    write = sys.stdout.write
    write(f"100 paired tests over five years: {paired_seconds():.2f} s of processor time\n")
    none, _ = share_beating(markets, 0.0)
    write(f"No signal: beats buy and hold at 5 % in {100 * none:.1f} % of {markets} markets (5 % ± 2.2 %)\n")
    strong, edge = share_beating(max(markets // 10, 10), STRONG, first=50_000)
    write(f"Planted signal worth {100 * edge:.0f} % a year: found in {100 * strong:.0f} % of markets\n")
    found = check_power(markets * 6, WEAK, plans=max(markets * 3 // 4, 10))
    apart = 100 * (found.planned - found.simulated)
    write(f"Weak signal worth {100 * found.edge:.1f} % a year: planned power {100 * found.planned:.1f} %, simulated "
          f"{100 * found.simulated:.1f} % of {found.markets} markets: {apart:+.1f} points (within 3), standard error "
          f"{100 * found.error:.1f}\n")  # fmt: skip


if __name__ == "__main__":
    main(*(int(one) for one in sys.argv[1:]))
