"""`scan`: a team of agents reads the market and names stocks to study."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import Field

from tradingagents.service.tasks.control import TaskControl
from tradingagents.service.tasks.kind import TaskOutcome
from tradingagents.service.tasks.run_request import ModelRequest, RunTaskKind

SCAN_AGENTS = 5
"""Agents of a scan: three scanners, the industry deep dive, the macro synthesis."""


class ScanTaskRequest(ModelRequest):
    """A day, and the settings of the scan."""

    max_tickers: int | None = Field(None, ge=1, le=50, description="Exact number of stocks to name; unset: 8 to 10")


class ScanKind(RunTaskKind[ScanTaskRequest]):
    """One run of the scanner graph."""

    name = "scan"
    known_as = "Scan the market"
    summary = "Scan the market of a day: themes, sectors, risks, and stocks to study, each with reason and conviction."
    request = ScanTaskRequest

    def title(self, request: ScanTaskRequest) -> str:
        """Return the day."""
        return f"Market scan {request.day or 'latest session'}"

    async def run(self, request: ScanTaskRequest, control: TaskControl) -> TaskOutcome:
        """Run the scanner graph, or resume its run."""
        from tradingagents.graph.scan.run import SCAN, ScanRequest
        from tradingagents.service.tasks.run_steps import add_reports, run_to_end

        control.progress(total=SCAN_AGENTS)
        card = await run_to_end(control, SCAN, ScanRequest(day=request.day), request.settings(control.settings))
        add_reports(control, card, f"market scan {card['scan_date']}")
        return TaskOutcome(scanned(card))


def scanned(card: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a scan found in short."""
    from tradingagents.service.tasks.run_steps import cost_of

    summary = card.get("summary") or {}
    picks = [
        {key: pick.get(key) for key in ("ticker", "name", "conviction", "rationale")}
        for pick in summary.get("stocks_to_investigate", ())
    ]
    return {
        "run_id": card["run_id"],
        "status": card["status"],
        "scan_date": card["scan_date"],
        "executive_summary": summary.get("executive_summary", ""),
        "stocks_to_investigate": picks,
        "warnings": list(card.get("warnings") or ()),
        "cost_usd": cost_of(card),
    }


SCAN_KIND = ScanKind()
