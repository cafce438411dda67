"""Contexts for agents that run outside our graphs, made from the state and the settings.

A node that `create_bull_researcher(llm, memory)` and the other factories return runs in the trading graph, in a
`StateGraph` of the user's own, and when it is called plainly. Where no run context arrives it makes one: for the ticker
and day in the state, with the settings of `dataflows.config`. Such a call leaves no record, and `budget_usd` and
`max_llm_calls` hold for that call alone.
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Coroutine, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, field
from functools import cache
from typing import Any, TypeVar

from langchain_core.language_models import BaseChatModel

from tradingagents.agents.prompting import desk_preamble, scan_preamble
from tradingagents.analytics.decisions.outcome import no_size, no_trade
from tradingagents.context import RunContext, TradingContext
from tradingagents.dataflows.config import current_settings
from tradingagents.dataflows.cutoff import Moment, parse_day
from tradingagents.dataflows.gateway.cache import CACHE_FILE, DiskCache, Memo
from tradingagents.dataflows.gateway.resilience import Breakers
from tradingagents.dataflows.interface import Vendors
from tradingagents.dataflows.look_up import default_day
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.reference.calendar import exchange_of
from tradingagents.dataflows.reference.symbols import MARKET, normalise
from tradingagents.errors import UsageError
from tradingagents.events import EventStream
from tradingagents.files.environment import readable_environment
from tradingagents.files.redaction import KnownSecrets, secrets_in_environment
from tradingagents.llm_clients.meter import UsageMeter
from tradingagents.llm_clients.replay import Replay
from tradingagents.llm_clients.servers import secrets_in_model, server_of
from tradingagents.llm_clients.tiers import NamedModel
from tradingagents.settings import Settings, Tier, secrets_of

T = TypeVar("T")
RUN_ID = "standalone"
"""The run id in events of agents outside a run."""


@dataclass(frozen=True, kw_only=True)
class Parts:
    """The parts of a context that don't depend on what is studied."""

    settings: Settings
    vendors: Vendors
    cache: DiskCache | None = None
    memo: Memo | None = None
    labels: Mapping[Tier, str] = field(default_factory=dict)
    fallbacks: Mapping[Tier, NamedModel] = field(default_factory=dict)
    breakers: Breakers = field(default_factory=Breakers)
    replay: Replay = field(default_factory=Replay)
    executor: Executor | None = None
    secrets: KnownSecrets = field(default_factory=KnownSecrets)
    """Keys and passwords to remove from replies."""


def parts_here(llm: BaseChatModel | None) -> Parts:
    """Return the parts of a context for an agent that was given only a model."""
    settings = current_settings()
    server = server_of(llm) if llm is not None else None
    label = f"{server.provider}/{server.model}" if server else ""
    keys = secrets_in_model(llm) if llm is not None else ()
    return Parts(
        settings=settings,
        vendors=Vendors(settings),
        cache=DiskCache(settings.home_dir / CACHE_FILE),
        labels={"quick": label, "mid": label, "deep": label},
        secrets=KnownSecrets({*secrets_in_environment(readable_environment()), *secrets_of(settings), *keys}),
    )


def context_of(state: Mapping[str, Any], parts: Parts) -> RunContext:
    """Return a run context for the ticker and day, or the scan's day, in a state. It may query vendors.

    Raises:
        UsageError: The state names neither ticker nor scan date, or one is wrong.
        DataError: There are no prices.
    """
    if ticker := state.get("company_of_interest"):
        return _trading_context(ticker, state.get("trade_date"), parts)
    if day := state.get("scan_date"):
        data = _market(MARKET, day, parts)
        preamble = scan_preamble(parts.settings, exchange_of(MARKET), data.cutoff)
        return RunContext(**_common(data, parts), preamble=preamble)
    raise UsageError(
        "The state does not say what to study; give company_of_interest and trade_date, or scan_date for a scan."
    )


def _trading_context(ticker: Any, day: Any, parts: Parts) -> TradingContext:
    symbol = normalise(ticker)
    data = _market(symbol, day, parts)
    prices, instrument = data.prices(symbol), data.instrument(symbol)
    last_close = float(prices.close[-1])
    return TradingContext(
        **_common(data, parts),
        preamble=desk_preamble(parts.settings, instrument, data.cutoff, last_close),
        instrument=instrument,
        last_close=last_close,
        no_trade=no_trade(prices, data.cutoff.session),
        no_size=no_size(prices),
    )


def _market(symbol: str, day: Any, parts: Parts) -> MarketData:
    exchange = exchange_of(symbol)
    as_of = default_day(parts.settings, symbol) if day is None else parse_day(day)
    return MarketData(
        parts.settings, as_of, exchange=exchange, vendors=parts.vendors, cache=parts.cache, memo=parts.memo,
        moment=Moment(at=parts.settings.decide_at)
    )  # fmt: skip


def _common(data: MarketData, parts: Parts) -> dict[str, Any]:
    return {
        "run_id": RUN_ID,
        "settings": parts.settings,
        "data": data,
        "events": EventStream(RUN_ID),
        "meter": UsageMeter(parts.settings),
        "labels": parts.labels,
        "fallbacks": parts.fallbacks,
        "breakers": parts.breakers,
        "replay": parts.replay,
        "executor": parts.executor,
        "secrets": parts.secrets,
    }


def wait_for(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine from synchronous code, also inside a running event loop, and return its result."""
    return asyncio.run_coroutine_threadsafe(work, _loop(os.getpid())).result()


@cache
def _loop(_pid: int) -> asyncio.AbstractEventLoop:
    """Return the event loop for synchronous calls of this process."""
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="tradingagents-standalone", daemon=True).start()
    return loop
