"""What happens to tasks when a call is cancelled, a client leaves, or a server is killed; and a clean stdout."""

from __future__ import annotations

import json
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.service.mcp.servers import COMMAND, TOKEN, RawClient, held, variables
from tests.support.warm import WarmProcess
from tradingagents.schemas.workspace import ENDED
from tradingagents.service.mcp_client.sdk import http_transport

pytest.importorskip("mcp")
LONG = {"ticker": "VELQ", "as_of": "2025-03-14", "debate_rounds": 10, "risk_rounds": 10}


def is_progress(message: dict[str, Any]) -> bool:
    return message.get("method") == "notifications/progress" and "running" in message["params"]["message"]


def test_a_cancelled_call_cancels_its_task_and_a_killed_server_does_not(tmp_path: Path, calendar_folder: Path) -> None:
    home = tmp_path / "served"
    client = RawClient(home, calendar_folder)
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
    client.kill()
    for line in client.lines:
        assert json.loads(line)["jsonrpc"] == "2.0"

    again = RawClient(home, calendar_folder)
    again.initialize()
    tasks = listed(again)
    assert {one["task_id"]: one["status"] for one in tasks}[cancelled] == "cancelled"
    (left,) = (one["task_id"] for one in tasks if one["task_id"] != cancelled)
    asked = {"name": "task_result", "arguments": {"task_id": left, "wait": 300}}
    result = again.ask("tools/call", asked)["result"]["structuredContent"]
    assert result["status"] == "done"
    assert len(result["run_ids"]) == 1

    call["arguments"] = {**LONG, "ticker": "CIRQZ", "wait": 300}
    again.send("tools/call", call)
    again.until(is_progress)
    rest, code = again.close()
    assert code == 0
    for line in [*again.lines, *rest.splitlines()]:
        assert json.loads(line)["jsonrpc"] == "2.0"
    statuses = [json.loads(path.read_text())["status"] for path in home.glob("tasks/*/task.json")]
    assert sorted(status for status in statuses if status in ENDED) == ["cancelled", "done"]
    assert len(statuses) == 3


def listed(client: RawClient) -> list[dict[str, Any]]:
    answer = client.ask("tools/call", {"name": "list_tasks", "arguments": {}})
    tasks: list[dict[str, Any]] = answer["result"]["structuredContent"]["tasks"]
    return tasks


def only_task(client: RawClient, status: str) -> str:
    """Return the id of the only task once it has a status."""
    for _ in range(500):
        (task,) = listed(client)
        if task["status"] == status:
            return str(task["task_id"])
    raise AssertionError(task)


async def test_mcp_by_itself_over_http_ends_at_once_with_a_client_connected(
    tmp_path: Path, calendar_folder: Path
) -> None:
    home = tmp_path / "served"
    command = [*COMMAND[1:], "--home", str(home), "--http", "--port", "0"]
    env, pipe = variables(home, calendar_folder), subprocess.PIPE
    with WarmProcess(command, env=env, stdout=pipe, stderr=pipe) as process:
        assert process.stderr is not None
        line = process.stderr.readline()
        assert line.startswith("MCP at http://127.0.0.1:"), line + process.stderr.read()
        assert TOKEN not in line
        try:
            async with held(http_transport(line.split()[2], {"Authorization": f"Bearer {TOKEN}"}, 30.0)) as client:
                answer = await client.call_tool("market_snapshot", {"ticker": "VELQ", "as_of": "2025-03-14"})
                assert answer["structuredContent"]["symbol"] == "VELQ"
                process.send_signal(signal.SIGINT)
                out, rest = process.communicate(timeout=30)
                assert process.returncode == 130
                assert out == ""
                assert "Traceback" not in rest
        finally:
            process.kill()
