"""Shares: how many of some cases were so.

They have no interval: cases share days and companies, so that their number says too much (Wilson's interval, as any for
independent cases, would be too narrow). What is claimed of a share has a test of its own where it is claimed.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ObservedShare:
    """A share of cases."""

    count: int
    """Cases that were so."""
    of: int
    """All cases."""

    @property
    def value(self) -> float | None:
        """The share; None without cases."""
        return self.count / self.of if self.of else None

    def to_json(self) -> dict[str, float | int | None]:
        """Return it as JSON."""
        return {"count": self.count, "of": self.of, "share": self.value}
