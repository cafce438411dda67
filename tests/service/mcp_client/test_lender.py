"""Tools of another MCP server, a real process: which are lent, what their answers become, and servers that fail."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from tests.service.mcp_client.lending_server import INJECTION
from tradingagents.errors import NotForPastDate, SettingsError, UsageError, VendorUnavailable
from tradingagents.schemas.lent_tools import LentTool, ToolLender
from tradingagents.schemas.mcp_servers import McpServer
from tradingagents.service.mcp_client.lender import McpLender
from tradingagents.service.mcp_client.rules import lent_tools
from tradingagents.settings import Settings, load_settings

pytest.importorskip("mcp")
SCRIPT = str(Path(__file__).with_name("lending_server.py"))
READ_ONLY = ("echo", "variables", "long", "slow", "broken", "wrong", "picture")


def server(*flags: str, **rules: Any) -> dict[str, Any]:
    return {"command": sys.executable, "args": (SCRIPT, *flags), **rules}


def lender_of(environ: dict[str, str] | None = None, **servers: dict[str, Any]) -> McpLender:
    return McpLender(load_settings({"mcp_servers": servers}, environ={}), environ or {})


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def lender() -> AsyncIterator[McpLender]:
    environ = {"LENT_NAME": "x", "PRIVATE_KEY_OF_OURS": "y"}
    one = lender_of(environ, fund=server(env=("LENT_NAME",), max_chars=500, timeout_seconds=10))
    yield one
    await one.close()


module_loop = pytest.mark.asyncio(loop_scope="module")


@module_loop
async def test_tools_that_say_they_are_read_only_are_lent(lender: McpLender) -> None:
    as_protocol: ToolLender = lender
    tools = await as_protocol.list_tools()
    assert [tool.name for tool in tools] == [f"fund__{name}" for name in READ_ONLY]
    assert all(isinstance(tool, LentTool) and tool.server == "fund" and not tool.writes for tool in tools)
    assert lender.gaps() == []
    assert tools[0].arguments["properties"] == {"text": {"type": "string"}}
    assert "\n" not in tools[0].description
    assert "not part of tradingagents" in tools[0].description


@module_loop
async def test_an_answer_is_fenced_and_cannot_close_its_fence(lender: McpLender) -> None:
    text = await lender.call("fund__echo", {"text": "hello"})
    assert text.startswith('<outside_text server="fund" tool="echo">\nhello ')
    assert text.count("</outside_text>") == 1
    assert INJECTION not in text
    assert "\x1b" not in text


@module_loop
async def test_a_server_receives_the_variables_that_its_setting_names_only(lender: McpLender) -> None:
    variables = await lender.call("fund__variables", {})
    assert "LENT_NAME" in variables
    assert "PRIVATE_KEY_OF_OURS" not in variables


@module_loop
async def test_a_long_answer_is_cut_off_and_says_so(lender: McpLender) -> None:
    text = await lender.call("fund__long", {})
    assert "[Cut off after 500 of 10,000 characters.]" in text
    assert len(text) < 800


@module_loop
async def test_what_is_no_text_is_named(lender: McpLender) -> None:
    text = await lender.call("fund__picture", {})
    assert "[image of type image/png, left out]" in text
    assert "[Resource x: file:///x.pdf]" in text


@module_loop
async def test_an_error_of_a_tool_is_told_and_fenced(lender: McpLender) -> None:
    with pytest.raises(UsageError, match=r"(?s)correct the arguments.*<outside_text.*no such fund"):
        await lender.call("fund__wrong", {})


@module_loop
@pytest.mark.parametrize("name", ["fund__delete_all", "fund__says_nothing", "fund__nothing", "other__echo", "echo"])
async def test_tools_that_are_not_lent_are_refused(lender: McpLender, name: str) -> None:
    with pytest.raises(UsageError, match=f"There is no tool {name}"):
        await lender.call(name, {})


@module_loop
async def test_a_past_day_is_refused_since_the_answer_would_be_todays(lender: McpLender) -> None:
    with pytest.raises(NotForPastDate, match="today's data"):
        await lender.call("fund__echo", {"text": "x"}, as_of=date(2025, 3, 14))


@module_loop
async def test_it_may_be_awaited_on_any_loop(lender: McpLender) -> None:
    found: list[str] = []
    call = threading.Thread(target=lambda: found.append(asyncio.run(lender.call("fund__echo", {"text": "elsewhere"}))))
    call.start()
    await asyncio.to_thread(call.join)
    assert "elsewhere" in found[0]


@module_loop
async def test_a_server_that_ended_is_started_again(lender: McpLender) -> None:
    with pytest.raises(VendorUnavailable, match="gave no answer to broken"):
        await lender.call("fund__broken", {})
    assert "again" in await lender.call("fund__echo", {"text": "again"})


async def closed(lender: McpLender, check: Callable[[McpLender], Awaitable[None]]) -> None:
    try:
        await check(lender)
    finally:
        await lender.close()


async def test_a_dead_server_is_a_gap_that_names_the_reason_and_others_still_lend() -> None:
    async def check(lender: McpLender) -> None:
        tools = await lender.list_tools()
        assert {tool.server for tool in tools} == {"alive"}
        gaps = lender.gaps()
        assert len(gaps) == 2
        assert "The MCP server dead cannot be reached" in gaps[0]
        assert "the licence has run out" in gaps[0]
        assert "The MCP server nowhere cannot be reached" in gaps[1]
        with pytest.raises(VendorUnavailable, match="dead cannot be reached"):
            await lender.call("dead__echo", {})

    nowhere = {"url": "http://127.0.0.1:9/mcp", "timeout_seconds": 5}
    await closed(lender_of(dead=server("--dead"), alive=server(), nowhere=nowhere), check)


async def test_a_slow_answer_ends_at_the_time_limit() -> None:
    async def check(lender: McpLender) -> None:
        await lender.list_tools()
        with pytest.raises(VendorUnavailable, match="no answer within 1 s"):
            await lender.call("fund__slow", {})

    await closed(lender_of(fund=server(timeout_seconds=1)), check)


async def test_a_variable_that_is_not_set_is_a_gap() -> None:
    async def check(lender: McpLender) -> None:
        assert await lender.list_tools() == []
        assert "the environment variable FUND_TOKEN is not set" in lender.gaps()[0]

    await closed(lender_of(fund=server(env=("FUND_TOKEN",))), check)


async def test_a_server_that_knows_the_day_may_be_asked_about_the_past() -> None:
    async def check(lender: McpLender) -> None:
        assert "x" in await lender.call("fund__echo", {"text": "x"}, as_of=date(2025, 3, 14))

    await closed(lender_of(fund=server(point_in_time=True)), check)


async def test_without_servers_nothing_is_started() -> None:
    lender = McpLender(Settings(), {})
    before = threading.active_count()
    assert await lender.list_tools() == ()
    assert threading.active_count() == before
    await lender.close()


OFFERED = [
    {"name": "read", "annotations": {"readOnlyHint": True}},
    {"name": "write", "annotations": {"readOnlyHint": False}},
    {"name": "unknown"},
]


@pytest.mark.parametrize(
    ("rules", "lent", "writes"),
    [
        ({}, ["read"], []),
        ({"tools": ("write", "unknown")}, [], []),
        ({"allow_writes": True}, ["read", "write", "unknown"], ["write", "unknown"]),
        ({"allow_writes": True, "tools": ("unknown",)}, ["unknown"], ["unknown"]),
    ],
)
def test_what_does_not_declare_itself_read_only_needs_leave(
    rules: dict[str, Any], lent: list[str], writes: list[str]
) -> None:
    _, tools, missing = lent_tools("a", McpServer(command="x", **rules), OFFERED)
    assert [tool.name.removeprefix("a__") for tool in tools] == lent
    assert [tool.name.removeprefix("a__") for tool in tools if tool.writes] == writes
    assert len(missing) == len(set(rules.get("tools", ())) - set(lent))


@pytest.mark.parametrize(
    ("servers", "said"),
    [
        ({"a": {}}, "either a command or a url"),
        ({"a": {"command": "x", "url": "https://example.org/mcp"}}, "either a command or a url"),
        ({"a": {"url": "ftp://example.org"}}, "begins with http"),
        ({"a": {"url": "https://user:word@example.org/mcp"}}, "no user, password or query"),
        ({"a": {"url": "https://example.org/mcp?token=abc"}}, "no user, password or query"),
        ({"a": {"command": "x", "env": ["KEY=sk"]}}, "names of environment variables, never values"),
        ({"a": {"url": "https://example.org", "headers": {"X-Key": "a b"}}}, "never values"),
        ({"a__b": {"command": "x"}}, "small letters"),
        ({"a": {"command": "x", "token_env": "T"}}, "belong to a server with a url"),
        ({"a": {"command": "x", "args": ["--key", "sk-abcdefghijkl123456789"]}}, "looks like a key"),
    ],
)
def test_a_wrong_setting_says_what_is_wrong(servers: dict[str, Any], said: str) -> None:
    with pytest.raises(SettingsError, match=said):
        load_settings({"mcp_servers": servers}, environ={})


def test_servers_may_be_named_in_a_variable() -> None:
    text = '{"fund": {"command": "fund-server", "args": ["--fast"], "tools": ["echo"]}}'
    settings = load_settings(environ={"TRADINGAGENTS_MCP_SERVERS": text})
    assert settings.mcp_servers["fund"] == McpServer(command="fund-server", args=("--fast",), tools=("echo",))
    with pytest.raises(SettingsError, match="TRADINGAGENTS_MCP_SERVERS is not JSON"):
        load_settings(environ={"TRADINGAGENTS_MCP_SERVERS": "fund"})
