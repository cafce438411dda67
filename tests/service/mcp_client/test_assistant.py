"""The assistant with tools of another MCP server, which is a real process."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.service.mcp_client.test_lender import closed, server
from tests.support.assistant_bench import COMPANY, AssistantBench, calls
from tradingagents.dataflows.reference.calendar import sessions
from tradingagents.features.assistant.agents.definitions import agent_registry
from tradingagents.schemas.workspace import SessionDefaults
from tradingagents.service.mcp_client.lender import McpLender
from tradingagents.service.workspace.workspace import Workspace
from tradingagents.settings import load_settings

pytest.importorskip("mcp")
ECHO = ("fund__echo", {"text": "the fund holds WATZ"})
ANALYSE = ("start_analyze", {"ticker": COMPANY})


async def test_an_answer_is_fenced_and_what_it_asks_for_waits_for_the_user(tmp_path: Path) -> None:
    lent = {"fund": server(point_in_time=True), "gone": server("--dead")}

    async def check(lender: McpLender) -> None:
        script = [calls(ECHO), calls(ANALYSE), "It waits."]
        async with AssistantBench(tmp_path, script, lender=lender, auto_approve=True) as bench:
            await bench.say("what does the fund hold?")
            assert '<outside_text server="fund" tool="echo">' in bench.of("tool_result")[0].text
            assert [one.action for one in bench.session.approvals] == ["analyze"]
            assert not await bench.manager.list()
            offers = {one.name: one for one in await bench.host.offers(agent_registry(bench.settings).assistant)}
            assert "fund__echo" in offers
            assert "The MCP server gone cannot be reached" in offers["list_capabilities"].description

    await closed(McpLender(load_settings({"mcp_servers": lent}, environ={}), {}), check)


async def test_for_a_past_day_the_other_server_is_not_asked(tmp_path: Path) -> None:
    async def check(lender: McpLender) -> None:
        async with AssistantBench(tmp_path, [calls(ECHO), "So."], lender=lender) as bench:
            await bench.say("what does the fund hold?")
            (result,) = bench.of("tool_result")
            assert result.status == "error"
            assert "answers with today's data" in result.text

    await closed(McpLender(load_settings({"mcp_servers": {"fund": server()}}, environ={}), {}), check)


async def test_an_approved_call_reaches_the_other_server(tmp_path: Path) -> None:
    lent = {"fund": server(allow_writes=True)}
    settings = load_settings(
        {"llm_provider": "offline", "data_vendor": "simulated", "home": tmp_path, "mcp_servers": lent}, environ={}
    )
    today = SessionDefaults(as_of=sessions().last_closed(datetime.now(UTC)))
    async with Workspace(settings, {}) as workspace:
        session = await workspace.create_session(defaults=today)
        add = workspace.sessions_store.add_approval
        approval = add(session.session_id, "fund__delete_all", {"text": "x"}, "It writes.")
        after = await workspace.answer_approval(session.session_id, approval.approval_id, approved=True)
        assert after.approvals[0].status == "approved"
        (notice,) = await workspace.transcript(session.session_id)
        assert "the other server was asked and reported no error" in notice.text
