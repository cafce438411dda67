"""`tradingagents filings ask`: answers one question from filings, calls and news, with citations."""

from __future__ import annotations

from typing import Annotated

import typer

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


@with_options(options.FILINGS_ASK, lambda given: {"question": given["question"]})
def ask(
    question: Annotated[str, typer.Argument(metavar="QUESTION", help="In plain words.")],
    day: DateArgument = None,
    mode: ModeOption = None,
    date_option: DateOption = None,
    max_iterations: Annotated[
        int | None, QUESTION.option("--max-iterations", "Instead of the mode's.", min=1, max=20)
    ] = None,
    *,
    flags: Flags,
    terminal: Terminal,
) -> int:
    """Answer a question; every figure and claim is cited to a page, a speaker or an article."""
    from ..filings_session import FilingsSession

    asked = read_day(one_day(day, date_option))
    settings, environ = read_both(flags)
    with terminal.loading():
        from tradingagents.features.filings_qa.kind import FilingsRequest
        from tradingagents.features.filings_qa.run import mode_named

        request = FilingsRequest(question=question, mode=mode_named(mode), day=asked, max_iterations=max_iterations)
    return FilingsSession(settings, environ, terminal).start(request)
