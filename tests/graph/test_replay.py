"""A replayed run asks no model, and says to the letter what the first run said; any other question misses."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks.openai_answers import answer_for
from benchmarks.openai_server import Answer, OpenAIServer, ToolCall
from tests.support.graph_factory import COMPANY, DAY, VERDICT, Watch
from tests.support.served_runs import MODEL, card_in, server_config
from tradingagents.dataflows.vendors.simulated import SimulatedVendor
from tradingagents.errors import ReplyNotKept
from tradingagents.events import Subscriber
from tradingagents.graph.scanner_graph import ScannerGraph
from tradingagents.graph.trading_graph import TradingAgentsGraph
from tradingagents.llm_clients.reply_cache import REPLIES_FILE, KeptReplies

TEXTS = ("decision", "decisions", "reports", "debates", "summary", "top_sectors", "sectors", "status", "warnings")
"""What of a record a replay repeats."""
LITTLE: Mapping[str, Any] = {"analysts": ("market",), "max_debate_rounds": 1, "max_risk_discuss_rounds": 1}
"""The shortest run: one analyst, each debater once."""
LITTLE_CALLS = 9
"""The analyst; bull and bear; the research manager; the trader; three risk debaters; the risk manager."""
PRICE: Mapping[str, Any] = {"model_prices": {MODEL: (1.0, 0.1, 4.0)}}
LOOKS = Answer(
    tool_calls=(
        ToolCall("get_stock_data", {"symbol": COMPANY, "start_date": "2025-02-03", "end_date": "2025-02-14"}),
        ToolCall("get_stock_data", {"symbol": COMPANY, "start_date": "2025-03-03", "end_date": DAY}),
    )
)
"""An analyst's wish for more than it was given: two calls at once."""
FOOTER = re.compile(r"^## Model use$.*?(?=^## |\Z)", re.MULTILINE | re.DOTALL)


class SteadyServer(OpenAIServer):
    """A server whose replies do not say how many there were before: which agent is faster changes nothing."""

    def ponder(self, body: Mapping[str, Any]) -> Answer:
        return answer_for(body, self.reply_tokens)


async def study(
    server: OpenAIServer, home: Path, *, day: str = DAY, subscribers: Sequence[Subscriber] = (), **config: Any
) -> dict[str, Any]:
    """Take the company through the trading graph; return the card."""
    graph = TradingAgentsGraph(config=server_config(server, home, **PRICE, **config))
    try:
        return (await graph.arun(COMPANY, day, subscribers=subscribers)).record.as_json()
    finally:
        await graph.services.models.aclose()


async def scan(server: OpenAIServer, home: Path, *, subscribers: Sequence[Subscriber] = (), **config: Any) -> Any:
    """Take the day through the scanner graph; return the card."""
    graph = ScannerGraph(config=server_config(server, home, **PRICE, **config))
    try:
        return (await graph.arun(DAY, subscribers=subscribers)).record.as_json()
    finally:
        await graph.services.models.aclose()


def said(record: Mapping[str, Any]) -> str:
    """What a record says, to the letter."""
    return json.dumps({key: record[key] for key in TEXTS if key in record}, ensure_ascii=False)


def asked(server: OpenAIServer) -> list[tuple[str, str]]:
    """Everything the server was asked, in an order that does not depend on which agent was faster."""
    return sorted((str(one["role"]), one["prompt"]) for one in server.requests)


@pytest.mark.parametrize("graph", [study, scan])
async def test_a_replayed_run_makes_no_call_and_says_the_same(tmp_path: Path, graph: Any):
    with OpenAIServer() as server:
        first = await graph(server, tmp_path)
        calls = server.calls
        again = await graph(server, tmp_path, replay="only")
        assert server.calls == calls > 0
    assert said(again) == said(first)
    assert again["run_id"] != first["run_id"]
    assert (first["usage"]["llm_calls"], first["usage"]["replayed_calls"]) == (calls, 0)
    assert (again["usage"]["llm_calls"], again["usage"]["replayed_calls"]) == (0, calls)
    assert first["usage"]["cost_usd"] > 0
    assert (again["usage"]["cost_usd"], again["usage"]["input_tokens"]) == (0.0, 0)


@pytest.mark.parametrize("graph", [study, scan])
async def test_two_runs_ask_the_same_to_the_letter(tmp_path: Path, graph: Any):
    with SteadyServer() as one, SteadyServer() as other:
        for number, server in enumerate((one, other)):
            server.always(LOOKS, role="Market Analyst")  # five rounds of tools
            await graph(server, tmp_path / str(number))
    assert asked(one) == asked(other)
    assert asked(one)


async def test_the_reports_of_a_replay_differ_in_the_model_use_alone_and_say_that_they_are_replayed(tmp_path: Path):
    with OpenAIServer() as server:
        first = await study(server, tmp_path, **LITTLE)
        again = await study(server, tmp_path, replay="on", **LITTLE)
    one, other = (Path(record["paths"]["folder"]) / "reports" for record in (first, again))
    names = sorted(str(path.relative_to(one)) for path in one.rglob("*.md"))
    assert names == sorted(str(path.relative_to(other)) for path in other.rglob("*.md"))
    for name in names:
        before, after = ((folder / name).read_text("utf-8") for folder in (one, other))
        if name != "complete_report.md":
            assert after == before
            continue
        assert "Replies replayed from an earlier run, without asking a model: 9." in FOOTER.findall(after)[0]
        assert "eplayed" not in before
        texts = [re.sub(r"\d{8}T\S+|^\| get_.*$", "", FOOTER.sub("", text), flags=re.M) for text in (before, after)]
        assert texts[0] == texts[1]
    assert "without asking a model: 9." in (other / "report.html").read_text("utf-8")


@pytest.mark.parametrize("streamed", [(False, True), (True, False), (True, True)])
async def test_a_reply_is_replayed_streamed_or_whole_however_it_came(tmp_path: Path, streamed: tuple[bool, bool]):
    first_watch, again_watch = Watch(), Watch()
    with OpenAIServer() as server:
        server.answer(LOOKS, role="Market Analyst")
        config = {**LITTLE, "subscribers": [first_watch], "stream_tokens": streamed[0]}
        first = await study(server, tmp_path, **config)
        calls = server.calls
        config = {**LITTLE, "subscribers": [again_watch], "stream_tokens": streamed[1]}
        again = await study(server, tmp_path, replay="only", **config)
        assert server.calls == calls == LITTLE_CALLS + 1
    assert said(again) == said(first)
    tokens = "".join(event.message for event in again_watch.of("token") if event.node == "Market Analyst")
    assert tokens == (first["reports"]["market_report"] if streamed[1] else "")
    assert len(again_watch.of("usage")) == calls
    assert all(event.data["cached_reply"] and event.data["cost_usd"] == 0 for event in again_watch.of("usage"))


async def test_repairs_empty_and_cut_replies_and_tool_calls_are_replayed(tmp_path: Path):
    with OpenAIServer() as server:
        server.answer(LOOKS, Answer(text="Cut off in the", finish_reason="length"), role="Market Analyst")
        server.answer(Answer(text=""), role="Bull Researcher")
        server.answer(Answer(text="I would buy."), role="Research Manager")
        server.answer(Answer(tool_calls=(ToolCall("Verdict", '{"action": "BUY", "confi'),)), role="Trader")
        server.answer(Answer(text="no"), Answer(text="no again"), role="Risk Manager")
        first = await study(server, tmp_path, **LITTLE)
        calls = server.calls
        again = await study(server, tmp_path, replay="only", **LITTLE)
        assert server.calls == calls == LITTLE_CALLS + 6
    assert "Cut off in the" not in first["reports"]["market_report"], "it was asked for again"
    assert first["status"] == "no_decision"
    assert said(again) == said(first)


async def test_a_refused_form_is_replayed_with_what_followed(tmp_path: Path):
    with OpenAIServer() as server:
        by_prompt = Answer(text=json.dumps(VERDICT))
        server.answer(Answer(status=400, error="no tool_choice here"), by_prompt, role="Trader")
        server.answer(by_prompt, role="Risk Manager")  # asked by what worked for the trader
        first = await study(server, tmp_path, **LITTLE)
        calls = server.calls
        again = await study(server, tmp_path, replay="only", **LITTLE)
        assert server.calls == calls == LITTLE_CALLS + 1
    assert said(again) == said(first)
    assert first["decisions"]["trader_investment_plan"]["action"] == "BUY"


async def test_a_failure_is_not_kept(tmp_path: Path):
    with OpenAIServer() as server:
        server.answer(Answer(status=500), role="Bear Researcher")
        first = await study(server, tmp_path, **LITTLE)
        assert "**Not available.**" in first["debates"]["research"][1]["text"]
        calls = server.calls
        again = await study(server, tmp_path, replay="on", **LITTLE)
        assert "**Not available.**" not in again["debates"]["research"][1]["text"]
        # The bear, and the research manager, who alone reads the debate; the server's manager decides the same again.
        assert server.calls - calls == again["usage"]["llm_calls"] == 2
        assert again["usage"]["replayed_calls"] == LITTLE_CALLS - 2


CHANGES: Mapping[str, Mapping[str, Any]] = {
    "model": {"quick_think_llm": "gpt-5-mini"},
    "temperature": {"temperature": 0.3},
    "longest reply": {"max_output_tokens": 2000},
    "language": {"output_language": "French"},
    "form of typed answers": {"structured_output": "json_schema"},
    "day": {"day": "2025-03-13"},
    "market": {"simulated_seed": 8},
    "tools": {"max_tool_rounds": 0},
}


@pytest.fixture(scope="module")
def studied(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[OpenAIServer, Path]]:
    """A home in which one short run's replies are kept, with the server that gave them."""
    home = tmp_path_factory.mktemp("studied")
    with OpenAIServer() as server:
        asyncio.run(study(server, home, **LITTLE))
        yield server, home


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
async def test_any_change_of_model_parameter_prompt_data_or_day_misses(
    tmp_path: Path, studied: tuple[OpenAIServer, Path], change: Mapping[str, Any]
):
    server, home = studied
    shutil.copytree(home / REPLIES_FILE.parent, tmp_path / REPLIES_FILE.parent)
    calls = server.calls
    with pytest.raises(
        ReplyNotKept, match=r"asks openai_compatible/.* replay='on' asks the model for what is missing\."
    ):
        await study(server, tmp_path, **{**LITTLE, **change}, replay="only")
    assert server.calls == calls
    assert card_in(tmp_path)["status"] == "failed"


async def test_one_other_figure_in_a_tool_s_answer_misses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    with OpenAIServer() as server:
        await study(server, tmp_path, **LITTLE)
        honest = SimulatedVendor.get_stock_data

        def a_cent_off(self: Any, *question: Any) -> Any:
            prices = honest(self, *question)
            return replace(prices, close=prices.close + np.where(prices.days == prices.days[-5], 0.01, 0.0))

        monkeypatch.setattr(SimulatedVendor, "get_stock_data", a_cent_off)
        with pytest.raises(ReplyNotKept, match="Market Analyst asks"):
            await study(server, tmp_path, **LITTLE, replay="only")


async def test_what_is_missing_is_asked_and_kept(tmp_path: Path, studied: tuple[OpenAIServer, Path]):
    server, home = studied
    shutil.copytree(home / REPLIES_FILE.parent, tmp_path / REPLIES_FILE.parent)
    calls = server.calls
    more = {**LITTLE, "max_debate_rounds": 2, "replay": "on"}
    first = await study(server, tmp_path, **more)
    # Bull and bear speak again, and the research manager alone reads that; the server's manager decides the same again.
    assert server.calls - calls == first["usage"]["llm_calls"] == 3
    assert first["usage"]["replayed_calls"] == LITTLE_CALLS - 1
    again = await study(server, tmp_path, **more)
    assert again["usage"]["llm_calls"] == 0
    assert said(again) == said(first)


async def test_replies_are_kept_only_where_wanted_and_never_a_prompt(tmp_path: Path):
    with OpenAIServer() as server:
        await study(server, tmp_path / "not", keep_replies=False, **LITTLE)
        assert not (tmp_path / "not" / REPLIES_FILE).exists()
        await study(server, tmp_path / "kept", **LITTLE)
    assert len(KeptReplies(tmp_path / "kept" / REPLIES_FILE)) == LITTLE_CALLS


async def test_offline_analysts_are_not_kept_and_may_answer_in_any_mode(tmp_path: Path):
    offline = {"llm_provider": "offline", "data_vendor": "simulated", "home": str(tmp_path), "replay": "only"}
    run = await TradingAgentsGraph(config={**offline, **LITTLE}).arun(COMPANY, DAY)
    assert run.record["usage"]["llm_calls"] == LITTLE_CALLS + 1  # the offline market analyst asks for more tools
    assert not (tmp_path / REPLIES_FILE).exists()


async def test_a_damaged_file_of_replies_is_a_warning_of_the_run(tmp_path: Path):
    path = tmp_path / REPLIES_FILE
    path.parent.mkdir()
    path.write_bytes(b"this is no database, " * 500)
    with OpenAIServer() as server:
        record = await study(server, tmp_path, **LITTLE, replay="on")
    assert record["status"] == "done"
    assert record["usage"]["llm_calls"] == LITTLE_CALLS
    assert [warning.partition(" (")[0] for warning in record["warnings"]] == [
        "No reply can be replayed",
        "Replies are not stored for replay",
    ]


async def test_a_replay_needs_no_key(tmp_path: Path):
    config = {"data_vendor": "simulated", "home": str(tmp_path), "replay": "only", **LITTLE}
    graph = TradingAgentsGraph(config=config)
    with pytest.raises(ReplyNotKept, match="Market Analyst asks openai/gpt-5-mini"):
        await graph.arun(COMPANY, DAY)


async def test_a_replay_is_not_held_up_by_limits(tmp_path: Path):
    with OpenAIServer() as server:
        await study(server, tmp_path, **LITTLE)
        again = await study(server, tmp_path, **LITTLE, replay="on", max_llm_calls=1, budget_usd=0.000001)
    assert again["status"] == "done"
    assert again["usage"]["replayed_calls"] == LITTLE_CALLS
