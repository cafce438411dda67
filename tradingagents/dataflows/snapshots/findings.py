"""The findings of a check, and their text."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Literal

Level = Literal["error", "warning"]
EXAMPLES = 5


@dataclass(frozen=True, slots=True)
class Finding:
    """One kind of fault, with its count and first examples."""

    level: Level
    file: str
    what: str
    count: int
    examples: tuple[str, ...]

    @property
    def text(self) -> str:
        """The finding as one sentence."""
        some = ", ".join(self.examples)
        more = f" and {self.count - len(self.examples)} more" if self.count > len(self.examples) else ""
        return f"{self.what}: {some}{more}." if some else f"{self.what}."


class CheckFindings:
    """Collects faults; equal ones are merged into one finding."""

    def __init__(self) -> None:
        self._found: dict[tuple[Level, str, str], list[str]] = defaultdict(list)

    def error(self, file: str, what: str, where: str = "") -> None:
        """Record a fault that makes answers wrong or impossible."""
        self._found["error", file, what].append(where)

    def warn(self, file: str, what: str, where: str = "") -> None:
        """Record a warning."""
        self._found["warning", file, what].append(where)

    def all(self) -> tuple[Finding, ...]:
        """Return the findings, errors first, then by file, in the order found."""
        found = [
            Finding(level, file, what, len(where), tuple(place for place in where[:EXAMPLES] if place))
            for (level, file, what), where in self._found.items()
        ]
        return tuple(sorted(found, key=lambda finding: (finding.level, finding.file)))
