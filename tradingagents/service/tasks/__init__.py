"""Tasks: long work in the background, with a journal, progress, cancellation and resumption."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tradingagents.lazy_names import lazy_names

if TYPE_CHECKING:
    from tradingagents.runtime.task_kind import TaskControl, TaskKind, TaskOutcome
    from tradingagents.service.tasks.manager import TaskManager

__all__ = ["TaskControl", "TaskKind", "TaskManager", "TaskOutcome"]

__getattr__ = lazy_names(
    __name__,
    {
        "TaskControl": "tradingagents.runtime.task_kind",
        "TaskKind": "tradingagents.runtime.task_kind",
        "TaskManager": "manager",
        "TaskOutcome": "tradingagents.runtime.task_kind",
    },
)
