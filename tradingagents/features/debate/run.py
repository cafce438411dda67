"""The debate run: bull against bear on one company from shared evidence, and a moderator's verdict."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from tradingagents.context import RunContext
from tradingagents.features.debate.agents.statements import conviction_line, texts_of_debate
from tradingagents.features.debate.agents.states import DebateState
from tradingagents.features.debate.report import debate_document, debate_summary
from tradingagents.features.debate.schemas import DebateRecord, DebateVerdict
from tradingagents.reports.render.html import to_html
from tradingagents.reports.render.markdown import markdown_files, to_markdown
from tradingagents.runtime.kind import RunParts
from tradingagents.runtime.records.checked_run import CheckedRun
from tradingagents.runtime.records.export import ExportableRun
from tradingagents.runtime.runs.session_notes import SessionNotes, answered_question
from tradingagents.schemas.facts import AnsweredQuestion

SUMMARY = "summary.md"


@dataclass(frozen=True)
class DebateResult(ExportableRun):
    """A debate that has ended."""

    record: DebateRecord
    state: DebateState

    @property
    def text(self) -> str:
        """The debate on a page: verdict and the points of both sides, as Markdown."""
        return to_markdown(debate_summary(self.record))


class DebateRun(CheckedRun[DebateRecord, DebateResult]):
    """One run of the graph."""

    report_of: Mapping[str, str] = {}
    reports = ()

    def __init__(self, parts: RunParts, context: RunContext, filing: str) -> None:
        """Open a run.

        Args:
            parts: Passed by the executor.
            context: Passed to the run's nodes and tools.
            filing: The newest annual report, in words.
        """
        super().__init__(parts, context)
        self._filing, self._session = filing, SessionNotes(parts)

    def first_state(self) -> Mapping[str, Any]:
        """Return the ticker."""
        return {"ticker": self._manifest.subject or ""}

    async def prepare(self) -> None:
        """Refuse a day before the one that the session has reached. Raises UsageError."""
        await self._session.begin()  # both sides gather their evidence anew

    def announce(self) -> None:
        """Emit `run_start`."""
        ticker, rounds = self._manifest.subject, self._manifest.request["rounds"]
        day = self.context.data.as_of.isoformat()
        details = {"ticker": ticker, "trade_date": day, "rounds": rounds, "annual_filing": self._filing}
        self.context.events.emit("run_start", f"debate on {ticker}", **details, start=self._starts())

    async def finish(self) -> DebateResult:
        """Emit `result`, write the record and return both."""
        state = cast(DebateState, self.state)
        await self._session.add(self._answered(state))
        record = await self.leave("done" if state.get("verdict") else "no_answer")
        verdict = record.verdict
        lead = conviction_line(DebateVerdict.model_validate(verdict)) if verdict else "The debate has no verdict."
        self.context.events.emit("result", lead, step="result", verdict=verdict)
        return DebateResult(record=record, state=state)

    def _answered(self, state: DebateState) -> AnsweredQuestion:
        """Return what later questions of the session are shown of the debate."""
        cases, verdict = state.get("cases", {}), state.get("verdict", {})
        texts = texts_of_debate(cases, [], verdict)
        return answered_question(
            f"Debate on {self._manifest.subject}",
            texts.get("verdict", ""),
            [self._manifest.subject or ""],
            {name: text for name, text in texts.items() if name != "verdict"},
            state.get("evidence", []),
            run_id=self.context.run_id,
            as_of=self.context.data.as_of.isoformat(),
        )

    def _nothing_reported(self) -> bool:
        return False

    def _record(self, status: str, error: str | None) -> DebateRecord:
        state = cast(DebateState, self.state)
        cases, rebuttals, verdict = state.get("cases", {}), state.get("rebuttals", []), state.get("verdict", {})
        rules = all(label.startswith("offline") for label in self.context.labels.values())
        return DebateRecord.model_validate(
            {
                "run_id": self.context.run_id,
                "status": status,
                "ticker": self._manifest.subject or "",
                "as_of": self.context.data.as_of.isoformat(),
                "annual_filing": self._filing,
                "rounds": self._manifest.request["rounds"],
                "evidence": state.get("evidence", []),
                "hints": state.get("hints", []),
                "cases": cases,
                "rebuttals": rebuttals,
                "verdict": verdict,
                "withheld": state.get("withheld") or [],
                "written_by": "rules" if rules else "model",
                **self._common(error),
                "reports": self._said(state),
            }
        )

    def _said(self, state: DebateState) -> dict[str, str]:
        """Return the statements, and the verdict with how many of its figures were withheld."""
        from tradingagents.runtime.graphs.source_check import withheld_note

        rebuttals = [rebuttal for rebuttal in state.get("rebuttals", []) if rebuttal.counters]
        said = texts_of_debate(state.get("cases", {}), rebuttals, state.get("verdict", {}))
        note = withheld_note(state.get("withheld") or [])
        return {**said, "verdict": f"{said['verdict']}\n\n{note}"} if note else said

    def _files(self, record: DebateRecord) -> Mapping[str, str]:
        document = debate_document(record)
        return {
            **markdown_files(document),
            SUMMARY: to_markdown(debate_summary(record)),
            "report.html": to_html(document),
        }
