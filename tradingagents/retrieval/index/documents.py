"""Which documents a question is about: by company, fiscal period, date and form."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import date, timedelta

from tradingagents.retrieval.index.companies import company_id
from tradingagents.retrieval.index.question import SearchQuestion
from tradingagents.retrieval.models import DocumentInfo

ANNUAL_FORMS = frozenset({"10-K", "20-F", "40-F", "10-KT"})
_OWN_YEAR, _NEXT_YEAR, _LATER_YEAR, _RELATED = 0.6, 0.2, 0.1, 0.5
_NAMED_FORM, _SAME_DATE, _LATEST = 0.5, 0.6, 0.6
_FILED_WITHIN = timedelta(days=10)
"""Days that a company may take to report an event."""


def document_weights(
    question: SearchQuestion, documents: Sequence[DocumentInfo], *, without: Collection[str] = ()
) -> list[float]:
    """Return what each document adds to the scores of its pages, by its fiscal period, form and date.

    An annual report also answers for the year before, whose figures it repeats: the report of the year itself comes
    first, then that of the next year.
    """
    if "document_period" in without:
        return [0.0] * len(documents)
    latest = _latest_periods(question, documents)
    if question.period is None and not (question.forms or question.dates or latest):
        return [0.0] * len(documents)
    weights = []
    for document in documents:
        weight = _by_period(question, document) + _by_form(question, document) + _by_date(question, document)
        if latest and _period_of(document) in latest.get(company_id(document.symbol, document.company), ()):
            weight += _LATEST
        weights.append(weight)
    return weights


def plain_form(form: str) -> str:
    """Return a form without the sign of an amendment."""
    return form.upper().removesuffix("/A")


def _by_period(question: SearchQuestion, one: DocumentInfo) -> float:
    period = question.period
    if period is None or one.fiscal_year is None:
        return 0.0
    annual = plain_form(one.form) in ANNUAL_FORMS
    years_later = one.fiscal_year - period.year
    if period.quarter is None:
        if annual:
            # What was expected of a year stands in the report of the year before.
            before = _OWN_YEAR if "guidance" in question.topics else 0.0
            return {-1: before, 0: _OWN_YEAR, 1: _NEXT_YEAR, 2: _LATER_YEAR}.get(years_later, 0.0)
        whole_year = one.fiscal_quarter in (None, 4)
        return (_RELATED if whole_year else _RELATED / 2) if years_later == 0 else 0.0
    if one.fiscal_quarter == period.quarter:
        return {0: _OWN_YEAR, 1: _NEXT_YEAR}.get(years_later, 0.0)
    return _RELATED / 2 if years_later == 0 and annual else 0.0


def _by_form(question: SearchQuestion, one: DocumentInfo) -> float:
    form = one.form.upper()
    if not question.forms:
        return 0.0
    if form in question.forms or plain_form(form) in question.forms:
        return _NAMED_FORM
    return _NAMED_FORM if "earnings" in question.forms and (form.startswith("EX-99") or one.kind == "call") else 0.0


def _by_date(question: SearchQuestion, one: DocumentInfo) -> float:
    published = one.known_at.date()
    return max((_near(day, published, one) for day in question.dates), default=0.0)


def _near(day: date, published: date, one: DocumentInfo) -> float:
    if day in (published, one.period_end):
        return _SAME_DATE
    if timedelta(0) <= published - day <= _FILED_WITHIN:
        return _SAME_DATE * 0.8
    return _RELATED / 2 if day.year == one.fiscal_year else 0.0


def _period_of(one: DocumentInfo) -> tuple[int, int]:
    return one.fiscal_year or 0, one.fiscal_quarter or 0


def _latest_periods(question: SearchQuestion, documents: Sequence[DocumentInfo]) -> dict[str, set[tuple[int, int]]]:
    """Return the last periods of each company, as many as the question asks for: fiscal calendars differ."""
    found: dict[str, set[tuple[int, int]]] = {}
    if not question.latest:
        return found
    for document in documents:
        if document.fiscal_year is not None:
            found.setdefault(company_id(document.symbol, document.company), set()).add(_period_of(document))
    return {company: set(sorted(periods)[-question.latest :]) for company, periods in found.items()}
