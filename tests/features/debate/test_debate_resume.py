"""A debate that is killed at every boundary, again and again: finished tool calls and replies happen once ever."""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import os
import signal
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import AIMessage

from benchmarks.openai_server import Answer, OpenAIServer, ToolCall
from tests.support.debate import (
    BEAR,
    BULL,
    CASES,
    MODERATOR,
    REBUTTALS,
    VERDICT,
    counter,
    debated,
    gathers,
    phase_of,
)
from tests.support.graph_factory import role_of
from tests.support.offline_server import messages_of
from tests.support.research import simulated_vendors
from tests.support.served_runs import server_config
from tradingagents.events import Event
from tradingagents.features.debate.kind import DEBATE
from tradingagents.features.debate.run import DebateResult
from tradingagents.runtime.executor import RunOptions, resume
from tradingagents.runtime.manifest import read_manifest
from tradingagents.runtime.services import Services, open_services
from tradingagents.settings import load_settings

pytestmark = pytest.mark.process
MOMENTS: Sequence[dict[str, Any]] = (
    {"type": "tool_end"},
    {"type": "node_end", "step": "research"},
    {"type": "node_start", "step": "opening"},
    {"type": "debate_turn", "node": BULL, "statement": "rebuttal", "round": 1},
    {"type": "usage", "node": BEAR},
    {"type": "debate_turn", "node": MODERATOR},
)
"""Where the process dies, in the order of a debate: each start of the run continues to the next moment."""


SECOND = {"counters": [counter("bear-r1a", "The evidence says otherwise.", "It does not.")]}


class DebateServer(OpenAIServer):
    """A model server that holds both sides of a debate, and counts what it was asked."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: Counter[str] = Counter()

    def ponder(self, body: Mapping[str, Any]) -> Answer:
        """Answer as the scripted debaters do."""
        messages = messages_of(body["messages"])
        role, phase = role_of(messages), phase_of(messages, ())
        text = "".join(one.text for one in messages)
        self.asked[f"{phase}, {len(messages)} messages, {text.count('<turn')} turns"] += 1
        if phase.endswith("research"):
            said = gathers(messages, role)
            assert isinstance(said, str | AIMessage)
            calls = () if isinstance(said, str) else said.tool_calls
            told = tuple(ToolCall(one["name"], one["args"]) for one in calls)
            return Answer(text=None if told else "DONE", tool_calls=told)
        again = phase == f"{BULL} rebuttal" and "rebuttal 2 of 2" in text
        replies = {MODERATOR: VERDICT, f"{BULL} opening": CASES[BULL], f"{BEAR} opening": CASES[BEAR]}
        replies |= {f"{BULL} rebuttal": SECOND if again else REBUTTALS[BULL], f"{BEAR} rebuttal": REBUTTALS[BEAR]}
        return Answer(text=json.dumps(replies[phase]))


def served(config: Mapping[str, Any]) -> Services:
    """Return services on the simulated market with the models of a server."""
    return open_services(load_settings(dict(config), environ={}), {}, vendors=simulated_vendors())


def killed_at(config: Mapping[str, Any], moment: dict[str, Any]) -> None:
    """Start the run, or resume it, until an event; then die without warning."""

    def watch(event: Event) -> None:
        told = {"type": event.type, "node": event.node, "step": event.step, **event.data}
        if all(told.get(name) == value for name, value in moment.items()):
            os.kill(os.getpid(), signal.SIGKILL)

    runs = Path(config["home"]) / "runs"
    if runs.is_dir():
        asyncio.run(resumed(config, next(runs.iterdir()).name, watch))
    else:
        asyncio.run(debated(served(config), watch=watch, rounds=2))


async def resumed(config: Mapping[str, Any], run_id: str, watch: Callable[[Event], None] | None = None) -> DebateResult:
    services = served(config)
    options = RunOptions(subscribers=(watch,) if watch else ())
    done = await resume(DEBATE, read_manifest(Path(config["home"]), run_id), services, options).result()
    await services.models.aclose()
    return done


def test_finished_calls_and_replies_happen_once_ever(tmp_path: Path):
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.support.forkserver"])
    with DebateServer() as server:
        assert isinstance(server, DebateServer)
        config = server_config(server, tmp_path)
        for moment in MOMENTS:
            process = context.Process(target=killed_at, args=(config, moment))
            process.start()
            process.join(120)
            assert process.exitcode == -signal.SIGKILL, moment
        (folder,) = (tmp_path / "runs").iterdir()
        done = asyncio.run(resumed(config, folder.name))
    assert done.record["status"] == "done"
    assert done.record["timing"]["starts"] == len(MOMENTS) + 1
    events = [json.loads(line) for line in (folder / "events.jsonl").read_text().splitlines()]
    finished = Counter(event["data"]["key"] for event in events if event["type"] == "tool_end")
    assert len(finished) == 3
    assert set(finished.values()) == {1}
    assert [one["id"] for one in done.record["evidence"]] == ["E1", "E2", "E3"]
    assert len(server.asked) == 4 + 2 + 4 + 1
    assert done.record["usage"]["llm_calls"] == len(server.asked), "no reply that arrived was asked for again"
    again = {what for what, count in server.asked.items() if count > 1}
    assert all("research" in what or "opening" in what for what in again), "only what was under way on the other side"
