"""Lessons and outcomes of past decisions, and the search for lessons from similar situations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tradingagents.lazy_names import lazy_names

if TYPE_CHECKING:
    from tradingagents.memory.days import first_day_known, last_day_known
    from tradingagents.memory.lesson_store import LessonStore, memory_address
    from tradingagents.memory.lessons import Lesson
    from tradingagents.memory.outcome import Outcome
    from tradingagents.memory.outcomes import OutcomeStore
    from tradingagents.memory.situations import FinancialSituationMemory, Match, new_memories

__all__ = [
    "FinancialSituationMemory",
    "Lesson",
    "LessonStore",
    "Match",
    "Outcome",
    "OutcomeStore",
    "first_day_known",
    "last_day_known",
    "memory_address",
    "new_memories",
]

_LOAD = lazy_names(
    __name__,
    {
        "FinancialSituationMemory": "situations",
        "Lesson": "lessons",
        "LessonStore": "lesson_store",
        "Match": "situations",
        "Outcome": "outcome",
        "OutcomeStore": "outcomes",
        "first_day_known": "days",
        "last_day_known": "days",
        "memory_address": "lesson_store",
        "new_memories": "situations",
    },
)


def __getattr__(name: str) -> Any:
    return _LOAD(name)
