"""Runs research from the terminal: events as they happen on stderr, the answer on stdout."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from tradingagents.errors import AwaitingApproval, Interrupted, UsageError
from tradingagents.settings import Settings

from .console import Terminal
from .research_display import RESEARCHING, DisplayWords, ResearchDisplay
from .text import clean
from .workflow_session import WorkflowSession, show_nothing

if TYPE_CHECKING:
    from tradingagents.events import Subscriber
    from tradingagents.features.research.run import ResearchAnswer
    from tradingagents.runtime.kind import RunKind
    from tradingagents.runtime.manifest import RunManifest


class ResearchSession(WorkflowSession):
    """One question, asked, answered back where it is unclear, and printed."""

    noun = "research"
    redraws = True

    def __init__(
        self,
        settings: Settings,
        environ: Mapping[str, str],
        terminal: Terminal,
        *,
        plain: bool = False,
        draft: bool = True,
        export: Path | None = None,
    ) -> None:
        """Set how it runs.

        Args:
            environ: Where keys are read from, and the editor's name.
            plain: Whether progress is printed as lines.
            draft: Whether the answer is shown while it is written, where progress is redrawn.
            export: File that the report is also written to; None for none.

        Raises:
            UsageError: The file cannot be made, or its ending is no format of a report.
            ConfigurationError: Its format needs an extra that is not installed.
        """
        if export is not None:
            from tradingagents.runtime.records.export import check_export

            check_export(export)  # before anything is paid for
        super().__init__(settings, environ, terminal, plain=plain)
        self._export, self._draft = export, draft

    @staticmethod
    def workflows() -> tuple[RunKind[Any, Any], ...]:
        """Return the research on a question."""
        from tradingagents.features.research.kind import RESEARCH

        return (RESEARCH,)

    def display(self, resumed: str | None) -> AbstractContextManager[Subscriber]:
        """Show plan, tasks and draft; of a resumed run also what earlier starts have done."""
        from tradingagents.service.workspace.runs import RunReader

        earlier = RunReader(self.settings.home_dir).events(resumed) if resumed is not None else ()
        return shown_research(self.terminal, plain=self._plain, earlier=earlier)

    def changed_settings(self) -> Mapping[str, Any]:
        """Have replies written as they come where the draft is shown."""
        return {"stream_tokens": self.settings.stream_tokens or (redraws(self.terminal, self._plain) and self._draft)}

    def write_plan(self, run_id: str, path: Path) -> int:
        """Write the plan that a run waits for the approval of, to be edited; return the exit code.

        Raises:
            UsageError: The run does not wait for the approval of a plan, or the file exists.
        """
        from .plan_file import write_plan
        from .plan_review import proposed_text

        manifest = self.manifest(run_id)
        plan = self._waiting_plan(manifest)
        command = f"tradingagents research --resume {manifest.run_id} --plan {path}"
        write_plan(path, proposed_text(plan, self.environ, f"# Then: {command}\n"))
        self.terminal.note(f"Wrote {path}; edit it, then:")
        if self.terminal.json:
            self.terminal.print_json({"run_id": manifest.run_id, "file": str(path), "resume": command})
        else:
            self.terminal.print_text(command)
        return 0

    def _waiting_plan(self, manifest: RunManifest) -> AwaitingApproval:
        """Return what a run asked when it began to wait, from its steps."""
        from tradingagents.runtime.runs.run_index import RunIndex

        card = RunIndex(self.settings.home_dir).find(manifest.run_id).card() or {}
        if card.get("status") == "awaiting_approval":
            try:
                self.resumed(manifest, None, {}, nullcontext(show_nothing))
            except AwaitingApproval as waiting:
                if waiting.asked.get("kind") == "plan":
                    return waiting
        raise UsageError(f"{manifest.run_id} does not wait for the approval of a plan; it is {card.get('status')}.")

    def reply(self, waiting: AwaitingApproval) -> Mapping[str, Any]:
        """Ask the person at the terminal what the run asks.

        Raises:
            AwaitingApproval: Nobody is there, or the person wants it to wait.
            Interrupted: Ctrl-C.
        """
        from .plan_review import PlanReview

        if not self.attended:
            raise waiting
        if waiting.asked.get("kind") == "plan":
            return PlanReview(self.terminal, self.environ, waiting).decide()
        question = str(waiting.asked.get("question") or str(waiting).partition(";")[0])
        self.terminal.err.print(clean(question), markup=False, soft_wrap=True)
        try:
            return {"text": self.terminal.err.input("> ", markup=False)}
        except EOFError:
            raise waiting from None
        except KeyboardInterrupt:
            raise Interrupted(f"Interrupted. {waiting}") from None

    def print_result(self, done: ResearchAnswer) -> int:
        """Write the answer to the file, and print it; return the exit code."""
        exported = done.export(self._export) if self._export is not None else None
        code = super().print_result(done)
        if exported is not None and not self.terminal.json:
            self.terminal.note(f"Wrote {exported}")
        return code

    def print_text(self, done: ResearchAnswer) -> None:
        """Print the answer."""
        print_answer(self.terminal, done.record)


def redraws(terminal: Terminal, plain: bool) -> bool:
    """Return whether progress is redrawn, the answer in draft included."""
    return terminal.live and not (plain or terminal.json)


@contextmanager
def shown_research(
    terminal: Terminal,
    *,
    plain: bool,
    words: DisplayWords = RESEARCHING,
    earlier: Iterable[Mapping[str, Any]] = (),
) -> Iterator[Subscriber]:
    """Open a display for a run, and yield what takes in its events: the display, or nothing where that is wanted.

    Args:
        plain: Whether progress is printed as lines.
        words: What its steps are called.
        earlier: Events of earlier starts.
    """
    display = ResearchDisplay(terminal.err, live=redraws(terminal, plain), words=words)
    display.recall(earlier)
    with display:
        yield show_nothing if terminal.quiet or terminal.json else display


def print_answer(terminal: Terminal, record: Mapping[str, Any], report: str = "answer") -> None:
    """Print the checked answer with its sources; unless quiet also what the check found, and where its page is.

    Figures that could not be traced to the data of the run are marked `[?]`, as in its report.

    Args:
        record: The run's.
        report: Which of its reports is the answer.
    """
    from tradingagents.reports.citation_marks import shown_in_markdown, tally, with_marks

    checked = record.get("grounding")
    marked: Any = with_marks(cast(Any, record))
    answer = marked["reports"].get(report) or record.get(report) or ""
    terminal.print_text(clean(shown_in_markdown(answer)))
    if terminal.quiet:
        return
    if checked and checked["unmatched"]:
        terminal.err.print(f"Figures: {tally(checked)}", markup=False, soft_wrap=True)
    if page := (record.get("paths") or {}).get("html"):
        terminal.err.print(f"Page: {page}", markup=False, soft_wrap=True)
    if asked_for := (record.get("paths") or {}).get("export"):
        terminal.err.print(f"File: {asked_for}", markup=False, soft_wrap=True)
