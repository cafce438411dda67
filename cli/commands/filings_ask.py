"""`tradingagents filings ask`: answers one question from filings, calls and news, with citations."""

from __future__ import annotations

from typing import Annotated

import typer

from .. import options
from ..command import with_options
from ..console import Terminal
from ..flags import Flags, read_both
from ..request import read_day

QUESTION = options.HelpPanel("Question")
ModeOption = Annotated[
    str | None,
    QUESTION.option("--mode MODE", "direct, standard, detailed or deep_search; default: as the question says."),
]
AsOfOption = Annotated[
    str | None,
    QUESTION.option(
        "--as-of, --date DATE", "Read nothing that was published after the close of this day; default: the present."
    ),
]


@with_options(options.FILINGS_ASK, lambda given: {"question": given["question"]})
def ask(
    question: Annotated[str, typer.Argument(metavar="QUESTION", help="In plain words.")],
    mode: ModeOption = None,
    as_of: AsOfOption = None,
    max_iterations: Annotated[
        int | None, QUESTION.option("--max-iterations", "Instead of the mode's.", min=1, max=20)
    ] = None,
    *,
    flags: Flags,
    terminal: Terminal,
) -> int:
    """Answer a question; every figure and claim is cited to a page, a speaker or an article."""
    from ..filings_session import FilingsSession

    day = read_day(as_of)
    settings, environ = read_both(flags)
    with terminal.loading():
        from tradingagents.workflows.filings_qa import FilingsRequest, mode_named

        request = FilingsRequest(question=question, mode=mode_named(mode), day=day, max_iterations=max_iterations)
    return FilingsSession(settings, environ, terminal).start(request)
