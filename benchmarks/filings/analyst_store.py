"""The store of all recorded filings of a folder, and the facts that companies tagged, for questions of analysts."""

from __future__ import annotations

import csv
import gzip
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path

from benchmarks.filings.question_files import read_documents
from tradingagents.dataflows.vendors.sec_edgar.facts import read_facts
from tradingagents.dataflows.vendors.sec_edgar.statements import reported_facts
from tradingagents.retrieval.lines.store_lines import is_part
from tradingagents.retrieval.models import SourceDocument
from tradingagents.retrieval.questions.companies import listed_instruments
from tradingagents.retrieval.reading.info import Hints
from tradingagents.retrieval.reading.read import read_document
from tradingagents.retrieval.series.fact import SeriesFact
from tradingagents.retrieval.series.history import FactHistory
from tradingagents.retrieval.series.reported import facts_of_reported
from tradingagents.retrieval.series.sources import MarketFacts
from tradingagents.retrieval.store import DocumentStore
from tradingagents.retrieval.text_tables import with_text_tables

_DAY = re.compile(r"20\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?!\d)")
_CIK = re.compile(r"CIK(\d{10})")


def filled_store(folder: Path, shared: Path) -> DocumentStore:
    """Return a store of every recorded filing; a folder that holds one already is opened as it is."""
    store = DocumentStore(folder)
    if not store.documents():
        for document in recorded_filings(shared):
            store.add(document)
    return store


def recorded_filings(shared: Path) -> Iterator[SourceDocument]:
    """Yield the filings of `market/filings` and those of FinanceBench, with the ticker where the name is listed."""
    market = shared / "market"
    with (market / "filings" / "index.csv").open(encoding="utf-8") as lines:
        for row in csv.DictReader(lines):
            path = market / row["file"]
            day = _DAY.search(row["filed"]) or _DAY.search(path.name)
            if path.name.endswith(".html.gz") and day:
                known_at = datetime.fromisoformat(day.group()).replace(hour=21, tzinfo=UTC)
                hints = Hints(symbol=row["symbol"], form=row["form"])
                yield read_document(path.read_bytes(), known_at=known_at, hints=hints)
    bench = shared / "financebench"
    for document in read_documents(bench / "pages.jsonl.gz", bench / "documents.jsonl").values():
        named = listed_instruments().mentions(document.info.company)
        owned = bool(named) and is_part(named[0].written, named[0].symbol)  # Activision's filings are not Microsoft's
        info = replace(document.info, symbol=named[0].symbol if named and not owned else "")
        yield with_text_tables(replace(document, info=info))


class RecordedFacts(MarketFacts):
    """The recorded companyfacts in place of a vendor of them."""

    def __init__(self, shared: Path) -> None:
        """Set where they are."""
        self._folder = shared / "market" / "vendor_payloads" / "sec" / "companyfacts"
        self._known: dict[str, tuple[SeriesFact, ...]] = {}

    @cached_property
    def _files(self) -> dict[str, Path]:
        """The file of each ticker; a file tells its company's name, or its ticker stands in its own name."""
        found: dict[str, Path] = {}
        for path in sorted(self._folder.glob("CIK*.json.gz")):
            named = path.name.removesuffix(".json.gz").partition("_")[2]
            if not named:
                with gzip.open(path, "rt", encoding="utf-8") as text:
                    name = str(json.load(text)["entityName"])
                named = listed_instruments().mentions(name.title())[0].symbol
            found[named] = path
        return found

    def filed(self, company: str) -> tuple[SeriesFact, ...]:
        """Return what a company tagged; nothing of one that is not recorded."""
        path = self._files.get(company)
        if path is None:
            return ()
        if company not in self._known:
            number = _CIK.match(path.name)
            with gzip.open(path, "rb") as packed:
                facts = read_facts(json.load(packed))
            rows = reported_facts(company, int(number[1]) if number else 0, facts, {})
            self._known[company] = facts_of_reported(rows)
        return self._known[company]

    def stated(self, company: str, item: str) -> Iterator[FactHistory]:  # noqa: ARG002
        """Yield nothing: no vendor of statements is recorded for them."""
        yield from ()
