"""Run the real graph, prompts and tools with a stand-in for every model, and record the expected calls."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import date
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.graph.state import CompiledStateGraph
from langsmith import tracing_context

from tradingagents.agents.prompting import desk_preamble, scan_preamble
from tradingagents.analytics.price.daily_range import daily_range
from tradingagents.context import RunContext, TradingContext
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.reference.calendar import exchange_of
from tradingagents.dataflows.reference.symbols import normalise
from tradingagents.dataflows.vendors.simulated import COMPANIES, NO_NEWS, NO_STATEMENTS
from tradingagents.events import Event, EventStream
from tradingagents.llm_clients.cost_model import RehearsalModel, Replies
from tradingagents.llm_clients.meter import UsageMeter
from tradingagents.llm_clients.tiers import TIERS, TierModels, choices
from tradingagents.memory.situations import new_memories
from tradingagents.settings import Settings, Tier
from tradingagents.workflows.graphs.scan import build_scanner_graph
from tradingagents.workflows.graphs.trading import build_trading_graph
from tradingagents.workflows.start import MARKET, last_session

LOCAL_VENDORS = ("simulated", "snapshot")
"""Vendors with local data, which a rehearsal reads: they need no request and write nothing."""
STAND_IN = next(symbol for symbol in COMPANIES if symbol not in (*NO_NEWS, *NO_STATEMENTS))
STAND_IN_DAY = date(2025, 3, 14)
"""A simulated company and day, studied in place of a market that needs the network; the tools' answers have the form
and about the length of real ones."""
AWAY: Mapping[str, Any] = {
    "budget_usd": None,
    "max_llm_calls": None,
    "stream_tokens": False,
    "approve": False,
    "replay": "off",
    "keep_replies": False,
}
"""Settings that a rehearsal turns off: limits, approval, and everything that writes."""


@dataclass(frozen=True)
class Call:
    """A model call of a rehearsal."""

    agent: str
    tier: Tier
    model: str
    """`provider/model`."""
    input_tokens: int
    cached_tokens: int
    output_tokens: int
    cost_usd: float | None
    """`None` if the price is not known."""


@dataclass(frozen=True)
class Rehearsal:
    """The result of a rehearsal."""

    calls: tuple[Call, ...]
    state: Mapping[str, Any]
    """Final state of the graph; its texts are meaningless."""


@dataclass(frozen=True)
class Stage:
    """Settings of a rehearsal and the stand-ins for the models."""

    settings: Settings
    replies: Mapping[str, Replies]
    """Reply lengths of each model, by its label."""
    cached: frozenset[str]
    """Labels of the models whose provider caches shared prompt prefixes."""

    @property
    def labels(self) -> dict[Tier, str]:
        """`provider/model` of every tier."""
        return labels_of(self.settings)

    @property
    def models(self) -> TierModels:
        """New stand-ins with empty caches; tiers with the same model share one."""
        made = {
            label: RehearsalModel(self.replies.get(label, Replies()), cached=label in self.cached)
            for label in dict.fromkeys(self.labels.values())
        }
        quick, mid, deep = (made[self.labels[tier]] for tier in TIERS)
        return TierModels(quick, mid, deep, self.labels)

    @property
    def local(self) -> bool:
        """Whether the market data are local, so that the rehearsal can study the requested ticker itself."""
        return self.settings.data_vendor in LOCAL_VENDORS

    @property
    def rehearsed(self) -> Settings:
        """The settings of the rehearsal: without limits, and with local data."""
        market = {} if self.local else {"data_vendor": "simulated", "tool_vendors": {}}
        return self.settings.model_copy(update={**AWAY, **market})


def labels_of(settings: Settings) -> dict[Tier, str]:
    """Return `provider/model` of every tier, as the settings choose them."""
    return {tier: choice.label for tier, choice in choices(settings).items()}


async def rehearse_trading(stage: Stage, ticker: str, day: date | None, brief: str = "") -> Rehearsal:
    """Rehearse the study of one ticker.

    Args:
        stage: Settings and stand-ins.
        ticker: In any spelling; replaced by a simulated company if its data are not local.
        day: The trading day; `None` means the last closed session.
        brief: A scan's findings on the ticker, as Markdown; empty if there are none.

    Raises:
        UsageError: The symbol or date is invalid.
        DataError: The data are local and have no prices of the ticker.
    """
    symbol, settings = normalise(ticker), stage.rehearsed
    as_of = day or last_session(symbol)
    if not stage.local:
        symbol, as_of = STAND_IN, STAND_IN_DAY
    data = MarketData(settings, as_of, exchange=exchange_of(symbol))
    prices = data.prices(symbol)
    instrument, last_close = data.instrument(symbol), float(prices.close[-1])
    models = stage.models
    graph = build_trading_graph(models, new_memories(), settings)
    preamble = desk_preamble(settings, instrument, data.cutoff, last_close)
    start = {"company_of_interest": symbol, "trade_date": as_of.isoformat()}
    return await _rehearse(
        graph,
        {**start, **({"macro_scan_summary": brief} if brief else {})},
        lambda common: TradingContext(
            **common, preamble=preamble, instrument=instrument, last_close=last_close, daily_range=daily_range(prices)
        ),
        data,
        models,
    )


async def rehearse_scan(stage: Stage, day: date | None) -> Rehearsal:
    """Rehearse a scan of the market. Raises as `rehearse_trading` does."""
    settings = stage.rehearsed
    as_of = (day or last_session(MARKET)) if stage.local else STAND_IN_DAY
    data = MarketData(settings, as_of, exchange=exchange_of(MARKET))
    models = stage.models
    preamble = scan_preamble(settings, exchange_of(MARKET), data.cutoff)
    return await _rehearse(
        build_scanner_graph(models),
        {"scan_date": as_of.isoformat()},
        lambda common: RunContext(**common, preamble=preamble),
        data,
        models,
    )


async def _rehearse(
    graph: CompiledStateGraph[Any, Any, Any, Any],
    start: Mapping[str, Any],
    context_of: Callable[[dict[str, Any]], RunContext],
    data: MarketData,
    models: TierModels,
) -> Rehearsal:
    calls: list[Call] = []

    def note(event: Event) -> None:
        if event.type == "usage":
            used = {key: event.data[key] for key in Call.__dataclass_fields__ if key != "agent"}
            calls.append(Call(agent=event.node or "", **used))

    with ThreadPoolExecutor(1, thread_name_prefix="rehearsal") as executor:
        context = context_of(
            {
                "run_id": "rehearsal",
                "settings": data.settings,
                "data": data,
                "events": EventStream("rehearsal", (note,)),
                "meter": UsageMeter(data.settings),
                "labels": models.labels,
                "executor": executor,
            }
        )
        config = RunnableConfig(recursion_limit=data.settings.max_recur_limit, callbacks=[])
        with tracing_context(enabled=False):  # a rehearsal is not traced
            state = await graph.ainvoke(dict(start), config, context=context)
    return Rehearsal(tuple(calls), state)
