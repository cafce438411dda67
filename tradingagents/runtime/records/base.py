"""The record of a run: collected from its events and its state, and written however the run ends."""

from __future__ import annotations

import asyncio
import platform
import time
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import lru_cache
from importlib.metadata import version
from typing import Any, Generic

from tradingagents.agents.builders.report import could_not_report
from tradingagents.context import RunContext
from tradingagents.events import Event
from tradingagents.files.atomic import as_json
from tradingagents.files.plain_text import clean
from tradingagents.reports.articles_read import ArticlesRead
from tradingagents.reports.model_text import harmless_markdown
from tradingagents.runtime.figure_tracer import ARTICLES, FigureTracer, TracedFigures, traced
from tradingagents.runtime.kind import FINISHED, ActiveRun, RecordT, ResultT, RunParts
from tradingagents.runtime.runs.run_folder import CARD, EVENTS
from tradingagents.schemas.records import DataSheetRecord, DegradedRecord, TimingRecord
from tradingagents.settings import recorded_settings

OFFLINE = "offline/"
"""How the label of a tier begins that rules answer."""


class RecordedRun(ActiveRun[ResultT], Generic[RecordT, ResultT]):
    """A run that writes a record, reports and a page, as far as `persist` allows."""

    report_of: Mapping[str, str]
    """State key of each reporting agent's report, by agent."""
    reports: Sequence[str]
    """State keys of the texts in a record, in order."""

    def __init__(self, parts: RunParts, context: RunContext) -> None:
        """Open a run.

        Args:
            parts: Passed by the executor.
            context: Passed to the run's nodes and tools.
        """
        self.state = {}
        self._services, self._folder = parts.services, parts.files
        self._manifest, self._persist = parts.manifest, parts.persist
        self._began, self._past = parts.began, parts.earlier
        self._late_reports: dict[str, str] = {}
        self._tracer = FigureTracer(context, parts.manifest.brief)
        self.context = replace(context, figures=TracedFigures(self._tracer, parts.services.writer))
        self._articles = ArticlesRead()
        self.read_holdings = False
        """Whether a tool was asked about what the user holds."""
        self._gaps: dict[str, None] = {}
        """Failed tool calls, as warnings without duplicates."""
        for event in parts.earlier:
            self.on_event(event)

    @abstractmethod
    def _nothing_reported(self) -> bool:
        """Return whether every agent of the first phase failed; resuming such a run would fail again."""

    @abstractmethod
    def _record(self, status: str, error: str | None) -> RecordT:
        """Return the run's record."""

    @abstractmethod
    def _files(self, record: RecordT) -> Mapping[str, str | bytes]:
        """Return the content of each report by its path in `reports/`."""

    async def leave(self, status: str, *, error: str | None = None) -> RecordT:
        """Write card and reports; the card last, so that a folder with a card is complete.

        A finished run no longer needs its checkpoints, nor does one that would fail again when resumed.
        """
        self.context.replay.flush()  # before the record is written: whoever has the record can replay the run
        record = self._record(status, error)
        if self._persist == "none":
            return record
        finished = status in FINISHED or self._nothing_reported()
        loop = asyncio.get_running_loop()
        record = await loop.run_in_executor(self._services.writer, self._written, record, finished)
        if finished and self._persist == "all" and self._services.checkpoints.remote:
            await self._services.checkpoints.forget(self._manifest.thread)
        return record

    def _written(self, record: RecordT, finished: bool) -> RecordT:
        """Write the run's files; then delete what only an unfinished run needs."""
        record = self._write(record)
        if finished:
            self._folder.forget_unfinished()
        return record

    def _write(self, record: RecordT) -> RecordT:
        record = traced(self._tracer, record)
        self._tracer.forget()
        for name, content in self._files(record).items() if self._persist == "all" else ():
            if isinstance(content, bytes):
                self._folder.write_bytes(f"reports/{name}", content)
            else:
                safe = harmless_markdown(content) if name.endswith(".md") else clean(content)
                self._folder.write_text(f"reports/{name}", safe)
        self._folder.write_text(CARD, as_json(record.as_json()))
        return record

    def on_event(self, event: Event) -> None:
        """Record an event of this start or of an earlier one."""
        self.read_holdings = self.read_holdings or bool(event.data.get("private"))
        self._tracer.recall(event)
        self._articles.recall(event)
        if event.type == "node_end" and isinstance(event.data.get("report"), str):
            self._late_reports[event.node or ""] = event.data["report"]
        elif event.type == "tool_end" and event.data.get("status") == "error":
            told = event.data
            self._gaps[f"{event.node} got no answer from {told.get('tool')}: {told.get('content')}"] = None

    def _starts(self) -> int:
        """Return the number of starts of the run, including this one."""
        return 1 + sum(event.type == "run_start" for event in self._past)

    def _texts(self) -> dict[str, str]:
        """Return the texts written so far, in order."""
        texts = {key: str(self.state[key]) for key in self.reports if self.state.get(key)}
        for agent, report in self._late_reports.items():
            texts.setdefault(self.report_of[agent], report)
        return {key: texts[key] for key in self.reports if key in texts}

    def _paths(self) -> dict[str, str]:
        """Return the paths of the files that the run writes."""
        path = self._folder.path
        card = {"folder": str(path), "card": str(path / CARD)}
        if self._persist != "all":
            return card if self._persist == "card" else {}
        return {
            **card,
            "events": str(path / EVENTS),
            "report": str(path / "reports" / "complete_report.md"),
            "html": str(path / "reports" / "report.html"),
        }

    def _degraded(self) -> list[DegradedRecord]:
        """Return what is missing because a model failed."""
        missing = [
            DegradedRecord(kind="missing_report", agent=failure["agent"], detail=failure["reason"])
            for failure in self.state.get("failures", {}).values()
        ]
        return [*missing, *self.state.get("degraded", [])]

    def _common(self, error: str | None, doubts: Sequence[str] = ()) -> dict[str, Any]:
        """Return the parts of the record that all run kinds share.

        Args:
            error: The error that ended the run; None for none.
            doubts: Warnings about the request; they come first.
        """
        context = self.context
        cutoff, shown = context.data.cutoff, context.data.sheet
        sheet = shown.to_records()
        return {
            "kind": self._manifest.kind,
            "session": cutoff.session.isoformat(),
            "cutoff": cutoff.instant.isoformat(),
            **({"known": cutoff.known} if cutoff.known else {}),
            "reports": self._texts(),
            "usage": context.meter.totals(),
            "timing": TimingRecord(
                wall_s=round(time.perf_counter() - self._began, 3),
                started_at=self._manifest.opened.isoformat(timespec="milliseconds"),
                finished_at=datetime.now(UTC).isoformat(timespec="milliseconds"),
                starts=self._starts(),
            ),
            "data_sheet": sheet,
            "articles_read": self._articles.to_records(),
            "degraded": self._degraded(),
            "data_faults": shown.faults,
            "warnings": [
                *cutoff.warnings,
                *doubts,
                *_language_note(context),
                *self._services.models.warnings,
                *sorted(self._gaps),  # sorted, so that the order doesn't depend on tool speed
                *_silences(sheet),
                *context.data.sheet.substitutions,
                *context.data.sheet.warnings,
                *(could_not_report(failure) for failure in self.state.get("failures", {}).values()),
                *(self.state.get("warnings") or []),
                *context.meter.warnings,
                *context.replay.warnings,
            ],
            "paths": self._paths(),
            "settings": recorded_settings(context.settings),
            "versions": dict(_versions()),
            "prompts": dict(self._manifest.asked["prompts"]),
            **({"error": error} if error else {}),
        }


def _language_note(context: RunContext) -> tuple[str, ...]:
    """Say that rules do not write the language that is asked for."""
    language = context.settings.output_language.strip()
    ruled = any(label.startswith(OFFLINE) for label in context.labels.values())
    if not ruled or language.lower().startswith("english"):
        return ()
    return (f"The rules write English only, so nothing they wrote is in {language}; a language model writes it.",)


def _silences(sheet: Sequence[DataSheetRecord]) -> list[str]:
    """Warn about news queries that returned nothing."""
    return [
        f"{row.method} has nothing for {row.symbol or 'the market'} from {row.start} to {row.end}."
        for row in sheet
        if row.rows == 0 and row.start and row.method in ARTICLES
    ]


@lru_cache(maxsize=1)
def _versions() -> Mapping[str, str]:
    packages = ("tradingagents", "langgraph", "langchain-core", "langchain-openai", "pandas", "stockstats")
    return {"python": platform.python_version(), **{name: version(name) for name in packages}}
