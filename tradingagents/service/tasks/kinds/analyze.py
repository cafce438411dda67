"""`analyze`: a team of agents studies one ticker and decides."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import Field

from tradingagents.dataflows.reference.symbols import normalise
from tradingagents.schemas.workspace import TaskPolicy
from tradingagents.service.tasks.control import TaskControl
from tradingagents.service.tasks.kind import TaskOutcome
from tradingagents.service.tasks.run_request import RunTaskKind, TeamRequest
from tradingagents.settings import Settings


class AnalyzeRequest(TeamRequest):
    """A ticker, a day, and the settings of its run."""

    ticker: str = Field(min_length=1, max_length=40, description="Symbol, such as AAPL")
    approve: bool | None = Field(None, description="Wait for a person's approval before the decision is final")


class AnalyzeKind(RunTaskKind[AnalyzeRequest]):
    """One run of the trading graph."""

    name = "analyze"
    known_as = "Analyze a stock"
    summary = "Study one ticker with a team of agents (analysts, debates, trader, risk) and decide: BUY, SELL or HOLD."
    request = AnalyzeRequest
    policy = TaskPolicy(costs_money=True, writes=True)

    def title(self, request: AnalyzeRequest) -> str:
        """Return ticker and day."""
        return f"{normalise(request.ticker)} {request.day or 'latest session'}"

    def check(self, request: AnalyzeRequest, settings: Settings) -> None:
        """Check symbol and settings. Raises UsageError."""
        normalise(request.ticker)
        super().check(request, settings)

    async def run(self, request: AnalyzeRequest, control: TaskControl) -> TaskOutcome:
        """Run the trading graph, or resume its run."""
        from tradingagents.graph.trading.run import TRADING, TradingRequest
        from tradingagents.service.tasks.run_steps import add_reports, run_to_end

        settings = request.settings(control.settings)
        control.progress(total=_agents(settings))
        asked = TradingRequest(ticker=request.ticker, day=request.day)
        card = await run_to_end(control, TRADING, asked, settings)
        add_reports(control, card, f"{card['ticker']} {card['trade_date']}")
        return TaskOutcome(decided(card))


def decided(card: Mapping[str, Any]) -> dict[str, Any]:
    """Return the decision of a trading run in short."""
    from tradingagents.service.tasks.run_steps import cost_of

    decision = card.get("decision") or {}
    keys = ("action", "confidence", "horizon_days", "entry", "stop", "target", "position_size", "rationale")
    return {
        "run_id": card["run_id"],
        "status": card["status"],
        "ticker": card["ticker"],
        "trade_date": card["trade_date"],
        **{key: decision.get(key) for key in keys},
        "degraded": len(card.get("degraded") or ()),
        "warnings": list(card.get("warnings") or ()),
        "cost_usd": cost_of(card),
    }


def _agents(settings: Settings) -> int:
    """Return how often agents speak in a run in which all answer: analysts, both debates, three who decide."""
    debates = 2 * settings.max_debate_rounds + 3 * settings.max_risk_discuss_rounds
    return len(settings.analysts) + debates + 3


ANALYZE = AnalyzeKind()
