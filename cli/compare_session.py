"""Runs comparisons from the terminal: each company's research as a task on stderr, the answer on stdout."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping
from typing import TYPE_CHECKING, Any

from tradingagents.errors import UsageError
from tradingagents.settings import Settings

from .console import Terminal
from .research_display import COMPARING, ResearchDisplay
from .research_session import NO_ANSWER, print_answer
from .session import run_until_done

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
        from tradingagents.runtime.manifest import read_manifest
        from tradingagents.store.run_index import RunIndex
        from tradingagents.workflows.compare import COMPARE
        from tradingagents.workflows.start import RunOptions

        home = self._settings.home_dir
        manifest = read_manifest(home, RunIndex(home).find(run_id).run_id)
        if manifest.kind != COMPARE.kind:
            raise UsageError(
                f"{manifest.run_id} is no comparison; resume it with `tradingagents runs resume {manifest.run_id}`."
            )

        async def resumed(services: Services, shown: Subscriber) -> Comparison:
            return await resume(COMPARE, manifest, services, RunOptions(subscribers=(shown,))).result()

        return self._print(self._run(resumed, manifest.resumed_settings(self._settings, limits or {})))

    def _run(self, work: CompareWork, settings: Settings) -> Comparison:
        from tradingagents.runtime.services import open_services

        with self._terminal.loading():
            services = open_services(settings, self._environ)
        quiet = self._terminal.quiet or self._terminal.json
        live = self._terminal.live and not (self._plain or self._terminal.json)
        with ResearchDisplay(self._terminal.err, live=live, words=COMPARING) as display:
            shown: Any = (lambda _event: None) if quiet else display
            try:
                return run_until_done(services, work(services, shown), self._terminal)
            finally:
                services.close()

    def _print(self, comparison: Comparison) -> int:
        record = comparison.record
        if self._terminal.json:
            self._terminal.print_json(dict(record))
        else:
            print_answer(self._terminal, record)
        return 0 if record["status"] == "done" else NO_ANSWER
