"""`deep_report`: a report on one company, by hypotheses and evidence, with a valuation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pydantic import Field

from tradingagents.dataflows.reference.symbols import normalise
from tradingagents.errors import UsageError
from tradingagents.schemas.workspace import TaskInfo
from tradingagents.service.tasks.control import TaskControl
from tradingagents.service.tasks.kind import TaskOutcome
from tradingagents.service.tasks.run_request import ModelRequest, RunTaskKind
from tradingagents.settings import Settings

if TYPE_CHECKING:
    from tradingagents.features.deep_report.run import DeepReportRequest


class DeepReportTaskRequest(ModelRequest):
    """A company and the settings of its report."""

    ticker: str = Field(min_length=1, max_length=30, description="Company, such as AAPL")
    min_iterations: int = Field(10, ge=1, le=15, description="Rounds before confidence may end it")
    max_iterations: int = Field(15, ge=1, le=15, description="Rounds at most")
    ask: bool = Field(False, description="Pause after each round for hints on what to look at next")
    hints: tuple[str, ...] = Field((), max_length=10, description="What the first round should look at, one each")


class DeepReportKind(RunTaskKind[DeepReportTaskRequest]):
    """One run of the report's graph."""

    name = "deep_report"
    summary = "Write a deep report on a company: hypotheses, evidence with sources, both sides, and what it is worth."
    request = DeepReportTaskRequest

    def title(self, request: DeepReportTaskRequest) -> str:
        """Return the company."""
        return f"Deep report on {request.ticker.strip().upper()}"

    def check(self, request: DeepReportTaskRequest, settings: Settings) -> None:
        """Check company, limits, hints and settings. Raises UsageError."""
        normalise(_asked(request).ticker)
        super().check(request, settings)

    def check_answer(self, info: TaskInfo, answer: Mapping[str, Any] | None) -> dict[str, Any]:
        """Check hints, a line each in the note of a verdict, and new limits. Raises UsageError.

        approve continues, revise takes hints, reject ends the research and writes the report from what there is.
        """
        from tradingagents.features.deep_report.graph.hints import MOST_HINTS

        given = super().check_answer(info, answer)
        if len(str(given.get("note", "")).splitlines()) > MOST_HINTS:
            raise UsageError(f"Give at most {MOST_HINTS} hints, a line each.")
        return given

    async def run(self, request: DeepReportTaskRequest, control: TaskControl) -> TaskOutcome:
        """Write the report, or resume its run."""
        from tradingagents.features.deep_report.run import DEEP_REPORT
        from tradingagents.service.tasks.run_steps import add_reports, run_to_end

        card = await run_to_end(control, DEEP_REPORT, _asked(request), request.settings(control.settings))
        add_reports(control, card, self.title(request))
        return TaskOutcome(reported(card))


def _asked(request: DeepReportTaskRequest) -> DeepReportRequest:
    """Return the request of the run. Raises UsageError."""
    from tradingagents.features.deep_report.run import DeepReportRequest

    return DeepReportRequest(
        ticker=request.ticker,
        day=request.day,
        min_iterations=request.min_iterations,
        max_iterations=request.max_iterations,
        ask=request.ask,
        hints=request.hints,
    )


def reported(card: Mapping[str, Any]) -> dict[str, Any]:
    """Return the report's summary: rating, value, hypotheses, quality, and where its evidence is frozen."""
    from tradingagents.service.tasks.run_steps import short_card

    keys = ("run_id", "status", "ticker", "rating", "stopped", "confidence", "hypotheses", "hints", "scores", "bundle")
    value = card.get("valuation") or {}
    worth = ("currency", "price", "value_per_share", "expected_value", "upside", "scenarios")
    valuation = {key: value[key] for key in worth} if value else None
    return short_card(card, keys, valuation=valuation, no_valuation=card.get("no_valuation"))


DEEP_REPORT_TASK = DeepReportKind()
