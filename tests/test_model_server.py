"""Whole runs with the real OpenAI client against a real server: streaming, parallel tool calls, typed answers."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from benchmarks.openai_server import Answer, OpenAIServer, ToolCall
from tests.support.graph_factory import ANALYSTS, COMPANY, DAY, Watch
from tests.support.served_runs import server_config
from tradingagents.graph.start import Run
from tradingagents.graph.trading_graph import TradingAgentsGraph


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
async def test_a_real_client_runs_the_whole_graph(tmp_path: Path, stream: bool):
    watch = Watch()
    with OpenAIServer(reply_tokens=120) as server:
        graph = TradingAgentsGraph(config=server_config(server, tmp_path, stream_tokens=stream))
        run = await graph.arun(COMPANY, DAY, subscribers=[watch])
        await graph.services.models.aclose()
    assert (run.decision.action, run.decision.confidence, run.decision.target) == ("BUY", 0.64, 110.1012)
    assert server.calls == run.record["usage"]["llm_calls"] == 17
    usage = watch.of("usage")
    assert sum(event.data["input_tokens"] for event in usage) == run.record["usage"]["input_tokens"] > 10_000
    assert sum(event.data["output_tokens"] for event in usage) == run.record["usage"]["output_tokens"] > 14 * 120
    assert run.record["usage"]["by_agent"]["Bull Researcher"]["llm_calls"] == 2
    streamed = Counter(event.node for event in watch.of("token"))
    assert set(streamed) == (({*ANALYSTS} | {one["speaker"] for one in turns(run)}) if stream else set())


async def test_streamed_tokens_join_to_the_report_and_are_not_logged(tmp_path: Path):
    watch = Watch()
    with OpenAIServer(reply_tokens=120) as server:
        graph = TradingAgentsGraph(config=server_config(server, tmp_path, stream_tokens=True))
        run = await graph.arun(COMPANY, DAY, subscribers=[watch])
        await graph.services.models.aclose()
    tokens = [event for event in watch.of("token") if event.node == "Market Analyst"]
    assert len(tokens) > 5
    assert "".join(event.message for event in tokens).strip() == run.record["reports"]["market_report"]
    bear = "".join(event.message for event in watch.of("token") if event.node == "Bear Researcher")
    said = [turn["text"] for turn in run.record["debates"]["research"] if turn["speaker"] == "Bear Researcher"]
    assert [part for part in said if part not in bear] == []
    assert '"token"' not in Path(run.record["paths"]["events"]).read_text("utf-8")


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
async def test_parallel_tool_calls_of_a_real_client_are_all_answered(tmp_path: Path, stream: bool):
    watch, role = Watch(), "Fundamentals Analyst"
    asked = (
        ToolCall("get_balance_sheet", {"ticker": COMPANY}),
        ToolCall("get_cashflow", {"ticker": COMPANY, "freq": "annual"}),
        ToolCall("get_income_statement", "{not json"),
    )
    with OpenAIServer() as server:
        server.answer(Answer(tool_calls=asked), Answer(text="The report: the last close is 96.58."), role=role)
        graph = TradingAgentsGraph(config=server_config(server, tmp_path, stream_tokens=stream))
        run = await graph.arun(COMPANY, DAY, subscribers=[watch])
        await graph.services.models.aclose()
    assert run.record["reports"]["fundamentals_report"] == "The report: the last close is 96.58."
    first, second = [request["prompt"] for request in server.requests if request["role"] == role]
    assert second.startswith(first)
    added = second.removeprefix(first)
    assert f"## Balance sheet: {COMPANY}, quarterly" in added
    assert f"## Cash-flow statement: {COMPANY}, annual" in added
    called = [event.data["tool"] for event in watch.of("tool_start") if event.node == role]
    assert called[-2:] == ["get_balance_sheet", "get_cashflow"]
    assert "The arguments of get_income_statement are not valid JSON; call it again." in added


async def test_tool_arguments_that_are_never_json_end_in_a_report_all_the_same(tmp_path: Path):
    role = "Market Analyst"
    broken = Answer(tool_calls=(ToolCall("get_indicators", '{"symbol": '),))
    with OpenAIServer() as server:
        server.answer(broken, broken, broken, Answer(text="The report, at last: the last close is 96.58."), role=role)
        graph = TradingAgentsGraph(config=server_config(server, tmp_path, max_tool_rounds=3))
        run = await graph.arun(COMPANY, DAY)
        await graph.services.models.aclose()
    assert run.record["reports"]["market_report"] == "The report, at last: the last close is 96.58."
    prompts = [request for request in server.requests if request["role"] == role]
    assert [bool(request["tools"]) for request in prompts] == [True, True, True, False]
    assert prompts[-1]["prompt"].count("are not valid JSON; call it again") == 3


VERDICT = {
    "action": "SELL",
    "confidence": 0.55,
    "rationale": "The close stands below its 200-day average.",
    "key_evidence": [{"claim": "The last close is 96.58", "source": "get_stock_data"}],
}


@pytest.mark.parametrize("method", ["function_calling", "json_schema", "json_mode", "prompt"])
async def test_typed_answers_work_whichever_way_they_are_asked_for(tmp_path: Path, method: str):
    with OpenAIServer() as server:
        answer = Answer(text=f"Here it is:\n```json\n{json.dumps(VERDICT)}\n```")
        if method == "function_calling":
            answer = Answer(tool_calls=(ToolCall("Verdict", VERDICT),))
        for role in ("Research Manager", "Trader", "Risk Manager"):
            server.always(answer, role=role)
        graph = TradingAgentsGraph(config=server_config(server, tmp_path, structured_output=method))
        run = await graph.arun(COMPANY, DAY)
        await graph.services.models.aclose()
    assert (run.decision.action, run.decision.confidence, run.decision.entry) == ("SELL", 0.55, None)
    (request,) = [request for request in server.requests if request["role"] == "Risk Manager"]
    assert (request["tools"] == ["Verdict"]) == (method == "function_calling")
    assert ("response_format" in request["request"]) == (method in ("json_schema", "json_mode"))


@pytest.mark.parametrize(
    "broken",
    [
        Answer(text=""),
        Answer(text="HOLD, I would say."),
        Answer(tool_calls=(ToolCall("Verdict", '{"action": "BUY", "confid'),)),
        Answer(tool_calls=(ToolCall("Verdict", {**VERDICT, "action": "MAYBE"}),)),
        Answer(tool_calls=(ToolCall("Verdict", {**VERDICT, "confidence": 7}),)),
        Answer(tool_calls=(ToolCall("place_order", {"size": 1}),)),
    ],
    ids=["empty", "prose", "cut", "action", "confidence", "other tool"],
)
async def test_a_broken_typed_answer_is_repaired_once_and_then_no_decision(tmp_path: Path, broken: Answer):
    with OpenAIServer() as server:
        server.answer(broken, role="Trader")
        server.always(broken, role="Risk Manager")
        graph = TradingAgentsGraph(config=server_config(server, tmp_path))
        run = await graph.arun(COMPANY, DAY)
        await graph.services.models.aclose()
    asked = Counter(request["role"] for request in server.requests)
    assert (asked["Trader"], asked["Risk Manager"]) == (2, 2)
    assert run.record["reports"]["trader_investment_plan"].endswith("FINAL TRANSACTION PROPOSAL: **BUY**")
    assert (run.record["status"], run.decision.action) == ("no_decision", "NO_DECISION")
    assert "Risk Manager gave no usable decision: the model gave no usable answer in two" in run.decision.rationale


class ServerWithoutTools(OpenAIServer):
    """Ignores a forced tool call and answers in prose, as llama.cpp does for a template without tools."""

    def choose(self, body: Mapping[str, Any], role: str | None) -> Answer:
        forced = isinstance(body.get("tool_choice"), dict)
        return Answer(text="I would hold it.") if forced else super().choose(body, role)


async def test_the_method_that_worked_is_kept_for_the_run_and_said_once(tmp_path: Path):
    watch = Watch()
    with ServerWithoutTools() as server:
        graph = TradingAgentsGraph(config=server_config(server, tmp_path))
        run = await graph.arun(COMPANY, DAY, subscribers=[watch])
        await graph.services.models.aclose()
    assert run.decision.action == "BUY"
    deciders = ("Research Manager", "Trader", "Risk Manager")
    asked = [(one["role"], one["tools"] == ["Verdict"]) for one in server.requests if one["role"] in deciders]
    assert asked == [
        ("Research Manager", True),
        ("Research Manager", False),
        ("Trader", False),
        ("Risk Manager", False),
    ]
    (said,) = [event.message for event in watch.of("warning") if "typed answer" in event.message]
    assert said.endswith("Set structured_output=json_schema to begin with that.")


def turns(run: Run) -> list[dict[str, str]]:
    return [turn for debate in run.record["debates"].values() for turn in debate]
