"""Runs a deep report from the terminal: what happens as lines on stderr, the summary on stdout."""

from __future__ import annotations

import sys
from collections.abc import Callable, Coroutine, Mapping
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

from tradingagents.errors import AwaitingApproval, UsageError
from tradingagents.events import Event
from tradingagents.settings import Settings

from .console import Terminal
from .text import clean, one_line
from .workflow_runs import manifest_to_resume, run_with_services

if TYPE_CHECKING:
    from rich.console import Console

    from tradingagents.events import Subscriber
    from tradingagents.runtime.services import Services
    from tradingagents.schemas.thesis import DeepReportRecord
    from tradingagents.workflows.deep_report import DeepReport, DeepReportRequest

NO_EVIDENCE = 5
"""Exit code where nothing was found."""
END_WORD = "end"
"""What a person types to end the research."""
_SHOWN = ("plan", "iteration_start", "iteration_complete", "analysis", "reflection", "debate_turn", "warning")
Work = Callable[["Services", "Subscriber"], Coroutine[Any, Any, "DeepReport"]]


class ReportSession:
    """One report, written and printed."""

    def __init__(self, settings: Settings, environ: Mapping[str, str], terminal: Terminal) -> None:
        """Set how it runs.

        Args:
            settings: Those of the run.
            environ: Where keys are read from.
            terminal: Where to print.
        """
        self._settings, self._environ, self._terminal = settings, environ, terminal

    def write(self, request: DeepReportRequest) -> int:
        """Write a report; return the exit code.

        Raises:
            AwaitingApproval: The report waits for hints, and nobody is there to give some.
        """
        from tradingagents.workflows.deep_report import DEEP_REPORT
        from tradingagents.workflows.start import RunOptions, start

        async def written(services: Services, shown: Subscriber) -> DeepReport:
            return await start(DEEP_REPORT, request, services, RunOptions(subscribers=(shown,))).result()

        try:
            return self._print(self._run(written, self._settings))
        except AwaitingApproval as waiting:
            return self.resume(waiting.run_id, self._reply(waiting))

    def resume(
        self, run_id: str, said: Mapping[str, Any] | None = None, limits: Mapping[str, Any] | None = None
    ) -> int:
        """Resume a report that was killed, stopped, failed or waits; return the exit code. Raises as `write` does.

        Args:
            run_id: Its id, or the beginning of it.
            said: What the reader says to a report that waits; None: it continues.
            limits: Limits other than those it was started with.

        Raises:
            UsageError: The run is no report.
        """
        from tradingagents.runtime.executor import resume
        from tradingagents.runtime.workflow import WAITING
        from tradingagents.workflows.deep_report import DEEP_REPORT
        from tradingagents.workflows.start import RunOptions, status_of

        manifest = manifest_to_resume(self._settings, run_id, (DEEP_REPORT.kind,), "report")
        waits = status_of(self._settings.home_dir, manifest.run_id) == WAITING
        if said is not None and not waits:
            raise UsageError(f"{manifest.run_id} does not wait for hints; leave them out.")
        settings = manifest.resumed_settings(self._settings, limits or {})
        answer = (said or {"hints": []}) if waits else None

        async def resumed(services: Services, shown: Subscriber) -> DeepReport:
            options = RunOptions(subscribers=(shown,))
            return await resume(DEEP_REPORT, manifest, services, options, answer=answer).result()

        try:
            return self._print(self._run(resumed, settings))
        except AwaitingApproval as waiting:
            return self.resume(waiting.run_id, self._reply(waiting), limits)

    def _reply(self, waiting: AwaitingApproval) -> Mapping[str, Any]:
        """Return what the person at the terminal says.

        Raises:
            AwaitingApproval: Nobody is there.
        """
        if self._terminal.json or not (sys.stdin.isatty() and self._terminal.err.is_terminal):
            raise waiting
        self._terminal.err.print(clean(str(waiting).partition(";")[0]), markup=False, soft_wrap=True)
        hints: list[str] = []
        how = f"Hint (H-...: TEXT for one hypothesis; Enter continues, {END_WORD} ends the research) "
        while said := self._terminal.err.input(how, markup=False).strip():
            if said == END_WORD:
                return {"verdict": "reject"}
            hints.append(said)
        return {"hints": hints}

    def _run(self, work: Work, settings: Settings) -> DeepReport:
        return run_with_services(settings, self._environ, self._terminal, nullcontext(self._show), work)

    def _show(self, event: Event) -> None:
        if event.type in _SHOWN and not (self._terminal.quiet or self._terminal.json):
            style = "yellow" if event.type == "warning" else None
            self._terminal.err.print(one_line(event.message), style=style, markup=False, soft_wrap=True)

    def _print(self, made: DeepReport) -> int:
        record = made.record
        code = 0 if record["status"] == "done" else NO_EVIDENCE
        if self._terminal.json:
            self._terminal.print_json(dict(record))
            return code
        print_report(self._terminal.out, record)
        if (page := record.get("paths", {}).get("html")) and not self._terminal.quiet:
            self._terminal.err.print(f"Page: {page}", markup=False, soft_wrap=True)
        return code


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
