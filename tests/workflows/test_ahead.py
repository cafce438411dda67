"""What is rendered while the last model answers: each text once, as the page and the files show it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from langchain_core.messages import BaseMessage

from tests.support.graph_factory import COMPANY, DAY, scripted, sound_verdict, trading_graph
from tradingagents.events import Event
from tradingagents.llm_clients.scripted import Reply, ScriptedChatModel
from tradingagents.reports.model_text import as_html, as_markdown

SAID = "The company holds 987,654,321 USD in *cash*."
MARKED = SAID.replace("987,654,321 USD", "\ue0f1987,654,321 USD\ue0f2")


def patient(seconds: float) -> ScriptedChatModel:
    """Return a model whose last answer takes some time, in which there is something to render."""

    def decide(messages: Sequence[BaseMessage], tools: tuple[str, ...]) -> Reply:
        model.delay = seconds
        return sound_verdict(messages)

    model = scripted({"Market Analyst": SAID, "Bull Researcher": f"{SAID} So buy.", "Risk Manager": decide})
    return model


@pytest.fixture
def rendered(tmp_path: Path) -> list[tuple[int, int]]:
    """Run a ticker and return what had been rendered when its decision was there, and when its page was."""
    as_html.cache_clear()
    as_markdown.cache_clear()
    known: list[tuple[int, int]] = []

    def look() -> None:
        known.append((as_html.cache_info().misses, as_markdown.cache_info().misses))

    def watch(event: Event) -> None:
        if event.type == "result":
            look()

    with trading_graph(patient(1.0), home=str(tmp_path)) as graph:
        graph.run(COMPANY, DAY, subscribers=[watch])
    look()
    return known


def test_a_text_is_rendered_once_and_with_its_marks(rendered: list[tuple[int, int]]):
    before, after = rendered
    assert before[0] > 8, "reports and turns were not rendered while the risk manager was asked"
    as_html(MARKED, under=3)
    as_markdown(MARKED, under=3)
    as_markdown(MARKED, under=1)
    assert (as_html.cache_info().misses, as_markdown.cache_info().misses) == after, "the page shows it otherwise"
    as_html(SAID, under=3)
    assert as_html.cache_info().misses == after[0] + 1, "it was rendered without its marks, too"
