"""Errors of tasks, and the form in which every face reports an error."""

from __future__ import annotations

from tradingagents.errors import ConfigurationError, NotFound, TradingAgentsError, error_code
from tradingagents.schemas.workspace import ErrorInfo


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


def error_info(error: TradingAgentsError) -> ErrorInfo:
    """Return an error as every face reports it."""
    return ErrorInfo(code=error_code(error), message=str(error), exit_code=error.exit_code)
