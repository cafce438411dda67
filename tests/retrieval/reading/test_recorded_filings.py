"""All recorded annual and quarterly reports: items as read by hand once, statements equal to the tagged facts."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from collections import Counter
from datetime import date
from functools import lru_cache
from pathlib import Path

import pytest

from tests.retrieval.reading.small_filings import KNOWN_AT
from tests.support.tiers import sampled
from tradingagents.retrieval.models import Fact, SourceDocument
from tradingagents.retrieval.reading import read_document
from tradingagents.retrieval.reading.items import section_text

pytestmark = pytest.mark.real_data
TABLE = Path(__file__).parent / "recorded_items.json"
"""By filing and item: length, and a hash of the first and the last sixty characters. Read by hand once; after a change
of the reader, look at every item that differs before the table is written anew."""
CIKS = {"AAPL": 320193, "NVDA": 1045810, "GOOGL": 1652044}
FORMS = ("10k", "10q", "8k")
PARTS = 8
LEAST_CELLS = 184
"""Tagged cells in the statements of the shortest report; 26 reports have 5,923."""
IN_EXHIBIT = ("IBM_10k_2025-02-25", "WFC_10k_2025-02-25")
"""Annual reports whose statements stand in an exhibit."""


@lru_cache(maxsize=64)
def document(path: Path) -> SourceDocument:
    return read_document(path.read_bytes(), known_at=KNOWN_AT)


def recorded(test_data: Path, *forms: str) -> list[Path]:
    return [path for form in forms for path in sorted((test_data / "market" / "filings" / form).glob("*.html.gz"))]


@pytest.fixture(params=sampled(range(PARTS), every=PARTS), ids="part {}".format, scope="module")
def part(request: pytest.FixtureRequest) -> int:
    """Which of the parts of the filings a test reads."""
    return int(request.param)


def name(path: Path) -> str:
    return path.name.removesuffix(".html.gz")


def items_of(found: SourceDocument) -> dict[str, list[int | str]]:
    items: dict[str, list[int | str]] = {}
    for section in found.sections:
        text = section_text(section, found.pages)
        digest = hashlib.sha256(f"{text[:60]}|{text[-60:]}".encode()).hexdigest()[:12]
        items[section.item] = [len(text), digest, *([] if section.sure else [section.doubt])]
    return items


def test_items_are_those_read_by_hand(test_data: Path, part: int) -> None:
    wanted = json.loads(TABLE.read_text(encoding="utf-8"))
    filings = recorded(test_data, *FORMS)
    assert {name(path) for path in filings} == wanted.keys()
    for path in filings[part::PARTS]:
        assert items_of(document(path)) == wanted[name(path)], name(path)


def test_every_required_item_is_found_and_sure(test_data: Path, part: int) -> None:
    for path in recorded(test_data, "10k", "10q")[part::PARTS]:
        assert document(path).warnings == (), path.name
        assert all(section.sure for section in document(path).sections), path.name


def test_filings_tell_who_filed_them_and_for_which_period(test_data: Path, part: int) -> None:
    for path in recorded(test_data, "10k", "10q")[part::PARTS]:
        info = document(path).info
        symbol, form, _ = name(path).split("_")
        assert info.symbol == symbol, path.name
        assert info.form == {"10k": "10-K", "10q": "10-Q"}[form]
        assert info.company
        assert info.fiscal_year in (2024, 2025, 2026)
        assert (info.fiscal_quarter is None) == (form == "10k")
        assert info.period_end is not None


def test_every_page_and_cell_can_be_cited(test_data: Path, part: int) -> None:
    for path in recorded(test_data, "10k", "10q")[part::PARTS]:
        found = document(path)
        for table in found.tables:
            for cell in (cell for row in table.rows for cell in row.cells if cell is not None):
                assert cell.place is not None
                assert found.text(cell.place) == cell.text
        assert all(page.anchor for page in found.pages[2:]), path.name


def equal(value: float | None, fact: Fact) -> bool:
    if value is None:
        return False
    wanted = abs(fact.value) * (100 if fact.unit == "pure" else 1)
    return abs(abs(value) - wanted) <= 1e-9 * max(1.0, wanted)


def test_statement_cells_read_from_the_text_alone_equal_the_tagged_facts(test_data: Path, part: int) -> None:
    """The statements are read once with tags and once without; printed figures and tags differ in sign only."""
    count: Counter[str] = Counter()
    odd: list[tuple[str, str, str]] = []
    for path in recorded(test_data, "10k", "10q")[part::PARTS]:
        tagged = document(path)
        plain = re.sub(rb"<(/?)ix:nonFraction\b", rb"<\1span", gzip.decompress(path.read_bytes()))
        printed = read_document(plain, known_at=KNOWN_AT)
        kinds = [table.statement for table in tagged.tables if table.statement]
        count["with statements"] += bool(kinds)
        assert sorted(kinds) == ([] if name(path) in IN_EXHIBIT else ["balance", "cashflow", "income"]), path.name
        assert kinds == [table.statement for table in printed.tables if table.statement]
        pairs = zip(
            (table for table in tagged.tables if table.statement),
            (table for table in printed.tables if table.statement),
            strict=True,
        )
        for with_tags, without in pairs:
            for row, other in zip(with_tags.rows, without.rows, strict=True):
                for at, (cell, same) in enumerate(zip(row.cells, other.cells, strict=True)):
                    if cell is None or cell.fact is None:
                        continue
                    fact = tagged.facts[cell.fact]
                    count["compared"] += 1
                    good = same is not None and equal(same.value, fact)
                    count["equal"] += good
                    count["period"] += without.columns[at].period_end in (None, fact.period_end)
                    if not good:
                        odd.append((path.name, row.label, cell.text))
    assert count["compared"] >= LEAST_CELLS * count["with statements"] > 0
    assert not odd, odd[:10]
    assert count["period"] > 0.985 * count["compared"], "others than the cash at the beginning of the period differ"


@pytest.mark.parametrize("symbol", sampled(sorted(CIKS), every=len(CIKS)))
def test_statement_cells_equal_the_facts_of_the_regulator(test_data: Path, symbol: str) -> None:
    known, compared = _companyfacts(test_data / "market" / "vendor_payloads" / "sec", symbol), 0
    for path in recorded(test_data, "10k", "10q"):
        if name(path).partition("_")[0] != symbol:
            continue
        found = document(path)
        for table in found.tables:
            for cell in (cell for row in table.rows for cell in row.cells if cell is not None):
                if table.statement is None or cell.fact is None or found.facts[cell.fact].dimensions:
                    continue
                fact = found.facts[cell.fact]
                values = known.get((fact.concept, fact.period_start, fact.period_end))
                if values:
                    compared += 1
                    assert any(
                        equal(cell.value, Fact("", value, fact.unit, None, fact.period_end)) for value in values
                    ), (path.name, fact)
    assert compared > 40


def _companyfacts(folder: Path, symbol: str) -> dict[tuple[object, ...], set[float]]:
    known: dict[tuple[object, ...], set[float]] = {}
    for path in (folder / "companyfacts").glob(f"CIK{CIKS[symbol]:010d}*.json.gz"):
        page = json.loads(gzip.decompress(path.read_bytes()))
        for prefix, concepts in page.get("facts", {}).items():
            for concept, about in concepts.items():
                for rows in about["units"].values():
                    for row in rows:
                        key = (f"{prefix}:{concept}", _day(row.get("start")), _day(row["end"]))
                        known.setdefault(key, set()).add(float(row["val"]))
    return known


def _day(text: str | None) -> object:
    return None if text is None else date.fromisoformat(text)
