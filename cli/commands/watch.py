"""`tradingagents watch`: a list of tickers, studied again and again, and what changed since the last time."""

from __future__ import annotations

from typing import Annotated

import typer

from cli import options
from cli.command import answer, takes
from cli.commands.estimate import DryRun, print_estimate
from cli.flags import Flags, read_both
from cli.help import GroupedCommand, exit_codes
from cli.request import DAY_HELP, DateOption, one_day, read_day
from cli.terminal import Terminal

CHANGES = "Changes"
USAGE = 2

Tickers = Annotated[list[str], typer.Argument(metavar="TICKER...", help="Symbols.", show_default=False)]

app = typer.Typer(
    help="Keep a list of tickers, study them again, and see what changed.", rich_markup_mode=None, no_args_is_help=False
)


@app.callback(invoke_without_command=True)
def bare(context: typer.Context) -> None:
    """Keep a list of tickers, study them again, and see what changed."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help(), err=True)
        raise typer.Exit(USAGE)


@app.command("add", cls=GroupedCommand)
@takes(options.LIST)
def add(tickers: Tickers, *, flags: Flags, terminal: Terminal) -> int:
    """Put tickers on the list."""

    def work() -> int:
        from cli.commands.watch_list import add_tickers

        return add_tickers(tickers, read_both(flags)[0].home_dir, terminal)

    return answer(terminal, {"tickers": tickers}, work)


@app.command("remove", cls=GroupedCommand)
@takes(options.LIST)
def remove(tickers: Tickers, *, flags: Flags, terminal: Terminal) -> int:
    """Take tickers off the list."""

    def work() -> int:
        from cli.commands.watch_list import remove_tickers

        return remove_tickers(tickers, read_both(flags)[0].home_dir, terminal)

    return answer(terminal, {"tickers": tickers}, work)


@app.command("list", cls=GroupedCommand)
@takes(options.LIST)
def show(*, flags: Flags, terminal: Terminal) -> int:
    """Print the list, a ticker a line."""

    def work() -> int:
        from cli.commands.watch_list import print_list

        return print_list(read_both(flags)[0].home_dir, terminal)

    return answer(terminal, {}, work)


@app.command("run", cls=GroupedCommand, epilog=exit_codes())
@takes(options.WATCH)
def run(
    day: Annotated[str | None, typer.Argument(metavar="[DATE]", help=DAY_HELP, show_default=False)] = None,
    min_move: Annotated[
        float,
        typer.Option(
            "--min-move",
            metavar="X",
            help="Least difference in confidence that counts as a change, 0 to 1.",
            rich_help_panel=CHANGES,
        ),
    ] = 0.05,
    webhook: Annotated[
        str | None,
        typer.Option(
            "--webhook",
            metavar="URL",
            help="Tell this address too, signed with TRADINGAGENTS_WEBHOOK_SECRET.",
            rich_help_panel=CHANGES,
        ),
    ] = None,
    date_option: DateOption = None,
    dry_run: DryRun = False,
    *,
    flags: Flags,
    terminal: Terminal,
) -> int:
    """Study the list and tell what changed.

    Each decision is compared with the one before it. A second start on a day makes only what is missing.
    """

    def work() -> int:
        asked = read_day(one_day(day, date_option))
        settings, environ = read_both(flags)

        from cli.watch_session import estimate_watch, read_request, run_watch

        if dry_run:
            return print_estimate(terminal, lambda: estimate_watch(settings, asked))
        return run_watch(read_request(asked, min_move, webhook, environ), settings, environ, terminal)

    return answer(terminal, {"trade_date": day or date_option}, work)
