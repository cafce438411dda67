"""The deep-report workflow: one company, from hypotheses to a report whose claims trace to frozen evidence."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from tradingagents.agents.thesis.prompting import thesis_preamble
from tradingagents.agents.thesis.states import ThesisState
from tradingagents.context import RunContext
from tradingagents.dataflows.instrument import Instrument, assert_company
from tradingagents.dataflows.look_up import look_up
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.models import Prices
from tradingagents.dataflows.reference.symbols import normalise
from tradingagents.errors import UsageError
from tradingagents.evidence import EvidenceStore
from tradingagents.reports.deep.citations import frozen, labelled
from tradingagents.reports.deep_report import deep_report_document, report_text
from tradingagents.reports.document import Document
from tradingagents.reports.render.html import to_html
from tradingagents.reports.render.markdown import markdown_files
from tradingagents.reports.workbook import Workbook
from tradingagents.runtime.manifest import RunManifest
from tradingagents.runtime.services import Services
from tradingagents.runtime.workflow import AnyGraph, RunParts, RunRequest, Workflow
from tradingagents.schemas.thesis import DeepReportRecord, ExhibitRecord, ReportHint, ReportScores
from tradingagents.workflows.base import RecordedRun
from tradingagents.workflows.records.export import ExportableRun
from tradingagents.workflows.report_exhibits import gather_exhibits

MIN_ITERATIONS, MAX_ITERATIONS = 10, 15
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


@dataclass(frozen=True, kw_only=True)
class DeepReportRequest(RunRequest):
    """One company."""

    ticker: str
    """Any spelling of the symbol."""
    min_iterations: int = MIN_ITERATIONS
    """Rounds before sufficient confidence may end the research."""
    max_iterations: int = MAX_ITERATIONS
    ask: bool = False
    """Whether the run pauses after each iteration for hints on what to look at next."""
    hints: tuple[str, ...] = ()
    """What the first iteration should look at, one each."""

    def __post_init__(self) -> None:
        """Check the limits.

        Raises:
            UsageError: They are out of range, or the wrong way round.
        """
        if not 1 <= self.min_iterations <= self.max_iterations <= MAX_ITERATIONS:
            raise UsageError(
                f"min_iterations and max_iterations must be 1 to {MAX_ITERATIONS}, the first not above the second."
            )
        _, wrong = first_hints(self.hints)
        if wrong:
            raise UsageError(wrong.strip())


def first_hints(texts: Sequence[str]) -> tuple[list[ReportHint], str]:
    """Return the hints on the first iteration, and why they cannot be used; empty where they can."""
    from tradingagents.workflows.graphs.thesis.hints import hints_of

    found, wrong = hints_of({"hints": texts}, (), 1)
    return found or [], wrong


class DeepReportRun(RecordedRun[DeepReport]):
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
        record = cast(DeepReportRecord, await self.leave("done" if state.get("evidence") else "no_answer"))
        value = record["valuation"]
        worth = f"expected value {value['expected_value']:.2f} {value['currency']}" if value else "no valuation"
        self.context.events.emit(
            "result",
            f"{record['rating'] or 'No rating'}, {worth}, quality {record['scores']['overall']:.1f} of 10",
            step="result",
            rating=record["rating"],
            stopped=record["stopped"],
            bundle=record["bundle"],
        )
        return DeepReport(record=record, state=state)

    def _nothing_reported(self) -> bool:
        return False

    def _record(self, status: str, error: str | None) -> Mapping[str, Any]:
        from tradingagents.workflows.graphs.thesis.value import rating_of

        state = cast(ThesisState, self.state)
        valuation, iterations = state.get("valuation"), state.get("iterations") or []
        record: dict[str, Any] = {
            "run_id": self.context.run_id,
            "status": status,
            "ticker": self._instrument.symbol,
            "name": self._instrument.name or self._instrument.symbol,
            "as_of": self.context.data.as_of.isoformat(),
            "stopped": state.get("stopped", ""),
            "confidence": iterations[-1]["confidence"] if iterations else 0.0,
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
            "scenarios": valuation["scenarios"] if valuation else [],
            "no_valuation": state.get("no_valuation", ""),
            "scores": state.get("scores") or NOT_SCORED,
            "written_by": "rules" if self.context.by_rules else "model",
            **self._common(error),
        }
        if self._exhibits is not None:
            record["exhibits"] = self._exhibits
        text = report_text(cast(DeepReportRecord, record))
        return {**record, "reports": {"report": text} if text else {}}

    def _files(self, record: Mapping[str, Any]) -> Mapping[str, str]:
        found = cast(DeepReportRecord, record)
        document = deep_report_document(found)
        audit = {f"iteration_{one['number']:02d}.json": one for one in found["iterations"]}
        settled = [one for one in found["hypotheses"] if one["status"] == "validated"]
        kept: dict[str, Any] = {
            **audit,
            "evidence_bundle.json": {"sha256": found["bundle"], "items": frozen(found["evidence"])},
            "validated_hypotheses.json": settled,
            "synthesis_final.json": found["syntheses"][-1] if found["syntheses"] else None,
        }
        return {
            **markdown_files(document),
            "report.html": to_html(document),
            **{name: f"{json.dumps(value, ensure_ascii=False, indent=1)}\n" for name, value in kept.items()},
        }


class DeepReportWorkflow(Workflow[DeepReportRequest, DeepReport]):
    """Hypotheses, evidence, dialectic, valuation."""

    kind = "deep_report"

    def subject(self, request: DeepReportRequest) -> str:
        """Return the normalized symbol. Raises UsageError for an invalid one."""
        return normalise(request.ticker)

    def calendar_symbol(self, request: DeepReportRequest) -> str:
        """Return the symbol studied."""
        return normalise(request.ticker)

    def details(self, request: DeepReportRequest) -> Mapping[str, Any]:
        """Return the limits."""
        limits = {"min_iterations": request.min_iterations, "max_iterations": request.max_iterations}
        return {**limits, "ask": request.ask, "hints": list(request.hints)}

    def stand_in(self, request: DeepReportRequest) -> DeepReportRequest:
        """Return a simulated company for the same request."""
        from tradingagents.dataflows.vendors.simulated import COMPANIES, NO_NEWS, NO_STATEMENTS

        company = next(symbol for symbol in COMPANIES if symbol not in (*NO_NEWS, *NO_STATEMENTS))
        return replace(super().stand_in(request), ticker=company, ask=False)

    def request_of(self, manifest: RunManifest) -> DeepReportRequest:
        """Return the request of a manifest."""
        asked = manifest.request
        return DeepReportRequest(
            ticker=manifest.subject or "",
            day=manifest.trade_date,
            min_iterations=asked["min_iterations"],
            max_iterations=asked["max_iterations"],
            ask=asked.get("ask", False),
            hints=tuple(asked.get("hints", ())),
        )

    def prompts(self) -> Mapping[str, str]:
        """Return the instructions of its agents."""
        from tradingagents.agents.thesis.prompts import thesis_prompts

        return thesis_prompts()

    def graph(self, services: Services) -> AnyGraph:
        """Compile the graph."""
        from tradingagents.workflows.graphs.thesis.graph import build_thesis_graph

        return build_thesis_graph(services.models)

    def document(self, record: Mapping[str, Any]) -> Document:
        """Return the report from a card."""
        return deep_report_document(cast(DeepReportRecord, record))

    def workbook(self, record: Mapping[str, Any], document: Document) -> Workbook:
        """Return the valuation as a model with live formulas, its scenarios and the evidence."""
        from tradingagents.reports.deep.workbook import deep_report_workbook

        return deep_report_workbook(cast(DeepReportRecord, record), document)

    def look_up(self, data: MarketData, request: DeepReportRequest) -> Prices:
        """Return the prices; raises DataError if there are none."""
        symbol = normalise(request.ticker)
        if (profile := data.known_profile(symbol)) is not None:
            assert_company(profile, f"report on a company, or study the price with `tradingagents analyze {symbol}`")
        return look_up(data, symbol)

    def open(self, parts: RunParts, found: Prices) -> DeepReportRun:  # noqa: ARG002
        """Return a run."""
        from tradingagents.workflows.graphs.thesis.context import ThesisContext

        data, settings, asked = parts.data, parts.services.settings, parts.manifest.request
        if asked.get("ask") and parts.persist != "all":
            raise UsageError("A report that asks keeps its steps while it waits; take persist='all', or leave out ask.")
        instrument = data.instrument(parts.manifest.subject or "")
        context = ThesisContext(
            **parts.context,
            preamble=thesis_preamble(settings, data.cutoff, instrument),
            instrument=instrument,
            store=EvidenceStore(settings.home_dir, instrument.symbol) if parts.persist == "all" else None,
            min_iterations=asked["min_iterations"],
            max_iterations=asked["max_iterations"],
            ask=asked.get("ask", False),
        )
        return DeepReportRun(parts, context, instrument)


DEEP_REPORT = DeepReportWorkflow()
