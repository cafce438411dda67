"""A reply that is cut off or censored is asked for again once; then it is a stated gap, never half a report."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.openai_server import Answer, OpenAIServer, ToolCall
from tests.support.graph_factory import COMPANY, DAY, Watch
from tests.support.served_runs import server_config
from tradingagents.graph.start import Run
from tradingagents.graph.trading_graph import TradingAgentsGraph

SHORT = {"max_debate_rounds": 1, "max_risk_discuss_rounds": 1, "auto_settle": False}
CUT = Answer(text="The company is", finish_reason="length")
CENSORED = Answer(text="The", finish_reason="content_filter")


async def run_on(server: OpenAIServer, home: Path, *watching: Watch, stream: bool = False) -> Run:
    graph = TradingAgentsGraph(config=server_config(server, home, **SHORT, stream_tokens=stream))
    try:
        return await graph.arun(COMPANY, DAY, subscribers=watching)
    finally:
        await graph.services.models.aclose()


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize(("broken", "told"), [(CUT, "was cut off"), (CENSORED, "content filter")])
async def test_a_reply_that_is_not_whole_is_written_again(tmp_path: Path, broken: Answer, told: str, stream: bool):
    watch = Watch()
    with OpenAIServer() as server:
        for role in ("News Analyst", "Bull Researcher"):
            server.answer(broken, role=role)
        run = await run_on(server, tmp_path, watch, stream=stream)
        asked = [str(one["prompt"]) for one in server.requests if one["role"] in ("News Analyst", "Bull Researcher")]
    assert run.record["status"] == "done"
    assert run.record["degraded"] == []
    assert len(asked) == 4
    assert sum(told in prompt for prompt in asked) == 2
    assert run.record["reports"]["news_report"].startswith("Reply ")
    assert run.record["debates"]["research"][0]["text"].startswith("Reply ")
    assert {event.node for event in watch.of("retry")} == {"News Analyst", "Bull Researcher"}


@pytest.mark.parametrize(("broken", "told"), [(CUT, "cut off at its length limit"), (CENSORED, "content filter")])
async def test_twice_not_whole_is_a_stated_gap(tmp_path: Path, broken: Answer, told: str):
    with OpenAIServer() as server:
        for role in ("News Analyst", "Bull Researcher"):
            server.always(broken, role=role)
        run = await run_on(server, tmp_path)
    assert run.record["reports"]["news_report"].startswith("**Not available.** The News Analyst could not report")
    assert run.record["debates"]["research"][0]["text"].startswith("**Not available.**")
    lacks = {one["kind"]: one for one in run.record["degraded"]}
    assert set(lacks) == {"missing_report", "silent_debater"}
    assert all(told in one["detail"] and "twice" in one["detail"] for one in lacks.values())
    page = Path(run.record["paths"]["html"]).read_text("utf-8")
    assert "This is a degraded run" in page


async def test_an_analyst_whose_first_reply_is_empty_may_still_choose_tools(tmp_path: Path):
    wanted = {"symbol": COMPANY, "indicator": "mfi,vwma", "curr_date": DAY}
    with OpenAIServer() as server:
        server.answer(Answer(text=""), role="Market Analyst")
        server.answer(Answer(tool_calls=(ToolCall("get_indicators", wanted),)), role="Market Analyst")
        run = await run_on(server, tmp_path)
        offered = [one["tools"] for one in server.requests if one["role"] == "Market Analyst"]
    assert run.record["degraded"] == []
    assert len(offered) == 3
    assert all("get_indicators" in names for names in offered)
    assert run.record["reports"]["market_report"].startswith("Reply ")


async def test_a_tool_call_without_an_id_is_answered(tmp_path: Path):
    """Some local servers send none."""
    wanted = {"symbol": COMPANY, "indicator": "mfi,vwma", "curr_date": DAY}
    with OpenAIServer() as server:
        calls = (ToolCall("get_indicators", wanted), ToolCall("get_macro_regime", {"curr_date": DAY}))
        server.answer(Answer(tool_calls=calls, ids=False), role="Market Analyst")
        run = await run_on(server, tmp_path)
        seen = [one for one in server.requests if one["role"] == "Market Analyst"][-1]["request"]
    assert run.record["degraded"] == []
    assert run.record["reports"]["market_report"].startswith("Reply ")
    assert seen is not None
