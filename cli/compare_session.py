"""Runs comparisons from the terminal: each company's research as a task on stderr, the answer on stdout."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping
from typing import TYPE_CHECKING, Any

from tradingagents.settings import Settings

from .console import Terminal
from .research_display import COMPARING, ResearchDisplay
from .research_session import NO_ANSWER, print_answer, shown_on
from .workflow_runs import manifest_to_resume, run_with_services

if TYPE_CHECKING:
    from tradingagents.events import Subscriber
    from tradingagents.runtime.services import Services
    from tradingagents.workflows.compare import CompareRequest, Comparison

CompareWork = Callable[["Services", "Subscriber"], Coroutine[Any, Any, "Comparison"]]


class CompareSession:
    """One comparison, run and printed."""

    def __init__(self, settings: Settings, environ: Mapping[str, str], terminal: Terminal, *, plain: bool) -> None:
        """Set how it runs.

        Args:
            settings: Those of the run.
            environ: Where keys are read from.
            terminal: Where to print.
            plain: Whether progress is printed as lines.
        """
        self._settings, self._environ, self._terminal, self._plain = settings, environ, terminal, plain

    def compare(self, request: CompareRequest) -> int:
        """Run a comparison; return the exit code."""
        from tradingagents.workflows.compare import COMPARE
        from tradingagents.workflows.start import RunOptions, start

        async def compared(services: Services, shown: Subscriber) -> Comparison:
            return await start(COMPARE, request, services, RunOptions(subscribers=(shown,))).result()

        return self._print(self._run(compared, self._settings))

    def resume(self, run_id: str, limits: Mapping[str, Any] | None = None) -> int:
        """Resume a comparison that was killed, stopped or failed; return the exit code.

        Args:
            run_id: Its id, or the beginning of it.
            limits: Limits other than those it was started with.

        Raises:
            UsageError: The run is no comparison.
        """
        from tradingagents.runtime.executor import resume
        from tradingagents.workflows.compare import COMPARE
        from tradingagents.workflows.start import RunOptions

        manifest = manifest_to_resume(self._settings, run_id, (COMPARE.kind,), "comparison")

        async def resumed(services: Services, shown: Subscriber) -> Comparison:
            return await resume(COMPARE, manifest, services, RunOptions(subscribers=(shown,))).result()

        return self._print(self._run(resumed, manifest.resumed_settings(self._settings, limits or {})))

    def _run(self, work: CompareWork, settings: Settings) -> Comparison:
        live = self._terminal.live and not (self._plain or self._terminal.json)
        display = ResearchDisplay(self._terminal.err, live=live, words=COMPARING)
        return run_with_services(settings, self._environ, self._terminal, shown_on(display, self._terminal), work)

    def _print(self, comparison: Comparison) -> int:
        record = comparison.record
        if self._terminal.json:
            self._terminal.print_json(dict(record))
        else:
            print_answer(self._terminal, record)
        return 0 if record["status"] == "done" else NO_ANSWER
