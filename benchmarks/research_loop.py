"""What the research loop costs beside its model: `python -m benchmarks.research_loop [--delay 0.2] [--runs 5]`.

A scripted model answers in this process after a fixed delay; data from the simulated market, warm; all steps are saved.
Printed are:

- the wall time of ten tasks in a diamond (one, then eight side by side, then one that joins them) against the longest
  sequence of dependent model calls: in the first run of its services, which compiles the graph and checks the data, and
  in later ones, as in a server;
- the processor time of a run as the number of tasks grows: its slope is what one task costs, model calls excluded;
- peak memory, and the prompt of each agent per iteration, for five iterations of ten tasks that write too much.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import statistics
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage

from benchmarks.measuring import CHARACTERS_PER_TOKEN, DAY, peak_mb
from tradingagents.dataflows.gateway.router import Vendors
from tradingagents.features.research.run import RESEARCH, ResearchRequest
from tradingagents.llm_clients.scripted import Reply, ScriptedChatModel
from tradingagents.llm_clients.tiers import TierModels
from tradingagents.runtime.executor import start
from tradingagents.runtime.services import Services, open_services
from tradingagents.settings import Settings, load_settings

COUNTS = (1, 2, 4, 6, 8, 10)
CHAIN = 9
"""Dependent calls of the diamond: read, plan, call a tool, write, call a tool, write, join, reflect, answer."""
LONG_FINDING = "The revenue of VELQ in this period was 12,345.67 million USD, 8.91 % above the year before. " * 100
AGENTS = ("Planner", "Task Executor", "Reflector", "Synthesizer")


def main() -> None:
    """Print the measurements."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--delay", type=float, default=0.2, help="Seconds a model call takes")
    parser.add_argument("--runs", type=int, default=5, help="Runs of each measurement; the median is shown")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        settings = load_settings({"data_vendor": "simulated", "llm_provider": "offline", "home": folder}, environ={})
        asyncio.run(_measure(settings, given.delay, given.runs))
    print(f"peak memory: {peak_mb():.0f} MB")


async def _measure(settings: Settings, delay: float, runs: int) -> None:
    model = ScriptedModel()
    vendors, chain = Vendors(settings), CHAIN * delay
    walls: list[float] = []
    for _ in range(1 + runs):
        with _opened(settings, vendors, model) as services:
            walls.append((await _run(services, model, _diamond(), delay=delay))[0])
    _print_diamond("first run of its services", walls[1:], chain)  # the first of all imports and generates the data
    with _opened(settings, vendors, model) as services:
        await _run(services, model, _diamond())
        walls = [(await _run(services, model, _diamond(), delay=delay))[0] for _ in range(runs)]
        _print_diamond("later runs", walls, chain)
        times: dict[int, list[float]] = {count: [] for count in COUNTS}
        for _ in range(runs):
            for count in COUNTS:  # in turn, so that a busy moment of the machine does not fall on one of them
                times[count].append((await _run(services, model, _side_by_side(count)))[1])
        points = [(count, min(found)) for count, found in times.items()]
        print("processor ms of a run by tasks:", ", ".join(f"{count}: {1000 * spent:.1f}" for count, spent in points))
        print(f"processor time of one task (slope): {1000 * _slope(points):.2f} ms")
        await _prompts(services, model)


def _print_diamond(which: str, walls: Sequence[float], chain: float) -> None:
    wall = statistics.median(walls)
    print(
        f"diamond of ten, {which}: chain of {CHAIN} calls {chain:.3f} s, wall {wall:.3f} s, "
        f"wall/chain {wall / chain:.3f} ({min(walls) / chain:.3f} to {max(walls) / chain:.3f})"
    )


@contextmanager
def _opened(settings: Settings, vendors: Vendors, model: ScriptedModel) -> Iterator[Services]:
    services = open_services(settings, {}, models=TierModels.same(model.chat), vendors=vendors)
    try:
        yield services
    finally:
        services.close()


async def _prompts(services: Services, model: ScriptedModel) -> None:
    incomplete = {"is_complete": False, "reasoning": "More.", "missing_info": ["more"], "guidance": "Go on."}
    model.sizes.clear()
    await _run(services, model, _side_by_side(10), finding=LONG_FINDING, reflection=incomplete)
    print(f"prompt tokens per iteration, ten tasks that each write {len(LONG_FINDING)} characters:")
    for agent in AGENTS:
        sizes = [size for name, size in model.sizes if name == agent]
        step = len(sizes) // 5 or 1
        shown = [max(sizes[at : at + step]) // CHARACTERS_PER_TOKEN for at in range(0, len(sizes), step)]
        print(f"  {agent:14}", " ".join(f"{one:7,}" for one in shown))


async def _run(services: Services, model: ScriptedModel, plan: Mapping[str, Any], **script: Any) -> tuple[float, float]:
    """Run one question that the model answers by a script; return its wall and processor time."""
    model.answers(plan, **script)
    gc.collect()
    began, worked = time.perf_counter(), time.process_time()
    request = ResearchRequest(question="What are the margins of VELQ?", day=DAY)
    await start(RESEARCH, request, services).result()
    return time.perf_counter() - began, time.process_time() - worked


class ScriptedModel:
    """Answers every agent of the loop, and notes the size of each prompt."""

    def __init__(self) -> None:
        """Make the model; `answers` sets what it says."""
        self.sizes: list[tuple[str, int]] = []
        self._objects: dict[str, Mapping[str, Any]] = {}
        self._finding = ""
        self.chat = ScriptedChatModel(self._reply)

    def answers(
        self,
        plan: Mapping[str, Any],
        *,
        delay: float = 0.0,
        finding: str = "The operating margin of VELQ is 52.18%.",
        reflection: Mapping[str, Any] | None = None,
    ) -> None:
        """Set what it answers in the next run.

        Args:
            plan: The plan of every iteration.
            delay: Seconds each call takes.
            finding: What every task writes.
            reflection: The judgement of every iteration; None: complete.
        """
        complete = {"is_complete": True, "reasoning": "Known.", "missing_info": [], "guidance": ""}
        read = {"intent": "research", "tickers": ["VELQ"], "confidence": 0.95, "inferred_depth": "deep"}
        self._finding = finding
        self._objects = {"Question Reader": read, "Planner": plan, "Reflector": reflection or complete}
        self.chat.delay = delay

    def _reply(self, messages: Sequence[BaseMessage], tools: tuple[str, ...]) -> Reply:
        agent = messages[1].text.rpartition("# Your role: ")[2].partition("\n")[0].strip()
        self.sizes.append((agent, sum(len(one.text) for one in messages)))
        if agent in self._objects:
            text = json.dumps(self._objects[agent])
            return AIMessage("", tool_calls=[_call(tools[0], self._objects[agent])]) if tools else text
        if agent == "Task Executor" and tools and not any(one.type == "tool" for one in messages):
            return AIMessage("", tool_calls=[_call("get_ttm_analysis", {"ticker": "VELQ", "curr_date": DAY})])
        return self._finding


def _call(name: str, arguments: Mapping[str, Any]) -> Any:
    return {"name": name, "args": dict(arguments), "id": "call_1", "type": "tool_call"}


def _diamond() -> dict[str, Any]:
    middle = [_task(number, [1]) for number in range(2, 10)]
    return _plan([_task(1), *middle, _task(10, range(2, 10), "reason")])


def _side_by_side(count: int) -> dict[str, Any]:
    return _plan([_task(number) for number in range(1, count + 1)])


def _plan(tasks: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    return {"summary": "Look.", "selected_frameworks": [], "tasks": list(tasks), "is_simple_query": False}


def _task(number: int, after: Sequence[int] = (), kind: str = "use_tools") -> dict[str, Any]:
    return {
        "id": f"task_{number}",
        "description": f"Find out part {number} of VELQ",
        "task_type": kind,
        "depends_on": [f"task_{one}" for one in after],
    }


def _slope(points: Sequence[tuple[int, float]]) -> float:
    """Return the slope of the line through points by least squares."""
    return statistics.linear_regression(*zip(*points, strict=True)).slope


if __name__ == "__main__":
    main()
