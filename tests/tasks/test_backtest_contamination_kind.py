"""What models may remember of a backtest, as a task: the same as in Python, with refused requests."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest

from tests.support.task_kinds import all_events
from tests.tasks.test_kinds import Desk, simulated
from tradingagents.backtest.contamination.assess import assess_contamination
from tradingagents.backtest.run import BacktestRequest
from tradingagents.errors import UsageError
from tradingagents.runtime.services import open_services

DAY = "2025-03-14"
ASKED = {"tickers": ["VELQ", "OMBZ", "TAQZ"], "start": "2024-11-01", "cases": 3, "offline": True}


async def test_the_task_finds_what_the_library_finds(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    async with desk.manager as manager:
        for bad in ({"tickers": ["VELQ"]}, {"tickers": ["VELQ", "A B"]}, {"start": DAY}, {"end": "2025-03-17"}):
            with pytest.raises(UsageError):
                await manager.start("backtest_contamination", {**ASKED, **bad}, DAY)
        started = await manager.start("backtest_contamination", ASKED, DAY)
        await all_events(manager, started.task_id)
        told = await manager.get(started.task_id)
    assert told.status == "done", told.error
    assert told.title == "Memory of VELQ, OMBZ, TAQZ, 2024-11-01 to 2025-03-14"
    asked = BacktestRequest(tickers=("VELQ", "OMBZ", "TAQZ"), start=date(2024, 11, 1), end=date(2025, 3, 14))
    services = open_services(simulated(tmp_path).model_copy(update={"llm_provider": "offline"}), {})
    direct = await assess_contamination(services, asked, cases=3)
    assert told.result == json.loads(json.dumps(direct.to_json()))
    desk.close()
