"""Log records of runs: which run and agent each belongs to, one JSON object a line, a file of them."""

from __future__ import annotations

import json
import logging
import os
import sys
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, ClassVar, Literal

from tradingagents.errors import HomeNotWritable
from tradingagents.events import Event
from tradingagents.files.plain_text import clean, escaped_json
from tradingagents.files.redaction import Redactor
from tradingagents.llm_clients.run_context import AGENT, RUN
from tradingagents.runtime.observability.redaction import RedactingFilter, extra_fields

LogFormat = Literal["text", "json"]
TEXT = "%(asctime)s %(levelname)s %(name)s [%(run_id)s %(node)s] %(message)s"
LIBRARIES = ("httpx", "httpcore", "aiohttp", "openai", "urllib3", "langgraph", "langchain_core")
"""Other libraries' loggers whose records go to a run's log file too."""
log = logging.getLogger(__name__)
_EVENTS = logging.getLogger("tradingagents.events")
_LEVELS = {"error": logging.ERROR, "warning": logging.WARNING, "retry": logging.WARNING}
PRIVATE = "An answer about what the user holds."
"""Instead of one, in logs and traces."""
_TELLING = frozenset({"run_start", "result", "approval"})
"""Events that are told at level INFO; the others of a run that goes well are for DEBUG."""


class RunFilter(logging.Filter):
    """Adds `run_id`, `node`, `kind`, `ticker` and `trade_date` to a record; None where it belongs to no run."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Add the fields; never drop a record."""
        run = RUN.get()
        own: Mapping[str, Any] = {
            "run_id": run.run_id if run else None,
            "node": AGENT.get() if run else None,
            "kind": run.kind if run else None,
            "ticker": run.ticker if run else None,
            "trade_date": run.trade_date if run else None,
        }
        for name, value in own.items():
            if getattr(record, name, None) is None:
                setattr(record, name, value)
        return True


class JsonFormatter(logging.Formatter):
    """Writes a record as one JSON object on one line.

    `ts` (ISO 8601, UTC), `level`, `logger`, `message`, `run_id`, `node`, `kind`, `ticker`, `trade_date` (those that are
    known), what `extra=` added, and `exception` with its traceback.
    """

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        RunFilter().filter(record)
        told: dict[str, Any] = {
            "ts": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="microseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        told |= {name: value for name, value in extra_fields(record).items() if value is not None}
        if record.exc_info and not record.exc_text:
            record.exc_text = self.formatException(record.exc_info)
        if record.exc_text:
            told["exception"] = record.exc_text
        if record.stack_info:
            told["stack"] = record.stack_info
        return escaped_json(json.dumps(told, ensure_ascii=False, default=_as_text, skipkeys=True))


def formatter_of(log_format: LogFormat) -> logging.Formatter:
    """Return the formatter of a `log_format`."""
    return JsonFormatter() if log_format == "json" else TextFormatter(TEXT)


class TextFormatter(logging.Formatter):
    """Writes a record as text without terminal escapes: a log is read on a terminal."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the lines."""
        return clean(super().format(record))


class RunLog(logging.FileHandler):
    """Appends the records of runs that name its file, whoever logs them, without secrets."""

    _written: ClassVar[dict[Path, RunLog]] = {}
    """One for each file, however many runs write to it."""
    _levels: ClassVar[dict[str, int]] = {}
    """The loggers' own levels, as they were before the first of these files was opened."""
    _changing: ClassVar[threading.Lock] = threading.Lock()
    _runs: int = 0
    _failed: bool = False
    redactor: Redactor

    @classmethod
    @contextmanager
    def written(
        cls, path: Path | None, log_format: LogFormat, level: str, secrets: Iterable[str] = ()
    ) -> Iterator[None]:
        """Have a file written for as long as a run takes.

        Meanwhile loggers let records of that level pass: a handler of yours that wants fewer needs a level of its own.
        After the last run that writes a file they have the levels they had before.

        Args:
            path: The file; its folder is made. None writes nothing.
            log_format: text or json.
            level: debug, info, warning or error. At debug, what HTTP clients and LangGraph log is written too.
            secrets: What is hidden beside the keys of the environment, such as tokens in the URLs of settings.

        Raises:
            HomeNotWritable: The file cannot be opened.
        """
        if path is None:
            yield
            return
        with cls._changing:
            handler = cls._written.get(path) or cls._opened(path)
            handler.setFormatter(formatter_of(log_format))
            handler.setLevel(level.upper())
            handler._runs += 1
            handler.redactor.learn(secrets)
            cls._let_pass(handler.level)
        try:
            yield
        finally:
            with cls._changing:
                handler._runs -= 1
                if not handler._runs:
                    cls._written.pop(path, None)
                    logging.getLogger().removeHandler(handler)
                    handler.close()
                if not cls._written:
                    cls._restore_levels()

    @classmethod
    def _let_pass(cls, level: int) -> None:
        for name in ("tradingagents", *(LIBRARIES if level <= logging.DEBUG else ())):
            logger = logging.getLogger(name)
            cls._levels.setdefault(name, logger.level)
            logger.setLevel(min(level, logger.getEffectiveLevel()))

    @classmethod
    def _restore_levels(cls) -> None:
        for name, level in cls._levels.items():
            logging.getLogger(name).setLevel(level)
        cls._levels.clear()

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: ARG002, N802 - the name logging calls
        """Tell once that records are missing, in place of a traceback for each."""
        if not self._failed:
            self._failed = True
            why = getattr(sys.exc_info()[1], "strerror", None) or "a record cannot be written"
            log.warning("The log %s lacks records (%s); make room, or name another file.", self.baseFilename, why)

    def close(self) -> None:
        """Close the file; what a full disk has no room for is lost."""
        with suppress(OSError):
            super().close()

    @classmethod
    def _opened(cls, path: Path) -> RunLog:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            if path.is_fifo():  # opening one waits for a reader, unless told not to
                os.close(os.open(path, os.O_WRONLY | os.O_NONBLOCK))
            handler = cls._written[path] = cls(path, encoding="utf-8", errors="backslashreplace")
        except OSError as error:
            raise HomeNotWritable(
                f"Cannot write the log {path} ({error.strerror}); name another file with TRADINGAGENTS_LOG_FILE."
            ) from error
        handler.addFilter(lambda _: (run := RUN.get()) is not None and run.log_file == path)
        handler.addFilter(RunFilter())
        handler.redactor = Redactor()
        handler.addFilter(RedactingFilter(handler.redactor))
        logging.getLogger().addHandler(handler)
        return handler


def log_event(event: Event) -> None:
    """Log an event of a run: trouble as a warning or error, beginning and result as information, the rest for debug."""
    level = _LEVELS.get(event.type, logging.INFO if event.type in _TELLING else logging.DEBUG)
    if event.type not in ("token", "message") and _EVENTS.isEnabledFor(level):
        fields = {"event": event.type, "seq": event.seq, "run_id": event.run_id, "node": event.node, "step": event.step}
        from tradingagents.retrieval.questions.holdings import without_holdings  # commands without a run start without

        private = event.type == "result" and event.data.get("private")
        _EVENTS.log(level, "%s", PRIVATE if private else without_holdings(event.message), extra=fields)


def _as_text(value: object) -> str:
    try:
        return str(value)
    except Exception:  # noqa: BLE001 - an object that cannot be shown must not break logging
        return f"<{type(value).__name__}>"
