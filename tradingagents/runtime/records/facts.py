"""What a tool call of a task gave, as a record keeps it: figures, sentences, and the documents they stand in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tradingagents.analytics.company.news import NewsDigest
from tradingagents.analytics.holdings.book_answers import BookOverview, BookRiskProfile
from tradingagents.capabilities.filing_documents import FiledItemText, FiledReport
from tradingagents.dataflows.reference.metrics import Figure
from tradingagents.dataflows.results import Result
from tradingagents.retrieval.results import AnswerFromFilings, PassageList
from tradingagents.schemas.derivation import Derivation, SourceCell
from tradingagents.schemas.facts import FactRecord, FigureRecord

MOST_FIGURES = 12
"""Figures of one answer that a result keeps."""
MOST_TEXTS = 3
"""Sentences of an answer that a result keeps."""
TEXT_CHARS = 400
SAYS_MORE = (NewsDigest, BookOverview, BookRiskProfile)
"""Answers whose sentences say what their figures do not."""
MOST_DOCUMENTS = 6
"""Documents of one answer that are named, each with its page."""


def fact_of(name: str, arguments: Mapping[str, Any], result: Result | str, wanted: Sequence[str]) -> FactRecord:
    """Return what a call gave as it is stored: the wanted figures first, or why there is no answer.

    Args:
        name: The capability.
        arguments: What it was asked.
        result: Its answer, or why there is none.
        wanted: Names of the figures that the task is about; empty: the first ones.
    """
    given = {name: value for name, value in arguments.items() if isinstance(value, str | int | float | bool)}
    if isinstance(result, str):
        symbol = given.get("ticker")
        return FactRecord(
            capability=name,
            arguments=given,
            title=name,
            symbol=symbol if isinstance(symbol, str) else None,
            as_of="",
            figures=[],
            texts=[],
            documents=[],
            failure=result,
        )
    # How many passages a search found says nothing about the company: what they say does.
    listed = () if isinstance(result, PassageList) else result.figures()
    known = {figure.name: figure for figure in listed if figure.rounded is not None}
    chosen = [known[name] for name in wanted if name in known] or (
        [] if wanted else list(known.values())[:MOST_FIGURES]
    )
    return FactRecord(
        capability=name,
        arguments=given,
        title=result.title,
        symbol=result.symbol,
        as_of=result.as_of.isoformat(),
        figures=[_figure_record(result, name, figure) for figure in chosen],
        texts=[] if chosen and not isinstance(result, SAYS_MORE) else list(_texts(result)),
        documents=list(dict.fromkeys(_documents(result)))[:MOST_DOCUMENTS],
        failure=_failure(result, wanted if not chosen else ()),
    )


def _figure_record(result: Result, capability: str, figure: Figure) -> FigureRecord:
    """Return a figure of a tool's answer with its derivation.

    Where the answer gives no formula, the answer itself is the source: the cell is its row of the data sheet.
    """
    return FigureRecord(
        name=figure.name,
        value=figure.rounded or 0.0,
        shown=figure.text,
        over=figure.over,
        derivation=result.derivation(figure.name) or _row_of_the_data_sheet(capability, figure),
    )


def _row_of_the_data_sheet(capability: str, figure: Figure) -> Derivation:
    cell = SourceCell(name=figure.name, value=figure.value or 0.0, unit=figure.unit, where=f"data sheet, {capability}")
    return Derivation(formula=figure.name, output="number", cells=(cell,))


def _failure(result: Result, lacking: Sequence[str]) -> str:
    """Say that an answer lacks figures, with its own words on why; empty where it does not."""
    if isinstance(result, AnswerFromFilings) and result.value is None and not result.sentences and result.refusal:
        return result.refusal
    return f"{result.title} does not give {', '.join(lacking)}. {' '.join(result.notes)}".strip() if lacking else ""


def source_of(fact: FactRecord) -> str:
    """Return a fact's source as an answer names it: its documents with their pages, else the tool's answer."""
    return "; ".join(fact.documents) or fact.title


def _texts(result: Result) -> list[str]:
    """Return sentences that stand for an answer without figures: its passages, articles or description."""
    if isinstance(result, BookOverview | BookRiskProfile):
        return [sentence.said for sentence in result.sentences]
    passages = getattr(result, "passages", None) or getattr(result, "articles", None) or ()
    found = [getattr(passage, "text", "") or getattr(passage, "title", "") for passage in passages]
    business = getattr(result, "business", "")
    return [" ".join(str(text).split())[:TEXT_CHARS] for text in [business, *found] if text][:MOST_TEXTS]


def _documents(result: Result) -> Iterator[str]:
    """Yield the filings and calls that an answer stands in, with their pages; nothing where it stands in none."""
    if isinstance(result, PassageList):
        yield from (f"{passage.document}, page {passage.page}" for passage in result.passages)
    elif isinstance(result, AnswerFromFilings):
        yield from (f"{cell.document}, page {cell.page}" for cell in result.cells)
        yield from (f"{sentence.document}, page {sentence.page}" for sentence in result.sentences)
    elif isinstance(result, FiledItemText | FiledReport):
        year = f" {result.fiscal_year}" if result.fiscal_year is not None else ""
        place = f", page {result.first_page}" if isinstance(result, FiledItemText) else f", {result.pages} pages"
        yield f"{result.symbol} {result.form}{year}{place}"
