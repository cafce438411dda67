"""The kind `filings_grid`: the same questions asked of many documents, each cell with its citation."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Self

from pydantic import Field, field_validator

from tradingagents.errors import NoData, UsageError
from tradingagents.features.filings_grid.schemas import FilingsCell, GridRecord
from tradingagents.files.plain_text import counted
from tradingagents.runtime.kind import RunKind, short_card
from tradingagents.runtime.presentation import EventLines, PrintedRun, page_note
from tradingagents.runtime.request import Flag, RunRequest, Symbol

if TYPE_CHECKING:
    from datetime import datetime

    from tradingagents.dataflows.market_data import MarketData
    from tradingagents.features.filings_grid.documents import GridDocuments
    from tradingagents.features.filings_grid.run import FilingsGrid, GridRun  # noqa: F401 - the base class names it as text
    from tradingagents.reports.document import Document
    from tradingagents.reports.workbook import Workbook
    from tradingagents.runtime.kind import AnyGraph, RunParts
    from tradingagents.runtime.services import Services

MOST_COMPANIES, MOST_QUESTIONS, MOST_CELLS = 60, 60, 2000
LONGEST_QUESTION = 500
ANNUAL = ("10-K", "20-F", "40-F")
TIERS = {
    "quick_think_llm": "Model that reads the cells that rules cannot.",
    "mid_think_llm": "Not used by grids.",
    "deep_think_llm": "Not used by grids.",
}
_BETWEEN_QUESTIONS = re.compile(r"[\n;]|(?<=\?)\s+")


class FilingsGridRequest(RunRequest):
    """Companies, questions, which documents of the companies, and the settings of the run."""

    companies: Annotated[tuple[Symbol, ...], Flag(usage="--companies TICKERS", help="Separated by commas.")] = Field(
        min_length=1, max_length=MOST_COMPANIES, description="Companies whose stored documents are the rows"
    )
    questions: Annotated[
        tuple[str, ...],
        Flag(
            usage="--questions FILE|TEXT",
            help="A file with a question a line, or the questions, separated by semicolons.",
            separator="",
        ),
    ] = Field(min_length=1, max_length=MOST_QUESTIONS, description="Questions, which are the columns")
    forms: Annotated[
        tuple[str, ...],
        Flag(usage="--forms FORMS", help="Separated by commas, such as 10-K,10-Q,8-K,call; default: annual reports."),
    ] = Field(ANNUAL, min_length=1, max_length=12, description="Forms of the documents; unset: annual reports")
    latest: Annotated[int, Flag(help="Documents of each company and form, the newest first.")] = Field(
        1, ge=1, le=20, description="Documents of each company and form, the newest first"
    )

    @classmethod
    def of_command(cls, given: Mapping[str, Any]) -> Self:
        """Return the request of a command line, whose questions stand in a file where they name one.

        Raises:
            UsageError: The file cannot be read, or the request is invalid.
        """
        (written,) = given.get("questions") or ("",)
        return super().of_command({**given, "questions": questions_in(written)} if written else given)

    @field_validator("companies", "questions")
    @classmethod
    def _once_each(cls, words: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(words))

    @field_validator("questions")
    @classmethod
    def _readable(cls, questions: tuple[str, ...]) -> tuple[str, ...]:
        """Refuse what is no question. Raises UsageError."""
        if any(not question.strip() or len(question) > LONGEST_QUESTION for question in questions):
            raise UsageError(f"A question has 1 to {LONGEST_QUESTION} characters; write each on a line of its own.")
        return questions


class FilingsGridKind(RunKind[FilingsGridRequest, GridRecord, "FilingsGrid"]):
    """Every cell side by side, then the conflicts."""

    name = task = "filings_grid"
    known_as = "Grid of filings"
    summary = "Ask the same questions of many stored filings or calls: each cell cited, absent or in conflict."
    command = "filings grid"
    noun = "grid"
    tiers = TIERS
    progress = EventLines(words={"progress": "", "warning": ""}, style="dim", longest=200)
    request = FilingsGridRequest
    record = GridRecord

    def title(self, request: FilingsGridRequest) -> str:
        """Return how many companies and questions there are."""
        companies = counted(len(request.companies), "company", "companies")
        return f"{companies}, {counted(len(request.questions), 'question', 'questions')}"

    def in_short(self, record: GridRecord) -> dict[str, Any]:
        """Return the cells with their documents."""
        return short_card(record, ("run_id", "status", "answer", "questions", "documents", "cells", "missing"))

    def details(self, request: FilingsGridRequest) -> Mapping[str, Any]:
        """Return what is asked, and whether it is asked of today."""
        return {**super().details(request), "live": request.day is None}

    def graph(self, services: Services) -> AnyGraph:
        """Compile the graph."""
        from tradingagents.features.filings_grid.graph import build_grid_graph

        return build_grid_graph(services.models)

    def document(self, record: GridRecord) -> Document:
        """Return the report from its record."""
        from tradingagents.features.filings_grid.report import grid_document

        return grid_document(record)

    def workbook(self, record: GridRecord, document: Document) -> Workbook:
        """Return the workbook: the grid, and a row for each cell with its citation."""
        from tradingagents.features.filings_grid.workbook import grid_workbook

        return grid_workbook(record, document.title)

    def printed(self, record: GridRecord, *, whole: bool = False) -> PrintedRun:  # noqa: ARG002
        """Return the grid as text."""
        from tradingagents.features.filings_grid.report import grid_text

        return PrintedRun(text=grid_text(record), notes=(record.answer, *page_note(record)))

    def look_up(self, data: MarketData, request: FilingsGridRequest) -> GridDocuments:
        """Return the documents.

        Raises:
            NoData: The store has none of these companies and forms.
            UsageError: There are more cells than a grid may have.
            HomeNotWritable: The store cannot be opened.
        """
        from tradingagents.features.filings_grid.documents import chosen_documents
        from tradingagents.retrieval.models import Scope
        from tradingagents.retrieval.store import own_store

        known = data.asked_at if request.day is None else data.cutoff.instant
        store = own_store(data.settings, data.memo)
        found = chosen_documents(store, Scope(as_of=known), request.companies, request.forms, request.latest)
        cells = len(found.documents) * len(request.questions)
        if found.documents and cells <= MOST_CELLS:
            return found
        store.close()
        if cells > MOST_CELLS:
            raise UsageError(f"The grid would have {cells} cells; the most is {MOST_CELLS}. Ask for fewer documents.")
        named = ", ".join(request.companies[:8])
        raise NoData(
            f"The store has no {', '.join(request.forms)} of {named} that was known by then; "
            "add some with: tradingagents filings add TICKER"
        )

    def prompts(self) -> Mapping[str, str]:
        """Return the instructions of its agent."""
        from tradingagents.features.filings_grid.agents.cell_reader import grid_prompts

        return grid_prompts()

    def open(self, parts: RunParts, found: GridDocuments) -> GridRun:
        """Return a run."""
        from tradingagents.features.filings_grid.agents.cell_reader import grid_preamble
        from tradingagents.features.filings_grid.documents import OpenDocuments
        from tradingagents.features.filings_grid.graph import GridContext, GridProgress
        from tradingagents.features.filings_grid.run import GridRun
        from tradingagents.retrieval.questions.companies import Instruments

        asked = parts.manifest.request
        as_of: datetime = parts.opened if asked["live"] else parts.data.cutoff.instant
        cells = [FilingsCell.model_validate(event.data["cell"]) for event in parts.earlier if "cell" in event.data]
        read = {f"{cell.row}:{cell.column}": cell for cell in cells}
        context = GridContext(
            **parts.context,
            preamble=grid_preamble(parts.services.settings, as_of),
            store=found.store,
            documents=OpenDocuments(found.store),
            companies=Instruments((row.symbol, [row.company]) for row in found.documents),
            as_of=as_of,
            progress=GridProgress(len(found.documents) * len(asked["questions"]), read),
        )
        return GridRun(parts, context, found)


def questions_in(written: str) -> tuple[str, ...]:
    """Return questions from a file that is named, a line each, or from text that holds them.

    Lines that begin with `#` are remarks.

    Raises:
        UsageError: The file is not there, or cannot be read.
    """
    named = Path(written)
    try:
        is_file = "?" not in written and "\n" not in written and named.is_file()
        text = named.read_text(encoding="utf-8-sig") if is_file else written
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{written[:80]} cannot be read ({error}); give a text file with a question a line.") from None
    if not is_file and (named.suffix or named.name != written) and not any(map(str.isspace, written)):
        raise UsageError(f"There is no file {written[:80]}; name one with a question a line, or write the questions.")
    parts = text.splitlines() if is_file else _BETWEEN_QUESTIONS.split(text)
    return tuple(line.strip() for line in parts if line.strip() and not line.lstrip().startswith("#"))


FILINGS_GRID = FilingsGridKind()
