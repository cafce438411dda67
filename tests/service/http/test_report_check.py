"""A report checked over HTTP and over MCP: text and a PDF in base64, and what is longer than the server reads."""

from __future__ import annotations

import base64
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from tests.features.report_check.test_report_check import simple_pdf
from tests.service.mcp.servers import held
from tests.support.server_process import TOKEN, ServerProcess
from tradingagents.service.mcp_client.sdk import http_transport

DAY = "2025-03-14"
HEADERS = {"Authorization": f"Bearer {TOKEN}"}
TEXT = (
    "Veltrane Systems (VELQ) had revenue of $88.40 billion in fiscal 2024. "
    "Operating income was $51.03 billion in fiscal 2024."
)
EXPECTED = [("$88.40 billion", "matches"), ("$51.03 billion", "wrong_value")]


def figures(answer: dict[str, Any]) -> list[tuple[str, str]]:
    return [(one["text"], one["verdict"]) for one in answer["result"]["checked"]]


def test_text_and_a_file_over_http(server: ServerProcess) -> None:
    pdf = base64.b64encode(simple_pdf("Veltrane Systems (VELQ) had revenue of $88.40 billion in fiscal 2024.")).decode()
    for content, encoding, expected in ((TEXT, "text", EXPECTED), (pdf, "base64", EXPECTED[:1])):
        asked = {"arguments": {"ticker": "", "content": content, "encoding": encoding}, "as_of": DAY}
        address = f"{server.address}/v1/capabilities/check_report"
        found = httpx.post(address, json=asked, headers=HEADERS, trust_env=False, timeout=60)
        assert found.status_code == 200, found.text
        assert figures(found.json()) == expected


def test_a_report_longer_than_a_request_may_be_is_refused(server: ServerProcess) -> None:
    asked = {"arguments": {"ticker": "VELQ", "content": "x" * 1_100_000}, "as_of": DAY}
    address = f"{server.address}/v1/capabilities/check_report"
    refused = httpx.post(address, json=asked, headers=HEADERS, trust_env=False, timeout=60)
    assert refused.status_code == 413
    assert "server_max_body_bytes" in refused.text


@pytest.mark.asyncio
async def test_text_over_mcp(server: ServerProcess) -> None:
    pytest.importorskip("mcp")
    headers = {"Accept": "application/json, text/event-stream", **HEADERS}
    async with held(http_transport(f"{server.address}/mcp", headers, 30.0)) as mcp:
        tools = {tool["name"] for tool in await mcp.list_tools(500)}
        arguments = {"ticker": "", "content": TEXT}
        if "check_report" in tools:
            found = await mcp.call_tool("check_report", {**arguments, "as_of": DAY})
        else:
            found = await mcp.call_tool(
                "ask_capability", {"name": "check_report", "arguments": arguments, "as_of": DAY}
            )
    assert figures(found["structuredContent"]) == EXPECTED


def test_the_server_answers_while_a_hostile_report_is_read(server: ServerProcess) -> None:
    asked = {"arguments": {"ticker": "VELQ", "content": "# VELQ\n" + "1% " * 300_000}, "as_of": DAY}
    address = f"{server.address}/v1/capabilities/check_report"
    with ThreadPoolExecutor() as pool:
        reading = pool.submit(httpx.post, address, json=asked, headers=HEADERS, trust_env=False, timeout=120)
        answers = 0
        while not reading.done():
            assert httpx.get(f"{server.address}/v1/health", trust_env=False, timeout=10).status_code == 200
            answers += 1
        assert answers > 1
        assert reading.result().status_code in (200, 422, 424), reading.result().text
