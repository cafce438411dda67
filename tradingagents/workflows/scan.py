"""One scan of the market: from its start to its picks, and the record it leaves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, cast

from tradingagents.agents.scan_states import PHASE_ONE_REPORTS, SCAN_REPORTS, ScannerState
from tradingagents.agents.scanners import (
    geopolitical_scanner,
    industry_deep_dive,
    macro_synthesis,
    market_movers_scanner,
    sector_scanner,
)
from tradingagents.errors import TradingAgentsError
from tradingagents.events import Event
from tradingagents.graph.branches import none_reported
from tradingagents.reports.render.scan_html import render_scan_html
from tradingagents.reports.render.scan_markdown import scan_report_files
from tradingagents.reports.rendered_sheet import RenderedSheet, rendered_sheet
from tradingagents.runtime.executor import Recorder
from tradingagents.schemas.records import ScanRecord, ScanSummaryRecord


@dataclass(frozen=True)
class ScanRun:
    """A finished scan."""

    record: ScanRecord
    state: ScannerState
    summary: ScanSummaryRecord


class ScanRecorder(Recorder):
    """Takes one day through the scanner graph."""

    report_of: ClassVar[Mapping[str, str]] = {
        geopolitical_scanner.AGENT: "geopolitical_report",
        market_movers_scanner.AGENT: "market_movers_report",
        sector_scanner.AGENT: "sector_performance_report",
        industry_deep_dive.AGENT: "industry_deep_dive_report",
    }
    reports: ClassVar[Sequence[str]] = (*SCAN_REPORTS, "macro_scan_summary")
    nothing_more_given: ClassVar[frozenset[str]] = frozenset({"synthesis"})
    _ahead: RenderedSheet | None = None
    """The data sheet, rendered while the last model thinks."""

    async def record_scan(self) -> ScanRun:
        """Take the scan through the graph and leave its record. Raises what ended it, after recording that."""
        day, events = self._context.data.as_of.isoformat(), self._context.events
        events.emit("run_start", f"scan {day}", ticker=None, scan_date=day, start=self._starts())
        await self._take_through(self._services.scanner, day, {"scan_date": day})
        state = cast(ScannerState, self._state)
        picks = [pick["ticker"] for pick in state["summary"]["stocks_to_investigate"]]
        found, degraded = f"{len(picks)} stocks to investigate: {', '.join(picks)}", self._degraded()
        events.emit("result", f"{found}{', degraded' if degraded else ''}", picks=picks, degraded=degraded)
        record = cast(ScanRecord, await self._leave("done"))
        return ScanRun(record=record, state=state, summary=state["summary"])

    def _nothing_reported(self) -> bool:
        return none_reported(PHASE_ONE_REPORTS, self._state)

    def _status_of(self, error: TradingAgentsError) -> str:
        return "no_summary" if isinstance(error, macro_synthesis.NoSummary) else super()._status_of(error)

    def _keep(self, event: Event) -> None:
        super()._keep(event)
        if event.type == "node_start" and event.node == macro_synthesis.AGENT:
            self._later(self._render_sheet)

    def _render_sheet(self) -> None:
        self._ahead = rendered_sheet(self._context.data.sheet.to_records())

    def _files(self, record: Mapping[str, Any]) -> Mapping[str, str]:
        scan = cast(ScanRecord, record)
        return {**scan_report_files(scan, self._ahead), "report.html": render_scan_html(scan, self._ahead)}

    def _record(self, status: str, error: str | None) -> Mapping[str, Any]:
        state = cast(ScannerState, self._state)
        return {
            "run_id": self._context.run_id,
            "status": status,
            "scan_date": self._context.data.as_of.isoformat(),
            "summary": state.get("summary"),
            "sectors": state.get("sectors", []),
            "top_sectors": state.get("top_sectors", []),
            "indices": state.get("indices", []),
            **self._common(error),
        }
