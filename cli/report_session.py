"""Runs a deep report from the terminal: what happens as lines on stderr, the summary on stdout."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any

from tradingagents.errors import AwaitingApproval, UsageError
from tradingagents.events import Event

from .text import clean, one_line
from .workflow_session import WorkflowSession

if TYPE_CHECKING:
    from rich.console import Console

    from tradingagents.events import Subscriber
    from tradingagents.features.deep_report.run import DeepReport
    from tradingagents.features.deep_report.schemas.thesis import DeepReportRecord
    from tradingagents.runtime.kind import RunKind

END_WORD = "end"
"""What a person types to end the research."""
_SHOWN = ("plan", "iteration_start", "iteration_complete", "analysis", "reflection", "debate_turn", "warning")


class ReportSession(WorkflowSession):
    """One report, written and printed."""

    noun = "report"

    @staticmethod
    def workflows() -> tuple[RunKind[Any, Any], ...]:
        """Return the deep report."""
        from tradingagents.features.deep_report.kind import DEEP_REPORT

        return (DEEP_REPORT,)

    def display(self, resumed: str | None) -> AbstractContextManager[Subscriber]:  # noqa: ARG002 - shown alike
        """Show events as lines."""
        return nullcontext(self._show)

    def answer(self, said: Mapping[str, Any] | None, *, waits: bool, run_id: str) -> Mapping[str, Any] | None:
        """Return hints for a report that waits; none, and it continues.

        Raises:
            UsageError: Something is said to a report that does not wait.
        """
        if said is not None and not waits:
            raise UsageError(f"{run_id} does not wait for hints; leave them out.")
        return (said or {"hints": []}) if waits else None

    def reply(self, waiting: AwaitingApproval) -> Mapping[str, Any]:
        """Ask the person at the terminal for hints. Raises as `WorkflowSession.reply` does."""
        if not self.attended:
            raise waiting
        self.terminal.err.print(clean(str(waiting).partition(";")[0]), markup=False, soft_wrap=True)
        hints: list[str] = []
        how = f"Hint (H-...: TEXT for one hypothesis; Enter continues, {END_WORD} ends the research) "
        while said := self.terminal.err.input(how, markup=False).strip():
            if said == END_WORD:
                return {"verdict": "reject"}
            hints.append(said)
        return {"hints": hints}

    def _show(self, event: Event) -> None:
        if event.type in _SHOWN and not (self.terminal.quiet or self.terminal.json):
            style = "yellow" if event.type == "warning" else None
            self.terminal.err.print(one_line(event.message), style=style, markup=False, soft_wrap=True)

    def print_text(self, done: DeepReport) -> None:
        """Print the report in a few lines, and where its page is."""
        print_report(self.terminal.out, done.record)
        self.print_page(done.record)


def print_report(console: Console, record: DeepReportRecord) -> None:
    """Print a report's summary."""
    for line in summary_lines(record):
        console.print(clean(line), markup=False, soft_wrap=True)


def summary_lines(record: DeepReportRecord) -> list[str]:
    """Return the report in a few lines: rating, value against price, thesis, quality."""
    value, scores = record["valuation"], record["scores"]
    lines = [f"{record['name']} ({record['ticker']}), {record['as_of']}: {record['rating'] or 'not rated'}"]
    if value is None:
        lines.append(f"No valuation: {record['no_valuation'] or 'the run ended before it'}")
    else:
        span = [one["value_per_share"] for one in value["scenarios"]]
        lines.append(
            f"Expected value {value['expected_value']:,.2f} {value['currency']} a share, price {value['price']:,.2f} "
            f"({value['upside']:+.1%}); scenarios {min(span):,.2f} to {max(span):,.2f}"
        )
        lines += [f"Not rated: {one}" for one in value.get("doubts", ())]
    lines += [f"  {one['status']:<10} {one['confidence']:>4.0%}  {one['title']}" for one in record["hypotheses"]]
    kinds = f"{scores['items']} items of evidence from {scores['diversity']} types of source"
    lines.append(
        f"Quality {scores['overall']:.1f} of 10; {kinds}; {scores['coverage']:.0%} of the claims name evidence"
    )
    lines += [f"Below the standard: {one}" for one in scores["shortfalls"]]
    return lines
