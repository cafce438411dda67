"""Facts of recorded filings, by tag and by cell, against each other and against EDGAR's company facts.

python -m benchmarks.series.stored --filings /path/to/filings [--sec /path/to/sec/companyfacts] [--show]
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any, Literal

from benchmarks.series.questions import COMPANIES, facts_of
from tradingagents.dataflows.reference.xbrl_tags import MORE_RECIPES, RECIPES, SUMS
from tradingagents.retrieval.figures.document_facts import document_facts, is_tagged
from tradingagents.retrieval.models import SourceDocument
from tradingagents.retrieval.reading import read_document
from tradingagents.retrieval.series.fact import SeriesFact
from tradingagents.retrieval.series.history import FactHistory

ITEMS = sorted({*SUMS, *(item for recipes in RECIPES["us-gaap"].values() for item in recipes)}
               | {item for recipes in MORE_RECIPES.values() for item in recipes})  # fmt: skip
NEAR = timedelta(days=4)
"""EDGAR gives the day of a filing, of which the file's name has the day it was read in some cases."""
_DAY = re.compile(r"\d{4}-\d\d-\d\d")

Verdict = Literal["equal", "differs", "other unit", "not in the other"]
Way = Literal["cells and tags", "tags and company facts", "cells and company facts"]


@dataclass(frozen=True)
class Compared:
    """A fact of a filing against what the other source gives for the same item and days."""

    way: Way
    filing: str
    verdict: Verdict
    fact: SeriesFact
    other: SeriesFact | None


def filings_in(folder: Path) -> Iterator[SourceDocument]:
    """Yield the recorded annual and quarterly reports, each as of its day at 21:00 UTC."""
    for path in sorted((*folder.glob("10k/*.gz"), *folder.glob("10q/*.gz"))):
        day = _DAY.search(path.name)
        filed = date.fromisoformat(day.group()) if day else date(2025, 1, 1)
        known_at = datetime(filed.year, filed.month, filed.day, 21, tzinfo=UTC)
        yield read_document(path.read_bytes(), known_at=known_at)


def compared(document: SourceDocument, edgar: FactHistory | None) -> Iterator[Compared]:
    """Yield every fact that the cells of a filing give against its tags, and both against EDGAR's facts of it.

    Args:
        document: The filing.
        edgar: EDGAR's facts of the company; None: they are not recorded.
    """
    if not is_tagged(document):
        return
    info = document.info
    by_tag = FactHistory(info.symbol, document_facts(document))
    by_cell = FactHistory(info.symbol, document_facts(replace(document, facts=())))
    for item in ITEMS:
        tags, cells = by_tag.versions(item, None), by_cell.versions(item, None)
        own = [] if edgar is None else [fact for fact in edgar.versions(item, None) if _is_of(fact, document)]
        yield from _against("cells and tags", document, cells, tags)
        if edgar is not None:
            yield from _against("tags and company facts", document, tags, own)
            yield from _against("cells and company facts", document, cells, own)


def _is_of(fact: SeriesFact, document: SourceDocument) -> bool:
    return fact.place.form == document.info.form and abs(fact.known_at - document.info.known_at) <= NEAR


def _against(
    way: Way, document: SourceDocument, facts: Sequence[SeriesFact], others: Sequence[SeriesFact]
) -> Iterator[Compared]:
    by_days = {(other.period.start, other.period.end): other for other in others}
    for fact in facts:
        other = by_days.get((fact.period.start, fact.period.end))
        yield Compared(way, document.info.name, _verdict(fact, other), fact, other)


def _verdict(fact: SeriesFact, other: SeriesFact | None) -> Verdict:
    if other is None:
        return "not in the other"
    if fact.unit != other.unit:
        return "other unit"
    return "equal" if fact.value == other.value else "differs"


def main() -> None:
    """Compare and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--filings", type=Path, required=True, help="folder with the folders 10k and 10q")
    parser.add_argument("--sec", type=Path, help="folder of the pages of company facts")
    parser.add_argument("--show", action="store_true", help="print every fact that differs or stands alone")
    given = parser.parse_args()
    pages: dict[str, dict[str, Any]] = {}
    if given.sec:
        from benchmarks.series.__main__ import pages_in

        pages = pages_in(given.sec)
    edgar = {symbol: facts_of(symbol, pages[symbol]) for symbol in COMPANIES if symbol in pages}
    counts: dict[Way, Counter[Verdict]] = {}
    for document in filings_in(given.filings):
        for found in compared(document, edgar.get(document.info.symbol)):
            counts.setdefault(found.way, Counter())[found.verdict] += 1
            if given.show and found.verdict != "equal":
                other = f"{found.other.value:,} {found.other.tag}" if found.other else ""
                fact = found.fact
                print(found.way, found.filing, found.verdict, fact.item, fact.period.label, f"{fact.value:,}", fact.tag,
                      "|", other)  # fmt: skip
    for way, verdicts in counts.items():
        both = sum(verdicts.values()) - verdicts["not in the other"]
        print(f"{way}: {verdicts['equal']} of {both} equal ({verdicts['equal'] / both:.2%}); {dict(verdicts)}")


if __name__ == "__main__":
    main()
