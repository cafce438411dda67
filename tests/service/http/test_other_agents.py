"""The assistant for front ends with a protocol of their own: AG-UI and OpenBB Workspace, on a real server."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest
from ag_ui.core import Event, RunAgentInput
from pydantic import TypeAdapter

from tests.service.conftest import TICKER
from tradingagents.schemas.workspace import TaskEvent
from tradingagents.service.client import Client
from tradingagents.service.http.agui import AguiRun, _Translator
from tradingagents.service.http.turns import ReplyPart, TurnEnd

EVENTS: TypeAdapter[Any] = TypeAdapter(Event)
QUESTION = f"What is {TICKER} worth?"


def frames(text: str) -> list[tuple[str, Any]]:
    """Return the events of a stream: type and data."""
    *whole, end, rest = text.split("\n\n")
    assert (end, rest) == (": end", "")
    found = []
    for frame in whole:
        fields = dict(line.split(": ", 1) for line in frame.split("\n"))
        found.append((fields.get("event", ""), json.loads(fields["data"])))
    return found


def agui(thread: str, text: str, run: str = "run-1") -> dict[str, Any]:
    asked = RunAgentInput(
        thread_id=thread,
        run_id=run,
        messages=[{"id": "m1", "role": "user", "content": text}],  # type: ignore[list-item]
        tools=[],
        context=[],
        state={},
        forwarded_props={},
    )
    dumped: dict[str, Any] = asked.model_dump(mode="json", by_alias=True)
    return dumped


def run_agui(http: httpx.Client, body: dict[str, Any]) -> list[dict[str, Any]]:
    response = http.post("/v1/agui", json=body)
    assert response.status_code == 200, response.text
    events = [data for _, data in frames(response.text)]
    for event in events:
        EVENTS.validate_python(event)
    return events


def said(events: list[dict[str, Any]]) -> str:
    return "".join(event["delta"] for event in events if event["type"] == "TEXT_MESSAGE_CONTENT")


def test_agui_runs_the_assistant_in_one_conversation_a_thread(http: httpx.Client, client: Client) -> None:
    first = run_agui(http, agui("thread-1", QUESTION))
    types = [event["type"] for event in first]
    assert (types[0], types[-1]) == ("RUN_STARTED", "RUN_FINISHED")
    assert first[0]["threadId"] == "thread-1"
    assert TICKER in said(first)
    opened = [event["toolCallId"] for event in first if event["type"] == "TOOL_CALL_START"]
    answered = [event["toolCallId"] for event in first if event["type"] == "TOOL_CALL_RESULT"]
    assert opened
    assert sorted(opened) == sorted(answered)
    assert types.count("TEXT_MESSAGE_START") == types.count("TEXT_MESSAGE_END") >= 1
    before = {one.session_id for one in client.sessions(limit=500)}
    run_agui(http, agui("thread-1", "And its price?", "run-2"))
    assert {one.session_id for one in client.sessions(limit=500)} == before
    run_agui(http, agui("thread-2", QUESTION, "run-3"))
    assert len(client.sessions(limit=500)) == len(before) + 1


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"threadId": "t", "runId": "r", "messages": []},
        {"threadId": "t", "runId": "r", "messages": [{"id": "1", "role": "assistant", "content": "x"}]},
        {"threadId": "t", "runId": "r", "messages": [{"id": "1", "role": "user", "content": " "}]},
        {"threadId": "", "runId": "r", "messages": [{"id": "1", "role": "user", "content": "x"}]},
    ],
)
def test_agui_refuses_what_is_no_run(http: httpx.Client, body: dict[str, Any]) -> None:
    response = http.post("/v1/agui", json=body)
    assert (response.status_code, response.json()["error"]["code"]) == (400, "usage_error")


def test_agui_ends_with_an_interrupt_where_a_person_must_approve() -> None:
    translator = _Translator(AguiRun.model_validate(agui("t", "x")))
    approval = {"waiting": True, "approval_id": "ap-1", "call": "c1", "tool": "start_analyze"}
    steps = [
        event(0, "tool_start", tool="start_analyze", call="c1", args={"ticker": TICKER}),
        event(1, "approval", **approval),
        event(2, "tool_end", tool="start_analyze", call="c1", content="It waits."),
        ReplyPart("I would ", 1),
        ReplyPart("like to.", 1),
        TurnEnd("task", "done"),
    ]
    events = [translator.started()] + [one for step in steps for one in translator.translated(step)]
    for one in events:
        EVENTS.validate_python(one)
    assert [one["type"] for one in events] == [
        *("RUN_STARTED", "TOOL_CALL_START", "TOOL_CALL_ARGS", "TOOL_CALL_END", "CUSTOM", "TOOL_CALL_RESULT"),
        *("TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_END", "RUN_FINISHED"),
    ]
    assert events[-1]["outcome"]["interrupts"][0]["id"] == "ap-1"


def test_agui_says_how_a_run_failed() -> None:
    translator = _Translator(AguiRun.model_validate(agui("t", "x")))
    steps = [ReplyPart("Well"), TurnEnd("task", "failed", "budget_reached", "The budget is used up.")]
    events = [one for step in steps for one in translator.translated(step)]
    assert [one["type"] for one in events][-2:] == ["TEXT_MESSAGE_END", "RUN_ERROR"]
    EVENTS.validate_python(events[-1])


def event(seq: int, kind: str, **data: Any) -> TaskEvent:
    return TaskEvent(task_id="task", seq=seq, ts="2026-01-01T00:00:00+00:00", type=kind, message=kind, data=data)


def query(http: httpx.Client, *messages: tuple[str, str]) -> tuple[str, list[tuple[str, Any]]]:
    body = {"messages": [{"role": role, "content": text} for role, text in messages], "widgets": {"primary": []}}
    response = http.post("/query", json=body)
    assert response.status_code == 200, response.text
    events = frames(response.text)
    return "".join(data["delta"] for kind, data in events if kind == "copilotMessageChunk"), events


def test_openbb_describes_and_asks_the_assistant(http: httpx.Client, client: Client) -> None:
    (described,) = http.get("/agents.json").json().values()
    assert described["endpoints"]["query"] == str(http.base_url.join("/query"))
    assert described["features"]["streaming"] is True
    reply, events = query(http, ("human", QUESTION))
    assert TICKER in reply
    statuses = [data for kind, data in events if kind == "copilotStatusUpdate"]
    assert statuses
    assert {data["eventType"] for data in statuses} <= {"INFO", "WARNING", "ERROR"}
    before = {one.session_id for one in client.sessions(limit=500)}
    query(http, ("human", QUESTION), ("ai", reply), ("human", "And its price?"))
    after = client.sessions(limit=500)
    assert {one.session_id for one in after} == before, "the conversation continues"
    query(http, ("human", "What is OMBZ worth?"), ("ai", "I do not know."), ("human", "And its price?"))
    (new,) = {one.session_id for one in client.sessions(limit=500)} - before
    assert "I do not know." in client.transcript(new)[0].text, "a conversation of another server is shown once"


def test_openbb_asks_with_a_question(http: httpx.Client) -> None:
    for messages in ([], [{"role": "ai", "content": "x"}], [{"role": "human", "content": {"function": "x"}}]):
        response = http.post("/query", json={"messages": messages})
        assert (response.status_code, response.json()["error"]["code"]) == (400, "usage_error")
