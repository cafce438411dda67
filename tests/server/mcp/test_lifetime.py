"""What happens to tasks when a call is cancelled, a client leaves, or a server is killed; and a clean stdout."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.server.mcp.servers import TOKEN, HttpServer, RawClient, held
from tradingagents.mcp_sdk import McpConnection, http_transport, to_wire

httpx = pytest.importorskip("httpx")
pytest.importorskip("mcp")
ANALYSIS = {"ticker": "VELQ", "as_of": "2025-03-14"}
LONG = {**ANALYSIS, "debate_rounds": 5, "risk_rounds": 5}


def is_progress(message: dict[str, Any]) -> bool:
    return message.get("method") == "notifications/progress" and "running" in message["params"]["message"]


def test_cancelling_a_call_cancels_its_task_and_a_client_that_leaves_does_not(tmp_path: Path) -> None:
    client = RawClient(tmp_path)
    welcome = client.initialize()
    assert welcome["serverInfo"]["name"] == "tradingagents"
    assert "as_of" in welcome["instructions"]

    call = {"name": "start_analyze", "arguments": {**LONG, "wait": 300}, "_meta": {"progressToken": "p"}}
    number = client.send("tools/call", call)
    client.until(is_progress)
    client.send("notifications/cancelled", {"requestId": number}, notification=True)
    cancelled = only_task(client, "cancelled")

    call["arguments"] = {**LONG, "ticker": "OMBZ", "wait": 300}
    client.send("tools/call", call)
    client.until(is_progress)
    rest, code = client.close()
    assert code == 0
    for line in [*client.lines, *rest.splitlines()]:
        assert json.loads(line)["jsonrpc"] == "2.0"

    again = RawClient(tmp_path)
    again.initialize()
    tasks = listed(again)
    assert {one["task_id"]: one["status"] for one in tasks}[cancelled] == "cancelled"
    (left,) = (one["task_id"] for one in tasks if one["task_id"] != cancelled)
    asked = {"name": "task_result", "arguments": {"task_id": left, "wait": 300}}
    result = again.ask("tools/call", asked)["result"]["structuredContent"]
    assert result["status"] == "done"
    assert len(result["run_ids"]) == 1
    again.close()


def listed(client: RawClient) -> list[dict[str, Any]]:
    answer = client.ask("tools/call", {"name": "list_tasks", "arguments": {}})
    tasks: list[dict[str, Any]] = answer["result"]["structuredContent"]["tasks"]
    return tasks


def only_task(client: RawClient, status: str) -> str:
    """Return the id of the only task once it has a status."""
    for _ in range(200):
        (task,) = listed(client)
        if task["status"] == status:
            return str(task["task_id"])
    raise AssertionError(task)


async def test_over_http_with_a_token_and_through_a_kill(tmp_path: Path) -> None:
    server = HttpServer(tmp_path)
    try:
        async with httpx.AsyncClient() as web:
            await refusals(web, server.url)
        async with held(transport(server.url)) as client:
            snapshot = await client.call_tool("market_snapshot", {"ticker": "VELQ", "as_of": "2025-03-14"})
            assert snapshot["structuredContent"]["symbol"] == "VELQ"
            task = await start(client)
            server.kill()
    except BaseExceptionGroup:  # the client of a killed server
        pass
    finally:
        server.kill()
    server = HttpServer(tmp_path)
    try:
        async with held(transport(server.url)) as client:
            told: list[str] = []

            async def note(done: float, total: float | None, message: str | None) -> None:
                told.append(message or "")

            asked = {"task_id": task, "wait": 300}
            answer = to_wire(await client.session.call_tool("task_result", asked, progress_callback=note))
            assert answer["structuredContent"]["status"] == "done"
            assert told
    finally:
        server.kill()


async def start(client: McpConnection) -> str:
    started = (await client.call_tool("start_analyze", LONG))["structuredContent"]
    assert started["status"] in ("queued", "running")
    return str(started["task_id"])


def transport(url: str) -> Any:
    return http_transport(url, {"Authorization": f"Bearer {TOKEN}"}, 30.0)


async def refusals(web: Any, url: str) -> None:
    """A wrong token, another host and another origin are refused before the protocol sees them."""
    right = {"Authorization": f"Bearer {TOKEN}", "Accept": "application/json, text/event-stream"}
    hello = {"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {}}
    for headers, status in (
        ({}, 401),
        ({"Authorization": "Bearer wrong"}, 401),
        ({**right, "Host": "evil.example"}, 421),
        ({**right, "Origin": "https://evil.example"}, 403),
    ):
        assert (await web.post(url, json=hello, headers=headers)).status_code == status
    assert (await web.get(url.replace("/mcp", "/v1/capabilities"), headers=right)).status_code == 404
