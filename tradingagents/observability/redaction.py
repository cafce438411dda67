"""Secrets out of log records, before a handler writes them: keys of the environment, and what looks like one.

`redact_logs()`, called once logging is set up, has every handler that there is then write no secrets; a handler made
later gets the filter that it returns.
"""

from __future__ import annotations

import json
import logging
import re
import traceback
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import quote, quote_plus

HIDDEN = "***"
SHORTEST = 6
"""Characters of the shortest value of a variable that is replaced wherever it stands. A shorter one would be found in
words that are no secret; as the value of something named like a secret it is replaced all the same."""
DEEPEST = 8
"""How deep containers are looked into; what lies deeper is written as text."""
_NAME = r"[\w-]*(?:api[_-]?key|access[_-]?key|secret[_-]?key|private[_-]?key|token|secret|passw(?:or)?d|credentials?)"
NAMED_SECRET = re.compile(rf"{_NAME}|key|(?:proxy-)?authorization|(?:set-)?cookie", re.IGNORECASE)
"""Names of headers, parameters and fields whose values are secret."""
_VARIABLE = re.compile(r".*_(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)", re.IGNORECASE)
"""Names of variables that hold one."""
_VALUE = r"(?:b?\"[^\"\n]*\"|b?'[^'\n]*'|[^\s\"',;&)\]}]+)"
_SHAPES: tuple[tuple[re.Pattern[str], str], ...] = (
    # user and password of a URL; the user alone may be a token
    (re.compile(r"([a-z][a-z0-9+.\-]{0,30}://)[^\s/?#\"'<>]+@", re.IGNORECASE), rf"\1{HIDDEN}@"),
    # a header: `Authorization: Bearer x`, `('authorization', 'Basic x')`, `{b'Authorization': b'x'}`
    (
        re.compile(
            rf"((?:authorization|cookie)\b[\"']?\s*[:=,]\s*)(?:(?:bearer|basic|token|digest)\s+)?{_VALUE}",
            re.IGNORECASE,
        ),
        rf"\1{HIDDEN}",
    ),
    (re.compile(r"\b(bearer\s+)(?=\S*[\d._~+/=\-])[\w.~+/=\-]{6,}", re.IGNORECASE), rf"\1{HIDDEN}"),
    # `token=x`, `&apikey=x`, `"api_key": "x"`, `('x-api-key', 'x')`
    (
        re.compile(rf"(?<![\w-])({_NAME}[\"']?\s*(?:[=:]|,(?=\s*b?[\"']))\s*){_VALUE}", re.IGNORECASE),
        rf"\1{HIDDEN}",
    ),
    (re.compile(rf"([?&]key=){_VALUE}", re.IGNORECASE), rf"\1{HIDDEN}"),
    # keys that tell by their beginning whose they are: OpenAI and Anthropic, LangSmith, Tavily, GitHub, Google, AWS …
    (re.compile(r"(?<![A-Za-z0-9])(?:sk|pk|lsv2|tvly|gsk|xai|hf|gh[pousr]|github_pat)[-_][A-Za-z0-9_\-]{8,}"), HIDDEN),
    (re.compile(r"(?<![A-Za-z0-9])(?:AIza[\w\-]{30,}|AKIA[A-Z0-9]{16})"), HIDDEN),
)


class Redactor:
    """Replaces secrets in text, and in whatever holds text."""

    def __init__(self, environ: Mapping[str, str] | None = None) -> None:
        """Note the secrets there are now.

        Args:
            environ: Variables; those named like a secret hold one. None: `.env` and the process environment.
        """
        if environ is None:
            from tradingagents.settings import environment

            environ = environment()
        values = {value.strip() for name, value in environ.items() if _VARIABLE.fullmatch(name)}
        spelled = {way for value in values if len(value) >= SHORTEST for way in _spellings(value)}
        # The longest first: a secret may be the beginning of another.
        ordered = sorted(spelled, key=len, reverse=True)
        self._known = re.compile("|".join(map(re.escape, ordered))) if ordered else None

    def text(self, text: str) -> str:
        """Return text without secrets."""
        if self._known is not None:
            text = self._known.sub(HIDDEN, text)
        for shape, hidden in _SHAPES:
            text = shape.sub(hidden, text)
        return text

    def value(self, value: Any, depth: int = 0) -> Any:
        """Return a value without secrets: containers as they are, other objects as they are or as redacted text."""
        if value is None or isinstance(value, (bool, int, float)):
            return value
        if isinstance(value, str):
            return self.text(value)
        if depth < DEEPEST:
            if isinstance(value, Mapping):
                return {self.value(name, depth + 1): self._named(name, one, depth + 1) for name, one in value.items()}
            if type(value) in (list, tuple, set, frozenset):
                return type(value)(self.value(one, depth + 1) for one in value)
        shown = _shown(value)
        if shown is None:
            return f"<{type(value).__name__}>"
        return value if all(self.text(way) == way for way in shown) else self.text(shown[0])

    def _named(self, name: object, value: Any, depth: int) -> Any:
        if isinstance(name, (str, bytes)) and isinstance(value, (str, bytes)) and is_secret_name(name):
            return HIDDEN
        return self.value(value, depth)


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


def is_secret_name(name: str | bytes) -> bool:
    """Tell whether a field, header or parameter of that name holds a secret."""
    return bool(NAMED_SECRET.fullmatch(name if isinstance(name, str) else name.decode("latin-1")))


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


def _spellings(value: str) -> set[str]:
    """Return the ways in which a value is written: as it is, in a URL, as a literal of Python, in JSON."""
    literals = {repr(value)[1:-1], json.dumps(value)[1:-1], json.dumps(value, ensure_ascii=False)[1:-1]}
    return {value, quote(value, safe=""), quote_plus(value), *literals, repr(value.encode())[2:-1]}


def _shown(value: object) -> tuple[str, str] | None:
    """Return an object as text, in the two ways a formatter may; None where it cannot be shown."""
    try:
        return str(value), repr(value)
    except Exception:  # noqa: BLE001 - such an object must not break logging
        return None
