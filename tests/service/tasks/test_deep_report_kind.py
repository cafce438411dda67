"""Deep reports as tasks, offline: hints by the request and by the note of an answer."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.service.tasks.test_kinds import Desk
from tests.support.task_kinds import all_events
from tradingagents.errors import UsageError

DAY = "2025-03-14"


async def test_a_report_that_asks_takes_hints(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    async with desk.manager as manager:
        with pytest.raises(UsageError, match="There is no hypothesis"):
            await manager.start("deep_report", {"ticker": "VELQ", "hints": ["H-1: x"], "offline": True}, DAY)
        asked = {"ticker": "velq", "ask": True, "hints": ["Look at debt."], "min_iterations": 1, "max_iterations": 2}
        info = await manager.start("deep_report", {**asked, "offline": True}, DAY)
        await all_events(manager, info.task_id)
        assert (await manager.get(info.task_id)).status == "awaiting_approval"
        with pytest.raises(UsageError, match="at most 10"):
            await manager.resume(info.task_id, {"verdict": "revise", "note": "\n".join("abcdefghijk")})
        await manager.resume(info.task_id, {"verdict": "revise", "note": "Look at cash."})
        await all_events(manager, info.task_id)
        done = await manager.get(info.task_id)
        assert done.status == "done", done.error
        assert done.result is not None
        assert [(one["iteration"], one["text"]) for one in done.result["hints"]] == [
            (1, "Look at debt."), (2, "Look at cash."),
        ]  # fmt: skip
    desk.close()
