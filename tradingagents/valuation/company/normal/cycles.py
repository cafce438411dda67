"""Cyclical companies: which trades have a cycle, and where in its own range a company stands.

`cycle_of` is the one table, by the words of GICS and Yahoo alike; `stand_in_range` the percentile of a base year.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from tradingagents.analytics.company.business import is_bank_or_insurer
from tradingagents.dataflows.models import Profile

CycleKind = Literal["price", "volume"]
"""`price`: what the company sells has a price of the day, and revenue moves with it; `volume`: the number sold does."""
CYCLE_YEARS = 5
"""Years from which on a cycle is known: its normal margin is their median."""
FULL_PRICE_CYCLE = 8
"""Yearly growth rates from which on the growth of a price-driven company is read: fewer are a part of a price cycle."""

_PRICE_SECTORS = ("energy",)
_PRICE_WORDS = (
    *("steel", "aluminum", "aluminium", "copper", "gold", "silver", "metals", "mining", "coking coal", "thermal coal"),
    *("fertilizer", "agricultural inputs", "commodity chemicals", "chemicals", "lumber", "forest products", "timber"),
    *("paper & forest", "paper products", "uranium", "marine shipping", "marine transportation", "marine freight"),
    *("oil & gas", "semiconductor memory"),
)
_OWN_PRICES = (
    "specialty chemicals",
    "metal, glass",
    "metal fabrication",
    "pipeline",
    "midstream",
    "storage & transportation",
)
"""Trades with such words that set their prices themselves, or are paid for carrying: paints, cans, pipelines."""
_VOLUME_WORDS = (
    *("airline", "auto manufacturers", "automobile manufacturers", "auto parts", "automotive parts", "auto components"),
    *("aerospace", "farm & heavy", "construction machinery", "agricultural & farm machinery", "heavy transportation"),
    *("homebuilding", "residential construction", "semiconductor equipment", "semiconductor materials", "casinos"),
)
_MEMORY_MAKERS = ("micron", "sandisk", "western digital", "sk hynix", "kioxia", "nanya", "winbond")
"""No vendor's industry separates memory chips, which have a price of the day, from other chips: known by the name."""


@dataclass(frozen=True, slots=True)
class RangeStand:
    """Where a base year stands among a company's own years."""

    base: float
    percentile: int
    """0 to 100: the part of the years below, those alike counted half."""
    years: int
    lowest: float
    highest: float

    def in_words(self, what: str) -> str:
        """Say where the base year stands.

        >>> stand_in_range((0.13, 0.16, 0.09)).in_words("margin")
        "cyclical: the base year's margin of 13.0% is at the 50th percentile of its own 3 years (9.0% to 16.0%)"
        """
        return (
            f"cyclical: the base year's {what} of {self.base:.1%} is at the {_ordinal(self.percentile)} percentile of "
            f"its own {self.years} years ({self.lowest:.1%} to {self.highest:.1%})"
        )


def cycle_of(profile: Profile) -> CycleKind | None:
    """Return which kind of cycle a company's trade has; None for none, or where the profile does not say.

    Args:
        profile: With the sector as a key and the industry in the words of GICS or Yahoo.
    """
    industry, name = (profile.industry or "").lower(), profile.name.lower()
    if is_bank_or_insurer(profile.sector, industry):
        return None if "insur" in industry else "volume"
    if any(word in industry for word in _OWN_PRICES):
        return None
    if profile.sector in _PRICE_SECTORS or any(word in industry for word in _PRICE_WORDS):
        return "price"
    if any(word in industry for word in ("semiconductor", "hardware")) and any(one in name for one in _MEMORY_MAKERS):
        return "price"
    return "volume" if any(word in industry for word in _VOLUME_WORDS) else None


def stand_in_range(rates: Sequence[float]) -> RangeStand:
    """Return where the newest of yearly rates stands among all of them.

    Args:
        rates: Newest first, at least one.
    """
    base = rates[0]
    below = sum(one < base for one in rates) + sum(one == base for one in rates) / 2
    return RangeStand(base, round(100 * below / len(rates)), len(rates), min(rates), max(rates))


def _ordinal(number: int) -> str:
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"
