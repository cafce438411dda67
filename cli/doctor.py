"""`tradingagents doctor`: what works here, what would not, and the variable or command that mends it."""

from __future__ import annotations

from typing import Annotated

import typer

from cli import options
from cli.command import answer, takes
from cli.flags import Flags, read_both
from cli.terminal import Terminal

CODES = (
    "Exit codes: 0 analyze and scan would work · 2 usage · 3 the set-up must be mended · 4 a vendor does not answer."
)
_ASKED = "Asked"


@takes(options.DOCTOR)
def doctor(
    no_network: Annotated[
        bool, typer.Option("--no-network", help="Ask no vendor and no model server.", rich_help_panel=_ASKED)
    ] = False,
    models: Annotated[
        bool,
        typer.Option("--models", help="Ask OpenAI, Anthropic and Google for their models too.", rich_help_panel=_ASKED),
    ] = False,
    *,
    flags: Flags,
    terminal: Terminal,
) -> int:
    """Say which keys are set, who answers, what each tool would use, and what to mend.

    Takes the flags of analyze, to look at what it would use with them. Keys are named, never shown.
    """

    def work() -> int:
        settings, environ = read_both(flags)

        from tradingagents.doctor import examine

        found = examine(settings, environ, network=not no_network, hosted_models=models)
        if terminal.json:
            from cli.session import print_json

            print_json(terminal, found.to_json())
        else:
            from cli.doctor_output import print_examination

            print_examination(terminal.out, found)
        return found.exit_code

    return answer(terminal, {}, work)
