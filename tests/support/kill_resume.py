"""Killing a run at a moment, going on with it, and checking what must hold of it whatever the moment was."""

from __future__ import annotations

import asyncio
import json
import signal
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.openai_server import Answer, ToolCall
from tests.support import killed_run
from tests.support.graph_factory import ANALYSTS, DAY, DECIDERS
from tests.support.offline_server import OfflineServer
from tests.support.served_runs import card_in, server_config
from tradingagents.agents.builders.debate_state import order_of
from tradingagents.agents.builders.subject_question import READER
from tradingagents.agents.debates import RESEARCH, RISK
from tradingagents.agents.prompting import fenced
from tradingagents.events import Event
from tradingagents.graph.base import BaseGraph
from tradingagents.graph.scanner_graph import ScannerGraph
from tradingagents.graph.trading_graph import TradingAgentsGraph
from tradingagents.runtime.manifest import read_manifest
from tradingagents.runtime.registry import kind_of

SMALL = {"max_debate_rounds": 1, "max_risk_discuss_rounds": 1}
KILLED = -signal.SIGKILL
TRADING = (*ANALYSTS, *order_of(RESEARCH), *DECIDERS, *order_of(RISK))
SCANNERS = ("Geopolitical Scanner", "Market Movers Scanner", "Sector Scanner")
SCAN = (*SCANNERS, "Industry Deep Dive", "Macro Synthesis")
ROLES = {"trading": TRADING, "scan": SCAN}
BOUNDARIES = {"trading": {"puts": 28, "writes": 26}, "scan": {"puts": 20, "writes": 17}}
"""How many checkpoints, and how many tasks' results, a run of each kind puts on disk."""
ASKS_MORE = {
    "News Analyst": ("get_global_news", {"curr_date": DAY, "limit": 3}, "limit=3"),
    "Geopolitical Scanner": ("get_topic_news", {"topic": "cobalt mines"}, "cobalt"),
}
"""Who asks for a tool beyond those prescribed, so that there is a step of tools to be killed in, and how it shows."""


class Server(OfflineServer):
    """The offline analysts; two of them ask for one more tool before they write.

    The question which company a report is about counts as a call of who wrote the report, as runs count it.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._authors: dict[str, str] = {}

    def ponder(self, body: Mapping[str, Any]) -> Answer:
        said, role = self._said(body), self.requests[-1]["role"]
        if role == READER:
            shown = self.requests[-1]["prompt"]
            self.requests[-1] |= {"role": next(one for text, one in self._authors.items() if fenced(text) in shown)}
        elif said.text:
            self._authors[said.text.strip()] = role
        return said

    def _said(self, body: Mapping[str, Any]) -> Answer:
        role = self.requests[-1]["role"]
        rounds = sum(bool(message.get("tool_calls")) for message in body["messages"])
        if role in ASKS_MORE and not rounds:
            name, arguments, _ = ASKS_MORE[role]
            return Answer(tool_calls=(ToolCall(name, arguments),))
        return super().ponder(body)


@dataclass(frozen=True)
class Whole:
    """What an uninterrupted run asks for and comes to."""

    calls: Counter[str]
    card: dict[str, Any]


def uninterrupted(kind: str, server: Server, home: Path) -> Whole:
    """Run a graph to its end, and check that it comes to every moment that runs are killed at, and to no other."""
    server.requests.clear()
    counted = home / "boundaries.json"
    assert killed_run.run(kind, server_config(server, home, **SMALL), {"count": str(counted)}) == 0
    assert json.loads(counted.read_text("utf-8")) == BOUNDARIES[kind]
    (log,) = home.glob("runs/*/events.jsonl")
    events = [Event(**json.loads(line)) for line in log.read_text("utf-8").splitlines()]
    assert {event.node for event in events if event.type == "node_end"} == {*ROLES[kind]}
    moments = inside(kind)
    assert [moment for moment in moments if not any(killed_run.is_at(moment, event) for event in events)] == []
    return Whole(calls_of(server), card_in(home))


def calls_of(server: Server) -> Counter[str]:
    return Counter(request["role"] for request in server.requests)


def graph_of(kind: str, config: dict[str, Any]) -> BaseGraph:
    return ScannerGraph(config) if kind == "scan" else TradingAgentsGraph(config=config)


async def unfinished_nodes(graph: BaseGraph, kind: str, folder: Path) -> set[str]:
    """Return the nodes that had not ended when the run was killed: those may be asked again, no others."""
    services = graph.services
    compiled = kind_of(kind).compiled(services)
    question = read_manifest(services.settings.home_dir, folder.name)
    async with services.checkpoints.of(folder / "unfinished") as saver:
        known = await compiled.copy({"checkpointer": saver}).aget_state(
            {"configurable": {"thread_id": question.thread}}
        )
    if not known.created_at:
        return set(ROLES[kind])  # no step was on disk
    return {task.name for task in known.tasks if task.result is None}


def plain(card: Mapping[str, Any]) -> dict[str, Any]:
    """Return what must be the same of a run that went on: not when it ran, where, what was paid and when data came."""
    kept = {
        key: value
        for key, value in card.items()
        if key not in ("run_id", "usage", "timing", "paths", "settings", "data_sheet")
    }
    sheet = [{key: value for key, value in row.items() if key != "fetched_at"} for row in card["data_sheet"]]
    return {**kept, "data_sheet": sheet}


def kill_and_go_on(
    kind: str, moment: dict[str, Any], server: Server, home: Path, whole: Whole, **more: Any
) -> dict[str, Any]:
    """Kill a run, go on with it, and return the card, having checked what must hold whatever the moment was."""
    server.requests.clear()
    config = server_config(server, home, **SMALL, **more)
    assert killed_run.run(kind, config, moment) == KILLED
    (folder,) = (home / "runs").iterdir()
    graph = graph_of(kind, config)
    again = asyncio.run(unfinished_nodes(graph, kind, folder))
    before = calls_of(server)
    graph.resume(folder.name)  # type: ignore[attr-defined]
    card = card_in(home)
    assert plain(card) == plain(whole.card)
    twice = calls_of(server) - whole.calls
    assert set(twice) <= again
    assert all(number <= before[role] for role, number in twice.items())
    assert whole.calls - calls_of(server) == Counter()
    assert not (folder / "unfinished").exists()
    metered = Counter({agent: used["llm_calls"] for agent, used in card["usage"]["by_agent"].items()})
    assert metered - calls_of(server) == Counter()  # nothing is counted that was not asked
    assert whole.calls - metered == Counter()
    assert card["timing"]["starts"] == 2
    return card


def inside(kind: str) -> list[dict[str, Any]]:
    """Return moments inside every node: as it begins, with its model's answer in hand, and at its very end."""
    roles = ROLES[kind]
    moments = [{"event": at, "node": role} for role in roles for at in ("node_start", "usage", "node_end")]
    readers = [role for role in roles if role in ANALYSTS or role in SCANNERS or role == "Industry Deep Dive"]
    return [
        *moments,
        *({"event": at, "node": role} for role in readers for at in ("tool_start", "tool_end")),
        *({"event": "tool_start", "node": role, "text": ASKS_MORE[role][2]} for role in roles if role in ASKS_MORE),
    ]


def named(moment: dict[str, Any]) -> str:
    return "-".join(str(value) for value in moment.values()).replace(" ", "_")


def boundaries(kind: str) -> list[dict[str, Any]]:
    """Return moments between nodes: at every checkpoint, before some, and at what some tasks did."""
    puts, writes = BOUNDARIES[kind]["puts"], BOUNDARIES[kind]["writes"]
    return [
        *({"put": number} for number in range(1, puts + 1)),
        *({"put": number, "before": True} for number in range(1, puts + 1, 6)),
        *({"writes": number} for number in range(1, writes + 1, 4)),
    ]
