"""Estimate the cost of runs from past runs with the same settings, or from a rehearsal of the graph."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from statistics import fmean
from typing import Any, ClassVar

from tradingagents.agents.roster import roster
from tradingagents.agents.scanners.brief import scan_brief
from tradingagents.agents.scanners.candidates import FEWEST, MOST
from tradingagents.analytics.decisions.settling import LEAST_ASKS
from tradingagents.graph.estimates.history import LEAST_RUNS, PastRun, learnt_replies, past_runs
from tradingagents.graph.estimates.rehearse import (
    Call,
    Rehearsal,
    Stage,
    asked_again,
    labels_of,
    may_ask_again,
    rehearse,
)
from tradingagents.graph.scan.kind import SCAN, ScanRequest
from tradingagents.graph.trading.kind import TRADING, TradingRequest
from tradingagents.llm_clients.pricing import Tokens, cost_usd, how_to_price, is_priced
from tradingagents.runtime.kind import RunKind
from tradingagents.runtime.request import RunRequestT
from tradingagents.schemas.record import Number, Record
from tradingagents.settings import Settings, Tier

SPREAD = (0.5, 2.0)
"""Range of reply lengths relative to the assumed ones, if no past run has any."""
LEARNT_SPREAD = (0.75, 1.5)
"""Range of reply lengths relative to those of past runs with the same models."""
CACHING = frozenset({"openai", "google"})
"""Providers that cache prompt prefixes by default; for others, only the low estimate assumes caching."""
TOKENS = ("input_tokens", "cached_tokens", "output_tokens")


class TotalEstimate(Record):
    """The sum over agents and runs."""

    llm_calls: Number
    input_tokens: int
    cached_tokens: int
    """The part of `input_tokens` expected to be read from the provider's cache."""
    output_tokens: int
    cost_usd: float | None
    """Null if the price of a model is not known; likewise in the next two fields."""
    low_usd: float | None
    high_usd: float | None


class AgentEstimate(TotalEstimate):
    """Expected use of one agent in one run."""

    written_last: ClassVar[tuple[str, ...]] = tuple(TotalEstimate.model_fields)
    agent: str
    tier: str
    model: str
    """`provider/model`."""


class PartEstimate(Record):
    """Expected use of the runs of one kind."""

    kind: str
    """The run kind, such as `trading` or `scan`."""
    runs: dict[str, int]
    """Number of runs: expected, low, high."""
    basis: str
    """Description of what the figures are based on."""
    past_runs: int
    """Number of past runs they are based on; 0 for a rehearsal alone."""
    agents: list[AgentEstimate]
    """Agents of one run, in running order."""


class EstimateRecord(Record):
    """Expected cost of a command, as JSON."""

    parts: list[PartEstimate]
    by_tier: dict[str, TotalEstimate]
    total: TotalEstimate
    warnings: list[str]


@dataclass(frozen=True)
class _Part:
    """The estimate of one kind of run."""

    record: PartEstimate
    once: TotalEstimate
    """Of one run; its range comes from whole runs and is narrower than the sum of the agents' ranges."""
    result: Any
    """What the rehearsed run returned."""


@dataclass(frozen=True)
class _Times:
    """Expected number of runs of a kind."""

    expected: int
    low: int
    high: int


async def estimate_run(
    settings: Settings, kind: RunKind[RunRequestT, Any, Any], request: RunRequestT, *, runs: int = 1
) -> EstimateRecord:
    """Estimate runs of any kind.

    Args:
        request: What would be asked of the first.
        runs: Number of runs; each is assumed to cost as much as the first.

    Raises as `estimate_analyze` does.
    """
    return _record(settings, [(await _estimated(settings, kind, request), _Times(runs, runs, runs))])


async def estimate_analyze(settings: Settings, tickers: Sequence[str], day: date | None) -> EstimateRecord:
    """Estimate the study of tickers; each is assumed to cost as much as the first.

    Raises:
        UsageError: The symbol or date is invalid.
        DataError: The data are local and have no prices of the first ticker.
    """
    return await estimate_run(settings, TRADING, TradingRequest(ticker=tickers[0], day=day), runs=len(tickers))


async def estimate_scan(settings: Settings, day: date | None) -> EstimateRecord:
    """Estimate a scan. Raises as `estimate_analyze` does."""
    return await estimate_run(settings, SCAN, ScanRequest(day=day))


async def estimate_auto(
    settings: Settings, day: date | None, holdings: Sequence[str], *, all_picks: bool
) -> EstimateRecord:
    """Estimate a scan and the study of its picks, assuming that none is finished yet.

    Args:
        day: The trading day; `None` means today.
        holdings: Tickers that are studied whether or not they are picked.
        all_picks: Whether every pick is studied, not only those of some conviction.

    Raises as `estimate_analyze` does.
    """
    scan = await _scan(settings, day)
    summary = scan.result.summary
    pick = summary["stocks_to_investigate"][0]["ticker"]
    study = await _trading(settings, pick, day, scan_brief(summary, pick))
    most = settings.max_auto_tickers or MOST
    fewest = (settings.max_auto_tickers or FEWEST) if all_picks else 0
    held = len(set(holdings))
    # A holding may also be a pick; it is then studied once.
    return _record(settings, [(scan, _Times(1, 1, 1)), (study, _Times(most + held, max(fewest, held), most + held))])


async def _trading(settings: Settings, ticker: str, day: date | None, brief: str = "") -> _Part:
    return await _estimated(settings, TRADING, TradingRequest(ticker=ticker, day=day, brief=brief))


async def _scan(settings: Settings, day: date | None) -> _Part:
    return await _estimated(settings, SCAN, ScanRequest(day=day))


async def _estimated(settings: Settings, kind: RunKind[RunRequestT, Any, Any], request: RunRequestT) -> _Part:
    """Estimate one run."""
    name = kind.name
    labels = labels_of(settings)
    every = frozenset(labels.values())
    caching = frozenset(label for label in every if label.partition("/")[0] in CACHING)
    past = past_runs(settings.home_dir, name, settings)
    tiers: Mapping[str, Tier] = {}
    first = await rehearse(Stage(settings, learnt_replies((), settings, tiers), caching), kind, request)
    tiers = _in_running_order({call.agent: call.tier for call in first.calls})
    if len(past) >= LEAST_RUNS and all(run.same for run in past):
        return _from_past(name, settings, past, tiers, first.result)
    learnt = bool(past)
    low, high = LEARNT_SPREAD if learnt else SPREAD
    expected = first
    if learnt:
        expected = await rehearse(Stage(settings, learnt_replies(past, settings, tiers), caching), kind, request)
    short = Stage(settings, learnt_replies(past, settings, tiers, low), every)
    lowest = asked_again(await rehearse(short, kind, request), settings, most=False)
    long = Stage(settings, learnt_replies(past, settings, tiers, high), frozenset())
    highest = asked_again(await rehearse(long, kind, request), settings, most=True)
    agents = [
        AgentEstimate(
            agent=agent,
            tier=tiers[agent],
            model=labels[tiers[agent]],
            llm_calls=sum(call.agent == agent for call in expected.calls),
            input_tokens=_tokens(expected, agent, "input_tokens"),
            cached_tokens=_tokens(expected, agent, "cached_tokens"),
            output_tokens=_tokens(expected, agent, "output_tokens"),
            cost_usd=_usd(expected, agent),
            low_usd=_usd(lowest, agent),
            high_usd=_usd(highest, agent),
        )
        for agent in tiers
    ]
    basis = "a rehearsal of the graph with its prompts and tools"
    if learnt:
        basis += f", replies as long as in {len(past)} past runs"
    else:
        basis += ", reply lengths assumed"
    if settings.settle and may_ask_again(first):
        basis += f"; deciding agents are asked {LEAST_ASKS} times if their answers are alike, at most "
        basis += f"{settings.settle_max_asks} times, as the highest cost has it"
    return _Part(_part(name, basis, len(past), agents), _sum(agents), first.result)


def _in_running_order(tiers: Mapping[str, Tier]) -> dict[str, Tier]:
    """Return the tiers of agents in running order: agents that run side by side may call their models in any.

    Agents that are not in the roster come last.
    """
    return {**{spec.name: tiers[spec.name] for spec in roster().every if spec.name in tiers}, **tiers}


def _from_past(kind: str, settings: Settings, past: Sequence[PastRun], tiers: Mapping[str, Tier], result: Any) -> _Part:
    """Estimate the next run by the mean use of past runs with the same settings, at today's prices."""
    labels = labels_of(settings)

    def priced(agent: str, used: Mapping[str, Any]) -> float | None:
        tokens = Tokens(used["input_tokens"], used["output_tokens"], used["cached_tokens"])
        return cost_usd(labels[tiers[agent]], tokens, settings.model_prices)

    agents = []
    for agent in (name for name in tiers if any(name in run.usage for run in past)):
        used = [run.usage.get(agent, dict.fromkeys(("llm_calls", *TOKENS), 0)) for run in past]
        costs = [priced(agent, tokens) for tokens in used]
        known = [cost for cost in costs if cost is not None]
        complete = len(known) == len(costs)
        agents.append(
            AgentEstimate(
                agent=agent,
                tier=tiers[agent],
                model=labels[tiers[agent]],
                llm_calls=round(fmean(tokens["llm_calls"] for tokens in used), 2),
                input_tokens=round(fmean(tokens["input_tokens"] for tokens in used)),
                cached_tokens=round(fmean(tokens["cached_tokens"] for tokens in used)),
                output_tokens=round(fmean(tokens["output_tokens"] for tokens in used)),
                cost_usd=fmean(known) if complete else None,
                low_usd=min(known) if complete else None,
                high_usd=max(known) if complete else None,
            )
        )
    once = _sum(agents)
    runs = [_added(priced(agent, used) for agent, used in run.usage.items() if agent in tiers) for run in past]
    known = [cost for cost in runs if cost is not None]
    if len(known) == len(runs):
        once = once.model_copy(update={"low_usd": min(known), "high_usd": max(known)})
    basis = f"the mean, the least and the most of {len(past)} past runs with the same models and settings"
    return _Part(_part(kind, basis, len(past), agents), once, result)


def _part(kind: str, basis: str, past: int, agents: list[AgentEstimate]) -> PartEstimate:
    return PartEstimate(
        kind=kind, runs={"expected": 1, "low": 1, "high": 1}, basis=basis, past_runs=past, agents=agents
    )


def _record(settings: Settings, parts: Sequence[tuple[_Part, _Times]]) -> EstimateRecord:
    total = _together((part.once, times) for part, times in parts)
    tiers = dict.fromkeys(agent.tier for part, _ in parts for agent in part.record.agents)
    by_tier = {
        tier: _together(
            (_sum([agent for agent in part.record.agents if agent.tier == tier]), times) for part, times in parts
        )
        for tier in tiers
    }
    return EstimateRecord(
        parts=[
            part.record.model_copy(update={"runs": {"expected": times.expected, "low": times.low, "high": times.high}})
            for part, times in parts
        ],
        by_tier=by_tier,
        total=total,
        warnings=_warnings(settings, total),
    )


def _warnings(settings: Settings, total: TotalEstimate) -> list[str]:
    said = [
        how_to_price(label)
        for label in dict.fromkeys(labels_of(settings).values())
        if not is_priced(label, settings.model_prices)
    ]
    budget, most = settings.budget_usd, settings.max_llm_calls
    if budget is not None and (total.cost_usd or 0.0) > budget:
        said.append(f"The budget of {budget:g} USD is less than is expected: it would end what runs before it is done.")
    elif budget is not None and (total.high_usd or 0.0) > budget:
        said.append(f"The budget of {budget:g} USD may not be enough, if replies are long.")
    if most is not None and total.llm_calls > most:
        said.append(f"The {most} model calls allowed are fewer than is expected: the run would end before it is done.")
    return said


def _sum(agents: Sequence[AgentEstimate]) -> TotalEstimate:
    return TotalEstimate(
        llm_calls=sum(agent.llm_calls for agent in agents),
        input_tokens=sum(agent.input_tokens for agent in agents),
        cached_tokens=sum(agent.cached_tokens for agent in agents),
        output_tokens=sum(agent.output_tokens for agent in agents),
        cost_usd=_added(agent.cost_usd for agent in agents),
        low_usd=_added(agent.low_usd for agent in agents),
        high_usd=_added(agent.high_usd for agent in agents),
    )


def _together(parts: Iterable[tuple[TotalEstimate, _Times]]) -> TotalEstimate:
    """Add up runs of several kinds, each times its number of runs."""
    given = list(parts)

    def usd(key: str, which: str) -> float | None:
        costs = ((getattr(once, key), getattr(times, which)) for once, times in given)
        return _added(None if cost is None else cost * times for cost, times in costs)

    return TotalEstimate(
        llm_calls=sum(once.llm_calls * times.expected for once, times in given),
        input_tokens=sum(once.input_tokens * times.expected for once, times in given),
        cached_tokens=sum(once.cached_tokens * times.expected for once, times in given),
        output_tokens=sum(once.output_tokens * times.expected for once, times in given),
        cost_usd=usd("cost_usd", "expected"),
        low_usd=usd("low_usd", "low"),
        high_usd=usd("high_usd", "high"),
    )


def _of(rehearsal: Rehearsal, agent: str) -> list[Call]:
    return [call for call in rehearsal.calls if call.agent == agent]


def _tokens(rehearsal: Rehearsal, agent: str, key: str) -> int:
    return sum(getattr(call, key) for call in _of(rehearsal, agent))


def _usd(rehearsal: Rehearsal, agent: str) -> float | None:
    return _added(call.cost_usd for call in _of(rehearsal, agent))


def _added(costs: Iterable[float | None]) -> float | None:
    """Return a sum; `None` if any part is not known."""
    total = 0.0
    for cost in costs:
        if cost is None:
            return None
        total += cost
    return total
