"""Runs of paper accounts as tasks, offline: refused requests, a budget that ends and is raised, a cancelled one."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.service.tasks.test_kinds import Desk
from tests.support.task_kinds import all_events, until
from tradingagents.errors import NotFound, UsageError
from tradingagents.features.backtest.paper.account import PaperAccount, PaperAccountBusy
from tradingagents.features.backtest.paper.plan import PaperPlan
from tradingagents.features.backtest.paper.status import paper_status

DAY = "2024-10-16"


async def test_an_account_is_run_and_what_is_wrong_is_refused_before(tmp_path: Path) -> None:
    account = PaperAccount.create(tmp_path, PaperPlan(name="swing", tickers=("VELQ", "OMBZ")))
    desk = Desk(tmp_path)
    async with desk.manager as manager:
        for bad in ({"account": "../swing"}, {"account": ""}, {"tickers": ["VELQ"]}, {"offline": "?"}):
            with pytest.raises(UsageError):
                await manager.start("paper_run", {"account": "swing", **bad}, DAY)
        with pytest.raises(NotFound, match="there are: swing"):
            await manager.start("paper_run", {}, DAY)
        with account.held(), pytest.raises(PaperAccountBusy):
            await manager.start("paper_run", {"account": "swing"}, DAY)
        info = await manager.start("paper_run", {"account": "swing", "offline": True}, DAY)
        events = await all_events(manager, info.task_id)
        ended = await manager.get(info.task_id)
    assert ended.status == "done", ended.error
    assert ended.title == f"Paper account swing {DAY}"
    assert [one.message for one in events if one.step == "decisions"][-1] == "2 of 2 decisions"
    assert ended.result is not None
    assert ended.result["run"] == {"until": DAY, "sessions_added": [DAY], "decided": 2, "not_decided": []}
    status = paper_status(tmp_path, "swing")
    assert (ended.result["account"], ended.result["equity"]) == ("swing", status.equity)
    assert ended.result["orders"] == status.orders
    desk.close()


async def test_a_run_that_was_cancelled_or_used_up_its_budget_is_continued(tmp_path: Path) -> None:
    PaperAccount.create(tmp_path, PaperPlan(tickers=("VELQ", "OMBZ")))
    desk = Desk(tmp_path)

    def sessions() -> int:
        return paper_status(tmp_path).sessions

    async with desk.manager as manager:
        await all_events(manager, (await manager.start("paper_run", {"offline": True}, "2024-10-01")).task_id)
        asked = {"decide_missed": True, "offline": True}
        first = await manager.start("paper_run", asked, DAY)
        await until(lambda: sessions() >= 4, 60)
        await manager.cancel(first.task_id)
        assert 4 <= sessions() < 12
        limited = await manager.start("paper_run", {**asked, "max_llm_calls": 20}, DAY)
        await all_events(manager, limited.task_id)
        failed = await manager.get(limited.task_id)
        assert failed.status == "failed"
        assert failed.error is not None
        assert "20" in failed.error.message
        await manager.resume(limited.task_id, {"max_llm_calls": 10_000})
        await all_events(manager, limited.task_id)
        ended = await manager.get(limited.task_id)
    assert ended.status == "done", ended.error
    assert sessions() == 12
    assert len(list(tmp_path.glob("decisions/*/*.json"))) == 24
    desk.close()
