"""What a run is given as an argument: settings, the market bound to its day, the meter, the event stream."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Executor
from contextvars import ContextVar
from dataclasses import dataclass, field

from tradingagents.dataflows.gateway.breaker import Breakers
from tradingagents.dataflows.instrument import Instrument
from tradingagents.dataflows.market_data import MarketData
from tradingagents.events import EventStream
from tradingagents.llm_clients.meter import UsageMeter
from tradingagents.llm_clients.replay import Replay
from tradingagents.llm_clients.tiers import NamedModel
from tradingagents.redaction import KnownSecrets
from tradingagents.settings import Settings, Tier


@dataclass(frozen=True, kw_only=True)
class RunContext:
    """The surroundings of one run, handed to every node and tool of its graph."""

    run_id: str
    settings: Settings
    data: MarketData
    preamble: str
    """System message of every agent of the run: the desk's rules and what is studied."""
    events: EventStream
    meter: UsageMeter
    labels: Mapping[Tier, str] = field(default_factory=dict)
    """`provider/model` of each tier, for the meter."""
    fallbacks: Mapping[Tier, NamedModel] = field(default_factory=dict)
    """The model that answers in place of a tier's own where that fails for good; none where a tier is not named."""
    breakers: Breakers = field(default_factory=Breakers)
    """Of the model servers, by model and host; runs share them."""
    replay: Replay = field(default_factory=Replay)
    """The kept replies of models; by default there are none."""
    secrets: KnownSecrets = field(default_factory=KnownSecrets)
    """Keys and passwords of this process, taken out of what models reply."""
    executor: Executor | None = None
    """Where blocking vendor calls wait; None runs them in asyncio's default threads."""


MADE: ContextVar[RunContext | None] = ContextVar("tradingagents_context", default=None)
"""The context that an agent outside our graphs has made, for the tools it calls."""


@dataclass(frozen=True, kw_only=True)
class TradingContext(RunContext):
    """The surroundings of a run that studies one stock."""

    instrument: Instrument
    last_close: float
    """Close of the cut-off's session, as traded, in the instrument's currency."""
    daily_range: float | None = None
    """Mean true range of the last sessions in the same currency, see `analytics.price.daily_range`; None: not known."""
