"""Debates and comparisons over HTTP: started, followed, refused; their session, and questions about them."""

from __future__ import annotations

import pytest

from tradingagents.errors import UsageError
from tradingagents.schemas.workspace import SessionDefaults
from tradingagents.service.client import Client

DAY = "2025-03-14"


def test_a_session_compares_debates_and_is_asked(client: Client):
    session = client.create_session(title="pair", defaults=SessionDefaults(as_of=DAY)).session_id
    asked = {"tickers": ["velq", "MODZ"], "topics": ["margins"]}
    compare = client.start_task("compare", asked, session_id=session)
    debate = client.start_task("debate", {"ticker": "VELQ"}, session_id=session)  # side by side in one session
    events = list(client.task_events(compare.task_id))
    run_events = [one for one in events if one.run_id]
    assert [one.type for one in run_events if one.type in ("run_start", "plan", "result")] == [
        "run_start", "plan", "result",
    ]  # fmt: skip
    ended = {one.data["symbol"] for one in run_events if one.type == "task" and one.data["status"] == "completed"}
    assert ended == {"VELQ", "MODZ"}
    compared = client.wait(compare.task_id)
    assert compared.status == "done"
    assert compared.result is not None
    assert [row["label"] for row in compared.result["table"]] == ["gross margin", "operating margin", "net margin"]
    assert {one["symbol"]: one["status"] for one in compared.result["companies"]} == {
        "VELQ": "completed", "MODZ": "completed",
    }  # fmt: skip
    assert compared.result["sources"][0] == "table: get_ttm_analysis, simulated"
    assert {client.artifact(one).title.partition(":")[0] for one in compared.artifacts} == {"Page", "Report"}

    debated = client.wait(debate.task_id)
    assert debated.status == "done"
    assert debated.result is not None
    assert 1 <= debated.result["verdict"]["conviction"] <= 10
    turns = [one.data for one in client.task_events(debate.task_id) if one.type == "debate_turn"]
    assert len(turns) >= 4, "an opening and a rebuttal of each side"

    question = {"run": debated.result["run_id"], "question": "What would change your mind?"}
    answered = client.wait(client.start_task("run_question", question, session_id=session).task_id)
    assert answered.result is not None
    assert "breaks if" in answered.result["answer"]
    question = {"run": compared.result["run_id"], "question": "Who has the higher operating margin?"}
    answered = client.wait(client.start_task("run_question", question, session_id=session).task_id)
    assert answered.result is not None
    assert "operating margin" in answered.result["answer"]
    assert "VELQ 52.18%, MODZ 4.68%" in answered.result["answer"]
    assert "Sources: [get_ttm_analysis, simulated]" in answered.result["answer"]

    said = client.send_message(session, "What did the comparison say about the gross margin?")
    reply = client.wait(said.task_id).result
    assert reply is not None
    assert "VELQ 69.18%, MODZ 34.00%" in reply["reply"]
    research = client.start_task("research", {"question": "Operating margin of VELQ?"}, session_id=session)
    told = [one for one in client.task_events(research.task_id) if one.type == "progress"]
    assert "Debate on VELQ" in told[0].message
    assert "Compare VELQ, MODZ on margins" in told[0].message


@pytest.mark.parametrize(
    ("kind", "request_", "said"),
    [
        ("compare", {"tickers": ["VELQ"]}, "takes 2 to 8"),
        ("compare", {"tickers": ["VELQ", "velq"]}, "VELQ is named twice"),
        ("compare", {"tickers": ["VELQ", "MODZ"], "topics": ["beauty"]}, "beauty"),
        ("debate", {"ticker": "VELQ MODZ"}, "one ticker"),
        ("debate", {"ticker": "VELQ", "session": "../x"}, "letters, digits"),
        ("run_question", {"run": "nothing", "question": "Why?"}, "No run"),
    ],
)
def test_what_cannot_be_done_is_refused_before_a_task_exists(client: Client, kind: str, request_: dict, said: str):
    with pytest.raises(UsageError, match=said):
        client.start_task(kind, request_, as_of=DAY)


def test_what_is_no_company_is_not_debated(client: Client):
    task = client.wait(client.start_task("debate", {"ticker": "^GSPC"}, as_of=DAY).task_id)
    assert task.status == "failed"
    assert task.error is not None
    assert "^GSPC is an index, not a company" in task.error.message
