"""Asks questions about filings on a terminal: events on stderr as they happen, the answer with sources on stdout."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from tradingagents.events import Event

from .console import Terminal
from .session import run_until_done
from .text import clean, one_line

if TYPE_CHECKING:
    from rich.console import Console

    from tradingagents.runtime.services import Services
    from tradingagents.schemas.filings import FilingsRecord
    from tradingagents.workflows.filings_qa import FilingsAnswer, FilingsRequest

NO_ANSWER = 5
"""Exit code of a question that was not accepted, or of which nothing was found."""
SHOWN_EVENTS = {
    "analysis": "analysis",
    "reasoning": "plan",
    "10k_search": "filings",
    "news_search": "news",
    "progress": "",
    "iteration_start": "",
    "agent_decision": "assessment",
    "iteration_followup": "searching",
    "iteration_search": "found",
}
"""Events that are shown while a question is worked on, with the word before each."""
MOST_SHOWN = 240


def answer_question(services: Services, request: FilingsRequest, terminal: Terminal) -> FilingsAnswer:
    """Run one question to its end, showing its events. Raises as the run does."""
    return run_until_done(services, _asked(services, request, terminal), terminal)


async def _asked(services: Services, request: FilingsRequest, terminal: Terminal) -> FilingsAnswer:
    from tradingagents.workflows.filings_qa import FILINGS_QA
    from tradingagents.workflows.start import RunOptions, start

    def show(event: Event) -> None:
        if not (terminal.quiet or terminal.json) and event.type in SHOWN_EVENTS:
            words = one_line(event.message)
            shown = words if len(words) <= MOST_SHOWN else f"{words[:MOST_SHOWN]} …"
            named = SHOWN_EVENTS[event.type]
            terminal.err.print(f"{named}: {shown}" if named else shown, markup=False, style="dim", soft_wrap=True)

    return await start(FILINGS_QA, request, services, RunOptions(subscribers=(show,))).result()


def print_answer(terminal: Terminal, record: FilingsRecord) -> int:
    """Print an answer with the sources that it cites; return the exit code."""
    code = NO_ANSWER if record["status"] == "rejected" or record["stopped"] == "nothing_found" else 0
    if terminal.json:
        terminal.print_json(as_json(record))
        return code
    print_cited(terminal.out, record, sources=not terminal.quiet)
    if not terminal.quiet and record["confidence"] is not None:
        by = "fixed rules, no language model" if record["written_by"] == "rules" else "a language model"
        report = record.get("paths", {}).get("html", "")  # type: ignore[attr-defined]
        terminal.err.print(f"Confidence {record['confidence']:.0%}; written by {by}.", markup=False)
        if report:
            terminal.err.print(f"Page: {report}", markup=False, soft_wrap=True)
    return code


def print_question(console: Console, record: Mapping[str, Any]) -> None:
    """Print the question of an earlier run with its answer and sources."""
    console.print(clean(f"Question: {record['question']}"), markup=False, soft_wrap=True)
    console.print()
    print_cited(console, record, sources=True)


def print_cited(console: Console, record: Mapping[str, Any], *, sources: bool) -> None:
    """Print an answer, and the sources that it cites."""
    console.print(clean(record["answer"]), markup=False, soft_wrap=True)
    cited = [source for source in record["sources"] if source["label"] in set(record["cited"])]
    if cited and sources:
        from tradingagents.reports.filings_answer import passage_address, source_name

        console.print()
        for source in cited:
            address = passage_address(source, record["answer"])
            line = f"[{source['label']}] {one_line(source_name(source))}{f'  {address}' if address else ''}"
            console.print(clean(line), markup=False, soft_wrap=True)


def as_json(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return what `--json` prints: the whole record."""
    return dict(record)
