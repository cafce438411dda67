"""A run killed between a model's answer and the end of its step: the kept reply answers, and is counted once."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support import killed_run
from tests.support.kill_resume import KILLED, SMALL, Server, Whole, calls_of, graph_of, plain, uninterrupted
from tests.support.served_runs import card_in, server_config
from tests.support.tiers import sampled
from tradingagents.runtime.runs.run_folder import REPLIES

MOMENTS = [
    {"event": "usage", "node": "Market Analyst"},
    {"event": "node_end", "node": "Fundamentals Analyst"},
    {"event": "debate_turn", "node": "Bear Researcher"},
    {"event": "node_end", "node": "Trader"},
    {"event": "usage", "node": "Risk Manager"},
    {"reply": "Bull Researcher"},
]
"""Moments at which an answer is in hand and no checkpoint has it; the last before the log has its usage."""


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with Server() as running:
        yield running


@pytest.fixture(scope="module")
def whole(server: Server, tmp_path_factory: pytest.TempPathFactory) -> Whole:
    return uninterrupted("trading", server, tmp_path_factory.mktemp("whole"))


@pytest.mark.parametrize(
    "moment", sampled(reversed(MOMENTS), every=5), ids=lambda moment: "-".join(moment.values()).replace(" ", "_")
)
def test_no_model_is_asked_again_for_an_answer_that_was_in_hand(
    moment: dict[str, Any], server: Server, tmp_path: Path, whole: Whole
):
    server.requests.clear()
    config = server_config(server, tmp_path, **SMALL, keep_replies=False)
    assert killed_run.run("trading", config, moment) == KILLED
    (folder,) = (tmp_path / "runs").iterdir()
    answered = Counter(_agents(folder / "unfinished" / REPLIES))
    graph = graph_of("trading", config)
    asyncio.run(_resume(graph, folder.name))
    card = card_in(tmp_path)
    assert plain(card) == plain(whole.card)
    # Others may have been under way, without an answer: they are asked again, and no others.
    twice = calls_of(server) - whole.calls
    assert not set(twice) & {str(moment.get("node") or moment["reply"])}
    assert all(answered[role] < whole.calls[role] for role in twice)
    metered = Counter({agent: used["llm_calls"] for agent, used in card["usage"]["by_agent"].items()})
    assert metered == whole.calls, "each answer is counted once"
    assert not (folder / "unfinished").exists()


async def _resume(graph: Any, run_id: str) -> None:
    await graph.aresume(run_id)
    await graph.services.models.aclose()


def _agents(path: Path) -> list[str]:
    """Return who was answered, by the log beside the replies and the replies that it does not tell of."""
    log = path.parent.parent / "events.jsonl"
    from tradingagents.llm_clients.usage_sums import logged_events

    return [str(event["node"]) for event in logged_events(log, of=("usage",))]
