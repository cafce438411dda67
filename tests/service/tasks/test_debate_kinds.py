"""Debates as tasks, offline: hints by the note of an answer, the verdict, a question afterwards."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.service.tasks.test_kinds import Desk
from tests.support.task_kinds import all_events
from tradingagents.errors import UsageError

DAY = "2025-03-14"


async def test_a_coached_debate_takes_hints_and_answers_a_question(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    async with desk.manager as manager:
        for bad in ({"ticker": "VELQ MODZ"}, {"ticker": "VELQ", "rounds": 3}, {"ticker": ""}):
            with pytest.raises(UsageError):
                await manager.start("debate", {**bad, "offline": True}, DAY)
        info = await manager.start("debate", {"ticker": "velq", "coach": True, "offline": True}, DAY)
        await all_events(manager, info.task_id)
        assert (await manager.get(info.task_id)).status == "awaiting_approval"
        for wrong in ({"verdict": "reject"}, {"verdict": "revise", "note": "moderator: Decide."}):
            with pytest.raises(UsageError):
                await manager.resume(info.task_id, wrong)
        for answer in ({"verdict": "revise", "note": "bear: Volatility."}, {"verdict": "approve"}):
            await manager.resume(info.task_id, answer)
            await all_events(manager, info.task_id)
        held = await manager.get(info.task_id)
        assert held.status == "done", held.error
        assert held.result is not None
        assert "would be" in held.result["answer"]
        assert "volatility" in held.result["cases"]["bear"]["points"][0]["claim"]
        assert held.title == "Debate on VELQ"
        assert len(held.artifacts) == 2

        asked = {"run": held.result["run_id"], "question": "What would change your mind?", "offline": True}
        with pytest.raises(UsageError, match="is not known on"):
            await manager.start("run_question", asked, "2025-03-03")
        question = await manager.start("run_question", asked, DAY)
        await all_events(manager, question.task_id)
        answered = await manager.get(question.task_id)
        assert answered.status == "done", answered.error
        assert answered.result is not None
        assert "breaks if" in answered.result["answer"]
    desk.close()
