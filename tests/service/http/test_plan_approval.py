"""A research task whose plan waits for approval, over HTTP."""

from __future__ import annotations

import pytest

from tradingagents.errors import UsageError
from tradingagents.service.client import Client


def test_a_plan_waits_is_edited_and_carried_out(client: Client):
    request = {"question": "Run a DuPont analysis of VELQ", "approve_plan": True}
    task = client.start_task("research", request, as_of="2025-03-14").task_id
    waiting = client.wait(task)
    assert waiting.status == "awaiting_approval"
    with pytest.raises(UsageError, match="cannot be rejected"):
        client.resume_task(task, {"verdict": "reject"})
    run = waiting.run_ids[0]
    (proposed,) = (event["data"]["plan"] for event in client.run_events(run) if event["type"] == "plan")
    edited = {**proposed, "tasks": proposed["tasks"][:1]}
    with pytest.raises(UsageError, match="needs the verdict approve"):
        client.resume_task(task, {"verdict": "revise", "plan": edited})
    client.resume_task(task, {"verdict": "approve", "plan": edited})
    ended = client.wait(task)
    assert ended.status == "done"
    assert [one["task_id"] for one in client.run(run)["tasks"]] == ["task_1"]
