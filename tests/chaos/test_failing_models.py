"""Runs against model servers that fail one request in five: each ends rightly, or says why not."""

from __future__ import annotations

import asyncio
import itertools
import json
import re
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from tests.chaos.failing_server import FAILURES, SHARE, FailingServer
from tests.support.offline_runs import answer
from tests.support.served_runs import server_config
from tradingagents.errors import ModelFailure
from tradingagents.graph.start import Run
from tradingagents.graph.trading_graph import TradingAgentsGraph
from tradingagents.llm_clients.usage_sums import logged_events

TICKERS = ("VELQ", "OMBZ", "KLNQ", "CPLZ", "TAQZ")
DAYS = ("2025-03-14", "2024-11-06", "2025-06-03", "2024-08-05", "2025-01-17")
QUESTIONS = tuple(itertools.product(TICKERS, DAYS))
METHODS = ("function_calling", "json_schema", "json_mode", "prompt")
GRAPHS = tuple(itertools.product(METHODS, (False, True)))
"""How typed answers are asked for, and whether replies are streamed."""
RETRIES = 2
AT_ONCE = 8
BROKEN_CALL = "are not valid JSON; call it again"
UNCHECKED = re.compile(r"Which company the report of the .+ is about was not checked by a model: ")
"""A report says which tools it went without, those that its model called with broken arguments among them."""

Ended = tuple[tuple[str, str], Run | ModelFailure]


@pytest.mark.parametrize(
    "questions",
    [
        pytest.param(QUESTIONS[:: 2 * (len(DAYS) + 1)], id="two dozen"),
        pytest.param(QUESTIONS, id="two hundred", marks=pytest.mark.nightly),
    ],
)
async def test_runs_against_servers_that_fail(tmp_path: Path, questions: Sequence[tuple[str, str]]):
    rightly = await undisturbed(tmp_path / "offline", questions)
    home = tmp_path / "served"
    with ExitStack() as stack:
        servers = [stack.enter_context(FailingServer(seed=seed)) for seed in (1, 2)]
        graphs = [graph_on(servers[number % 2], home, *form, number) for number, form in enumerate(GRAPHS)]
        # Far above what the requests may take together: only a run that hangs comes near it.
        async with asyncio.timeout(900):
            ended = await run_all(graphs, questions)
        for graph in graphs:
            await graph.services.models.aclose()
    assert len(ended) == len(graphs) * len(questions)

    asked, failed = Counter[str](), Counter[str]()
    for server in servers:
        asked, failed = asked + server.asked, failed + server.failed
    assert set(failed) == set(FAILURES), "every way to fail was met"
    off = abs(failed.total() / asked.total() / SHARE - 1)
    assert off < (0.1 if len(ended) >= 200 else 0.2)  # a fifth as many requests lie further from their mean
    assert max(asked.values()) == 1 + RETRIES, "no request was made more often than stated, and some as often"

    kinds = Counter(kind_of(outcome) for _, outcome in ended)
    assert kinds["undisturbed"] > 0.75 * len(ended), kinds
    assert kinds["fallback"] > 0 or len(ended) < 200, kinds  # one run in two has a fallback, and few need it
    for question, outcome in ended:
        if kind_of(outcome) in ("undisturbed", "fallback"):
            assert isinstance(outcome, Run)
            assert_same(answer(outcome), rightly[question])
    for _, outcome in ended:
        assert_stated(outcome)

    cards = list((home / "runs").glob("*/run.json"))
    assert len(cards) == len(ended)
    for path in cards:
        assert_complete(path)


def kind_of(outcome: Run | ModelFailure) -> str:
    """Return how a run ended: as if nothing had been, with another model's answers, degraded, or with an error."""
    if not isinstance(outcome, Run):
        return "failed"
    degraded = {one["kind"] for one in outcome.record["degraded"]}
    if not degraded:
        return "undisturbed"
    return "fallback" if degraded == {"fallback_model"} else "degraded"


def assert_same(said: Any, rightly: Any) -> None:
    """Both came to the same, except that a report may say that a tool was called with broken arguments.

    The question which company a report is about may have failed too; a warning says so.
    """
    assert said["decision"] == rightly["decision"]
    other = {key for key, text in said["reports"].items() if text != rightly["reports"][key]}
    assert {key for key in other if BROKEN_CALL not in said["reports"][key]} == set()
    if not other:
        warnings = [one for one in said["warnings"] if not UNCHECKED.match(one)]
        assert {**said, "warnings": warnings} == rightly


def assert_stated(outcome: Run | ModelFailure) -> None:
    """Whatever a run lacks stands where a reader of its decision sees it."""
    if not isinstance(outcome, Run):
        assert str(outcome).endswith(".")
        return
    report = (Path(outcome.record["paths"]["folder"]) / "reports" / "complete_report.md").read_text("utf-8")
    decision = report.partition("## Decision")[2].partition("\n## ")[0]
    lacking = [agent for one in outcome.record["degraded"] if (agent := one["agent"]) not in decision]
    assert lacking == []
    assert ("This is a degraded run: " in report) == bool(outcome.record["degraded"])


def assert_complete(path: Path) -> None:
    """A card and its event log tell the same story, to its end."""
    card = json.loads(path.read_text("utf-8"))
    events = list(logged_events(path.with_name("events.jsonl")))
    assert card["status"] in ("done", "no_decision", "failed")
    assert events[-1]["type"] == ("error" if card["status"] == "failed" else "result")
    assert [event["seq"] for event in events] == sorted(event["seq"] for event in events)
    count = Counter(event["type"] for event in events)
    again = [event for event in events if event["type"] == "retry" and event["data"]["attempt"] > 1]
    assert card["usage"]["llm_calls"] == count["usage"]
    assert card["usage"]["retries"] == len(again)
    if card["status"] != "failed":
        begun, over = (
            {event["node"] for event in events if event["type"] == kind} for kind in ("node_start", "node_end")
        )
        missing = {one["agent"] for one in card["degraded"] if one["kind"] == "missing_report"}
        assert begun - over == missing


def graph_on(server: FailingServer, home: Path, method: str, stream: bool, number: int) -> TradingAgentsGraph:
    """A graph with model names of its own, so that its requests are like no other's; every other one has a fallback."""
    model, spare = f"bench-{number}", f"spare-{number}"
    prices = dict.fromkeys((model, spare), (1.0, 0.1, 2.0))
    fallback = {f"{tier}_fallback_llm": spare for tier in ("quick", "deep")} if number % 2 == 0 else {}
    limits = {"llm_max_retries": RETRIES, "llm_timeout": 3.0, "model_prices": prices}
    form = {"quick_think_llm": model, "deep_think_llm": model, "structured_output": method, "stream_tokens": stream}
    return TradingAgentsGraph(config={**server_config(server, home), **SHORT, **limits, **form, **fallback})


SHORT = {"max_debate_rounds": 1, "max_risk_discuss_rounds": 1, "data_vendor": "simulated", "auto_settle": False}


async def undisturbed(home: Path, questions: Sequence[tuple[str, str]]) -> dict[tuple[str, str], Any]:
    """Return what the offline analysts come to."""
    graph = TradingAgentsGraph(config={**SHORT, "llm_provider": "offline", "home": str(home)})
    return {question: answer(await graph.arun(*question)) for question in questions}


async def run_all(graphs: Sequence[TradingAgentsGraph], questions: Sequence[tuple[str, str]]) -> list[Ended]:
    """Ask every graph every question, some at a time."""
    places = asyncio.Semaphore(AT_ONCE)

    async def one(graph: TradingAgentsGraph, question: tuple[str, str]) -> Ended:
        async with places:
            try:
                return question, await graph.arun(*question)
            except ModelFailure as failure:
                return question, failure

    return list(await asyncio.gather(*(one(*each) for each in itertools.product(graphs, questions))))
