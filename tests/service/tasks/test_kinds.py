"""The other kinds, offline: what they result in, which files they register, and what their session is told."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from pathlib import Path

import openpyxl
import pytest

from tests.support.task_kinds import StepsKind, all_events, until
from tradingagents.errors import NotFound, UsageError
from tradingagents.features.assistant.sessions import ArtifactStore, SessionStore
from tradingagents.schemas.workspace import SessionDefaults
from tradingagents.service.kernel.ask import ask
from tradingagents.service.tasks.folder import TaskFolders
from tradingagents.service.tasks.manager import TaskManager
from tradingagents.service.tasks.registry import built_in_kinds
from tradingagents.service.tasks.session_notice import tell_session
from tradingagents.service.tasks.work import TaskWork
from tradingagents.settings import Settings

DAY = "2025-03-14"
SMALL = {"offline": True, "debate_rounds": 1, "risk_rounds": 1, "analysts": ["market"]}


class Desk:
    """A manager with sessions and artifacts, as a workspace has it."""

    def __init__(self, home: Path, *kinds: StepsKind) -> None:
        settings = simulated(home).model_copy(update={"drain_seconds": 0.2})
        self.home = home
        self.sessions, self.artifacts = SessionStore(settings, environ={}), ArtifactStore(settings, environ={})
        self.manager = TaskManager(
            settings,
            {},
            sessions=self.sessions,
            artifacts=self.artifacts,
            kinds=built_in_kinds().with_kinds(kinds),
        )

    def close(self) -> None:
        self.sessions.close()
        self.artifacts.close()


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    made = Desk(tmp_path, StepsKind())
    yield made
    made.close()


async def test_a_session_is_told_once_when_its_task_has_ended(desk: Desk) -> None:
    session = desk.sessions.create("assistant", "", SessionDefaults()).session_id
    async with desk.manager as manager:
        with pytest.raises(NotFound):
            await manager.start("steps", {}, session_id="s-unknown")
        info = await manager.start("steps", {"steps": 1}, session_id=session)
        await all_events(manager, info.task_id)
        failed = await manager.start("steps", {"steps": 1, "fail_at": 0}, session_id=session)
        await all_events(manager, failed.task_id)
        await until(lambda: manager._runner.work_of(failed.task_id) is None)
        assert desk.sessions.get(session).task_ids == (info.task_id, failed.task_id)
        done, wrong = desk.sessions.entries(session)
        assert (done.type, done.data["task_id"], done.data["status"]) == ("notice", info.task_id, "done")
        assert done.data["result"] == {"steps": 1, "answer": {}}
        assert "There are no data" in wrong.text
        ended = await manager.get(info.task_id)
        tell_session(desk.sessions, ended, check=True)
        assert len(desk.sessions.entries(session)) == 2
        TaskFolders(desk.home).of(info.task_id).mark_open()  # a process that died before it removed the mark
        assert await manager.recover() == ()
        assert len(desk.sessions.entries(session)) == 2
        desk.sessions.delete(session)
        work = TaskWork.take(TaskFolders(desk.home).of(info.task_id), manager._secrets)
        await manager._tell_session(work)  # nobody is left to be told
        work.close()


async def test_an_analysis_registers_its_reports_once(desk: Desk) -> None:
    session = desk.sessions.create("assistant", "", SessionDefaults()).session_id
    async with desk.manager as manager:
        info = await manager.start("analyze", {**SMALL, "ticker": "VELQ"}, DAY, session)
        events = await all_events(manager, info.task_id)
        ended = await manager.get(info.task_id)
    assert ended.status == "done"
    assert tuple(events[-1].data["artifacts"]) == ended.artifacts
    known = [desk.artifacts.get(one) for one in ended.artifacts]
    assert [(one.kind, one.media_type, one.task_id) for one in known] == [
        ("report", "text/html", info.task_id),
        ("report", "text/markdown", info.task_id),
    ]
    assert b"VELQ" in desk.artifacts.content(ended.artifacts[0])


async def test_a_batch_is_ranked_and_pins_its_day(desk: Desk) -> None:
    asked = {**SMALL, "holdings": ["VELQ"], "conviction": "high", "max_tickers": 1}
    async with desk.manager as manager:
        info = await manager.start("auto", asked, DAY)
        events = await all_events(manager, info.task_id)
        ended = await manager.get(info.task_id)
    assert ended.status == "done", ended.error
    assert ended.result is not None
    rows = ended.result["rows"]
    assert "VELQ" in [row["ticker"] for row in rows]
    assert all(row["action"] for row in rows)
    assert ended.progress.done == ended.progress.total == len(rows)
    assert len(ended.run_ids) == len(rows) + 1
    assert {event.run_id for event in events if event.type == "run_start"} == set(ended.run_ids)
    state = json.loads((desk.home / "tasks" / info.task_id / "state.json").read_text("utf-8"))
    assert state["notes"]["day"] == DAY
    assert len(ended.artifacts) == 2


async def test_a_scan_names_stocks_and_a_question_is_answered(desk: Desk) -> None:
    async with desk.manager as manager:
        scan = await manager.start("scan", {"offline": True, "max_tickers": 3}, DAY)
        question = await manager.start(
            "filings_question",
            {"offline": True, "question": "How did Veltrane's revenue develop?", "mode": "direct"},
            DAY,
        )
        for info in (scan, question):
            await all_events(manager, info.task_id)
        scanned, answered = await manager.get(scan.task_id), await manager.get(question.task_id)
        for bad in ({"question": "  "}, {"question": "x", "conversation": "../x"}, {"question": "x", "mode": "deep"}):
            with pytest.raises(UsageError):
                await manager.start("filings_question", bad)
    assert scanned.status == "done", scanned.error
    assert scanned.result is not None
    assert len(scanned.result["stocks_to_investigate"]) == 3
    assert scanned.progress.done == scanned.progress.total == 5
    assert answered.status == "done", answered.error
    assert answered.result is not None
    assert answered.result["answer"]
    assert answered.title == "How did Veltrane's revenue develop?"


async def test_a_company_is_valued_with_page_and_workbook(desk: Desk) -> None:
    asked = {"ticker": "velq", "assumptions": ["wacc=0.09"]}
    async with desk.manager as manager:
        with pytest.raises(UsageError):
            await manager.start("valuation_pack", {"ticker": "VELQ", "assumptions": ["wacc"]}, DAY)
        valued = await manager.start("valuation_pack", asked, DAY)
        other = await manager.start("valuation_pack", {"ticker": "TOBQ", "model": "dividend_discount"}, DAY)
        for info in (valued, other):
            await all_events(manager, info.task_id)
        ended, without = await manager.get(valued.task_id), await manager.get(other.task_id)
    assert ended.status == "done", ended.error
    assert ended.result is not None
    direct = ask("valuation", ticker="VELQ", assumptions="wacc=0.09", as_of=DAY, settings=simulated(desk.home))
    assert ended.result["value_per_share"] == direct.value_per_share
    assert ended.progress.done == ended.progress.total == 4
    kinds = {one.kind: one for one in map(desk.artifacts.get, ended.artifacts)}
    assert set(kinds) == {"report", "data", "workbook"}
    book = openpyxl.load_workbook(io.BytesIO(desk.artifacts.content(kinds["workbook"].artifact_id)))
    assert book.sheetnames
    data = json.loads(desk.artifacts.content(kinds["data"].artifact_id))
    assert set(data) == {"valuation", "reverse_valuation", "fundamental_screen"}
    assert without.status == "done", without.error
    assert without.result is not None
    assert any("No workbook" in note for note in without.result["notes"])


def simulated(home: Path) -> Settings:
    return Settings(home=home, data_vendor="simulated", tool_vendors={})
