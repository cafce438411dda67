"""`tradingagents runs resume|approve|revise|reject`: going on with a run that has not ended."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli import options
from cli.command import answer, takes
from cli.flags import Flags, read_both
from cli.terminal import Terminal
from tradingagents.errors import TradingAgentsError

if TYPE_CHECKING:
    from tradingagents.agents.managers.approval import Approval
    from tradingagents.events import Subscriber
    from tradingagents.runtime.services import Services
    from tradingagents.workflows.start import Run

RunId = Annotated[
    str,
    typer.Argument(metavar="RUN", help="The run's id, or enough of its beginning to tell it from the others."),
]
_REVIEW = "Review"
_WHY, _AGAIN = "Why, for the record.", "What the risk manager is to reconsider."
CHANGED = ("budget_usd", "max_llm_calls", "stream_tokens")
"""What may be other than it was: none of it changes what is answered."""


@takes(options.RESUME)
def resume(run: RunId, *, flags: Flags, terminal: Terminal) -> int:
    """Go on with a run that was killed, stopped or failed; what it has finished is not asked again.

    It goes on with the settings it was started with. Limits may be raised.
    """
    return go_on(run, flags, terminal)


@takes(options.RESUME)
def approve(
    run: RunId,
    note: Annotated[str, typer.Option("--note", metavar="TEXT", help=_WHY, rich_help_panel=_REVIEW)] = "",
    *,
    flags: Flags,
    terminal: Terminal,
) -> int:
    """Approve the decision that a run started with --approve proposes: it becomes final."""
    return go_on(run, flags, terminal, {"verdict": "approve", "note": note})


@takes(options.RESUME)
def revise(
    run: RunId,
    note: Annotated[
        str,
        typer.Option("--note", metavar="TEXT", help=_AGAIN, rich_help_panel=_REVIEW),
    ],
    *,
    flags: Flags,
    terminal: Terminal,
) -> int:
    """Send a proposed decision back to the risk manager with a note; what it says then awaits approval again."""
    return go_on(run, flags, terminal, {"verdict": "revise", "note": note})


@takes(options.RESUME)
def reject(
    run: RunId,
    note: Annotated[str, typer.Option("--note", metavar="TEXT", help=_WHY, rich_help_panel=_REVIEW)] = "",
    *,
    flags: Flags,
    terminal: Terminal,
) -> int:
    """Reject a proposed decision: the run ends with none."""
    return go_on(run, flags, terminal, {"verdict": "reject", "note": note})


def go_on(run: str, flags: Flags, terminal: Terminal, said: dict[str, Any] | None = None) -> int:
    """Go on with a run, watched as when it was started; return the exit code."""

    def work() -> int:
        from tradingagents.runtime.manifest import read_manifest
        from tradingagents.store.run_index import RunIndex

        here, environ = read_both(flags)
        question = read_manifest(here.home_dir, RunIndex(here.home_dir).find(run).run_id)
        changes = {name: value for name in CHANGED if (value := getattr(flags, name)) is not None}
        settings = question.resumed_settings(here, changes)
        if question.kind == "scan":
            from cli.scan_session import run_scan

            return run_scan(question.trade_date, settings, environ, terminal, run_id=question.run_id)
        from cli.analyze_session import watch_outcomes
        from cli.request import Request

        ticker = question.subject or ""

        async def outcomes(
            services: Services, subscribers: Sequence[Subscriber]
        ) -> AsyncGenerator[tuple[str, Run | TradingAgentsError], None]:
            from tradingagents.workflows.start import Run, resume

            try:
                done = await resume(services, question.run_id, subscribers=subscribers, approval=_approval(said))
            except TradingAgentsError as error:
                yield ticker, error
            else:
                assert isinstance(done, Run)  # noqa: S101 - the question is of a ticker
                yield ticker, done

        return watch_outcomes(Request((ticker,), question.trade_date), settings, environ, terminal, outcomes)

    return answer(terminal, {"run_id": run}, work)


def _approval(said: dict[str, Any] | None) -> Approval | None:
    from tradingagents.agents.managers.approval import Approval

    return None if said is None else Approval(**said)
