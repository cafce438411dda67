"""`tradingagents compare`: researches companies side by side, then compares them in one table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from .. import options
from ..command import with_options
from ..console import Terminal
from ..flags import Flags, read_both
from ..request import DateOption, one_day, read_day, split_arguments

if TYPE_CHECKING:
    from collections.abc import Mapping

PANEL = options.HelpPanel("Comparison")


def _about(given: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the request, for JSON errors."""
    return {"tickers": list(given["tickers"])}


@with_options(options.COMPARE, _about)
def compare(
    tickers: Annotated[
        list[str],
        typer.Argument(
            metavar="TICKER... [DATE]", help="Two to eight companies, then the day; with --ask, the question."
        ),
    ],
    on: Annotated[
        str,
        PANEL.option(
            "--on TOPICS",
            "Separated by commas: margins, growth, valuation, returns, debt, cash, quality, momentum, risk. "
            "Default: growth,margins,valuation.",
        ),
    ] = "",
    date_option: DateOption = None,
    session: Annotated[
        str | None,
        PANEL.option("--session ID", "Reuse what was researched in this session or conversation, and add to it."),
    ] = None,
    ask: Annotated[str | None, PANEL.option("--ask RUN", "Answer from this comparison, which has ended.")] = None,
    plain: Annotated[bool, PANEL.option("--plain", "Print progress as lines, without redrawing.")] = False,
    *,
    flags: Flags,
    terminal: Terminal,
) -> int:
    """Compare companies: research on each, then one answer with a table of comparable figures and its sources."""
    from ..compare_session import CompareSession
    from ..run_answer import print_run_answer

    settings, environ = read_both(flags)
    if ask is not None:
        return print_run_answer(settings, terminal, ask, " ".join(tickers))
    with terminal.loading():
        from tradingagents.features.compare.run import CompareRequest

        from ..session_choice import session_and_day

        companies, named = split_arguments(tickers)
        belongs, day = session_and_day(settings, environ, session, read_day(one_day(named, date_option)))
        request = CompareRequest(tickers=companies, topics=tuple(on.split(",")), day=day, session=belongs)
    return CompareSession(settings, environ, terminal, plain=plain).start(request)
