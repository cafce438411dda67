"""Decides all variants of a backtest, each as often as it is repeated, under one budget."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tradingagents.dataflows.reference.symbols import normalise
from tradingagents.errors import UsageError
from tradingagents.features.backtest.contamination.disguises import disguised
from tradingagents.features.backtest.decisions.decide import DecisionSet, Tell, decide
from tradingagents.features.backtest.decisions.decision_store import DecisionStore
from tradingagents.features.backtest.market import BacktestMarket
from tradingagents.features.backtest.strategies import DECISIONS
from tradingagents.features.backtest.variants.ablations import (
    ABLATIONS,
    OFFLINE,
    ablated,
    follows_rules,
    offline_variant,
)
from tradingagents.llm_clients.meter import UsageMeter
from tradingagents.runtime.services import Services

if TYPE_CHECKING:
    from tradingagents.features.backtest.request import BacktestRequest

UNDECIDED = "It has not been decided on."
DISGUISED = "disguised"
"""The variant that is decided under other names, years and levels; a diagnostic, and no trial."""
TITLES = {
    DECISIONS: "Decisions",
    DISGUISED: "Disguised",
    OFFLINE: "Offline analysts",
    **{name: ablation.title for name, ablation in ABLATIONS.items()},
}
MOST_REPEATS = 100


@dataclass(frozen=True, slots=True)
class DecidedVariant:
    """One way to decide, with its decisions."""

    models: Mapping[str, str]
    """`provider/model` by tier."""
    rules: bool
    """Whether rules decide, the same each time."""
    runs: tuple[DecisionSet, ...]
    """One for each repeat; of rules one."""


def variant_services(services: Services, request: BacktestRequest) -> dict[str, Services]:
    """Return the services of every variant by name: the tested one first, then ablations, disguise, offline analysts.

    Raises:
        UsageError: An ablation does not exist or changes nothing, or the repeats cannot be made.
    """
    if not 1 <= request.repeats <= MOST_REPEATS:
        raise UsageError(f"Decisions can be repeated 1 to {MOST_REPEATS} times.")
    if request.trials is not None and request.trials < 1:
        raise UsageError("The number of trials is 1 at least: this backtest is one.")
    if request.repeats > 1 and services.settings.replay == "only":
        raise UsageError("Repeats need new replies of the models; replay=only has one reply to each request.")
    offline = offline_variant(services)
    parts = {name: ablated(services, name) for name in dict.fromkeys(request.ablations)}
    hidden = {DISGUISED: disguised(services, _symbols(request), request.start)} if request.disguise else {}
    return {DECISIONS: services, **parts, **hidden, **({} if offline is None else {OFFLINE: offline})}


def _symbols(request: BacktestRequest) -> list[str]:
    return [normalise(ticker) for ticker in request.tickers]


async def decide_variants(
    services: Services, request: BacktestRequest, market: BacktestMarket, tell: Tell
) -> dict[str, DecidedVariant]:
    """Decide every variant on every ticker and day, each as often as it is repeated.

    Raises:
        UsageError: As `variant_services`.
        BudgetReached, Interrupted: Decisions made so far are stored.
    """
    variants, meter = variant_services(services, request), UsageMeter(services.settings)
    wanted = len(market.tickers) * len(market.decision_days)
    every = {name: _times(variant, request) for name, variant in variants.items()}
    total, done, found = wanted * sum(every.values()), 0, dict[str, DecidedVariant]()
    for name, own in variants.items():
        runs = list[DecisionSet]()
        for number in range(every[name]):
            runs.append(
                await decide(
                    _repeating(own, number),
                    market.tickers,
                    market.decision_days,
                    repeat=number,
                    meter=meter,
                    tell=lambda made, _all, before=done: tell(before + made, total),  # type: ignore[misc]
                )
            )
            done += wanted
        found[name] = _variant(own, runs)
    return found


def stored_variants(services: Services, request: BacktestRequest, market: BacktestMarket) -> dict[str, DecidedVariant]:
    """Return what is stored of every variant; the rest counts as failed. Raises as `variant_services`."""
    variants, found = variant_services(services, request), dict[str, DecidedVariant]()
    wanted = [(ticker, day) for day in market.decision_days for ticker in market.tickers]
    for name, own in variants.items():
        runs = list[DecisionSet]()
        for number in range(_times(own, request)):
            store = DecisionStore(_repeating(own, number), number)
            stored = {case: store.get(*case) for case in wanted}
            made = {case: decision for case, decision in stored.items() if decision is not None}
            runs.append(DecisionSet(made, dict.fromkeys((case for case in wanted if case not in made), UNDECIDED), 0))
        found[name] = _variant(own, runs)
    return found


def _times(services: Services, request: BacktestRequest) -> int:
    return 1 if follows_rules(services.models.labels) else request.repeats


def _variant(services: Services, runs: list[DecisionSet]) -> DecidedVariant:
    labels = services.models.labels
    return DecidedVariant({str(tier): label for tier, label in labels.items()}, follows_rules(labels), tuple(runs))


def _repeating(services: Services, number: int) -> Services:
    """Return services for a repeat; from the second on, stored replies would answer as in the first."""
    if not number or services.settings.replay == "off":
        return services
    return replace(services, settings=services.settings.model_copy(update={"replay": "off"}), graphs={})
