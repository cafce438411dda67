"""The research run: one question, from understanding to an answer with sources, and its record."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from tradingagents.context import RunContext
from tradingagents.events import Event
from tradingagents.features.research.agents.states import ResearchState
from tradingagents.features.research.report import research_document
from tradingagents.features.research.schemas import ResearchRecord, TaskResultRecord
from tradingagents.reports.render.html import to_html
from tradingagents.reports.render.markdown import markdown_files
from tradingagents.runtime.kind import FINISHED, RunParts
from tradingagents.runtime.records.checked_run import CheckedRun
from tradingagents.runtime.records.export import ExportableRun, ReportFormat, export_document, missing_extra
from tradingagents.runtime.runs.session_notes import SessionNotes, answered_question
from tradingagents.schemas.facts import AnsweredQuestion

_EXPORTS: Mapping[str, ReportFormat] = {"excel": "xlsx", "pdf": "pdf"}
"""Format of the file that a question asks for."""


@dataclass(frozen=True)
class ResearchAnswer(ExportableRun):
    """An answer with everything it rests on."""

    record: ResearchRecord
    state: ResearchState

    @property
    def text(self) -> str:
        """The answer as Markdown, its sources last."""
        return self.record.answer


class ResearchRun(CheckedRun[ResearchRecord, ResearchAnswer]):
    """One run of the graph."""

    report_of: Mapping[str, str] = {}
    reports = ("answer",)

    def __init__(self, parts: RunParts, context: RunContext) -> None:
        """Open a run; what earlier starts have logged is taken in."""
        self._ended: dict[str, TaskResultRecord] = {}
        self._session = SessionNotes(parts)
        super().__init__(parts, context)  # takes in the earlier events

    def on_event(self, event: Event) -> None:
        """Take in a task's result as it ends: a run that stops before the others have ended keeps it."""
        super().on_event(event)
        if event.type == "task" and isinstance(result := event.data.get("result"), dict):
            ended = TaskResultRecord.model_validate(result)
            self._ended[ended.key] = ended

    def first_state(self) -> Mapping[str, Any]:
        """Return the question, and what the session has found by its day."""
        return {
            "question": self._manifest.request["question"],
            "history": self._session.earlier(),
            "asked_back": [],
            "understanding": {},
            "iteration": 0,
            "plan": {},
            "results": None,
            "iterations": None,
            "guidance": "",
            "answer": "",
            "sources": [],
            "stopped": "",
            "missing": [],
            "withheld": [],
            "unusable": "",
            "by_rules": "",
            "warnings": None,
        }

    async def prepare(self) -> None:
        """Refuse a day before the one that the session has reached, and say what is reused. Raises UsageError."""
        await self._session.begin(self.context.events)

    def announce(self) -> None:
        """Emit `run_start`."""
        question = self._manifest.request["question"]
        self.context.events.emit("run_start", question, question=question, start=self._starts())

    async def finish(self) -> ResearchAnswer:
        """Emit `result`, write the record and return both."""
        state = cast(ResearchState, self.state)
        await self._session.add(self._answered(state))
        record = await self.leave("done" if _found(state) else "no_answer")
        lead = record.answer.partition("\n")[0]
        data: dict[str, Any] = {"answer": record.answer, "sources": record.sources, "missing": record.missing}
        if self.read_holdings:
            data["private"] = True
        self.context.events.emit("result", lead, step="result", stopped=record.stopped, **data)
        return ResearchAnswer(record=record, state=state)

    def _answered(self, state: ResearchState) -> AnsweredQuestion:
        """Return what later questions of the session are shown of this one."""
        results = list(state["results"].values())
        plans = [note.plan for note in state.get("iterations", [])]
        return answered_question(
            state["question"],
            state["answer"],
            state["understanding"].get("tickers", []),
            {result.key: result.findings for result in results},
            [fact for result in results for fact in result.facts],
            run_id=self.context.run_id,
            as_of=self.context.data.as_of.isoformat(),
            frameworks=list(dict.fromkeys(name for plan in plans for name in plan.get("selected_frameworks", []))),
        )

    def _nothing_reported(self) -> bool:
        return False

    def _record(self, status: str, error: str | None) -> ResearchRecord:
        from tradingagents.features.research.graph.sources import partial_answer, source_names

        state = cast(ResearchState, self.state)
        results = in_plan_order({**self._ended, **(state.get("results") or {})}.values())
        common = self._common(error)
        missing = state.get("missing") or []
        if not state.get("answer"):
            missing = self._missing(results)
        answer = state.get("answer") or partial_answer(results, missing)
        return ResearchRecord.model_validate(
            {
                "run_id": self.context.run_id,
                "status": status,
                "question": self._manifest.request["question"],
                "as_of": self.context.data.as_of.isoformat(),
                "understanding": state.get("understanding") or {},
                "iterations": state.get("iterations") or [],
                "tasks": results,
                "answer": answer,
                "sources": state.get("sources") or source_names(results),
                "missing": missing,
                "withheld": state.get("withheld") or [],
                "stopped": state.get("stopped") if status in FINISHED else status,
                "written_by": "rules" if self.context.by_rules or state.get("by_rules") else "model",
                **common,
                "warnings": [*common["warnings"], *self._export_warnings()],
                "reports": {"answer": answer} if answer else {},
            }
        )

    def _missing(self, results: Sequence[TaskResultRecord]) -> list[str]:
        """Return what a run that stopped before its answer lacks."""
        from tradingagents.features.research.graph.sources import missing_from, not_carried_out

        state = cast(ResearchState, self.state)
        known = cast(ResearchState, {**state, "results": {result.key: result for result in results}})
        return list(dict.fromkeys([*missing_from(known), *not_carried_out(known, results)]))

    def _runs_read(self) -> Iterable[str]:
        """Return the earlier runs of the session."""
        history = cast(ResearchState, self.state).get("history", [])
        return (earlier.run_id for earlier in history if earlier.run_id)

    def _write(self, record: ResearchRecord) -> ResearchRecord:
        """Withhold figures without a source from a partial answer, which no model can repair; then write."""
        if self.state.get("answer") or record.written_by == "rules" or not record.answer:
            return super()._write(record)
        from tradingagents.runtime.graphs.source_check import withheld_from

        shown = withheld_from(record.answer, self._untraced(record.answer), "answer")
        reports = {**record.reports, "answer": shown.text}
        changed = {"answer": shown.text, "reports": reports, "withheld": shown.withheld}
        return super()._write(record.model_copy(update=changed))

    def _paths(self) -> dict[str, str]:
        paths, name = super()._paths(), self._wanted_export()
        if name is None or self._persist != "all" or missing_extra(name):
            return paths
        return {**paths, "export": str(self._folder.path / "reports" / f"report.{name}")}

    def _wanted_export(self) -> ReportFormat | None:
        """Return the format in which the question asked for a file; None where it asked for none."""
        understood = self.state.get("understanding") or {}
        return _EXPORTS.get(understood.get("export_intent") or "")

    def _export_warnings(self) -> list[str]:
        """Say why the file that the question asked for is not written."""
        name = self._wanted_export()
        missing = missing_extra(name) if name else None
        return [f"The {name} file was not written. {missing}"] if missing else []

    def _files(self, record: ResearchRecord) -> Mapping[str, str | bytes]:
        document = research_document(record)
        files: dict[str, str | bytes] = {**markdown_files(document), "report.html": to_html(document)}
        name = self._wanted_export()
        if name is not None and record.paths.get("export"):
            files[f"report.{name}"] = export_document(document, record, name)
        return files


def finished_in(events: Iterable[Event]) -> dict[str, TaskResultRecord]:
    """Return the results of the tasks that a run's log tells of, by key."""
    results = (event.data.get("result") for event in events if event.type == "task")
    known = (TaskResultRecord.model_validate(result) for result in results if isinstance(result, dict))
    return {result.key: result for result in known}


def in_plan_order(results: Iterable[TaskResultRecord]) -> list[TaskResultRecord]:
    """Return results by iteration, and within it by the number of the task."""
    return sorted(results, key=lambda result: (result.iteration, len(result.task_id), result.task_id))


def _found(state: ResearchState) -> bool:
    return any(result.status == "completed" for result in (state.get("results") or {}).values())
