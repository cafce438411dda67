"""The offline analysts behind a real model server come to what they come to without one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage

from tests.support.graph_factory import ANALYSTS, COMPANY, DAY
from tests.support.offline_runs import answer
from tests.support.offline_server import OfflineServer, messages_of
from tests.support.served_runs import MODEL, server_config
from tradingagents.agents.builders.subject_question import READER
from tradingagents.graph.scanner_graph import ScannerGraph
from tradingagents.graph.trading_graph import TradingAgentsGraph

PRICED = {"model_prices": {MODEL: (0.25, 0.025, 2.0)}}
"""Without a price, a run warns that its cost is not known."""
METHODS = ("function_calling", "json_schema", "json_mode", "prompt")


@pytest.mark.parametrize(
    ("method", "stream"), [*((method, False) for method in METHODS), ("auto", True)], ids=[*METHODS, "streamed"]
)
async def test_a_run_over_the_wire_is_the_offline_run(tmp_path: Path, method: str, stream: bool):
    offline = TradingAgentsGraph(config={"llm_provider": "offline", "data_vendor": "simulated"})
    expected = await offline.arun(COMPANY, DAY)
    more: dict[str, Any] = {**PRICED, "structured_output": method, "stream_tokens": stream}
    with OfflineServer() as server:
        graph = TradingAgentsGraph(config=server_config(server, tmp_path, **more))
        run = await graph.arun(COMPANY, DAY)
        await graph.services.models.aclose()
    assert answer(run) == answer(expected)
    questions = sum(one["role"] == READER for one in server.requests)
    assert 0 < questions <= len(ANALYSTS), "no report is asked about twice"
    assert server.calls - questions == expected.record["usage"]["llm_calls"] == 18


async def test_a_scan_over_the_wire_is_the_offline_scan(tmp_path: Path):
    offline = ScannerGraph(config={"llm_provider": "offline", "data_vendor": "simulated"})
    expected = await offline.arun(DAY)
    with OfflineServer() as server:
        graph = ScannerGraph(config=server_config(server, tmp_path, **PRICED))
        scan = await graph.arun(DAY)
        await graph.services.models.aclose()
    for part in ("summary", "reports", "warnings"):
        assert scan.record[part] == expected.record[part]  # type: ignore[literal-required]
    assert server.calls == expected.record["usage"]["llm_calls"]


def test_what_the_wire_loses_of_tool_calls_is_worked_out_again():
    def call(number: str, arguments: str) -> dict[str, Any]:
        return {"id": number, "type": "function", "function": {"name": "get_news", "arguments": arguments}}

    sent = [
        {"role": "user", "content": "# Your role: News Analyst"},
        {"role": "assistant", "content": None, "tool_calls": [call("a", '{"symbol": "ZZ"}'), call("b", '{"symbol"')]},
        {"role": "tool", "tool_call_id": "a", "content": "## News: ZZ\n"},
        {"role": "tool", "tool_call_id": "b", "content": "The arguments of get_news are not valid JSON."},
    ]
    assert messages_of(sent) == [
        HumanMessage("# Your role: News Analyst"),
        AIMessage("", tool_calls=[{"name": "get_news", "args": {"symbol": "ZZ"}, "id": "a", "type": "tool_call"}]),
        ToolMessage("## News: ZZ\n", tool_call_id="a"),
        ToolMessage("The arguments of get_news are not valid JSON.", tool_call_id="b", status="error"),
    ]
