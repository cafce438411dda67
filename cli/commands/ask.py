"""`tradingagents ask`: answers one question about a stock or the market, without a model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tradingagents.errors import NotFound

from .. import options
from ..command import with_options
from ..console import Terminal
from ..flags import Flags, read_both
from ..groups import GroupedCommand
from ..request import DateOption, one_day, read_day, split_arguments

if TYPE_CHECKING:
    from tradingagents.capabilities.capability import Capability

_CODES = "Exit codes: 0 answered · 2 usage · 3 configuration · 4 data unavailable · 130 interrupted."


class AskCommand(GroupedCommand):
    """The command; `ask CAPABILITY --help` describes the capability."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Show the capability's help if requested; otherwise read the arguments."""
        if args[:1] and not args[0].startswith("-") and {"--help", "-h"} & set(args):
            from tradingagents.capabilities.ask import describe
            from tradingagents.capabilities.registry import by_name

            typer.echo(describe(by_name(args[0])))
            ctx.exit()
        return super().parse_args(ctx, args)


app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command("ask", cls=AskCommand, epilog=_CODES)
@with_options(options.ASK, lambda given: {"capability": given["capability"]})
def ask(
    capability: Annotated[
        str | None,
        typer.Argument(metavar="[CAPABILITY]", help="What to ask; without it, all capabilities are listed."),
    ] = None,
    arguments: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[ARG=VALUE ...] [DATE]",
            help="Its arguments, such as ticker=AAPL (--help names them); then the day.",
        ),
    ] = None,
    date_option: DateOption = None,
    *,
    flags: Flags,
    terminal: Terminal,
) -> int:
    """Answer a question about a stock or the market from data: no model is asked."""
    from tradingagents.capabilities.ask import listed, read_arguments
    from tradingagents.service.kernel.caller import Caller
    from tradingagents.service.kernel.kernel import Kernel

    if capability is None:
        known = {capability_info.name: capability_info.summary for capability_info in listed()}
        if terminal.json:
            terminal.print_json({"capabilities": known})
        else:
            _print_list(terminal)
        return 0
    words, day = split_arguments(arguments or [])
    given = read_arguments(_named(capability, words), words)
    as_of = read_day(one_day(day, date_option))
    settings, _ = read_both(flags)
    with terminal.loading():
        answer = Kernel(settings).invoke(capability, given, as_of=as_of, caller=Caller(face="cli"))
    if terminal.json:
        terminal.print_json(answer.model_dump(mode="json"))
    else:
        from ..text import clean

        terminal.print_text(clean(answer.markdown))
    return 0


def _named(name: str, words: Sequence[str]) -> Capability:
    """Return a capability by name.

    Raises:
        NotFound: There is none; names those that the words ask for, and where questions in words are answered.
    """
    from tradingagents.capabilities.ask import nearest_to
    from tradingagents.capabilities.registry import by_name

    try:
        return by_name(name)
    except NotFound as error:
        near = nearest_to(" ".join((name, *words)))
        if "did you mean" in str(error):
            raise
        told = f"The nearest to what you ask: {', '.join(near)}. " if near else ""
        raise NotFound(
            f"There is no capability {name[:40]!r}. {told}Write it first, then its arguments: "
            "get_fundamentals ticker=AAPL. `chat` answers questions in words; `tradingagents ask` lists them all."
        ) from None


def _print_list(terminal: Terminal) -> None:
    from rich.table import Table
    from rich.text import Text

    from tradingagents.capabilities.ask import by_subject

    grid = Table.grid(padding=(0, 2))
    grid.add_column(no_wrap=True)
    grid.add_column()
    for number, (subject, capabilities) in enumerate(by_subject().items()):
        if number:
            grid.add_row()
        grid.add_row(Text(subject.capitalize(), style="bold underline"))
        for capability in capabilities:
            grid.add_row(Text(f"  {capability.name}", style="bold"), Text(capability.summary))
    terminal.out.print(grid)
    terminal.err.print("Describe one: tradingagents ask CAPABILITY --help", markup=False, soft_wrap=True)
