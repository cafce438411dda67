"""Watches one run and leaves its record, reports and page, whichever way the run ends."""

from __future__ import annotations

import asyncio
import hashlib
import platform
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from importlib.metadata import version
from typing import Any, cast
from urllib.parse import urlsplit

from langchain_core.runnables import RunnableConfig

from tradingagents.agents.analysts import (
    fundamentals_analyst,
    market_analyst,
    news_analyst,
    social_media_analyst,
)
from tradingagents.agents.debates import RISK_ANSWERING, RISK_OPENING, research_turns, risk_turns
from tradingagents.agents.managers import research_manager, risk_manager
from tradingagents.agents.prompting import PREAMBLE
from tradingagents.agents.researchers import bear_researcher, bull_researcher
from tradingagents.agents.risk_mgmt import aggressive_debator, conservative_debator, neutral_debator
from tradingagents.agents.schemas import Decision
from tradingagents.agents.states import AgentState, Turn
from tradingagents.agents.trader import trader
from tradingagents.context import RunContext
from tradingagents.dataflows.rows import Prices
from tradingagents.errors import BudgetReached, TradingAgentsError
from tradingagents.events import Event
from tradingagents.graph.desk import Desk
from tradingagents.record import DataSheetRecord, DecisionRecord, InstrumentRecord, RunRecord
from tradingagents.reports.html import prerender_report, prerender_turn, render_html
from tradingagents.reports.markdown import report_files
from tradingagents.store.run_folder import RunFolder

REPORTS = (
    "market_report",
    "sentiment_report",
    "news_report",
    "fundamentals_report",
    "macro_regime_report",
    "investment_plan",
    "trader_investment_plan",
    "final_trade_decision",
)


@dataclass(frozen=True)
class Run:
    """A finished run."""

    record: RunRecord
    state: AgentState
    decision: Decision


class Recorder:
    """Watches one run and leaves its record, whichever way it ends."""

    def __init__(
        self,
        desk: Desk,
        context: RunContext,
        folder: RunFolder,
        prices: Prices,
        began: float,
        started_at: datetime,
        warnings: Sequence[str],
    ) -> None:
        self._desk = desk
        self.context, self.folder, self.prices = context, folder, prices
        self._warnings = (*_date_warnings(context, prices), *warnings)
        self._began, self._started_at = began, started_at
        self._state: AgentState = {
            "company_of_interest": context.instrument.symbol,
            "trade_date": context.data.as_of.isoformat(),
        }
        self._late_reports: dict[str, str] = {}
        self._gaps: dict[str, None] = {}
        """What tools could not answer, each said once."""

    async def record_run(self) -> Run:
        """Take the run through the graph and leave its record. Raises what ended it, after recording that."""
        desk, context, events = self._desk, self.context, self.context.events
        events.subscribe(self._keep_reports)
        events.emit(
            "run_start",
            f"{context.instrument.symbol} {context.data.as_of}",
            ticker=context.instrument.symbol,
            trade_date=context.data.as_of.isoformat(),
        )
        config = RunnableConfig(
            recursion_limit=desk.settings.max_recur_limit,
            run_name=f"trading {context.instrument.symbol}",
            metadata={"run_id": context.run_id, "ticker": context.instrument.symbol},
        )
        try:
            async for state in desk.graph.astream(self._state, config, context=context, stream_mode="values"):
                self._state = cast(AgentState, state)
        except TradingAgentsError as error:
            status = "budget" if isinstance(error, BudgetReached) else "failed"
            events.emit("error", str(error), kind=type(error).__name__)
            await self._leave(status, None, error=str(error))
            raise
        except Exception as error:  # a bug: the record says that it ended, the traceback travels on
            events.emit("error", f"unexpected {type(error).__name__}", kind=type(error).__name__)
            await self._leave("failed", None, error=f"An unexpected {type(error).__name__} ended the run.")
            raise
        except asyncio.CancelledError:
            events.emit("error", "interrupted")
            await asyncio.shield(self._leave("interrupted", None, error="The run was interrupted."))
            raise
        decision = Decision.model_validate(self._state["decisions"]["final_trade_decision"])
        status = "no_decision" if decision.action == "NO_DECISION" else "done"
        record = await self._leave(status, decision)
        return Run(record=record, state=self._state, decision=decision)

    def _keep_reports(self, event: Event) -> None:
        """Keep a report for a run that may stop mid-step; render it, and the debate, while models think."""
        if event.type == "node_end" and isinstance(event.data.get("report"), str):
            self._late_reports[event.node or ""] = event.data["report"]
            self._desk.writer.submit(prerender_report, event.data["report"])
        elif event.type == "tool_end" and event.data["status"] == "error":
            self._gaps[f"{event.node} got no answer from {event.data['tool']}: {event.data['content']}"] = None
        elif event.type == "debate_turn":
            self._desk.writer.submit(prerender_turn, event.data["text"])

    async def _leave(self, status: str, decision: Decision | None, *, error: str | None = None) -> RunRecord:
        """Write card and reports; the card last, so that a folder with a card is complete."""
        record = self._record(status, decision, error)
        events = self.context.events
        if decision is not None:
            events.emit(
                "result",
                f"{decision.action} (confidence {decision.confidence:.2f})",
                decision=decision.model_dump(mode="json"),
            )
        await asyncio.get_running_loop().run_in_executor(self._desk.writer, self._write, record)
        return record

    def _write(self, record: RunRecord) -> None:
        for name, text in report_files(record).items():
            self.folder.write_text(f"reports/{name}", text)
        self.folder.write_text("reports/report.html", render_html(record, self.prices))
        self.folder.write_json("run.json", cast(Mapping[str, Any], record))

    def _record(self, status: str, decision: Decision | None, error: str | None) -> RunRecord:
        context, state, path = self.context, self._state, self.folder.path
        cutoff, finished_at = context.data.cutoff, datetime.now(UTC)
        sheet = context.data.sheet.to_records()
        record = RunRecord(
            run_id=context.run_id,
            status=status,
            ticker=context.instrument.symbol,
            trade_date=cutoff.as_of.isoformat(),
            instrument=InstrumentRecord(
                symbol=context.instrument.symbol,
                name=context.instrument.name,
                kind=context.instrument.kind,
                sector=context.instrument.sector,
                industry=context.instrument.industry,
                exchange=context.instrument.exchange,
                currency=context.instrument.currency,
                benchmark=context.instrument.benchmark,
            ),
            session=cutoff.session.isoformat(),
            cutoff=cutoff.instant.isoformat(),
            decision=cast(DecisionRecord, decision.model_dump(mode="json")) if decision else None,
            reports=self._reports(),
            debates={
                "research": _plain(research_turns(state)),
                "risk": _plain(risk_turns(state)),
            },
            usage=context.meter.totals(),
            timing={
                "wall_s": round(time.perf_counter() - self._began, 3),
                "started_at": self._started_at.isoformat(timespec="milliseconds"),
                "finished_at": finished_at.isoformat(timespec="milliseconds"),
            },
            data_sheet=sheet,
            warnings=[
                *self._warnings,
                *sorted(self._gaps),  # in an order that does not depend on which tool was faster
                *_silences(sheet),
                *state.get("warnings", []),
                *context.meter.warnings,
            ],
            paths={
                "folder": str(path),
                "card": str(path / "run.json"),
                "events": str(path / "events.jsonl"),
                "report": str(path / "reports" / "complete_report.md"),
                "html": str(path / "reports" / "report.html"),
            },
            settings=_without_passwords(context.settings.model_dump(mode="json")),
            versions=dict(_versions()),
            prompts=dict(prompt_hashes()),
        )
        if error:
            record["error"] = error
        return record

    def _reports(self) -> dict[str, str]:
        texts = {key: str(self._state[key]) for key in REPORTS if self._state.get(key)}  # type: ignore[literal-required]
        for agent, report in self._late_reports.items():
            texts.setdefault(ANALYST_REPORT[agent], report)
        return {key: texts[key] for key in REPORTS if key in texts}


ANALYST_REPORT = {
    market_analyst.AGENT: "market_report",
    social_media_analyst.AGENT: "sentiment_report",
    news_analyst.AGENT: "news_report",
    fundamentals_analyst.AGENT: "fundamentals_report",
}


def _plain(turns: Sequence[Turn]) -> list[dict[str, str]]:
    return [{"speaker": turn["speaker"], "text": turn["text"]} for turn in turns]


def _silences(sheet: Sequence[DataSheetRecord]) -> list[str]:
    """Say which questions were answered with nothing: an absence that a reader should see without searching for it."""
    return [
        f"{row['method']} has nothing for {row['symbol'] or 'the market'} from {row['start']} to {row['end']}."
        for row in sheet
        if row["rows"] == 0 and row["start"] and row["method"] in ("get_news", "get_global_news")
    ]


def _date_warnings(context: RunContext, prices: Prices) -> list[str]:
    cutoff, newest, warnings = context.data.cutoff, prices.days[-1].item(), []
    if cutoff.session != cutoff.as_of:
        warnings.append(
            f"{cutoff.as_of} has no closed session; the market is read as of the close of {cutoff.session}."
        )
    if newest < cutoff.session:
        warnings.append(
            f"The newest prices of {prices.symbol} are of {newest}, though the last session is {cutoff.session}."
        )
    return warnings


def _without_passwords(settings: dict[str, Any]) -> dict[str, Any]:
    """Return settings with user names and passwords taken out of the model servers' URLs."""

    def plain(value: Any) -> Any:
        parts = urlsplit(value) if isinstance(value, str) else None
        return (
            parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl() if parts and "@" in parts.netloc else value
        )

    return {key: plain(value) if key.endswith("backend_url") else value for key, value in settings.items()}


@lru_cache(maxsize=1)
def _versions() -> Mapping[str, str]:
    packages = ("tradingagents", "langgraph", "langchain-core", "langchain-openai", "pandas", "stockstats")
    return {"python": platform.python_version(), **{name: version(name) for name in packages}}


@lru_cache(maxsize=1)
def prompt_hashes() -> Mapping[str, str]:
    """Return the SHA-256 of every agent's prompt template, and of the desk's preamble, by agent."""
    prompts = {
        "Desk": PREAMBLE,
        **{module.AGENT: module.PROMPT for module in (market_analyst, social_media_analyst)},
        **{module.AGENT: module.PROMPT for module in (news_analyst, fundamentals_analyst)},
        **{module.AGENT: module.PROMPT for module in (research_manager, trader, risk_manager)},
        **{module.AGENT: module.OPENING + module.ANSWERING for module in (bull_researcher, bear_researcher)},
        **{
            module.AGENT: module.STANCE + RISK_OPENING + RISK_ANSWERING
            for module in (aggressive_debator, conservative_debator, neutral_debator)
        },
    }
    return {agent: hashlib.sha256(prompt.encode()).hexdigest() for agent, prompt in prompts.items()}
