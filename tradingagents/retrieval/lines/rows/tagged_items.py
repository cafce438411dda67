"""Figures that a company tags and no row of a stored filing prints, found by the words of the tag.

`remaining performance obligation` is `us-gaap:RevenueRemainingPerformanceObligation`: every word asked for stands in
the tag, and what the tag says besides is only under which heading of accounting it is filed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime
from functools import lru_cache

from tradingagents.dataflows.reference.currencies import is_money
from tradingagents.retrieval.calculation import CitedOperand
from tradingagents.retrieval.lines.rows.label_words import CAMEL, stems_of
from tradingagents.retrieval.series.build import FactSource, series
from tradingagents.retrieval.series.fact import SeriesFact
from tradingagents.retrieval.series.span import FiscalPeriod, Span

_FEWEST_WORDS = 3
"""Words of a phrase that names a tag: fewer are also in the names of other things."""
_AREAS = frozenset().union(*map(stems_of, ("revenue", "income tax", "and of the to in from")))
"""Words of a tag that say under which heading of accounting it is filed."""
_SAID_OTHERWISE = ((re.compile(r"\bgross (?=unrecognized tax benefits\b)"), ""),)
"""What phrases say of a tag that is so by its definition."""


def tagged_figure(
    facts: FactSource, company: str, phrase: str, period: FiscalPeriod, as_of: datetime | None
) -> SeriesFact | None:
    """Return the figure of a period that a company tags under the words of a phrase; None where no tag has them all.

    Args:
        facts: What companies tagged.
        company: Ticker.
        phrase: The words asked for.
        period: The year or quarter.
        as_of: Nothing known later is taken; None: everything.
    """
    tags = {tag for group in facts.groups(company, "us-gaap:Assets") for tag in group.tags(as_of)}
    tag = tag_named(tags, phrase)
    if not tag:
        return None
    span = Span.years(period.year) if period.quarter is None else Span.quarters((period.year, period.quarter))
    return series(facts, company, tag, span, as_of).row(period.year, period.quarter)


def operand_of(fact: SeriesFact, name: str) -> CitedOperand:
    """Return a tagged figure as it goes into a calculation."""
    return CitedOperand(
        name=name,
        label=fact.tag,
        column=fact.period.label,
        value=fact.value,
        unit=fact.unit,
        scale=1e6 if is_money(fact.unit) and abs(fact.value) >= 1e8 and "/" not in fact.unit else 1.0,
        document_name=fact.place.label,
        place=fact.place.cell,
    )


def tag_named(tags: Iterable[str], phrase: str) -> str:
    """Return the tag that a phrase names; empty where none has its words, or several do."""
    for said, by in _SAID_OTHERWISE:
        phrase = said.sub(by, phrase)
    asked = stems_of(phrase)
    if len(asked) < _FEWEST_WORDS:
        return ""
    found = {tag: _tag_words(tag) - asked for tag in tags if asked <= _tag_words(tag)}
    exact = [tag for tag, rest in found.items() if not rest]
    near = exact or [tag for tag, rest in found.items() if rest <= _AREAS]
    return near[0] if len(near) == 1 else ""


@lru_cache(maxsize=20_000)
def _tag_words(tag: str) -> frozenset[str]:
    return stems_of(" ".join(CAMEL.split(tag.rpartition(":")[2])).lower())
