"""Holds debates from the terminal: statements on stderr as they are made, the verdict on stdout; hints."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any, Literal

from tradingagents.errors import AwaitingApproval, UsageError
from tradingagents.settings import Settings

from .console import Terminal
from .debate_display import DebateDisplay
from .text import clean
from .workflow_runs import manifest_to_resume, run_with_services

if TYPE_CHECKING:
    from tradingagents.runtime.services import Services
    from tradingagents.workflows.debate import DebateRequest, DebateResult
    from tradingagents.workflows.debate_question import DebateAnswer

NO_VERDICT = 5
"""Exit code where the debate ended without a verdict."""
DebateFormat = Literal["summary", "full"]


class DebateSession:
    """One debate: held, resumed, advised between its phases, questioned after its end, and printed."""

    def __init__(
        self,
        settings: Settings,
        environ: Mapping[str, str],
        terminal: Terminal,
        *,
        plain: bool = False,
        form: DebateFormat = "summary",
    ) -> None:
        """Set how it runs.

        Args:
            settings: Those of the run.
            environ: Where keys are read from.
            terminal: Where to print.
            plain: Whether statements are printed as lines, without frames.
            form: What is printed at the end: the debate on a page, or all of it.
        """
        self._settings, self._environ, self._terminal = settings, environ, terminal
        self._plain, self._form = plain, form
        self._hints: list[dict[str, str]] = []

    def hint(self, side: str, text: str) -> None:
        """Queue advice to the bull or the bear; it is given at the next pause of a coached debate.

        Raises:
            UsageError: The side is none of the two, or there is no text.
        """
        from tradingagents.workflows.graphs.debate.hints import hints_of

        one = {"side": side, "text": text}
        checked, wrong = hints_of({"hints": [one]}, "")
        if checked is None:
            raise UsageError(wrong.strip())
        self._hints.append(one)

    def hold(self, request: DebateRequest) -> int:
        """Hold a debate; return the exit code.

        Raises:
            AwaitingApproval: The debate waits for hints, and nobody is there to give some.
            TradingAgentsError: As the run raises.
        """
        from tradingagents.workflows.debate import DEBATE
        from tradingagents.workflows.start import RunOptions, start

        async def held(services: Services, display: DebateDisplay) -> DebateResult:
            return await start(DEBATE, request, services, RunOptions(subscribers=(display,))).result()

        try:
            return self._print(self._run(held, self._settings))
        except AwaitingApproval as waiting:
            return self.resume(waiting.run_id, self._reply(waiting))

    def resume(
        self, run_id: str, said: Mapping[str, Any] | None = None, limits: Mapping[str, Any] | None = None
    ) -> int:
        """Resume a debate, or a question about one; return the exit code. Raises as `hold` does.

        Args:
            run_id: Its id, or the beginning of it.
            said: What the user says to a debate that waits; None: the queued hints.
            limits: Limits other than those it was started with.
        """
        from tradingagents.runtime.executor import resume
        from tradingagents.runtime.workflow import WAITING
        from tradingagents.workflows.debate import DEBATE
        from tradingagents.workflows.debate_question import DEBATE_QUESTION
        from tradingagents.workflows.registry import workflow_of
        from tradingagents.workflows.start import RunOptions, status_of

        manifest = manifest_to_resume(self._settings, run_id, (DEBATE.kind, DEBATE_QUESTION.kind), "debate")
        settings = manifest.resumed_settings(self._settings, limits or {})
        waits = status_of(self._settings.home_dir, manifest.run_id) == WAITING
        answer = said if said is not None else self._queued() if waits else None

        async def resumed(services: Services, display: DebateDisplay) -> Any:
            options = RunOptions(subscribers=(display,))
            return await resume(workflow_of(manifest.kind), manifest, services, options, answer=answer).result()

        try:
            done = self._run(resumed, settings)
        except AwaitingApproval as waiting:
            return self.resume(waiting.run_id, self._reply(waiting), limits)
        return self._print(done) if manifest.kind == DEBATE.kind else self._print_answer(done)

    def ask(self, run_id: str, question: str, limits: Mapping[str, Any] | None = None) -> int:
        """Answer a question about a debate that has ended, with the models of that debate; return the exit code.

        Args:
            run_id: The debate's id, or the beginning of it.
            question: The question, such as "What would change your mind?".
            limits: Limits of the answer.
        """
        from tradingagents.runtime.manifest import read_manifest
        from tradingagents.workflows.debate_question import DEBATE_QUESTION, question_about
        from tradingagents.workflows.start import RunOptions, start

        home = self._settings.home_dir
        request = question_about(home, run_id, question)
        settings = read_manifest(home, request.debate).resumed_settings(self._settings, limits or {})

        async def asked(services: Services, display: DebateDisplay) -> DebateAnswer:
            return await start(DEBATE_QUESTION, request, services, RunOptions(subscribers=(display,))).result()

        return self._print_answer(self._run(asked, settings))

    def _run(self, work: Any, settings: Settings) -> Any:
        quiet = self._terminal.quiet or self._terminal.json
        display = DebateDisplay(self._terminal.err, framed=self._terminal.live and not self._plain)
        shown: Any = (lambda _event: None) if quiet else display
        return run_with_services(settings, self._environ, self._terminal, nullcontext(shown), work)

    def _queued(self) -> Mapping[str, Any]:
        given, self._hints = self._hints, []
        return {"hints": given}

    def _reply(self, waiting: AwaitingApproval) -> Mapping[str, Any]:
        """Return the queued hints, and those that the person at the terminal gives now.

        Raises:
            AwaitingApproval: Nothing is queued, and nobody is there.
        """
        present = not self._terminal.json and sys.stdin.isatty() and self._terminal.err.is_terminal
        if not present:
            if self._hints:
                return self._queued()
            raise waiting
        self._terminal.err.print(clean(str(waiting).partition(";")[0]), markup=False, soft_wrap=True)
        while said := self._terminal.err.input("Hint (bull: TEXT or bear: TEXT; Enter continues) ", markup=False):
            side, _, text = said.partition(":")
            try:
                self.hint(side, text)
            except UsageError as error:
                self._terminal.print_error(str(error))
        return self._queued()

    def _print(self, done: DebateResult) -> int:
        from tradingagents.reports.debate import debate_document
        from tradingagents.reports.render.markdown import to_markdown

        record = done.record
        code = 0 if record["status"] == "done" else NO_VERDICT
        if self._terminal.json:
            self._terminal.print_json(dict(record))
            return code
        text = to_markdown(debate_document(record)) if self._form == "full" else done.text
        self._terminal.out.print(clean(text), markup=False, soft_wrap=True, highlight=False)
        self._print_page(record)
        if not self._terminal.quiet:
            how = f'Ask about it: tradingagents debate --ask {record["run_id"]} "What would change your mind?"'
            self._terminal.err.print(how, markup=False, soft_wrap=True, highlight=False)
        return code

    def _print_answer(self, done: DebateAnswer) -> int:
        if self._terminal.json:
            self._terminal.print_json(dict(done.record))
            return 0
        self._terminal.out.print(clean(done.text), markup=False, soft_wrap=True, highlight=False)
        self._print_page(done.record)
        return 0

    def _print_page(self, record: Mapping[str, Any]) -> None:
        page = record.get("paths", {}).get("html")
        if page and not self._terminal.quiet:
            self._terminal.err.print(f"Page: {page}", markup=False, soft_wrap=True, highlight=False)


def parse_hints(given: Sequence[str]) -> list[tuple[str, str]]:
    """Read hints of the command line, `bull=TEXT` or `bull:TEXT`.

    Raises:
        UsageError: One names no side.
    """
    found = []
    for one in given:
        at = min((place for place in (one.find("="), one.find(":")) if place > 0), default=-1)
        if at < 0:
            raise UsageError(f"{one!r} names no side; write --hint bull=TEXT or --hint bear=TEXT.")
        found.append((one[:at], one[at + 1 :]))
    return found
