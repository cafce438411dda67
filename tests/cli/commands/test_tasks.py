"""`tradingagents tasks …` on the tasks of a home folder."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from tests.cli.conftest import Command
from tradingagents.service.tasks import TaskManager
from tradingagents.service.tasks.folder import TaskFolders
from tradingagents.settings import Settings


@pytest.fixture
def tasks(home: Path) -> tuple[str, str]:
    """A failed valuation, and one that no process has begun."""

    async def made() -> tuple[str, str]:
        async with TaskManager(Settings(home=home, drain_seconds=0, data_vendor="simulated"), {}) as manager:
            asked = {"ticker": "VELQ", "model": "excess_returns", "assumptions": ["wacc=0.09"]}
            failed = await manager.start("valuation_pack", asked, "2025-03-14")
            async for _ in manager.events(failed.task_id):
                pass
            return failed.task_id, (await manager.start("valuation_pack", {"ticker": "VELQ"})).task_id

    return asyncio.run(made())


def test_tasks_are_listed_shown_resumed_and_cancelled(
    tasks: tuple[str, str], home: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    failed, queued = tasks
    place = ("--home", str(home))
    listed = command("tasks", "list", *place)
    assert listed.code == 0
    assert failed in listed.out
    found = json.loads(command("tasks", "list", "--json", *place).out)["tasks"]
    assert [one["task_id"] for one in found] == [queued, failed]
    assert [one["status"] for one in found] == ["queued", "failed"]
    shown = command("tasks", "show", failed, "--follow", *place)
    assert "Status: failed" in shown.out
    assert "Error: " in shown.out
    assert "running" in shown.err
    assert found[1]["resumable"] is False
    again = command("tasks", "resume", failed, *place)
    assert (again.code, "would fail again: " in again.err) == (2, True)
    wrong = command("tasks", "resume", failed, "--verdict", "approve", *place)
    assert wrong.code == 2
    assert TaskFolders(home).of(queued).info().status == "queued"  # looking at tasks takes over none
    assert command("tasks", "cancel", queued, *place).out == f"Task {queued} is cancelled.\n"
    assert command("tasks", "resume", queued, *place).code == 2
    unknown = command("tasks", "show", "../x", "--json", *place)
    assert (unknown.code, json.loads(unknown.out)["kind"]) == (2, "NoSuchTask")


def test_no_tasks_say_who_starts_some(home: Path, command: Command) -> None:
    nothing = command("tasks", "list", "--home", str(home))
    assert nothing.code == 0
    assert "tradingagents serve" in nothing.err


def test_a_task_that_nobody_works_on_is_continued(tasks: tuple[str, str], home: Path, command: Command) -> None:
    _, queued = tasks
    done = command("tasks", "resume", queued, "--home", str(home), TRADINGAGENTS_DATA_VENDOR="simulated")
    assert done.code == 0
    assert "value per share: " in done.out
