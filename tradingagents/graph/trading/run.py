"""The trading run: one ticker and day, from a request to a decision and its record."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from functools import partial
from typing import Any, cast

from tradingagents.agents import roster
from tradingagents.agents.analysts import fundamentals_analyst, market_analyst
from tradingagents.agents.debates import RESEARCH, RISK
from tradingagents.agents.decision_text import render_decision
from tradingagents.agents.schemas import Decision
from tradingagents.agents.states import AgentState, Turn
from tradingagents.analytics.holdings.holder_decision import holder_decision
from tradingagents.analytics.holdings.order_list import OrderRules
from tradingagents.analytics.least_history import short_history_fault
from tradingagents.context import TradingContext
from tradingagents.dataflows.data_sheet import DataSheetRow
from tradingagents.dataflows.gateway.financial_sources import METHOD as STATEMENTS_OF_ALL_SOURCES
from tradingagents.dataflows.gateway.financial_sources import STATEMENT_METHOD
from tradingagents.dataflows.instrument import KIND_WORDS, Instrument
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.models import Prices
from tradingagents.dataflows.reference.symbols import namesake_hint
from tradingagents.errors import DataError, TradingAgentsError, UsageError
from tradingagents.files.notebook_html import card_html
from tradingagents.graph.evaluation.automatic import settle_own
from tradingagents.graph.evaluation.decision import judged_by
from tradingagents.graph.evaluation.pending import NOTE, note_of
from tradingagents.graph.evaluation.track_record import with_track_record
from tradingagents.graph.trading.earlier_decisions import earlier_decisions
from tradingagents.graph.trading.state_log import write_state_log
from tradingagents.offline.readings import Row
from tradingagents.reports.earlier import EarlierDecision
from tradingagents.reports.render.html import to_html
from tradingagents.reports.render.markdown import markdown_files
from tradingagents.reports.trading import trading_document
from tradingagents.runtime.graphs.branches import none_reported
from tradingagents.runtime.kind import RunParts
from tradingagents.runtime.records.base import OFFLINE, RecordedRun
from tradingagents.runtime.records.export import ExportableRun
from tradingagents.schemas.cards import RunRecord
from tradingagents.schemas.decision import sureness_words
from tradingagents.schemas.portfolio import HolderRecord
from tradingagents.schemas.records import DegradedRecord, InstrumentRecord, JudgedByRecord

FINAL = "final_trade_decision"


@dataclass(frozen=True)
class Run(ExportableRun):
    """A finished run."""

    record: RunRecord
    state: AgentState
    decision: Decision
    readings: Mapping[str, Sequence[Row]] = field(default_factory=dict)
    """What the offline analysts read, by the state key of their report; empty where language models did."""

    def _repr_html_(self) -> str:
        """Return subject, day and decision as a notebook shows them, and where the whole page is."""
        record = self.record
        rows = (("Run", record["run_id"]), ("Status", record["status"]), ("Page", record["paths"].get("html", "")))
        title = f"{record['ticker']}, {record['trade_date']}: {self.decision.action}"
        return card_html(title, rows, render_decision(self.decision))


class TradingRun(RecordedRun[RunRecord, Run]):
    """One run of the trading graph on one ticker."""

    def __init__(self, parts: RunParts, context: TradingContext, prices: Prices) -> None:
        """Open a run; `prices` are for the page's chart."""
        super().__init__(parts, context)
        self.report_of = roster.reports_of(roster.trading_agents(context.settings.analysts))
        self.reports = roster.trading_texts()
        self._instrument, self._prices = context.instrument, prices
        self._decision: Decision | None = None
        self._unsettled: list[str] = []
        """Earlier decisions that were due and could not be evaluated."""

    def first_state(self) -> Mapping[str, Any]:
        """Return ticker, day and the scan's context."""
        symbol, day, brief = self._instrument.symbol, self.context.data.as_of.isoformat(), self._manifest.brief
        return {"company_of_interest": symbol, "trade_date": day, **({"macro_scan_summary": brief} if brief else {})}

    def announce(self) -> None:
        """Emit `run_start`."""
        symbol, day = self._instrument.symbol, self.context.data.as_of.isoformat()
        self.context.events.emit("run_start", f"{symbol} {day}", ticker=symbol, trade_date=day, start=self._starts())

    async def prepare(self) -> None:
        """Evaluate earlier decisions on the ticker that are due, if the run writes anything."""
        if self._persist != "none":
            self._unsettled = await settle_own(self._services, cast(TradingContext, self.context))

    async def finish(self) -> Run:
        """Emit the decision, write the record and return both."""
        self._decision = decision = await self._looked_back(self.state["decisions"][FINAL])
        degraded = self._degraded()
        sure = sureness_words(decision.confidence, decision.strength)
        self.context.events.emit(
            "result",
            f"{decision.action} ({sure}){', degraded' if degraded else ''}",
            decision=decision.as_json(),
            degraded=[gap.as_json() for gap in degraded],
        )
        record = await self.leave(self._ending(decision))
        if (folder := self._services.settings.results_dir) and self._persist == "all":
            await asyncio.get_running_loop().run_in_executor(self._services.writer, write_state_log, folder, self.state)
        return Run(
            record=record,
            state=cast(AgentState, self.state),
            decision=decision,
            readings=self._readings(),
        )

    def _readings(self) -> dict[str, Sequence[Row]]:
        """Return the readings of offline analysts, which the deciders have worked out."""
        if not self.context.labels.get("quick", "").startswith(OFFLINE):
            return {}
        known = self.context.found.briefs
        found = {key: known[key].reading for key in self.report_of.values() if key in known}
        return {key: reading.rows for key, reading in found.items() if reading is not None}

    async def _looked_back(self, decision: Decision) -> Decision:
        """Return the decision with the track record of similar ones; without it if the outcomes are unreadable."""
        store, context = self._services.outcomes, self.context
        ask = partial(with_track_record, decision, store, context.labels.get("deep", ""), context.data.as_of)
        try:
            return await asyncio.get_running_loop().run_in_executor(self._services.writer, ask)
        except TradingAgentsError as error:
            self._unsettled.append(str(error))
            return decision

    def _ending(self, decision: Decision) -> str:
        if decision.action != "NO_DECISION":
            return "done"
        reviews = self.state.get("reviews", [])
        return "rejected" if reviews and reviews[-1].verdict == "reject" else "no_decision"

    def _left_out(self) -> list[str]:
        """Say in one line which analysts had nothing to study."""
        chosen = map(roster.analyst, self.context.settings.analysts)
        names = [f"the {spec.name}" for spec in chosen if spec.unfit(self.context) is not None]
        if not names:
            return []
        found = self._instrument
        return [f"{found.symbol} is {KIND_WORDS[found.kind]}, so it was studied without {' and '.join(names)}."]

    def _degraded(self) -> list[DegradedRecord]:
        """Return what is missing because a model failed, or because prices or statements cannot be true."""
        own: list[DegradedRecord] = []
        found, symbol = self._prices.withheld, self._prices.symbol
        if found is not None:
            detail = f"the prices of {symbol} before {found.sound_from} are withheld"
            own.append(DegradedRecord(kind="withheld_prices", agent=market_analyst.SPEC.name, detail=detail))
        data = self.context.data
        if detail := withheld_statements(data.sheet.rows, symbol, data.as_of - STATEMENTS_USED):
            own.append(DegradedRecord(kind="withheld_statements", agent=fundamentals_analyst.SPEC.name, detail=detail))
        return [*super()._degraded(), *own]

    def _nothing_reported(self) -> bool:
        return none_reported(tuple(self.report_of.values()), self.state)

    def _files(self, record: RunRecord) -> Mapping[str, str]:
        document = trading_document(
            record,
            self._prices,
            benchmark=self._benchmark_prices(),
            earlier=self._earlier(record),
        )
        return {**markdown_files(document), "report.html": to_html(document)}

    def _earlier(self, record: RunRecord) -> list[EarlierDecision]:
        symbol, day = self._instrument.symbol, self.context.data.as_of
        page = record.paths.get("html", "")
        return earlier_decisions(self.context.settings, symbol, day, market=self._services.cohort.market, page=page)

    def _benchmark_prices(self) -> Prices | None:
        """Return the benchmark's prices if a tool of the run has read them; a page never queries a vendor."""
        benchmark, data = self._instrument.benchmark, self.context.data
        read = {row.symbol for row in data.sheet.rows if row.method == "get_stock_data"}
        if not benchmark or benchmark not in read or benchmark == self._instrument.symbol:
            return None
        try:
            return data.with_new_sheet().prices(benchmark)  # a chart adds nothing to what agents were given
        except DataError:
            return None  # it was read for another window, or has expired since

    def _record(self, status: str, error: str | None) -> RunRecord:
        state, who = cast(AgentState, self.state), self._instrument
        return RunRecord.model_validate(
            {
                "run_id": self.context.run_id,
                "status": status,
                "ticker": who.symbol,
                "trade_date": self.context.data.as_of.isoformat(),
                "instrument": instrument_record(who),
                "decision": self._decision,
                **self._common(error, [*self._namesake(), *self._left_out(), *self._old_prices(), *self._unsettled]),
                **({"reviews": state["reviews"]} if state.get("reviews") else {}),
                "debates": {"research": _plain(RESEARCH.turns(state)), "risk": _plain(RISK.turns(state))},
                "decisions": state.get("decisions", {}),
                "models": dict(self.context.labels),
                **({"lessons_used": state["lessons_used"]} if state.get("lessons_used") else {}),
                "judged_by": self._judged_by(),
                "book": self._for_book(),
                "settling": list(state.get("settling", {}).values()),
            }
        )

    def _for_book(self) -> HolderRecord | None:
        """Return what the decision means for the book; None without a book or a decision."""
        context, decision = cast(TradingContext, self.context), self._decision
        if context.book is None or decision is None:
            return None
        orders = OrderRules(
            max_position=context.settings.max_position_size, whole_shares=self._instrument.kind != "crypto"
        )
        found = holder_decision(
            context.book,
            self._instrument.symbol,
            (decision.action, decision.conviction, decision.position_size),
            (decision.stop, decision.target),
            orders,
            shorting=context.sell_means == "short",
        )
        return found.model_copy(update={"price": context.last_close})

    def _judged_by(self) -> JudgedByRecord | None:
        context = self.context
        return judged_by(self._decision, context.data.cutoff, self._prices, self._instrument, context.settings)

    def _write(self, record: RunRecord) -> RunRecord:
        if record.judged_by is not None:
            until = date.fromisoformat(record.judged_by.until)
            self._folder.write_text(NOTE, note_of(until, self._services.cohort))
        return super()._write(record)

    def _namesake(self) -> list[str]:
        """Warn if the symbol also has another meaning."""
        hint = namesake_hint(self._instrument.symbol)
        return [hint] if hint else []

    def _old_prices(self) -> list[str]:
        """Warn of prices that are old, or too few to tell the risk by."""
        context = cast(TradingContext, self.context)
        newest, session = self._prices.days[-1].item(), context.data.cutoff.session
        old = f"The newest prices of {self._prices.symbol} are of {newest}, though the last session is {session}."
        warnings = [old] if newest < session else []
        return [*warnings, *([f"No level and no size: {context.no_size}"] if context.no_size else [])]


STATEMENTS_USED = timedelta(days=3 * 366)
"""How far back the figures of a decision read statements."""
FAULTS_NAMED = 3


def assert_studied(instrument: Instrument, analysts: Sequence[str]) -> None:
    """Refuse a run none of whose analysts studies its kind of instrument.

    Raises:
        UsageError: Names the analysts that do.
    """
    chosen = [roster.analyst(name) for name in analysts]
    if not chosen or any(not spec.kinds or instrument.kind in spec.kinds for spec in chosen):
        return
    able = [name for name, spec in roster.roster().analysts.items() if not spec.kinds or instrument.kind in spec.kinds]
    raise UsageError(
        f"{instrument.symbol} is {KIND_WORDS[instrument.kind]}, which {', '.join(analysts)} cannot study; choose among "
        f"{', '.join(able)} in the setting analysts."
    )


def withheld_statements(sheet: Iterable[DataSheetRow], symbol: str, since: date) -> str:
    """Return what the data gate withheld from the statements that a decision reads; empty for nothing.

    Args:
        sheet: The rows of the run's data sheet.
        symbol: Whose statements.
        since: Statements of periods that ended earlier are left out.
    """
    faults = [
        fault
        for row in sheet
        if row.symbol == symbol and row.method in (*STATEMENT_METHOD.values(), STATEMENTS_OF_ALL_SOURCES.name)
        for fault in row.faults
        if fault.withholds and fault.day is not None and fault.day >= since
    ]
    found = list(dict.fromkeys(fault.what.partition(";")[0] for fault in faults))
    more = f" and {len(found) - FAULTS_NAMED} more" if len(found) > FAULTS_NAMED else ""
    said = "; ".join(found[:FAULTS_NAMED])
    return f"items of the statements of {symbol} are withheld ({said}{more})" if found else ""


def instrument_record(who: Instrument) -> InstrumentRecord:
    """Return an instrument as records hold it."""
    return InstrumentRecord(
        symbol=who.symbol,
        name=who.name,
        kind=who.kind,
        sector=who.sector,
        industry=who.industry,
        exchange=who.exchange,
        currency=who.currency,
        benchmark=who.benchmark,
        listing=who.listing,
    )


def record_short_history(data: MarketData, prices: Prices) -> None:
    """Name a history that is too short for its longest figures among the faults and warnings of the run."""
    fault = short_history_fault(prices)
    if fault is None:
        return
    row = DataSheetRow("get_stock_data", prices.symbol, prices.vendor, rows=0, fetched_at=data.asked_at)
    data.sheet.add(replace(row, warnings=(fault.reason,), faults=(fault,)))


def _plain(turns: Sequence[Turn]) -> list[dict[str, str]]:
    return [{"speaker": turn["speaker"], "text": turn["text"]} for turn in turns]
