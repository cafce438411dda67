"""Holds debates from the terminal: statements on stderr as they are made, the verdict on stdout; hints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any, Literal

from tradingagents.errors import AwaitingApproval, UsageError
from tradingagents.settings import Settings

from .console import Terminal
from .debate_display import DebateDisplay
from .text import clean
from .workflow_session import WorkflowSession, show_nothing

if TYPE_CHECKING:
    from tradingagents.events import Subscriber
    from tradingagents.features.debate.question_run import DebateAnswer
    from tradingagents.features.debate.run import DebateResult
    from tradingagents.runtime.kind import RunKind

DebateFormat = Literal["summary", "full"]


class DebateSession(WorkflowSession):
    """One debate: held, resumed, advised between its phases, questioned after its end, and printed."""

    noun = "debate"

    def __init__(
        self,
        settings: Settings,
        environ: Mapping[str, str],
        terminal: Terminal,
        *,
        plain: bool = False,
        form: DebateFormat = "summary",
    ) -> None:
        """Set how it runs, and what is printed at the end: the debate on a page, or all of it."""
        super().__init__(settings, environ, terminal, plain=plain)
        self._form = form
        self._hints: list[dict[str, str]] = []

    @staticmethod
    def workflows() -> tuple[RunKind[Any, Any], ...]:
        """Return the debate, and the question about one."""
        from tradingagents.features.debate.kind import DEBATE
        from tradingagents.features.debate.question_kind import DEBATE_QUESTION

        return DEBATE, DEBATE_QUESTION

    def display(self, resumed: str | None) -> AbstractContextManager[Subscriber]:  # noqa: ARG002 - shown alike
        """Show statements as they are made."""
        if self.terminal.quiet or self.terminal.json:
            return nullcontext(show_nothing)
        return nullcontext(DebateDisplay(self.terminal.err, framed=self.terminal.live and not self._plain))

    def answer(self, said: Mapping[str, Any] | None, *, waits: bool, run_id: str) -> Mapping[str, Any] | None:  # noqa: ARG002
        """Return what is said; where nothing is, the queued hints to a debate that waits."""
        return said if said is not None else self._queued() if waits else None

    def hint(self, side: str, text: str) -> None:
        """Queue advice to the bull or the bear; it is given at the next pause of a coached debate.

        Raises:
            UsageError: The side is none of the two, or there is no text.
        """
        from tradingagents.features.debate.graph.hints import hints_of

        one = {"side": side, "text": text}
        checked, wrong = hints_of({"hints": [one]}, "")
        if checked is None:
            raise UsageError(wrong.strip())
        self._hints.append(one)

    def ask(self, run_id: str, question: str, limits: Mapping[str, Any] | None = None) -> int:
        """Answer a question about a debate that has ended, with the models of that debate; return the exit code.

        Args:
            run_id: The debate's id, or the beginning of it.
            question: The question, such as "What would change your mind?".
            limits: Limits of the answer.
        """
        from tradingagents.features.debate.question_kind import DEBATE_QUESTION
        from tradingagents.features.debate.question_run import question_about
        from tradingagents.runtime.manifest import read_manifest

        home = self.settings.home_dir
        request = question_about(home, run_id, question)
        settings = read_manifest(home, request.debate).resumed_settings(self.settings, limits or {})

        return self.start(request, workflow=DEBATE_QUESTION, settings=settings)

    def _queued(self) -> Mapping[str, Any]:
        given, self._hints = self._hints, []
        return {"hints": given}

    def reply(self, waiting: AwaitingApproval) -> Mapping[str, Any]:
        """Return the queued hints, and those that the person at the terminal gives now.

        Raises:
            AwaitingApproval: Nothing is queued, and nobody is there.
        """
        if not self.attended:
            if self._hints:
                return self._queued()
            raise waiting
        self.terminal.err.print(clean(str(waiting).partition(";")[0]), markup=False, soft_wrap=True)
        while said := self.terminal.err.input("Hint (bull: TEXT or bear: TEXT; Enter continues) ", markup=False):
            side, _, text = said.partition(":")
            try:
                self.hint(side, text)
            except UsageError as error:
                self.terminal.print_error(str(error))
        return self._queued()

    def print_market(self, record: Mapping[str, Any]) -> None:
        """Print that the market is made up, before an answer; the text of a debate says so itself."""
        if record["kind"] != "debate":
            super().print_market(record)

    def print_text(self, done: DebateResult | DebateAnswer) -> None:
        """Print the debate and how to ask about it; or the answer to a question about one."""
        from tradingagents.features.debate.run import DebateResult

        self.terminal.print_text(clean(self._text(done)))
        self.print_page(done.record)
        if isinstance(done, DebateResult):
            how = f'tradingagents debate --ask {done.record["run_id"]} "What would change your mind?"'
            self.terminal.note(f"Ask about it: {how}")

    def exit_code(self, record: Mapping[str, Any]) -> int:
        """Return the exit code: that of an answer to a question about a debate is 0."""
        return super().exit_code(record) if record["kind"] == "debate" else 0

    def _text(self, done: DebateResult | DebateAnswer) -> str:
        from tradingagents.features.debate.report import debate_document
        from tradingagents.features.debate.run import DebateResult
        from tradingagents.reports.render.markdown import to_markdown

        if self._form == "full" and isinstance(done, DebateResult):
            return to_markdown(debate_document(done.record))
        return done.text


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
