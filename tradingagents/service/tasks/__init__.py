"""Tasks: long work in the background, with a journal, progress, cancellation and resumption."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tradingagents.lazy_names import lazy_names

if TYPE_CHECKING:
    from tradingagents.service.tasks.control import TaskControl
    from tradingagents.service.tasks.kind import TaskKind, TaskOutcome
    from tradingagents.service.tasks.manager import TaskManager

__all__ = ["TaskControl", "TaskKind", "TaskManager", "TaskOutcome"]

__getattr__ = lazy_names(
    __name__,
    {
        "TaskControl": "control",
        "TaskKind": "kind",
        "TaskManager": "manager",
        "TaskOutcome": "kind",
    },
)
