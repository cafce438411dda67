"""The `tradingagents` command: its options, and the conversion of errors to one line and an exit code."""

from __future__ import annotations

import os
import signal
import sys
import traceback
from collections.abc import Sequence
from contextlib import suppress
from typing import Annotated

import typer

from tradingagents.errors import ConfigurationError, TradingAgentsError, UsageError

from .command import report_error, report_interrupt
from .commands import COMMANDS, further_commands
from .console import INTERRUPTED, Terminal, choose_encoding, open_terminal
from .groups import group_class

USAGE = 2


class UnexpectedFailure(TradingAgentsError):
    """A bug ended the command."""


app = typer.Typer(
    name="tradingagents",
    cls=group_class(COMMANDS, further=further_commands),
    help="Teams of LLM agents study a market: analysts, a debate, a trader, a risk debate, a decision with reasons.",
    no_args_is_help=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(value: bool) -> None:
    if value:
        from importlib.metadata import version

        typer.echo(f"tradingagents {version('tradingagents')}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def bare(
    context: typer.Context,
    version: Annotated[  # noqa: ARG001 - its callback does the work
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Ask for a ticker, a company or a question on a terminal; otherwise show the help."""
    if context.invoked_subcommand is not None:
        return
    if sys.stdin.isatty() and sys.stderr.isatty():
        raise typer.Exit(_start(open_terminal()))
    typer.echo(context.get_help(), err=True)
    raise typer.Exit(USAGE)


def _start(terminal: Terminal) -> int:
    """Take a ticker, a company, a question or an action, and do it; return the exit code."""
    try:
        from .start_form import run_form

        return run_form(terminal, run)
    except TradingAgentsError as error:
        return report_error(terminal, error)
    except (KeyboardInterrupt, EOFError):
        return report_interrupt(terminal)


def run(arguments: Sequence[str]) -> int:
    """Run a command line and return its exit code; errors become one line on stderr."""
    debug, json = "--debug" in arguments, "--json" in arguments
    try:
        return int(app(list(arguments), prog_name="tradingagents", standalone_mode=False) or 0)
    except typer.TyperException as error:
        from tradingagents.files.redaction import without_key_like_words

        said = without_key_like_words(_sentence(error.format_message()))
        usage = UsageError(f"{said} See tradingagents --help.")
        return report_error(open_terminal(json=json), usage, {})
    except TradingAgentsError as error:
        return report_error(open_terminal(json=json), error, {})
    except (KeyboardInterrupt, typer.Abort):
        return report_interrupt(open_terminal(json=json), {})
    except BrokenPipeError:
        # The reader of stdout has gone; flushing Python's buffer must not fail again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except MemoryError:
        scarce = ConfigurationError("There is not enough memory; run fewer tickers at a time, or end other programs.")
        return report_error(open_terminal(json=json), scarce, {})
    except OSError as error:
        why = f"{error.strerror or error}{f': {error.filename}' if error.filename else ''}"
        refusal = ConfigurationError(f"The system refused to read or write ({why}); make room or check the rights.")
        return report_error(open_terminal(json=json), refusal, {})
    except Exception as error:  # noqa: BLE001 - the edge: what nobody expected still ends in one line
        from tradingagents.runtime.observability import Redactor

        redactor = Redactor()
        if debug:
            open_terminal().err.print(redactor.text(traceback.format_exc()), soft_wrap=True, markup=False)
        hint = "" if debug else " Please report it with the output of the same command and --debug."
        unexpected = UnexpectedFailure(f"Unexpected {type(error).__name__}: {redactor.text(str(error))}.{hint}")
        return report_error(open_terminal(json=json), unexpected, {})


def main() -> None:
    """Run the process's command line and end the process."""
    choose_encoding()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    code = _flushed(run(sys.argv[1:]))
    if code == INTERRUPTED:
        # Threads that wait for a vendor would delay the exit until its timeout.
        with suppress(OSError):
            sys.stderr.flush()
        os._exit(code)
    sys.exit(code)


def _flushed(code: int) -> int:
    """Flush stdout; return the exit code, that of a full disk if it can't be written."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        code = code or 1
    except OSError as error:
        report_error(open_terminal(), ConfigurationError(f"Cannot write the result to stdout ({error.strerror})."), {})
        code = code or ConfigurationError.exit_code
    else:
        return code
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # it must not fail again at exit
    return code


def _sentence(text: str) -> str:
    return text if text.endswith((".", "?", "!")) else f"{text}."


if __name__ == "__main__":
    main()
