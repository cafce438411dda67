"""The workflow of a question about a debate that has ended: answered from its record, without tools."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from tradingagents.features.debate.agents.states import DebateQuestionState
from tradingagents.features.debate.report import debate_question_document
from tradingagents.features.debate.schemas import DebateQuestionRecord
from tradingagents.reports.render.html import to_html
from tradingagents.reports.render.markdown import markdown_files
from tradingagents.runtime.records.checked_run import CheckedRun


@dataclass(frozen=True)
class DebateAnswer:
    """The answer to a question about a debate."""

    record: DebateQuestionRecord
    state: DebateQuestionState

    @property
    def text(self) -> str:
        """The answer as Markdown."""
        return self.record.answer


class DebateQuestionRun(CheckedRun[DebateQuestionRecord, DebateAnswer]):
    """One question."""

    report_of: Mapping[str, str] = {}
    reports = ("answer",)

    def first_state(self) -> Mapping[str, Any]:
        """Return the question."""
        return {"question": self._manifest.request["question"], "answer": "", "withheld": []}

    def announce(self) -> None:
        """Emit `run_start`."""
        question = self._manifest.request["question"]
        details = {"ticker": self._manifest.subject, "question": question}
        self.context.events.emit("run_start", question, **details, start=self._starts())

    async def finish(self) -> DebateAnswer:
        """Emit `result`, write the record and return both."""
        record = await self.leave("done")
        self.context.events.emit("result", record.answer.partition("\n")[0], step="result", answer=record.answer)
        return DebateAnswer(record=record, state=cast(DebateQuestionState, self.state))

    def _nothing_reported(self) -> bool:
        return False

    def _record(self, status: str, error: str | None) -> DebateQuestionRecord:
        asked = self._manifest.request
        rules = all(label.startswith("offline") for label in self.context.labels.values())
        return DebateQuestionRecord.model_validate(
            {
                "run_id": self.context.run_id,
                "status": status,
                "debate": asked["debate"],
                "ticker": self._manifest.subject or "",
                "as_of": self.context.data.as_of.isoformat(),
                "question": asked["question"],
                "answer": self.state.get("answer", ""),
                "withheld": self.state.get("withheld") or [],
                "written_by": "rules" if rules else "model",
                **self._common(error),
            }
        )

    def _files(self, record: DebateQuestionRecord) -> Mapping[str, str]:
        document = debate_question_document(record)
        return {**markdown_files(document), "report.html": to_html(document)}
