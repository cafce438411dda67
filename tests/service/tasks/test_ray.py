"""Tasks in Ray workers: the same journal, lock, cancellation; refused in words where Ray is missing."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.task_kinds import StepsKind, all_events, manager_of, until
from tradingagents.service.tasks.errors import RayNotInstalled
from tradingagents.service.tasks.folder import TaskFolders

ASKED = {"ticker": "VELQ", "offline": True, "debate_rounds": 1, "risk_rounds": 1, "analysts": ["market"]}


def test_without_ray_the_setting_is_refused_in_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    find = importlib.util.find_spec

    def missing(name: str, *given: Any) -> Any:
        return None if name == "ray" else find(name, *given)

    monkeypatch.setattr("tradingagents.service.tasks.ray_engine.find_spec", missing)
    with pytest.raises(RayNotInstalled, match=r"tradingagents\[ray\].*or set task_engine to local"):
        manager_of(tmp_path, task_engine="ray")


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning", "ignore::ResourceWarning")
async def test_a_costly_task_runs_in_a_worker_and_others_here(tmp_path: Path) -> None:
    pytest.importorskip("ray", reason="ray is not installed: pip install 'tradingagents[ray]'")
    kind = StepsKind()
    async with manager_of(tmp_path, kind, task_engine="ray", max_concurrent_pipelines=1) as manager:
        info = await manager.start("analyze", ASKED, "2025-03-14")
        stopped = await manager.start("analyze", ASKED, "2025-03-13")
        events = await all_events(manager, info.task_id)
        ended = await manager.get(info.task_id)
        assert ended.status == "done", ended.error
        assert [event.seq for event in events] == list(range(len(events)))
        card = json.loads((tmp_path / "runs" / ended.run_ids[0] / "run.json").read_text("utf-8"))
        assert ended.result is not None
        assert ended.result["action"] == card["decision"]["action"]
        folder = TaskFolders(tmp_path).of(stopped.task_id)
        await until(lambda: b"node_start" in folder.events.read_bytes(), 60)
        assert await manager.recover() == ()
        assert (await manager.cancel(stopped.task_id)).status == "cancelled"
        here = await manager.start("steps", {"steps": 2})
        await all_events(manager, here.task_id)
        assert kind.starts == [(here.task_id, 0)]
