"""The deep-report workflow: one company, from hypotheses to a report whose claims trace to frozen evidence."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from tradingagents.context import RunContext
from tradingagents.dataflows.instrument import Instrument
from tradingagents.features.deep_report.agents.states import ThesisState
from tradingagents.features.deep_report.exhibits import gather_exhibits
from tradingagents.features.deep_report.graph.hints import first_hints
from tradingagents.features.deep_report.report.citations import frozen, labelled
from tradingagents.features.deep_report.report.deep_report import deep_report_document, report_text
from tradingagents.features.deep_report.schemas.thesis import DeepReportRecord, ExhibitRecord, ReportScores
from tradingagents.reports.render.html import to_html
from tradingagents.reports.render.markdown import markdown_files
from tradingagents.runtime.kind import RunParts
from tradingagents.runtime.records.base import RecordedRun
from tradingagents.runtime.records.export import ExportableRun

NOT_SCORED = ReportScores(
    overall=0.0,
    specificity=0.0,
    diversity=0,
    items=0,
    insights=0,
    coverage=0.0,
    claims=0,
    passed=False,
    shortfalls=["the run ended before the report was scored"],
)


@dataclass(frozen=True)
class DeepReport(ExportableRun):
    """A finished report with everything it rests on."""

    record: DeepReportRecord
    state: ThesisState


class DeepReportRun(RecordedRun[DeepReportRecord, DeepReport]):
    """One run of the graph."""

    report_of: Mapping[str, str] = {}
    reports = ("report",)

    def __init__(self, parts: RunParts, context: RunContext, instrument: Instrument) -> None:
        """Open a run on a company."""
        super().__init__(parts, context)
        self._instrument = instrument
        self._exhibits: ExhibitRecord | None = None

    def first_state(self) -> Mapping[str, Any]:
        """Return the empty state: the company is in the context."""
        hints, _ = first_hints(self._manifest.request.get("hints", ()))
        return {"iteration": 0, "hypotheses": {}, "iterations": [], "stopped": "", "hints": hints}

    def announce(self) -> None:
        """Emit `run_start`."""
        symbol, day = self._instrument.symbol, self.context.data.as_of.isoformat()
        self.context.events.emit("run_start", f"{symbol} {day}", ticker=symbol, trade_date=day, start=self._starts())

    async def finish(self) -> DeepReport:
        """Emit `result`, write the record and return both."""
        state = cast(ThesisState, self.state)
        self._exhibits = await gather_exhibits(
            self.context, self._instrument.symbol, (state.get("evidence") or {}).values()
        )
        record = await self.leave("done" if state.get("evidence") else "no_answer")
        value = record.valuation
        worth = f"expected value {value.expected_value:.2f} {value.currency}" if value else "no valuation"
        self.context.events.emit(
            "result",
            f"{record.rating or 'No rating'}, {worth}, quality {record.scores.overall:.1f} of 10",
            step="result",
            rating=record.rating,
            stopped=record.stopped,
            bundle=record.bundle,
        )
        return DeepReport(record=record, state=state)

    def _nothing_reported(self) -> bool:
        return False

    def _record(self, status: str, error: str | None) -> DeepReportRecord:
        from tradingagents.features.deep_report.graph.value import rating_of

        state = cast(ThesisState, self.state)
        valuation, iterations = state.get("valuation"), state.get("iterations") or []
        written: dict[str, Any] = {
            "run_id": self.context.run_id,
            "status": status,
            "ticker": self._instrument.symbol,
            "name": self._instrument.name or self._instrument.symbol,
            "as_of": self.context.data.as_of.isoformat(),
            "stopped": state.get("stopped", ""),
            "confidence": iterations[-1].confidence if iterations else 0.0,
            "rating": rating_of(valuation),
            "hypotheses": list((state.get("hypotheses") or {}).values()),
            "evidence": labelled((state.get("evidence") or {}).values(), state.get("sections") or []),
            "bundle": state.get("bundle", ""),
            "hints": state.get("hints") or [],
            "contradictions": state.get("contradictions") or [],
            "iterations": iterations,
            "syntheses": state.get("syntheses") or [],
            "sections": state.get("sections") or [],
            "valuation": valuation,
            "scenarios": valuation.scenarios if valuation else [],
            "no_valuation": state.get("no_valuation", ""),
            "scores": state.get("scores") or NOT_SCORED,
            "written_by": "rules" if self.context.by_rules else "model",
            **self._common(error),
        }
        record = DeepReportRecord.model_validate({**written, "exhibits": self._exhibits})
        text = report_text(record)
        return record.model_copy(update={"reports": {"report": text} if text else {}})

    def _files(self, record: DeepReportRecord) -> Mapping[str, str]:
        document = deep_report_document(record)
        audit = {f"iteration_{note.number:02d}.json": note.as_json() for note in record.iterations}
        settled = [hypothesis.as_json() for hypothesis in record.hypotheses if hypothesis.status == "validated"]
        contents: dict[str, Any] = {
            **audit,
            "evidence_bundle.json": {"sha256": record.bundle, "items": frozen(record.evidence)},
            "validated_hypotheses.json": settled,
            "synthesis_final.json": record.syntheses[-1].as_json() if record.syntheses else None,
        }
        return {
            **markdown_files(document),
            "report.html": to_html(document),
            **{name: f"{json.dumps(content, ensure_ascii=False, indent=1)}\n" for name, content in contents.items()},
        }
