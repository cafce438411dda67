"""`tradingagents report`: a deep report on one company, by hypotheses and evidence, with a valuation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from tradingagents.errors import UsageError

from .. import options
from ..command import with_options
from ..console import Terminal
from ..flags import Flags, limits_of, read_both
from ..request import DateArgument, DateOption, day_asked, one_day, read_day

if TYPE_CHECKING:
    from collections.abc import Mapping

DEPTH = options.HelpPanel("Depth")
MOST = 15


def _about(given: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the request, for JSON errors."""
    return {"ticker": given["ticker"], "as_of": day_asked(given)}


@with_options(options.REPORT, _about)
def report(
    ticker: Annotated[str | None, typer.Argument(metavar="[TICKER]", help="Company, for example AAPL.")] = None,
    day: DateArgument = None,
    min_iterations: Annotated[
        int, DEPTH.option("--min-iterations", "Rounds before confidence may end it.", min=1, max=MOST)
    ] = 10,
    max_iterations: Annotated[int, DEPTH.option("--max-iterations", "Rounds at most.", min=1, max=MOST)] = MOST,
    ask: Annotated[bool, DEPTH.option("--ask", "Pause after each round for hints on what to look at next.")] = False,
    hint: Annotated[
        list[str] | None,
        DEPTH.option(
            "--hint TEXT", "What the first round should look at, or with --resume the next one; may be repeated."
        ),
    ] = None,
    resume: Annotated[str | None, DEPTH.option("--resume RUN", "Resume this run instead.")] = None,
    date_option: DateOption = None,
    *,
    flags: Flags,
    terminal: Terminal,
) -> int:
    """Write a deep report on a company: hypotheses, evidence with sources, both sides, and what it is worth."""
    from ..report_session import ReportSession

    if (ticker is None) == (resume is None):
        raise UsageError("Name one company, such as tradingagents report TICKER, or --resume RUN.")
    day = one_day(day, date_option)
    settings, environ = read_both(flags)
    work = ReportSession(settings, environ, terminal)
    if resume is not None:
        return work.resume(resume, {"hints": hint} if hint else None, limits_of(flags))
    with terminal.loading():
        from tradingagents.features.deep_report.run import DeepReportRequest

        request = DeepReportRequest(
            ticker=ticker or "",
            day=read_day(day),
            min_iterations=min(min_iterations, max_iterations),
            max_iterations=max_iterations,
            ask=ask,
            hints=tuple(hint or ()),
        )
    return work.start(request)
