"""Backtests as tasks, offline: refused requests, progress, files, a budget that ends and is raised, a cancelled one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.service.tasks.test_kinds import Desk
from tests.support.task_kinds import all_events, until
from tradingagents.errors import UsageError

DAY = "2024-12-20"
ASKED = {"tickers": ["velq", "OMBZ"], "start": "2024-10-01", "end": "2024-11-20", "every": 12, "offline": True}


async def test_a_backtest_is_started_followed_and_read(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    async with desk.manager as manager:
        for bad in (
            {"tickers": []},
            {"tickers": ["VELQ MODZ"]},
            {"end": "2024-09-01"},
            {"end": "2024-12-31"},
            {"every": 0},
            {"weights": "none"},
            {"cash": -1},
            {"home": "/"},
        ):
            with pytest.raises(UsageError):
                await manager.start("backtest", {**ASKED, **bad}, DAY)
        info = await manager.start("backtest", ASKED, DAY)
        events = await all_events(manager, info.task_id)
        ended = await manager.get(info.task_id)
    assert ended.status == "done", ended.error
    assert ended.title == "Backtest of VELQ, OMBZ, 2024-10-01 to 2024-11-20"
    assert (ended.progress.done, ended.progress.total) == (6, 6)
    assert [one.message for one in events if one.step == "decisions"][-1] == "6 of 6 decisions"
    assert ended.result is not None
    known = {one.title.partition(":")[0]: one for one in map(desk.artifacts.get, ended.artifacts)}
    assert set(known) == {"Page", "Report", "Result", "Trades", "Decisions", "Equity", "Strategies by ticker"}
    record = json.loads(desk.artifacts.content(known["Result"].artifact_id))
    assert ended.result["verdict"] == record["verdict"]
    assert record["verdict"].encode() in desk.artifacts.content(known["Page"].artifact_id)
    assert ended.result["strategies"]["decisions"]["total_return"] == record["strategies"]["decisions"]["total_return"]
    desk.close()


async def test_a_backtest_that_was_cancelled_is_decided_on_by_another_task(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    async with desk.manager as manager:
        first = await manager.start("backtest", {**ASKED, "every": 4}, DAY)
        await until(lambda: len(list(tmp_path.glob("decisions/*/*.json"))) >= 2)
        await manager.cancel(first.task_id)
        assert (await manager.get(first.task_id)).status == "cancelled"
        stored = {path.name: path.stat().st_mtime_ns for path in tmp_path.glob("decisions/*/*.json")}
        assert len(stored) < 18
        again = await manager.start("backtest", {**ASKED, "every": 4}, DAY)
        await all_events(manager, again.task_id)
        ended = await manager.get(again.task_id)
    assert ended.status == "done", ended.error
    assert ended.result is not None
    assert ended.result["coverage"]["made"] == 18
    now = {path.name: path.stat().st_mtime_ns for path in tmp_path.glob("decisions/*/*.json")}
    assert stored.items() <= now.items()
    desk.close()


async def test_a_backtest_that_used_up_its_budget_goes_on_with_a_larger_one(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    async with desk.manager as manager:
        info = await manager.start("backtest", {**ASKED, "max_llm_calls": 70}, DAY)
        await all_events(manager, info.task_id)
        failed = await manager.get(info.task_id)
        assert failed.status == "failed"
        assert failed.error is not None
        assert "70" in failed.error.message
        stored = len(list(tmp_path.glob("decisions/*/*.json")))
        assert 0 < stored < 6
        await manager.resume(info.task_id, {"max_llm_calls": 10_000})
        await all_events(manager, info.task_id)
        ended = await manager.get(info.task_id)
    assert ended.status == "done", ended.error
    assert ended.result is not None
    assert ended.result["coverage"]["made"] == 6
    desk.close()


async def test_a_backtest_tries_what_models_may_remember_and_other_variants(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    more = {"memory_cases": 2, "disguise": True, "other_weights": ["equal"], "ablations": ["no_news"], "short": True}
    async with desk.manager as manager:
        with pytest.raises(UsageError):
            await manager.start("backtest", {**ASKED, "memory_cases": -1}, DAY)
        info = await manager.start("backtest", {**ASKED, **more}, DAY)
        await all_events(manager, info.task_id)
        ended = await manager.get(info.task_id)
    assert ended.status == "done", ended.error
    assert ended.result is not None
    assert ended.result["contamination"]["input_dependency"]["follows"] in ("data", "undecided")
    assert ended.result["contamination"]["models"][0]["remembers"] is False
    assert {"disguised", "no_news", "weights_equal"} < set(ended.result["strategies"])
    desk.close()
