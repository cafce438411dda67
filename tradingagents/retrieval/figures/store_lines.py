"""Read a question for lines with the companies of a store in it, and answer it from their books."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

from tradingagents.retrieval.figures.company_books import CompanyBooks
from tradingagents.retrieval.figures.line_answer import LineAnswer
from tradingagents.retrieval.figures.line_answers import answer_lines
from tradingagents.retrieval.index.companies import Companies, company_id
from tradingagents.retrieval.models import DocumentInfo, SourceDocument
from tradingagents.retrieval.questions.companies import listed_instruments
from tradingagents.retrieval.questions.kinds import spaced
from tradingagents.retrieval.questions.line_questions import COMPANY_MARK, LineQuestion, read_line_question
from tradingagents.retrieval.series.build import FactSource


def books_named(
    question: str,
    infos: Sequence[DocumentInfo],
    open_document: Callable[[str], SourceDocument],
    facts: FactSource | None = None,
    as_of: datetime | None = None,
) -> list[CompanyBooks]:
    """Return the books of the companies that a question names, in the order of the question.

    Args:
        question: In plain words.
        infos: The stored filings that were known.
        open_document: Gives a document by its key.
        facts: Facts beyond the stored filings; then a listed company without a filing has books too.
        as_of: Nothing known later is read.
    """
    by_company: dict[str, list[DocumentInfo]] = {}
    for info in infos:
        by_company.setdefault(company_id(info.symbol, info.company), []).append(info)
    named = Companies((own[0].symbol, own[0].company) for own in by_company.values()).named(question)
    listed = [mention.symbol for mention in listed_instruments().mentions(spaced(question))]
    books = [
        CompanyBooks(
            _name_of(by_company[known]), by_company[known][0].symbol, by_company[known], open_document, facts, as_of
        )
        for known in by_company
        if known in named or by_company[known][0].symbol in listed
    ]
    known_symbols = {each.symbol for each in books}
    if facts is not None:
        books += [CompanyBooks(symbol, symbol, (), open_document, facts, as_of)
                  for symbol in dict.fromkeys(listed) if symbol not in known_symbols]  # fmt: skip
    marked = marked_question(question, books)
    return sorted(books, key=lambda each: marked.find(chr(COMPANY_MARK + books.index(each))) % (len(marked) + 1))


def marked_question(question: str, companies: Sequence[CompanyBooks]) -> str:
    """Return a question with a sign in place of each company's name."""
    text = spaced(question)
    symbols = {books.symbol: chr(COMPANY_MARK + number) for number, books in enumerate(companies) if books.symbol}
    for mention in reversed(listed_instruments().mentions(text)):
        if mention.symbol in symbols:
            text = f"{text[: mention.start]}{symbols[mention.symbol]}{text[mention.end :]}"
    for number, books in enumerate(companies):
        names = {(info.symbol, info.company) for info in books.infos} or {(books.symbol, books.name)}
        for name in names:
            text = Companies([name]).without_names(text, chr(COMPANY_MARK + number))
    return text


def read_of(question: str, companies: Sequence[CompanyBooks]) -> LineQuestion:
    """Return a question for lines, read; the names of its companies are none of its words."""
    return read_line_question(marked_question(question, companies))


def line_answer(question: str, companies: Sequence[CompanyBooks]) -> LineAnswer:
    """Answer a question for lines over spans from the books of the companies that it names."""
    return answer_lines(read_of(question, companies), companies).model_copy(update={"question": question})


def _name_of(infos: Sequence[DocumentInfo]) -> str:
    return infos[0].symbol or infos[0].company
