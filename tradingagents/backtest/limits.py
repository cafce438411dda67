"""Risk limits on target weights: deterministic, and every reduction is recorded."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from tradingagents.backtest.postings import Clamp

UNKNOWN = "unknown"
"""The sector of symbols without one; it is limited like any other."""


@dataclass(frozen=True, slots=True)
class RiskLimits:
    """Limits on the weights of a long-only book, as fractions of its value."""

    max_positions: int = 15
    max_position: float = 0.15
    max_sector: float = 0.35
    min_cash: float = 0.05

    def apply(
        self, weights: Mapping[str, float], sectors: Mapping[str, str | None]
    ) -> tuple[dict[str, float], list[Clamp]]:
        """Return weights within the limits, and what was reduced; nothing is moved to other positions.

        The rules apply in the order: no short or undefined weight, the number of positions (the largest stay, equal
        ones in alphabetical order), each position, each sector, cash.

        Args:
            weights: Target weights by symbol.
            sectors: Sector by symbol; symbols without one share a sector.
        """
        clamps: list[Clamp] = []
        kept = {symbol: _sound(symbol, weight, clamps) for symbol, weight in sorted(weights.items())}
        ordered = sorted((symbol for symbol in kept if kept[symbol] > 0), key=lambda one: (-kept[one], one))
        clamps += [Clamp("max_positions", symbol, kept.pop(symbol), 0.0) for symbol in ordered[self.max_positions :]]
        for symbol, weight in kept.items():
            if weight > self.max_position:
                clamps.append(Clamp("max_position", symbol, weight, self.max_position))
                kept[symbol] = self.max_position
        for sector in sorted({sectors.get(symbol) or UNKNOWN for symbol in kept}):
            members = [symbol for symbol in kept if (sectors.get(symbol) or UNKNOWN) == sector]
            self._scale(kept, members, self.max_sector, Clamp("max_sector", sector, 0.0, 0.0), clamps)
        self._scale(kept, list(kept), 1 - self.min_cash, Clamp("min_cash", "", 0.0, 0.0), clamps)
        return {symbol: weight for symbol, weight in kept.items() if weight > 0}, clamps

    @staticmethod
    def _scale(kept: dict[str, float], members: list[str], most: float, about: Clamp, clamps: list[Clamp]) -> None:
        total = math.fsum(kept[symbol] for symbol in members)
        if total > most * (1 + 1e-12):
            clamps.append(Clamp(about.rule, about.subject, total, most))
            for symbol in members:
                kept[symbol] *= most / total


def _sound(symbol: str, weight: float, clamps: list[Clamp]) -> float:
    if math.isfinite(weight) and weight >= 0:
        return weight
    clamps.append(Clamp("long_only", symbol, weight if math.isfinite(weight) else 0.0, 0.0))
    return 0.0
