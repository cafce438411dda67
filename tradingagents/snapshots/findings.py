"""What a check finds, and how it is said."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Literal

Level = Literal["error", "warning"]
EXAMPLES = 5


@dataclass(frozen=True, slots=True)
class Finding:
    """One kind of fault, with how often it was met and where first."""

    level: Level
    file: str
    what: str
    count: int
    examples: tuple[str, ...]

    @property
    def text(self) -> str:
        """The finding in one sentence."""
        some = ", ".join(self.examples)
        more = f" and {self.count - len(self.examples)} more" if self.count > len(self.examples) else ""
        return f"{self.what}: {some}{more}." if some else f"{self.what}."


class Findings:
    """Collects faults; equal ones become one finding."""

    def __init__(self) -> None:
        self._found: dict[tuple[Level, str, str], list[str]] = defaultdict(list)

    def error(self, file: str, what: str, where: str = "") -> None:
        """Note what makes answers wrong, or impossible."""
        self._found["error", file, what].append(where)

    def warn(self, file: str, what: str, where: str = "") -> None:
        """Note what a reader should know."""
        self._found["warning", file, what].append(where)

    def all(self) -> tuple[Finding, ...]:
        """Return what was found, errors first, then by file, in the order of finding."""
        found = [
            Finding(level, file, what, len(where), tuple(one for one in where[:EXAMPLES] if one))
            for (level, file, what), where in self._found.items()
        ]
        return tuple(sorted(found, key=lambda one: (one.level, one.file)))
