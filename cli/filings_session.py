"""Asks questions about filings on a terminal: events on stderr as they happen, the answer with sources on stdout."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any

from tradingagents.events import Event

from .text import clean, one_line
from .workflow_session import NOTHING_FOUND, WorkflowSession

if TYPE_CHECKING:
    from rich.console import Console

    from tradingagents.events import Subscriber
    from tradingagents.features.filings_qa.run import FilingsAnswer
    from tradingagents.runtime.kind import RunKind

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
    "warning": "",
}
"""Events that are shown while a question is worked on, with the word before each."""
MOST_SHOWN = 240


class FilingsSession(WorkflowSession):
    """Questions about filings, each with its answer."""

    noun = "question"

    @staticmethod
    def workflows() -> tuple[RunKind[Any, Any], ...]:
        """Return the question about filings."""
        from tradingagents.features.filings_qa.kind import FILINGS_QA

        return (FILINGS_QA,)

    def display(self, resumed: str | None) -> AbstractContextManager[Subscriber]:  # noqa: ARG002 - shown alike
        """Show events as lines."""
        return nullcontext(self._show)

    def _show(self, event: Event) -> None:
        if not (self.terminal.quiet or self.terminal.json) and event.type in SHOWN_EVENTS:
            words = one_line(event.message)
            shown = words if len(words) <= MOST_SHOWN else f"{words[:MOST_SHOWN]} …"
            named = SHOWN_EVENTS[event.type]
            line = f"{named}: {shown}" if named else shown
            self.terminal.err.print(line, markup=False, style="dim", soft_wrap=True)

    def exit_code(self, record: Mapping[str, Any]) -> int:
        """Return the exit code of an answer."""
        without = record["status"] in ("rejected", "no_answer") or record["stopped"] == "nothing_found"
        return NOTHING_FOUND if without else 0

    def print_text(self, done: FilingsAnswer) -> None:
        """Print an answer with the sources that it cites."""
        record, terminal = done.record, self.terminal
        print_cited(terminal.out, record, sources=not terminal.quiet)
        if record["confidence"] is not None:
            by = "fixed rules, no language model" if record["written_by"] == "rules" else "a language model"
            terminal.note(f"Confidence {record['confidence']:.0%}; written by {by}.")
            self.print_page(record)


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
        from tradingagents.features.filings_qa.report import passage_address, source_name

        console.print()
        for source in cited:
            address = passage_address(source, record["answer"])
            line = f"[{source['label']}] {one_line(source_name(source))}{f'  {address}' if address else ''}"
            console.print(clean(line), markup=False, soft_wrap=True)
