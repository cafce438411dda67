"""`tradingagents compare`, and `/compare` in a conversation: each company as a task, then one table and one answer."""

from __future__ import annotations

import io
import json
import re
import sys
from pathlib import Path

import pytest
from rich.console import Console

from cli.research_display import ResearchDisplay
from tests.cli.conftest import Command, golden
from tradingagents.events import Event
from tradingagents.features.compare.kind import COMPARE
from tradingagents.runtime.runs.session_findings import SessionFindings

OFFLINE = ["--offline", "--as-of", "2025-03-14"]
RUN = re.compile(r"\d{8}T\d{6}Z-[A-Z_]+-2025-03-14-[0-9a-f]{6}")


def told(text: str) -> str:
    """Return what was printed, with run ids as RUN, and the companies in one order: they end in any."""
    lines = RUN.sub("RUN", text).splitlines(keepends=True)
    ended = sorted(line for line in lines if line.startswith("  ✓"))
    return "".join(ended.pop(0) if line.startswith("  ✓") else line for line in lines)


def test_a_comparison_is_shown_as_agreed_and_belongs_to_its_session(command: Command, home: Path):
    asked = ("VELQ", "MODZ", "--on", "margins", *OFFLINE, "--home", str(home), "--session", "pair")
    done = command("compare", *asked)
    assert done.code == 0
    golden("compare_progress.txt", told(done.err).partition("Page:")[0])
    golden("compare_answer.md", told(done.out))
    assert [one["question"] for one in SessionFindings(home, "pair").known()] == ["Compare VELQ, MODZ on margins"]
    (run,) = (one.name for one in (home / "runs").iterdir() if "COMPANY_COMPARISON" in one.name)
    answered = command("compare", "--ask", run, "What would change your mind?", "--home", str(home))
    assert (
        "- gross margin: VELQ is ahead with 69.18%, before MODZ with 34.00%; the comparison changes if" in answered.out
    )
    assert "Sources: [get_ttm_analysis, simulated]" in answered.out
    nothing = command("compare", "--ask", run, "Who paints their offices?", "--home", str(home), "--json")
    assert "It says nothing about this. Its finding:" in json.loads(nothing.out)["answer"]
    company = next(one.name for one in (home / "runs").iterdir() if "-RESEARCH-" in one.name)
    asked = command("research", "--ask", company, "What about insiders?", "--home", str(home))
    assert "[Insider transactions: " in asked.out
    twice = command("compare", "VELQ", "velq", "2025-03-14", "--offline", "--home", str(home))
    assert (twice.code, twice.errors) == (2, ["error: VELQ is named twice; name different companies to compare."])
    limits = command("compare", "VELQ", *OFFLINE, "--home", str(home))
    assert (limits.code, limits.errors) == (2, ["error: A comparison takes 2 to 8 different companies; 1 are named."])


def test_a_conversation_compares_and_asks_for_two_companies(
    command: Command, home: Path, monkeypatch: pytest.MonkeyPatch
):
    lines = (
        "/compare velq, MODZ on margins",
        "/sources",
        "/ask what about the net margin?",
        "/ask",
        "/compare VELQ on margins",
    )
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n".join(lines)))
    done = command("chat", *OFFLINE, "--home", str(home))
    assert done.errors == ["error: Write two tickers behind it or more: /compare VELQ MODZ on margins,growth."]
    assert "Comparing companies..." in done.err
    assert "| gross margin | 69.18% | 34.00% |" in done.out
    assert "[table: get_ttm_analysis, simulated]" in done.err
    assert "- net margin (trailing twelve months to 2024-10-31): VELQ 40.60%, MODZ 1.44%" in done.out
    assert "operating margin: VELQ is ahead with 52.18%" in done.out
    (session,) = (home / "sessions").glob("s-*.jsonl")
    assert SessionFindings(home, session.stem).known()


def test_limits_of_tasks_and_companies_have_their_own_words(command: Command, home: Path):
    shown = {name: " ".join(command(name, "--help").out.split()) for name in ("research", "compare", "analyze")}
    assert "Tasks of the plan that are carried out at the same time." in shown["research"]
    assert "Companies that are researched at the same time." in shown["compare"]
    assert "Tickers that run at the same time." in shown["analyze"]
    asked = ("research", "Operating margin of VELQ?", *OFFLINE, "--home", str(home), "--max-concurrent", "2", "--json")
    run = json.loads(command(*asked).out)["run_id"]
    settings = json.loads((home / "runs" / run / "manifest.json").read_text())["settings"]
    assert settings["max_concurrent_research_tasks"] == 2


def test_the_redrawn_display_speaks_of_companies(capsys: pytest.CaptureFixture[str]):
    def event(kind: str, node: str = "", message: str = "", **data: object) -> Event:
        return Event(type=kind, message=message, run_id="r", seq=0, ts="", node=node, data=data)  # type: ignore[arg-type]

    display = ResearchDisplay(Console(width=80), live=True, words=COMPARE.progress)
    assert "Opening the comparison" in str(display.frame())
    tasks = [{"id": "task_1", "description": "Research VELQ", "depends_on": []}]
    display(event("plan", plan={"tasks": tasks, "is_simple_query": False}, iteration=1))
    for status in ("running", "completed"):
        display(event("task", task_id="task_1", status=status))
    frame = display.frame()
    assert "Making the table..." in [str(line) for line in frame.renderables]  # type: ignore[union-attr]
    display(event("token", "Comparer", "VELQ leads."))
    assert "VELQ leads." in [str(line) for line in display.frame().renderables]  # type: ignore[union-attr]
    out = capsys.readouterr().out
    assert "Comparing companies..." in out
    assert "Planning" not in out
