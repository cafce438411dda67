"""Repeated asks over a real client: killed amid them, replayed, and never answered by the reply to another ask."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from benchmarks.openai_server import Answer, ToolCall
from tests.support import killed_run
from tests.support.graph_factory import COMPANY, DAY, sound_verdict
from tests.support.kill_resume import KILLED
from tests.support.offline_server import OfflineServer, messages_of
from tests.support.served_runs import card_in, server_config
from tradingagents.errors import ReplyNotKept
from tradingagents.graph.trading_graph import TradingAgentsGraph
from tradingagents.llm_clients.usage_sums import logged_events
from tradingagents.runtime.runs.run_folder import REPLIES

SMALL: dict[str, Any] = {"analysts": ("market",), "max_debate_rounds": 0, "max_risk_discuss_rounds": 0}
LAST = "Risk Manager"
PATTERN = ("BUY", "BUY", "SELL", *["BUY"] * 20)
"""What the risk manager answers in turn: settled after 11 asks."""


class FlippingServer(OfflineServer):
    """The offline analysts; the risk manager's action changes from call to call as `PATTERN` says."""

    def ponder(self, body: Mapping[str, Any]) -> Answer:
        if self.requests[-1]["role"] != LAST:
            return super().ponder(body)
        number = self.count(LAST) - 1
        call = sound_verdict(messages_of(body["messages"]), action=PATTERN[number % len(PATTERN)]).tool_calls[0]
        return Answer(tool_calls=(ToolCall(call["name"], call["args"]),))

    def count(self, role: str) -> int:
        return sum(request["role"] == role for request in self.requests)


@pytest.fixture
def server() -> Iterator[FlippingServer]:
    with FlippingServer() as running:
        yield running


async def study(server: FlippingServer, home: Path, **config: Any) -> dict[str, Any]:
    graph = TradingAgentsGraph(config=server_config(server, home, **{**SMALL, "settle": True, **config}))
    try:
        return (await graph.arun(COMPANY, DAY)).record.as_json()
    finally:
        await graph.services.models.aclose()


@pytest.mark.parametrize("number", [1, 5])
def test_a_run_killed_amid_the_asks_asks_for_no_answer_twice(server: FlippingServer, tmp_path: Path, number: int):
    config = server_config(server, tmp_path, **SMALL, settle=True, keep_replies=False)
    assert killed_run.run("trading", config, {"reply": LAST, "number": number}) == KILLED
    (folder,) = (tmp_path / "runs").iterdir()
    answered = [event for event in logged_events(folder / "events.jsonl", of=("usage",)) if event["node"] == LAST]
    assert number - 1 <= len(answered) <= number  # the newest reply is on disk, the log may not tell of it yet
    before = server.count(LAST)
    assert (folder / "unfinished" / REPLIES).exists()

    asyncio.run(_resumed(config, folder.name))
    card = card_in(tmp_path)
    asked = card["settling"][-1]
    assert asked["verdict"] == "settled"
    asks = sum(asked["answers"].values())
    # Answers under way when the process died are asked for again, those in hand are not.
    assert server.count(LAST) - before == asks - number
    assert card["usage"]["by_agent"][LAST]["llm_calls"] == asks
    assert asked["added_calls"] == asks - 1
    assert card["decision"]["action"] == "BUY"


async def _resumed(config: dict[str, Any], run_id: str) -> None:
    graph = TradingAgentsGraph(config=config)
    await graph.aresume(run_id)
    await graph.services.models.aclose()


async def test_a_replay_repeats_the_asks_one_by_one_and_calls_no_model(server: FlippingServer, tmp_path: Path):
    first = await study(server, tmp_path)
    assert first["settling"][-1]["answers"] == {"BUY": 10, "SELL": 1}
    calls = server.calls
    again = await study(server, tmp_path, replay="only")
    assert server.calls == calls
    assert again["decision"] == first["decision"]
    kept = ("agent", "verdict", "reason", "answers")
    for before, after in zip(first["settling"], again["settling"], strict=True):
        assert {name: after[name] for name in kept} == {name: before[name] for name in kept}
    assert [asked["added_calls"] for asked in again["settling"]] == [0, 0, 0]
    assert again["usage"]["llm_calls"] == 0


async def test_the_reply_to_the_first_ask_answers_no_later_one(server: FlippingServer, tmp_path: Path):
    once = await study(server, tmp_path, settle=False)
    assert "settling" not in once
    calls = server.count(LAST)
    asked = await study(server, tmp_path, replay="on")
    last = asked["settling"][-1]
    assert server.count(LAST) - calls == last["added_calls"] > 0, "only the first is replayed"
    other = tmp_path / "other"
    await study(server, other, settle=False)
    with pytest.raises(ReplyNotKept):
        await study(server, other, replay="only")


async def test_the_cost_of_the_asks_is_the_difference_to_a_run_that_asks_once(server: FlippingServer, tmp_path: Path):
    price = {"model_prices": {"bench-model": (1.0, 0.1, 4.0)}}
    card = await study(server, tmp_path, **price)
    for asked in card["settling"]:
        used = card["usage"]["by_agent"][asked["agent"]]
        share = asked["added_calls"] / used["llm_calls"]
        assert used["llm_calls"] == asked["added_calls"] + 1
        assert asked["added_cost_usd"] == pytest.approx(used["cost_usd"] * share, rel=0.05)
