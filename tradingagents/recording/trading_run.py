"""One trading run: from its start to its decision, and the record it leaves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar, cast

from tradingagents.agents.analysts import (
    fundamentals_analyst,
    market_analyst,
    news_analyst,
    social_media_analyst,
)
from tradingagents.agents.debates import research_turns, risk_turns
from tradingagents.agents.schemas import Decision
from tradingagents.agents.states import AgentState, Turn
from tradingagents.context import TradingContext
from tradingagents.dataflows.rows import Prices
from tradingagents.events import Event
from tradingagents.graph.desk import Desk
from tradingagents.record import InstrumentRecord, RunRecord
from tradingagents.recording.recorder import Recorder
from tradingagents.reports.html import prerender_turn, render_html
from tradingagents.reports.markdown import report_files
from tradingagents.store.run_folder import RunFolder

FINAL = "final_trade_decision"


@dataclass(frozen=True)
class Run:
    """A finished run."""

    record: RunRecord
    state: AgentState
    decision: Decision


class TradingRecorder(Recorder):
    """Takes one ticker through the trading graph."""

    report_of: ClassVar[Mapping[str, str]] = {
        market_analyst.AGENT: "market_report",
        social_media_analyst.AGENT: "sentiment_report",
        news_analyst.AGENT: "news_report",
        fundamentals_analyst.AGENT: "fundamentals_report",
    }
    reports: ClassVar[Sequence[str]] = (
        "market_report",
        "sentiment_report",
        "news_report",
        "fundamentals_report",
        "macro_regime_report",
        "macro_scan_summary",
        "investment_plan",
        "trader_investment_plan",
        FINAL,
    )

    def __init__(
        self,
        desk: Desk,
        context: TradingContext,
        folder: RunFolder,
        prices: Prices,
        began: float,
        started_at: datetime,
    ) -> None:
        """Prepare to record; `prices` are for the page's chart, the rest as in `Recorder`."""
        super().__init__(desk, context, folder, began, started_at)
        self._instrument, self._prices = context.instrument, prices
        self._decision: Decision | None = None

    async def record_run(self, brief: str = "") -> Run:
        """Take the run through the graph and leave its record. Raises what ended it, after recording that.

        Args:
            brief: What a market scan hands over, as Markdown; empty for none.
        """
        symbol, day = self._instrument.symbol, self._context.data.as_of.isoformat()
        events = self._context.events
        events.emit("run_start", f"{symbol} {day}", ticker=symbol, trade_date=day)
        start = {"company_of_interest": symbol, "trade_date": day, **({"macro_scan_summary": brief} if brief else {})}
        await self._take_through(self._desk.graph, symbol, start)
        self._decision = decision = Decision.model_validate(self._state["decisions"][FINAL])
        events.emit(
            "result",
            f"{decision.action} (confidence {decision.confidence:.2f})",
            decision=decision.model_dump(mode="json"),
        )
        record = await self._leave("no_decision" if decision.action == "NO_DECISION" else "done")
        return Run(record=cast(RunRecord, record), state=cast(AgentState, self._state), decision=decision)

    def _keep(self, event: Event) -> None:
        super()._keep(event)
        if event.type == "debate_turn":
            self._later(prerender_turn, event.data["text"])

    def _files(self, record: Mapping[str, Any]) -> Mapping[str, str]:
        run = cast(RunRecord, record)
        return {**report_files(run), "report.html": render_html(run, self._prices)}

    def _record(self, status: str, error: str | None) -> Mapping[str, Any]:
        state, who = cast(AgentState, self._state), self._instrument
        instrument = InstrumentRecord(
            symbol=who.symbol,
            name=who.name,
            kind=who.kind,
            sector=who.sector,
            industry=who.industry,
            exchange=who.exchange,
            currency=who.currency,
            benchmark=who.benchmark,
        )
        return {
            "run_id": self._context.run_id,
            "status": status,
            "ticker": who.symbol,
            "trade_date": self._context.data.as_of.isoformat(),
            "instrument": instrument,
            "decision": self._decision.model_dump(mode="json") if self._decision else None,
            **self._common(error, self._stale_prices()),
            "debates": {"research": _plain(research_turns(state)), "risk": _plain(risk_turns(state))},
            "decisions": state.get("decisions", {}),
        }

    def _stale_prices(self) -> list[str]:
        newest, session = self._prices.days[-1].item(), self._context.data.cutoff.session
        if newest >= session:
            return []
        return [f"The newest prices of {self._prices.symbol} are of {newest}, though the last session is {session}."]


def _plain(turns: Sequence[Turn]) -> list[dict[str, str]]:
    return [{"speaker": turn["speaker"], "text": turn["text"]} for turn in turns]
