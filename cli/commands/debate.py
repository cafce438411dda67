"""`tradingagents debate`: bull against bear on one company, a moderator's verdict, and questions about it."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from tradingagents.errors import UsageError

from .. import options
from ..command import with_options
from ..console import Terminal
from ..flags import Flags, limits_of, read_both
from ..request import DateArgument, DateOption, one_day, read_day

_DEBATE, _AGAIN = options.HelpPanel("Debate"), options.HelpPanel("A debate that waits or has ended")


class _DebateForm(StrEnum):
    SUMMARY = "summary"
    FULL = "full"


@with_options(options.DEBATE, lambda given: {"ticker": given["ticker"]})
def debate(
    ticker: Annotated[
        str | None, typer.Argument(metavar="TICKER", help="The company; with --ask, the question about the debate.")
    ] = None,
    day: DateArgument = None,
    deep: Annotated[bool, _DEBATE.option("--deep", "Two rebuttals a side instead of one.")] = False,
    coach: Annotated[
        bool, _DEBATE.option("--coach", "Pause between the phases for hints to the bull or the bear.")
    ] = False,
    hint: Annotated[
        list[str] | None,
        _DEBATE.option(
            "--hint SIDE=TEXT", "Advice to bull or bear for the next pause; implies --coach; may be repeated."
        ),
    ] = None,
    date_option: DateOption = None,
    session: Annotated[
        str | None,
        _DEBATE.option("--session ID", "Add the verdict to what was researched in this session or conversation."),
    ] = None,
    form: Annotated[
        _DebateForm, _DEBATE.option("--format", "Print the debate on a page, or all of it.")
    ] = _DebateForm.SUMMARY,
    plain: Annotated[bool, _DEBATE.option("--plain", "Print statements as lines, without frames.")] = False,
    resume: Annotated[str | None, _AGAIN.option("--resume RUN", "Resume this debate instead of a new one.")] = None,
    ask: Annotated[str | None, _AGAIN.option("--ask RUN", "Ask a question about this debate.")] = None,
    *,
    flags: Flags,
    terminal: Terminal,
) -> int:
    """Debate a company: bull against bear from the same evidence, a verdict, and what would change it."""
    from ..debate_session import DebateSession, parse_hints

    if resume is not None and (ticker is not None or ask is not None):
        raise UsageError("--resume RUN takes neither a ticker nor --ask; leave them out.")
    if resume is None and ticker is None:
        wanted = (
            'a question, such as "What would change your mind?"' if ask else "a ticker, such as VELQ, or --resume RUN"
        )
        raise UsageError(f"Name {wanted}.")
    hints = parse_hints(hint or ())
    settings, environ = read_both(flags)
    work = DebateSession(settings, environ, terminal, plain=plain, form=form.value)
    if ask is not None:
        return work.ask(ask, ticker or "", limits_of(flags))
    for side, text in hints:
        work.hint(side, text)
    if resume is not None:
        return work.resume(resume, None, limits_of(flags))
    with terminal.loading():
        from tradingagents.features.debate.run import DebateRequest

        from ..session_choice import session_and_day

        belongs, as_of = session_and_day(settings, environ, session, read_day(one_day(day, date_option)))
        request = DebateRequest(
            ticker=ticker or "", day=as_of, rounds=2 if deep else 1, coach=coach or bool(hints), session=belongs
        )
    return work.start(request)
