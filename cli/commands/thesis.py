"""`tradingagents thesis`: save theses on companies, list and show them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tradingagents.errors import UsageError

from .. import options
from ..command import with_options
from ..console import Terminal
from ..flags import Flags, read_both
from ..groups import GroupedCommand, command_group
from ..text import clean

if TYPE_CHECKING:
    from tradingagents.features.deep_report.schemas.saved_thesis import StoredThesis

HELP = "Save theses on companies with their figures and what would prove them wrong; list and show them."
_CODES = "Exit codes: 0 done · 2 usage, or no such run or thesis · 3 configuration · 130 interrupted."
THESIS = options.HelpPanel("Thesis")

app = command_group(HELP)


@app.command("save", cls=GroupedCommand, epilog=_CODES)
@with_options(options.LIST, lambda given: {"run_id": given["run"]})
def save(
    run: Annotated[str, typer.Argument(metavar="RUN", help="The run that it is drawn from, or the first part of it.")],
    ticker: Annotated[str | None, THESIS.option("--ticker TICKER", "Company; default: that of the run.")] = None,
    thesis: Annotated[str, THESIS.option("--thesis TEXT", "In words; default: the run's answer.")] = "",
    breaker: Annotated[
        list[str] | None, THESIS.option("--breaker TEXT", "What would prove it wrong; may be repeated.")
    ] = None,
    *,
    flags: Flags,
    terminal: Terminal,
) -> int:
    """Save the answer of a run as a thesis on a company, with the run's figures and their sources."""
    from tradingagents.features.deep_report.capabilities.theses import SavedThesis
    from tradingagents.runtime.runs.run_index import RunIndex
    from tradingagents.service.kernel.caller import Caller
    from tradingagents.service.kernel.kernel import Kernel

    settings = read_both(flags)[0]
    found = RunIndex(settings.home_dir).find(run)
    given = {
        "ticker": ticker or _company_of(found.card() or {}, found.run_id),
        "thesis": thesis,
        "breakers": "\n".join(breaker or ()),
        "run_id": found.run_id,
    }
    result = Kernel(settings).ask("save_thesis", given, as_of=found.day, caller=Caller(face="cli"))
    if not isinstance(result, SavedThesis) or result.stored is None:
        raise TypeError("save_thesis returns what it has saved")
    if terminal.json:
        terminal.print_json(result.stored.model_dump(mode="json"))
    elif not terminal.quiet:
        terminal.print_text(f"Saved {result.stored.thesis_id}")
    return 0


@app.command("list", cls=GroupedCommand, epilog=_CODES)
@with_options(options.LIST)
def list_theses(
    ticker: Annotated[str | None, typer.Argument(metavar="[TICKER]", help="Only those on this company.")] = None,
    *,
    flags: Flags,
    terminal: Terminal,
) -> int:
    """List the saved theses, the latest day of study first."""
    from tradingagents.dataflows.reference.symbols import normalise
    from tradingagents.features.deep_report.theses import ThesisStore

    store = ThesisStore(read_both(flags)[0].home_dir)
    theses = list(store.newest_first(normalise(ticker) if ticker else None))
    if terminal.json:
        terminal.print_json({"theses": [thesis.model_dump(mode="json") for thesis in theses]})
    elif theses:
        terminal.print_text("\n".join(map(_row, theses)))
    elif not terminal.quiet:
        terminal.err.print("No thesis is saved; save one with: tradingagents thesis save RUN", markup=False)
    return 0


@app.command("show", cls=GroupedCommand, epilog=_CODES)
@with_options(options.LIST, lambda given: {"thesis_id": given["thesis"]})
def show(
    thesis: Annotated[str, typer.Argument(metavar="THESIS", help="Its id, or the first part of it.")],
    *,
    flags: Flags,
    terminal: Terminal,
) -> int:
    """Show a saved thesis with its figures and what would prove it wrong."""
    from tradingagents.features.deep_report.capabilities.theses import thesis_text
    from tradingagents.features.deep_report.theses import ThesisStore

    found = ThesisStore(read_both(flags)[0].home_dir).get(thesis)
    if terminal.json:
        terminal.print_json(found.model_dump(mode="json"))
    else:
        terminal.print_text(clean(thesis_text(found)))
    return 0


def _company_of(card: Mapping[str, Any], run_id: str) -> str:
    """Return the one company of a run.

    Raises:
        UsageError: It has none, or several.
    """
    named = [card["ticker"]] if card.get("ticker") else (card.get("understanding") or {}).get("tickers") or []
    if len(named) != 1:
        raise UsageError(f"{run_id} is about {', '.join(named) or 'no one company'}; name one with --ticker.")
    return str(named[0])


def _row(thesis: StoredThesis) -> str:
    words = clean(" ".join(thesis.thesis.split()))
    return f"{thesis.thesis_id}  {thesis.ticker}  {words if len(words) <= 80 else f'{words[:79]}…'}"
