"""Errors as HTTP answers: one body for all, a status by class, and nothing of the machine or its secrets in it."""

from __future__ import annotations

import logging
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from pydantic import Field

from tradingagents.errors import ServerFailure, TradingAgentsError, error_code
from tradingagents.files.plain_text import bounded
from tradingagents.files.redaction import Redactor
from tradingagents.files.user_folders import home_folder, working_folder
from tradingagents.schemas.workspace import ErrorInfo, WireModel

STATUSES: Mapping[str, int] = {
    "RequestTooLarge": 413,
    "NotFound": 404,
    "PolicyRefused": 403,
    "UsageError": 400,
    "AccessRefused": 401,
    "DatabaseUnreachable": 503,
    "TaskQueueFull": 503,
    "HomeNotWritable": 503,
    "ConfigurationError": 409,
    "NoData": 404,
    "RateLimited": 429,
    "VendorUnavailable": 503,
    "AllVendorsFailed": 503,
    "DataError": 422,
    "ModelFailure": 502,
    "ReplyNotKept": 409,
    "BudgetReached": 402,
    "AwaitingApproval": 409,
    "ApprovalNeeded": 409,
    "Interrupted": 503,
    "TradingAgentsError": 500,
}
"""Status by the name of an error's class; the nearest base class that is listed counts."""
DETAILS = ("retry_after", "may_pass", "asked", "run_id")
"""Attributes of errors that a client needs to raise the same error."""
UNEXPECTED = "The server failed unexpectedly; its log has the details under this request id."

logger = logging.getLogger(__name__)


class ErrorDetails(ErrorInfo):
    """An error as HTTP answers it."""

    request_id: str
    """Names the request in the server's log."""
    python_class: str
    """Full name of the error's class, by which the Python client raises the same."""
    details: dict[str, Any] = Field(default_factory=dict)
    """What programs need besides, such as `retry_after` in seconds."""


class ErrorBody(WireModel):
    """The body of every answer that is not a success."""

    error: ErrorDetails


class StatusError(Exception):
    """An error to be answered with a status that its class does not tell."""

    def __init__(self, status: int, error: TradingAgentsError, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(str(error))
        self.status, self.error, self.headers = status, error, dict(headers or {})


class Sanitizer:
    """Removes secrets and the folders of this machine from messages to clients."""

    def __init__(self, home: Path, environ: Mapping[str, str], secrets: Iterable[str] = ()) -> None:
        """Note what must not be told.

        Args:
            home: The home folder of the workspace.
            environ: Variables, of which those named like a secret hold one.
            secrets: Further secrets: the token, passwords in URLs of settings.
        """
        self._redactor = Redactor(environ, secrets)
        folders = {str(home): "<home>", str(home.resolve()): "<home>"}
        places = ((working_folder(), "<folder>"), (home_folder(), "~"), (Path(tempfile.gettempdir()), "<temp>"))
        for folder, name in places:
            if folder is not None and len(folder.parts) > 1:
                folders.setdefault(str(folder), name)
        # The longest first: one may lie within another.
        self._folders = sorted(folders.items(), key=lambda pair: len(pair[0]), reverse=True)

    def text(self, text: str) -> str:
        """Return a message as a client may read it."""
        return bounded(self._redactor.text(self._without_folders(text)))

    def value(self, value: Any) -> Any:
        """Return JSON whose texts name no folder of this machine."""
        if isinstance(value, str):
            return self._without_folders(value)
        if isinstance(value, dict):
            return {name: self.value(member) for name, member in value.items()}
        return [self.value(item) for item in value] if isinstance(value, list) else value

    def _without_folders(self, text: str) -> str:
        for folder, name in self._folders:
            text = text.replace(folder, name)
        return text


def status_of(error: TradingAgentsError) -> int:
    """Return the HTTP status of an error."""
    for kind in type(error).__mro__:
        if kind.__name__ in STATUSES:
            return STATUSES[kind.__name__]
    raise AssertionError("TradingAgentsError is listed")


def error_body(error: TradingAgentsError, request_id: str, sanitizer: Sanitizer) -> ErrorBody:
    """Return the body of an error."""
    told = {name: value for name in DETAILS if (value := getattr(error, name, None)) is not None}
    return ErrorBody(
        error=ErrorDetails(
            code=error_code(type(error)),
            message=sanitizer.text(str(error)),
            exit_code=error.exit_code,
            request_id=request_id,
            python_class=f"{type(error).__module__}.{type(error).__qualname__}",
            details=told,
        )
    )


def error_headers(error: TradingAgentsError) -> dict[str, str]:
    """Return headers that say how to go about an error."""
    wait = getattr(error, "retry_after", None)
    return {"Retry-After": str(max(1, round(wait)))} if wait is not None else {}


def unexpected(error: BaseException, request_id: str) -> ServerFailure:
    """Log an exception that nobody expected, and return what its client is told."""
    logger.error("Request %s failed.", request_id, exc_info=error)
    return ServerFailure(UNEXPECTED)
