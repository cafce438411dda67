"""The scan workflow: one day's market, from a request to stocks to investigate and the record."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from tradingagents.agents import roster
from tradingagents.agents.prompting import scan_preamble
from tradingagents.agents.scan_states import ScannerState
from tradingagents.agents.scanners import macro_synthesis
from tradingagents.capabilities.scanner import get_market_indices, get_market_movers, get_sector_performance
from tradingagents.context import RunContext
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.reference.calendar import exchange_of
from tradingagents.dataflows.reference.sectors import SECTORS
from tradingagents.errors import DataError, NoData, NotForPastDate, TradingAgentsError
from tradingagents.notebook_html import card_html
from tradingagents.reports.document import Document
from tradingagents.reports.render.html import to_html
from tradingagents.reports.render.markdown import markdown_files
from tradingagents.reports.scan import scan_document
from tradingagents.runtime.manifest import RunManifest
from tradingagents.runtime.services import Services
from tradingagents.runtime.workflow import AnyGraph, RunParts, RunRequest, Workflow
from tradingagents.schemas.records import ScanRecord, ScanSummaryRecord
from tradingagents.workflows.base import RecordedRun
from tradingagents.workflows.graphs.branches import none_reported
from tradingagents.workflows.graphs.scan import SCANNERS
from tradingagents.workflows.records.export import ExportableRun

MARKET = "^GSPC"
"""The index whose exchange gives the sessions of a scan."""


@dataclass(frozen=True)
class ScanRun(ExportableRun):
    """A finished scan."""

    record: ScanRecord
    state: ScannerState
    summary: ScanSummaryRecord

    def _repr_html_(self) -> str:
        """Return the stocks worth studying as a notebook shows them, and where the whole page is."""
        record, summary = self.record, self.summary
        picks = [
            (one["ticker"], f"{one['name']}, {one['sector']}, {one['conviction']} conviction: {one['rationale']}")
            for one in summary.get("stocks_to_investigate", [])
        ]
        rows = [("Run", record["run_id"]), ("Page", record["paths"].get("html", "")), *picks]
        return card_html(f"Scan of {record['scan_date']}", rows, summary.get("executive_summary", ""))


@dataclass(frozen=True, kw_only=True)
class ScanRequest(RunRequest):
    """One day."""


class MarketScanRun(RecordedRun[ScanRun]):
    """One run of the scanner graph for one day."""

    def __init__(self, parts: RunParts, context: RunContext) -> None:
        """Open a scan."""
        super().__init__(parts, context)
        self.report_of = roster.reports_of(roster.scan_agents())
        self.reports = tuple(spec.output_key for spec in roster.scan_agents())

    def first_state(self) -> Mapping[str, Any]:
        """Return the day."""
        return {"scan_date": self.context.data.as_of.isoformat()}

    def announce(self) -> None:
        """Emit `run_start`."""
        day = self.context.data.as_of.isoformat()
        self.context.events.emit("run_start", f"scan {day}", ticker=None, scan_date=day, start=self._starts())

    async def finish(self) -> ScanRun:
        """Emit the candidates, write the record and return both."""
        state = cast(ScannerState, self.state)
        picks = [pick["ticker"] for pick in state["summary"]["stocks_to_investigate"]]
        found, degraded = f"{len(picks)} stocks to investigate: {', '.join(picks)}", self._degraded()
        said = f"{found}{', degraded' if degraded else ''}"
        self.context.events.emit("result", said, picks=picks, degraded=degraded)
        record = cast(ScanRecord, await self.leave("done"))
        return ScanRun(record=record, state=state, summary=state["summary"])

    def status_of(self, error: TradingAgentsError) -> str:
        """Return the status of a scan that ended with an error."""
        return "no_summary" if isinstance(error, macro_synthesis.NoSummary) else super().status_of(error)

    def _nothing_reported(self) -> bool:
        return none_reported(roster.report_keys([SCANNERS]), self.state)

    def _files(self, record: Mapping[str, Any]) -> Mapping[str, str]:
        document = scan_document(cast(ScanRecord, record))
        return {**markdown_files(document), "report.html": to_html(document)}

    def _record(self, status: str, error: str | None) -> Mapping[str, Any]:
        state = cast(ScannerState, self.state)
        return {
            "run_id": self.context.run_id,
            "status": status,
            "scan_date": self.context.data.as_of.isoformat(),
            "summary": state.get("summary"),
            "sectors": state.get("sectors", []),
            "top_sectors": state.get("top_sectors", []),
            "indices": state.get("indices", []),
            **self._common(error),
        }


class ScanWorkflow(Workflow[ScanRequest, ScanRun]):
    """Three scanners, an industry deep dive, a macro synthesis."""

    kind = "scan"

    def subject(self, request: ScanRequest) -> None:  # noqa: ARG002
        """Return None: a scan studies the whole market."""
        return

    def calendar_symbol(self, request: ScanRequest) -> str:  # noqa: ARG002
        """Return the index whose exchange is the scan's calendar."""
        return MARKET

    def request_of(self, manifest: RunManifest) -> ScanRequest:
        """Return the request of a manifest."""
        return ScanRequest(day=manifest.trade_date)

    def graph(self, services: Services) -> AnyGraph:
        """Compile the scanner graph."""
        from tradingagents.workflows.graphs.scan import build_scanner_graph

        return build_scanner_graph(services.models)

    def document(self, record: Mapping[str, Any]) -> Document:
        """Return the report from a card."""
        return scan_document(cast(ScanRecord, record))

    def look_up(self, data: MarketData, request: ScanRequest) -> None:  # noqa: ARG002
        """Check that there is a market to scan with stocks to select.

        Raises:
            NoData: There are neither sector funds nor indices.
            NotForPastDate: The vendor has today's movers and companies only, so that no stock could be selected.
        """
        assert_market(data)

    def open(self, parts: RunParts, found: None) -> MarketScanRun:  # noqa: ARG002
        """Return a scan."""
        preamble = scan_preamble(parts.services.settings, exchange_of(MARKET), parts.data.cutoff)
        return MarketScanRun(parts, RunContext(**parts.context, preamble=preamble))


SCAN = ScanWorkflow()


def assert_market(data: MarketData) -> None:
    """Check, before calling a model, that there is a market to scan with stocks to select.

    Raises:
        NoData: There are neither sector funds nor indices.
        NotForPastDate: The vendor has today's movers and companies only, so that no stock could be selected.
    """
    try:
        get_sector_performance.ask(data)
    except DataError:
        try:
            get_market_indices.ask(data)
        except DataError as error:
            raise NoData(f"No sector fund and no index to scan for {data.as_of}: {error}") from error
    try:
        get_market_movers.ask(data, category="day_gainers")
    except NotForPastDate as error:
        try:
            data.sector_members(SECTORS[0])
        except NotForPastDate:
            raise error from None
        except DataError:
            return
    except DataError:
        return
