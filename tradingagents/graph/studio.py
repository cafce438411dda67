"""The graphs for LangGraph Studio: a ticker and a date, or a date, go in; settings come from the environment.

The server refuses blocking calls on its event loop, and a run writes files and asks databases. So everything here, from
reading `.env` to the run itself, happens in one thread with an event loop of its own.
"""

from __future__ import annotations

import asyncio
import contextvars
import sys
import threading
from collections.abc import Callable, Coroutine, Mapping
from functools import cache
from typing import Any, TypeVar

from langgraph.config import get_stream_writer
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from tradingagents.agents.scan_states import ScannerState
from tradingagents.agents.states import AgentState
from tradingagents.errors import TradingAgentsError
from tradingagents.events import Event, Subscriber
from tradingagents.files.environment import environment
from tradingagents.graph.scan.kind import SCAN
from tradingagents.graph.start import analyze, scan
from tradingagents.graph.studio_inputs import ScanInput, TradingInput
from tradingagents.graph.trading.kind import TRADING
from tradingagents.runtime.services import Services, open_services
from tradingagents.settings import load_settings

T = TypeVar("T")
TOLD = frozenset({"node_start", "node_end", "tool_start", "warning", "result", "error"})
"""Types of events that a run tells the server's custom stream."""


async def trading() -> CompiledStateGraph[Any, Any, Any, Any]:
    """Return a graph whose one node opens a run and takes it through the trading graph, which Studio finds inside it.

    A run holds the market bound to its day, which no JSON input can carry: so it is opened here, inside the node. No
    checkpointer is set: the server brings its own.
    """
    services = await asyncio.to_thread(_open)
    inner = TRADING.compiled(services)

    async def run(state: TradingInput) -> dict[str, Any]:
        ticker, day = state.get("company_of_interest", ""), state.get("trade_date")
        finished = await _aside(lambda tell: analyze(services, ticker, day, subscribers=[tell]))
        return _channels(finished.state, inner)

    return _wrapped("trading", AgentState, TradingInput, run)


async def scanner() -> CompiledStateGraph[Any, Any, Any, Any]:
    """Return a graph whose one node opens a scan and takes it through the scanner graph; see `trading`."""
    services = await asyncio.to_thread(_open)
    inner = SCAN.compiled(services)

    async def run(state: ScanInput) -> dict[str, Any]:
        finished = await _aside(lambda tell: scan(services, state.get("scan_date"), subscribers=[tell]))
        return _channels(finished.state, inner)

    return _wrapped("scanner", ScannerState, ScanInput, run)


def _open() -> Services:
    environ = environment()
    services = open_services(load_settings(environ=environ), environ)
    for kind in (TRADING, SCAN):
        kind.compiled(services)
    return services


def _channels(state: Mapping[str, Any], inner: CompiledStateGraph[Any, Any, Any, Any]) -> dict[str, Any]:
    return {key: value for key, value in state.items() if key in inner.output_channels}


def _wrapped(name: str, schema: type[Any], asked: type[Any], run: Any) -> CompiledStateGraph[Any, Any, Any, Any]:
    graph: StateGraph[Any, Any, Any, Any] = StateGraph(schema, input_schema=asked)
    graph.add_node(name, run)
    graph.add_edge(START, name)
    graph.add_edge(name, END)
    return graph.compile(name=name)


async def _aside(work: Callable[[Subscriber], Coroutine[Any, Any, T]]) -> T:
    """Run a coroutine on the loop of the studio's thread; tell the server's stream what happens in it."""
    here, write = asyncio.get_running_loop(), get_stream_writer()
    context = contextvars.copy_context()  # the writer asks where in the server's graph it writes

    types: set[str] = set()

    def tell(event: Event) -> None:
        if event.type in TOLD:
            types.add(event.type)
            said = {"type": event.type, "node": event.node, "message": event.message}
            here.call_soon_threadsafe(write, said, context=context)

    def started() -> Any:
        return asyncio.run_coroutine_threadsafe(work(tell), _loop())

    # In a context of its own: the graph inside must not write into the server's streams from another thread.
    try:
        return await asyncio.wrap_future(contextvars.Context().run(started))
    except TradingAgentsError as error:
        if "error" not in types:  # a refused run has no events, and the server hides an exception's text from clients
            write({"type": "error", "node": None, "message": str(error)})
        raise


@cache
def _loop() -> asyncio.AbstractEventLoop:
    loop = asyncio.new_event_loop()

    def forever() -> None:
        _allow_blocking_here()
        loop.run_forever()

    threading.Thread(target=forever, name="tradingagents-studio", daemon=True).start()
    return loop


def _allow_blocking_here() -> None:
    """Tell the server's guard against blocking calls that this thread's loop is not the server's.

    The guard takes any running loop for the server's and offers no other way to tell them apart. Where it is of another
    version, `langgraph dev --allow-blocking` does the same.
    """
    guard = getattr(sys.modules.get("blockbuster.blockbuster"), "_skip", None)
    if guard is not None:
        guard.value = True
