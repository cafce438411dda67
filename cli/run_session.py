"""One session for every kind of run: it starts a run, answers it where it waits, resumes and prints it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tradingagents.errors import AwaitingApproval, UsageError
from tradingagents.runtime.executor import RunOptions, resume, start
from tradingagents.runtime.kind import WAITING, RunKind
from tradingagents.runtime.manifest import RunManifest, read_manifest
from tradingagents.runtime.presentation import AgentGrid, HintsPause, PrintedRun, TaskList, pause_of
from tradingagents.runtime.records.export import check_export
from tradingagents.runtime.registry import kind_of
from tradingagents.runtime.run_questions.answers import answer_about, finished_run
from tradingagents.runtime.runs.run_index import RunIndex
from tradingagents.service.workspace.runs import RunReader
from tradingagents.settings import Settings

from .console import Terminal
from .grid_session import NOTHING_FOUND, GridSession
from .heartbeat import with_signs_of_life
from .layout import print_market
from .plan_file import write_plan
from .run_display import Display, display_of
from .run_pauses import person_says, proposed_text
from .session import Session, run_until_done
from .text import clean

if TYPE_CHECKING:
    from tradingagents.events import Event, Subscriber
    from tradingagents.runtime.services import Services

    Work = Callable[[Services, Subscriber], Coroutine[Any, Any, Any]]


@dataclass(frozen=True, kw_only=True)
class OutputOptions:
    """How a run is shown, and what is left of it besides its folder."""

    plain: bool = False
    """Whether progress is printed as lines, without redrawing."""
    whole: bool = False
    """Whether the whole report is printed where there is a summary."""
    draft: bool = True
    """Whether an answer is shown while it is written, where progress is redrawn."""
    export: Path | None = None
    """File that the report is also written to; None for none."""


class KindSession(Session):
    """Runs of one kind, from the terminal."""

    def __init__(
        self,
        kind: RunKind[Any, Any, Any],
        settings: Settings,
        environ: Mapping[str, str],
        terminal: Terminal,
        output: OutputOptions | None = None,
        hints: Sequence[Any] = (),
    ) -> None:
        """Set how it runs.

        Args:
            kind: The kind of the runs.
            settings: Those of a new run.
            environ: Where keys are read from, and the editor's name.
            terminal: Where it is shown.
            output: How it is shown; None: as the defaults say.
            hints: Advice for the next pause that takes some.

        Raises:
            UsageError: The file cannot be made, or its ending is no format of a report.
            ConfigurationError: Its format needs an extra that is not installed.
        """
        output = output or OutputOptions()
        if output.export is not None:
            check_export(output.export)  # before anything is paid for
        super().__init__(settings, environ, terminal)
        self._kind, self._output = kind, output
        self._redraws = terminal.live and not (output.plain or terminal.json)
        self._hints = list(hints)

    def start(self, request: Any) -> int:
        """Run a request to its end; return the exit code.

        Args:
            request: What is asked.

        Raises:
            AwaitingApproval: The run waits, and nobody is there to answer.
            TradingAgentsError: As the run raises.
        """

        async def started(services: Services, shown: Subscriber) -> Any:
            return await start(self._kind, request, services, RunOptions(subscribers=(shown,))).result()

        settings = self.settings.model_copy(update=dict(self._changed_settings()))
        try:
            return self._print_result(self._run(started, settings, self._display()))
        except AwaitingApproval as waiting:
            return self.resume(waiting.run_id, self._reply(waiting))

    def resume(
        self, run_id: str, said: Mapping[str, Any] | None = None, limits: Mapping[str, Any] | None = None
    ) -> int:
        """Resume a run that was killed, stopped, failed or waits; return the exit code. Raises as `start` does.

        Args:
            run_id: Its id, or the beginning of it.
            said: What the user says to a run that waits.
            limits: Limits other than those it was started with.

        Raises:
            UsageError: The run is of another kind.
        """
        manifest = self._manifest(run_id)
        while True:
            try:
                display = self._display(RunReader(self.settings.home_dir).events(manifest.run_id))
                return self._print_result(self._resumed(manifest, said, limits or {}, display))
            except AwaitingApproval as waiting:
                said = self._reply(waiting)

    def ask(self, run_id: str, question: str, limits: Mapping[str, Any]) -> int:
        """Answer a question about a run that has ended; return the exit code.

        Args:
            run_id: The run's id, or the beginning of it.
            question: Such as "What would change your mind?".
            limits: Limits of an answer that models give.

        Raises:
            NoSuchRun: There is no such run.
            UsageError: It has not ended, or the question is empty.
        """
        home = self.settings.home_dir
        if about := self._kind.question_about(home, run_id, question):
            kind, request = about
            held = read_manifest(home, RunIndex(home).find(run_id).run_id)
            settings = held.resumed_settings(self.settings, limits)
            return KindSession(kind, settings, self.environ, self.terminal, replace(self._output, export=None)).start(
                request
            )
        if not question.strip():
            raise UsageError('Write a question, such as "What would change your mind?".')
        record = finished_run(home, run_id)
        answer = answer_about(record, question)
        if self.terminal.json:
            told = {"run": record.run_id, "question": question, "answer": answer, "written_by": "rules"}
            self.terminal.print_json(told)
        else:
            self.terminal.print_text(clean(answer))
        return 0

    def write_plan(self, run_id: str, path: Path) -> int:
        """Write the plan that a run waits for the approval of, to be edited; return the exit code.

        Raises:
            UsageError: The run does not wait for the approval of a plan, or the file exists.
        """
        manifest = self._manifest(run_id)
        plan = self._waiting_plan(manifest)
        command = f"tradingagents {self._kind.command or self._kind.task} --resume {manifest.run_id} --plan {path}"
        write_plan(path, proposed_text(plan, self.environ, f"# Then: {command}\n"))
        self.terminal.note(f"Wrote {path}; edit it, then:")
        if self.terminal.json:
            self.terminal.print_json({"run_id": manifest.run_id, "file": str(path), "resume": command})
        else:
            self.terminal.print_text(command)
        return 0

    def _waiting_plan(self, manifest: RunManifest) -> AwaitingApproval:
        """Return what a run asked when it began to wait, from its steps."""
        status = self._status(manifest.run_id)
        if status == WAITING:
            try:
                self._resumed(manifest, None, {}, nullcontext(show_nothing))
            except AwaitingApproval as waiting:
                if waiting.asked.get("kind") == "plan":
                    return waiting
        raise UsageError(f"{manifest.run_id} does not wait for the approval of a plan; it is {status}.")

    def _status(self, run_id: str) -> str | None:
        """Return how a run stands; None where it has no card because it was killed."""
        card = RunIndex(self.settings.home_dir).find(run_id).card() or {}
        return card.get("status")

    def _resumed(
        self, manifest: RunManifest, said: Mapping[str, Any] | None, limits: Mapping[str, Any], display: Display
    ) -> Any:
        """Resume a run once, and return what it gave. Raises as `start` does."""
        answer = said
        if pause_of(self._kind.pauses, HintsPause):
            waits = self._status(manifest.run_id) == WAITING
            answer = self._with_hints(said, waits=waits, run_id=manifest.run_id)

        async def resumed(services: Services, shown: Subscriber) -> Any:
            options = RunOptions(subscribers=(shown,))
            return await resume(self._kind, manifest, services, options, answer=answer).result()

        settings = manifest.resumed_settings(self.settings, {**self._changed_settings(), **limits})
        return self._run(resumed, settings, display)

    def _with_hints(self, said: Mapping[str, Any] | None, *, waits: bool, run_id: str) -> Mapping[str, Any] | None:
        """Return what is said to a run that may wait for hints: where nothing is, the hints, without which it goes on.

        Raises:
            UsageError: Something is said to a run that does not wait.
        """
        if waits:
            return self._given_hints() if said is None else said
        if said is not None or self._hints:
            raise UsageError(f"{run_id} does not wait for hints; leave them out.")
        return None

    def _reply(self, waiting: AwaitingApproval) -> Mapping[str, Any]:
        """Return the hints that were given, or what the person at the terminal says to a run that waits.

        Raises:
            AwaitingApproval: Nothing was given and nobody is there, or the person wants the run to wait.
            Interrupted: Ctrl-C.
        """
        attended = not self.terminal.json and sys.stdin.isatty() and self.terminal.err.is_terminal
        if not attended and not self._hints:
            raise waiting
        given = self._given_hints()["hints"]
        if not attended:
            return {"hints": given}
        said = person_says(self.terminal, self.environ, self._kind.pauses, waiting)
        return {"hints": [*given, *said["hints"]]} if given and "hints" in said else said

    def _given_hints(self) -> Mapping[str, Any]:
        """Return the hints that were given, once."""
        given, self._hints = self._hints, []
        return {"hints": given}

    def _manifest(self, run_id: str) -> RunManifest:
        """Return the manifest of a run to resume, by the beginning of its id. Raises as `resume` does."""
        home = self.settings.home_dir
        manifest = read_manifest(home, RunIndex(home).find(run_id).run_id)
        if manifest.kind != self._kind.name:
            how = f"resume it with `tradingagents runs resume {manifest.run_id}`"
            raise UsageError(f"{manifest.run_id} is no {self._kind.noun}; {how}.")
        return manifest

    def _changed_settings(self) -> Mapping[str, Any]:
        """Have replies written as they come where the answer is shown in draft."""
        progress = self._kind.progress
        if not isinstance(progress, TaskList) or not progress.drafts:
            return {}
        return {"stream_tokens": self.settings.stream_tokens or (self._redraws and self._output.draft)}

    def _display(self, earlier: Sequence[Mapping[str, Any]] = ()) -> Display:
        """Return what shows a run's events; nothing is shown where the terminal is quiet or prints JSON."""
        if self.terminal.quiet or self.terminal.json:
            return nullcontext(show_nothing)
        return display_of(self._kind.progress, self.terminal.err, redraws=self._redraws, earlier=earlier)

    def _run(self, work: Work, settings: Settings, display: Display) -> Any:
        """Run work until it ends or Ctrl-C stops it."""
        with self.services(settings) as services, display as shown, self._alive(shown) as told:
            return run_until_done(services, work(services, told), self.terminal)

    def _alive(self, shown: Subscriber) -> AbstractContextManager[Subscriber]:
        redrawn = isinstance(self._kind.progress, TaskList) and self._redraws
        return with_signs_of_life(shown, self.terminal, redraws=redrawn)

    def _print_result(self, done: Any) -> int:
        """Write a run to the file that was asked for, and print it; return the exit code."""
        exported = done.export(self._output.export) if self._output.export is not None else None
        if self.terminal.json:
            self.terminal.print_json(done.record.as_json())
        else:
            printed = self._kind.printed(done.record, whole=self._output.whole)
            if not printed.names_market:
                from tradingagents.memory.cohort import market_note

                print_market(self.terminal.out, market_note(done.record))
            print_run(self.terminal, printed)
            if printed.next_step:
                self.terminal.note(clean(printed.next_step))
            if exported is not None:
                self.terminal.note(f"Wrote {exported}")
        return NOTHING_FOUND if self._kind.found_nothing(done.record) else 0


def resume_run(
    run_id: str,
    settings: Settings,
    environ: Mapping[str, str],
    terminal: Terminal,
    *,
    said: Mapping[str, Any] | None = None,
    limits: Mapping[str, Any] | None = None,
) -> int:
    """Resume a run of any kind, and show it as at its start; return the exit code. Raises as `KindSession.resume` does.

    Args:
        run_id: Its id, or the beginning of it.
        settings: Those of the process; the run keeps its own.
        said: What a person says to a run that waits.
        limits: Limits other than those it was started with.
    """
    kind = kind_of(read_manifest(settings.home_dir, RunIndex(settings.home_dir).find(run_id).run_id).kind)
    of_kind = GridSession if isinstance(kind.progress, AgentGrid) else KindSession
    return of_kind(kind, settings, environ, terminal).resume(run_id, said, limits)


def print_run(terminal: Terminal, printed: PrintedRun) -> None:
    """Print what a run gave, for people."""
    terminal.print_text(clean(printed.text))
    if printed.sources and not terminal.quiet:
        terminal.print_text(f"\n{clean(printed.sources)}")
    for note in printed.notes:
        terminal.note(clean(note))


def show_nothing(event: Event) -> None:
    """Take in an event and print nothing."""
