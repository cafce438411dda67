"""When a task is at rest, as its last event tells."""

from __future__ import annotations

import pytest

from tradingagents.schemas.workspace import TaskEvent
from tradingagents.service.tasks.follow import is_at_rest


@pytest.mark.parametrize(("run_id", "at_rest"), [(None, True), ("20250314-research-1", False)])
def test_a_step_of_a_research_plan_that_failed_does_not_end_the_stream(run_id: str | None, at_rest: bool):
    event = TaskEvent(
        task_id="t", seq=3, ts="2025-03-14T00:00:00Z", type="task", run_id=run_id, data={"status": "failed"}
    )
    assert is_at_rest(event) is at_rest
