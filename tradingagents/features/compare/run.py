"""The comparison run: one research run a company under one budget, then one answer with a table."""

from __future__ import annotations

import asyncio
import contextvars
import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from langchain_core.runnables.config import var_child_runnable_config

from tradingagents.context import RunContext
from tradingagents.errors import AwaitingApproval, BudgetReached, Interrupted, TradingAgentsError
from tradingagents.events import Event, EventStream
from tradingagents.features.compare.agents.states import CompareState
from tradingagents.features.compare.agents.topics import TOPICS
from tradingagents.features.compare.report import compare_document
from tradingagents.features.compare.schemas import AnswerNotes, CompareRecord, ResearchedCompany
from tradingagents.features.research.kind import RESEARCH, ResearchRequest
from tradingagents.features.research.run import ResearchAnswer
from tradingagents.features.research.schemas import ResearchRecord
from tradingagents.files.atomic import read_object
from tradingagents.llm_clients.meter import UsageMeter, Used
from tradingagents.llm_clients.usage_sums import logged_events
from tradingagents.reports.render.html import to_html
from tradingagents.reports.render.markdown import markdown_files
from tradingagents.runtime import executor
from tradingagents.runtime.kind import FINISHED, Persist, RunParts
from tradingagents.runtime.manifest import RunManifest, read_manifest
from tradingagents.runtime.records.checked_run import CheckedRun
from tradingagents.runtime.records.export import ExportableRun
from tradingagents.runtime.runs.run_folder import CARD, EVENTS, MANIFEST
from tradingagents.runtime.runs.session_notes import SessionNotes, answered_question
from tradingagents.runtime.services import Services
from tradingagents.schemas.facts import AnsweredQuestion
from tradingagents.schemas.records import DataSheetRecord

STEP = "execute"
UNEXPECTED = "an unexpected {} ended its research; please report it"
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Comparison(ExportableRun):
    """A comparison with everything it rests on."""

    record: CompareRecord
    state: CompareState

    @property
    def text(self) -> str:
        """The answer as Markdown, its sources last."""
        return self.record.answer


@dataclass
class CompanyResearch:
    """The research runs of one comparison: begun, resumed, or read where they have ended."""

    services: Services
    manifest: RunManifest
    meter: UsageMeter
    events: EventStream
    topics: Sequence[str]
    persist: Persist
    runs: dict[str, str]
    """Ids of the runs that earlier starts have begun, by ticker."""
    tickers: Sequence[str]
    ended: dict[str, ResearchedCompany] = field(default_factory=dict)
    slots: asyncio.Semaphore = field(init=False)

    def __post_init__(self) -> None:
        self.slots = asyncio.Semaphore(self.services.settings.max_concurrent_pipelines)
        for run_id in self.runs.values():
            self._recall_usage(run_id)

    async def __call__(self, symbol: str) -> ResearchedCompany:
        """Research one company; its failure is stated and does not end the comparison.

        Raises:
            BudgetReached: The budget of the comparison is used up.
            Interrupted: The comparison is to stop.
        """
        async with self.slots:
            found = self._finished(symbol) or await self._carried_out(symbol)
        company = company_of(symbol, found)
        self.ended[symbol] = company
        self._tell(symbol, company.status, note=company.note, sources=company.sources)
        return company

    async def _carried_out(self, symbol: str) -> ResearchRecord | str:
        """Run a company's research to its end; return its record, or why there is none."""
        try:
            handle = self._begun(symbol)
            try:
                return (await handle.result()).record
            except AwaitingApproval as waiting:
                return (await self._clarified(waiting.run_id, symbol)).record
        except (BudgetReached, Interrupted):
            raise
        except AwaitingApproval as waiting:
            return f"its research asks back: {waiting}"
        except TradingAgentsError as error:
            return str(error)
        except Exception as error:  # noqa: BLE001 - a bug in one company's research does not end the others
            _log.exception("the research on %s ended unexpectedly", symbol)
            return UNEXPECTED.format(type(error).__name__)

    def _begun(self, symbol: str) -> executor.RunHandle[ResearchAnswer]:
        known = self.runs.get(symbol)
        home = self.services.settings.home_dir
        if known is not None and (home / "runs" / known / MANIFEST).is_file():
            self._tell(symbol, "running")
            return self._detached(executor.resume, read_manifest(home, known))
        request = ResearchRequest(
            question=question_on(symbol, self.topics),
            day=self.manifest.trade_date,
            session=self.manifest.request.get("session"),
            adds_to_session=False,  # the comparison adds one answer for all
        )
        handle = self._detached(executor.start, request)
        self.runs[symbol] = handle.run_id
        self._tell(symbol, "running")  # before the run's first step, which makes its folder
        return handle

    async def _clarified(self, run_id: str, symbol: str) -> ResearchAnswer:
        """Answer what a research run asks back: nobody else is there to answer it."""
        said = {"text": f"The company with the ticker {symbol}. {question_on(symbol, self.topics)}"}
        return await self._detached(
            executor.resume, read_manifest(self.services.settings.home_dir, run_id), answer=said
        ).result()

    def _detached(self, begin: Any, what: Any, **more: Any) -> executor.RunHandle[ResearchAnswer]:
        """Begin a run outside this graph's step: else LangGraph would take its graph for a part of ours."""
        options = executor.RunOptions(meter=self.meter, persist=self.persist)
        around = contextvars.copy_context()
        around.run(var_child_runnable_config.set, None)
        handle: executor.RunHandle[ResearchAnswer] = around.run(begin, RESEARCH, what, self.services, options, **more)
        return handle

    def _finished(self, symbol: str) -> ResearchRecord | None:
        """Return the record of a run that an earlier start has finished."""
        if (run_id := self.runs.get(symbol)) is None:
            return None
        path = self.services.settings.home_dir / "runs" / run_id / CARD
        card = read_object(path, way_out="delete the run, and compare anew")
        return RESEARCH.read(card) if card is not None and card.get("status") in FINISHED else None

    def _recall_usage(self, run_id: str) -> None:
        """Count what an earlier start of a company's run has used: it counts against the budget of the whole."""
        path = self.services.settings.home_dir / "runs" / run_id / EVENTS
        for event in logged_events(path, of=("usage",)):
            if event.get("type") == "usage" and (used := Used.of(event.get("data"))) is not None:
                self.meter.recall(event.get("node") or "", used)

    def _tell(self, symbol: str, status: str, **data: Any) -> None:
        number = f"task_{self.tickers.index(symbol) + 1}"
        self.events.emit(
            "task",
            f"{symbol}: {status}",
            node=number,
            step=STEP,
            task_id=number,
            status=status,
            iteration=1,
            symbol=symbol,
            run_id=self.runs.get(symbol, ""),
            **data,
        )


class CompareRun(CheckedRun[CompareRecord, Comparison]):
    """One run of the graph."""

    report_of: Mapping[str, str] = {}
    reports = ("answer",)

    def __init__(self, parts: RunParts, context: RunContext, research: CompanyResearch) -> None:
        """Open a run.

        Args:
            parts: Passed by the executor.
            context: Passed to the run's nodes.
            research: Runs the companies' research.
        """
        self._research, self._session = research, SessionNotes(parts)
        super().__init__(parts, context)

    def first_state(self) -> Mapping[str, Any]:
        """Return the companies and the topics."""
        asked = self._manifest.request
        return {"tickers": list(asked["tickers"]), "topics": list(asked["topics"]), "companies": {}}

    async def prepare(self) -> None:
        """Refuse a day before the one that the session has reached, and say what is reused. Raises UsageError."""
        await self._session.begin(self.context.events)

    def announce(self) -> None:
        """Emit `run_start`, and the plan: one task a company."""
        asked, events = self._manifest.request, self.context.events
        title = title_of(asked["tickers"], asked["topics"])
        events.emit("run_start", title, tickers=asked["tickers"], topics=asked["topics"], start=self._starts())
        tasks = [
            {"id": f"task_{number}", "description": f"Research {symbol}", "task_type": "use_tools", "depends_on": []}
            for number, symbol in enumerate(asked["tickers"], 1)
        ]
        plan = {"summary": title, "selected_frameworks": [], "tasks": tasks, "is_simple_query": False}
        events.emit("plan", title, step="plan", iteration=1, plan=plan)

    async def finish(self) -> Comparison:
        """Emit `result`, write the record and return both."""
        state = cast(CompareState, self.state)
        found = any(cell.shown for row in state["table"] for cell in row.cells)
        found = found or any(company.status == "completed" for company in state["companies"].values())
        await self._session.add(self._answered(state))
        record = await self.leave("done" if found else "no_answer")
        data: dict[str, Any] = {"answer": record.answer, "sources": record.sources, "missing": record.missing}
        self.context.events.emit("result", record.answer.partition("\n")[0], step="result", **data)
        return Comparison(record=record, state=state)

    def _answered(self, state: CompareState) -> AnsweredQuestion:
        """Return what later questions of the session are shown of the comparison."""
        companies = state["companies"].values()
        return answered_question(
            title_of(state["tickers"], state["topics"]),
            state["answer"],
            state["tickers"],
            {company.symbol: company.answer for company in companies},
            [fact for company in companies for fact in company.facts],
            run_id=self.context.run_id,
            as_of=self.context.data.as_of.isoformat(),
        )

    def _nothing_reported(self) -> bool:
        return False

    def _record(self, status: str, error: str | None) -> CompareRecord:
        state, asked = cast(CompareState, self.state), self._manifest.request
        companies = self._companies()
        common = self._common(error)
        notes = state.get("notes") or AnswerNotes(sources=[], missing=[], withheld=[])
        missing = notes.missing or [
            f"research on {symbol} (not finished)" for symbol in asked["tickers"] if symbol not in companies
        ]
        answer = state.get("answer") or partial_comparison(companies.values(), missing)
        rules = all(label.startswith("offline") for label in self.context.labels.values())
        return CompareRecord.model_validate(
            {
                "run_id": self.context.run_id,
                "status": status,
                "tickers": list(asked["tickers"]),
                "topics": list(asked["topics"]),
                "as_of": self.context.data.as_of.isoformat(),
                "companies": [company.as_json() for company in companies.values()],
                "table": state.get("table") or [],
                "answer": answer,
                "sources": notes.sources,
                "missing": missing,
                "withheld": notes.withheld,
                "written_by": "rules" if rules else "model",
                **common,
                "data_sheet": joined_sheet(common["data_sheet"], companies.values()),
                "reports": {"answer": answer} if answer else {},
            }
        )

    def _companies(self) -> dict[str, ResearchedCompany]:
        known = {**self._research.ended, **(cast(CompareState, self.state).get("companies") or {})}
        return {symbol: known[symbol] for symbol in self._manifest.request["tickers"] if symbol in known}

    def _runs_read(self) -> Iterable[str]:
        """Return the research runs of the companies."""
        return self._research.runs.values()

    def _files(self, record: CompareRecord) -> Mapping[str, str | bytes]:
        document = compare_document(record)
        return {**markdown_files(document), "report.html": to_html(document)}


def question_on(symbol: str, topics: Sequence[str]) -> str:
    """Return the research question on one company."""
    words = "; ".join(TOPICS[topic].words for topic in topics)
    return f"Build a thesis on {symbol}, to be compared with other companies. Cover: {words}."


def title_of(tickers: Sequence[str], topics: Sequence[str]) -> str:
    """Return what is compared, in one line."""
    return f"Compare {', '.join(tickers)} on {', '.join(topics)}"


def joined_sheet(own: Sequence[DataSheetRecord], companies: Iterable[ResearchedCompany]) -> list[DataSheetRecord]:
    """Return the rows of a comparison, then those of its companies' research that say something else.

    When a row was read makes no difference: a comparison that was resumed reads again what its companies had read.
    """
    known = [_whenever_read(row) for row in own]
    rows = (row for company in companies for row in company.data_sheet)
    return [*own, *(row for row in rows if _whenever_read(row) not in known)]


def _whenever_read(row: DataSheetRecord) -> DataSheetRecord:
    return row.model_copy(update={"fetched_at": ""})


def partial_comparison(companies: Iterable[ResearchedCompany], missing: Sequence[str]) -> str:
    """Return what a comparison that ended early has found, and what it lacks; empty where it found nothing."""
    from tradingagents.features.compare.graph import compared_sources
    from tradingagents.features.research.graph.sources import with_sources

    done = [company for company in companies if company.status == "completed"]
    if not done:
        return ""
    parts = ["The comparison ended before it was written. This was found:"]
    parts += [f"**{company.symbol}**\n\n{company.answer}" for company in done]
    return with_sources("\n\n".join(parts), compared_sources((), done), missing)


def company_of(symbol: str, record: ResearchRecord | str) -> ResearchedCompany:
    """Return a company from the record of its research, or from the note why there is none."""
    if isinstance(record, str):
        return ResearchedCompany(
            symbol=symbol,
            run_id="",
            status="failed",
            answer="",
            sources=[],
            missing=[],
            facts=[],
            data_sheet=[],
            note=record,
        )
    facts = {fact.title: fact for task in record.tasks for fact in task.facts if not fact.failure}
    answered = record.status == "done"
    return ResearchedCompany(
        symbol=symbol,
        run_id=record.run_id,
        status="completed" if answered else "failed",
        answer=record.answer,
        sources=list(record.sources),
        missing=list(record.missing) if answered else [],
        facts=list(facts.values()),
        data_sheet=list(record.data_sheet),
        note="" if answered else "; ".join(record.missing) or f"its research ended as {record.status}",
    )


def begun_in(events: Sequence[Event]) -> dict[str, str]:
    """Return the ids of the research runs that a run's log names, by ticker."""
    begun = (event.data for event in events if event.type == "task" and event.data.get("run_id"))
    return {data["symbol"]: data["run_id"] for data in begun}
