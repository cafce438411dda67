"""What a command's function is to Typer: its own arguments and the shared options; it is given flags and a terminal."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import fields
from typing import Any, cast

import typer

from cli.flags import Flags
from cli.options import Shared
from cli.terminal import Terminal, open_terminal
from tradingagents.errors import TradingAgentsError

GIVEN = ("flags", "terminal")
"""Parameters of a command that no argument fills."""


def takes(options: Sequence[Shared]) -> Callable[[Callable[..., int]], Callable[..., None]]:
    """Have a command take shared options; it gets them as `flags` and `terminal`, and returns its exit code."""

    def decorate(command: Callable[..., int]) -> Callable[..., None]:
        @functools.wraps(command)
        def called(**given: Any) -> None:
            shared = {option.name: given.pop(option.name) for option in options}
            settings = {field.name: shared[field.name] for field in fields(Flags) if field.name in shared}
            output = {name: shared[name] for name in ("json", "quiet", "debug") if name in shared}
            raise typer.Exit(command(**given, flags=Flags(**settings), terminal=open_terminal(**output)))

        own = inspect.signature(command, eval_str=True).parameters.values()
        parameters = [parameter for parameter in own if parameter.name not in GIVEN]
        declared = cast(Any, called)  # mypy does not know of these attributes, by which Typer goes
        declared.__signature__ = inspect.Signature([*parameters, *(option.parameter() for option in options)])
        declared.__annotations__ = {}
        return called

    return decorate


def answer(terminal: Terminal, about: Mapping[str, Any], work: Callable[[], int]) -> int:
    """Do a command's work and return its exit code; what keeps it from beginning becomes one line.

    Args:
        terminal: Where to say it.
        about: What was asked for, for a program that reads JSON.
        work: The command; it returns an exit code.
    """
    try:
        return work()
    except TradingAgentsError as error:
        return refuse(terminal, error, about)
    except KeyboardInterrupt:
        return left(terminal, about)


def refuse(terminal: Terminal, error: TradingAgentsError, *abouts: Mapping[str, Any]) -> int:
    """Say why nothing was run, to a program as one object for each thing asked about; return the exit code."""
    if terminal.json:
        from cli.session import failure, print_json
        from tradingagents.redaction import Redactor

        with suppress(OSError):  # where stdout takes no more, the line on stderr is what is left
            for about in abouts:
                print_json(terminal, Redactor().value(failure(about, error)))
    terminal.print_error(str(error))
    return error.exit_code


def left(terminal: Terminal, *abouts: Mapping[str, Any]) -> int:
    """Say that the user left, before anything was run or after all had ended; return the exit code."""
    from tradingagents.errors import Interrupted

    if terminal.err.is_terminal:
        terminal.err.print()  # the cursor stands behind a question, or behind ^C
    return refuse(terminal, Interrupted("Interrupted; nothing was under way."), *abouts)
