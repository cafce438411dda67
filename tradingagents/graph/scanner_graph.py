"""`ScannerGraph`: the market scan for people who write Python; `scan(date)` runs it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from functools import cached_property
from typing import Any, cast

from tradingagents.agents.scan_states import ScannerState
from tradingagents.dataflows.interface import Vendors
from tradingagents.events import Subscriber
from tradingagents.graph.base import BaseGraph
from tradingagents.graph.contextual import ContextualGraph
from tradingagents.graph.scan.kind import SCAN, ScanRequest
from tradingagents.graph.scan.run import ScanRun
from tradingagents.graph.start import RunHandle, RunOptions, resume, start
from tradingagents.llm_clients.tiers import TierModels
from tradingagents.runtime.kind import Persist


class ScannerGraph(BaseGraph):
    """Three scanners, an industry deep dive, a macro synthesis that names stocks to investigate."""

    def __init__(
        self,
        config: Mapping[str, Any] | None = None,
        debug: bool = False,
        *,
        models: TierModels | None = None,
        vendors: Vendors | None = None,
    ) -> None:
        """Make the graph.

        Args:
            config: Settings by name, as in `DEFAULT_CONFIG`; a key left at its default may be set by the environment.
            debug: Print each agent's text and tool calls on stdout while a scan goes on, and log every event (logger
                `tradingagents.events`).
            models: Models that exist already; None makes them from the settings.
            vendors: Data vendors that exist already; None makes them from the settings.

        Raises:
            SettingsError: An unknown setting, or a value it cannot have.
            ModelNotConfigured: A key or package is missing.
        """
        super().__init__(config, debug, models, vendors)

    @cached_property
    def graph(self) -> ContextualGraph:
        """The compiled LangGraph graph; `graph.ainvoke({"scan_date": …})` needs no more. `scan` leaves a record too."""
        return ContextualGraph.of(SCAN.compiled(self._services), self._services)

    def start(
        self,
        scan_date: str | date | None = None,
        *,
        subscribers: Sequence[Subscriber] = (),
        persist: Persist = "all",
    ) -> RunHandle[ScanRun]:
        """Start a scan in the running event loop; return a handle on it. See `TradingAgentsGraph.start`."""
        options = RunOptions(subscribers=self._watchers(subscribers), persist=persist)
        return start(SCAN, ScanRequest(day=scan_date), self._services, options)

    async def arun(
        self,
        scan_date: str | date | None = None,
        *,
        subscribers: Sequence[Subscriber] = (),
        persist: Persist = "all",
    ) -> ScanRun:
        """Scan one day; return everything the scan left. Raises as `graph.start.scan` does."""
        return await self.start(scan_date, subscribers=subscribers, persist=persist).result()

    def run(
        self,
        scan_date: str | date | None = None,
        *,
        subscribers: Sequence[Subscriber] = (),
        persist: Persist = "all",
    ) -> ScanRun:
        """Scan one day and wait for it; see `arun`."""
        return self._wait(self.arun(scan_date, subscribers=subscribers, persist=persist))

    async def aresume(self, run_id: str, *, subscribers: Sequence[Subscriber] = ()) -> ScanRun:
        """Continue a scan of this graph's settings that has not ended. Raises as `graph.start.resume` does."""
        return cast(ScanRun, await resume(self._services, run_id, subscribers=self._watchers(subscribers)))

    def resume(self, run_id: str, *, subscribers: Sequence[Subscriber] = ()) -> ScanRun:
        """Continue a scan and wait for it; see `aresume`."""
        return self._wait(self.aresume(run_id, subscribers=subscribers))

    async def ascan(self, scan_date: str | date | None = None) -> ScannerState:
        """Scan one day; return the final state.

        Args:
            scan_date: The day the scan pretends it is, `YYYY-MM-DD`; None: today.

        Returns:
            The state by its documented keys: the four reports, `macro_scan_summary` (JSON text), and `summary`, the
            same as an object.

        Raises:
            TradingAgentsError: As `graph.start.scan` raises.
        """
        return (await self.arun(scan_date)).state

    def scan(self, scan_date: str | date | None = None) -> ScannerState:
        """Scan one day and wait for it; works in a script, in threads and in a notebook. See `ascan`."""
        return self._wait(self.ascan(scan_date))
