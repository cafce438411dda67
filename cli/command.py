"""Turns a function into a command: shared options arrive as `flags` and `terminal`, errors become one line."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import fields
from typing import Any, cast

import typer

from tradingagents.errors import AwaitingApproval, Interrupted, TradingAgentsError

from .console import Terminal, failure, open_terminal
from .flags import Flags
from .options import Shared

GIVEN = ("flags", "terminal")
"""Parameters of a command that aren't arguments."""
About = Callable[[Mapping[str, Any]], Mapping[str, Any]]
"""Returns the request for JSON errors, from the command's arguments."""


def with_options(
    options: Sequence[Shared], about: About = lambda _: {}
) -> Callable[[Callable[..., int]], Callable[..., None]]:
    """Give a command the shared options; it receives them as `flags` and `terminal`, and returns its exit code.

    Args:
        options: The options, in the order of the help.
        about: Returns the request for JSON errors.
    """

    def decorate(command: Callable[..., int]) -> Callable[..., None]:
        @functools.wraps(command)
        def called(**given: Any) -> None:
            shared = {option.name: given.pop(option.name) for option in options}
            settings = {field.name: shared[field.name] for field in fields(Flags) if field.name in shared}
            output = {name: shared[name] for name in ("json", "quiet", "debug") if name in shared}
            terminal = open_terminal(**output)
            work = functools.partial(command, **given, flags=Flags(**settings), terminal=terminal)
            raise typer.Exit(run_safely(terminal, about(given), work))

        own = inspect.signature(command, eval_str=True).parameters.values()
        parameters = [parameter for parameter in own if parameter.name not in GIVEN]
        declared = cast(Any, called)  # mypy does not know these attributes, which Typer reads
        declared.__signature__ = inspect.Signature([*parameters, *(option.parameter() for option in options)])
        declared.__annotations__ = {}
        return called

    return decorate


def run_safely(terminal: Terminal, about: Mapping[str, Any], work: Callable[[], int]) -> int:
    """Run a command and return its exit code; report an error or an interruption as one line.

    Args:
        about: The request, for a JSON error.
    """
    try:
        return work()
    except TradingAgentsError as error:
        return report_error(terminal, error, about)
    except KeyboardInterrupt:
        return report_interrupt(terminal, about)


def report_error(terminal: Terminal, error: TradingAgentsError, *abouts: Mapping[str, Any]) -> int:
    """Report why nothing was run, with --json as one object per request; return the exit code."""
    if terminal.json:
        from tradingagents.files.redaction import Redactor

        with suppress(OSError):  # if stdout can't be written to, the line on stderr remains
            for about in abouts:
                terminal.print_json(Redactor().value(failure(about, error)))
    waits = isinstance(error, AwaitingApproval)  # a question is no error
    terminal.print_error(str(error), "waiting:" if waits else "error:")
    return error.exit_code


def report_interrupt(terminal: Terminal, *abouts: Mapping[str, Any]) -> int:
    """Report an interruption while no run was in progress; return the exit code."""
    if terminal.err.is_terminal:
        terminal.err.print()  # the cursor is after a question, or after ^C
    return report_error(terminal, Interrupted("Interrupted; nothing was in progress."), *abouts)
