"""A run in a process of its own that kills itself, as nothing can be prepared for. The moment is told as JSON:

{"event": "node_end", "node": "Trader"}             inside a node, at an event it emits
{"event": "tool_start", "node": .., "text": "oil"}  the same, at one whose message has this in it
{"put": 5}                                          at a boundary: the fifth checkpoint is on disk
{"put": 5, "before": true}                          at a boundary: the fifth checkpoint is not on disk yet
{"writes": 3}                                       what the third task did is on disk, its step is not over
{"reply": "Trader"}                                 its reply is on disk, the log does not tell of it yet
{"reply": "Trader", "number": 2}                    the same of the second call that it makes
{"sent": "Trader", "number": 2}                     the second call that it makes is under way
{"count": "a file"}                                 never: writes how many checkpoints and what tasks did reach the disk
{}                                                  never
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

from langgraph.checkpoint.base import BaseCheckpointSaver

from tests.support.graph_factory import COMPANY, DAY
from tests.support.warm import fork
from tradingagents.agents import model_calls
from tradingagents.events import Event
from tradingagents.graph.scanner_graph import ScannerGraph
from tradingagents.graph.trading_graph import TradingAgentsGraph
from tradingagents.llm_clients.replay import Replay
from tradingagents.llm_clients.run_context import AGENT
from tradingagents.runtime.checkpoints import checkpoints


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def is_at(moment: dict[str, Any], event: Event) -> bool:
    """Tell whether an event is the one at which a run is killed."""
    here = event.type == moment.get("event") and event.node == moment.get("node")
    return here and moment.get("text", "") in event.message


def at_event(moment: dict[str, Any]) -> Callable[[Event], None]:
    def watch(event: Event) -> None:
        if is_at(moment, event):
            die()

    return watch


def at_checkpoint(moment: dict[str, Any]) -> None:
    """Kill the process around what a saver does, or count what it does."""
    of, puts, writes = checkpoints.Checkpoints.of, 0, 0

    def arm(saver: BaseCheckpointSaver[Any]) -> None:
        put, put_writes = saver.aput, saver.aput_writes

        async def aput(*given: Any) -> Any:
            nonlocal puts
            puts += 1
            number = puts
            if number == moment.get("put") and moment.get("before"):
                die()
            kept = await put(*given)
            if number == moment.get("put"):
                die()
            return kept

        async def aput_writes(*given: Any) -> None:
            nonlocal writes
            writes += 1
            number = writes
            await put_writes(*given)
            if number == moment.get("writes"):
                die()

        saver.aput, saver.aput_writes = aput, aput_writes  # type: ignore[method-assign]

    class Armed:
        def __init__(self, *given: Any) -> None:
            self._of = of(*given)

        async def __aenter__(self) -> Any:
            saver = await self._of.__aenter__()
            if saver is not None:
                arm(saver)
            return saver

        async def __aexit__(self, *given: Any) -> Any:
            if "count" in moment:
                Path(moment["count"]).write_text(json.dumps({"puts": puts, "writes": writes}), encoding="utf-8")
            return await self._of.__aexit__(*given)

    def armed(*given: Any) -> Any:
        return Armed(*given)

    checkpoints.Checkpoints.of = armed  # type: ignore[method-assign]


def at_reply(moment: dict[str, Any]) -> None:
    """Kill the process once an agent's reply is on disk."""
    given, replies = Replay.given, 0

    def armed(self: Replay, *told: Any) -> None:
        nonlocal replies
        given(self, *told)
        replies += AGENT.get() == moment.get("reply")
        if replies == moment.get("number", 1):
            die()

    Replay.given = armed  # type: ignore[method-assign]


def at_call(moment: dict[str, Any]) -> None:
    """Kill the process once the server has an agent's call and before anything is made of the reply."""
    call, calls = model_calls.call_model, 0

    async def armed(*given: Any, **more: Any) -> Any:
        nonlocal calls
        calls += AGENT.get() == moment.get("sent")
        if AGENT.get() == moment.get("sent") and calls == moment.get("number", 1):
            await call(*given, **more)
            die()
        return await call(*given, **more)

    model_calls.call_model = armed  # type: ignore[assignment]


async def main(kind: str, config: dict[str, Any], moment: dict[str, Any]) -> None:
    at_checkpoint(moment)
    at_reply(moment)
    at_call(moment)
    watch = at_event(moment)
    if kind == "scan":
        await ScannerGraph(config).arun(DAY, subscribers=[watch])
    else:
        await TradingAgentsGraph(config=config).arun(COMPANY, DAY, subscribers=[watch])


def run(kind: str, config: dict[str, Any], moment: dict[str, Any]) -> int | None:
    """Run a graph in a process that has everything imported already; return how the process ended.

    Args:
        kind: trading or scan.
        config: Its settings.
        moment: When it kills itself, see above.
    """
    process = fork(_run, kind, config, moment)
    process.join(60)
    return process.exitcode


def _run(kind: str, config: dict[str, Any], moment: dict[str, Any]) -> None:
    asyncio.run(main(kind, config, moment))
