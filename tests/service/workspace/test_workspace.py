"""A workspace in this process, and its synchronous face: capabilities, tasks, sessions, artifacts, runs."""

from __future__ import annotations

import inspect
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from tradingagents.dataflows.gateway.router import Vendors
from tradingagents.errors import NotFound, UsageError
from tradingagents.schemas.workspace import SessionDefaults, ViewContext
from tradingagents.service.workspace.api import WorkspaceApi
from tradingagents.service.workspace.sync import SyncWorkspace
from tradingagents.service.workspace.workspace import Workspace
from tradingagents.settings import Settings, load_settings

DAY = "2025-03-14"
ANALYSIS = {"ticker": "VELQ", "day": DAY, "analysts": ["market"], "debate_rounds": 1, "risk_rounds": 1}


@pytest.fixture(scope="module")
def vendors() -> Vendors:
    return Vendors(load_settings({"data_vendor": "simulated"}, environ={}))


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return load_settings({"data_vendor": "simulated", "llm_provider": "offline", "home": tmp_path / "home"}, environ={})


@pytest.fixture
async def workspace(settings: Settings, vendors: Vendors) -> AsyncIterator[Workspace]:
    async with Workspace(settings, {}, vendors=vendors) as opened:
        yield opened


@pytest.fixture
def plain(settings: Settings, vendors: Vendors) -> Iterator[SyncWorkspace]:
    with SyncWorkspace(Workspace(settings, {}, vendors=vendors)) as opened:
        yield opened


def _signatures(kind: type) -> dict[str, str]:
    found = inspect.getmembers(kind, inspect.isfunction)
    return {
        name: str(inspect.signature(method).replace(return_annotation=inspect.Signature.empty))
        for name, method in found
        if not name.startswith("_")
    }


@pytest.mark.parametrize("kind", [Workspace, SyncWorkspace])
def test_every_workspace_has_every_method_with_the_same_arguments(kind: type):
    wanted = _signatures(WorkspaceApi)
    assert wanted.items() <= _signatures(kind).items()


async def test_an_analysis_runs_as_a_task_and_leaves_a_run(workspace: Workspace):
    task = await workspace.start_task("analyze", ANALYSIS)
    events = [event async for event in workspace.task_events(task.task_id)]
    assert [event.seq for event in events] == list(range(len(events)))
    ended = await workspace.task(task.task_id)
    assert ended.status == "done", ended.error
    (row,) = await workspace.runs()
    assert ended.run_ids == (row["run_id"],)
    assert row["action"] in {"BUY", "SELL", "HOLD"}
    assert "folder" not in row
    card = await workspace.run(row["run_id"])
    assert card["decision"]["action"] == row["action"]
    assert "paths" not in card
    assert "report.html" in card["report_files"]
    assert b"VELQ" in await workspace.run_report(row["run_id"], "complete_report.md")
    logged = await workspace.run_events(row["run_id"])
    assert await workspace.run_events(row["run_id"], after=logged[-2]["seq"]) == logged[-1:]


@pytest.mark.parametrize("name", ["../run.json", "report.html/../../run.json", "/etc/passwd", "", "no such.md"])
async def test_a_run_serves_its_reports_and_nothing_else(workspace: Workspace, name: str):
    task = await workspace.start_task("analyze", ANALYSIS)
    async for _ in workspace.task_events(task.task_id):
        pass
    (run_id,) = (await workspace.task(task.task_id)).run_ids
    with pytest.raises(NotFound, match="has no report"):
        await workspace.run_report(run_id, name)


@pytest.mark.parametrize("run_id", ["../x", "no-such-run", "", "2025", "a/b"])
async def test_an_unknown_or_malformed_run_is_not_found(workspace: Workspace, run_id: str):
    with pytest.raises(NotFound):
        await workspace.run(run_id)


async def test_a_session_has_a_day_a_view_and_an_audit(workspace: Workspace):
    session = await workspace.create_session(title="Fans", defaults=SessionDefaults.model_validate({"as_of": DAY}))
    await workspace.update_session(session.session_id, view=ViewContext(symbols=("MODZ",), page="chart"))
    answer = await workspace.invoke("market_snapshot", {"ticker": "VELQ"}, session_id=session.session_id)
    assert answer.as_of.isoformat() == DAY
    known = await workspace.session(session.session_id)
    assert known.symbols[0] == "VELQ"
    assert known.view.symbols == ("MODZ",)
    assert [one.session_id for one in await workspace.sessions()] == [session.session_id]
    assert [one["action"] for one in workspace.sessions_store.audit_log(session.session_id)] == ["market_snapshot"]
    await workspace.delete_session(session.session_id)
    with pytest.raises(NotFound):
        await workspace.session(session.session_id)


async def test_an_allowed_action_starts_its_task_and_the_conversation_is_told(workspace: Workspace):
    session = await workspace.create_session()
    store, number = workspace.sessions_store, session.session_id
    approval = store.add_approval(number, "analyze", ANALYSIS, "It costs money.")
    told = await workspace.answer_approval(number, approval.approval_id, approved=True)
    (answered,) = told.approvals
    assert (answered.status, answered.task_id) == ("approved", told.task_ids[0])
    with pytest.raises(UsageError, match="answered before"):
        await workspace.answer_approval(number, approval.approval_id, approved=True)
    async for _ in workspace.task_events(told.task_ids[0]):
        pass
    texts = [entry.text for entry in await workspace.transcript(number) if entry.type == "notice"]
    assert told.task_ids[0] in texts[0]
    assert len(texts) == 2, "the end of the task is told too"


async def test_a_refused_action_does_nothing(workspace: Workspace):
    session = await workspace.create_session()
    approval = workspace.sessions_store.add_approval(session.session_id, "analyze", ANALYSIS, "It costs money.")
    told = await workspace.answer_approval(session.session_id, approval.approval_id, approved=False)
    assert told.approvals[0].status == "refused"
    assert await workspace.tasks() == ()


async def test_a_hidden_session_is_unknown_to_every_method(workspace: Workspace):
    parent = await workspace.create_session()
    hidden = workspace.sessions_store.create("value", hidden=True, parent=parent.session_id).session_id
    assert hidden not in {one.session_id for one in await workspace.sessions()}
    for asked in (
        workspace.session(hidden),
        workspace.transcript(hidden),
        workspace.send_message(hidden, "hello"),
        workspace.delete_session(hidden),
        workspace.update_session(hidden, title="x"),
        workspace.answer_approval(hidden, "p-1", approved=True),
        workspace.invoke("market_snapshot", {"ticker": "VELQ"}, session_id=hidden),
        workspace.start_task("analyze", ANALYSIS, session_id=hidden),
    ):
        with pytest.raises(NotFound, match=r"[Nn]o session"):
            await asked


async def test_a_turn_is_started_by_a_message_only(workspace: Workspace):
    session = await workspace.create_session()
    with pytest.raises(UsageError, match="sending a message"):
        await workspace.start_task("chat_turn", {"session_id": session.session_id, "text": "hello"})
    with pytest.raises(UsageError, match="empty"):
        await workspace.send_message(session.session_id, "  ")


async def test_choices_name_keys_and_never_show_them(settings: Settings, vendors: Vendors):
    async with Workspace(settings, {"OPENAI_API_KEY": "sk-not-shown-0123456789abcdef"}, vendors=vendors) as opened:
        offered = await opened.choices()
    assert {one.name: one.key_set for one in offered.providers}["openai"] is True
    assert {one.name: one.key_set for one in offered.providers}["anthropic"] is False
    assert "not-shown" not in offered.model_dump_json()
    assert "VELQ" in offered.tickers


def test_the_synchronous_face_waits_for_a_task(plain: SyncWorkspace):
    task = plain.start_task("analyze", ANALYSIS)
    assert plain.wait(task.task_id).status == "done"
    assert plain.invoke("market_snapshot", {"ticker": "VELQ"}, as_of=DAY).symbol == "VELQ"
    with pytest.raises(NotFound):
        plain.task("t-unknown")


def test_a_closed_workspace_may_be_closed_again(settings: Settings, vendors: Vendors):
    opened = SyncWorkspace(Workspace(settings, {}, vendors=vendors))
    opened.close()
    opened.close()
