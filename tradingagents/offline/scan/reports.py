"""The four reporting roles of a scan, by name."""

from __future__ import annotations

from collections.abc import Callable

from tradingagents.offline.reading import Prompt
from tradingagents.offline.scan.industries import deep_dive
from tradingagents.offline.scan.market import movers
from tradingagents.offline.scan.news import geopolitics
from tradingagents.offline.scan.sectors import sectors

SCANNERS: dict[str, Callable[[Prompt], str]] = {
    "Geopolitical Scanner": geopolitics,
    "Market Movers Scanner": movers,
    "Sector Scanner": sectors,
    "Industry Deep Dive": deep_dive,
}
