"""How many people work for a company, where only a sentence of its annual report says so.

    At December 31, 2024, we had approximately 217,000 active employees, with approximately 77% of them in ...

A sentence counts that tells the day on which the report's year ends; where two differ none is taken.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tradingagents.retrieval.calculation import CitedOperand
from tradingagents.retrieval.lines.rows.label_words import stems_of
from tradingagents.retrieval.models import SourceDocument, TextPlace
from tradingagents.retrieval.series.span import FiscalPeriod

_PEOPLE = re.compile(
    r"\b(?:employed|had|have|employs?|with|of)\s(?:a total of\s)?(?:approximately|about|roughly|over|some)?\s?"
    r"(?P<number>\d{1,3}(?:,\d{3})+|\d{1,2}(?:\.\d{1,3})?\smillion)\s"
    r"(?:[a-z-]+,?\s(?:and\s)?){0,4}?(?P<who>people|persons|employees|associates|team members|colleagues)\b"
)
_LONGEST = 250
"""Characters of a sentence before and after the number."""
_MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
_DAY = re.compile(rf"\b(?:as of|at|on)\s(?:{_MONTHS})\s\d{{1,2}},\s(?P<year>20\d\d)", re.IGNORECASE)
_YEAR_END = re.compile(r"\bend of (?:fiscal )?(?:year )?(?P<year>20\d\d)\b", re.IGNORECASE)
_ASKED = stems_of("employees")


def asks_for_employees(phrase: str) -> bool:
    """Return whether a phrase asks for the number of all who work for a company."""
    return stems_of(phrase) == _ASKED


def employees_stated(document: SourceDocument, period: FiscalPeriod) -> CitedOperand | None:
    """Return how many people a company employed at the end of a fiscal year; None where no sentence tells it."""
    info = document.info
    if period.quarter is not None or info.fiscal_quarter is not None or info.fiscal_year != period.year:
        return None
    found = list(_stated(document, period.year))
    if len({operand.value for operand in found}) != 1:
        return None
    return found[0]


def _stated(document: SourceDocument, year: int) -> Iterator[CitedOperand]:
    ends = {year} | ({document.info.period_end.year} if document.info.period_end else {year + 1})
    for page in document.pages:
        for stated in _PEOPLE.finditer(page.text):
            begin = page.text.rfind(". ", 0, stated.start()) + 1
            end = page.text.find(". ", stated.end())
            sentence = page.text[max(begin, stated.start() - _LONGEST) : end if end >= 0 else len(page.text)][
                : 2 * _LONGEST
            ]
            dated = _DAY.search(sentence)
            told = dated or _YEAR_END.search(sentence)
            first = _PEOPLE.search(sentence)
            if told is None or first is None or first["number"] != stated["number"]:
                continue
            if int(told["year"]) not in (ends if dated else {year}):
                continue
            number, start = stated["number"], stated.start("number")
            yield CitedOperand(
                name=f"employees@{year}",
                label=f"number of {stated['who']}",
                column=told.group(),
                text=number,
                value=float(number.split()[0].replace(",", "")) * (1e6 if number.endswith("million") else 1.0),
                unit="count",
                scale=1.0,
                document_name=document.info.name,
                place=TextPlace(document.info.key, page.number, start, start + len(number)),
            )
