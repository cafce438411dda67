"""Runs research from the terminal: events as they happen on stderr, the answer on stdout."""

from __future__ import annotations

import sys
from collections.abc import Coroutine, Mapping
from typing import TYPE_CHECKING, Any

from tradingagents.errors import AwaitingApproval, UsageError
from tradingagents.settings import Settings

from .console import Terminal
from .research_display import ResearchDisplay
from .session import run_until_done
from .text import clean

if TYPE_CHECKING:
    from tradingagents.runtime.services import Services
    from tradingagents.schemas.research import ResearchRecord
    from tradingagents.workflows.research import ResearchAnswer, ResearchRequest

NO_ANSWER = 5
"""Exit code where nothing was found."""


class ResearchSession:
    """One question, asked, answered back where it is unclear, and printed."""

    def __init__(self, settings: Settings, environ: Mapping[str, str], terminal: Terminal, *, plain: bool) -> None:
        """Set how it runs.

        Args:
            settings: Those of the run.
            environ: Where keys are read from.
            terminal: Where to print.
            plain: Whether progress is printed as lines.
        """
        self._settings, self._environ, self._terminal, self._plain = settings, environ, terminal, plain

    def ask(self, request: ResearchRequest) -> int:
        """Run a question; return the exit code.

        Raises:
            AwaitingApproval: The run waits, and nobody is there to answer.
        """
        from tradingagents.workflows.research import RESEARCH
        from tradingagents.workflows.start import RunOptions, start

        async def asked(services: Services, display: ResearchDisplay) -> ResearchAnswer:
            return await start(RESEARCH, request, services, RunOptions(subscribers=(display,))).result()

        try:
            return self._print(self._run(asked, self._settings))
        except AwaitingApproval as waiting:
            said = self._reply(waiting)
            return self.resume(waiting.run_id, said)

    def resume(self, run_id: str, said: Mapping[str, Any] | None, limits: Mapping[str, Any] | None = None) -> int:
        """Resume a run; return the exit code. Raises as `ask` does.

        Args:
            run_id: Its id, or the beginning of it.
            said: What the user says to a run that waits.
            limits: Limits other than those it was started with.
        """
        from tradingagents.runtime.executor import resume
        from tradingagents.runtime.manifest import read_manifest
        from tradingagents.store.run_index import RunIndex
        from tradingagents.workflows.research import RESEARCH
        from tradingagents.workflows.start import RunOptions

        home = self._settings.home_dir
        manifest = read_manifest(home, RunIndex(home).find(run_id).run_id)
        if manifest.kind != RESEARCH.kind:
            raise UsageError(
                f"{manifest.run_id} is no research; resume it with `tradingagents runs resume {manifest.run_id}`."
            )
        settings = manifest.resumed_settings(self._settings, limits or {})

        async def resumed(services: Services, display: ResearchDisplay) -> ResearchAnswer:
            options = RunOptions(subscribers=(display,))
            return await resume(RESEARCH, manifest, services, options, answer=said).result()

        try:
            return self._print(self._run(resumed, settings))
        except AwaitingApproval as waiting:
            return self.resume(waiting.run_id, self._reply(waiting), limits)

    def _run(self, work: Any, settings: Settings) -> ResearchAnswer:
        from tradingagents.runtime.services import open_services

        with self._terminal.loading():
            services = open_services(settings, self._environ)
        quiet = self._terminal.quiet or self._terminal.json
        with ResearchDisplay(self._terminal.err, live=self._terminal.live and not self._plain) as display:
            shown: Any = (lambda _event: None) if quiet else display
            running: Coroutine[Any, Any, ResearchAnswer] = work(services, shown)
            try:
                return run_until_done(services, running, self._terminal)
            finally:
                services.close()

    def _reply(self, waiting: AwaitingApproval) -> Mapping[str, Any]:
        """Ask the person at the terminal what the run asks.

        Raises:
            AwaitingApproval: Nobody is there.
        """
        if self._terminal.json or not (sys.stdin.isatty() and self._terminal.err.is_terminal):
            raise waiting
        question = str(waiting).partition(";")[0]
        self._terminal.err.print(clean(question), markup=False, soft_wrap=True)
        if "awaits approval" in question:
            said = self._terminal.err.input("Carry it out? [Y/n, or what to change] ", markup=False).strip()
            if said.lower() in ("", "y", "yes"):
                return {"verdict": "approve"}
            return {"verdict": "revise", "note": "" if said.lower() in ("n", "no") else said}
        return {"text": self._terminal.err.input("> ", markup=False)}

    def _print(self, answer: ResearchAnswer) -> int:
        record = answer.record
        code = 0 if record["status"] == "done" else NO_ANSWER
        if self._terminal.json:
            self._terminal.print_json(dict(record))
            return code
        print_answer(self._terminal, record)
        return code


def print_answer(terminal: Terminal, record: ResearchRecord) -> None:
    """Print an answer with its sources; where its page is, unless quiet."""
    terminal.out.print(clean(record["answer"]), markup=False, soft_wrap=True)
    page = record.get("paths", {}).get("html")
    if page and not terminal.quiet:
        terminal.err.print(f"Page: {page}", markup=False, soft_wrap=True)
