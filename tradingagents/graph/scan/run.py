"""The scan run: one day's market, from a request to stocks to investigate and the record."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from tradingagents.agents import roster
from tradingagents.agents.scan_states import ScannerState
from tradingagents.agents.scanners import macro_synthesis
from tradingagents.capabilities.scanner import get_market_indices, get_market_movers, get_sector_performance
from tradingagents.context import RunContext
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.reference.sectors import SECTORS
from tradingagents.errors import DataError, NoData, NotForPastDate, TradingAgentsError
from tradingagents.files.notebook_html import card_html
from tradingagents.graph.scan.graph import SCANNERS
from tradingagents.reports.render.html import to_html
from tradingagents.reports.render.markdown import markdown_files
from tradingagents.reports.scan import scan_document
from tradingagents.runtime.graphs.branches import none_reported
from tradingagents.runtime.kind import RunParts
from tradingagents.runtime.records.base import RecordedRun
from tradingagents.runtime.records.export import ExportableRun
from tradingagents.schemas.cards import ScanRecord
from tradingagents.schemas.scan_summary import ScanSummaryRecord


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
            (pick.ticker, f"{pick.name}, {pick.sector}, {pick.conviction} conviction: {pick.rationale}")
            for pick in summary.stocks_to_investigate
        ]
        rows = [("Run", record["run_id"]), ("Page", record["paths"].get("html", "")), *picks]
        return card_html(f"Scan of {record['scan_date']}", rows, summary.executive_summary)


class MarketScanRun(RecordedRun[ScanRecord, ScanRun]):
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
        picks = [pick.ticker for pick in state["summary"].stocks_to_investigate]
        found, degraded = f"{len(picks)} stocks to investigate: {', '.join(picks)}", self._degraded()
        said = f"{found}{', degraded' if degraded else ''}"
        self.context.events.emit("result", said, picks=picks, degraded=[gap.as_json() for gap in degraded])
        record = await self.leave("done")
        return ScanRun(record=record, state=state, summary=state["summary"])

    def status_of(self, error: TradingAgentsError) -> str:
        """Return the status of a scan that ended with an error."""
        return "no_summary" if isinstance(error, macro_synthesis.NoSummary) else super().status_of(error)

    def _nothing_reported(self) -> bool:
        return none_reported(roster.report_keys([SCANNERS]), self.state)

    def _files(self, record: ScanRecord) -> Mapping[str, str]:
        document = scan_document(record)
        return {**markdown_files(document), "report.html": to_html(document)}

    def _record(self, status: str, error: str | None) -> ScanRecord:
        state = cast(ScannerState, self.state)
        return ScanRecord.model_validate(
            {
                "run_id": self.context.run_id,
                "status": status,
                "scan_date": self.context.data.as_of.isoformat(),
                "summary": state.get("summary"),
                "sectors": state.get("sectors", []),
                "top_sectors": state.get("top_sectors", []),
                "indices": state.get("indices", []),
                **self._common(error),
            }
        )


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
