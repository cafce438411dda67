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
from urllib.parse import urlsplit

from langchain_core.runnables import RunnableConfig
from langgraph.graph.state import CompiledStateGraph

from tradingagents.agents.shapes import could_not_report
from tradingagents.context import RunContext
from tradingagents.errors import BudgetReached, TradingAgentsError
from tradingagents.events import Event
from tradingagents.graph.desk import Desk
from tradingagents.record import DataSheetRecord
from tradingagents.recording.prompt_hashes import prompt_hashes
from tradingagents.reports.html import prerender_report
from tradingagents.store.run_folder import RunFolder

AFTER_ASKING = 0.05
"""Seconds in which a request is surely on its way."""
ARTICLES = ("get_news", "get_global_news", "get_topic_news")


class Recorder(ABC):
    """Takes one run through its graph and leaves its record, whichever way it ends."""

    report_of: ClassVar[Mapping[str, str]]
    """State key of each reporting agent's report, by agent."""
    reports: ClassVar[Sequence[str]]
    """State keys of the texts a record holds, in their order."""

    def __init__(self, desk: Desk, context: RunContext, folder: RunFolder, began: float, started_at: datetime) -> None:
        """Prepare to record.

        Args:
            desk: What the runs of a desk share.
            context: The run's surroundings.
            folder: Where the run leaves everything.
            began: `time.perf_counter()` when the run was asked for.
            started_at: The same moment on the wall clock, UTC.
        """
        self._desk, self._folder = desk, folder
        self._context = context
        self._began, self._started_at = began, started_at
        self._state: dict[str, Any] = {}
        self._late_reports: dict[str, str] = {}
        self._gaps: dict[str, None] = {}
        """What tools could not answer, each said once."""

    @abstractmethod
    def _record(self, status: str, error: str | None) -> Mapping[str, Any]:
        """Return the run's record."""

    @abstractmethod
    def _files(self, record: Mapping[str, Any]) -> Mapping[str, str]:
        """Return the text of each report by its path within `reports/`."""

    async def _take_through(
        self, graph: CompiledStateGraph[Any, Any, Any, Any], subject: str, start: Mapping[str, Any]
    ) -> None:
        """Take the run through a graph; leave the record where it fails, and raise what ended it.

        Args:
            graph: The compiled graph.
            subject: What is run, for traces.
            start: The state to begin with.
        """
        events, self._state = self._context.events, dict(start)
        events.subscribe(self._keep)
        config = RunnableConfig(
            recursion_limit=self._desk.settings.max_recur_limit,
            run_name=f"{graph.name} {subject}",
            metadata={"run_id": self._context.run_id},
        )
        try:
            async for state in graph.astream(dict(start), config, context=self._context, stream_mode="values"):
                self._state = state
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

    def _status_of(self, error: TradingAgentsError) -> str:
        return "budget" if isinstance(error, BudgetReached) else "failed"

    async def _leave(self, status: str, *, error: str | None = None) -> Mapping[str, Any]:
        """Write card and reports; the card last, so that a folder with a card is complete."""
        record = self._record(status, error)
        await asyncio.get_running_loop().run_in_executor(self._desk.writer, self._write, record)
        return record

    def _write(self, record: Mapping[str, Any]) -> None:
        for name, text in self._files(record).items():
            self._folder.write_text(f"reports/{name}", text)
        self._folder.write_json("run.json", record)

    def _keep(self, event: Event) -> None:
        """Keep a report for a run that may stop mid-step, and render it while models think."""
        if event.type == "node_end" and isinstance(event.data.get("report"), str):
            self._late_reports[event.node or ""] = event.data["report"]
            self._later(prerender_report, event.data["report"])
        elif event.type == "tool_end" and event.data["status"] == "error":
            self._gaps[f"{event.node} got no answer from {event.data['tool']}: {event.data['content']}"] = None

    def _later(self, render: Callable[..., Any], *arguments: Any) -> None:
        """Render something ahead of its report, a moment later: the next model is asked first, then there is time."""
        asyncio.get_running_loop().call_later(AFTER_ASKING, self._ahead_of_time, render, *arguments)

    def _ahead_of_time(self, render: Callable[..., Any], *arguments: Any) -> None:
        with suppress(RuntimeError):  # the process is ending, and takes no more work
            self._desk.writer.submit(render, *arguments)

    def _texts(self) -> dict[str, str]:
        """Return the texts there are, in order."""
        texts = {key: str(self._state[key]) for key in self.reports if self._state.get(key)}
        for agent, report in self._late_reports.items():
            texts.setdefault(self.report_of[agent], report)
        return {key: texts[key] for key in self.reports if key in texts}

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
                "started_at": self._started_at.isoformat(timespec="milliseconds"),
                "finished_at": datetime.now(UTC).isoformat(timespec="milliseconds"),
            },
            "data_sheet": sheet,
            "warnings": [
                *cutoff.warnings,
                *doubts,
                *self._desk.models.warnings,
                *sorted(self._gaps),  # in an order that does not depend on which tool was faster
                *_silences(sheet),
                *context.data.sheet.substitutions,
                *(could_not_report(failure) for failure in self._state.get("failures", {}).values()),
                *self._state.get("warnings", []),
                *context.meter.warnings,
            ],
            "paths": {
                "folder": str(path),
                "card": str(path / "run.json"),
                "events": str(path / "events.jsonl"),
                "report": str(path / "reports" / "complete_report.md"),
                "html": str(path / "reports" / "report.html"),
            },
            "settings": without_passwords(context.settings.model_dump(mode="json")),
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


def without_passwords(settings: dict[str, Any]) -> dict[str, Any]:
    """Return settings with user names and passwords taken out of the servers' URLs."""

    def plain(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: plain(part) for name, part in value.items()}
        parts = urlsplit(value) if isinstance(value, str) else None
        return (
            parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl() if parts and "@" in parts.netloc else value
        )

    return {
        key: plain(value) if key.endswith(("backend_url", "vendor_urls")) else value for key, value in settings.items()
    }


@lru_cache(maxsize=1)
def _versions() -> Mapping[str, str]:
    packages = ("tradingagents", "langgraph", "langchain-core", "langchain-openai", "pandas", "stockstats")
    return {"python": platform.python_version(), **{name: version(name) for name in packages}}
