"""`tradingagents filings chat`: a conversation; each question may refer to those before it."""

from __future__ import annotations

import secrets
import sys
from typing import Annotated

from tradingagents.errors import TradingAgentsError
from tradingagents.features.filings_qa.kind import FILINGS_QA, FilingsRequest
from tradingagents.runtime.runs.run_folder import checked_component

from .. import options
from ..command import with_options
from ..console import Terminal
from ..flags import Flags, read_both
from ..request import DateArgument, DateOption, one_day, read_day

QUESTION = options.HelpPanel("Question")
ModeOption = Annotated[
    str | None,
    QUESTION.option("--mode MODE", "direct, standard, detailed or deep_search; default: as the question says."),
]
LEAVE = ("exit", "quit", ":q")


@with_options(options.of_kind(FILINGS_QA), lambda given: {"session": given["session"]})
def chat(
    day: DateArgument = None,
    session: Annotated[str | None, QUESTION.option("--session ID", "Continue a conversation.")] = None,
    mode: ModeOption = None,
    date_option: DateOption = None,
    *,
    flags: Flags,
    terminal: Terminal,
) -> int:
    """Ask one question after the other, a line each; end with an empty line, exit or Ctrl-D."""
    from tradingagents.features.filings_qa.run import (
        mode_named,
    )  # load the graph's libraries, which the help does without

    from ..run_session import KindSession

    asked = read_day(one_day(day, date_option))
    settings, environ = read_both(flags)
    wanted = mode_named(mode)
    conversation = checked_component(session) if session else f"filings-{secrets.token_hex(4)}"
    code = 0
    while (question := _next_question(terminal)) is not None:
        request = FilingsRequest(question=question, mode=wanted, day=asked, conversation=conversation)
        try:
            code = KindSession(FILINGS_QA, settings, environ, terminal).start(request)
        except TradingAgentsError as error:
            if not sys.stdin.isatty():
                raise
            terminal.print_error(str(error))
            code = error.exit_code
    if not terminal.quiet:
        terminal.err.print(f"Continue with: tradingagents filings chat --session {conversation}", markup=False)
    return code


def _next_question(terminal: Terminal) -> str | None:
    """Return the next question; None at the end."""
    if sys.stdin.isatty():
        terminal.err.print("? ", end="", markup=False)
    line = sys.stdin.readline()
    question = line.strip()
    return None if not question or question.lower() in LEAVE else question
