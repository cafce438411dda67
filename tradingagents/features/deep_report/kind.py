"""The kind `deep_report`: one company, from hypotheses to a report whose claims trace to frozen evidence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, Self

from pydantic import Field, model_validator

from tradingagents.errors import UsageError
from tradingagents.features.deep_report.schemas.thesis import DeepReportRecord
from tradingagents.runtime.kind import RunKind, short_card
from tradingagents.runtime.presentation import EventLines, HintsPause, PrintedRun, page_note
from tradingagents.runtime.request import Argument, RunRequest, Symbol

if TYPE_CHECKING:
    from tradingagents.dataflows.market_data import MarketData
    from tradingagents.dataflows.models import Prices
    from tradingagents.features.deep_report.run import DeepReport, DeepReportRun  # noqa: F401 - the base class names it as text
    from tradingagents.reports.document import Document
    from tradingagents.reports.workbook import Workbook
    from tradingagents.runtime.kind import AnyGraph, RunParts
    from tradingagents.runtime.services import Services

MIN_ITERATIONS, MAX_ITERATIONS = 10, 15
SHOWN_EVENTS = ("plan", "iteration_start", "iteration_complete", "analysis", "reflection", "debate_turn", "warning")
END_WORD = "end"
"""What a person types to end the research."""


class DeepReportRequest(RunRequest):
    """A company and the settings of its report."""

    subject_field = "ticker"

    ticker: Annotated[
        Symbol,
        Argument(
            metavar="[TICKER]",
            help="Company, for example AAPL.",
            wanted="Name one company, such as tradingagents report TICKER, or --resume RUN.",
        ),
    ] = Field(min_length=1, max_length=30, description="Company, such as AAPL")
    min_iterations: int = Field(
        MIN_ITERATIONS, ge=1, le=MAX_ITERATIONS, description="Rounds before confidence may end it"
    )
    max_iterations: int = Field(MAX_ITERATIONS, ge=1, le=MAX_ITERATIONS, description="Rounds at most")
    ask: bool = Field(False, description="Pause after each round for hints on what to look at next")
    hints: tuple[str, ...] = Field((), max_length=10, description="What the first round should look at, one each")

    @classmethod
    def of_command(cls, given: Mapping[str, Any]) -> Self:
        """Return the request of a command line, where fewest rounds are never more than most. Raises UsageError."""
        return cls(**{**given, "min_iterations": min(given["min_iterations"], given["max_iterations"])})

    @model_validator(mode="after")
    def _usable(self) -> Self:
        """Check limits and hints. Raises UsageError."""
        if self.min_iterations > self.max_iterations:
            raise UsageError(
                f"min_iterations and max_iterations must be 1 to {MAX_ITERATIONS}, the first not above the second."
            )
        from tradingagents.features.deep_report.graph.hints import first_hints

        _, wrong = first_hints(self.hints)
        if wrong:
            raise UsageError(wrong.strip())
        return self


class DeepReportKind(RunKind[DeepReportRequest, DeepReportRecord, "DeepReport"]):
    """Hypotheses, evidence, dialectic, valuation."""

    name = task = "deep_report"
    summary = "Write a deep report on a company: hypotheses, evidence with sources, both sides, and what it is worth."
    command = "report"
    noun = "report"
    progress = EventLines(words=dict.fromkeys(SHOWN_EVENTS, ""))
    pauses = (
        HintsPause(
            prompt=f"Hint (H-...: TEXT for one hypothesis; Enter continues, {END_WORD} ends the research) ",
            read=str,
            usage="--hint TEXT",
            help="What the first round should look at, or with --resume the next one; may be repeated.",
            given=str,
            end_word=END_WORD,
            field="hints",
        ),
    )
    request = DeepReportRequest
    record = DeepReportRecord

    def title(self, request: DeepReportRequest) -> str:
        """Return the company."""
        return f"Deep report on {request.ticker.strip().upper()}"

    def check_answer(self, given: Mapping[str, Any]) -> None:
        """Check hints, a line each in the note of a verdict. Raises UsageError.

        approve continues, revise takes hints, reject ends the research and writes the report from what there is.
        """
        from tradingagents.features.deep_report.graph.hints import MOST_HINTS

        if len(str(given.get("note", "")).splitlines()) > MOST_HINTS:
            raise UsageError(f"Give at most {MOST_HINTS} hints, a line each.")

    def in_short(self, record: DeepReportRecord) -> dict[str, Any]:
        """Return the report's summary: rating, value, hypotheses, quality, and where its evidence is frozen."""
        keys = (
            *("run_id", "status", "ticker", "rating", "stopped", "confidence", "hypotheses", "hints", "scores"),
            "bundle",
        )
        value = record.as_json()["valuation"]
        worth = ("currency", "price", "value_per_share", "expected_value", "upside", "scenarios")
        valuation = {key: value[key] for key in worth} if value else None
        return short_card(record, keys, valuation=valuation, no_valuation=record.no_valuation)

    def stand_in(self, request: DeepReportRequest) -> DeepReportRequest:
        """Return a report that asks nobody."""
        return super().stand_in(request).changed(ask=False)

    def prompts(self) -> Mapping[str, str]:
        """Return the instructions of its agents."""
        from tradingagents.features.deep_report.agents.prompts import thesis_prompts

        return thesis_prompts()

    def graph(self, services: Services) -> AnyGraph:
        """Compile the graph."""
        from tradingagents.features.deep_report.graph.graph import build_thesis_graph

        return build_thesis_graph(services.models)

    def document(self, record: DeepReportRecord) -> Document:
        """Return the report from its record."""
        from tradingagents.features.deep_report.report.deep_report import deep_report_document

        return deep_report_document(record)

    def printed(self, record: DeepReportRecord, *, whole: bool = False) -> PrintedRun:  # noqa: ARG002
        """Return the report in a few lines."""
        from tradingagents.features.deep_report.report.deep_report import lines_in_short

        text = "\n".join(lines_in_short(record))
        return PrintedRun(text=text, notes=page_note(record))

    def workbook(self, record: DeepReportRecord, document: Document) -> Workbook:
        """Return the valuation as a model with live formulas, its scenarios and the evidence."""
        from tradingagents.features.deep_report.report.workbook import deep_report_workbook

        return deep_report_workbook(record, document)

    def look_up(self, data: MarketData, request: DeepReportRequest) -> Prices:
        """Return the prices; raises DataError if there are none."""
        from tradingagents.dataflows.instrument import assert_company
        from tradingagents.dataflows.look_up import look_up
        from tradingagents.dataflows.reference.symbols import normalise

        symbol = normalise(request.ticker)
        if (profile := data.known_profile(symbol)) is not None:
            assert_company(profile, f"report on a company, or study the price with `tradingagents analyze {symbol}`")
        return look_up(data, symbol)

    def open(self, parts: RunParts, found: Prices) -> DeepReportRun:  # noqa: ARG002
        """Return a run."""
        from tradingagents.features.deep_report.agents.prompting import thesis_preamble
        from tradingagents.features.deep_report.evidence import EvidenceStore
        from tradingagents.features.deep_report.graph.context import ThesisContext
        from tradingagents.features.deep_report.run import DeepReportRun

        data, settings, request = parts.data, parts.services.settings, parts.manifest.request
        if request.get("ask") and parts.persist != "all":
            raise UsageError("A report that asks keeps its steps while it waits; take persist='all', or leave out ask.")
        instrument = data.instrument(parts.manifest.subject or "")
        context = ThesisContext(
            **parts.context,
            preamble=thesis_preamble(settings, data.cutoff, instrument),
            instrument=instrument,
            store=EvidenceStore(settings.home_dir, instrument.symbol) if parts.persist == "all" else None,
            min_iterations=request["min_iterations"],
            max_iterations=request["max_iterations"],
            ask=request.get("ask", False),
        )
        return DeepReportRun(parts, context, instrument)


DEEP_REPORT = DeepReportKind()
