"""Replay, changed prompts and a source that hangs: research has them by the same parts as trading runs."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from benchmarks.openai_server import Answer, OpenAIServer, ToolCall
from tests.support.graph_factory import role_of
from tests.support.offline_server import messages_of
from tests.support.research import (
    CALL,
    DAY,
    REPLIES,
    executes,
    plan_of,
    research_services,
    researched,
    scripted,
    simulated_vendors,
    task,
    tool_call,
)
from tests.support.served_runs import server_config
from tradingagents.dataflows.gateway.router import Vendors
from tradingagents.dataflows.models import NewsItem
from tradingagents.dataflows.vendors.simulated.vendor import SimulatedVendor
from tradingagents.errors import AwaitingApproval, ReplyNotKept
from tradingagents.features.research.agents import reflector
from tradingagents.features.research.agents.prompts import research_prompts
from tradingagents.features.research.kind import RESEARCH
from tradingagents.features.research.run import ResearchAnswer
from tradingagents.graph.start import resume as resume_run
from tradingagents.llm_clients.tiers import TierModels
from tradingagents.runtime.executor import resume
from tradingagents.runtime.manifest import ManifestMismatch, read_manifest
from tradingagents.runtime.prompt_hashes import hashed
from tradingagents.runtime.services import open_services
from tradingagents.settings import load_settings


class ResearchServer(OpenAIServer):
    """A model server that answers as the scripted agents of research do."""

    def ponder(self, body: Mapping[str, Any]) -> Answer:
        messages = messages_of(body["messages"])
        role = role_of(messages)
        if role != "Task Executor":
            reply = REPLIES[role]
            return Answer(text=reply if isinstance(reply, str) else json.dumps(reply))
        said = executes(messages, ("get_ttm_analysis",) if body.get("tools") else ())
        if isinstance(said, str):
            return Answer(text=said)
        return Answer(tool_calls=(ToolCall(CALL["name"], CALL["args"]),))


async def served(config: Mapping[str, Any], day: str = DAY) -> ResearchAnswer:
    services = open_services(load_settings(dict(config), environ={}), {}, vendors=simulated_vendors())
    try:
        return await researched(services, day=day)
    finally:
        await services.models.aclose()
        services.close()


def test_a_replay_asks_nobody_says_the_same_and_costs_nothing(tmp_path: Path):
    with ResearchServer() as server:
        config = server_config(server, tmp_path)
        first = asyncio.run(served(config)).record
        asked = server.calls
        again = asyncio.run(served({**config, "replay": "only", "max_llm_calls": 1})).record
        assert server.calls == asked == first["usage"]["llm_calls"] > 0
    assert (again["usage"]["llm_calls"], again["usage"]["replayed_calls"]) == (0, asked)
    assert again["usage"]["cost_usd"] in (0, None)
    for name in ("answer", "understanding", "iterations", "sources", "missing", "stopped"):
        assert again[name] == first[name], name
    assert [(one["key"], one["findings"], one["facts"]) for one in again["tasks"]] == [
        (one["key"], one["findings"], one["facts"]) for one in first["tasks"]
    ]
    with pytest.raises(ReplyNotKept, match="not kept"):
        asyncio.run(served({**config, "replay": "only"}, day="2025-03-13"))


async def test_a_run_whose_prompts_have_changed_is_not_resumed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    services = research_services(tmp_path, scripted())
    with pytest.raises(AwaitingApproval) as waiting:
        await researched(services, approve_plan=True)
    manifest = read_manifest(tmp_path, waiting.value.run_id)
    card = json.loads((tmp_path / "runs" / manifest.run_id / "run.json").read_text())
    assert hashed(research_prompts()).items() <= card["prompts"].items() == manifest.asked["prompts"].items()
    monkeypatch.setattr(reflector, "SPEC", replace(reflector.SPEC, prompt=f"{reflector.PROMPT} Be strict."))
    for resumed in (
        lambda: resume(RESEARCH, manifest, services, answer={"verdict": "approve"}).result(),
        lambda: resume_run(services, manifest.run_id),
    ):
        with pytest.raises(ManifestMismatch, match="prompts"):
            await resumed()
    monkeypatch.undo()
    assert (await resume(RESEARCH, manifest, services, answer={"verdict": "approve"}).result()).record[
        "status"
    ] == "done"


class HangingVendor(SimulatedVendor):
    """A source across a network that never answers about news, until the test ends."""

    local = False

    def __init__(self) -> None:
        super().__init__()
        self.end = threading.Event()
        self.asked = 0

    def get_news(self, symbol: str, start: datetime, end: datetime) -> tuple[NewsItem, ...]:
        self.asked += 1
        self.end.wait(60)
        return super().get_news(symbol, start, end)


async def test_a_tool_that_hangs_ends_at_the_task_s_limit_and_the_answer_says_what_is_missing(tmp_path: Path):
    def executor(messages: Any, tools: tuple[str, ...]) -> Any:
        if "News" not in messages[1].text.rpartition("Carry out this task")[2]:
            return executes(messages, tools)
        return tool_call("get_news", {"ticker": "VELQ", "start_date": "2025-02-03", "end_date": DAY})

    plan = plan_of(task(1, "News on VELQ"), task(2, "Margins of VELQ"), task(3, "Trend of VELQ", after=[1]))
    settings = load_settings(
        {
            "data_vendor": "simulated",
            "llm_provider": "offline",
            "home": tmp_path,
            "vendor_max_retries": 0,
            "research_task_seconds": 2,
        },
        environ={},
    )
    vendor = HangingVendor()
    model = scripted({"Planner": plan, "Task Executor": executor})
    vendors = Vendors(settings, {"simulated": vendor})
    services = open_services(settings, {}, models=TierModels.same(model), vendors=vendors)
    try:
        record = (await asyncio.wait_for(researched(services), 30)).record
    finally:
        vendor.end.set()
        services.close()
    assert vendor.asked
    assert [one["status"] for one in record["tasks"]] == ["failed", "completed", "skipped"], record["tasks"]
    assert (record["tasks"][0]["attempts"], record["stopped"], record["status"]) == (2, "complete", "done")
    assert "took longer than 2 s" in record["tasks"][0]["note"]
    assert [one.partition(" (")[0] for one in record["missing"]] == ["News on VELQ", "Trend of VELQ"]
    assert "**Not found:** News on VELQ" in record["answer"]
    assert "52.18%" in record["answer"]
