"""Runs a backtest: decides on past days, trades the decisions in accounts, scores them, and records it all.

`backtest` does both; `decide_backtest` only decides, `score_backtest` only scores what is stored and asks no model.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import date
from functools import cached_property
from typing import Any

from tradingagents.backtest.advance import AccountRules, Targets
from tradingagents.backtest.breakdown.breakdown import break_down
from tradingagents.backtest.broker import TradingCosts
from tradingagents.backtest.decide import DecisionSet, Tell, Wanted, decide
from tradingagents.backtest.decision_store import DecisionStore, StoredDecision
from tradingagents.backtest.limits import RiskLimits
from tradingagents.backtest.market import BacktestMarket, read_market
from tradingagents.backtest.score import Account, StrategyScore, by_day, run_account, score_account
from tradingagents.backtest.statistics.calls import call_quality
from tradingagents.backtest.statistics.record import BacktestResult, DecisionCoverage, EdgePower
from tradingagents.backtest.strategies import (
    DECISIONS,
    HELD,
    OPEN,
    RANDOM_SEED,
    Decisions,
    all_in_targets,
    always_bought,
    baseline_targets,
    decision_targets,
    shuffled,
    ticker_targets,
)
from tradingagents.backtest.traded_prices import TradedPrices
from tradingagents.backtest.weights import Scheme
from tradingagents.dataflows.models import Prices
from tradingagents.runtime.fingerprint import digest
from tradingagents.runtime.services import Services

__all__ = ["DECISIONS", "HELD", "Backtest", "BacktestRequest", "backtest", "decide_backtest", "score_backtest"]

SURVIVORSHIP = (
    "The tickers were chosen by someone who knows which companies still exist: survivorship flatters every strategy "
    "here, buy and hold included."
)
UNDECIDED = "It has not been decided on."
_RULES = ("offline/", "scripted/")
"""Labels of models that remember nothing."""


@dataclass(frozen=True, kw_only=True)
class BacktestRequest:
    """What to test."""

    tickers: tuple[str, ...]
    start: date
    end: date
    every: int = 5
    """Sessions from one decision to the next."""
    scheme: Scheme = "confidence"
    deposit: float = 100_000.0
    costs: TradingCosts = field(default_factory=TradingCosts)
    limits: RiskLimits = field(default_factory=RiskLimits)

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON."""
        plainly = asdict(self)
        return {**plainly, "tickers": list(self.tickers), "start": str(self.start), "end": str(self.end)}


@dataclass(frozen=True)
class Backtest:
    """A finished backtest."""

    result: BacktestResult
    accounts: Mapping[str, Account]
    """By strategy; `decisions` is the one that was tested."""
    decided: Mapping[Wanted, StoredDecision]
    """The decisions, by ticker and day."""
    table: TradedPrices
    """Prices of the tickers and funds, from before the start on."""
    missing: Mapping[Wanted, str]
    """Why there is no decision, by ticker and day."""
    prices: Mapping[str, Prices]
    """Split-adjusted prices of the tickers."""

    @cached_property
    def record(self) -> dict[str, Any]:
        """The result as `result.json` holds it."""
        from tradingagents.backtest.report import verdict

        plainly = self.result.to_json()
        return {**plainly, "verdict": verdict(plainly)}


async def backtest(services: Services, request: BacktestRequest, *, tell: Tell = lambda _done, _all: None) -> Backtest:
    """Decide on past days, trade the decisions, and compare with baselines.

    Args:
        services: Settings, models and vendors.
        request: What to test.
        tell: Called after every decision.

    Raises:
        UsageError: The tickers, days or numbers cannot be tested.
        NoData: A ticker has no prices in the period.
        BudgetReached, Interrupted: Decisions made so far are stored; the same request goes on with them.
    """
    market = read_market(services, request)
    found = await decide(services, market.tickers, market.decision_days, tell=tell)
    return _scored(services, request, market, found)


async def decide_backtest(
    services: Services, request: BacktestRequest, *, tell: Tell = lambda _done, _all: None
) -> DecisionCoverage:
    """Make the decisions of a backtest and store them, without scoring. Arguments and errors as `backtest`."""
    market = read_market(services, request)
    return _coverage(await decide(services, market.tickers, market.decision_days, tell=tell), market)


def score_backtest(services: Services, request: BacktestRequest) -> Backtest:
    """Score the decisions that are stored, and ask no model; those that are not stored count as failed.

    Args:
        services: The settings and models that the decisions were made with.
        request: What to test.

    Raises:
        UsageError: The tickers, days or numbers cannot be tested.
        NoData: A ticker has no prices in the period.
        UnreadableFile: A stored decision was damaged.
    """
    market, store = read_market(services, request), DecisionStore(services)
    wanted = [(ticker, day) for day in market.decision_days for ticker in market.tickers]
    stored = {one: store.get(*one) for one in wanted}
    found = {one: decision for one, decision in stored.items() if decision is not None}
    missing = dict.fromkeys((one for one in wanted if one not in found), UNDECIDED)
    return _scored(services, request, market, DecisionSet(found, missing, 0))


def backtest_id(services: Services, request: BacktestRequest) -> str:
    """Return the name of a backtest's folder: its period, and a hash of request, settings and models."""
    key = DecisionStore(services).key("", request.start)
    return f"{request.start}-{request.end}-{digest({**request.to_json(), 'asked': key})[:12]}"


def _scored(services: Services, request: BacktestRequest, market: BacktestMarket, found: DecisionSet) -> Backtest:
    request = BacktestRequest(**{**vars(request), "tickers": market.tickers})
    decisions = by_day({one: stored.decision for one, stored in found.found.items()})
    charges, of_costs = _charges(found, market)
    rules = AccountRules(request.deposit, request.costs, request.limits, market.sectors, charges=charges)
    accounts = _accounts(request, market, rules, decisions)
    alone = _ticker_scores(request, market, decisions)
    held = accounts[HELD]
    parts = break_down(
        found.found,
        accounts[DECISIONS],
        held,
        market.table,
        tickers=market.tickers,
        benchmark=market.benchmark,
    )
    scores = {
        name: score_account(one, held if name != HELD else None, alone.get(name)) for name, one in accounts.items()
    }
    result = BacktestResult(
        id=backtest_id(services, request),
        request=request.to_json(),
        models={str(tier): label for tier, label in services.models.labels.items()},
        first_session=market.days[0],
        last_session=market.days[-1],
        sessions=len(market.days),
        decision_days=len(market.decision_days),
        currency=market.currency,
        funds=tuple(market.funds),
        strategies=scores,
        decisions=call_quality(decisions, market.table, market.days[-1]),
        coverage=_coverage(found, market),
        costs={"llm_usd": found.cost_usd, "decided_now": found.decided},
        scorecard=parts.scorecard,
        regimes=parts.regimes,
        power=_power(scores[DECISIONS]),
        warnings=(*market.warnings, *of_costs, *_doubts(services.models.labels, market)),
    )
    return Backtest(result, accounts, found.found, market.table, found.missing, market.prices)


def _charges(found: DecisionSet, market: BacktestMarket) -> tuple[dict[date, float], list[str]]:
    """Return the cost of the models by day, and what a reader should know of it."""
    if market.currency != "USD":
        return {}, [f"The cost of the models is in USD, the account in {market.currency}; it is not charged."]
    charges: dict[date, float] = {}
    for (_, day), one in found.found.items():
        charges[day] = charges.get(day, 0.0) + (one.cost_usd or 0.0)
    unknown = sum(one.cost_usd is None for one in found.found.values())
    return charges, [f"The cost of {unknown} decisions is not known; it is not charged."] if unknown else []


def _accounts(
    request: BacktestRequest, market: BacktestMarket, rules: AccountRules, decisions: Decisions
) -> dict[str, Account]:
    """Return the accounts of the book: the tested one, then those of baselines, which pay no models."""
    limited = AccountRules(rules.deposit, rules.costs, rules.limits, rules.sectors, rules.least_trade)

    def run(targets: Targets, own: AccountRules) -> Account:
        return run_account(market.table, market.days, own, targets)

    def followed(made: Decisions) -> Targets:
        return decision_targets(made, request.scheme, request.limits, market.table)

    return {
        DECISIONS: run(followed(decisions), rules),
        "always_buy": run(followed(always_bought(market)), limited),
        "random": run(followed(shuffled(decisions, RANDOM_SEED)), limited),
        **{name: run(one, _open_rules(request)) for name, one in baseline_targets(market).items()},
    }


def _ticker_scores(
    request: BacktestRequest, market: BacktestMarket, decisions: Decisions
) -> dict[str, dict[str, StrategyScore]]:
    """Return the scores of accounts that hold one ticker, by strategy and ticker; models are charged to the book."""
    found: dict[str, dict[str, StrategyScore]] = {}
    for ticker in market.tickers:
        targets = {DECISIONS: all_in_targets(decisions, ticker), **ticker_targets(market, ticker)}
        accounts = {
            name: run_account(market.table, market.days, _open_rules(request), one) for name, one in targets.items()
        }
        for name, one in accounts.items():
            score = score_account(one, accounts[HELD] if name != HELD else None)
            found.setdefault(name, {})[ticker] = score
    return found


def _open_rules(request: BacktestRequest) -> AccountRules:
    return AccountRules(request.deposit, request.costs, OPEN)


def _coverage(found: DecisionSet, market: BacktestMarket) -> DecisionCoverage:
    """Return how many of the wanted decisions there are. NO_DECISION is a run's answer and no decision."""
    wanted = len(market.tickers) * len(market.decision_days)
    none = sum(one.decision.action == "NO_DECISION" for one in found.found.values())
    reasons: dict[str, int] = {}
    for why in found.missing.values():
        reasons[why] = reasons.get(why, 0) + 1
    made = len(found.found) - none
    share = made / wanted if wanted else None
    return DecisionCoverage(wanted, made, none, len(found.missing), share, reasons)


def _power(own: StrategyScore) -> EdgePower | None:
    """Return what the test of the decisions against buy and hold at equal exposure could have seen."""
    paired = own.ci_equal_exposure
    return None if paired is None else EdgePower(paired.smallest_edge, p_value=paired.p_value)


def _doubts(labels: Mapping[Any, str], market: BacktestMarket) -> list[str]:
    """Return what speaks against the result before anybody reads it."""
    doubts = [SURVIVORSHIP]
    if len(market.days) <= 252:
        doubts.append("The period is shorter than a year; annual figures are extrapolated.")
    if not all(label.startswith(_RULES) for label in labels.values()):
        doubts.append(
            "Language models may remember what happened in this period: days before a model's knowledge cut-off do "
            "not test it."
        )
    return doubts
