"""`tradingagents backtest show`: decides one day of a backtest again, with all its reports on disk."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tradingagents.errors import UsageError

from .. import options
from ..command import with_options
from ..console import Terminal
from ..flags import Flags, read_both
from ..request import read_calendar_day

if TYPE_CHECKING:
    from tradingagents.features.backtest.decisions.again import DecidedAgain


@with_options(options.BACKTEST, lambda given: {"folder": str(given["folder"]), "ticker": given["ticker"]})
def show(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The backtest's folder, or its name.")],
    ticker: Annotated[str, typer.Argument(metavar="TICKER", help="A ticker of the backtest.")],
    day: Annotated[str, typer.Argument(metavar="DATE", help="The day of the decision.")],
    *,
    flags: Flags,
    terminal: Terminal,
) -> int:
    """Decide one day of a backtest again, with all its reports on disk.

    Give the options with which the backtest was run. It says whether the evidence has the same hash and whether the
    decision is the same; the run is then in the list of runs like any other.
    """
    with terminal.loading():
        from tradingagents.features.backtest.decisions.again import decide_again
        from tradingagents.features.backtest.pages.files import FOLDER
        from tradingagents.runtime.services import open_services

        from ..session import run_until_done

        on = read_calendar_day("DATE", day)
        if on is None:
            raise UsageError("Name the day of the decision.")
        settings, environ = read_both(flags)
        named = settings.home_dir / FOLDER / folder.name
        services = open_services(settings, environ)
    place = folder if folder.is_dir() or not named.is_dir() else named
    found = run_until_done(services, decide_again(services, place, ticker, on), terminal)
    if terminal.json:
        terminal.print_json(_record(found))
    else:
        _print(terminal, found)
    return 0


def _record(found: DecidedAgain) -> dict[str, Any]:
    return {
        "ticker": found.ticker,
        "day": found.day.isoformat(),
        "run_id": found.run_id,
        "page": found.page,
        "same_evidence": found.same_evidence,
        "same_decision": found.same_decision,
        "before": found.before.model_dump(mode="json"),
        "after": found.after.model_dump(mode="json"),
    }


def _print(terminal: Terminal, found: DecidedAgain) -> None:
    from tradingagents.schemas.decision import sureness_words

    said = "the same evidence" if found.same_evidence else "other evidence"
    for when, made in (("In the backtest", found.before), ("Now", found.after)):
        sure = sureness_words(made.confidence, made.strength)
        terminal.out.print(f"{when}: {made.action}, {sure}", markup=False)
    same = "the same decision" if found.same_decision else "another decision"
    terminal.out.print(f"{found.ticker} on {found.day}: {said}, {same}.", markup=False)
    terminal.print_text(f"Page: {found.page}")
