"""`tradingagents data`: what is cached, recorded and imported, and whether a recorded folder is sound."""

from __future__ import annotations

import typer

from cli.commands import data_check, data_import, data_record, data_status
from cli.help import GroupedCommand

USAGE = 2

app = typer.Typer(
    help="Look after market data: what is cached, what is recorded, and whether it is sound.",
    rich_markup_mode=None,
    no_args_is_help=False,
)
_CODES = "Exit codes: 0 done · 2 usage · 3 configuration · 4 {four} · 130 interrupted."
app.command("status", cls=GroupedCommand)(data_status.status)
app.command("record", cls=GroupedCommand, epilog=_CODES.format(four="data unavailable, or not all of it"))(
    data_record.record
)
app.command("import", cls=GroupedCommand, epilog=_CODES.format(four="the file cannot be used"))(data_import.import_)
app.command("check", cls=GroupedCommand, epilog=_CODES.format(four="the folder is not sound"))(data_check.check)


@app.callback(invoke_without_command=True)
def bare(context: typer.Context) -> None:
    """Look after market data: what is cached, what is recorded, and whether it is sound."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help(), err=True)
        raise typer.Exit(USAGE)
