"""Questions to the store of filings and earnings calls: passages, and answers from statement cells."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from tradingagents.capabilities.capability import capability
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.reference.currencies import CODES
from tradingagents.dataflows.reference.symbols import normalise
from tradingagents.files.plain_text import clean, one_line
from tradingagents.retrieval.address import store_exists
from tradingagents.retrieval.figures.filed_figures import FiledFigures
from tradingagents.retrieval.models import DocumentKind, DocumentOutline, Scope
from tradingagents.retrieval.results import (
    SOURCE,
    AnswerFromFilings,
    CitedCell,
    DocumentPage,
    PassageList,
    QuotedSentence,
    passage_list,
)

if TYPE_CHECKING:
    from tradingagents.retrieval.calculation import CitedOperand

# The store, the reader and the rules are imported where they are used: agents declare these capabilities as tools, and
# a run that asks none of them must not wait for what they load.
MOST_PASSAGES = 20
ANNUAL = "10-K"


@capability(
    title="Passages of filings",
    returns=PassageList,
    requires=(),
    example={"query": "gross margin"},
    quotes_documents=True,
)
def search_filings(
    data: MarketData, query: str, ticker: str = "", form: str = "", fiscal_year: int = 0, limit: int = 5
) -> PassageList:
    """Search the stored filings that were known by the day; return passages with document, page and item.

    Args:
        query: Key words as a filing prints them, or a question.
        ticker: Ticker, for example AAPL; empty: all companies.
        form: Form, such as 10-K; empty: all.
        fiscal_year: Fiscal year, such as 2024; 0: all.
        limit: Passages, at most 20.
    """
    forms = (form,) if form else ()
    return _search(data, "filing", query, ticker, Scope(forms=forms), fiscal_year=fiscal_year, limit=limit)


@capability(
    title="Passages of calls", returns=PassageList, requires=(), example={"query": "guidance"}, quotes_documents=True
)
def search_transcripts(
    data: MarketData, query: str, ticker: str = "", fiscal_year: int = 0, fiscal_quarter: int = 0, limit: int = 5
) -> PassageList:
    """Search the stored earnings calls that were known by the day; return what was said, with the speaker.

    Args:
        query: Key words as a speaker would say them, or a question.
        ticker: Ticker, for example AAPL; empty: all companies.
        fiscal_year: Fiscal year, such as 2025; 0: all.
        fiscal_quarter: Quarter, 1 to 4; 0: all.
        limit: Passages, at most 20.
    """
    quarters = (fiscal_quarter,) if fiscal_quarter else ()
    return _search(data, "call", query, ticker, Scope(fiscal_quarters=quarters), fiscal_year=fiscal_year, limit=limit)


@capability(
    title="Page of a filing",
    returns=DocumentPage,
    requires=(),
    example={"document": "VELQ 10-K 2024", "page": 1},
    quotes_documents=True,
)
def read_filing_page(data: MarketData, document: str, page: Annotated[int, Field(ge=1)] = 1) -> DocumentPage:
    """Read a page of a stored filing or call as filed, such as the page on which a passage was found.

    Args:
        document: Its name as search_filings gives it, for example AAPL 10-K 2024, or its key.
        page: Page, counted from 1.
    """
    from tradingagents.retrieval.store import shared_store

    with shared_store(data.settings, data.memo) as store:
        info = store.named(document, Scope(as_of=data.cutoff.instant))
        pages = store.page_count(info.key) if info is not None else 0
        number = min(page, pages)
        text, outline = store.page(info.key, number - 1) if info is not None and number else ("", DocumentOutline())
    if info is None:
        return DocumentPage(as_of=data.as_of, source=SOURCE, fetched_at=data.asked_at, document=one_line(document)[:80])
    places = [
        (section.first_page, section.first_offset, section.item)
        for section in outline.sections
        if section.first_page < number
    ]
    return DocumentPage(
        symbol=info.symbol or None,
        as_of=data.as_of,
        source=SOURCE,
        known_at=info.known_at,
        fetched_at=data.asked_at,
        rows=1,
        notes=(f"It has {pages} pages; the last was read.",) if number < page else (),
        document=info.name,
        key=info.key,
        form=info.form,
        page=number,
        pages=pages,
        item=max(places)[2] if places else "",
        speaker=next((turn.speaker for turn in outline.turns if turn.place.page == number - 1), ""),
        text=clean(text),
        url=info.url,
    )


@capability(
    title="Answer from filings",
    returns=AnswerFromFilings,
    quotes_documents=True,
    requires=("get_filings", "get_filing_document"),
    example={"question": "What is the operating margin?"},
)
def answer_from_filings(data: MarketData, question: str, ticker: str) -> AnswerFromFilings:
    """Answer a question about one company from its filings known by the day, by rule and with cited cells.

    The filings of the store are read, or the latest 10-K where it has none of the company. Figures and ratios of the
    statements are computed; other questions are answered with the nearest sentences.

    Args:
        question: In plain words, with the fiscal year, for example: What is the FY2024 operating margin?
        ticker: Ticker, for example AAPL.
    """
    from tradingagents.capabilities.filing_documents import read_filing
    from tradingagents.retrieval.figures.answer_confidence import above_bar
    from tradingagents.retrieval.figures.answers import answer_from_documents, likeliest_filings
    from tradingagents.retrieval.lines.line_text import extractive
    from tradingagents.retrieval.lines.store_lines import lines_asked
    from tradingagents.retrieval.questions.reading import QuestionReading
    from tradingagents.retrieval.store import shared_store

    symbol = normalise(ticker)
    scope = Scope(as_of=data.cutoff.instant, kinds=("filing",), symbols=(symbol,))
    with shared_store(data.settings, data.memo) as store:
        infos = store.documents(scope)
        lines = lines_asked(question, infos, store.get, None, scope.as_of)
        asked = QuestionReading(question).figure
        documents = [store.get(info.key) for info in likeliest_filings(infos, asked.years, asked.quarter)]
        hits = store.search(question, scope, MOST_PASSAGES) if infos else ()
    notes: tuple[str, ...] = ()
    if not documents:
        documents = [read_filing(data, symbol, ANNUAL, "")[1]]
        notes = (f"The store has no filing of {symbol}; its latest {ANNUAL} was read.",)
    answer = extractive(lines) if lines is not None else answer_from_documents(question, documents, hits)
    if lines is not None and lines.perhaps_elsewhere:
        elsewhere = answer_from_documents(question, documents, hits)
        answer = answer if elsewhere.kind == "refusal" else elsewhere
    if infos:
        with shared_store(data.settings, data.memo) as store:
            answer = above_bar(store, question, answer, scope.as_of)
    return AnswerFromFilings(
        symbol=symbol,
        as_of=data.as_of,
        source=SOURCE if infos else data.vendor_of("get_filing_document"),
        known_at=max(document.info.known_at for document in documents),
        notes=(*notes, *(note for document in documents for note in document.unit_notes)),
        fetched_at=data.asked_at,
        rows=len(documents),
        question=question,
        kind=answer.kind,
        answer=answer.text,
        value=answer.value,
        unit=answer.unit,
        formula=answer.formula,
        cells=tuple(map(_cell, answer.operands)),
        sentences=tuple(
            QuotedSentence(document=sentence.document_name, page=sentence.place.page + 1, text=sentence.text)
            for sentence in answer.sentences
        ),
        refusal=answer.refusal,
    )


@capability(title="Figures as filed", returns=FiledFigures, requires=(), quotes_documents=True)
def get_filed_figures(data: MarketData, ticker: str) -> FiledFigures:
    """Read cash, debt, the year's flows and the parts of revenue from a company's newest stored filings.

    Each figure names the row, the period and the page that print it. The filings are those known by the day.

    Args:
        ticker: Ticker, for example AAPL.
    """
    return read_stored_figures(data, normalise(ticker))


def read_stored_figures(data: MarketData, symbol: str) -> FiledFigures:
    """Return what the newest stored filings of a company print; without cells where the store has none."""
    nothing = FiledFigures(
        symbol=symbol,
        as_of=data.as_of,
        source=SOURCE,
        fetched_at=data.asked_at,
        balance=None,
        year=None,
        flows=(),
        parts=(),
    )
    if not store_exists(data.settings, data.memo):
        return nothing
    from tradingagents.retrieval.figures.read_figures import newest, read_filed_figures
    from tradingagents.retrieval.store import shared_store

    with shared_store(data.settings, data.memo) as store:
        infos = store.documents(Scope(as_of=data.cutoff.instant, kinds=("filing",), symbols=(symbol,)))
        annual, sheet = (store.get(one.key) if one is not None else None for one in newest(infos))
    found = read_filed_figures(nothing, annual, sheet)
    cells = [*(found.balance.cells if found.balance else ()), *found.flows, *found.parts]
    read = (statement for statement in (annual, sheet) if statement is not None)
    return found.model_copy(
        update={
            "notes": tuple(dict.fromkeys(note for one in read for note in one.unit_notes)),
            "known_at": max((cell.known_at for cell in cells), default=None),
            "currency": next((cell.unit for cell in cells if cell.unit in CODES), None),
            "rows": len(cells),
        }
    )


def _cell(operand: CitedOperand) -> CitedCell:
    return CitedCell(
        name=operand.name,
        document=operand.document_name,
        page=(operand.place.page if operand.place else 0) + 1,
        row=operand.label,
        column=operand.column,
        text=operand.text,
        value=operand.value,
        unit=operand.unit,
    )


def holds_filings(data: MarketData, symbol: str) -> bool:
    """Tell whether the store holds a filing of a company that was known by the day."""
    if not store_exists(data.settings, data.memo):
        return False
    from tradingagents.retrieval.store import shared_store

    scope = Scope(as_of=data.cutoff.instant, kinds=("filing",), symbols=(symbol,))
    with shared_store(data.settings, data.memo) as store:
        return store.has(scope)


def _search(
    data: MarketData, kind: DocumentKind, query: str, ticker: str, scope: Scope, *, fiscal_year: int, limit: int
) -> PassageList:
    from tradingagents.retrieval.store import shared_store

    symbol = normalise(ticker) if ticker else None
    wanted = Scope(
        as_of=data.cutoff.instant,
        kinds=(kind,),
        symbols=(symbol,) if symbol else (),
        forms=scope.forms,
        fiscal_years=(fiscal_year,) if fiscal_year else (),
        fiscal_quarters=scope.fiscal_quarters,
    )
    with shared_store(data.settings, data.memo) as store:
        documents = store.documents(wanted)
        hits = store.search(query, wanted, max(1, min(limit, MOST_PASSAGES))) if documents else ()
    return passage_list(
        hits,
        query=query,
        kind="filings" if kind == "filing" else "calls",
        symbol=symbol,
        as_of=data.as_of,
        fetched_at=data.asked_at,
        documents=len(documents),
    )
