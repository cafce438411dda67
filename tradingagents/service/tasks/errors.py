"""Errors of tasks, and the form in which every face reports an error."""

from __future__ import annotations

import re

from tradingagents.errors import ConfigurationError, NotFound, TradingAgentsError
from tradingagents.schemas.workspace import ErrorInfo

_CAPITAL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


class NoSuchTask(NotFound):
    """There is no task with this id."""


class TaskBusy(ConfigurationError):
    """The task is queued or running already, here or in another process."""


class TaskQueueFull(ConfigurationError):
    """Too many tasks wait; more are accepted once some have ended."""


class TaskFailed(TradingAgentsError):
    """A bug ended a task."""


class TaskKeepsFailing(TradingAgentsError):
    """The process that worked on a task died several times; it is not tried again by itself."""


class RayNotInstalled(ConfigurationError):
    """The setting task_engine names ray, and the package is missing."""


def error_code(error: BaseException | type[BaseException]) -> str:
    """Return the name of an error's class in snake case, such as `bad_symbol`."""
    name = error.__name__ if isinstance(error, type) else type(error).__name__
    return _CAPITAL.sub("_", name).lower()


def error_info(error: TradingAgentsError) -> ErrorInfo:
    """Return an error as every face reports it."""
    return ErrorInfo(code=error_code(error), message=str(error), exit_code=error.exit_code)
