"""One trading run: from its start to its decision, and the record it leaves."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial
from typing import Any, ClassVar, cast

from tradingagents.agents.analysts import (
    fundamentals_analyst,
    market_analyst,
    news_analyst,
    social_media_analyst,
)
from tradingagents.agents.debates import research_turns, risk_turns
from tradingagents.agents.managers.approval import Approval
from tradingagents.agents.schemas import Decision
from tradingagents.agents.states import AgentState, Turn
from tradingagents.context import TradingContext
from tradingagents.dataflows.models import Prices
from tradingagents.dataflows.reference.symbols import namesake_hint
from tradingagents.errors import DataError, TradingAgentsError
from tradingagents.evaluation.automatic import settle_own
from tradingagents.evaluation.decision import judged_by
from tradingagents.evaluation.pending import NOTE, note_of
from tradingagents.evaluation.track_record import with_track_record
from tradingagents.events import Event
from tradingagents.graph.branches import none_reported
from tradingagents.graph.setup import ANALYST
from tradingagents.reports.earlier import EarlierDecision
from tradingagents.reports.render.html import prerender_turn, render_html
from tradingagents.reports.render.markdown import report_files
from tradingagents.runtime.earlier_decisions import earlier_decisions
from tradingagents.runtime.executor import Recorder
from tradingagents.runtime.manifest import Question
from tradingagents.runtime.services import Services
from tradingagents.runtime.state_log import write_state_log
from tradingagents.schemas.records import InstrumentRecord, JudgedByRecord, RunRecord
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
    nothing_more_given: ClassVar[frozenset[str]] = frozenset({"trading", "decision"})

    def __init__(
        self,
        services: Services,
        context: TradingContext,
        folder: RunFolder,
        prices: Prices,
        began: float,
        question: Question,
        past: Sequence[Event] = (),
    ) -> None:
        """Prepare to record; `prices` are for the page's chart, the rest as in `Recorder`."""
        super().__init__(services, context, folder, began, question, past)
        self._instrument, self._prices = context.instrument, prices
        self._decision: Decision | None = None
        self._unsettled: list[str] = []
        """Earlier decisions that were due and could not be settled."""

    async def record_run(self, approval: Approval | None = None) -> Run:
        """Take the run through the graph and leave its record. Raises what ended it, after recording that.

        Args:
            approval: What a person said of the proposed decision, for a run that waits for that.
        """
        symbol, day = self._instrument.symbol, self._context.data.as_of.isoformat()
        events, brief = self._context.events, self._question.brief
        events.emit("run_start", f"{symbol} {day}", ticker=symbol, trade_date=day, start=self._starts())
        start = {"company_of_interest": symbol, "trade_date": day, **({"macro_scan_summary": brief} if brief else {})}
        said = approval.model_dump(mode="json") if approval else None
        await self._take_through(self._services.graph, symbol, start, said)
        self._decision = decision = await self._looked_back(Decision.model_validate(self._state["decisions"][FINAL]))
        degraded = self._degraded()
        events.emit(
            "result",
            f"{decision.action} (confidence {decision.confidence:.2f}){', degraded' if degraded else ''}",
            decision=decision.model_dump(mode="json"),
            degraded=degraded,
        )
        record = await self._leave(self._ending(decision))
        if folder := self._services.settings.results_dir:
            await asyncio.get_running_loop().run_in_executor(
                self._services.writer, write_state_log, folder, self._state
            )
        return Run(record=cast(RunRecord, record), state=cast(AgentState, self._state), decision=decision)

    async def _looked_back(self, decision: Decision) -> Decision:
        """Return the decision with what came of earlier ones like it; without it where the outcomes cannot be read."""
        store, context = self._services.outcomes, self._context
        ask = partial(with_track_record, decision, store, context.labels.get("deep", ""), context.data.as_of)
        try:
            return await asyncio.get_running_loop().run_in_executor(self._services.writer, ask)
        except TradingAgentsError as error:
            self._unsettled.append(str(error))
            return decision

    def _ending(self, decision: Decision) -> str:
        if decision.action != "NO_DECISION":
            return "done"
        reviews = self._state.get("reviews", [])
        return "rejected" if reviews and reviews[-1]["verdict"] == "reject" else "no_decision"

    async def _before_first_step(self) -> None:
        self._unsettled = await settle_own(self._services, cast(TradingContext, self._context))

    def _nothing_reported(self) -> bool:
        return none_reported([ANALYST[name][1] for name in self._context.settings.analysts], self._state)

    def _keep(self, event: Event) -> None:
        super()._keep(event)
        if event.type == "debate_turn":
            self._later(prerender_turn, event.data["text"])

    def _files(self, record: Mapping[str, Any]) -> Mapping[str, str]:
        run = cast(RunRecord, record)
        page = render_html(run, self._prices, benchmark=self._benchmark_prices(), earlier=self._earlier(run))
        return {**report_files(run), "report.html": page}

    def _earlier(self, run: RunRecord) -> list[EarlierDecision]:
        symbol, day = self._instrument.symbol, self._context.data.as_of
        page = run["paths"].get("html", "")
        return earlier_decisions(self._context.settings, symbol, day, market=self._services.cohort.market, page=page)

    def _benchmark_prices(self) -> Prices | None:
        """Return the benchmark's prices where some agent's tool has read them: a page asks no vendor anything."""
        benchmark, data = self._instrument.benchmark, self._context.data
        read = {row.symbol for row in data.sheet.rows if row.method == "get_stock_data"}
        if not benchmark or benchmark not in read or benchmark == self._instrument.symbol:
            return None
        try:
            return data.prices(benchmark)
        except DataError:
            return None  # the answer was read over another window, or has gone stale since

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
            **self._common(error, [*self._namesake(), *self._stale_prices(), *self._unsettled]),
            **({"reviews": state["reviews"]} if state.get("reviews") else {}),
            "debates": {"research": _plain(research_turns(state)), "risk": _plain(risk_turns(state))},
            "decisions": state.get("decisions", {}),
            "models": dict(self._context.labels),
            **({"lessons_used": state["lessons_used"]} if state.get("lessons_used") else {}),
            **({"judged_by": basis} if (basis := self._judged_by()) else {}),
        }

    def _judged_by(self) -> JudgedByRecord | None:
        context = self._context
        return judged_by(self._decision, context.data.as_of, self._prices, self._instrument, context.settings)

    def _write(self, record: Mapping[str, Any]) -> Mapping[str, Any]:
        if "judged_by" in record:
            until = date.fromisoformat(record["judged_by"]["until"])
            self._folder.write_text(NOTE, note_of(until, self._services.cohort))
        return super()._write(record)

    def _namesake(self) -> list[str]:
        """Say what else the symbol stands for, where that is something other than the company studied."""
        hint = namesake_hint(self._instrument.symbol)
        return [hint] if hint else []

    def _stale_prices(self) -> list[str]:
        newest, session = self._prices.days[-1].item(), self._context.data.cutoff.session
        if newest >= session:
            return []
        return [f"The newest prices of {self._prices.symbol} are of {newest}, though the last session is {session}."]


def _plain(turns: Sequence[Turn]) -> list[dict[str, str]]:
    return [{"speaker": turn["speaker"], "text": turn["text"]} for turn in turns]
