"""The terminal's two streams: the result goes to stdout, everything else to stderr; both speak UTF-8."""

from __future__ import annotations

import io
import json
import logging
import os
import sys
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tradingagents.errors import Interrupted, TradingAgentsError, UsageError
from tradingagents.files.plain_text import bounded, escaped_json

from .text import one_line, with_flags

if TYPE_CHECKING:
    from rich.console import Console

NOISY = ("asyncio", "httpx", "httpcore", "openai", "urllib3", "yfinance", "peewee", "py.warnings", "langgraph")
"""Libraries whose warnings don't help users: relevant failures reach the run as typed errors."""

EVENTS = "tradingagents.events"
"""The logger of a run's events, which the progress display already shows."""

INTERRUPTED = 130
"""Exit code after Ctrl-C or SIGTERM, by shell convention."""


@dataclass(frozen=True)
class Terminal:
    """A command's output streams and verbosity."""

    out: Console
    """For results."""
    err: Console
    """For progress, questions and errors."""
    json: bool = False
    quiet: bool = False
    debug: bool = False

    @property
    def live(self) -> bool:
        """Whether progress may redraw the screen."""
        return self.err.is_terminal and not self.err.is_dumb_terminal and not self.quiet

    def print_text(self, text: str) -> None:
        """Print a result as it is, without markup; the terminal wraps its lines."""
        self.out.print(text, markup=False, soft_wrap=True)

    def note(self, text: str) -> None:
        """Print a remark about the result on stderr, unless the terminal is quiet."""
        if not self.quiet:
            self.err.print(text, markup=False, soft_wrap=True)

    def print_error(self, message: str, label: str = "error:") -> None:
        """Print one line of bounded length that describes an error, without secrets, after a label."""
        from tradingagents.files.redaction import Redactor

        with suppress(OSError):  # the disk behind stderr is full
            print_line(self.err, label, bounded(Redactor(secrets=secrets_typed()).text(message)), "bold red")

    def confirm(self, action: str, show: Callable[[], None], question: str) -> bool:
        """Show what is about to change and ask for confirmation; the default is no.

        Raises:
            UsageError: The terminal isn't interactive.
        """
        if self.json or not (sys.stdin.isatty() and self.err.is_terminal):
            raise UsageError(f"Confirmation is needed to {action}, but this terminal is not interactive; add --yes.")
        show()
        return self.err.input(f"{question} [y/N] ", markup=False).strip().lower() in ("y", "yes")

    def print_json(self, value: Mapping[str, Any]) -> None:
        """Print an object as JSON on one line of stdout, unbuffered."""
        whole = self.out.encoding.startswith("utf")
        line = escaped_json(json.dumps(value, ensure_ascii=not whole, allow_nan=False, default=str))
        self.out.file.write(line + "\n")
        self.out.file.flush()

    def loading(self) -> AbstractContextManager[Any]:
        """Show on a terminal that the command is loading its libraries."""
        return self.err.status("Getting ready …") if self.live else nullcontext()


def failure(
    about: Mapping[str, Any], error: TradingAgentsError, record: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Return a failure as a JSON object.

    Args:
        about: The request: ticker and date, as far as known.
        record: The run's record, if it has one.
    """
    return {
        **about,
        "status": "interrupted" if isinstance(error, Interrupted) else "failed",
        **(record or {}),
        "error": bounded(str(error)),
        "kind": type(error).__name__,
        "exit_code": error.exit_code,
    }


def open_terminal(*, json: bool = False, quiet: bool = False, debug: bool = False) -> Terminal:
    """Open the terminal on this process's streams, and send the libraries' log lines there."""
    from rich.console import Console

    terminal = Terminal(
        out=Console(file=sys.stdout, highlight=False, emoji=False),
        err=Console(file=sys.stderr, highlight=False, emoji=False),
        json=json,
        quiet=quiet,
        debug=debug,
    )
    _send_logs_to(terminal)
    return terminal


def choose_encoding() -> None:
    """Make stdout and stderr UTF-8 regardless of the locale, unless `PYTHONIOENCODING` names another encoding.

    Characters that it lacks become `?` instead of an error.
    """
    named = os.environ.get("PYTHONIOENCODING", "").partition(":")[0]
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding=stream.encoding if named else "utf-8", errors="replace")


def print_line(console: Console, label: str, message: str, style: str) -> None:
    """Print a label and a message as one line, with the message's own line breaks removed."""
    from rich.text import Text

    console.print(Text.assemble((label, style), " ", one_line(with_flags(message))), soft_wrap=True)


def secrets_typed() -> set[str]:
    """Return the passwords and tokens in URLs of this process's command line."""
    from tradingagents.files.redaction import secrets_in_urls

    return secrets_in_urls(sys.argv[1:])


class _LineHandler(logging.Handler):
    """Writes a log record as one line above the live display, without secrets."""

    def __init__(self, console: Console, level: int) -> None:
        from tradingagents.files.environment import readable_environment
        from tradingagents.runtime.observability import JsonFormatter, RedactingFilter, Redactor

        super().__init__(level)
        environ = readable_environment()
        self._console = console
        self.addFilter(lambda record: record.name != EVENTS)
        self.addFilter(RedactingFilter(Redactor(environ, secrets_typed())))
        asked = environ.get("TRADINGAGENTS_LOG_FORMAT", "").strip() == "json"
        self._json = JsonFormatter() if asked else None

    def emit(self, record: logging.LogRecord) -> None:
        with suppress(OSError):  # the disk behind stderr is full
            self._write(record)

    def _write(self, record: logging.LogRecord) -> None:
        if self._json is not None:
            self._console.print(self._json.format(record), soft_wrap=True, markup=False)
            return
        style = "bold red" if record.levelno >= logging.ERROR else "yellow"
        print_line(self._console, f"{record.levelname.lower()}:", f"{record.name}: {record.getMessage()}", style)


def _send_logs_to(terminal: Terminal) -> None:
    logging.captureWarnings(capture=True)
    level = logging.INFO if terminal.debug else logging.ERROR if terminal.quiet else logging.WARNING
    # The handler has its own level: loggers may pass more to a log file.
    handler = _LineHandler(terminal.err, logging.DEBUG if terminal.debug else level)
    logging.basicConfig(handlers=[handler], level=level, force=True)
    for name in NOISY:
        logging.getLogger(name).setLevel(logging.INFO if terminal.debug else logging.CRITICAL)
    if terminal.debug:
        logging.getLogger("tradingagents").setLevel(logging.DEBUG)
