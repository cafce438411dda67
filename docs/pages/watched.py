"""What the agents do: both graphs are run once with the offline analysts, and every prompt and update is noted.

Nothing is written: the graphs run without a run folder, on the simulated market.
"""

from __future__ import annotations

import asyncio
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from tempfile import TemporaryDirectory
from typing import Any

from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.runnables import RunnableConfig

from tradingagents.agents.prompting import desk_preamble, scan_preamble
from tradingagents.agents.roster import roster
from tradingagents.capabilities.capability import Capability
from tradingagents.context import RunContext, TradingContext
from tradingagents.dataflows.interface import METHOD_CATEGORY, Vendors
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.reference.calendar import exchange_of
from tradingagents.dataflows.results import Result
from tradingagents.events import EventStream
from tradingagents.graph.scan.kind import SCAN
from tradingagents.graph.trading.kind import TRADING
from tradingagents.llm_clients.meter import UsageMeter
from tradingagents.runtime.services import open_services
from tradingagents.settings import Settings, load_settings

SYMBOL, DAY = "VELQ", date(2025, 3, 14)
_ROLE = re.compile(r"^# Your role: (.+)$", re.MULTILINE)
_READ = re.compile(r'^<(?:report|plan) name="(\w+)"', re.MULTILINE)


@dataclass
class Seen:
    """What one agent was shown and left."""

    reads: dict[str, None] = field(default_factory=dict)
    """State keys its prompts held, in order, and `debate`."""
    calls: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    """The tool calls made for it before its model was first asked: tool to arguments."""
    writes: tuple[str, ...] = ()
    """State keys it left."""


@dataclass(frozen=True)
class Watched:
    """A trading run and a scan, agent by agent in the graphs' order, and the market they ran on."""

    agents: Mapping[str, Seen]
    settings: Settings
    vendors: Vendors

    def ask(self, capability: Capability) -> tuple[Result, tuple[str, ...]]:
        """Ask a capability what an agent asks it, else the example of its declaration.

        Returns:
            The answer, and the vendor methods it stands on, as the data sheet names them.
        """
        calls = (seen.calls.get(capability.name) for seen in self.agents.values())
        arguments = next((one for one in calls if one), capability.example_arguments(SYMBOL, DAY))
        data = MarketData(self.settings, DAY, vendors=self.vendors)
        result = capability.ask(data, **arguments)
        return result, tuple(dict.fromkeys(row.method for row in data.sheet.rows if row.method in METHOD_CATEGORY))


def watch_a_run() -> Watched:
    """Run both graphs and note what each agent reads, asks and writes.

    The runs have an empty home of its own: lessons in the user's home would show in what the agents read.
    """
    with TemporaryDirectory(prefix="tradingagents-docs-") as home:
        return _watch_a_run(
            load_settings(
                {
                    "llm_provider": "offline",
                    "data_vendor": "simulated",
                    "home": home,
                    "analysts": tuple(roster().analysts),
                    "fetch_valuation": True,
                },
                environ={},
            )
        )


def _watch_a_run(settings: Settings) -> Watched:
    services = open_services(settings, {})
    data = MarketData(settings, DAY, vendors=services.vendors)
    instrument, last_close = data.instrument(SYMBOL), float(data.prices(SYMBOL).close[-1])
    trading = TradingContext(
        run_id="docs",
        settings=settings,
        data=data,
        preamble=desk_preamble(settings, instrument, data.cutoff, last_close),
        instrument=instrument,
        last_close=last_close,
        events=EventStream("docs"),
        meter=UsageMeter(settings),
        executor=services.executor,
    )
    scan = RunContext(
        run_id="docs",
        settings=settings,
        data=data,
        preamble=scan_preamble(settings, exchange_of(SYMBOL), data.cutoff),
        events=EventStream("docs"),
        meter=UsageMeter(settings),
        executor=services.executor,
    )
    try:
        agents = {
            **_seen(
                TRADING.compiled(services), {"company_of_interest": SYMBOL, "trade_date": DAY.isoformat()}, trading
            ),
            **_seen(SCAN.compiled(services), {"scan_date": DAY.isoformat()}, scan),
        }
    finally:
        services.close()
    return Watched(agents, settings, services.vendors)


def _seen(graph: Any, state: Mapping[str, Any], context: RunContext) -> dict[str, Seen]:
    """Run a graph and return what each of its agents was shown and left, in the graph's order."""
    prompts = _Prompts()
    config = RunnableConfig(callbacks=[prompts], recursion_limit=context.settings.max_recur_limit)

    async def run() -> dict[str, Any]:
        updates: dict[str, Any] = {}
        async for step in graph.astream(state, config, context=context, stream_mode="updates"):
            updates.update(step)
        return updates

    updates = asyncio.run(run())
    for agent, seen in prompts.seen.items():
        seen.writes = tuple(updates[agent])
    return {name: prompts.seen[name] for name in graph.nodes if name in prompts.seen}


class _Prompts(BaseCallbackHandler):
    """Notes what stands in every prompt, by the role it ends in."""

    def __init__(self) -> None:
        self.seen: defaultdict[str, Seen] = defaultdict(Seen)

    def on_chat_model_start(self, serialized: dict[str, Any], messages: list[list[BaseMessage]], **kwargs: Any) -> None:  # noqa: ARG002
        """Note a prompt."""
        for prompt in messages:
            self._note(prompt)

    def _note(self, prompt: Sequence[BaseMessage]) -> None:
        text = "\n".join(message.text for message in prompt if message.type == "human")
        seen = self.seen[_ROLE.findall(text)[-1]]
        seen.reads.update(dict.fromkeys(_READ.findall(text)))
        if "\n<turn " in text:
            seen.reads["debate"] = None
        for message in prompt:
            if isinstance(message, AIMessage):
                seen.calls.update({call["name"]: call["args"] for call in message.tool_calls})
