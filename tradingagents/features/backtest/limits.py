"""Risk limits on target weights: deterministic, and every reduction is recorded."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import astuple, dataclass

from tradingagents.analytics.holdings.limits import UNKNOWN, PositionLimits
from tradingagents.errors import UsageError
from tradingagents.features.backtest.postings import Clamp


@dataclass(frozen=True, slots=True)
class ShortRules:
    """Under which conditions an account may sell borrowed shares. Fractions of the account's value."""

    max_short: float = 0.1
    """Largest short position."""
    max_gross: float = 1.5
    """Largest sum of long and short positions."""
    max_net: float = 1.0
    """Largest excess of long over short positions."""
    min_net: float = -0.5
    """Smallest, negative where short positions may exceed long ones."""
    initial_margin: float = 0.5
    """Of the value of short positions, in cash beyond what buying them back costs, when one is opened."""
    maintenance_margin: float = 0.3
    """The same at every close; with less, positions are closed by force."""
    borrow_bp: float = 50.0
    """Hundredths of a percent a year for borrowed shares, by calendar days over 360, as stock loans are charged."""

    def __post_init__(self) -> None:
        margins = 0 <= self.maintenance_margin <= self.initial_margin and self.initial_margin > 0
        limits = 0 <= self.max_short <= self.max_gross and self.min_net <= self.max_net
        if not (margins and limits and self.borrow_bp >= 0 and all(map(math.isfinite, astuple(self)))):
            raise UsageError(
                "Rules for short positions need margins with 0 <= maintenance <= initial, limits 0 <= max_short <= "
                "max_gross and min_net <= max_net, and a fee of 0 or more."
            )


@dataclass(frozen=True, slots=True)
class RiskLimits(PositionLimits):
    """Limits on the weights of a book, as fractions of its value."""

    def apply(
        self,
        weights: Mapping[str, float],
        sectors: Mapping[str, str | None],
        shorts: ShortRules | None = None,
    ) -> tuple[dict[str, float], list[Clamp]]:
        """Return weights within the limits, and what was reduced; nothing is moved to other positions.

        The rules apply in the order: no short (unless allowed) or undefined weight, the number of positions (the
        largest stay, equal ones in alphabetical order), each position, each sector, gross and net exposure, cash with
        the margin of short positions.

        Args:
            weights: Target weights by symbol, negative for short positions.
            sectors: Sector by symbol; symbols without one share a sector.
            shorts: The rules for short positions; None: there are none.
        """
        clamps: list[Clamp] = []
        allowed = {symbol: _sound(symbol, weight, shorts, clamps) for symbol, weight in sorted(weights.items())}
        held = [symbol for symbol in allowed if allowed[symbol]]
        ordered = sorted(held, key=lambda symbol: (-abs(allowed[symbol]), symbol))
        clamps += [Clamp("max_positions", symbol, allowed.pop(symbol), 0.0) for symbol in ordered[self.max_positions :]]
        for symbol, weight in allowed.items():
            if weight > self.max_position:
                clamps.append(Clamp("max_position", symbol, weight, self.max_position))
                allowed[symbol] = self.max_position
            elif shorts is not None and weight < -shorts.max_short:
                clamps.append(Clamp("max_short", symbol, weight, -shorts.max_short))
                allowed[symbol] = -shorts.max_short
        for sector in sorted({sectors.get(symbol) or UNKNOWN for symbol in allowed}):
            members = [symbol for symbol in allowed if (sectors.get(symbol) or UNKNOWN) == sector]
            _scale(allowed, members, self.max_sector, ("max_sector", sector), clamps)
        if shorts is not None:
            _limit_exposure(allowed, shorts, clamps)
        margin = 0.0 if shorts is None else shorts.initial_margin
        rule = "margin" if any(weight < 0 for weight in allowed.values()) else "min_cash"
        _scale(allowed, list(allowed), 1 - self.min_cash, (rule, ""), clamps, margin)
        return {symbol: weight for symbol, weight in allowed.items() if weight}, clamps


def _limit_exposure(weights: dict[str, float], shorts: ShortRules, clamps: list[Clamp]) -> None:
    """Reduce all positions to the gross limit, then the larger side to the net limits."""
    _scale(weights, list(weights), shorts.max_gross, ("max_gross", ""), clamps)
    longs = [symbol for symbol, weight in weights.items() if weight > 0]
    short = [symbol for symbol, weight in weights.items() if weight < 0]
    bought, sold = math.fsum(weights[symbol] for symbol in longs), -math.fsum(weights[symbol] for symbol in short)
    if bought - sold > shorts.max_net:
        clamps.append(Clamp("max_net", "", bought - sold, shorts.max_net))
        _times(weights, longs, max(0.0, shorts.max_net + sold) / bought if bought else 0.0)
    elif bought - sold < shorts.min_net:
        clamps.append(Clamp("min_net", "", bought - sold, shorts.min_net))
        _times(weights, short, max(0.0, bought - shorts.min_net) / sold if sold else 0.0)


def _scale(
    weights: dict[str, float],
    members: list[str],
    most: float,
    about: tuple[str, str],
    clamps: list[Clamp],
    of_short: float = 1.0,
) -> None:
    """Reduce positions so that long ones and `of_short` times short ones sum to `most` at most."""
    total = math.fsum(abs(weights[symbol]) * (1.0 if weights[symbol] > 0 else of_short) for symbol in members)
    if total > most * (1 + 1e-12):
        clamps.append(Clamp(*about, total, most))
        _times(weights, members, most / total)


def _times(weights: dict[str, float], members: list[str], factor: float) -> None:
    for symbol in members:
        weights[symbol] *= factor


def _sound(symbol: str, weight: float, shorts: ShortRules | None, clamps: list[Clamp]) -> float:
    if math.isfinite(weight) and (weight >= 0 or shorts is not None):
        return weight
    clamps.append(Clamp("long_only", symbol, weight if math.isfinite(weight) else 0.0, 0.0))
    return 0.0
