"""Secrets out of log records, before a handler writes them: keys of the environment, and what looks like one.

`redact_logs()`, called once logging is set up, has every handler that there is then write no secrets; a handler made
later gets the filter that it returns.
"""

from __future__ import annotations

import logging
import traceback
from collections.abc import Iterable
from typing import Any

from tradingagents.files.redaction import HIDDEN, Redactor, is_secret_name


class RedactingFilter(logging.Filter):
    """A filter for a handler: what the handler is about to write has no secrets, tracebacks and extra fields included.

    It changes the record, for every handler after it as well.
    """

    def __init__(self, redactor: Redactor | None = None) -> None:
        """Take a redactor; None: one that knows the environment as it is now."""
        super().__init__()
        self._redactor = redactor or Redactor()

    def filter(self, record: logging.LogRecord) -> bool:
        """Redact a record; never drop one."""
        redact = self._redactor
        try:
            message = record.getMessage()
        except Exception:  # noqa: BLE001 - logging would print the arguments as they are
            message = f"{record.msg} {record.args}"
        record.msg, record.args = redact.text(message), None
        if record.exc_info:
            record.exc_text = record.exc_text or "".join(traceback.format_exception(*record.exc_info)).rstrip("\n")
            record.exc_info = None  # a handler that writes the exception itself would write its secrets
        for name in ("exc_text", "stack_info"):
            if text := getattr(record, name):
                setattr(record, name, redact.text(text))
        for name, value in extra_fields(record).items():
            setattr(record, name, HIDDEN if is_secret_name(name) and isinstance(value, str) else redact.value(value))
        return True


def redact_logs(*handlers: logging.Handler, redactor: Redactor | None = None) -> RedactingFilter:
    """Have handlers write no secrets.

    Args:
        *handlers: The handlers; none: every handler that any logger has now, and Python's last resort.
        redactor: What to replace; None: what the environment holds now, and what looks like a secret.

    Returns:
        The filter, for handlers made later.
    """
    redacting = RedactingFilter(redactor)
    for handler in handlers or tuple(_all_handlers()):
        for before in [one for one in handler.filters if isinstance(one, RedactingFilter)]:
            handler.removeFilter(before)
        handler.addFilter(redacting)
    return redacting


_OWN_FIELDS = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}


def extra_fields(record: logging.LogRecord) -> dict[str, Any]:
    """Return what `extra=` added to a record."""
    return {name: value for name, value in vars(record).items() if name not in _OWN_FIELDS}


def _all_handlers() -> Iterable[logging.Handler]:
    known = logging.root.manager.loggerDict.values()
    for logger in (logging.root, *(one for one in known if isinstance(one, logging.Logger))):
        yield from logger.handlers
    if logging.lastResort is not None:
        yield logging.lastResort
