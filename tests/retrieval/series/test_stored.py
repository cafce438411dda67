"""Series of stored filings: tags and cells alike, versions, amendments, removal, and no look-ahead."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime
from itertools import permutations
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from tests.retrieval.series.stored import COMPANY, days, filing, yearly
from tradingagents.retrieval.figures.document_facts import document_facts
from tradingagents.retrieval.models import Scope
from tradingagents.retrieval.series import Series, Span
from tradingagents.retrieval.series.fact import SeriesFact
from tradingagents.retrieval.series.filed import FiledFacts, filed_series
from tradingagents.retrieval.series.history import FactHistory
from tradingagents.retrieval.series.sources import MarketFacts
from tradingagents.retrieval.store import FILE, DocumentStore

YEARS = {days(2022, 1, 4): 1000.0, days(2021, 1, 4): 800.0}
RESTATED = {days(2023, 1, 4): 1200.0, days(2022, 1, 4): 1040.0}
FILED, RESTATED_ON, AMENDED_ON = date(2022, 11, 9), date(2023, 11, 9), date(2024, 2, 1)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[DocumentStore]:
    opened = DocumentStore(tmp_path / "store")
    yield opened
    opened.close()


def values(found: Series) -> dict[str, float]:
    return {row.period.fiscal.label: row.value / 1e6 for row in found}


def quarterly(*, tagged: bool) -> list:
    """Return the reports of fiscal 2023 and the year before it."""
    reports = [
        filing(
            "10-Q",
            date(2023, 2, 9),
            {days(2023, 1, 1): 290.0},
            tagged=tagged,
        )
    ]
    for last, part, total in ((2, 300.0, 590.0), (3, 310.0, 900.0)):
        end = days(2023, 1, last)[1]
        own = {days(2023, last, last): part, days(2023, 1, last): total}
        reports.append(filing("10-Q", date(2023, end.month + 2, 9), own, tagged=tagged))
    return [*reports, filing("10-K", RESTATED_ON, RESTATED, tagged=tagged)]


@pytest.mark.parametrize("tagged", [True, False])
def test_years_of_stored_filings_with_their_cells(store: DocumentStore, tagged: bool):
    store.add(filing("10-K", FILED, YEARS, tagged=tagged))
    found = filed_series(store, COMPANY, "revenue", Span.between(2020, 2022))
    assert values(found) == {"FY2021": 800.0, "FY2022": 1000.0}
    assert [row.period.label for row in found.missing] == ["FY2020"]
    assert found.unit == "USD"
    row = found.row(2022)
    assert row.tag == ("us-gaap:Revenues" if tagged else "Total revenues")
    assert (row.period.start, row.period.end, row.scale) == (*days(2022, 1, 4), 1e6)
    document = store.get(row.place.document)
    assert document.text(row.place.cell) == "$ 1,000"
    assert row.place.statement == "income"
    assert row.known_at == document.info.known_at


@pytest.mark.parametrize("item", ["revenue", "gross_profit", "income_tax", "capital_expenditure", "free_cash_flow",
                                  "total_assets", "equity", "investing_cash_flow"])  # fmt: skip
def test_cells_give_what_tags_give(tmp_path: Path, item: str):
    found = []
    for tagged in (True, False):
        store = DocumentStore(tmp_path / str(tagged))
        for document in quarterly(tagged=tagged):
            store.add(document)
        series = [filed_series(store, COMPANY, item, span) for span in (Span.last_years(2), Span.last_quarters(4))]
        found.append([values(each) for each in series])
        store.close()
    assert found[0] == found[1]
    assert len(found[0][0]) == 2
    assert len(found[0][1]) == 4


def test_the_fourth_quarter_follows_from_stored_filings_and_is_shown(store: DocumentStore):
    for document in quarterly(tagged=False):
        store.add(document)
    found = filed_series(store, COMPANY, "revenue", Span.last_quarters(2))
    assert values(found) == {"Q3 FY2023": 310.0, "Q4 FY2023": 300.0}
    assert found.row(2023, 4).derivation.formula == "year - nine_months"


def test_a_question_of_a_past_day_never_meets_the_restatement(store: DocumentStore):
    store.add(filing("10-K", RESTATED_ON, RESTATED))
    store.add(filing("10-K", FILED, YEARS))
    before, after = (datetime(2023, 11, day, 22, tzinfo=UTC) for day in (8, 9))
    asked = {
        (when.day, version): values(filed_series(store, COMPANY, "revenue", Span.years(2022, 2023), when, version))
        for when in (before, after)
        for version in ("first", "latest")
    }
    assert asked == {
        (8, "first"): {"FY2022": 1000.0},
        (8, "latest"): {"FY2022": 1000.0},
        (9, "first"): {"FY2022": 1000.0, "FY2023": 1200.0},
        (9, "latest"): {"FY2022": 1040.0, "FY2023": 1200.0},
    }
    early = filed_series(store, COMPANY, "revenue", Span.last_years(1), before)
    assert (values(early), early.notes) == ({"FY2022": 1000.0}, ())


def test_an_amendment_is_a_further_version(store: DocumentStore):
    store.add(filing("10-K", RESTATED_ON, RESTATED))
    store.add(filing("10-K/A", AMENDED_ON, {days(2023, 1, 4): 1190.0}, note="Amendment No. 1"))
    first, latest = (
        filed_series(store, COMPANY, "revenue", Span.years(2023), version=one) for one in ("first", "latest")
    )
    assert (values(first), first.row(2023).place.form) == ({"FY2023": 1200.0}, "10-K")
    assert (values(latest), latest.row(2023).place.form) == ({"FY2023": 1190.0}, "10-K/A")
    assert any("was restated from" in note for note in latest.notes)


def test_the_order_in_which_filings_are_added_changes_nothing(tmp_path: Path):
    documents = [
        filing("10-K", FILED, YEARS),
        filing("10-K", RESTATED_ON, RESTATED, tagged=False),
        filing("10-K/A", AMENDED_ON, {days(2023, 1, 4): 1190.0}, note="Amendment No. 1"),
    ]
    answers = set()
    for number, order in enumerate(permutations(documents)):
        store = DocumentStore(tmp_path / str(number))
        assert [store.add(document) for document in (*order, order[0])] == [True, True, True, False]
        asked = [
            filed_series(store, COMPANY, "revenue", Span.between(2021, 2023), None, one) for one in ("first", "latest")
        ]
        answers.add(str([(each.rows, each.missing, each.notes) for each in asked]))
        store.close()
    assert len(answers) == 1


def rows_of(store_file: Path) -> int:
    engine = create_engine(f"sqlite:///{store_file / FILE}")
    with engine.connect() as connection:
        return connection.execute(text("SELECT count(*) FROM document_facts")).scalar_one()


def test_a_document_takes_its_facts_along_and_is_not_counted_twice(store: DocumentStore, tmp_path: Path):
    document = filing("10-K", FILED, YEARS)
    assert [store.add(document), store.add(document)] == [True, False]
    assert rows_of(tmp_path / "store") == 1
    assert len(filed_series(store, COMPANY, "revenue", Span.years(2022))) == 1
    store.remove(document.info.key)
    assert rows_of(tmp_path / "store") == 0
    found = filed_series(store, COMPANY, "revenue", Span.years(2022))
    assert [row.reason for row in found.missing] == [f"nothing is known of {COMPANY}"]
    store.add(document)
    assert values(filed_series(store, COMPANY, "revenue", Span.years(2022))) == {"FY2022": 1000.0}


def test_facts_of_another_version_of_the_reading_are_read_anew(store: DocumentStore, tmp_path: Path):
    store.add(filing("10-K", FILED, YEARS))
    engine = create_engine(f"sqlite:///{tmp_path / 'store' / FILE}")
    for change in (
        "UPDATE document_facts SET version = 0, facts = x'00'",
        "DELETE FROM document_facts",
        "DROP TABLE document_facts",
    ):
        with engine.begin() as connection:
            connection.execute(text(change))
        fresh = DocumentStore(tmp_path / "store")
        assert values(filed_series(fresh, COMPANY, "revenue", Span.years(2022))) == {"FY2022": 1000.0}
        fresh.close()
        assert rows_of(tmp_path / "store") == 1


ADDING = """
import sys
from tests.retrieval.series.stored import yearly
from tradingagents.retrieval.store import DocumentStore
store = DocumentStore(sys.argv[1])
for document in yearly():
    print(store.add(document), flush=True)
"""


def test_a_killed_import_has_the_facts_of_whole_documents_and_goes_on(tmp_path: Path):
    command = [sys.executable, "-c", ADDING, str(tmp_path / "store")]
    adding = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert adding.stdout is not None
    for _ in range(2):
        adding.stdout.readline()
    time.sleep(0.01)
    os.kill(adding.pid, signal.SIGKILL)
    adding.communicate()
    store = DocumentStore(tmp_path / "store")
    there = len(store.documents())
    assert rows_of(tmp_path / "store") == there >= 2
    assert [store.add(document) for document in yearly()] == [*[False] * there, *[True] * (8 - there)]
    found = filed_series(store, COMPANY, "revenue", Span.between(2015, 2023))
    assert values(found) == {f"FY{number}": number for number in range(2015, 2024)}
    store.close()


def test_a_company_never_meets_the_facts_of_another(store: DocumentStore):
    store.add(filing("10-K", FILED, YEARS))
    store.add(filing("10-K", RESTATED_ON, RESTATED, company="ACMR"))
    found = filed_series(store, COMPANY, "revenue", Span.years(2022, 2023))
    assert values(found) == {"FY2022": 1000.0}
    assert {info.symbol for info in FiledFacts(store).documents("ACMR")} == {"ACMR"}


def test_the_store_gives_the_facts_of_what_a_scope_allows(store: DocumentStore):
    store.add(filing("10-K", FILED, YEARS))
    assert store.facts(Scope(as_of=datetime(2022, 11, 9, 20, tzinfo=UTC))) == ()
    assert len(store.facts(Scope(as_of=datetime(2022, 11, 9, 21, tzinfo=UTC)))) > 30


class Vendor(MarketFacts):
    """Figures that a vendor delivers of the filings of a company, and none of its own statements."""

    def __init__(self, facts: list[SeriesFact]) -> None:
        self.problems = {}
        self._facts = tuple(facts)

    def filed(self, company: str) -> tuple[SeriesFact, ...]:
        return tuple(fact for fact in self._facts if fact.company == company)

    def stated(self, company: str, item: str) -> Iterator[FactHistory]:
        return iter(())


def test_years_of_the_vendor_and_of_stored_filings_are_one_series(store: DocumentStore):
    vendor = Vendor([replace(fact, place=replace(fact.place, document="", cell=None, statement=None, accession="1"))
                     for fact in document_facts(filing("10-K", FILED, YEARS))])  # fmt: skip
    store.add(filing("10-K", RESTATED_ON, RESTATED))
    span = Span.between(2021, 2023)
    for version, expected in (("first", 1000.0), ("latest", 1040.0)):
        found = filed_series(store, COMPANY, "revenue", span, None, version, market=vendor)
        assert values(found) == {"FY2021": 800.0, "FY2022": expected, "FY2023": 1200.0}
    places = [bool(row.place.document) for row in found]
    assert places == [False, True, True]
    before = filed_series(store, COMPANY, "revenue", span, datetime(2023, 11, 8, tzinfo=UTC), market=vendor)
    assert values(before) == {"FY2021": 800.0, "FY2022": 1000.0}


def test_a_filing_without_tags_is_asked_only_for_what_tags_do_not_give(store: DocumentStore):
    store.add(filing("10-K", RESTATED_ON, RESTATED))
    store.add(filing("10-K", FILED, {days(2022, 1, 4): 1000.0, days(2021, 1, 4): 801.0}, tagged=False))
    tagged = filed_series(store, COMPANY, "revenue", Span.years(2022, 2023), None, "first")
    assert values(tagged) == {"FY2022": 1040.0, "FY2023": 1200.0}
    longer = filed_series(store, COMPANY, "revenue", Span.between(2021, 2023), None, "first")
    assert values(longer) == {"FY2021": 801.0, "FY2022": 1000.0, "FY2023": 1200.0}


@pytest.mark.parametrize("loans", ["acmq:LoansAndNotes", "ShortTermBorrowings"])
def test_debt_with_a_row_of_the_company_s_own_tag_is_whole(store: DocumentStore, loans: str):
    rows = [
        ("Loans and notes payable", loans, 0.1),
        ("Current maturities of long-term debt", "LongTermDebtAndCapitalLeaseObligationsCurrent", 0.2),
    ]
    store.add(filing("10-K", FILED, YEARS, sheet_rows=rows))
    found = filed_series(store, COMPANY, "short_term_debt", Span.years(2022))
    assert values(found) == {"FY2022": 300.0}
    assert sorted(cell.value for cell in found.row(2022).derivation.cells) == [1e8, 2e8]
