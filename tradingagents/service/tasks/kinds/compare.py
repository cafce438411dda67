"""`compare`: companies researched side by side, then compared."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import Field

from tradingagents.service.tasks.control import TaskControl
from tradingagents.service.tasks.kind import TaskOutcome
from tradingagents.service.tasks.run_request import RunTaskKind, SessionModelRequest
from tradingagents.settings import Settings


class CompareTaskRequest(SessionModelRequest):
    """Companies, topics, and the settings of their runs."""

    tickers: tuple[str, ...] = Field(min_length=2, max_length=8, description="Companies, such as AAPL and MSFT")
    topics: tuple[str, ...] = Field(
        (),
        max_length=9,
        description="What to compare: margins, growth, valuation, returns, debt, cash, quality, momentum, risk; "
        "unset: growth, margins, valuation",
    )


class CompareKind(RunTaskKind[CompareTaskRequest]):
    """One comparison."""

    name = "compare"
    summary = "Compare companies: research on each, then one answer with a table of comparable figures and its sources."
    request = CompareTaskRequest

    def title(self, request: CompareTaskRequest) -> str:
        """Return the companies."""
        return f"Compare {', '.join(one.strip().upper() for one in request.tickers)}"

    def check(self, request: CompareTaskRequest, settings: Settings) -> None:
        """Check companies, topics and settings. Raises UsageError."""
        from tradingagents.features.compare.run import CompareRequest

        CompareRequest(tickers=request.tickers, topics=request.topics)
        super().check(request, settings)

    async def run(self, request: CompareTaskRequest, control: TaskControl) -> TaskOutcome:
        """Compare, or resume the comparison."""
        from tradingagents.features.compare.run import COMPARE, CompareRequest
        from tradingagents.service.tasks.run_steps import add_reports, run_to_end

        asked = CompareRequest(
            day=request.day,
            tickers=request.tickers,
            topics=request.topics,
            session=request.session or control.info.session_id,
        )
        card = await run_to_end(control, COMPARE, asked, request.settings(control.settings))
        add_reports(control, card, self.title(request))
        return TaskOutcome(compared(card))


def compared(card: Mapping[str, Any]) -> dict[str, Any]:
    """Return the answer with its table, its sources and what it lacks."""
    from tradingagents.service.tasks.run_steps import short_card

    keys = ("run_id", "status", "tickers", "topics", "answer", "table", "sources", "missing", "written_by")
    companies = [
        {key: one[key] for key in ("symbol", "status", "run_id", "note")} for one in card.get("companies") or ()
    ]
    return short_card(card, keys, companies=companies)


COMPARE_TASK = CompareKind()
