"""The kind `compare`: companies researched side by side, then one answer with a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field, ValidatorFunctionWrapHandler, field_validator

from tradingagents.errors import UsageError
from tradingagents.features.compare.agents.topics import checked_topics
from tradingagents.features.compare.schemas import CompareRecord
from tradingagents.runtime.kind import RunKind, short_card
from tradingagents.runtime.presentation import PrintedRun, TaskList, printed_answer
from tradingagents.runtime.request import Argument, Flag, SessionRequest, Symbol

if TYPE_CHECKING:
    from pathlib import Path

    from tradingagents.dataflows.market_data import MarketData
    from tradingagents.features.compare.run import CompareRun, Comparison  # noqa: F401 - the base class names it as text
    from tradingagents.reports.document import Document
    from tradingagents.runtime.kind import AnyGraph, RunParts
    from tradingagents.runtime.manifest import RunManifest
    from tradingagents.runtime.services import Services

FEWEST, MOST = 2, 8
"""Companies of one comparison."""


class CompareRequest(SessionRequest):
    """Companies, topics, and the settings of their runs."""

    tickers: Annotated[
        tuple[Symbol, ...],
        Argument(
            metavar="TICKER... [DATE]",
            help="Two to eight companies, then the day; with --ask, the question.",
            wanted="Name two companies or more, such as VELQ MODZ, or --resume RUN.",
        ),
    ] = Field(min_length=FEWEST, max_length=MOST, description="Companies, such as AAPL and MSFT")
    topics: Annotated[
        tuple[str, ...],
        Flag(
            usage="--on TOPICS",
            help="Separated by commas: margins, growth, valuation, returns, debt, cash, quality, momentum, risk. "
            "Default: growth,margins,valuation.",
        ),
    ] = Field(
        (),
        validate_default=True,  # none are the default ones
        max_length=9,
        description="What to compare: margins, growth, valuation, returns, debt, cash, quality, momentum, risk; "
        "unset: growth, margins, valuation",
    )

    @field_validator("tickers", mode="wrap")
    @classmethod
    def _companies(cls, tickers: Any, read: ValidatorFunctionWrapHandler) -> tuple[str, ...]:
        """Refuse too few, too many, and one that is named twice. Raises UsageError."""
        if isinstance(tickers, list | tuple) and not FEWEST <= len(tickers) <= MOST:
            raise UsageError(f"A comparison takes {FEWEST} to {MOST} different companies; {len(tickers)} are named.")
        symbols: tuple[str, ...] = read(tickers)
        if again := next((symbol for symbol in symbols if symbols.count(symbol) > 1), None):
            raise UsageError(f"{again} is named twice; name different companies to compare.")
        return symbols

    @field_validator("topics")
    @classmethod
    def _known(cls, topics: tuple[str, ...]) -> tuple[str, ...]:
        """Return known topics; none are the default ones. Raises UsageError for an unknown one."""
        return checked_topics(topics)


class CompareKind(RunKind[CompareRequest, CompareRecord, "Comparison"]):
    """Research every company, then compare."""

    name = "company_comparison"
    task = "compare"
    summary = "Compare companies: research on each, then one answer with a table of comparable figures and its sources."
    noun = "comparison"
    at_once = ("max_concurrent_pipelines", "Companies that are researched at the same time.")
    progress = TaskList(
        heading="Comparing companies...",
        first="Opening the comparison",
        judging="Making the table",
        writers=frozenset({"Comparer"}),
    )
    request = CompareRequest
    record = CompareRecord

    def title(self, request: CompareRequest) -> str:
        """Return the companies."""
        return f"Compare {', '.join(request.tickers)}"

    def in_short(self, record: CompareRecord) -> dict[str, Any]:
        """Return the answer with its table, its sources and what it lacks."""
        keys = ("run_id", "status", "tickers", "topics", "answer", "table", "sources", "missing", "written_by")
        companies = [
            {key: company[key] for key in ("symbol", "status", "run_id", "note")} for company in record.companies
        ]
        return short_card(record, keys, companies=companies)

    def stand_in(self, request: CompareRequest) -> CompareRequest:
        """Return a comparison of as many companies of the simulated market."""
        invented = ("VELQ", "PIXZ", "OMBZ", "TAQZ", "CIRQZ", "AERQ", "MEDQZ", "NODQ")
        return super().stand_in(request).changed(tickers=invented[: len(request.tickers)])

    def prompts(self) -> Mapping[str, str]:
        """Return the instructions of the comparer, and of the research on each company."""
        from tradingagents.features.compare.agents.comparer import compare_prompts
        from tradingagents.features.research.agents.prompts import research_prompts

        return {**research_prompts(), **compare_prompts()}

    def home_files(self, manifest: RunManifest, home: Path) -> Mapping[str, bytes]:
        """Return the user's frameworks, and what the session had found."""
        from tradingagents.features.research.agents.framework import framework_files
        from tradingagents.runtime.runs.session_notes import session_file

        return {**framework_files(home), **session_file(manifest, home)}

    def runs_begun(self, record: CompareRecord) -> Sequence[str]:
        """Return the research runs of the companies, in the order of the question."""
        return [company.run_id for company in record.companies]

    def graph(self, services: Services) -> AnyGraph:
        """Compile the graph."""
        from tradingagents.features.compare.graph import build_compare_graph

        return build_compare_graph(services.models)

    def document(self, record: CompareRecord) -> Document:
        """Return the report from its record."""
        from tradingagents.features.compare.report import compare_document

        return compare_document(record)

    def printed(self, record: CompareRecord, *, whole: bool = False) -> PrintedRun:  # noqa: ARG002
        """Return the table and the answer."""
        return printed_answer(record)

    def look_up(self, data: MarketData, request: CompareRequest) -> None:
        """Read nothing: a company without data is stated in the comparison."""

    def open(self, parts: RunParts, found: None) -> CompareRun:  # noqa: ARG002
        """Return a run."""
        from tradingagents.features.compare.agents.comparer import compare_preamble
        from tradingagents.features.compare.graph import CompareContext
        from tradingagents.features.compare.run import CompanyResearch, CompareRun, begun_in

        asked, given = parts.manifest.request, parts.context
        research = CompanyResearch(
            services=parts.services,
            manifest=parts.manifest,
            meter=given["meter"],
            events=given["events"],
            topics=asked["topics"],
            persist=parts.persist,
            runs=begun_in(parts.earlier),
            tickers=asked["tickers"],
        )
        preamble = compare_preamble(parts.services.settings, parts.data.cutoff)
        return CompareRun(parts, CompareContext(**given, preamble=preamble, research=research), research)


COMPARE = CompareKind()
