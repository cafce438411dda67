"""What a scan leaves when it ends early: at every stage its record, its reports and its page say how far it came."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchmarks.openai_answers import quotation
from tests.reports.page import Page
from tests.support.scan_graph_factory import AGENTS, DAY, DEEP_DIVE, SCANNERS, SYNTHESIS, scan_script, scanner_graph
from tradingagents.events import Event
from tradingagents.llm_clients.scripted import ScriptedChatModel

REPORT = {
    "Geopolitical Scanner": "geopolitical_report",
    "Market Movers Scanner": "market_movers_report",
    "Sector Scanner": "sector_performance_report",
    DEEP_DIVE: "industry_deep_dive_report",
}
TITLES = dict(zip(AGENTS, ("geopolitics", "market movers", "sectors", "industry deep dive", "summary"), strict=True))
STAGES = {
    "Sector Scanner": {"Geopolitical Scanner", "Market Movers Scanner"},
    DEEP_DIVE: set(SCANNERS),
    SYNTHESIS: {*SCANNERS, DEEP_DIVE},
}
"""Who has reported by the time an agent thinks."""
HANGS = 60.0


def model_that(stage: str, answer: Callable[[ScriptedChatModel], Any]) -> ScriptedChatModel:
    """A model that does something else when one agent asks it, and answers all others at once."""

    def at_once(agent: str) -> Any:
        def reply(messages: Any, _tools: Any) -> str:
            model.delay = 0.0
            quoted = quotation("\n".join(message.text for message in messages))
            return f"{agent} says: the figures are as the tools gave them.\n\n{quoted}".strip()

        return reply

    model = scan_script({agent: at_once(agent) for agent in REPORT} | {stage: lambda *_: answer(model)})
    return model


def left_in(home: Path) -> tuple[dict[str, Any], str, Page]:
    """Return the card, the Markdown and the page of the only run."""
    (card,) = home.glob("runs/*/run.json")
    record = json.loads(card.read_text("utf-8"))
    markdown = Path(record["paths"]["report"]).read_text("utf-8")
    return record, markdown, Page(Path(record["paths"]["html"]).read_text("utf-8"))


def assert_partial(home: Path, stage: str, *, status: str, error: str, ending: str) -> None:
    """Check that the record, the Markdown and the page tell what there is, what is missing, and why."""
    record, markdown, page = left_in(home)
    done = STAGES[stage]
    assert (record["status"], record["error"]) == (status, error)
    assert set(record["reports"]) == {REPORT[agent] for agent in done}
    assert record["summary"] is None
    for shown in (markdown, page.text()):
        assert ending in shown
        assert error in shown
        for agent in REPORT:
            assert (f"{agent} says: the figures are as the tools gave them." in shown) is (agent in done)
        told = shown.partition("Not written: ")[2].partition(".")[0]
        assert [title for agent, title in TITLES.items() if title in told.split(", ")] == [
            TITLES[agent] for agent in AGENTS if agent not in done
        ]
    assert bool(record["sectors"]) is bool(record["indices"]) is (stage != "Sector Scanner")
    assert len(record["top_sectors"]) == (0 if stage == "Sector Scanner" else 3)


@pytest.mark.parametrize("stage", STAGES)
async def test_an_interrupted_scan_leaves_what_there_was(stage: str, tmp_path: Path):
    thinks = asyncio.Event()
    ended: set[str | None] = set()

    def hang(model: ScriptedChatModel) -> str:
        model.delay = HANGS
        thinks.set()
        return "Too late."

    def note(event: Event) -> None:
        ended.update({event.node} if event.type == "node_end" else ())

    task = asyncio.create_task(scanner_graph(model_that(stage, hang), home=tmp_path).arun(DAY, subscribers=[note]))
    await thinks.wait()
    while ended != STAGES[stage]:
        await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    ending = "This is a partial report: the scan was interrupted."
    assert_partial(tmp_path, stage, status="interrupted", error="The run was interrupted.", ending=ending)


@pytest.mark.parametrize("stage", [SYNTHESIS])
async def test_a_bug_leaves_what_there_was_and_its_traceback(stage: str, tmp_path: Path):
    def stumble(_model: ScriptedChatModel) -> Exception:
        return ZeroDivisionError("a bug")

    with pytest.raises(ZeroDivisionError):
        await scanner_graph(model_that(stage, stumble), home=tmp_path).arun(DAY)
    ending = "This is a partial report: the scan failed."
    error = "An unexpected ZeroDivisionError ended the run."
    assert_partial(tmp_path, stage, status="failed", error=error, ending=ending)


async def test_a_scan_without_a_usable_summary_says_what_was_wrong_with_the_last_one(tmp_path: Path):
    with pytest.raises(Exception, match="no usable summary") as raised:
        await scanner_graph(model_that(SYNTHESIS, lambda _: "I would rather not."), home=tmp_path).arun(DAY)
    ending = "The scan ended without a summary: the model gave no usable one."
    assert_partial(tmp_path, SYNTHESIS, status="no_summary", error=str(raised.value), ending=ending)
