"""Uncertainty of a share: how many of some cases were so."""

from __future__ import annotations

import math
from dataclasses import dataclass

NORMAL_95 = 1.959963984540054
"""Two-sided 95 % quantile of the standard normal distribution."""


@dataclass(frozen=True, slots=True)
class ObservedShare:
    """A share of cases with its 95 % interval (Wilson 1927)."""

    count: int
    """Cases that were so."""
    of: int
    """All cases."""

    @property
    def value(self) -> float | None:
        """The share; None without cases."""
        return self.count / self.of if self.of else None

    @property
    def low(self) -> float:
        """Lower end of the interval; 0 without cases."""
        return self._interval()[0]

    @property
    def high(self) -> float:
        """Upper end of the interval; 1 without cases."""
        return self._interval()[1]

    def _interval(self) -> tuple[float, float]:
        if not self.of:
            return 0.0, 1.0
        share, square = self.count / self.of, NORMAL_95**2
        middle = share + square / (2 * self.of)
        reach = NORMAL_95 * math.sqrt(share * (1 - share) / self.of + square / (4 * self.of**2))
        scale = 1 + square / self.of
        return max(0.0, (middle - reach) / scale), min(1.0, (middle + reach) / scale)

    def to_json(self) -> dict[str, float | int | None]:
        """Return it as JSON."""
        return {"count": self.count, "of": self.of, "share": self.value, "low": self.low, "high": self.high}
