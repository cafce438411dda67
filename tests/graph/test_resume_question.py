"""A run killed around the question which company a report is about goes on: no answer in hand is asked for again."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from benchmarks.openai_server import Answer
from tests.support import killed_run
from tests.support.graph_factory import COMPANY, DAY
from tests.support.kill_resume import (
    KILLED,
    SMALL,
    Server,
    Whole,
    calls_of,
    graph_of,
    kill_and_go_on,
    plain,
    uninterrupted,
)
from tests.support.served_runs import card_in, server_config
from tradingagents.agents.builders.subject_question import ANSWER_TOKENS
from tradingagents.graph.trading_graph import TradingAgentsGraph
from tradingagents.llm_clients.model_profile import REASONING_TOKENS

MARKET, NEWS = "Market Analyst", "News Analyst"
LAST = {MARKET: 3, NEWS: 3}
"""Which of their calls the question is: both call a tool before they report."""


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with Server() as running:
        yield running


@pytest.fixture(scope="module")
def whole(server: Server, tmp_path_factory: pytest.TempPathFactory) -> Whole:
    found = uninterrupted("trading", server, tmp_path_factory.mktemp("whole"))
    assert {one: found.calls[one] for one in LAST} == LAST
    return found


def test_a_run_killed_in_the_middle_of_the_question_asks_it_again_and_nothing_else(
    server: Server, tmp_path: Path, whole: Whole
) -> None:
    killed_and_resumed(server, tmp_path, whole, {"sent": MARKET, "number": LAST[MARKET]}, again=1)


@pytest.mark.parametrize(
    "moment",
    [{"reply": MARKET, "number": LAST[MARKET]}, {"event": "node_end", "node": MARKET}],
    ids=["on disk", "told"],
)
def test_an_answer_in_hand_is_not_asked_for_again(
    moment: dict[str, Any], server: Server, tmp_path: Path, whole: Whole
) -> None:
    killed_and_resumed(server, tmp_path, whole, moment, again=0)


def killed_and_resumed(server: Server, home: Path, whole: Whole, moment: dict[str, Any], *, again: int) -> None:
    """Kill a run, go on with it and replay it; check that the result is the same, and how often was asked again."""
    card = kill_and_go_on("trading", moment, server, home, whole, keep_replies=True)
    assert (calls_of(server) - whole.calls)[MARKET] == again
    assert card["usage"]["by_agent"][MARKET]["llm_calls"] == LAST[MARKET]
    server.requests.clear()
    replayed = asyncio.run(run_of(server_config(server, home, **SMALL, replay="only")))
    assert server.requests == [], "replies of steps that had ended before the run was killed are there, too"
    assert plain(replayed)["reports"] == plain(whole.card)["reports"]
    assert plain(replayed)["decision"] == plain(whole.card)["decision"]


async def run_of(config: dict[str, Any]) -> dict[str, Any]:
    graph = TradingAgentsGraph(config=config)
    run = await graph.arun(COMPANY, DAY)
    await graph.services.models.aclose()
    return run.record.as_json()


class OneForm(Server):
    """A server whose models ignore a forced tool and fill in a JSON schema; all but the market analyst are slow."""

    def ponder(self, body: Mapping[str, Any]) -> Answer:
        said, asked = super().ponder(body), self.requests[-1]
        if "TextSubject" in asked["tools"]:
            return Answer(text="I think that it names nobody.")
        return said if asked["role"] == MARKET else replace(said, delay=2.0 if asked["role"] == NEWS else 0.5)


class Reasoner(Server):
    """A server whose model reasons for the market analyst alone; all others are slow."""

    def ponder(self, body: Mapping[str, Any]) -> Answer:
        said = super().ponder(body)
        self.requests[-1]["limit"] = body["max_tokens"]
        if self.requests[-1]["role"] != MARKET:
            return replace(said, delay=0.5)

        def reasoned(completion: dict[str, Any]) -> None:
            completion["usage"]["completion_tokens_details"] = {"reasoning_tokens": 50}

        return replace(said, change=reasoned)


def test_a_form_of_answers_that_other_agents_found_out_loses_no_answer(tmp_path: Path) -> None:
    with OneForm() as server:
        whole = uninterrupted("trading", server, tmp_path / "whole")
        assert whole.calls[MARKET] == LAST[MARKET] + 1, "the market analyst is the first to be asked, and asked again"
        assert whole.calls[NEWS] == LAST[NEWS], "the news analyst is asked for JSON at once"
        killed_after_the_news_question(server, tmp_path / "killed", whole)


def test_a_limit_of_replies_that_other_agents_found_out_loses_no_answer(tmp_path: Path) -> None:
    with Reasoner() as server:
        whole = uninterrupted("trading", server, tmp_path / "whole")
        (question,) = [one for one in server.requests if one["role"] == NEWS and "TextSubject" in one["tools"]]
        assert question["limit"] == ANSWER_TOKENS + REASONING_TOKENS
        killed_after_the_news_question(server, tmp_path / "killed", whole)


def killed_after_the_news_question(server: Server, home: Path, whole: Whole) -> None:
    """Kill a run once it has the answer about the news analyst's report; check that going on does not ask again."""
    server.requests.clear()
    config = server_config(server, home, **SMALL, keep_replies=False)
    assert killed_run.run("trading", config, {"reply": NEWS, "number": LAST[NEWS]}) == KILLED
    (folder,) = (home / "runs").iterdir()
    asyncio.run(resumed(graph_of("trading", config), folder.name))
    card = card_in(home)
    assert (calls_of(server) - whole.calls)[NEWS] == 0
    assert card["usage"]["by_agent"][NEWS]["llm_calls"] == LAST[NEWS]
    assert plain(card) == plain(whole.card)


async def resumed(graph: Any, run_id: str) -> None:
    await graph.aresume(run_id)
    await graph.services.models.aclose()
