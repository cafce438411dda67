"""Figures that only a sentence of a report lists of one item over several years.

    Shipping costs, which include transportation costs, were $11.5 billion, $16.2 billion, and $21.7 billion in 2015,
    2016, and 2017.

A sentence counts whose item has all words asked for and no others, and that lists as many years as amounts. Where
sentences of a report list different amounts of a year none is taken.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product

from tradingagents.dataflows.reference.currencies import currency_named
from tradingagents.retrieval.calculation import CitedOperand
from tradingagents.retrieval.index.words import stem
from tradingagents.retrieval.lines.rows.label_words import NEUTRAL, stems_of
from tradingagents.retrieval.models import DocumentInfo, SourceDocument, TextPlace
from tradingagents.retrieval.money import read_document_money
from tradingagents.retrieval.series.span import FiscalPeriod
from tradingagents.retrieval.text_figures import MONTH, parse_figure

_FEWEST_WORDS = 2
"""Words of an item that is looked for in sentences: one is also a part of other names."""
_SIGN = r"(?:US\$|C\$|A\$|[$\u20ac\u00a3])"
_AMOUNT = rf"(?:{_SIGN} ?\d[\d,]*(?:\.\d+)? (?:thousand|million|billion|trillion)|\d+(?:\.\d+)? ?%)"
_AMOUNTS = rf"(?P<amounts>{_AMOUNT}(?: ?, {_AMOUNT}){{0,4}} ?,? and {_AMOUNT})"
_YEAR = r"(?:19|20)\d\d"
_YEARS = (
    r"(?:for|in|during|at|as of) (?:the )?(?:full )?(?P<when>(?:(?:fiscal )?years? )?(?:(?:ended|ending) )?"
    rf"(?:{MONTH} \d{{1,2}}, )?(?:fiscal )?)(?P<years>{_YEAR}(?: ?, {_YEAR}){{0,4}} ?,? and {_YEAR})(?!\d)"
)
_TOLD = r"(?:approximately |about )?"
_ITEM = r"(?P<item>[A-Za-z][\w&/' -]{2,70}?)"
_LINE = "\r"
"""Stands before a line that begins with a capital, which may begin a sentence."""
_BEGINS = r"(?:(?<=[.!?:\u2022] )|(?<=\r)|^)(?:[Oo]ur |[Tt]he )?"
_ASIDE = (
    r"(?:, (?:which|including|inclusive|net of refunds)\b[^.;:]{0,160}?,"
    r"| (?:is|are) (?:expensed|charged to \w+) (?:as|in the period) incurred,? and)?"
)
_LISTED = (
    re.compile(
        rf"{_BEGINS}{_ITEM}{_ASIDE} (?:was|were|totaled|amounted to) {_TOLD}{_AMOUNTS},?(?: respectively,)? {_YEARS}"
    ),
    re.compile(
        r"\b(?:[Ww]e|[Tt]he Company) (?:recorded|recognized|incurred|paid|had|reported) "
        rf"{_ITEM} of {_TOLD}{_AMOUNTS},?(?: respectively,)? {_YEARS}"
    ),
    re.compile(rf"\bOf (?P<whole>[^,;:]{{3,60}}), {_TOLD}{_AMOUNTS} (?:related|relates|relate) to {_ITEM} {_YEARS}"),
)
"""The third: `Of its total net sales, approximately $79.3 billion and $65.4 billion related to eCommerce for …`."""
_BREAK = re.compile(r"\n(?=[A-Z])")
_STEM = 4
"""Letters of the stem of a word that all its forms have."""
_WRITTEN_OTHERWISE = frozenset(map(stem, ("united", "states", "online", "member", "employees", "advertising", "spent")))
"""Words that texts write in other letters, as `U.S.` and `eCommerce`."""
_FACTORS = {"thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}
_SPENT = frozenset(map(stem, ("cost", "costs", "expense", "expenses", "expenditure", "expenditures", "spending")))
"""Words for what is spent, which mean the same."""


def listed_figure(
    document: SourceDocument, phrase: str, period: FiscalPeriod, company: frozenset[str] = frozenset()
) -> CitedOperand | None:
    """Return the amount that a report of a year lists of an item in a sentence; None where none does, or they differ.

    Args:
        document: The report; one of a quarter lists nothing here.
        phrase: The item.
        period: The fiscal year, which the sentence has to name.
        company: Words of the company's name, which say nothing of an item.
    """
    info = document.info
    asked = _plain(phrase, company)
    if period.quarter is not None or info.fiscal_quarter is not None or len(asked) < _FEWEST_WORDS:
        return None
    found = list(_listed(document, asked, period.year, company))
    if len({(each.value, each.unit) for each in found}) != 1:
        return None
    if found[0].unit == "percent":
        return found[0]
    unit = read_document_money(document.pages, info).of(found[0].unit)  # `$` is not that of the US everywhere
    return found[0].model_copy(update={"unit": unit})


def _plain(text: str, company: frozenset[str]) -> frozenset[str]:
    """Return the words of an item, with one for what is spent."""
    words = stems_of(text) - NEUTRAL - company
    return (words - _SPENT) | {"spent"} if words & _SPENT else words


def _listed(
    document: SourceDocument, asked: frozenset[str], year: int, company: frozenset[str]
) -> Iterator[CitedOperand]:
    """Yield the amounts listed for a year, each in the currency of its sign."""
    for page in document.pages:
        lower = page.text.lower()
        if not all(word[:_STEM] in lower for word in asked if word.isalpha() and word not in _WRITTEN_OTHERWISE):
            continue
        lines = page.text.replace("\u2019", "'")
        texts = (lines.replace("\n", " "), _BREAK.sub(_LINE, lines).replace("\n", " "))  # as long as before
        for pattern, text in product(_LISTED, texts):
            for listed in pattern.finditer(text):
                groups = listed.groupdict()
                if _plain(f"{groups.get('whole') or ''} {listed['item']}", company) != asked:
                    continue
                amounts = list(re.finditer(_AMOUNT, listed["amounts"]))
                told = map(int, re.findall(_YEAR, listed["years"]))
                years = [_own_year(each, listed["when"], document.info) for each in told]
                if len(amounts) != len(years) or years.count(year) != 1:
                    continue
                amount, start = amounts[years.index(year)], listed.start("amounts")
                place = TextPlace(document.info.key, page.number, start + amount.start(), start + amount.end())
                if operand := _operand(amount.group(), listed["item"], year, document.info.name, place):
                    yield operand


def _own_year(told: int, when: str, info: DocumentInfo) -> int:
    """Return the fiscal year that a sentence calls by a year, which is that of its last day where it names one."""
    if info.period_end is None or info.fiscal_year is None or not re.search(MONTH, when):
        return told
    return told + info.fiscal_year - info.period_end.year


def _operand(text: str, item: str, year: int, document: str, place: TextPlace) -> CitedOperand | None:
    number = re.search(r"\d[\d,]*(?:\.\d+)?", text)
    value = parse_figure(number.group()) if number else None
    if value is None:
        return None
    is_percent = text.endswith("%")
    scale = 1.0 if is_percent else _FACTORS[text.split()[-1]]
    return CitedOperand(
        name=f"line@{year}",
        label=item,
        column=str(year),
        text=text,
        value=round(value * scale, 2),
        unit="percent" if is_percent else currency_named(text[: number.start()].strip() if number else ""),
        scale=scale,
        document_name=document,
        place=place,
    )
