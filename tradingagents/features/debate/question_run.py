"""The workflow of a question about a debate that has ended: answered from its record, without tools."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from tradingagents.errors import UsageError
from tradingagents.features.debate.agents.states import DebateQuestionState
from tradingagents.features.debate.kind import DEBATE
from tradingagents.features.debate.question_kind import DebateQuestionRequest
from tradingagents.features.debate.report import debate_question_document
from tradingagents.features.debate.schemas import DebateQuestionRecord, DebateRecord
from tradingagents.reports.render.html import to_html
from tradingagents.reports.render.markdown import markdown_files
from tradingagents.runtime.records.checked_run import CheckedRun
from tradingagents.runtime.runs.run_index import RunIndex

LONGEST_QUESTION = 4000


@dataclass(frozen=True)
class DebateAnswer:
    """The answer to a question about a debate."""

    record: DebateQuestionRecord
    state: DebateQuestionState

    @property
    def text(self) -> str:
        """The answer as Markdown."""
        return self.record["answer"]


def question_about(home: Path, run: str, question: str) -> DebateQuestionRequest:
    """Return the request of a question about a debate.

    Args:
        home: The home folder.
        run: The debate's run id, or the beginning of it.
        question: The question.

    Raises:
        NoSuchRun: There is no such run.
        UsageError: It is no debate, it has not been held yet, or the question is empty or too long.
    """
    debate = finished_debate(home, run)
    if not question.strip():
        raise UsageError('The question is empty; write one, such as "what would change your mind?".')
    if len(question) > LONGEST_QUESTION:
        raise UsageError(f"The question has {len(question)} characters; at most {LONGEST_QUESTION} are read.")
    said = [*debate["reports"].values(), *(one["content"] for one in debate["evidence"] if one["content"])]
    return DebateQuestionRequest(
        day=debate["as_of"],
        debate=debate["run_id"],
        ticker=debate["ticker"],
        question=question.strip(),
        material="\n\n".join(said),
    )


def finished_debate(home: Path, run: str) -> DebateRecord:
    """Return the record of a debate with statements. Raises as `question_about` does."""
    found = RunIndex(home).find(run)
    card = found.card()
    if card is None or card.get("kind") != DEBATE.name:
        what = "has not ended" if card is None else "is no debate"
        raise UsageError(f"{found.run_id} {what}; `tradingagents runs list --kind debate` lists the debates.")
    if not card.get("cases"):
        raise UsageError(
            f"{found.run_id} ended before a case was stated; continue it with `tradingagents debate --resume "
            f"{found.run_id}`."
        )
    return cast(DebateRecord, card)


class DebateQuestionRun(CheckedRun[DebateAnswer]):
    """One question."""

    report_of: Mapping[str, str] = {}
    reports = ("answer",)

    def first_state(self) -> Mapping[str, Any]:
        """Return the question."""
        return {"question": self._manifest.request["question"], "answer": "", "withheld": []}

    def announce(self) -> None:
        """Emit `run_start`."""
        question = self._manifest.request["question"]
        told = {"ticker": self._manifest.subject, "question": question}
        self.context.events.emit("run_start", question, **told, start=self._starts())

    async def finish(self) -> DebateAnswer:
        """Emit `result`, write the record and return both."""
        record = cast(DebateQuestionRecord, await self.leave("done"))
        self.context.events.emit("result", record["answer"].partition("\n")[0], step="result", answer=record["answer"])
        return DebateAnswer(record=record, state=cast(DebateQuestionState, self.state))

    def _nothing_reported(self) -> bool:
        return False

    def _record(self, status: str, error: str | None) -> Mapping[str, Any]:
        asked = self._manifest.request
        rules = all(label.startswith("offline") for label in self.context.labels.values())
        return {
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

    def _files(self, record: Mapping[str, Any]) -> Mapping[str, str]:
        document = debate_question_document(cast(DebateQuestionRecord, record))
        return {**markdown_files(document), "report.html": to_html(document)}
