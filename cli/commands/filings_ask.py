"""`tradingagents filings ask`: answers one question from filings, calls and news, with citations."""

from __future__ import annotations

from typing import Annotated

import typer

from .. import options
from ..command import with_options
from ..console import Terminal
from ..flags import Flags, read_both
from ..request import read_day

QUESTION = "Question"
ModeOption = Annotated[
    str | None,
    typer.Option(
        "--mode",
        metavar="MODE",
        help="direct, standard, detailed or deep_search; default: as the question says.",
        rich_help_panel=QUESTION,
    ),
]
AsOfOption = Annotated[
    str | None,
    typer.Option(
        "--as-of",
        "--date",
        metavar="DATE",
        help="Read nothing that was published after the close of this day; default: the present.",
        rich_help_panel=QUESTION,
    ),
]


@with_options(options.FILINGS_ASK, lambda given: {"question": given["question"]})
def ask(
    question: Annotated[str, typer.Argument(metavar="QUESTION", help="In plain words.")],
    mode: ModeOption = None,
    as_of: AsOfOption = None,
    max_iterations: Annotated[
        int | None,
        typer.Option("--max-iterations", min=1, max=20, help="Instead of the mode's.", rich_help_panel=QUESTION),
    ] = None,
    *,
    flags: Flags,
    terminal: Terminal,
) -> int:
    """Answer a question; every figure and claim is cited to a page, a speaker or an article."""
    from ..filings_session import answer_question, print_answer

    day = read_day(as_of)
    settings, environ = read_both(flags)
    with terminal.loading():
        from tradingagents.runtime.services import open_services
        from tradingagents.workflows.filings_qa import FilingsRequest, mode_named

        request = FilingsRequest(question=question, mode=mode_named(mode), day=day, max_iterations=max_iterations)
        services = open_services(settings, environ)
    try:
        answer = answer_question(services, request, terminal)
    finally:
        services.close()
    return print_answer(terminal, answer.record)
