"""An assessment of contamination: cut-offs, recall without data, and whether decisions follow the data or the name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any

from tradingagents.errors import UsageError
from tradingagents.features.backtest.contamination.case_plan import ASSUMED_MIX, LEAST_TICKERS, CasePlan, plan_cases
from tradingagents.features.backtest.contamination.input_dependency import (
    InputDependency,
    input_dependency,
    verdict_words,
)
from tradingagents.features.backtest.contamination.recall import Recall, recall
from tradingagents.features.backtest.decisions.decide import Tell
from tradingagents.features.backtest.market import read_market
from tradingagents.llm_clients.known_models import Knowledge, knowledge_of
from tradingagents.runtime.services import Services

if TYPE_CHECKING:
    from tradingagents.features.backtest.request import BacktestRequest

CASES = 24
"""Tickers and days that are tried by default."""


@dataclass(frozen=True, slots=True)
class Contamination:
    """What speaks for and against results on days that the models may know."""

    knowledge: Knowledge
    days: tuple[date, ...]
    tickers: tuple[str, ...]
    recalled: tuple[Recall, ...]
    """Of each model that may remember anything."""
    dependency: InputDependency

    @property
    def known_days(self) -> int:
        """Days that lie on or before the latest cut-off."""
        return sum(self.knowledge.may_know(day) for day in self.days)

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON."""
        dependency = self.dependency.to_json()
        models = [
            {
                "model": model.label,
                "remembers": model.remembers,
                "cutoff": None if model.cutoff is None else str(model.cutoff),
            }
            for model in self.knowledge.models
        ]
        return {
            "kind": "contamination",
            "models": models,
            "cutoff": None if self.knowledge.cutoff is None else str(self.knowledge.cutoff),
            "tickers": list(self.tickers),
            "days": [str(day) for day in self.days],
            "known_days": self.known_days,
            "recall": [_recall_json(model) for model in self.recalled],
            "input_dependency": dependency,
            "verdict": verdict_words(dependency),
        }


async def assess_contamination(
    services: Services,
    request: BacktestRequest,
    *,
    cases: int = CASES,
    tell: Tell = lambda _done, _all: None,
) -> Contamination:
    """Assess what the models of a backtest may remember, on a sample of its tickers and days.

    Each case takes about four decisions, and each model that may remember anything one short question.

    Args:
        request: The backtest; its decision days are thinned out evenly.
        cases: Tickers and days to try; all tickers are tried on each day.
        tell: Called after every decision.

    Raises:
        UsageError: Fewer than two tickers, or a request that cannot be tested.
        NoData: A ticker has no prices in the period.
        BudgetReached, Interrupted: Decisions made so far are stored; the same request goes on with them.
    """
    _check_tickers(request)
    market = read_market(services, request)
    days = _thinned(market.decision_days, max(1, cases // len(market.tickers)))
    labels = services.models.every_label
    recalled = await recall(services, market, [(ticker, day) for day in days for ticker in market.tickers])
    dependency = await input_dependency(services, market.tickers, days, tell=tell)
    knowledge = knowledge_of(labels, services.settings.knowledge_cutoffs)
    return Contamination(knowledge, days, market.tickers, recalled, dependency)


def plan_assessment(request: BacktestRequest, mix: Sequence[float] = ASSUMED_MIX) -> CasePlan:
    """Return how many cases the assessment of a backtest asks for, and what they cost in decisions; nothing is decided.

    Args:
        request: The backtest.
        mix: Expected shares of BUY, SELL and HOLD.

    Raises:
        UsageError: Fewer than two tickers.
    """
    _check_tickers(request)
    return plan_cases(len(set(request.tickers)), mix)


def _check_tickers(request: BacktestRequest) -> None:
    if len(set(request.tickers)) < LEAST_TICKERS:
        raise UsageError("Name two tickers at least: the name of one is shown with the data of another.")


def _thinned(days: Sequence[date], count: int) -> tuple[date, ...]:
    """Return so many days at most, evenly spaced, the first among them."""
    if len(days) <= count:
        return tuple(days)
    return tuple(days[place * len(days) // count] for place in range(count))


def _recall_json(found: Recall) -> dict[str, Any]:
    return {
        "model": found.model,
        "asked": found.asked,
        "failed": found.failed,
        "directions": found.directions.to_json(),
        "by_chance": found.by_chance,
        "p_value": found.p_value,
        "closes": found.closes.to_json(),
        "remembers": found.remembers,
    }
