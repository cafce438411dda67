"""Research, debates and comparisons of one session: side by side, reused, known to the conversation."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from tests.support.graph_factory import role_of
from tests.support.research import DAY, research_services, researched, scripted
from tradingagents.errors import UsageError
from tradingagents.events import Event
from tradingagents.features.assistant.sessions import SessionStore
from tradingagents.features.compare.kind import COMPARE, CompareRequest
from tradingagents.features.debate.kind import DEBATE, DebateRequest
from tradingagents.files.atomic import UnreadableFile
from tradingagents.runtime.executor import RunOptions, start
from tradingagents.runtime.runs.session_findings import MOST_KEPT, SessionFindings
from tradingagents.schemas.facts import AnsweredQuestion
from tradingagents.service.tasks.session_notice import tell_of_research
from tradingagents.settings import Settings


def answered(run_id: str, day: str = DAY) -> AnsweredQuestion:
    return AnsweredQuestion(
        question=f"Question of {run_id}", answer="A.", tickers=["VELQ"], frameworks=[], findings={}, run_id=run_id,
        as_of=day, facts=[],
    )  # fmt: skip


async def test_runs_of_one_session_work_side_by_side_and_each_is_remembered(tmp_path: Path):
    services, seen = research_services(tmp_path), list[Event]()
    one, other = await asyncio.gather(
        researched(services, "Operating margin of VELQ?", session="s1", watch=seen.append),
        researched(services, "Operating margin of MODZ?", session="s1", watch=seen.append),
    )
    starts = [number for number, event in enumerate(seen) if event.type == "run_start"]
    assert max(starts) < min(number for number, event in enumerate(seen) if event.type == "result")
    runs = {one.record["run_id"], other.record["run_id"]}
    assert {answer.run_id for answer in SessionFindings(tmp_path, "s1").known()} == runs
    model, after = scripted(), list[Event]()
    await researched(research_services(tmp_path, model), "So?", session="s1", watch=after.append)
    told = "\n".join(message.text for message in model.calls[0].messages)
    assert "Operating margin of VELQ?" in told
    assert "Operating margin of MODZ?" in told
    (said,) = [event for event in after if event.type == "progress"]
    assert said.message.startswith("Researched earlier in this session: “")
    assert set(said.data["runs"]) == runs


async def test_debates_and_comparisons_are_reused_and_a_later_day_is_not(tmp_path: Path):
    offline = research_services(tmp_path)
    debated = await start(DEBATE, DebateRequest(ticker="VELQ", day=DAY, session="s1"), offline).result()
    asked, seen = CompareRequest(tickers=("VELQ", "MODZ"), topics=("margins",), day=DAY, session="s1"), list[Event]()
    compared = await start(COMPARE, asked, offline, RunOptions(subscribers=(seen.append,))).result()
    assert [one.run_id for one in SessionFindings(tmp_path, "s1").known()] == [
        debated.record["run_id"], compared.record["run_id"],
    ], "a comparison adds one answer, not one for each company"  # fmt: skip
    assert "Debate on VELQ" in next(event.message for event in seen if event.type == "progress")
    model = scripted()
    await researched(research_services(tmp_path, model), "Which is better?", session="s1")
    told = [
        "\n".join(message.text for message in call.messages)
        for call in model.calls
        if role_of(call.messages) == "Planner"
    ]
    assert "Question: Compare VELQ, MODZ on margins" in told[0]
    assert "breaks if" in told[0]
    for request, workflow in ((DebateRequest(ticker="VELQ", day="2025-03-13", session="s1"), DEBATE),):
        with pytest.raises(UsageError, match="must not know"):
            await start(workflow, request, offline).result()


def test_the_latest_questions_are_kept_and_a_resumed_run_replaces_its_own(tmp_path: Path):
    findings = SessionFindings(tmp_path, "nvda")
    for number in range(MOST_KEPT + 2):
        findings.add(answered(f"run-{number}"))
    findings.add(answered("run-5").model_copy(update={"answer": "B."}))
    known = findings.known()
    assert len(known) == MOST_KEPT
    assert [one.answer for one in known if one.run_id == "run-5"] == ["B."]
    with pytest.raises(UsageError):
        SessionFindings(tmp_path, "../nvda")


def test_a_conversation_is_told_once_of_research_from_outside(tmp_path: Path):
    store = SessionStore(Settings(home=tmp_path), environ={})
    session = store.create("assistant").session_id
    named = SessionFindings(tmp_path, "nvda")
    named.add(answered("run-1"))
    named.continue_as(session)
    named.add(answered("run-2"))  # the name means the conversation now
    for _ in range(2):
        tell_of_research(store, tmp_path, session, {"run-2"})  # a task of the conversation ran it
    (notice,) = [entry for entry in store.entries(session) if entry.type == "notice"]
    assert notice.data["result"]["run_id"] == "run-1"
    assert notice.data["as_of"] == DAY, "an earlier question of the conversation must not know it"
    store.delete(session)
    assert SessionFindings(tmp_path, session).known() == []
    store.close()


@pytest.mark.parametrize("questions", [[{"question": "Private?"}], ["Private?"], "Private?", 3])
def test_a_damaged_session_is_named_and_nothing_of_it_is_shown(tmp_path: Path, questions: object):
    session = SessionFindings(tmp_path, "s1")
    session.add(answered("r1"))
    (path,) = tmp_path.rglob("s1.json")
    path.write_text(json.dumps({"questions": questions}))
    for read in (session.known, session.not_told):
        with pytest.raises(UnreadableFile, match=r"s1\.json.*delete it") as refused:
            read()
        assert "Private" not in str(refused.value)
        assert "\n" not in str(refused.value)
