"""The record of a run: collected from its events and its state, and written however the run ends."""

from __future__ import annotations

import asyncio
import platform
import time
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from functools import lru_cache
from importlib.metadata import version
from typing import Any, ClassVar

from tradingagents.agents.builders.report import could_not_report
from tradingagents.context import RunContext
from tradingagents.events import Event
from tradingagents.files.atomic import as_json, spread_json
from tradingagents.files.plain_text import clean
from tradingagents.reports.articles_read import ArticlesRead
from tradingagents.reports.citation_marks import marked_text
from tradingagents.reports.document import Document
from tradingagents.reports.model_text import harmless_markdown
from tradingagents.reports.render.ahead import forget_prerendered, prerender, prerender_report, prerender_turn
from tradingagents.reports.report_parts import ReportParts
from tradingagents.runtime.figure_tracer import ARTICLES, FigureTracer, TracedFigures, traced
from tradingagents.runtime.kind import FINISHED, ActiveRun, ResultT, RunParts
from tradingagents.runtime.runs.run_folder import CARD, EVENTS
from tradingagents.schemas.records import DataSheetRecord, DegradedRecord
from tradingagents.settings import without_secrets

OFFLINE = "offline/"
"""How the label of a tier begins that rules answer."""
AFTER_ASKING = 0.05
"""Seconds after which a request has surely been sent."""
_KNOWN_EARLY = ("data_sheet", "articles_read", "debates", "settings", "prompts", "sectors", "indices")
"""Parts of a record that the last model's answer leaves as they are; they take most of the time of its encoding."""


class RecordedRun(ActiveRun[ResultT]):
    """A run that writes a record, reports and a page, as far as `persist` allows."""

    report_of: Mapping[str, str]
    """State key of each reporting agent's report, by agent."""
    reports: Sequence[str]
    """State keys of the texts in a record, in order."""
    nothing_more_given: ClassVar[frozenset[str]]
    """Phases without tool calls: at their start, what is known is matched and rendered while models are working."""
    last_phase: ClassVar[str] = ""
    """The one of these after which only a decision is added: at its start, the report is made as far as it is known."""
    _leaving = False
    """Whether the record is being made: nothing is prepared any more."""
    _is_ahead = False
    """Whether the report has been made as far as it is known; it holds one of `Services.reports_ahead`."""

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
        self._prerendered: dict[str, None] = {}
        self._parts = ReportParts()
        self._gaps: dict[str, None] = {}
        """Failed tool calls, as warnings without duplicates."""
        for event in parts.earlier:
            self._recall(event)

    @abstractmethod
    def _nothing_reported(self) -> bool:
        """Return whether every agent of the first phase failed; resuming such a run would fail again."""

    @abstractmethod
    def _record(self, status: str, error: str | None) -> Mapping[str, Any]:
        """Return the run's record."""

    @abstractmethod
    def _files(self, record: Mapping[str, Any]) -> Mapping[str, str | bytes]:
        """Return the content of each report by its path in `reports/`."""

    async def leave(self, status: str, *, error: str | None = None) -> Mapping[str, Any]:
        """Write card and reports; the card last, so that a folder with a card is complete.

        A finished run no longer needs its checkpoints, nor does one that would fail again when resumed.
        """
        self._leaving = True
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

    def _written(self, record: Mapping[str, Any], finished: bool) -> Mapping[str, Any]:
        """Write the run's files; then delete what only an unfinished run needs."""
        try:
            record = self._write(record)
        finally:
            self._forget_ahead()
        if finished:
            self._folder.forget_unfinished()
        return record

    def _forget_ahead(self) -> None:
        """Release what was made before the end."""
        forget_prerendered(self._prerendered)
        self._parts.forget()
        if self._is_ahead:
            self._is_ahead = False
            self._services.reports_ahead.release()

    def _write(self, record: Mapping[str, Any]) -> Mapping[str, Any]:
        record = traced(self._tracer, record)
        self._tracer.forget()
        for name, content in self._files(record).items() if self._persist == "all" else ():
            if isinstance(content, bytes):
                self._folder.write_bytes(f"reports/{name}", content)
            else:
                self._write_report(name, content)
        self._folder.write_text(CARD, as_json(record, self._encoded(record)))
        return record

    def _write_report(self, name: str, content: str) -> None:
        """Write a report of text, if it is not the one that was written before."""

        def write(text: str) -> None:
            safe = harmless_markdown(text) if name.endswith(".md") else clean(text)
            self._folder.write_text(f"reports/{name}", safe)

        self._parts.made(f"written {name}", content, write)

    def _encoded(self, record: Mapping[str, Any]) -> dict[str, str]:
        """Return parts of the card as JSON."""
        return {key: self._parts.made(f"card {key}", record[key], spread_json) for key in _KNOWN_EARLY if key in record}

    def on_event(self, event: Event) -> None:
        """Save a report in case the run stops mid-step; once nothing more is given, prepare what is known by then."""
        self._recall(event)
        if self._persist != "none" and event.type == "node_start" and event.step in self.nothing_more_given:
            # Shortly after the next model call has been sent.
            asyncio.get_running_loop().call_later(AFTER_ASKING, self._prepare_ahead, event.step)

    def _prepare_ahead(self, phase: str) -> None:
        if self._leaving:
            return
        with suppress(RuntimeError):  # the process is ending
            self._services.writer.submit(self._read_ahead, phase)

    def _read_ahead(self, phase: str) -> None:
        """Match the figures of the texts written so far and render them with their marks; last, all else."""
        with suppress(Exception):  # it is tried again at the end, and told then
            reports = set(self._late_reports.values())
            for text, missing in self._tracer.read_ahead():
                if self._persist == "all":
                    figures = [(place.start, text[place.start : place.end]) for place in missing]
                    shown = marked_text(text, figures)
                    if shown not in self._prerendered:
                        (prerender_report if text in reports else prerender_turn)(shown)
                        self._prerendered[shown] = None
            late = self._leaving or self._services.writer.is_behind  # then other runs would end later for it
            if self._persist == "all" and phase == self.last_phase and not late:
                self._is_ahead = self._is_ahead or self._services.reports_ahead.acquire(blocking=False)
                if self._is_ahead:
                    self._make_known()

    def _make_known(self) -> None:
        """Make the report and the card as far as they are known; the end of the run takes over what stays the same.

        The files of single texts are written too: they are whole, and the folder is complete once it has its card.
        """
        record = self._record("done", None)
        self._encoded(record)
        if (document := self._known_document({**record, "grounding": self._tracer.grounding(record)})) is not None:
            for name, content in prerender(document, self._parts).items():
                self._write_report(name, content)

    def _known_document(self, record: Mapping[str, Any]) -> Document | None:  # noqa: ARG002 - most kinds have none
        """Return the report as far as it is known before the end; None for a kind that makes all of it then."""
        return None

    def _recall(self, event: Event) -> None:
        """Record an event of this start or of an earlier one."""
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
        sheet = self._parts.made("rows", shown.rows, lambda _: shown.to_records())
        return {
            "kind": self._manifest.kind,
            "session": cutoff.session.isoformat(),
            "cutoff": cutoff.instant.isoformat(),
            **({"known": cutoff.known} if cutoff.known else {}),
            "reports": self._texts(),
            "usage": context.meter.totals(),
            "timing": {
                "wall_s": round(time.perf_counter() - self._began, 3),
                "started_at": self._manifest.opened.isoformat(timespec="milliseconds"),
                "finished_at": datetime.now(UTC).isoformat(timespec="milliseconds"),
                "starts": self._starts(),
            },
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
            "settings": without_secrets(context.settings.model_dump(mode="json")),
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
        f"{row['method']} has nothing for {row['symbol'] or 'the market'} from {row['start']} to {row['end']}."
        for row in sheet
        if row["rows"] == 0 and row["start"] and row["method"] in ARTICLES
    ]


@lru_cache(maxsize=1)
def _versions() -> Mapping[str, str]:
    packages = ("tradingagents", "langgraph", "langchain-core", "langchain-openai", "pandas", "stockstats")
    return {"python": platform.python_version(), **{name: version(name) for name in packages}}
