"""Check a text: read its figures, look each up, and return them with their verdicts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import date
from functools import partial

from tradingagents.features.report_check.facts import CheckableCompany
from tradingagents.features.report_check.figures import FigureReader
from tradingagents.features.report_check.filings.cells import CompanyFilings
from tradingagents.features.report_check.filings.judge import FilingJudge
from tradingagents.features.report_check.filings.names import NameReader
from tradingagents.features.report_check.verdicts import CheckedFigure, Judge
from tradingagents.features.report_check.words import ReportLexicon, book_for, without_unknown
from tradingagents.provenance.wording import Wording
from tradingagents.retrieval.models import SourceDocument

_SYMBOL = re.compile(
    r"\((?:(?:NYSE|NASDAQ|Nasdaq|AMEX|LSE|XETRA|TSX)\s*:\s*)?([A-Z][A-Z0-9]{0,5}(?:[.-][A-Z]{1,2})?)(?:\s+US)?\)"
    r"|\b(?:NYSE|NASDAQ|Nasdaq)\s*:\s*([A-Z]{1,5})\b|^(?:Ticker|Symbol)\s*:\s*([A-Z]{1,6})\b",
    re.MULTILINE,
)


def symbols_named(text: str) -> tuple[str, ...]:
    """Return what looks like the ticker of a company, in order of appearance, each once: `(AAPL)`, `NASDAQ: AAPL`."""
    return tuple(dict.fromkeys(next(filter(None, match.groups())) for match in _SYMBOL.finditer(text)))


def companies_named(text: str, known: Sequence[tuple[str, str]]) -> tuple[str, ...]:
    """Return the symbols of the companies that a text names, those named most often first.

    Args:
        text: The report.
        known: Pairs of symbol and name.
    """
    if not known:
        return ()
    symbols = {symbol.lower(): symbol for symbol, _ in known}
    marks = Wording(text, book_for(known)).marks.get("subject", [])
    counts = Counter(symbols[mean] for mark in marks for mean in mark.means if mean in symbols)
    return tuple(symbol for symbol, _ in counts.most_common())


def checked_figures(
    text: str,
    companies: Sequence[CheckableCompany],
    as_of: date,
    filings: Callable[[str], Sequence[SourceDocument]] = lambda _: (),
) -> tuple[CheckedFigure, ...]:
    """Return the figures of a text in Markdown, in order, with their verdicts.

    Args:
        text: The report.
        companies: The report's company first, then the others it names, then those it may be mistaken for.
        as_of: The day of the check.
        filings: Returns the filings of a company known by the day, the newest first; asked where the data do not settle
            a figure.
    """
    book = book_for((company.symbol, company.name) for company in companies)
    judge = Judge(companies, as_of)
    names = NameReader(ReportLexicon(without_unknown(book)))
    filed = FilingJudge(
        [CompanyFilings(company.symbol, partial(filings, company.symbol), names) for company in companies], names
    )
    figures = sorted(FigureReader(book).read(text), key=lambda figure: figure.start)
    return tuple(filed.judge(judge.judge(figure)) for figure in figures)
