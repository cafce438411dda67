"""A process that is killed in the middle of a task: another one continues, and readers see every event once."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.killed_task import KILLED, process_with_task
from tests.support.task_kinds import StepsKind, all_events, manager_of, until
from tests.support.tiers import sampled
from tradingagents.schemas.workspace import TaskEvent
from tradingagents.service.tasks.folder import TaskFolders
from tradingagents.service.tasks.manager import TaskManager
from tradingagents.service.tasks.work import TaskWork

ANALYSIS = {
    "ticker": "VELQ",
    "day": "2025-03-14",
    "offline": True,
    "debate_rounds": 1,
    "risk_rounds": 1,
    "analysts": ["market"],
}
MOMENTS: list[dict[str, Any]] = [
    {"line": 0, "before": True},
    {"line": 0},
    {"line": 1, "before": True},
    {"line": 3, "before": True},
    {"line": 3},
    {"line": 6},
    {"line": 4, "torn": True},
    {"status": "running"},
    {"status": "done"},
    {"unmark": True},
]


async def killed(home: Path, kind: str, request: dict[str, Any], moment: dict[str, Any]) -> str:
    """Have a process start a task and die; return the task's id."""
    process = process_with_task(home, kind, request, moment)
    await asyncio.to_thread(process.join, 60)
    assert process.exitcode == KILLED
    (folder,) = TaskFolders(home).newest_first()
    return folder.task_id


def assert_whole(events: list[TaskEvent], status: str = "done") -> None:
    assert [event.seq for event in events] == list(range(len(events)))
    assert events[-1].data["status"] == status


@pytest.mark.parametrize(
    "moment",
    sampled(MOMENTS, every=3),
    ids=lambda moment: "-".join(map(str, moment.values())) + next(iter(moment)),
)
async def test_a_task_goes_on_whenever_its_process_dies(moment: dict[str, Any], tmp_path: Path) -> None:
    task_id = await killed(tmp_path, "steps", {"steps": 5}, moment)
    kind = StepsKind()
    async with manager_of(tmp_path, kind) as manager:
        events = await all_events(manager, task_id)
        assert (await manager.get(task_id)).status == "done"
    assert_whole(events)
    told = [event.data["step"] for event in events if event.type == "progress"]
    assert list(dict.fromkeys(told)) == [0, 1, 2, 3, 4]  # a step that was told and not noted is told again
    assert [event.data["status"] for event in events if event.type == "task"].count("done") == 1
    assert not list((tmp_path / "tasks" / "open").iterdir())


@pytest.mark.parametrize(
    "moment",
    [
        {"run": True},
        {"event": "node_end", "node": "Bull Researcher"},
        pytest.param({"event": "node_start", "node": "Risk Manager"}, marks=pytest.mark.nightly),
    ],
    ids=["before-the-run", "research", "decision"],
)
async def test_an_analysis_goes_on_by_its_runs_own_resume(moment: dict[str, Any], tmp_path: Path) -> None:
    home = tmp_path / "killed"
    async with manager_of(home, auto_settle=False) as reader:
        process = process_with_task(home, "analyze", ANALYSIS, moment)
        await until(lambda: list((home / "tasks").glob("*/task.json")))
        (folder,) = TaskFolders(home).newest_first()
        seen: list[TaskEvent] = []

        async def read() -> None:
            while not seen or seen[-1].data.get("status") != "done":  # a client that asks again after a break
                async for event in reader.events(folder.task_id, seen[-1].seq if seen else -1):
                    seen.append(event)
                    if event.seq % 7 == 3:
                        break

        reading = asyncio.create_task(read())
        await asyncio.to_thread(process.join, 60)
        assert process.exitcode == KILLED
        await reader.recover()
        await asyncio.wait_for(reading, 60)
        ended = await reader.get(folder.task_id)
    assert_whole(seen)
    assert len(ended.run_ids) == 1
    assert [path.name for path in (home / "runs").iterdir()] == list(ended.run_ids)
    card = json.loads((home / "runs" / ended.run_ids[0] / "run.json").read_text("utf-8"))
    assert card["status"] == "done"
    assert card["timing"]["starts"] == (1 if "run" in moment else 2)
    assert ended.result is not None
    assert ended.result["action"] == card["decision"]["action"]
    ends = [event.node for event in seen if event.type == "node_end"]
    assert set(ends) > {"Market Analyst", "Trader", "Risk Manager"}
    assert len(ends) - len(set(ends)) == (moment.get("event") == "node_end")  # its step was not over


async def test_an_answer_is_given_to_a_run_once(tmp_path: Path) -> None:
    async with manager_of(tmp_path, StepsKind()) as manager:
        info = await manager.start("steps", {"steps": 2, "wait_at": 0})
        await all_events(manager, info.task_id)
    folder = TaskFolders(tmp_path).of(info.task_id)
    work = TaskWork.take(folder, manager._secrets)  # a process that takes the answer and dies once the run waits again
    work.remember(answer={"verdict": "revise"}, waits=1)
    work.set_status("running")
    work.journal.append("approval", "waits", data={"waiting": True})
    work.close()
    kind = StepsKind()
    async with manager_of(tmp_path, kind) as manager:
        await all_events(manager, info.task_id, after=99)
        assert folder.state()["answer"] == {}
        assert await _at_rest(manager, info.task_id) == "done"


async def _at_rest(manager: TaskManager, task_id: str) -> str:
    await all_events(manager, task_id)
    return (await manager.get(task_id)).status


async def test_a_task_that_kills_its_process_again_and_again_is_given_up(tmp_path: Path) -> None:
    for number in range(5):
        if number == 0:
            task_id = await killed(tmp_path, "steps", {"steps": 1}, {"status": "running"})
            continue
        work = TaskWork.take(TaskFolders(tmp_path).of(task_id), manager_of(tmp_path)._secrets)
        work.remember(deaths=number)
        work.close()
    kind = StepsKind()
    async with manager_of(tmp_path, kind) as manager:
        info = await manager.get(task_id)
        assert info.status == "interrupted"
        assert info.error is not None
        assert info.error.code == "task_keeps_failing"
        assert "died 5 times" in info.error.message
        await manager.resume(task_id)
        assert await _at_rest(manager, task_id) == "done"


async def test_what_a_killed_write_left_is_removed_by_whoever_takes_over(tmp_path: Path) -> None:
    folder = TaskFolders(tmp_path).of(await killed(tmp_path, "steps", {"steps": 2}, {"status": "running"}))
    (draft := folder.path / ".task.json.194e12").write_text("{", "utf-8")
    whole = sorted(path.name for path in folder.path.iterdir() if path != draft)
    async with manager_of(tmp_path, StepsKind()) as manager:
        assert await _at_rest(manager, folder.task_id) == "done"
    left = {path.name for path in folder.path.iterdir()}
    assert draft.name not in left
    assert left >= set(whole)


async def test_a_request_to_cancel_is_remembered_by_whoever_takes_over(tmp_path: Path) -> None:
    task_id = await killed(tmp_path, "steps", {"steps": 5}, {"line": 4})
    TaskFolders(tmp_path).of(task_id).request_cancel()
    kind = StepsKind()
    async with manager_of(tmp_path, kind) as manager:
        assert_whole(await all_events(manager, task_id), "cancelled")
    assert kind.starts == []


async def test_what_a_closed_process_left_is_continued_by_the_next(tmp_path: Path) -> None:
    kind = StepsKind()
    async with manager_of(tmp_path, kind, max_concurrent_pipelines=1) as manager:
        running, waiting = [await manager.start("steps", {"steps": 3, "hold_at": 1, "text": text}) for text in "ab"]
        await until(lambda: running.task_id in kind.running)
    assert (await manager.get(running.task_id)).status == "queued"
    with pytest.raises(Exception, match="ending"):
        await manager.start("steps", {})
    kind.gate.set()
    async with manager_of(tmp_path, kind) as manager:
        for task_id in (running.task_id, waiting.task_id):
            assert_whole(await all_events(manager, task_id))
    assert kind.starts == [(running.task_id, 0), (running.task_id, 2), (waiting.task_id, 0)]
