"""Runs research from the terminal: events as they happen on stderr, the answer on stdout."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from tradingagents.errors import AwaitingApproval, Interrupted, UsageError
from tradingagents.settings import Settings

from .console import Terminal
from .research_display import ResearchDisplay
from .text import clean
from .workflow_runs import manifest_to_resume, run_with_services

if TYPE_CHECKING:
    from tradingagents.runtime.manifest import RunManifest
    from tradingagents.runtime.services import Services
    from tradingagents.workflows.research import ResearchAnswer, ResearchRequest

NO_ANSWER = 5
"""Exit code where nothing was found."""


class ResearchSession:
    """One question, asked, answered back where it is unclear, and printed."""

    def __init__(
        self,
        settings: Settings,
        environ: Mapping[str, str],
        terminal: Terminal,
        *,
        plain: bool,
        draft: bool = True,
        export: Path | None = None,
    ) -> None:
        """Set how it runs.

        Args:
            settings: Those of the run.
            environ: Where keys are read from, and the editor's name.
            terminal: Where to print.
            plain: Whether progress is printed as lines.
            draft: Whether the answer is shown while it is written, where progress is redrawn.
            export: File that the report is also written to; None for none.

        Raises:
            UsageError: The file cannot be made, or its ending is no format of a report.
            ConfigurationError: Its format needs an extra that is not installed.
        """
        if export is not None:
            from tradingagents.workflows.records.export import check_export

            check_export(export)  # before anything is paid for
        self._export = export
        self._settings, self._environ, self._terminal, self._plain = settings, environ, terminal, plain
        self._draft = draft

    @property
    def live(self) -> bool:
        """Whether progress is redrawn, the answer in draft included."""
        return self._terminal.live and not (self._plain or self._terminal.json)

    @property
    def _streams(self) -> bool:
        return self._settings.stream_tokens or (self.live and self._draft)

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
            settings = self._settings.model_copy(update={"stream_tokens": self._streams})
            return self._print(self._run(asked, settings, live=self.live))
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
        manifest, changes = self._manifest(run_id), dict(limits or {})
        while True:
            try:
                return self._print(self._resumed(manifest, said, changes))
            except AwaitingApproval as waiting:
                said = self._reply(waiting)

    def write_plan(self, run_id: str, path: Path) -> int:
        """Write the plan that a run waits for the approval of, to be edited; return the exit code.

        Raises:
            UsageError: The run does not wait for the approval of a plan, or the file exists.
        """
        from .plan_file import write_plan
        from .plan_review import proposed_text

        manifest = self._manifest(run_id)
        plan = self._waiting_plan(manifest)
        command = f"tradingagents research --resume {manifest.run_id} --plan {path}"
        write_plan(path, proposed_text(plan, self._environ, f"# Then: {command}\n"))
        if not self._terminal.quiet:
            self._terminal.err.print(f"Wrote {path}; edit it, then:", markup=False, soft_wrap=True)
        if self._terminal.json:
            self._terminal.print_json({"run_id": manifest.run_id, "file": str(path), "resume": command})
        else:
            self._terminal.out.print(command, markup=False, soft_wrap=True)
        return 0

    def _waiting_plan(self, manifest: RunManifest) -> AwaitingApproval:
        """Return what a run asked when it began to wait, from its steps."""
        from tradingagents.store.run_index import RunIndex

        card = RunIndex(self._settings.home_dir).find(manifest.run_id).card() or {}
        if card.get("status") == "awaiting_approval":
            try:
                self._resumed(manifest, None, {}, shown=False)
            except AwaitingApproval as waiting:
                if waiting.asked.get("kind") == "plan":
                    return waiting
        raise UsageError(f"{manifest.run_id} does not wait for the approval of a plan; it is {card.get('status')}.")

    def _manifest(self, run_id: str) -> RunManifest:
        from tradingagents.workflows.research import RESEARCH

        return manifest_to_resume(self._settings, run_id, (RESEARCH.kind,), "research")

    def _resumed(
        self, manifest: RunManifest, said: Mapping[str, Any] | None, changes: Mapping[str, Any], *, shown: bool = True
    ) -> ResearchAnswer:
        """Resume a run once; its display knows what earlier starts have done."""
        from tradingagents.runtime.executor import resume
        from tradingagents.workflows.research import RESEARCH
        from tradingagents.workflows.start import RunOptions
        from tradingagents.workspace.runs import RunReader

        limits = {"stream_tokens": self._streams, **changes}
        settings = manifest.resumed_settings(self._settings, limits)
        earlier = RunReader(self._settings.home_dir).events(manifest.run_id)

        async def resumed(services: Services, display: ResearchDisplay) -> ResearchAnswer:
            options = RunOptions(subscribers=(display,) if shown else ())
            return await resume(RESEARCH, manifest, services, options, answer=said).result()

        return self._run(resumed, settings, earlier, live=self.live and shown)

    def _run(
        self, work: Any, settings: Settings, earlier: tuple[Mapping[str, Any], ...] = (), *, live: bool
    ) -> ResearchAnswer:
        display = ResearchDisplay(self._terminal.err, live=live)
        display.recall(earlier)
        answer: ResearchAnswer = run_with_services(
            settings, self._environ, self._terminal, shown_on(display, self._terminal), work
        )
        return answer

    def _reply(self, waiting: AwaitingApproval) -> Mapping[str, Any]:
        """Ask the person at the terminal what the run asks.

        Raises:
            AwaitingApproval: Nobody is there, or the person wants it to wait.
            Interrupted: Ctrl-C.
        """
        from .plan_review import PlanReview

        if self._terminal.json or not (sys.stdin.isatty() and self._terminal.err.is_terminal):
            raise waiting
        if waiting.asked.get("kind") == "plan":
            return PlanReview(self._terminal, self._environ, waiting).decide()
        question = str(waiting.asked.get("question") or str(waiting).partition(";")[0])
        self._terminal.err.print(clean(question), markup=False, soft_wrap=True)
        try:
            return {"text": self._terminal.err.input("> ", markup=False)}
        except EOFError:
            raise waiting from None
        except KeyboardInterrupt:
            raise Interrupted(f"Interrupted. {waiting}") from None

    def _print(self, answer: ResearchAnswer) -> int:
        record = answer.record
        exported = answer.export(self._export) if self._export is not None else None
        code = 0 if record["status"] == "done" else NO_ANSWER
        if self._terminal.json:
            self._terminal.print_json(dict(record))
            return code
        print_answer(self._terminal, record)
        if exported is not None and not self._terminal.quiet:
            self._terminal.err.print(f"Wrote {exported}", markup=False, soft_wrap=True)
        return code


@contextmanager
def shown_on(display: ResearchDisplay, terminal: Terminal) -> Iterator[Any]:
    """Open a display for a run, and yield what takes in its events: the display, or nothing where that is wanted."""
    with display:
        yield (lambda _event: None) if terminal.quiet or terminal.json else display


def print_answer(terminal: Terminal, record: Mapping[str, Any], report: str = "answer") -> None:
    """Print the checked answer with its sources; unless quiet also what the check found, and where its page is.

    Figures that could not be traced to the data of the run are marked `[?]`, as in its report.

    Args:
        terminal: Where to print.
        record: The run's.
        report: Which of its reports is the answer.
    """
    from tradingagents.reports.citation_marks import shown_in_markdown, tally, with_marks

    checked = record.get("grounding")
    marked: Any = with_marks(cast(Any, record))
    answer = marked["reports"].get(report) or record.get(report) or ""
    terminal.out.print(clean(shown_in_markdown(answer)), markup=False, soft_wrap=True)
    if terminal.quiet:
        return
    if checked and checked["unmatched"]:
        terminal.err.print(f"Figures: {tally(checked)}", markup=False, soft_wrap=True)
    if page := (record.get("paths") or {}).get("html"):
        terminal.err.print(f"Page: {page}", markup=False, soft_wrap=True)
    if asked_for := (record.get("paths") or {}).get("export"):
        terminal.err.print(f"File: {asked_for}", markup=False, soft_wrap=True)
