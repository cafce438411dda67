"""The kind `scan`: three scanners, an industry deep dive and a macro synthesis of a day's market."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pydantic import Field

from tradingagents.runtime.kind import RunKind, short_card
from tradingagents.runtime.presentation import AgentGrid
from tradingagents.runtime.request import RunRequest
from tradingagents.schemas.cards import ScanRecord

if TYPE_CHECKING:
    from tradingagents.dataflows.market_data import MarketData
    from tradingagents.graph.scan.run import MarketScanRun, ScanRun  # noqa: F401 - the base class names it as text
    from tradingagents.reports.document import Document
    from tradingagents.runtime.kind import AnyGraph, RunParts
    from tradingagents.runtime.services import Services
    from tradingagents.settings import Settings


class ScanRequest(RunRequest):
    """A day, and the settings of the scan."""

    max_tickers: int | None = Field(None, ge=1, le=50, description="Exact number of stocks to name; unset: 8 to 10")


class ScanKind(RunKind[ScanRequest, ScanRecord, "ScanRun"]):
    """Three scanners, an industry deep dive, a macro synthesis."""

    name = task = noun = "scan"
    day_key = "scan_date"
    progress = AgentGrid(results="market", spender="a run")
    known_as = "Scan the market"
    summary = "Scan the market of a day: themes, sectors, risks, and stocks to study, each with reason and conviction."
    help = (
        "Scan the market for stocks worth analyzing.\n\n"
        "Reads world news, movers and sectors in parallel, then the industries that moved most, and summarizes them."
    )
    request = ScanRequest
    record = ScanRecord

    def title(self, request: ScanRequest) -> str:
        """Return the day."""
        return f"Market scan {request.day or 'latest session'}"

    def title_of_run(self, request: ScanRequest, record: ScanRecord) -> str:  # noqa: ARG002
        """Return the day that was scanned."""
        return f"market scan {record['scan_date']}"

    def steps(self, settings: Settings) -> int:  # noqa: ARG002
        """Return the number of agents: three scanners, the industry deep dive, the macro synthesis."""
        return 5

    def in_short(self, record: ScanRecord) -> dict[str, Any]:
        """Return what a scan found in short."""
        summary = record.as_json()["summary"] or {}
        picks = [
            {key: pick.get(key) for key in ("ticker", "name", "conviction", "rationale")}
            for pick in summary.get("stocks_to_investigate", ())
        ]
        found = {"executive_summary": summary.get("executive_summary", ""), "stocks_to_investigate": picks}
        return short_card(record, ("run_id", "status", "scan_date"), **found)

    def graph(self, services: Services) -> AnyGraph:
        """Compile the scanner graph."""
        from tradingagents.graph.scan.graph import build_scanner_graph

        return build_scanner_graph(services.models)

    def document(self, record: ScanRecord) -> Document:
        """Return the report from its record."""
        from tradingagents.reports.scan import scan_document

        return scan_document(record)

    def look_up(self, data: MarketData, request: ScanRequest) -> None:  # noqa: ARG002
        """Check that there is a market to scan with stocks to select.

        Raises:
            NoData: There are neither sector funds nor indices.
            NotForPastDate: The vendor has today's movers and companies only, so that no stock could be selected.
        """
        from tradingagents.graph.scan.run import assert_market

        assert_market(data)

    def open(self, parts: RunParts, found: None) -> MarketScanRun:  # noqa: ARG002
        """Return a scan."""
        from tradingagents.agents.prompting import scan_preamble
        from tradingagents.context import RunContext
        from tradingagents.dataflows.reference.calendar import exchange_of
        from tradingagents.dataflows.reference.symbols import MARKET
        from tradingagents.graph.scan.run import MarketScanRun

        preamble = scan_preamble(parts.services.settings, exchange_of(MARKET), parts.data.cutoff)
        return MarketScanRun(parts, RunContext(**parts.context, preamble=preamble))


SCAN = ScanKind()
