"""The task kind of the guide works: installed as a package, started, killed half-way, continued, listed."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.docs.blocks import ROOT, python_blocks
from tradingagents.errors import UsageError
from tradingagents.service.tasks import TaskManager
from tradingagents.service.tasks.control import WorkspaceTaskControl
from tradingagents.service.tasks.folder import TaskFolders
from tradingagents.service.tasks.registry import task_kinds
from tradingagents.service.tasks.work import TaskWork
from tradingagents.settings import Settings

GUIDE = ROOT / "docs" / "guides" / "adding-a-task-kind.md"
DAY = "2025-03-14"


@pytest.fixture
def ranking(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The guide's package, installed as pip would leave it."""
    (block,) = python_blocks(GUIDE)
    site = tmp_path / "site"
    info = site / "tradingagents_ranking-1.0.dist-info"
    info.mkdir(parents=True)
    (site / "tradingagents_ranking.py").write_text(block.text, encoding="utf-8")
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: tradingagents-ranking\nVersion: 1.0\n", "utf-8")
    points = GUIDE.read_text("utf-8").split("```toml\n")[1].split("```")[0]
    points = points.replace('[project.entry-points."tradingagents.task_kinds"]', "[tradingagents.task_kinds]")
    (info / "entry_points.txt").write_text(points.replace('"', ""), encoding="utf-8")
    monkeypatch.syspath_prepend(str(site))
    yield importlib.import_module("tradingagents_ranking")
    sys.modules.pop("tradingagents_ranking", None)


async def test_it_is_found_started_and_continued(ranking: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert task_kinds()["ranking"] is ranking.RANKING
    settings = Settings(home=tmp_path / "home", data_vendor="simulated", tool_vendors={})
    remember, noted = WorkspaceTaskControl.remember, []

    def stop_half_way(self: WorkspaceTaskControl, **notes: Any) -> None:
        remember(self, **notes)
        noted.append(list(notes["returns"]))
        if len(noted) == 2:
            raise RuntimeError("the process dies")

    with monkeypatch.context() as dying:
        dying.setattr(WorkspaceTaskControl, "remember", stop_half_way)
        async with TaskManager(settings, {}) as manager:
            with pytest.raises(UsageError, match="tickers: it is required"):
                await manager.start("ranking", {})
            info = await manager.start("ranking", {"tickers": ["velq", "OMBZ", "CIRQZ"]}, DAY)
            _ = [event async for event in manager.events(info.task_id)]
            assert info.kind in {kind.kind for kind in manager.kinds()}
    work = TaskWork.take(TaskFolders(settings.home_dir).of(info.task_id), manager._secrets)
    work.set_status("running")  # as a killed process leaves it
    work.close()
    async with TaskManager(settings, {}) as manager:
        events = [event async for event in manager.events(info.task_id)]
        ended = await manager.get(info.task_id)
    assert ended.status == "done"
    assert ended.result is not None
    assert sorted(ended.result["ranked"]) == sorted(ended.result["returns"])
    assert len(ended.result["ranked"]) == ended.progress.done == 3
    told = [event.message.partition(":")[0] for event in events if event.step == "prices"]
    assert told == ["VELQ", "CIRQZ"]  # the second was noted and not told when the process died
    assert [event.seq for event in events] == list(range(len(events)))
