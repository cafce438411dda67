"""Runs a backtest: decides on past days, trades the decisions in accounts, scores them, and records it all.

`backtest` does both; `decide_backtest` only decides, `score_backtest` only scores what is stored and asks no model.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from tradingagents.dataflows.cutoff import AT_CLOSE, AT_OPEN
from tradingagents.dataflows.models import Prices
from tradingagents.features.backtest.contamination.backtest_split import (
    KnowledgeSplit,
    disguise_check,
    knowledge_split,
    knowledge_warning,
)
from tradingagents.features.backtest.decisions.decide import DecisionSet, Tell, Wanted
from tradingagents.features.backtest.decisions.decision_store import DecisionStore, StoredDecision
from tradingagents.features.backtest.exits import check_exits
from tradingagents.features.backtest.financing.bills import bill_record
from tradingagents.features.backtest.market import BacktestMarket, read_market
from tradingagents.features.backtest.pages.verdict import verdict
from tradingagents.features.backtest.plan import BacktestPlan, check_plan
from tradingagents.features.backtest.request import BacktestRequest
from tradingagents.features.backtest.score import Account, StrategyScore, by_day
from tradingagents.features.backtest.statistics.breakdown import Breakdown, break_down
from tradingagents.features.backtest.statistics.calls import call_quality
from tradingagents.features.backtest.statistics.random_deciders import RandomDeciders, random_deciders
from tradingagents.features.backtest.statistics.record import (
    BacktestCosts,
    BacktestResult,
    DecisionCoverage,
    EdgePower,
    PlannedTest,
    VariantRecord,
)
from tradingagents.features.backtest.statistics.selection import find_looks
from tradingagents.features.backtest.strategies import DECISIONS, HELD, Decisions
from tradingagents.features.backtest.traded_prices import TradedPrices
from tradingagents.features.backtest.variants.accounts import (
    TradedVariants,
    choice_cost,
    coverage_of,
    repeats_and_ranks,
    score_variants,
    tested_rules,
    trade_variants,
)
from tradingagents.features.backtest.variants.decided import DISGUISED, DecidedVariant, decide_variants, stored_variants
from tradingagents.llm_clients.known_models import knowledge_of
from tradingagents.runtime.fingerprint import digest
from tradingagents.runtime.services import Services
from tradingagents.settings import Settings

__all__ = ["DECISIONS", "HELD", "Backtest", "BacktestRequest", "backtest", "decide_backtest", "score_backtest"]

SURVIVORSHIP = (
    "The tickers were chosen by someone who knows which companies still exist: survivorship flatters every strategy "
    "here, buy and hold included."
)
NOT_BOUNDED = (
    "How much that adds cannot be bounded: no source here says which companies an index had on a day, so "
    "neither the number of those that left nor what they lost is known, and tickers named by hand may be any."
)


@dataclass(frozen=True, repr=False)  # asyncio.run words its task, and with it a result that takes seconds to word
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
        plainly = self.result.to_json()
        return {**plainly, "verdict": verdict(plainly)}


async def backtest(
    services: Services,
    request: BacktestRequest,
    *,
    plan: BacktestPlan | None = None,
    tell: Tell = lambda _done, _all: None,
) -> Backtest:
    """Decide on past days, trade the decisions, and compare with baselines.

    Args:
        request: What to test.
        plan: The sealed plan of this backtest; its hash goes into the result.
        tell: Called after every decision.

    Raises:
        UsageError: The tickers, days or numbers cannot be tested, or are not the planned ones.
        NoData: A ticker has no prices in the period.
        BudgetReached, Interrupted: Decisions made so far are stored; the same request goes on with them.
    """
    # Reading prices and scoring take seconds, in which a server that runs this answers others.
    market = await asyncio.to_thread(_planned_market, services, request, plan)
    decided = await decide_variants(services, request, market, tell)
    return await asyncio.to_thread(_scored, services, request, market, decided, plan)


async def decide_backtest(
    services: Services,
    request: BacktestRequest,
    *,
    plan: BacktestPlan | None = None,
    tell: Tell = lambda _done, _all: None,
) -> DecisionCoverage:
    """Make the decisions of a backtest and store them, without scoring. Arguments and errors as `backtest`."""
    market = _planned_market(services, request, plan)
    decided = await decide_variants(services, request, market, tell)
    return _coverage([run for variant in decided.values() for run in variant.runs], market)


def score_backtest(services: Services, request: BacktestRequest, *, plan: BacktestPlan | None = None) -> Backtest:
    """Score the decisions that are stored, and ask no model; those that are not stored count as failed.

    Args:
        services: The settings and models that the decisions were made with.
        request: What to test.
        plan: The sealed plan of this backtest.

    Raises:
        UsageError: The tickers, days or numbers cannot be tested, or are not the planned ones.
        NoData: A ticker has no prices in the period.
        UnreadableFile: A stored decision was damaged.
    """
    market = _planned_market(services, request, plan)
    return _scored(services, request, market, stored_variants(services, request, market), plan)


def backtest_id(services: Services, request: BacktestRequest) -> str:
    """Return the name of a backtest's folder: its period, and a hash of request, settings and models."""
    key = DecisionStore(services).key("", request.start)
    return f"{request.start}-{request.end}-{digest({**request.to_json(), 'asked': key})[:12]}"


def _planned_market(services: Services, request: BacktestRequest, plan: BacktestPlan | None) -> BacktestMarket:
    if plan is not None:
        check_plan(plan, services, request)
    market = read_market(services, request)
    check_exits(request.exits, market.prices, market.foreign, services.settings.decide_at)
    return market


def _scored(
    services: Services,
    request: BacktestRequest,
    market: BacktestMarket,
    variants: Mapping[str, DecidedVariant],
    plan: BacktestPlan | None,
) -> Backtest:
    request = BacktestRequest(**{**vars(request), "tickers": market.tickers})
    found = variants[DECISIONS].runs[0]
    decisions = by_day({case: stored.decision for case, stored in found.found.items()})
    traded = trade_variants(request, market, variants)
    scores = score_variants(traded)
    repeats, ranking = repeats_and_ranks(variants, traded)
    parts = _broken_down(found, traded, market)
    split = _split(services, decisions, traded, market)
    name = backtest_id(services, request)
    models = {str(tier): label for tier, label in services.models.labels.items()}
    result = BacktestResult(
        id=name,
        request=request.to_json(),
        models=models,
        first_session=market.days[0],
        last_session=market.days[-1],
        sessions=len(market.days),
        decision_days=len(market.decision_days),
        currency=market.currency,
        funds=tuple(market.funds),
        bills=bill_record(market.bills, market.days),
        strategies=scores,
        decisions=call_quality(decisions, market.table, market.days[-1]),
        coverage=_coverage([found], market),
        costs=_costs(variants),
        scorecard=parts.scorecard,
        regimes=parts.regimes,
        power=_power(scores[DECISIONS]),
        choice=choice_cost(request, traded, scores, find_looks(services.settings.home_dir, request, name, models)),
        repeats=repeats,
        ranking=ranking,
        variants={name: _variant(variant, market) for name, variant in variants.items()},
        contamination=split,
        disguise=disguise_check(found, variants[DISGUISED].runs[0], market) if DISGUISED in variants else None,
        plan_hash=None if plan is None else plan.hash,
        planned=None if plan is None else PlannedTest(plan.made_at, plan.edge, plan.power, plan.smallest_edge),
        warnings=(*_of_plan(plan), *_of_moment(services.settings), *_of_market(market, found, split, scores)),
        random_deciders=_deciders(request, decisions, market, scores[DECISIONS]),
    )
    return Backtest(result, traded.accounts, found.found, market.table, found.missing, market.prices)


def _deciders(
    request: BacktestRequest, decisions: Decisions, market: BacktestMarket, score: StrategyScore
) -> RandomDeciders:
    rules = tested_rules(request, market)
    return random_deciders(decisions, market, rules, request.scheme, score, exits=request.exits)


def _of_market(
    market: BacktestMarket, found: DecisionSet, split: KnowledgeSplit | None, scores: Mapping[str, StrategyScore]
) -> list[str]:
    """Return what speaks against the result, of its prices, its costs and the choice of its tickers."""
    return [*market.warnings, *_of_costs(found), *_doubts(market, split, scores)]


def _broken_down(found: DecisionSet, traded: TradedVariants, market: BacktestMarket) -> Breakdown:
    own, held = traded.accounts[DECISIONS], traded.accounts[HELD]
    return break_down(found.found, own, held, market.table, tickers=market.tickers, benchmark=market.benchmark)


def _split(
    services: Services, decisions: Decisions, traded: TradedVariants, market: BacktestMarket
) -> KnowledgeSplit | None:
    knowledge = knowledge_of(services.models.every_label, services.settings.knowledge_cutoffs)
    return knowledge_split(knowledge, traded.accounts[DECISIONS], traded.accounts[HELD], decisions, market.table)


def _of_moment(settings: Settings) -> tuple[str, ...]:
    """Say when the decisions were made, where it is not after the close."""
    if settings.decide_at == AT_CLOSE:
        return ()
    when = "the open of the next session" if settings.decide_at == AT_OPEN else f"{settings.decide_at} on their day"
    return (f"Decisions were made at {when}, with the news known by then, and filled at the next open.",)


def _of_plan(plan: BacktestPlan | None) -> list[str]:
    """Return what a reader should know of a plan that was made when results could be known."""
    if plan is None or not plan.costs.stored:
        return []
    return [f"{plan.costs.stored} of {plan.costs.decisions} decisions were stored when the plan was sealed."]


def _costs(variants: Mapping[str, DecidedVariant]) -> BacktestCosts:
    runs = [run for variant in variants.values() for run in variant.runs]
    decided, spent = coverage_of(runs)
    own = variants[DECISIONS].runs[0].cost_usd
    return BacktestCosts(own, spent, decided)


def _variant(variant: DecidedVariant, market: BacktestMarket) -> VariantRecord:
    _, spent = coverage_of(variant.runs)
    return VariantRecord(variant.models, len(variant.runs), _coverage(variant.runs, market), spent)


def _of_costs(found: DecisionSet) -> list[str]:
    """Return what a reader should know of the cost of the models."""
    unknown = sum(decision.cost_usd is None for decision in found.found.values())
    return [f"The cost of {unknown} decisions is not known; it is not charged."] if unknown else []


def _coverage(runs: Sequence[DecisionSet], market: BacktestMarket) -> DecisionCoverage:
    """Return how many of the wanted decisions there are. NO_DECISION is a run's answer and no decision."""
    wanted = len(market.tickers) * len(market.decision_days) * len(runs)
    found = [decision for run in runs for decision in run.found.values()]
    none = sum(decision.decision.action == "NO_DECISION" for decision in found)
    reasons: dict[str, int] = {}
    missing = [why for run in runs for why in run.missing.values()]
    for why in missing:
        reasons[why] = reasons.get(why, 0) + 1
    made = len(found) - none
    return DecisionCoverage(wanted, made, none, len(missing), made / wanted if wanted else None, reasons)


def _power(own: StrategyScore) -> EdgePower | None:
    """Return what the test of the decisions against buy and hold at equal exposure could have seen."""
    paired = own.ci_equal_exposure
    return None if paired is None else EdgePower(paired.smallest_edge, p_value=paired.p_value)


def _size_of_choice(market: BacktestMarket, scores: Mapping[str, StrategyScore]) -> list[str]:
    """Say how many tickers ended, and what their choice alone made: it is in every strategy before any decision."""
    ended = sum(market.table.is_gone(ticker, market.days[-1]) for ticker in market.tickers)
    count = len(market.tickers)
    sentences = [f"Of {count} ticker{'' if count == 1 else 's'} {ended or 'none'} ended within the test."]
    if "benchmark" in scores and market.benchmark is not None:
        own, other = (round(100 * scores[name].total_return, 1) for name in (HELD, "benchmark"))
        sentences.append(
            f"Held without a decision they made {own:.1f} %, {market.benchmark} {other:.1f} %: the choice of the "
            f"tickers is {own - other:+.1f} points."
        )
    return sentences


def _doubts(market: BacktestMarket, split: KnowledgeSplit | None, scores: Mapping[str, StrategyScore]) -> list[str]:
    """Return what speaks against the result before anybody reads it."""
    doubts = [" ".join((SURVIVORSHIP, *_size_of_choice(market, scores), NOT_BOUNDED))]
    if len(market.days) <= 252:
        doubts.append("The period is shorter than a year; annual figures are extrapolated.")
    if split is not None:
        doubts.append(knowledge_warning(split))
    return doubts
