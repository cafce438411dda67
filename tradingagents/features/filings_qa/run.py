"""The filings run: one question about companies, from a request to an answer with citations and its record."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from tradingagents.errors import UsageError
from tradingagents.events import Event
from tradingagents.features.filings_qa.agents.modes import ANSWER_MODES, AnswerMode
from tradingagents.features.filings_qa.agents.states import FilingsState
from tradingagents.features.filings_qa.report import answer_markdown, answer_page
from tradingagents.features.filings_qa.schemas import FilingsRecord
from tradingagents.files.notebook_html import card_html
from tradingagents.runtime.records.documents_run import DocumentsRun
from tradingagents.runtime.records.export import ExportableRun
from tradingagents.runtime.runs.run_folder import CARD

EVENT_TYPES = (
    *("progress", "analysis", "reasoning", "news_search", "10k_search", "iteration_start", "agent_decision"),
    *("iteration_followup", "iteration_search", "iteration_complete", "result", "rejected", "error"),
)
"""The types of the events that a question streams."""


@dataclass(frozen=True)
class FilingsAnswer(ExportableRun):
    """An answer with everything it rests on."""

    record: FilingsRecord
    state: FilingsState

    @property
    def text(self) -> str:
        """The answer as Markdown, with citations; why, where the question was rejected."""
        return self.record.answer

    def _repr_html_(self) -> str:
        """Return the question, the answer and the cited passages as a notebook shows them."""
        record = self.record
        cited = [source for source in record.sources if source.label in record.cited]
        sources = "\n".join(f"- [{source.label}] {source.name}" for source in cited)
        confidence = "" if record.confidence is None else f"{record.confidence:.2f}"
        rows = (("Run", record.run_id), ("As of", record.as_of), ("Confidence", confidence))
        return card_html(record.question, rows, f"{self.text}\n\n{sources}")


class FilingsRun(DocumentsRun[FilingsRecord, FilingsAnswer]):
    """One run of the graph."""

    report_of: Mapping[str, str] = {}
    reports = ("answer",)
    context: Any

    def first_state(self) -> Mapping[str, Any]:
        """Return the question; what an earlier question of the conversation left is cleared, but for its history."""
        return {
            "question": self._manifest.request["question"],
            "sources": None,
            "iterations": None,
            "warnings": None,
            "answer": "",
            "rejected": "",
            "reasoning": "",
            "stopped": "",
            "problems": [],
            "refusals": [],
            "lines": None,
            "cited": [],
            "assessment": None,
            "targets": [],
            "phrases": [],
            "unusable": "",
            "by_rules": "",
        }

    def announce(self) -> None:
        """Emit `run_start`."""
        question = self._manifest.request["question"]
        self.context.events.emit("run_start", question, question=question, start=self._starts())

    async def finish(self) -> FilingsAnswer:
        """Emit `result`, write the record and return both."""
        state = cast(FilingsState, self.state)
        rejected = bool(state.get("rejected"))
        nothing = state.get("by_rules") and not state.get("cited")
        ended = "rejected" if rejected else "no_answer" if nothing else "done"
        record = await self.leave(ended)
        if not rejected:
            self.context.events.emit("result", record.answer.partition("\n")[0], step="result", **_result(record))
        return FilingsAnswer(record=record, state=state)

    def _record(self, status: str, error: str | None) -> FilingsRecord:
        state = cast(FilingsState, self.state)
        analysis, assessment = state.get("analysis"), state.get("assessment")
        return FilingsRecord.model_validate(
            {
                "run_id": self.context.run_id,
                "status": status,
                "question": self._manifest.request["question"],
                "as_of": self.context.as_of.isoformat(),
                "mode": state.get("mode", ""),
                "analysis": analysis,
                "reasoning": state.get("reasoning", ""),
                "answer": state.get("answer", ""),
                "confidence": assessment.overall_confidence if assessment else None,
                "sources": state.get("sources") or [],
                "cited": state.get("cited") or [],
                "problems": state.get("problems") or [],
                "iterations": state.get("iterations") or [],
                "stopped": state.get("stopped", ""),
                "lines": (state.get("lines") or {}).get("answer"),
                "written_by": "rules" if self.context.by_rules or state.get("by_rules") else "model",
                **self._common(error),
            }
        )

    def _write(self, record: FilingsRecord) -> FilingsRecord:
        self._tracer.forget()
        if self._persist == "all":
            for name, text in self._files(record).items():
                self._folder.write_text(f"reports/{name}", text)
        self._folder.write_json(CARD, record.as_json())
        return record

    def _files(self, record: FilingsRecord) -> Mapping[str, str]:
        return {"complete_report.md": answer_markdown(record), "report.html": answer_page(record)}


def mode_named(name: str | None) -> AnswerMode | None:
    """Return a mode by its name; None for none.

    Raises:
        UsageError: There is no such mode.
    """
    if name is None:
        return None
    try:
        return AnswerMode(name)
    except ValueError:
        raise UsageError(f"There is no mode {name!r}; there are {', '.join(ANSWER_MODES)}.") from None


def streamed(event: Event) -> dict[str, Any] | None:
    """Return an event as questions stream it: type, message, step, data; None for one that is not of its types."""
    if event.type not in EVENT_TYPES:
        return None
    return {"type": event.type, "message": event.message, "step": event.step or "", "data": dict(event.data)}


def _result(record: FilingsRecord) -> dict[str, Any]:
    """Return the data of the `result` event."""
    keys = ("answer", "confidence", "cited", "problems", "mode", "stopped", "question", "reasoning", "written_by")
    card = record.as_json()
    return {**{key: card[key] for key in keys}, "sources": card["sources"], "iterations": len(record.iterations)}
