"""What drives a company behind the scenes: growth, margins, leverage, quality, and how its share moves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from tradingagents.dataflows.vendors.simulated.companies import Company
from tradingagents.dataflows.vendors.simulated.streams import stream

MARKET_GROWTH = 0.05
"""Yearly growth of the average company, which the market's price level already carries."""
_DEBT_PER_MARGIN = 10.0  # years of revenue per unit of operating margin: interest then takes at most 45 % of it


@dataclass(frozen=True, slots=True)
class Archetype:
    """What is usual in a sector. Shares of revenue unless said otherwise."""

    growth: float
    """A year."""
    gross_margin: float
    operating_margin: float
    research: float
    capex: float
    debt: float
    """Of one year's revenue."""
    beta: float
    volatility: float
    """Of the company's own part of the daily log return, a year."""
    inventory: bool = True
    """Whether companies of the sector hold any."""
    other_liabilities: float = 0.15
    """Of one year's revenue: deposits, reserves, deferred revenue."""
    equity: float = 0.35
    """Of total assets at the start, at least."""
    margin_spread: float | None = None
    """How much operating margins differ within the sector, as a margin; None: as much as they are."""
    valued_margin: float = 0.04
    """Operating margin that prices allow for where less is earned."""


ARCHETYPES: Mapping[str, Archetype] = MappingProxyType(
    {
        "technology": Archetype(0.10, 0.60, 0.26, 0.14, 0.06, 0.35, 1.20, 0.22, other_liabilities=0.30),
        "healthcare": Archetype(0.07, 0.62, 0.20, 0.13, 0.04, 0.55, 0.80, 0.20),
        "financials": Archetype(0.05, 0.68, 0.30, 0.00, 0.03, 1.30, 1.10, 0.18, False, 5.00, 0.12),
        "energy": Archetype(0.03, 0.36, 0.14, 0.00, 0.09, 0.45, 1.15, 0.24),
        "consumer-discretionary": Archetype(0.07, 0.38, 0.11, 0.02, 0.04, 0.40, 1.15, 0.23),
        "consumer-staples": Archetype(0.04, 0.40, 0.15, 0.01, 0.04, 0.55, 0.60, 0.14),
        "industrials": Archetype(0.05, 0.33, 0.14, 0.03, 0.04, 0.50, 1.05, 0.18),
        "materials": Archetype(0.04, 0.32, 0.14, 0.01, 0.07, 0.50, 1.05, 0.21),
        "real-estate": Archetype(0.05, 0.66, 0.33, 0.00, 0.20, 3.20, 0.85, 0.17, False),
        "utilities": Archetype(0.04, 0.45, 0.22, 0.00, 0.20, 2.20, 0.50, 0.13),
        "communication-services": Archetype(0.08, 0.56, 0.23, 0.09, 0.09, 0.50, 1.05, 0.22, False),
    }
)
_BIOTECH = Archetype(0.10, 0.78, 0.00, 0.42, 0.03, 0.30, 1.15, 0.38, margin_spread=0.30, valued_margin=0.20)


@dataclass(frozen=True, slots=True)
class Traits:
    """The hidden facts of one company. Shares of revenue unless said otherwise."""

    quality: float
    """Standard deviations; lifts growth, margins and the average earnings surprise, lowers debt."""
    growth: float
    """Trend of revenue, a year (log)."""
    margin_trend: float
    """Of the operating margin, a year, relative to what it is."""
    gross_margin: float
    operating_margin: float
    research: float
    capex: float
    debt: float
    """Of one year's revenue."""
    other_liabilities: float
    """Of one year's revenue."""
    equity: float
    """Of total assets at the start, at least."""
    beta: float
    volatility: float
    """Of the company's own part of the daily log return, a year."""
    holds_inventory: bool
    seasonality: float
    """How much larger the revenue of the quarter with the holidays is than the average one."""
    payout: float
    """Share of the free cash flow left after dividends that buys back shares."""
    price_to_earnings: float
    """At the first session, on what `valued_margin` would earn."""
    valued_margin: float
    """Operating margin that the first price pays for: the company's own, or more where little is earned yet."""


def traits_of(company: Company, seed: int) -> Traits:
    """Draw the traits of a company around what is usual in its sector."""
    usual = _BIOTECH if company.industry == "Biotechnology" else ARCHETYPES[company.sector]
    z = stream(seed, company.symbol, "traits").standard_normal(10)
    quality = float(z[0]) * 0.8 if company.quality is None else company.quality
    growth = usual.growth + 0.035 * quality + 0.015 * float(z[1])
    spread = usual.operating_margin if usual.margin_spread is None else usual.margin_spread
    operating_margin = usual.operating_margin + spread * (0.20 * quality + 0.10 * float(z[2]))
    debt = usual.debt * max(0.2, 1.0 - 0.25 * quality + 0.20 * float(z[5]))
    room = operating_margin + usual.research + 0.06  # selling and administration need a share as well
    return Traits(
        quality=quality,
        growth=growth,
        margin_trend=0.02 * quality,
        gross_margin=min(max(usual.gross_margin * (1.0 + 0.06 * float(z[3])), room), 0.92),
        operating_margin=operating_margin,
        research=usual.research,
        capex=usual.capex * (1.0 + 0.15 * _bounded(z[4])),
        debt=min(debt, _DEBT_PER_MARGIN * max(operating_margin, 0.02)),
        other_liabilities=usual.other_liabilities,
        equity=usual.equity,
        beta=max(0.3, usual.beta + 0.12 * float(z[6])),
        volatility=usual.volatility * (1.0 + 0.15 * _bounded(z[7])),
        holds_inventory=usual.inventory,
        seasonality=0.12 if company.sector == "consumer-discretionary" else 0.03,
        payout=0.5 + 0.15 * _bounded(z[8]),
        price_to_earnings=min(max(15.0 + 90.0 * (growth - 0.04) + 1.5 * float(z[9]), 9.0), 38.0),
        valued_margin=max(operating_margin, usual.valued_margin),
    )


def _bounded(z: float) -> float:
    return float(min(max(z, -2.0), 2.0))
