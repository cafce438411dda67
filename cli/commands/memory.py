"""`tradingagents memory`: what came of decisions, what the agents learned from it, and how good they were."""

from __future__ import annotations

import typer

from cli.commands import memory_forget, memory_list, memory_scoreboard, memory_settle
from cli.help import GroupedCommand

HELP = "Look after what the agents learned: settle outcomes, list, show and forget lessons, keep score."
USAGE = 2

app = typer.Typer(help=HELP, rich_markup_mode=None, no_args_is_help=False)
_CODES = "Exit codes: 0 done · 2 usage{two} · 3 configuration{more} · 130 interrupted."
_SETTLE = " · 4 prices missing · 5 model failure · 6 budget reached; of several, the first thing that went wrong"
app.command("settle", cls=GroupedCommand, epilog=_CODES.format(two="", more=_SETTLE))(memory_settle.settle)
app.command("list", cls=GroupedCommand, epilog=_CODES.format(two="", more=""))(memory_list.list_lessons)
app.command("show", cls=GroupedCommand, epilog=_CODES.format(two=", or no such lesson", more=""))(memory_list.show)
app.command("forget", cls=GroupedCommand, epilog=_CODES.format(two=", or no such lesson", more=""))(
    memory_forget.forget
)
app.command("scoreboard", cls=GroupedCommand, epilog=_CODES.format(two="", more=""))(memory_scoreboard.scoreboard)


@app.callback(invoke_without_command=True)
def bare(context: typer.Context) -> None:
    """Look after what the agents learned: settle outcomes, list, show and forget lessons, keep score."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help(), err=True)
        raise typer.Exit(USAGE)
