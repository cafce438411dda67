"""Watches one run and leaves its record, reports and page, whichever way the run ends."""

from __future__ import annotations

import asyncio
import platform
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from functools import lru_cache
from importlib.metadata import version
from typing import Any, ClassVar

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.errors import GraphDrained
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import RunControl
from langgraph.types import Command

from tradingagents.agents.builders.report import could_not_report
from tradingagents.context import RunContext
from tradingagents.errors import AwaitingApproval, BudgetReached, Interrupted, TradingAgentsError
from tradingagents.events import Event
from tradingagents.plain_text import clean
from tradingagents.reports.articles_read import ArticlesRead
from tradingagents.reports.model_text import harmless_markdown
from tradingagents.reports.render.html import prerender_report
from tradingagents.runtime.figure_tracer import FigureTracer, traced
from tradingagents.runtime.manifest import Question
from tradingagents.runtime.prompt_hashes import prompt_hashes
from tradingagents.runtime.services import Services
from tradingagents.schemas.records import DataSheetRecord, DegradedRecord
from tradingagents.settings import without_secrets
from tradingagents.store.run_folder import RunFolder

AFTER_ASKING = 0.05
"""Seconds in which a request is surely on its way."""
FINISHED = frozenset({"done", "no_decision", "rejected"})
"""How a run ends that need not go on."""
WAITING = "awaiting_approval"
_INTERRUPT = "__interrupt__"
"""The key under which LangGraph documents what a graph waits for."""
ARTICLES = ("get_news", "get_global_news", "get_topic_news")


class Recorder(ABC):
    """Takes one run through its graph and leaves its record, whichever way it ends."""

    report_of: ClassVar[Mapping[str, str]]
    """State key of each reporting agent's report, by agent."""
    reports: ClassVar[Sequence[str]]
    """State keys of the texts a record holds, in their order."""
    nothing_more_given: ClassVar[frozenset[str]]
    """Steps before which every tool has answered: from then on figures can be traced, while models think."""

    def __init__(
        self,
        services: Services,
        context: RunContext,
        folder: RunFolder,
        began: float,
        question: Question,
        past: Sequence[Event] = (),
    ) -> None:
        """Prepare to record.

        Args:
            services: What runs share.
            context: The run's surroundings.
            folder: Where the run leaves everything.
            began: `time.perf_counter()` when this start was asked for.
            question: What is asked.
            past: What earlier starts of the run logged.
        """
        self._services, self._folder = services, folder
        self._context, self._question = context, question
        self._began, self._past = began, past
        self._state: dict[str, Any] = {}
        self._late_reports: dict[str, str] = {}
        self._tracer = FigureTracer(context, question.brief)
        self._articles = ArticlesRead()
        self._gaps: dict[str, None] = {}
        """What tools could not answer, each said once."""

    @abstractmethod
    def _nothing_reported(self) -> bool:
        """Tell whether every agent of the first phase failed: to go on from there would fail again."""

    @abstractmethod
    def _record(self, status: str, error: str | None) -> Mapping[str, Any]:
        """Return the run's record."""

    @abstractmethod
    def _files(self, record: Mapping[str, Any]) -> Mapping[str, str]:
        """Return the text of each report by its path within `reports/`."""

    async def _take_through(
        self,
        graph: CompiledStateGraph[Any, Any, Any, Any],
        subject: str,
        start: Mapping[str, Any],
        approval: Mapping[str, Any] | None = None,
    ) -> None:
        """Take the run through a graph; leave the record where it does not end, and raise what stopped it.

        Args:
            graph: The compiled graph.
            subject: What is run, for traces.
            start: The state to begin with, where no step is done yet.
            approval: What a person said of the proposed decision, for a run that waits for that.
        """
        events, self._state = self._context.events, dict(start)
        for event in self._past:
            self._recall(event)
        events.subscribe(self._keep)
        try:
            await self._before_first_step()
            with self._services.stops.control() as control:
                async with self._services.checkpoints.of(self._folder.unfinished) as saver:
                    await self._go_on(graph, subject, saver, control, approval)
        except (GraphDrained, Interrupted):
            events.emit("error", "interrupted")
            await self._leave("interrupted", error="The run was interrupted.")
            raise Interrupted(f"Interrupted; {self._how_to_go_on()}") from None
        except AwaitingApproval as waiting:
            events.emit("approval", str(waiting), waiting=True)
            await self._leave(WAITING, error=str(waiting))
            raise
        except TradingAgentsError as error:
            events.emit("error", str(error), kind=type(error).__name__)
            await self._leave(self._status_of(error), error=str(error))
            raise
        except Exception as error:  # a bug: the record says that it ended, the traceback travels on
            events.emit("error", f"unexpected {type(error).__name__}", kind=type(error).__name__)
            await self._leave("failed", error=f"An unexpected {type(error).__name__} ended the run.")
            raise
        except asyncio.CancelledError:
            events.emit("error", "interrupted")
            await asyncio.shield(self._leave("interrupted", error="The run was interrupted."))
            raise

    async def _before_first_step(self) -> None:
        """Do what belongs to the run but to no step of its graph; done anew at each start."""
        return

    async def _go_on(
        self,
        graph: CompiledStateGraph[Any, Any, Any, Any],
        subject: str,
        saver: BaseCheckpointSaver[Any] | None,
        control: RunControl,
        approval: Mapping[str, Any] | None,
    ) -> None:
        """Take the steps that no earlier start has finished."""
        config = RunnableConfig(
            recursion_limit=self._services.settings.max_recur_limit,
            run_name=f"{graph.name} {subject}",
            tags=["tradingagents", self._question.kind, subject],
            metadata={
                "run_id": self._context.run_id,
                "kind": self._question.kind,
                "ticker": self._question.subject,
                "trade_date": self._question.trade_date.isoformat(),
            },
            configurable={"thread_id": self._question.thread},
        )
        graph = graph.copy({"checkpointer": saver})
        begin: Any = dict(self._state)
        if saver is not None and self._past:
            known = await graph.aget_state(config)
            if known.values:
                begin, self._state = None, dict(known.values)
            if approval is not None and known.interrupts:
                begin = Command(resume=dict(approval))
        async for state in graph.astream(
            begin,
            config,
            context=self._context,
            stream_mode="values",
            # Each step is on disk before the next begins: a killed run pays for no finished step twice.
            durability="sync" if saver is not None else None,
            control=control,
        ):
            self._state = state
        if interrupts := self._state.pop(_INTERRUPT, None):
            raise AwaitingApproval(
                f"{interrupts[0].value['question']}; answer with `tradingagents runs approve`, `revise` or `reject` "
                f"{self._context.run_id}.",
                run_id=self._context.run_id,
            )

    def _how_to_go_on(self) -> str:
        if not self._services.checkpoints.enabled:
            return "its steps were not kept; run it anew."
        return f"go on with `tradingagents runs resume {self._context.run_id}`."

    def _status_of(self, error: TradingAgentsError) -> str:
        return "budget" if isinstance(error, BudgetReached) else "failed"

    async def _leave(self, status: str, *, error: str | None = None) -> Mapping[str, Any]:
        """Write card and reports; the card last, so that a folder with a card is complete.

        A run that has ended needs its steps no more; nor does one that would go on to fail again.
        """
        record = self._record(status, error)
        record = await asyncio.get_running_loop().run_in_executor(self._services.writer, self._write, record)
        if status in FINISHED or self._nothing_reported():
            if self._services.checkpoints.remote:
                await self._services.checkpoints.forget(self._question.thread)
            self._folder.forget_unfinished()
        return record

    def _write(self, record: Mapping[str, Any]) -> Mapping[str, Any]:
        record = traced(self._tracer, record)
        for name, text in self._files(record).items():
            self._folder.write_text(f"reports/{name}", harmless_markdown(text) if name.endswith(".md") else clean(text))
        self._folder.write_json("run.json", record)
        return record

    def _keep(self, event: Event) -> None:
        """Keep a report for a run that may stop mid-step, and render it while models think."""
        self._recall(event)
        if event.type == "node_end" and isinstance(event.data.get("report"), str):
            self._later(prerender_report, event.data["report"])
        elif event.type == "node_start" and event.step in self.nothing_more_given:
            self._later(self._tracer.read_ahead)

    def _recall(self, event: Event) -> None:
        """Take in what happened, in this start or in an earlier one."""
        self._tracer.recall(event)
        self._articles.recall(event)
        if event.type == "node_end" and isinstance(event.data.get("report"), str):
            self._late_reports[event.node or ""] = event.data["report"]
        elif event.type == "tool_end" and event.data.get("status") == "error":
            told = event.data
            self._gaps[f"{event.node} got no answer from {told.get('tool')}: {told.get('content')}"] = None

    def _later(self, render: Callable[..., Any], *arguments: Any) -> None:
        """Render something ahead of its report, a moment later: the next model is asked first, then there is time."""
        asyncio.get_running_loop().call_later(AFTER_ASKING, self._ahead_of_time, render, *arguments)

    def _ahead_of_time(self, render: Callable[..., Any], *arguments: Any) -> None:
        with suppress(RuntimeError):  # the process is ending, and takes no more work
            self._services.writer.submit(render, *arguments)

    def _starts(self) -> int:
        """Count the starts of the run, this one included."""
        return 1 + sum(event.type == "run_start" for event in self._past)

    def _texts(self) -> dict[str, str]:
        """Return the texts there are, in order."""
        texts = {key: str(self._state[key]) for key in self.reports if self._state.get(key)}
        for agent, report in self._late_reports.items():
            texts.setdefault(self.report_of[agent], report)
        return {key: texts[key] for key in self.reports if key in texts}

    def _degraded(self) -> list[DegradedRecord]:
        """Return what the run had to do without because a model failed."""
        missing = [
            DegradedRecord(kind="missing_report", agent=failure["agent"], detail=failure["reason"])
            for failure in self._state.get("failures", {}).values()
        ]
        return [*missing, *self._state.get("degraded", [])]

    def _common(self, error: str | None, doubts: Sequence[str] = ()) -> dict[str, Any]:
        """Return what every record holds, beside its id, its status and what was studied.

        Args:
            error: What ended the run; None where nothing did.
            doubts: What there is to say about the question, before all other warnings.
        """
        context, path = self._context, self._folder.path
        cutoff, sheet = context.data.cutoff, context.data.sheet.to_records()
        return {
            "session": cutoff.session.isoformat(),
            "cutoff": cutoff.instant.isoformat(),
            "reports": self._texts(),
            "usage": context.meter.totals(),
            "timing": {
                "wall_s": round(time.perf_counter() - self._began, 3),
                "started_at": self._question.opened.isoformat(timespec="milliseconds"),
                "finished_at": datetime.now(UTC).isoformat(timespec="milliseconds"),
                "starts": self._starts(),
            },
            "data_sheet": sheet,
            "articles_read": self._articles.to_records(),
            "degraded": self._degraded(),
            "warnings": [
                *cutoff.warnings,
                *doubts,
                *self._services.models.warnings,
                *sorted(self._gaps),  # in an order that does not depend on which tool was faster
                *_silences(sheet),
                *context.data.sheet.substitutions,
                *context.data.sheet.warnings,
                *(could_not_report(failure) for failure in self._state.get("failures", {}).values()),
                *self._state.get("warnings", []),
                *context.meter.warnings,
                *context.replay.warnings,
            ],
            "paths": {
                "folder": str(path),
                "card": str(path / "run.json"),
                "events": str(path / "events.jsonl"),
                "report": str(path / "reports" / "complete_report.md"),
                "html": str(path / "reports" / "report.html"),
            },
            "settings": without_secrets(context.settings.model_dump(mode="json")),
            "versions": dict(_versions()),
            "prompts": dict(prompt_hashes()),
            **({"error": error} if error else {}),
        }


def _silences(sheet: Sequence[DataSheetRecord]) -> list[str]:
    """Say which questions were answered with nothing: an absence that a reader should see without searching for it."""
    return [
        f"{row['method']} has nothing for {row['symbol'] or 'the market'} from {row['start']} to {row['end']}."
        for row in sheet
        if row["rows"] == 0 and row["start"] and row["method"] in ARTICLES
    ]


@lru_cache(maxsize=1)
def _versions() -> Mapping[str, str]:
    packages = ("tradingagents", "langgraph", "langchain-core", "langchain-openai", "pandas", "stockstats")
    return {"python": platform.python_version(), **{name: version(name) for name in packages}}
