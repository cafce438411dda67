"""The terminal display of research: as documented in a log, wrapped and redrawn on terminals, and the draft answer."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from benchmarks.openai_answers import Answer, ToolCall
from benchmarks.openai_server import OpenAIServer
from cli.console import Terminal
from cli.research_display import WRITING, ResearchDisplay
from cli.run_session import print_run
from tests.cli.conftest import golden
from tests.support.research import (
    CALL,
    COMPLETE,
    UNDERSTOOD,
    plan_of,
    research_services,
    researched,
    scripted,
    simulated_vendors,
    task,
)
from tests.support.served_runs import server_config
from tradingagents.events import Event
from tradingagents.features.research.agents.synthesizer import SPEC
from tradingagents.features.research.kind import RESEARCH
from tradingagents.runtime.services import open_services
from tradingagents.settings import load_settings

WORDS = RESEARCH.progress
PLAN = {
    "summary": "s",
    "is_simple_query": False,
    "tasks": [
        {"id": "task_1", "description": "Fetch the NVDA 10-K filing of fiscal 2025 and its notes", "depends_on": []},
        {"id": "task_2", "description": "Collect the data-centre revenue of eight quarters", "depends_on": []},
        {"id": "task_3", "description": "Weigh growth against what the price implies",
         "depends_on": ["task_1", "task_2"]},
    ],
}  # fmt: skip
REASON = "The revenue of the data-centre segment is known for eight quarters, but no price was found."


def event(kind: Any, node: str | None = None, message: str = "", **data: Any) -> Event:
    return Event(type=kind, message=message, run_id="r", seq=0, ts="", node=node, data=data)


def story() -> Iterator[Event]:
    """A run of two iterations: a task fails, the reflection asks for more, the second plan completes it."""
    yield event("analysis")
    yield event("plan", plan=PLAN, iteration=1)
    for number, status in ((1, "running"), (2, "running"), (2, "completed"), (1, "failed"), (3, "running")):
        yield event("task", task_id=f"task_{number}", status=status, note="It timed out." if status == "failed" else "")
    yield event("task", task_id="task_3", status="completed")
    yield event("reflection", is_complete=False, reasoning=REASON, guidance="Look up the price.", iteration=1, most=5)
    again = {**PLAN, "tasks": [{"id": "task_1", "description": "Look up the price of NVDA", "depends_on": []}]}
    yield event("plan", plan=again, iteration=2)
    yield event("task", task_id="task_1", status="completed")
    yield event("reflection", is_complete=True, reasoning="Price and growth are known.", iteration=2, most=5)


def console(width: int, *, terminal: bool, height: int = 24) -> Console:
    return Console(file=io.StringIO(), width=width, height=height, force_terminal=terminal, color_system=None,
                   legacy_windows=False, highlight=False, emoji=False)  # fmt: skip


def text_of(shown: Console) -> str:
    assert isinstance(shown.file, io.StringIO)
    return shown.file.getvalue()


def frame(display: ResearchDisplay, shown: Console) -> str:
    with shown.capture() as captured:
        shown.print(display.frame())
    return captured.get()


def test_a_log_has_the_documented_lines_whole():
    shown = console(80, terminal=False)
    with ResearchDisplay(shown, live=False, words=WORDS) as display:
        for one in story():
            display(one)
    golden("research_log.txt", text_of(shown))


@pytest.mark.parametrize("width", [40, 120])
def test_a_terminal_shows_the_same_wrapped_to_its_width(width: int):
    shown, frames = console(width, terminal=True), []
    display = ResearchDisplay(shown, live=True, words=WORDS)  # not entered: frames are taken here, and not by a clock
    for one in story():
        display(one)
        if one.type == "task":
            frames.append(frame(display, shown))
    text = f"{text_of(shown)}\n\nFRAMES\n" + "\n".join(frames)
    assert max(len(line) for line in text.splitlines()) <= width
    golden(f"research_{width}.txt", "\n".join(line.rstrip() for line in text.splitlines()) + "\n")


def test_the_answer_appears_as_it_is_written_and_begins_anew_when_it_is_asked_for_again():
    assert SPEC.name in WORDS.writers
    shown = console(60, terminal=True, height=6)
    display = ResearchDisplay(shown, live=True, words=WORDS)
    display(event("token", SPEC.name, "The margin is "))
    display(event("token", "Planner", "not shown"))
    display(event("token", SPEC.name, "52.18%.\x1b[31m"))
    text = frame(display, shown)
    assert text.startswith("Writing the answer (draft, figures not checked yet)...")
    assert "The margin is 52.18%." in text
    assert "not shown" not in text
    assert "\x1b[31m" not in text
    display(event("retry", SPEC.name))
    display(event("token", SPEC.name, "".join(f"line {number}\n" for number in range(30))))
    text = frame(display, shown)
    assert "margin" not in text
    assert "line 29" in text
    assert len(text.splitlines()) <= 6


async def test_the_draft_is_the_last_text_and_the_printed_answer_withholds_what_no_tool_gave(tmp_path: Path):
    written = "The operating margin of VELQ is 52.18%. A net margin of 77.77% is invented."
    services = research_services(tmp_path, scripted({"Synthesizer": written}), stream_tokens=True)
    pieces: list[str] = []

    def watch(one: Event) -> None:
        if one.type == "token" and one.node in WORDS.writers:
            pieces.append(one.message)
        elif one.type == "retry" and one.node in WORDS.writers:  # asked again for the figure without a source
            pieces.clear()

    answer = await researched(services, watch=watch)
    services.close()
    assert "".join(pieces) == written
    out, err = console(200, terminal=False), console(200, terminal=False)
    print_run(Terminal(out=out, err=err), RESEARCH.printed(answer.record))
    assert text_of(out).startswith("The operating margin of VELQ is 52.18%. A net margin of [figure withheld")
    assert "77.77%" not in text_of(out) + text_of(err)
    assert "[?]" not in answer.record["answer"]


async def test_a_real_client_streams_the_answer_piece_by_piece(tmp_path: Path):
    written = "The operating margin of VELQ is 52.18%, which is high. " * 8
    replies = {"Question Reader": UNDERSTOOD, "Planner": plan_of(task(1, "Margins of VELQ")), "Reflector": COMPLETE}
    shown = console(90, terminal=True, height=10)
    display, frames = ResearchDisplay(shown, live=True, words=WORDS), []

    def watch(one: Event) -> None:
        display(one)
        if one.type == "token" and one.node in WORDS.writers:
            frames.append(frame(display, shown))

    with OpenAIServer() as server:
        for role, reply in replies.items():
            server.always(Answer(text=json.dumps(reply)), role=role)
        server.answer(Answer(tool_calls=(ToolCall(CALL["name"], CALL["args"]),)), role="Task Executor")
        server.always(Answer(text="The operating margin of VELQ is 52.18%."), role="Task Executor")
        server.always(Answer(text=written), role="Synthesizer")
        settings = load_settings(server_config(server, tmp_path, stream_tokens=True), environ={})
        services = open_services(settings, {}, vendors=simulated_vendors())
        answer = await researched(services, watch=watch)
        await services.models.aclose()
    assert answer.text.startswith(written.strip())
    assert len(frames) > 5
    assert frames[0].splitlines()[0] == frames[-1].splitlines()[0] == f"{WRITING}..."
    assert len(frames[0]) < len(frames[-1])
    assert "".join(frames[-1].split()).endswith("".join(written.split()))


def test_a_resumed_run_shows_what_earlier_starts_have_done():
    shown = console(80, terminal=False)
    log = [one.to_dict() for one in story()][:5]
    with ResearchDisplay(shown, live=False, words=WORDS) as display:
        display.recall(log)
        display(event("task", task_id="task_3", status="running"))
        display(event("task", task_id="task_3", status="completed"))
    text = text_of(shown)
    assert text.splitlines()[2:] == [
        "  ✓ task_2: Collect the data-centre revenue of eight quarters",
        "  ✓ task_3: Weigh growth against what the price implies",
        "━" * 46,
    ]
