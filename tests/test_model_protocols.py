"""Whole runs against servers that check the turns they are sent, refuse tools or parameters, or reason out of sight."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from benchmarks.openai_server import Answer, ToolCall
from tests.support.graph_factory import COMPANY, DAY, Watch
from tests.support.offline_server import OfflineServer
from tests.support.scan_graph_factory import DAY as SCAN_DAY
from tests.support.served_runs import MODEL, server_config
from tradingagents.graph.scanner_graph import ScannerGraph
from tradingagents.graph.start import Run
from tradingagents.graph.trading_graph import TradingAgentsGraph
from tradingagents.llm_clients.model_profile import REASONING_TOKENS, TABLE_TOKENS

Rule = Callable[[Mapping[str, Any]], str | None]
"""Returns why a server refuses a request; None where it accepts it."""
SHORT = {"max_debate_rounds": 1, "max_risk_discuss_rounds": 1, "auto_settle": False}
MORE = ToolCall("get_indicators", {"symbol": COMPANY, "indicator": "mfi", "curr_date": DAY})
LABEL = f"openai_compatible/{MODEL}"


class StrictServer(OfflineServer):
    """The offline analysts behind a server with rules."""

    def __init__(self, rule: Rule, **options: Any) -> None:
        super().__init__(**options)
        self.bodies: list[Mapping[str, Any]] = []
        self.refused: list[str] = []
        self._rule = rule

    def choose(self, body: Mapping[str, Any], role: str | None) -> Answer:
        self.bodies.append(body)
        if (why := self._rule(body)) is not None:
            self.refused.append(why)
            return Answer(status=400, error=why)
        return super().choose(body, role)

    def of(self, role: str) -> list[Mapping[str, Any]]:
        """Return the requests of a role."""
        return [body for body, one in zip(self.bodies, self.requests, strict=True) if one["role"] == role]


def wants_reasoning_back(body: Mapping[str, Any]) -> str | None:
    """DeepSeek's rule in its thinking mode."""
    lacking = [one for one in body["messages"] if one.get("tool_calls") and not one.get("reasoning_content")]
    return "The reasoning_content in the thinking mode must be passed back to the API." if lacking else None


def wants_signatures_back(body: Mapping[str, Any]) -> str | None:
    """Google's rule for models that think."""
    calls = [call for one in body["messages"] for call in one.get("tool_calls") or ()]
    if all(call.get("extra_content", {}).get("google", {}).get("thought_signature") for call in calls):
        return None
    return "Function call is missing a thought_signature in functionCall parts."


def wants_alternation(body: Mapping[str, Any]) -> str | None:
    """The rule of chat templates such as Gemma's, which have no role for tools."""
    roles = [one["role"] for one in body["messages"] if one["role"] != "system"]
    wanted = [("user", "assistant")[number % 2] for number in range(len(roles))]
    if roles != wanted or [one["role"] for one in body["messages"]].count("system") > 1:
        return "Conversation roles must alternate user/assistant/user/assistant/..."
    return None


def takes_no_tools(body: Mapping[str, Any]) -> str | None:
    forced = isinstance(body.get("tool_choice"), Mapping)
    return "tools: Extra inputs are not permitted" if body.get("tools") and not forced else None


def takes_only(*names: str) -> Rule:
    """Return the rule of a server that refuses the other names of the limit."""

    def rule(body: Mapping[str, Any]) -> str | None:
        wrong = [name for name in ("max_tokens", "max_completion_tokens") if name in body and name not in names]
        return f"Unrecognized request argument supplied: {wrong[0]}" if wrong else None

    return rule


def anything(_body: Mapping[str, Any]) -> str | None:
    return None


async def analysed(server: StrictServer, home: Path, *watching: Watch, **settings: Any) -> Run:
    graph = TradingAgentsGraph(config=server_config(server, home, **{**SHORT, **settings}))
    try:
        return await graph.arun(COMPANY, DAY, subscribers=watching)
    finally:
        await graph.services.models.aclose()


# Turns


@pytest.mark.parametrize("rule", [wants_reasoning_back, wants_signatures_back, wants_alternation])
async def test_a_run_sends_no_turn_that_the_model_did_not_write(tmp_path: Path, rule: Rule):
    with StrictServer(rule) as server:
        run = await analysed(server, tmp_path)
        first = {one["role"]: body for one, body in reversed([*zip(server.requests, server.bodies, strict=True)])}
    assert run.record["status"] == "done"
    assert run.record["degraded"] == []
    for body in first.values():
        assert [one["role"] for one in body["messages"]] == ["system", "user"]


async def test_a_scan_passes_a_template_without_tools(tmp_path: Path):
    with StrictServer(wants_alternation) as server:
        graph = ScannerGraph(config=server_config(server, tmp_path))
        try:
            run = await graph.arun(SCAN_DAY)
        finally:
            await graph.services.models.aclose()
    assert run.record["status"] == "done"
    assert [one for one in run.record["warnings"] if "could not report" in one] == []


def thinks(completion: dict[str, Any]) -> None:
    completion["choices"][0]["message"]["reasoning_content"] = "The volume is missing."


def signs(completion: dict[str, Any]) -> None:
    for call in completion["choices"][0]["message"]["tool_calls"]:
        call["extra_content"] = {"google": {"thought_signature": f"signed {call['id']}"}}


@pytest.mark.parametrize(("rule", "told"), [(wants_reasoning_back, thinks), (wants_signatures_back, signs)])
async def test_a_turn_with_calls_goes_back_with_what_its_server_told(tmp_path: Path, rule: Rule, told: Any):
    with StrictServer(rule) as server:
        server.answer(Answer(tool_calls=(MORE,), change=told), role="Market Analyst")
        run = await analysed(server, tmp_path)
        sent = server.of("Market Analyst")[1]["messages"]
    assert server.refused == []
    assert [one["role"] for one in sent] == ["system", "user", "assistant", "tool"]
    assert "| mfi |" in sent[-1]["content"]
    assert run.record["degraded"] == []


async def test_a_streamed_turn_goes_back_with_its_reasoning(tmp_path: Path):
    def piece(delta: Mapping[str, Any], finish: str | None = None) -> str:
        choices = [{"index": 0, "delta": delta, "finish_reason": finish}]
        head = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": MODEL}
        return f"data: {json.dumps({**head, 'choices': choices})}\n\n"

    called = {"name": MORE.name, "arguments": json.dumps(MORE.arguments)}
    pieces = [
        piece({"role": "assistant", "content": "", "reasoning_content": "The volume "}),
        piece({"reasoning_content": "is missing."}),
        piece({"tool_calls": [{"index": 0, "id": "a1", "type": "function", "function": called}]}),
        piece({}, "tool_calls"),
        "data: [DONE]\n\n",
    ]
    head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n"
    body = "".join(pieces).encode()
    raw = f"{head}content-length: {len(body)}\r\n\r\n".encode() + body
    with StrictServer(wants_reasoning_back) as server:
        server.answer(Answer(raw=raw), role="Market Analyst")
        run = await analysed(server, tmp_path, stream_tokens=True)
        sent = server.of("Market Analyst")[1]["messages"]
    assert server.refused == []
    assert sent[2]["reasoning_content"] == "The volume is missing."
    assert run.record["degraded"] == []


async def test_results_of_further_calls_stand_in_the_user_s_message_where_tool_turns_are_refused(tmp_path: Path):
    watch = Watch()
    with StrictServer(wants_alternation) as server:
        server.answer(Answer(tool_calls=(MORE,)), role="Market Analyst")
        run = await analysed(server, tmp_path, watch)
        sent = server.of("Market Analyst")[-1]
    assert run.record["degraded"] == []
    assert [one["role"] for one in sent["messages"]] == ["system", "user"]
    assert "| mfi |" in sent["messages"][-1]["content"]
    assert "tools" not in sent


# Tools


async def test_a_server_that_refuses_tools_is_asked_without_them_and_this_is_said_once(tmp_path: Path):
    watch = Watch()
    with StrictServer(takes_no_tools) as server:
        run = await analysed(server, tmp_path, watch)
    assert run.record["status"] == "done"
    assert run.record["degraded"] == []
    assert len(server.refused) <= 4, "once for each analyst that asks before the first is answered"
    assert [event.message for event in watch.of("warning")] == [
        f"The server of {LABEL} refuses tools; agents answer from the data that were fetched for them."
    ]


# Limits


async def test_each_reply_has_a_limit_under_both_names(tmp_path: Path):
    with StrictServer(anything) as server:
        await analysed(server, tmp_path)
        report = server.of("Market Analyst")[0]
    limits = {(body["max_tokens"], body["max_completion_tokens"]) for body in server.bodies}
    assert all(one == other for one, other in limits)
    assert report["max_tokens"] == 4 * 600 + TABLE_TOKENS
    assert server.of("Bull Researcher")[0]["max_tokens"] == 4 * 350


async def test_the_setting_wins(tmp_path: Path):
    with StrictServer(anything) as server:
        await analysed(server, tmp_path, max_output_tokens=777)
    assert {(body["max_tokens"], body["max_completion_tokens"]) for body in server.bodies} == {(777, 777)}


@pytest.mark.parametrize("names", [("max_tokens",), ("max_completion_tokens",), ()], ids=["old", "new", "none"])
@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
async def test_a_server_that_refuses_a_name_of_the_limit_is_sent_the_other(
    tmp_path: Path, names: tuple[str, ...], stream: bool
):
    with StrictServer(takes_only(*names)) as server:
        run = await analysed(server, tmp_path, stream_tokens=stream)
        last = server.bodies[-1]
    assert run.record["degraded"] == []
    assert {name for name in last if name.startswith("max_")} == {*names}
    assert len(server.refused) <= 4 * 3, "found out by the first calls, which run side by side"


async def test_a_limit_that_the_context_has_no_room_for_is_left_out(tmp_path: Path):
    def small(body: Mapping[str, Any]) -> str | None:
        asked = body.get("max_tokens", 0)
        wrong = f"This model's maximum context length is 8192 tokens. You requested {asked} tokens in the completion."
        return wrong if asked > 3000 else None

    with StrictServer(small) as server:
        run = await analysed(server, tmp_path)
    assert server.refused
    assert run.record["degraded"] == []


async def test_a_model_that_reasons_out_of_sight_is_given_room_for_it(tmp_path: Path):
    def hidden(completion: dict[str, Any]) -> None:
        completion["choices"][0]["message"]["reasoning_content"] = "Let me think."

    watch = Watch()
    with StrictServer(anything) as server:
        server.answer(Answer(text="", finish_reason="length", change=hidden), role="Bull Researcher")
        run = await analysed(server, tmp_path, watch)
        first, second = server.of("Bull Researcher")
        (later,) = server.of("Bear Researcher")
    assert run.record["degraded"] == []
    assert second["max_tokens"] == first["max_tokens"] + REASONING_TOKENS
    assert later["max_tokens"] > REASONING_TOKENS
    assert second["messages"] == first["messages"], "its answer was not at fault"
    assert [event.message for event in watch.of("retry")] == [
        f"Bull Researcher asks {LABEL} again: its reasoning used up the limit of 1,400 tokens."
    ]


# What a prompt never holds


async def test_advice_for_the_user_stands_in_no_prompt(tmp_path: Path):
    cut = Answer(text="The company is", finish_reason="length")
    with StrictServer(anything) as server:
        for role in ("News Analyst", "Bull Researcher", "Research Manager"):
            server.always(cut, role=role)
        run = await analysed(server, tmp_path)
        prompts = [str(one["content"]) for body in server.bodies for one in body["messages"]]
    assert "TRADINGAGENTS_MAX_OUTPUT_TOKENS" in run.record["reports"]["news_report"]
    assert any("**Not available.**" in prompt for prompt in prompts)
    assert not [prompt for prompt in prompts if "TRADINGAGENTS_" in prompt or "another model" in prompt]


async def test_a_prompt_that_is_too_long_is_reported_with_its_size(tmp_path: Path):
    body = json.dumps(
        {
            "error": {
                "code": 400,
                "message": "request (8540 tokens) exceeds the available context size (8192 tokens), try increasing it",
                "type": "exceed_context_size_error",
                "n_prompt_tokens": 8540,
                "n_ctx": 8192,
            }
        }
    )
    with StrictServer(anything) as server:
        server.always(Answer(status=400, body=body), role="News Analyst")
        run = await analysed(server, tmp_path)
    assert "(8,540 tokens, its context holds 8,192)" in run.record["reports"]["news_report"]
