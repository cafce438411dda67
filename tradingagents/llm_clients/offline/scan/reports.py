"""The four reporting roles of a scan, by name."""

from __future__ import annotations

from collections.abc import Callable

from tradingagents.llm_clients.offline.reading import Prompt
from tradingagents.llm_clients.offline.scan.industries import deep_dive
from tradingagents.llm_clients.offline.scan.market import movers
from tradingagents.llm_clients.offline.scan.news import geopolitics
from tradingagents.llm_clients.offline.scan.sectors import sectors

SCANNERS: dict[str, Callable[[Prompt], str]] = {
    "Geopolitical Scanner": geopolitics,
    "Market Movers Scanner": movers,
    "Sector Scanner": sectors,
    "Industry Deep Dive": deep_dive,
}
