"""Makes decisions one by one: beside the graph where that gives the same, else through it."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import replace
from datetime import date

from tradingagents.features.backtest.engines.decision_store import FOLDER
from tradingagents.features.backtest.engines.offline_run import NeedsGraph, OfflineRuns
from tradingagents.features.backtest.variants.ablations import decider_of
from tradingagents.graph.start import begin
from tradingagents.graph.trading.kind import TradingRequest
from tradingagents.graph.trading.run import Run
from tradingagents.llm_clients.meter import UsageMeter
from tradingagents.memory.outcomes import OutcomeStore
from tradingagents.memory.situations import new_memories
from tradingagents.runtime.executor import RunOptions
from tradingagents.runtime.services import Services


class OneByOne:
    """Runs that write nothing and use no lessons, on one set of services."""

    def __init__(self, services: Services, *, limited: bool = False) -> None:
        """Take services; their memories are not used.

        Args:
            limited: Whether calls are limited, which the graph alone counts.
        """
        self.services = without_memory(services)
        self._offline: OfflineRuns | None = None
        if not limited:
            with suppress(NeedsGraph):
                self._offline = OfflineRuns(self.services)

    async def run(self, ticker: str, day: date, meter: UsageMeter) -> Run:
        """Return the run of one decision.

        Args:
            ticker: A normalized symbol.
            day: A past session.
            meter: Counts its calls; its limits hold.

        Raises:
            TradingAgentsError: As `graph.start.begin` raises.
        """
        if self._offline is not None:
            await asyncio.sleep(0)  # so that an interruption is seen: nothing on this way waits
            with suppress(NeedsGraph):
                return await self._offline.run(ticker, day)
        options = RunOptions(meter=meter, persist="none")
        request = TradingRequest(ticker=ticker, day=day)
        return await begin(decider_of(self.services), request, self.services, options).result()


def without_memory(services: Services) -> Services:
    """Return services whose agents remember nothing and know no outcome."""
    nowhere = services.settings.home_dir / FOLDER / "no-outcomes.sqlite"
    return replace(services, memories=new_memories(), outcomes=OutcomeStore(nowhere), graphs={})
