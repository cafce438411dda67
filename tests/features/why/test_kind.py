"""Why a decision changed, as a task: exact by the offline analysts, sampled by models, with refused requests."""

from __future__ import annotations

import asyncio
import json
from datetime import date
from pathlib import Path

import pytest

from tests.service.tasks.test_kinds import Desk, simulated
from tests.support.task_kinds import all_events
from tradingagents.errors import UsageError
from tradingagents.features.why.decision_change import explain_change

DAY = "2025-03-14"
ASKED = {"ticker": "VELQ", "first": "2025-02-28", "offline": True, "debate_rounds": 1, "risk_rounds": 1}


async def test_a_change_is_explained_exactly_and_by_a_sample(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    async with desk.manager as manager:
        for bad in (
            {"ticker": "VELQ MODZ"},
            {"first": DAY},
            {"second": "2025-03-17"},
            {"second": "2025-02-27"},
            {"by": "someone"},
            {"decisions": 3},
            {"repeats": 0},
        ):
            with pytest.raises(UsageError):
                await manager.start("decision_change", {**ASKED, **bad}, DAY)
        exact = await manager.start("decision_change", ASKED, DAY)
        sampled = await manager.start("decision_change", {**ASKED, "by": "models", "decisions": 8}, DAY)
        await all_events(manager, exact.task_id)
        events = await all_events(manager, sampled.task_id)
        told, other = await manager.get(exact.task_id), await manager.get(sampled.task_id)
    assert told.status == "done", told.error
    assert told.title == "Why VELQ 2025-02-28 2025-03-14"
    direct = await explain_change("VELQ", date(2025, 2, 28), date(2025, 3, 14), simulated(tmp_path), {})
    assert told.result == json.loads(json.dumps(direct.to_json()))
    assert told.result["differs"]
    assert told.result["said"].startswith("With ")
    assert other.status == "done", other.error
    assert other.result is not None
    # The rules read data and not the reports' words, so that no report as it was before turns them.
    assert (other.result["stopped"], other.result["sampled"]) == ("not_by_reports", True)
    assert (other.result["before"], other.result["after"]) == (told.result["before"], told.result["after"])
    assert [one.message for one in events if one.step == "decisions"][-1] == "6 of at most 8 decisions"
    assert await asyncio.to_thread(lambda: not (tmp_path / "runs").exists())
    desk.close()
