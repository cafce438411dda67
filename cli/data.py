"""`tradingagents data`: what is cached, recorded and imported, and whether a recorded folder is sound."""

from __future__ import annotations

import typer

from cli import data_status
from cli.help import GroupedCommand

USAGE = 2

app = typer.Typer(
    help="Look after market data: what is cached, what is recorded, and whether it is sound.",
    rich_markup_mode=None,
    no_args_is_help=False,
)
app.command("status", cls=GroupedCommand)(data_status.status)


@app.callback(invoke_without_command=True)
def bare(context: typer.Context) -> None:
    """Look after market data: what is cached, what is recorded, and whether it is sound."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help(), err=True)
        raise typer.Exit(USAGE)
