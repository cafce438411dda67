"""The parts of one run's report: made while its last models work, taken over where the finished report has the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")
R = TypeVar("R")


class ReportParts:
    """Parts of a report by name, each with what it was made of."""

    def __init__(self) -> None:
        """Start empty."""
        self._made: dict[str, tuple[object, Any]] = {}

    def made(self, name: str, of: T, make: Callable[[T], R]) -> R:
        """Return a part made of something: the one there is if it was made of the same, otherwise a new one.

        Args:
            name: Of the part; the last one of a name is held.
            of: All that the part depends on.
            make: Makes it.
        """
        known = self._made.get(name)
        if known is not None and known[0] == of:
            made: R = known[1]
            return made
        new = make(of)
        self._made[name] = (of, new)
        return new

    def forget(self) -> None:
        """Release the parts; they take some hundred kilobytes."""
        self._made.clear()
