"""What a run is given as an argument: settings, the market bound to its day, the meter, the event stream."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, field

from tradingagents.dataflows.instrument import Instrument
from tradingagents.dataflows.market_data import MarketData
from tradingagents.events import EventStream
from tradingagents.llm_clients.meter import UsageMeter
from tradingagents.settings import Settings, Tier


@dataclass(frozen=True)
class RunContext:
    """The surroundings of one run, handed to every node and tool of its graph."""

    run_id: str
    settings: Settings
    data: MarketData
    instrument: Instrument
    last_close: float
    """Close of the cut-off's session, as traded, in the instrument's currency."""
    events: EventStream
    meter: UsageMeter
    labels: Mapping[Tier, str] = field(default_factory=dict)
    """`provider/model` of each tier, for the meter."""
    executor: Executor | None = None
    """Where blocking vendor calls wait; None runs them in asyncio's default threads."""
