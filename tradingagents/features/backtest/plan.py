"""The plan of a backtest: what it could see and what it costs, sealed by a hash before anything is spent."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from tradingagents.analytics.performance import power_of, sessions_needed
from tradingagents.analytics.performance.intervals import LEVEL
from tradingagents.analytics.performance.paired import POWER, freedom_of, smallest_seen
from tradingagents.analytics.price.returns import SESSIONS_PER_YEAR
from tradingagents.dataflows.cutoff import utc_now
from tradingagents.dataflows.reference.symbols import normalise
from tradingagents.errors import UsageError
from tradingagents.features.backtest.decisions.decision_store import data_identity
from tradingagents.features.backtest.exits import check_exits
from tradingagents.features.backtest.market import BacktestMarket, read_market
from tradingagents.features.backtest.statistics.active_risk import SHARES, ActiveRisk, active_risk, relative_risk
from tradingagents.features.backtest.variants.ablations import decider_of, follows_rules
from tradingagents.features.backtest.variants.decided import stored_variants, variant_services
from tradingagents.files.atomic import as_json, write_whole, writing
from tradingagents.files.json_text import parse_json, plain
from tradingagents.files.regular_files import read_regular
from tradingagents.graph.estimates.estimate import estimate_run
from tradingagents.graph.trading.kind import TradingRequest
from tradingagents.runtime.fingerprint import asked_of, digest
from tradingagents.runtime.services import Services

if TYPE_CHECKING:
    from tradingagents.features.backtest.request import BacktestRequest


FOLDER = "plans"
MEASURE = "yearly mean return beyond buy and hold at equal exposure, one-sided paired test at 5 %"
MOST_NAMES = 500
HASHED = 12
"""Digits of the hash in a plan's file name."""


@dataclass(frozen=True, slots=True)
class ModelCosts:
    """What deciding is expected to cost, all variants and repeats together; USD is None where a price is not known."""

    decisions: int
    stored: int
    """Of them there already when the plan was made: their results could be known."""
    llm_calls: float
    cost_usd: float | None
    low_usd: float | None
    high_usd: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class BacktestPlan:
    """A backtest as it is planned."""

    kind: Literal["backtest_plan"] = "backtest_plan"
    made_at: str
    request: Mapping[str, Any]
    asked: Mapping[str, str]
    """Version, models, and hashes of settings, prompts and recorded data: what else changes a decision."""
    measure: str = MEASURE
    edge: float
    """The true yearly edge that the test is to see, after costs."""
    wanted_power: float
    risk: ActiveRisk
    mix: Mapping[str, float]
    """Shares of actions that are assumed."""
    sessions: int
    decision_days: int
    power: float
    """Probability that this test sees the edge."""
    smallest_edge: float
    """The smallest edge that this test sees with 80 % probability."""
    sessions_needed: int
    """With these tickers and weights."""
    years_needed: float
    decision_days_needed: int
    names_needed: int | None
    """Tickers of the same kind with which these sessions would be enough; None: no number of names is, under these
    limits and up to 500."""
    costs: ModelCosts
    hash: str = ""
    """SHA-256 of everything else."""

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON."""
        found: dict[str, Any] = plain(self)
        return found


async def plan_backtest(
    services: Services, request: BacktestRequest, *, edge: float, power: float = POWER
) -> BacktestPlan:
    """Say what a backtest could see and what it would cost. Asks no model, and reads no price of the test's period.

    Args:
        request: What is to be tested.
        edge: The true yearly edge beyond buy and hold at equal exposure that is to be seen, as a fraction above 0.
        power: Probability to see it, between 5 % and 100 %.

    Raises:
        UsageError: The request, the edge or the power cannot be planned.
        NoData: There are too few prices before the start.
    """
    if not (edge > 0 and LEVEL < power < 1):
        raise UsageError("A plan needs an edge above 0, and a power between 0.05 and 1.")
    market = read_market(services, request)
    check_exits(request.exits, market.prices, market.foreign, services.settings.decide_at)
    risk, sessions = active_risk(request, market), len(market.days) - 1
    needed = sessions_needed(edge, risk.tracking_error, power=power)
    made = BacktestPlan(
        made_at=utc_now().isoformat(timespec="seconds"),
        request=replace(request, tickers=market.tickers).to_json(),
        asked=what_decides(services),
        edge=edge,
        wanted_power=power,
        risk=risk,
        mix=SHARES,
        sessions=sessions,
        decision_days=len(market.decision_days),
        power=power_of(edge, risk.tracking_error, sessions),
        smallest_edge=smallest_seen(
            risk.tracking_error / math.sqrt(sessions / SESSIONS_PER_YEAR), freedom_of(sessions)
        ),
        sessions_needed=needed,
        years_needed=needed / SESSIONS_PER_YEAR,
        decision_days_needed=math.ceil(needed / request.every),
        names_needed=_names_needed(request, market, risk, (edge, power, sessions)),
        costs=await _costs(services, request, market),
    )
    return replace(made, hash=_hash(made.to_json()))


def write_plan(plan: BacktestPlan, home: Path, path: Path | None = None) -> Path:
    """Write a plan, by default into the home folder, and return its file.

    Raises:
        HomeNotWritable: It cannot be written.
    """
    path = path or home / FOLDER / f"{plan.hash[:HASHED]}.json"
    with writing(path.parent):
        write_whole(path, as_json(plan.to_json()))
    return path


def read_plan(path: Path) -> BacktestPlan:
    """Read a sealed plan.

    Raises:
        UsageError: It cannot be read, is no plan, or was changed after it was sealed.
    """
    try:
        known = parse_json(read_regular(path))
        seal = known["hash"]
        found = BacktestPlan(**{**known, "risk": ActiveRisk(**known["risk"]), "costs": ModelCosts(**known["costs"])})
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UsageError(f"{path} is no plan of a backtest; `tradingagents backtest plan` writes one.") from error
    if _hash(known) != seal:
        raise UsageError(f"{path} was changed after it was sealed; make a new plan.")
    return found


def check_plan(plan: BacktestPlan, services: Services, request: BacktestRequest) -> None:
    """Refuse a backtest that is not the planned one.

    Raises:
        UsageError: Names every difference.
    """
    now, tickers = request.to_json(), sorted({normalise(ticker) for ticker in request.tickers})
    now["tickers"] = plan.request["tickers"] if tickers == sorted(plan.request["tickers"]) else tickers
    differences = [
        f"{name}: planned {_text(plan.request.get(name))}, asked {_text(now.get(name))}"
        for name in sorted({*plan.request, *now})
        if plan.request.get(name) != now.get(name)
    ]
    own = what_decides(services)
    differences += [
        f"{name}: planned {plan.asked.get(name, '-')}, now {own.get(name, '-')}"
        for name in sorted({*plan.asked, *own})
        if plan.asked.get(name) != own.get(name)
    ]
    if differences:
        raise UsageError(f"This is not the planned backtest ({plan.hash[:HASHED]}): {'; '.join(differences)}.")


def what_decides(services: Services) -> dict[str, str]:
    """Return what changes a decision besides ticker and day: version, models, hashes of settings, prompts and data."""
    settings = asked_of(services, decider_of(services).prompts())
    models = ", ".join(dict.fromkeys(services.models.labels.values()))
    hashes = {name: digest({name: settings[name]})[:HASHED] for name in ("settings", "prompts")}
    return {
        "version": str(settings["version"]),
        "models": models,
        **hashes,
        "data": data_identity(services.settings)[:HASHED] or "live",
    }


def _hash(plan: Mapping[str, Any]) -> str:
    return digest({name: value for name, value in plan.items() if name != "hash"})


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _names_needed(
    request: BacktestRequest, market: BacktestMarket, risk: ActiveRisk, test: tuple[float, float, int]
) -> int | None:
    """Return the smallest number of names, in steps of a quarter, with which the asked sessions are enough."""
    edge, power, sessions = test
    sectors = [market.sectors.get(ticker) for ticker in market.tickers]
    names, own = len(market.tickers), relative_risk(request, sectors, len(market.tickers))
    while names <= MOST_NAMES and own:
        error = risk.tracking_error * relative_risk(request, sectors, names) / own
        if power_of(edge, error, sessions) >= power:
            return names
        names = max(names + 1, math.ceil(names * 1.25))
    return None


async def _costs(services: Services, request: BacktestRequest, market: BacktestMarket) -> ModelCosts:
    stored = stored_variants(services, request, market)
    each = len(market.tickers) * len(market.decision_days)
    decisions = each * sum(len(variant.runs) for variant in stored.values())
    there = sum(len(run.found) for variant in stored.values() for run in variant.runs)
    calls, sums = 0.0, [list[float | None](), list[float | None](), list[float | None]()]
    for name, own in variant_services(services, request).items():
        if follows_rules(own.models.labels):
            continue
        decision = TradingRequest(ticker=market.tickers[0], day=market.decision_days[0])
        once = (await estimate_run(own.settings, decider_of(own), decision)).total
        count = each * len(stored[name].runs) - sum(len(run.found) for run in stored[name].runs)
        calls += once.llm_calls * count
        for amounts, value in zip(sums, (once.cost_usd, once.low_usd, once.high_usd), strict=True):
            amounts.append(None if value is None else value * count)
    costs = [
        None if None in amounts else math.fsum(value for value in amounts if value is not None) for amounts in sums
    ]
    return ModelCosts(decisions, there, calls, *costs)
