"""`analyze` as a task: the same record as the function leaves, its journal, its approval, its budget."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.support.task_kinds import all_events, manager_of
from tradingagents.graph.start import analyze
from tradingagents.runtime.services import open_services
from tradingagents.settings import Settings

ASKED = {"ticker": "velq", "offline": True, "debate_rounds": 1, "risk_rounds": 1}
DAY = "2025-03-14"
OWN = ("run_id", "usage", "timing", "paths", "settings", "data_sheet")
"""Parts of a card that tell when and where a run was made."""


def card_of(home: Path, run_id: str) -> dict[str, Any]:
    card: dict[str, Any] = json.loads((home / "runs" / run_id / "run.json").read_text("utf-8"))
    return card


def plain(card: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in card.items() if key not in OWN}


async def test_a_task_leaves_the_record_that_analyze_leaves(tmp_path: Path) -> None:
    settings = Settings(
        home=tmp_path / "direct",
        llm_provider="offline",
        data_vendor="simulated",
        tool_vendors={},
        max_debate_rounds=1,
        max_risk_discuss_rounds=1,
    )
    services = open_services(settings, {})
    direct = await analyze(services, "VELQ", DAY)
    services.close()
    home = tmp_path / "home"
    async with manager_of(home) as manager:
        info = await manager.start("analyze", ASKED, DAY)
        assert info.title == f"VELQ {DAY}"
        events = await all_events(manager, info.task_id)
        ended = await manager.get(info.task_id)
    assert ended.status == "done"
    assert ended.result is not None
    (run_id,) = ended.run_ids
    card = card_of(home, run_id)
    assert plain(card) == plain(json.loads(json.dumps(direct.record.as_json())))
    assert ended.result["action"] == card["decision"]["action"] == direct.decision.action
    assert ended.result["confidence"] == card["decision"]["confidence"]
    assert ended.progress.done == ended.progress.total == 12
    assert [event.seq for event in events] == list(range(len(events)))
    logged = [json.loads(line) for line in (home / "runs" / run_id / "events.jsonl").read_text("utf-8").splitlines()]
    of_run = [event for event in events if event.run_id == run_id]
    assert [(one.type, one.message, one.node, one.ts) for one in of_run] == [
        (one["type"], one["message"], one["node"], one["ts"]) for one in logged
    ]
    assert [one.data for one in of_run] == [one["data"] for one in logged]


async def test_a_proposed_decision_is_revised_approved_and_rejected(tmp_path: Path) -> None:
    async with manager_of(tmp_path) as manager:
        revised = await manager.start("analyze", {**ASKED, "approve": True, "analysts": ["market"]}, DAY)
        events = await all_events(manager, revised.task_id)
        waiting = await manager.get(revised.task_id)
        assert waiting.status == "awaiting_approval"
        assert "awaits approval" in events[-1].message
        (run_id,) = waiting.run_ids
        await manager.resume(revised.task_id, {"verdict": "revise", "note": "look at the debt"})
        events = await all_events(manager, revised.task_id, after=events[-1].seq)
        assert (await manager.get(revised.task_id)).status == "awaiting_approval"
        await manager.resume(revised.task_id, {"verdict": "reject"})
        await all_events(manager, revised.task_id, after=events[-1].seq)
        ended = await manager.get(revised.task_id)
    assert ended.run_ids == (run_id,)
    assert ended.status == "done"
    assert ended.result is not None
    assert (ended.result["status"], ended.result["action"]) == ("rejected", "NO_DECISION")
    assert [review["verdict"] for review in card_of(tmp_path, run_id)["reviews"]] == ["revise", "reject"]


async def test_a_run_that_reached_its_limit_goes_on_with_a_higher_one(tmp_path: Path) -> None:
    async with manager_of(tmp_path) as manager:
        info = await manager.start("analyze", {**ASKED, "max_llm_calls": 6}, DAY)
        events = await all_events(manager, info.task_id)
        failed = await manager.get(info.task_id)
        assert failed.error is not None
        assert (failed.error.code, failed.error.exit_code) == ("budget_reached", 6)
        await manager.resume(info.task_id, {"max_llm_calls": 100})
        await all_events(manager, info.task_id, after=events[-1].seq)
        ended = await manager.get(info.task_id)
    assert ended.status == "done"
    assert ended.run_ids == failed.run_ids
    assert card_of(tmp_path, ended.run_ids[0])["timing"]["starts"] == 2
