"""What is rendered while the last model answers: each text once, as the page and the files show it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from langchain_core.messages import BaseMessage
from markupsafe import Markup

from tests.support.graph_factory import COMPANY, DAY, scripted, sound_verdict, trading_graph
from tradingagents.events import Event
from tradingagents.llm_clients.scripted import Reply, ScriptedChatModel
from tradingagents.reports import model_text
from tradingagents.reports.model_text import harmless_markdown
from tradingagents.reports.render.markdown import markdown_files
from tradingagents.reports.trading import trading_document
from tradingagents.runtime.records.base import AFTER_ASKING
from tradingagents.runtime.services import REPORTS_AHEAD

SAID = "The close of 96.58 is real. The company holds 987,654,321 USD in *cash*."
MARKED = SAID.replace("987,654,321 USD", "\ue0f1987,654,321 USD\ue0f2")


def patient(seconds: float) -> ScriptedChatModel:
    """Return a model whose last answer takes some time, in which there is something to render."""

    def decide(messages: Sequence[BaseMessage], tools: tuple[str, ...]) -> Reply:
        model.delay = seconds
        return sound_verdict(messages)

    model = scripted({"Market Analyst": SAID, "Bull Researcher": f"{SAID} So buy.", "Risk Manager": decide})
    return model


def test_a_text_is_rendered_once_and_with_its_marks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    rendered: list[tuple[str, int]] = []
    ahead: list[tuple[str, int]] = []
    render = model_text._html

    def watched(text: str, under: int) -> Markup:
        rendered.append((text, under))
        return render(text, under)

    def watch(event: Event) -> None:
        if event.type == "result":
            ahead.extend(rendered)

    model_text.as_html.cache_clear()
    monkeypatch.setattr(model_text, "_html", watched)
    with trading_graph(patient(1.0), home=str(tmp_path)) as graph:
        run = graph.run(COMPANY, DAY, subscribers=[watch])
        free = [graph.services.reports_ahead.acquire(blocking=False) for _ in range(REPORTS_AHEAD)]
        assert all(free), "a run that has ended holds a place"
    assert {(MARKED, 3), (f"{MARKED} So buy.", 4)} <= set(ahead), "not rendered while the risk manager was asked"
    assert rendered.count((MARKED, 3)) == 1, "rendered again for the page"
    assert not [text for text, _ in rendered if text.startswith(SAID)], "rendered without its marks, too"
    assert "987,654,321 USD<span" in Path(run.record["paths"]["html"]).read_text("utf-8")


def test_the_files_of_single_texts_are_there_before_the_decision_and_what_they_would_be_without(tmp_path: Path):
    early: dict[str, str] = {}

    def watch(event: Event) -> None:
        if event.type == "result":
            assert not list(tmp_path.glob("runs/*/run.json")), "a folder with a card is complete"
            (folder,) = tmp_path.glob("runs/*/reports")
            early.update((str(path.relative_to(folder)), path.read_text("utf-8")) for path in folder.rglob("*.md"))

    with trading_graph(patient(1.0), home=str(tmp_path)) as graph:
        run = graph.run(COMPANY, DAY, subscribers=[watch])
    reports = Path(run.record["paths"]["html"]).parent
    assert {"1_analysts/market.md", "2_research/debate.md", "3_trading/trader.md", "4_risk/debate.md"} <= early.keys()
    assert not {"5_decision/decision.md", "complete_report.md"} & early.keys()
    at_once = markdown_files(trading_document(run.record))
    written = {path: (reports / path).read_text("utf-8") for path in at_once}
    assert written == {path: harmless_markdown(text) for path, text in at_once.items()}
    assert early == {path: written[path] for path in early}


def test_nothing_is_made_ahead_while_other_runs_wait_to_be_written(tmp_path: Path):
    early: list[Path] = []

    def watch(event: Event) -> None:
        if event.type == "node_start" and event.step == "decision":
            graph.services.writer.submit(time.sleep, 0.4)
            asyncio.get_running_loop().call_later(2 * AFTER_ASKING, graph.services.writer.submit, time.sleep, 0)
        if event.type == "result":
            early.extend(tmp_path.glob("runs/*/reports/**/*.md"))

    with trading_graph(patient(1.0), home=str(tmp_path)) as graph:
        run = graph.run(COMPANY, DAY, subscribers=[watch])
    assert not {"trader.md", "debate.md"} & {path.name for path in early}
    assert "987,654,321 USD<span" in Path(run.record["paths"]["html"]).read_text("utf-8")
