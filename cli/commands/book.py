"""`tradingagents book`: what its reader holds, by day: import it from a broker's file, show it at today's prices."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tradingagents.errors import UsageError

from .. import options
from ..command import with_options
from ..console import Terminal
from ..flags import Flags, read_both
from ..groups import GroupedCommand, command_group
from ..request import DateArgument, DateOption, one_day, read_calendar_day, read_day

if TYPE_CHECKING:
    from tradingagents.schemas.portfolio import Portfolio

BOOK = options.HelpPanel("Book")
CODES = "Exit codes: 0 done · 2 usage, or a file that cannot be read · 3 configuration · 4 data unavailable."
app = command_group("Keep what you hold, by day: decisions and lists of orders can take it into account.")


@app.command("import", cls=GroupedCommand, epilog=CODES)
@with_options(options.LIST, lambda given: {"file": str(given["file"] or "")})
def import_(
    file: Annotated[
        Path | None,
        typer.Argument(
            metavar="[FILE]",
            help="CSV, JSON or XLSX, a row a position: ticker and quantity; average price, currency, account if known.",
        ),
    ] = None,
    paper: Annotated[str | None, BOOK.option("--paper NAME", "Take what this paper account holds instead.")] = None,
    day: Annotated[
        str | None,
        BOOK.option(
            "--day DATE", "Day of the holdings, if the file names none; default: today. Splits since adjust them."
        ),
    ] = None,
    cash: Annotated[
        list[str] | None,
        BOOK.option("--cash CURRENCY=AMOUNT", "Cash, in place of the file's in this currency; may be repeated."),
    ] = None,
    *,
    flags: Flags,
    terminal: Terminal,
) -> int:
    """Store what you hold on a day, from a file as brokers export it or from a paper account.

    It replaces the book of the same day, and nothing else; a file with a fault is refused, with row and column. The
    book is a file for you only, in the folder `book` of the home.
    """
    from tradingagents.dataflows.portfolio_file import read_cash, read_portfolio
    from tradingagents.dataflows.portfolio_store import completed, save_book

    if (file is None) == (paper is None):
        raise UsageError("Name a file, or --paper and the name of a paper account.")
    stated = read_calendar_day("--day", day)
    amounts = read_cash(cash or ())
    settings, _ = read_both(flags)
    home = settings.home_dir
    if paper is not None:
        from tradingagents.features.backtest.paper.status import paper_portfolio

        found = paper_portfolio(home, paper)
    else:
        found = read_portfolio(file or Path(), day=stated)
    book = completed(found, settings, day=stated, cash=amounts)
    path = save_book(home, book)
    if terminal.json:
        terminal.print_json({"status": "done", "file": str(path), "book": book.as_json(), "hash": book.digest})
    elif not terminal.quiet:
        terminal.print_text(f"Stored the book of {book.day}: {_counted(book)}. File: {path}")
        if not book.cash:
            terminal.note("It names no cash, so that nothing can be bought from it; add it with --cash USD=1000.")
    return 0


@app.command("show", cls=GroupedCommand, epilog=CODES)
@with_options(options.ASK)
def show(
    day: DateArgument = None,
    date_option: DateOption = None,
    prices: Annotated[bool, BOOK.option("--prices/--no-prices", "Value it at the last closes before the day.")] = True,
    *,
    flags: Flags,
    terminal: Terminal,
) -> int:
    """Show the book as it stood on a day, at the prices of that day: value, weight, change and gain."""
    from tradingagents.dataflows.portfolio_store import needed_book

    from ..book_output import print_book, print_valued

    asked = read_day(one_day(day, date_option))
    settings, _ = read_both(flags)
    with terminal.loading():
        if prices:
            from tradingagents.capabilities.standalone import open_market
            from tradingagents.dataflows.valued_book import valued_book

            market = open_market({}, as_of=asked, settings=settings)
            book = needed_book(settings.home_dir, market.as_of)
            valued = valued_book(book, market)
        else:
            book, valued = needed_book(settings.home_dir, asked or date.max), None
    if terminal.json:
        terminal.print_json(
            {"book": book.as_json(), "hash": book.digest, "valued": None if valued is None else valued.to_json()}
        )
    elif valued is None:
        print_book(terminal.out, book)
    else:
        print_valued(terminal.out, book, valued)
    return 0


@app.command("days", cls=GroupedCommand, epilog=CODES)
@with_options(options.LIST)
def days(*, flags: Flags, terminal: Terminal) -> int:
    """List the days of which books are stored, and what they hold."""
    from tradingagents.dataflows.portfolio_store import NO_BOOK, book_days, needed_book

    home = read_both(flags)[0].home_dir
    books = [needed_book(home, day) for day in book_days(home)]
    if terminal.json:
        terminal.print_json({"books": [{"day": str(book.day), "hash": book.digest} for book in books]})
    elif books:
        terminal.print_text("\n".join(f"{book.day}  {_counted(book)}" for book in books))
    else:
        terminal.note(NO_BOOK)
    return 0


@app.command("clear", cls=GroupedCommand, epilog=CODES)
@with_options(options.LIST, lambda given: {"day": given["day"]})
def clear(
    day: Annotated[
        str | None, typer.Argument(metavar="[DAY]", help="Delete the book of this day; default: all.")
    ] = None,
    yes: Annotated[bool, BOOK.option("--yes, -y", "Do not ask.")] = False,
    *,
    flags: Flags,
    terminal: Terminal,
) -> int:
    """Delete the stored book of a day, or those of all days; runs that were given one keep what they said."""
    from tradingagents.dataflows.portfolio_store import NO_BOOK, book_days, remove_book

    home = read_both(flags)[0].home_dir
    asked = read_calendar_day("DAY", day)
    gone = book_days(home) if asked is None else (asked,)
    if not gone:
        raise UsageError(NO_BOOK)

    def tell() -> None:
        terminal.err.print("\n".join(map(str, gone)), markup=False)

    if not (yes or terminal.confirm("delete", tell, "Delete the books of these days for good?")):
        terminal.note("Nothing was deleted.")
        return 0
    for known in gone:
        remove_book(home, known)
    if terminal.json:
        terminal.print_json({"status": "done", "deleted": [str(known) for known in gone]})
    elif not terminal.quiet:
        terminal.print_text(f"Deleted {len(gone)} book{'' if len(gone) == 1 else 's'}.")
    return 0


def _counted(book: Portfolio) -> str:
    """Say how much a book holds."""
    if book.is_flat:
        what = "nothing is held"
    else:
        count, symbols = len(book.positions), len(book.symbols)
        what = f"{count} position{'' if count == 1 else 's'} in {symbols} instrument{'' if symbols == 1 else 's'}"
    cash = ", ".join(f"{amount:,.2f} {currency}" for currency, amount in book.cash.items())
    return f"{what}; cash {cash or 'not named'}"
