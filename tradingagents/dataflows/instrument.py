"""Who a ticker is, and what it is compared with."""

from __future__ import annotations

from dataclasses import dataclass

from tradingagents.dataflows.reference.listings import exchange_words

BENCHMARKS = {
    "XNYS": "SPY",
    "XLON": "^FTSE",
    "XETR": "^GDAXI",
    "XPAR": "^FCHI",
    "XTKS": "^N225",
    "XHKG": "^HSI",
    "XSHG": "000001.SS",
    "XBOM": "^NSEI",
    "XTSE": "^GSPTSE",
    "XASX": "^AXJO",
    "24/7": "BTC-USD",
}
"""Broad index or fund of an exchange; the rest compare with SPY."""


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
    """MIC of the calendar of its sessions."""
    currency: str
    benchmark: str | None
    sector_etf: str | None
    listing: str | None = None
    """MIC of the exchange where it is listed; None where neither the source nor the symbol tells it."""

    @property
    def listed(self) -> str:
        """Where it is listed, in words for a reader."""
        return exchange_words(self.listing, self.exchange)
