"""One session for the kinds of runs that talk: it starts a run, answers it where it waits, resumes and prints it."""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Coroutine, Mapping
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, ClassVar

from tradingagents.errors import AwaitingApproval, UsageError
from tradingagents.settings import Settings

from .console import Terminal
from .session import Session, run_until_done

if TYPE_CHECKING:
    from tradingagents.events import Event, Subscriber
    from tradingagents.runtime.kind import RunKind
    from tradingagents.runtime.manifest import RunManifest
    from tradingagents.runtime.services import Services

    Work = Callable[[Services, Subscriber], Coroutine[Any, Any, Any]]

NOTHING_FOUND = 5
"""Exit code of a run that ended without a result."""


class WorkflowSession(Session, ABC):
    """A run of one kind, from the terminal."""

    noun: ClassVar[str]
    """Such a run in a word, such as `report`."""
    redraws: ClassVar[bool] = False
    """Whether its display redraws the screen where the terminal can."""

    def __init__(
        self, settings: Settings, environ: Mapping[str, str], terminal: Terminal, *, plain: bool = False
    ) -> None:
        """Set how it runs.

        Args:
            environ: Where keys are read from, and the editor's name.
            plain: Whether progress is printed as lines, without redrawing.
        """
        super().__init__(settings, environ, terminal)
        self._plain = plain

    @staticmethod
    @abstractmethod
    def workflows() -> tuple[RunKind[Any, Any], ...]:
        """Return the kinds of runs that it resumes; it starts the first."""

    @abstractmethod
    def display(self, resumed: str | None) -> AbstractContextManager[Subscriber]:
        """Return what shows a run's events; nothing is shown where the terminal is quiet or prints JSON.

        Args:
            resumed: Id of a run that is resumed; None for a new one.
        """

    @abstractmethod
    def print_text(self, done: Any) -> None:
        """Print what a run gave, for people."""

    def exit_code(self, record: Mapping[str, Any]) -> int:
        """Return the exit code of a run that ended."""
        return 0 if record["status"] == "done" else NOTHING_FOUND

    def print_result(self, done: Any) -> int:
        """Print what a run gave; return the exit code."""
        if self.terminal.json:
            self.terminal.print_json(dict(done.record))
        else:
            self.print_market(done.record)
            self.print_text(done)
        return self.exit_code(done.record)

    def print_market(self, record: Mapping[str, Any]) -> None:
        """Print that the market is made up, before the text of a run on one."""
        from .layout import print_market

        print_market(self.terminal.out, record)

    def changed_settings(self) -> Mapping[str, Any]:
        """Return the settings in which the run differs from the command's."""
        return {}

    def answer(self, said: Mapping[str, Any] | None, *, waits: bool, run_id: str) -> Mapping[str, Any] | None:  # noqa: ARG002 - most pass it on
        """Return what a resumed run is told.

        Args:
            said: What the user says to a run that waits; None for nothing.
            waits: Whether the run waits for somebody.
            run_id: The run.
        """
        return said

    def reply(self, waiting: AwaitingApproval) -> Mapping[str, Any]:
        """Return what the person at the terminal says to a run that waits.

        Raises:
            AwaitingApproval: Nobody is there.
        """
        raise waiting

    @property
    def attended(self) -> bool:
        """Whether a person is at the terminal."""
        return not self.terminal.json and sys.stdin.isatty() and self.terminal.err.is_terminal

    def start(
        self, request: Any, *, workflow: RunKind[Any, Any] | None = None, settings: Settings | None = None
    ) -> int:
        """Run a request to its end; return the exit code.

        Args:
            request: What is asked.
            workflow: The kind of run; None: the first of `workflows`.
            settings: Those of the run; None: the command's.

        Raises:
            AwaitingApproval: The run waits, and nobody is there to answer.
            TradingAgentsError: As the run raises.
        """
        from tradingagents.graph.start import RunOptions, start

        async def started(services: Services, shown: Subscriber) -> Any:
            kind = workflow or self.workflows()[0]
            return await start(kind, request, services, RunOptions(subscribers=(shown,))).result()

        settings = (settings or self.settings).model_copy(update=dict(self.changed_settings()))
        try:
            return self.print_result(self._run(started, settings, self.display(None)))
        except AwaitingApproval as waiting:
            return self.resume(waiting.run_id, self.reply(waiting))

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
        manifest = self.manifest(run_id)
        while True:
            try:
                return self.print_result(self.resumed(manifest, said, limits or {}, self.display(manifest.run_id)))
            except AwaitingApproval as waiting:
                said = self.reply(waiting)

    def resumed(
        self,
        manifest: RunManifest,
        said: Mapping[str, Any] | None,
        limits: Mapping[str, Any],
        display: AbstractContextManager[Subscriber],
    ) -> Any:
        """Resume a run once, and return what it gave. Raises as `start` does."""
        from tradingagents.graph.start import RunOptions, status_of
        from tradingagents.runtime.executor import resume
        from tradingagents.runtime.kind import WAITING
        from tradingagents.runtime.registry import kind_of

        waits = status_of(self.settings.home_dir, manifest.run_id) == WAITING
        answer = self.answer(said, waits=waits, run_id=manifest.run_id)

        async def resumed(services: Services, shown: Subscriber) -> Any:
            options = RunOptions(subscribers=(shown,))
            return await resume(kind_of(manifest.kind), manifest, services, options, answer=answer).result()

        settings = manifest.resumed_settings(self.settings, {**self.changed_settings(), **limits})
        return self._run(resumed, settings, display)

    def manifest(self, run_id: str) -> RunManifest:
        """Return the manifest of a run to resume, by the beginning of its id. Raises as `resume` does."""
        from tradingagents.runtime.manifest import read_manifest
        from tradingagents.runtime.runs.run_index import RunIndex

        home = self.settings.home_dir
        manifest = read_manifest(home, RunIndex(home).find(run_id).run_id)
        if manifest.kind not in (workflow.name for workflow in self.workflows()):
            how = f"resume it with `tradingagents runs resume {manifest.run_id}`"
            raise UsageError(f"{manifest.run_id} is no {self.noun}; {how}.")
        return manifest

    def print_page(self, record: Mapping[str, Any]) -> None:
        """Say where the run's page is."""
        if page := (record.get("paths") or {}).get("html"):
            self.terminal.note(f"Page: {page}")

    def _run(self, work: Work, settings: Settings, display: AbstractContextManager[Subscriber]) -> Any:
        """Run work until it ends or Ctrl-C stops it."""
        with self.services(settings) as services, display as shown, self._alive(shown) as told:
            return run_until_done(services, work(services, told), self.terminal)

    def _alive(self, shown: Subscriber) -> AbstractContextManager[Subscriber]:
        from .heartbeat import with_signs_of_life

        return with_signs_of_life(shown, self.terminal, redraws=self.redraws and self.terminal.live and not self._plain)


def show_nothing(event: Event) -> None:
    """Take in an event and print nothing."""
