"""Figures that only a sentence of a report states of one item and one period.

    Document Cloud ARR exiting fiscal 2025 was $2.37 billion, up from $1.93 billion at the end of fiscal 2024.

A sentence counts that begins with the item, by all its words and no others, and names the period beside the amount.
Where sentences of a report state different amounts none is taken.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tradingagents.dataflows.reference.currencies import currency_named
from tradingagents.retrieval.calculation import CitedOperand
from tradingagents.retrieval.lines.rows.label_words import NEUTRAL, stems_of
from tradingagents.retrieval.models import SourceDocument, TextPlace
from tradingagents.retrieval.money import read_document_money
from tradingagents.retrieval.series.span import FiscalPeriod
from tradingagents.retrieval.text_figures import MONTH, parse_figure

_FEWEST_WORDS = 2
"""Words of an item that is looked for in sentences: one is also a part of other names."""
_DAY = rf"{MONTH} \d{{1,2}}, (?:19|20)\d\d"
_WHEN = (
    r"(?:exiting|at the end of|at|as of|for|in|during) (?:the )?(?:end of )?(?:fiscal (?:year )?|(?:full )?year )?"
    rf"(?:(?:19|20)\d\d|(?:ended )?{_DAY})"
)
_STATED = re.compile(
    rf"(?:(?<=[.!?\u2022] )|^)(?:(?P<first>{_WHEN.replace('(?:exiting', '(?:Exiting|At|As of|In|For|exiting')}), )?"
    rf"(?:[Oo]ur |[Tt]he )?(?P<item>\w[\w&/' -]{{2,60}}?)(?: (?P<before>{_WHEN}))?"
    r" (?:was|were|totaled|grew to|increased to|decreased to|declined to|reached|amounted to)"
    r" (?:approximately |about )?(?P<amount>(?P<sign>US\$|C\$|A\$|[$\u20ac\u00a3])\s?\d[\d,]*(?:\.\d+)?(?![\d,.]*\d))"
    rf" ?(?P<scale>thousand|million|billion|trillion)?(?: (?P<after>{_WHEN}))?(?=[,.;]| and )"
)
_FACTORS = {"thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}
_YEAR = re.compile(r"(?:19|20)\d\d")


def stated_figure(document: SourceDocument, phrase: str, period: FiscalPeriod) -> CitedOperand | None:
    """Return the amount that a report of a year states of an item in a sentence; None where none does, or they differ.

    Args:
        document: The report; one of a quarter states nothing here.
        phrase: The item.
        period: The fiscal year that the sentence has to name.
    """
    info = document.info
    asked = stems_of(phrase) - NEUTRAL
    if period.quarter is not None or info.fiscal_quarter is not None or len(asked) < _FEWEST_WORDS:
        return None
    found = list(_stated(document, asked, period.year))
    if len({(each.value, each.unit) for each in found}) != 1:
        return None
    unit = read_document_money(document.pages, info).of(found[0].unit)  # `$` is not that of the US everywhere
    return found[0].model_copy(update={"unit": unit})


def _stated(document: SourceDocument, asked: frozenset[str], year: int) -> Iterator[CitedOperand]:
    """Yield the amounts stated, each in the currency of its sign."""
    for page in document.pages:
        text = page.text.replace("\n", " ").replace("\u2019", "'")  # as many characters as before
        for stated in _STATED.finditer(text):
            when = [stated[name] for name in ("first", "before", "after") if stated[name]]
            if len(when) != 1 or stems_of(stated["item"]) - NEUTRAL != asked:
                continue
            if not _is_of(when[0], document, year):
                continue
            scale = _FACTORS.get(stated["scale"] or "", 1.0)
            value = parse_figure(stated["amount"].lstrip("USCA$\u20ac\u00a3 "))
            start, end = stated.span("amount")
            if value is not None:
                yield CitedOperand(
                    name=f"line@{year}",
                    label=stated["item"],
                    column=when[0],
                    text=stated["amount"],
                    value=value * scale,
                    unit=currency_named(stated["sign"]),
                    scale=scale,
                    document_name=document.info.name,
                    place=TextPlace(document.info.key, page.number, start, end),
                )


def _is_of(when: str, document: SourceDocument, year: int) -> bool:
    """Whether a time is of a fiscal year: it names the year, or the day on which the year ends."""
    told = int(_YEAR.findall(when)[-1])
    if re.search(MONTH, when):
        end = document.info.period_end
        return document.info.fiscal_year == year and (told == end.year if end else told in (year, year + 1))
    return told == year
