"""MCP at `/mcp` of the HTTP server: the same checks, the same tasks and runs as over HTTP."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
import pytest_asyncio

from tests.service.mcp.servers import held
from tests.support.server_process import TOKEN, ServerProcess
from tradingagents.schemas.workspace import TaskInfo
from tradingagents.service.client import Client
from tradingagents.service.mcp.resources import run_uri
from tradingagents.service.mcp_client.sdk import McpConnection, http_transport, to_wire

pytest.importorskip("mcp")
DAY = "2025-03-14"
PLAIN = {"Accept": "application/json, text/event-stream"}
RIGHT = {**PLAIN, "Authorization": f"Bearer {TOKEN}"}


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def mcp(server: ServerProcess) -> AsyncIterator[McpConnection]:
    async with held(http_transport(f"{server.address}/mcp", RIGHT, 30.0)) as connection:
        yield connection


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        (PLAIN, 401),
        ({**PLAIN, "Authorization": "Bearer wrong"}, 401),
        ({**RIGHT, "Host": "evil.example"}, 421),
        ({**RIGHT, "Origin": "https://evil.example"}, 403),
    ],
)
def test_requests_are_checked_before_the_protocol_sees_them(
    server: ServerProcess, headers: dict[str, str], status: int
) -> None:
    asked = {"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {}}
    assert httpx.post(f"{server.address}/mcp", json=asked, headers=headers, trust_env=False).status_code == status


@pytest.mark.asyncio(loop_scope="module")
async def test_a_list_below_the_limit_of_clients_and_the_others_by_name(mcp: McpConnection, client: Client) -> None:
    tools = [tool["name"] for tool in await mcp.list_tools(500)]
    assert {"valuation", "get_filings", "list_capabilities", "ask_capability", "start_analyze"} <= set(tools)
    assert "get_stock_data" not in tools
    assert len(tools) <= 40
    known = (await mcp.call_tool("list_capabilities", {}))["structuredContent"]["capabilities"]
    assert [one["name"] for one in known] == [info.name for info in client.capabilities()]
    (one,) = (await mcp.call_tool("list_capabilities", {"name": "get_stock_data"}))["structuredContent"]["capabilities"]
    assert "start_date" in one["arguments"]["properties"]


@pytest.mark.asyncio(loop_scope="module")
async def test_an_answer_is_that_of_http(mcp: McpConnection, client: Client) -> None:
    asked = {"ticker": "VELQ", "freq": "annual"}
    by_mcp = await mcp.call_tool("ask_capability", {"name": "get_balance_sheet", "arguments": asked, "as_of": DAY})
    by_http = client.invoke("get_balance_sheet", asked, as_of=DAY).model_dump(mode="json")
    for one in (by_mcp["structuredContent"], by_http):
        one["result"].pop("fetched_at")
    assert by_mcp["structuredContent"] == by_http


@pytest.mark.asyncio(loop_scope="module")
async def test_a_run_started_over_http_is_the_same_over_mcp(
    mcp: McpConnection, client: Client, analysis: TaskInfo
) -> None:
    told: list[str] = []

    async def note(done: float, total: float | None, message: str | None) -> None:
        told.append(message or "")

    asked = {"task_id": analysis.task_id, "wait": 30}
    answer = to_wire(await mcp.session.call_tool("task_result", asked, progress_callback=note))
    assert answer["structuredContent"] == client.task(analysis.task_id).model_dump(mode="json")
    assert "done" in told[-1]
    run_id = analysis.run_ids[0]
    read: dict[str, Any] = to_wire(await mcp.session.read_resource(run_uri(run_id)))["contents"][0]
    assert json.loads(read["text"]) == client.run(run_id)
    report = to_wire(await mcp.session.read_resource(run_uri(run_id, "complete_report.md")))["contents"][0]["text"]
    assert report.encode() == client.run_report(run_id, "complete_report.md")


@pytest.mark.asyncio(loop_scope="module")
async def test_conversations_are_not_reachable(mcp: McpConnection, client: Client) -> None:
    session = client.create_session(title="private")
    tools = json.dumps(await mcp.list_tools(500))
    assert session.session_id not in tools
    listed = to_wire(await mcp.session.list_resources())["resources"]
    assert session.session_id not in json.dumps(listed)
    with pytest.raises(Exception, match="There is no"):
        await mcp.session.read_resource(f"tradingagents://sessions/{session.session_id}")


@pytest.mark.asyncio(loop_scope="module")
async def test_debate_and_compare_are_started_followed_asked_and_refused(mcp: McpConnection) -> None:
    notes: list[str | None] = []

    async def note(_done: float, _total: float | None, message: str | None) -> None:
        notes.append(message)

    asked = {"tickers": ["VELQ", "MODZ"], "topics": ["margins"], "session": "by-mcp", "as_of": DAY, "wait": 60}
    compared = to_wire(await mcp.session.call_tool("start_compare", asked, progress_callback=note))
    result = compared["structuredContent"]["result"]
    assert compared["structuredContent"]["status"] == "done"
    assert "| gross margin | 69.18% | 34.00% |" in result["answer"]
    assert any("VELQ" in (one or "") for one in notes)
    debated = await mcp.call_tool("start_debate", {"ticker": "VELQ", "session": "by-mcp", "as_of": DAY, "wait": 60})
    verdict = debated["structuredContent"]["result"]
    assert 1 <= verdict["verdict"]["conviction"] <= 10
    for run, said in ((result["run_id"], "VELQ is ahead with 69.18%"), (verdict["run_id"], "breaks if")):
        question = {"run": run, "question": "What would change your mind?", "wait": 60}
        answered = await mcp.call_tool("start_run_question", question)
        assert said in answered["structuredContent"]["result"]["answer"]
    for name, wrong, why in (
        ("start_compare", {"tickers": ["VELQ"]}, "takes 2 to 8"),
        ("start_debate", {"ticker": "VELQ MODZ"}, "one ticker"),
        ("start_run_question", {"run": result["run_id"], "question": " "}, "The question is empty"),
    ):
        refused = await mcp.call_tool(name, wrong)
        assert refused["isError"]
        assert why in json.dumps(refused)
