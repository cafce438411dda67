"""Who a ticker is, and what it is compared with."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Instrument:
    """Who a ticker is, resolved once per run and told to every agent."""

    symbol: str
    name: str
    kind: str
    sector: str | None
    """Sector key of `dataflows.reference.sectors`; None where unknown or none."""
    industry: str | None
    exchange: str
    currency: str
    benchmark: str | None
    sector_etf: str | None
