"""The indices and funds the tools ask for by name, with the companies each is made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from tradingagents.dataflows.models import InstrumentKind
from tradingagents.dataflows.reference.sectors import DISPLAY, SECTOR_ETF
from tradingagents.dataflows.vendors.simulated.companies import COMPANIES, Company

_MEMBERS = tuple(company for company in COMPANIES.values() if company.listed is None)
_BY_SIZE = tuple(sorted(_MEMBERS, key=lambda company: company.cap, reverse=True))
_GROWTH = ("technology", "communication-services", "consumer-discretionary")

Weighting = Literal["cap", "price", "equal"]


@dataclass(frozen=True, slots=True)
class Basket:
    """An index of companies, or a fund that holds it."""

    symbol: str
    name: str
    level: float
    """Close of the first session."""
    members: tuple[Company, ...]
    weighting: Weighting = "cap"
    """`cap`: what shares each had outstanding on the first session; `price`: one share of each; `equal`: daily."""
    sector: str | None = None
    volume: float = 0.0
    """Shares of an uneventful session; 0 for an index."""

    @property
    def kind(self) -> InstrumentKind:
        """Indices begin with a caret."""
        return "index" if self.symbol.startswith("^") else "etf"


@dataclass(frozen=True, slots=True)
class Bond:
    """A fund of bonds: its price answers a yield by its duration, and it pays the yield out monthly."""

    symbol: str
    name: str
    level: float
    duration: float
    """Years."""
    rate: Literal["long", "short"]
    spread: Literal["none", "grade", "high_yield"]
    volume: float


def _of(*sectors: str) -> tuple[Company, ...]:
    return tuple(company for company in _MEMBERS if company.sector in sectors)


_SPDR_LEVELS = {
    "technology": 65.0,
    "healthcare": 83.0,
    "financials": 28.0,
    "energy": 73.0,
    "consumer-discretionary": 99.0,
    "consumer-staples": 57.0,
    "industrials": 76.0,
    "materials": 61.0,
    "real-estate": 33.0,
    "utilities": 52.0,
    "communication-services": 50.0,
}

BASKETS: Mapping[str, Basket] = MappingProxyType(
    {
        basket.symbol: basket
        for basket in (
            Basket("^GSPC", "Broad market index (simulated)", 2700.0, _MEMBERS),
            Basket("^DJI", "Twenty largest companies, price-weighted (simulated)", 24800.0, _BY_SIZE[:20], "price"),
            Basket("^IXIC", "Growth sectors and health care index (simulated)", 7000.0, _of(*_GROWTH, "healthcare")),
            Basket("^NDX", "Growth sectors index (simulated)", 6500.0, _of(*_GROWTH)),
            Basket("^RUT", "Twenty smallest companies index (simulated)", 1550.0, _BY_SIZE[-20:]),
            Basket("SPY", "Broad market fund (simulated)", 270.0, _MEMBERS, volume=8e7),
            Basket("DIA", "Twenty largest companies fund (simulated)", 248.0, _BY_SIZE[:20], "price", volume=4e6),
            Basket("QQQ", "Growth sectors fund (simulated)", 158.0, _of(*_GROWTH), volume=4e7),
            Basket("IWM", "Twenty smallest companies fund (simulated)", 154.0, _BY_SIZE[-20:], volume=2e7),
            Basket("RSP", "Equal-weight fund (simulated)", 101.0, _MEMBERS, "equal", volume=3e6),
            *(
                Basket(
                    etf,
                    f"{DISPLAY[sector]} sector fund (simulated)",
                    _SPDR_LEVELS[sector],
                    _of(sector),
                    sector=sector,
                    volume=1e7,
                )
                for sector, etf in SECTOR_ETF.items()
            ),
        )
    }
)

BONDS: Mapping[str, Bond] = MappingProxyType(
    {
        bond.symbol: bond
        for bond in (
            Bond("HYG", "High-yield bond fund (simulated)", 87.0, 3.8, "long", "high_yield", 3e7),
            Bond("LQD", "Investment-grade bond fund (simulated)", 121.0, 8.4, "long", "grade", 1.5e7),
            Bond("TLT", "Long government bond fund (simulated)", 126.0, 16.5, "long", "none", 2e7),
            Bond("IEF", "Ten-year government bond fund (simulated)", 105.0, 7.5, "long", "none", 6e6),
            Bond("SHY", "Two-year government bond fund (simulated)", 84.0, 1.9, "short", "none", 4e6),
        )
    }
)

GOLD = "GLD"
VOLATILITY = "^VIX"
OTHERS: Mapping[str, str] = MappingProxyType(
    {GOLD: "Gold fund (simulated)", VOLATILITY: "Expected volatility of the broad market (simulated)"}
)
"""Symbols that are neither companies, nor made of them, nor bonds, with their names."""
