"""A research run that is killed with tasks in flight: finished tasks run once ever, and the run goes on."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import BaseMessage

from tests.support.research import plan_of, research_services, researched, scripted, task, tool_call
from tests.support.tiers import sampled
from tests.support.warm import fork
from tradingagents.events import Event
from tradingagents.features.research.kind import RESEARCH
from tradingagents.runtime.executor import resume
from tradingagents.runtime.manifest import read_manifest

pytestmark = pytest.mark.process
PLAN = plan_of(
    *(task(number, f"part {number}") for number in range(1, 6)),
    task(6, "joined", after=[1, 2], reason=True),
    task(7, "all", after=[3, 4, 5, 6], reason=True),
)
MOMENTS = [
    {"type": "analysis"},
    {"type": "plan"},
    {"type": "task", "task_id": "task_1", "status": "running"},
    {"type": "tool_end"},
    {"type": "task", "task_id": "task_3", "status": "completed"},
    {"type": "task", "task_id": "task_6", "status": "running"},
    {"type": "task", "task_id": "task_7", "status": "completed"},
    {"type": "reflection"},
]


def counted(log: Path) -> Any:
    """A model that logs which part it is asked to carry out."""

    def executor(messages: Sequence[BaseMessage], tools: tuple[str, ...]) -> Any:
        part = messages[1].text.rpartition("Carry out this task")[2].partition("\n")[0].rpartition(": ")[2]
        if tools and not any(one.type == "tool" for one in messages):
            return tool_call("get_ttm_analysis", {"ticker": "VELQ", "curr_date": "2025-03-14"})
        with log.open("a") as file:
            file.write(f"{part}\n")
        return f"Found {part}."

    return scripted({"Planner": PLAN, "Task Executor": executor})


def killed_at(home: str, log: str, moment: dict[str, str]) -> None:
    """Run until an event, then die without warning."""

    def watch(event: Event) -> None:
        told = {"type": event.type, **event.data}
        if all(told.get(name) == value for name, value in moment.items()):
            os.kill(os.getpid(), signal.SIGKILL)

    asyncio.run(researched(research_services(Path(home), counted(Path(log))), watch=watch))


@pytest.mark.parametrize("moment", sampled(MOMENTS, every=3), ids=lambda one: "-".join(one.values()))
def test_finished_tasks_run_once_ever(tmp_path: Path, moment: dict[str, str]):
    log = tmp_path / "log"
    process = fork(killed_at, str(tmp_path), str(log), moment)
    process.join(120)
    assert process.exitcode == -signal.SIGKILL
    (folder,) = (tmp_path / "runs").iterdir()
    events = [json.loads(line) for line in (folder / "events.jsonl").read_text().splitlines()]
    finished = {
        event["data"]["result"]["description"]
        for event in events
        if event["type"] == "task" and event["data"]["status"] == "completed"
    }
    before = Counter(log.read_text().splitlines()) if log.exists() else Counter()

    services = research_services(tmp_path, counted(log))
    answer = asyncio.run(_resumed(services, folder.name))
    services.close()
    assert answer.record["status"] == "done"
    assert [one["status"] for one in answer.record["tasks"]] == ["completed"] * 7
    after = Counter(log.read_text().splitlines())
    assert all(count == 1 for part, count in after.items() if part in finished), (before, after, finished)
    assert set(after) == {one["description"] for one in PLAN["tasks"]}


async def _resumed(services: Any, run_id: str) -> Any:
    return await resume(RESEARCH, read_manifest(services.settings.home_dir, run_id), services).result()
