from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path

import pytest

from tests.retrieval.builders import KNOWN, call, filing
from tests.retrieval.filing_pages import ANNUAL_REPORT, BALANCE
from tests.support.postgres import postgres
from tradingagents.retrieval.models import (
    BEFORE_UNITS,
    Column,
    Fact,
    FiledTable,
    ItemSection,
    Row,
    Scope,
    TableCell,
    TextPlace,
)
from tradingagents.retrieval.store import FILE, DocumentMissing, DocumentStore

_CELL = TableCell("$ 900", 9e8, TextPlace("", 5, 10, 15))
MakeStore = Callable[[], DocumentStore]


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with postgres() as url:
        yield url


@pytest.fixture(params=["sqlite", "postgres"])
def make_store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[MakeStore]:
    stores: list[DocumentStore] = []

    def make() -> DocumentStore:
        address = tmp_path / "store" if request.param == "sqlite" else request.getfixturevalue("server")
        stores.append(DocumentStore(address))
        return stores[-1]

    yield make
    for one in stores[-1].documents(Scope(as_of=datetime(2100, 1, 1, tzinfo=UTC))) if stores else ():
        stores[-1].remove(one.key)
    for store in stores:
        store.close()


def test_a_document_is_found_and_read_back_whole(make_store: MakeStore):
    plain = filing(ANNUAL_REPORT)
    document = replace(
        plain,
        sections=(ItemSection("7", "Discussion", 3, 0, 4, 0),),
        tables=(
            FiledTable(0, 5, "Balance", (Column("2023", None, KNOWN.date(), 2023),),
                  (Row("Total assets", (_CELL, None), ("Assets",), "USD", 1e6),),
                  "balance"),
        ),
        facts=(Fact("us-gaap:Assets", 9e8, "USD", None, KNOWN.date(), {"axis": "member"}),),
        warnings=("a page could not be read",),
    )  # fmt: skip
    store = make_store()
    assert store.add(document)
    assert make_store().get(document.info.key) == document
    hit = make_store().search_pages("What were total current assets of Example Corp at the end of 2023?", limit=1)[0]
    assert (hit.info, hit.place.page, hit.text) == (document.info, 5, BALANCE)
    assert hit.kind == "table"


def test_the_same_document_twice_is_one(make_store: MakeStore):
    store = make_store()
    assert [store.add(filing(ANNUAL_REPORT)), make_store().add(filing(ANNUAL_REPORT))] == [True, False]
    assert len(store.documents()) == 1


def test_tables_stored_before_units_were_read_say_so_until_they_are_added_again(tmp_path: Path):
    """As an earlier version wrote it: JSON without a format."""
    table = FiledTable(0, 5, "Balance sheet", (Column("2023"),), (Row("Cash", (TableCell("3", 3e6),), (), "USD", 1e6),))
    with_table = replace(filing(ANNUAL_REPORT), tables=(table,))
    without = filing(ANNUAL_REPORT, company="Other Corp")
    store = DocumentStore(tmp_path)
    assert [store.add(with_table), store.add(without)] == [True, True]
    store.close()
    with sqlite3.connect(tmp_path / FILE) as connection:
        for number, content in connection.execute("SELECT document, content FROM document_contents").fetchall():
            old = zlib.compress(b"{" + zlib.decompress(content).removeprefix(b'{"format":1,'))
            connection.execute("UPDATE document_contents SET content = ? WHERE document = ?", (old, number))
    connection.close()
    again = DocumentStore(tmp_path)
    assert again.get(with_table.info.key) == replace(with_table, warnings=(BEFORE_UNITS,))
    assert again.get(with_table.info.key).unit_notes == (f"EXM 10-K 2023: {BEFORE_UNITS}",)
    assert again.get(without.info.key) == without, "it has no table"
    assert again.search("total current assets", limit=1)
    assert [again.add(with_table), again.add(with_table)] == [True, False]
    assert again.get(with_table.info.key) == with_table
    assert with_table.unit_notes == ()
    assert len(again.documents()) == 2
    assert again.search("total current assets", limit=1)
    again.close()


def test_documents_added_and_removed_elsewhere_are_noticed(make_store: MakeStore):
    store, other = make_store(), make_store()
    assert store.search("net sales") == ()
    other.add(filing(ANNUAL_REPORT))
    assert store.search("net sales")
    assert other.remove(filing(ANNUAL_REPORT).info.key)
    assert not other.remove(filing(ANNUAL_REPORT).info.key)
    assert store.search("net sales") == ()
    assert store.documents() == ()
    with pytest.raises(DocumentMissing, match="documents"):
        store.get(filing(ANNUAL_REPORT).info.key)
    other.add(filing(ANNUAL_REPORT))
    assert store.search("net sales")


def test_a_later_document_leaves_no_trace_in_what_was_known_before(make_store: MakeStore):
    store = make_store()
    old = [filing(ANNUAL_REPORT, company=f"Company {n}", symbol=f"C{n}", year=2022 + n % 2) for n in range(20)]
    for one in old:
        store.add(one)
    before = Scope(as_of=KNOWN + timedelta(days=1))
    questions = ["Why did gross margin rise in 2023?", "motors sales by segment", "freight costs of $C3", "latest 10-K"]
    told = [(store.search(one, before), store.search_pages(one, before)) for one in questions]
    listed = store.documents(before)
    text = "Freight costs, motors and gross margin " * 40
    for n in range(25):
        names = {"company": f"Company {n}", "symbol": f"C{n}"}
        store.add(filing([text], year=2024, known_at=KNOWN + timedelta(days=400), **names))
    assert [(store.search(one, before), store.search_pages(one, before)) for one in questions] == told
    assert store.documents(before) == listed
    after = Scope(as_of=KNOWN + timedelta(days=401))
    assert any(hit.info.fiscal_year == 2024 for hit in store.search("freight costs of $C3 in 2024", after))


def test_an_amendment_replaces_the_report_from_its_own_date_only(make_store: MakeStore):
    store = make_store()
    report = filing(ANNUAL_REPORT)
    restated = [page.replace("$ 1,080", "$ 1,050") for page in ANNUAL_REPORT]
    amendment = filing(restated, form="10-K/A", known_at=KNOWN + timedelta(days=90))
    partial = filing(["Item 11. Executive compensation"], form="10-K/A", known_at=KNOWN + timedelta(days=30))
    for one in (amendment, partial, report):
        store.add(one)
    question = "What were Example Corp's net sales in 2023 in the income statement?"

    def source(days: int) -> str:
        return store.search_pages(question, Scope(as_of=KNOWN + timedelta(days=days)), 1)[0].info.form

    assert [source(0), source(31), source(89), source(90)] == ["10-K", "10-K", "10-K", "10-K/A"]
    both = Scope(forms=("10-K",), as_of=KNOWN + timedelta(days=90))
    assert {one.form for one in store.documents(both)} == {"10-K", "10-K/A"}
    named = Scope(documents=(report.info.key,), as_of=KNOWN + timedelta(days=90))
    assert store.search_pages(question, named, 1)[0].info == report.info
    without_amendments = Scope(symbols=("EXM",), fiscal_years=(2023,), kinds=("filing",))
    assert {hit.info.form for hit in store.search_pages(question, without_amendments, 50)} == {"10-K/A"}


def test_the_company_and_period_of_a_question_choose_the_document(make_store: MakeStore):
    store = make_store()
    for company, symbol in (("Kraft Heinz", "KHC"), ("JPMorgan Chase", "JPM"), ("Johnson & Johnson", "JNJ")):
        for year in (2021, 2022, 2023):
            store.add(filing(ANNUAL_REPORT, company=company, symbol=symbol, year=year,
                             known_at=KNOWN - timedelta(days=365 * (2023 - year))))  # fmt: skip
        store.add(filing(ANNUAL_REPORT, company=company, symbol=symbol, form="10-Q", year=2023, quarter=2))

    def first(question: str) -> tuple[str, int | None, str]:
        info = store.search_pages(question, Scope(), 1)[0].info
        return info.symbol, info.fiscal_year, info.form

    assert first("What were net sales of Kraft Heinz in FY2022?") == ("KHC", 2022, "10-K")
    assert first("JnJ's inventories at the end of fiscal 2021?") == ("JNJ", 2021, "10-K")
    assert first("Net income of JPM in the second quarter of 2023") == ("JPM", 2023, "10-Q")
    assert first("What were $KHC's total assets in FY2020?")[:2] == ("KHC", 2021)  # the comparative column


def test_calls_are_found_by_passage_with_their_speaker(make_store: MakeStore):
    store = make_store()
    long = " ".join(f"We sold many pumps in region {n}." for n in range(80))
    store.add(
        call([("Operator", "Welcome."), ("Jane Doe", long), ("John Roe", "Capital expenditures will be $70 million.")])
    )
    hit = store.search("capital expenditures guidance", Scope(kinds=("call",)), 1)[0]
    assert (hit.speaker, hit.kind, hit.text) == ("John Roe", "turn", "Capital expenditures will be $70 million.")
    hits = sorted(store.search("pumps region", Scope(), 50), key=lambda hit: hit.place.start)
    spoken = [hit for hit in hits if hit.speaker == "Jane Doe"]
    assert len(spoken) > 2
    assert all(len(hit.text) <= 1000 for hit in spoken)
    for one, after in pairwise(spoken):
        assert 100 <= one.place.end - after.place.start <= 200
    document = store.get(hit.info.key)
    assert all(document.text(hit.place) == hit.text for hit in hits)


def test_items_limit_a_search(make_store: MakeStore):
    store = make_store()
    document = filing(ANNUAL_REPORT)
    sections = (ItemSection("1A", "Risk Factors", 2, 0, 3, 0), ItemSection("7", "Discussion", 3, 0, 4, 0))
    store.add(replace(document, sections=sections))
    assert {hit.item for hit in store.search("freight port flood", Scope(items=("1A",)))} == {"1A"}
    assert {hit.place.page for hit in store.search_pages("freight port flood", Scope(items=("7",)))} == {3}


def test_several_threads_add_the_same_documents(make_store: MakeStore):
    documents = [filing([f"pumps {n}"], year=2000 + n) for n in range(6)]
    stores = [make_store() for _ in range(4)]

    def add_all(store: DocumentStore) -> int:
        return sum(store.add(one) for one in documents)

    with ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(add_all, stores)) == 6
    assert len(stores[0].documents()) == 6


def test_facts_that_many_ask_for_first_are_written_once(make_store: MakeStore):
    first = make_store()
    first.add(filing(ANNUAL_REPORT))  # without tables: its facts are read by whoever asks first
    stores = [make_store() for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda store: store.facts(), stores))
    assert found == [first.facts()] * 4
    assert {fact.item for fact in found[0]} > {"total_assets", "cash"}


ADDING = """
import sys
from tests.retrieval.builders import filing
from tests.retrieval.filing_pages import ANNUAL_REPORT
from tradingagents.retrieval.store import DocumentStore
store = DocumentStore(sys.argv[1])
for number in range(int(sys.argv[2])):
    print(store.add(filing([*ANNUAL_REPORT * 6, f"page of {number}"], year=1900 + number)), flush=True)
"""


def test_a_killed_import_leaves_whole_documents_and_goes_on(tmp_path: Path):
    command = [sys.executable, "-c", ADDING, str(tmp_path / "store")]
    adding = subprocess.Popen([*command, "200"], stdout=subprocess.PIPE, text=True)
    assert adding.stdout is not None
    for _ in range(3):
        adding.stdout.readline()
    time.sleep(0.05)
    os.kill(adding.pid, signal.SIGKILL)
    adding.communicate()
    store = DocumentStore(tmp_path / "store")
    there = store.documents()
    assert 3 <= len(there) < 200
    for info in there:
        assert len(store.get(info.key).pages) == 61
    assert len(store.search_pages("pumps", Scope(), 5)) == 5
    again = subprocess.run([*command, str(len(there) + 2)], stdout=subprocess.PIPE, text=True, check=True)
    assert again.stdout.split() == [*["False"] * len(there), "True", "True"]
    assert len(store.documents()) == len(there) + 2
    store.close()


def test_nothing_is_created_by_looking(tmp_path: Path):
    store = DocumentStore(tmp_path / "store")
    assert (store.documents(), store.search("net sales")) == ((), ())
    assert not store.holds("x")
    assert not (tmp_path / "store").exists()


def test_a_large_document_is_stored_compactly_and_read_quickly(tmp_path: Path):
    pages = [
        f"Page {n}\n" + "\n".join(f"Line item number {n * 100 + m} {m * 7919 % 10007:,}" for m in range(250))
        for n in range(300)
    ]
    document = filing(pages)
    assert sum(map(len, pages)) > 2_000_000
    store = DocumentStore(tmp_path)
    store.add(document)
    began = time.process_time()
    assert store.get(document.info.key) == document
    assert time.process_time() - began < 0.5
    store.close()
    assert (tmp_path / FILE).stat().st_size < 2_000_000


def test_an_index_of_an_earlier_version_is_made_again(tmp_path: Path):
    store = DocumentStore(tmp_path)
    store.add(filing(ANNUAL_REPORT))
    found = store.search_pages("net sales in 2023")
    store.close()
    with sqlite3.connect(tmp_path / FILE) as connection:
        connection.execute("UPDATE document_indexes SET version = 0")
    connection.close()
    again = DocumentStore(tmp_path)
    assert again.search_pages("net sales in 2023") == found
    again.close()


def test_more_documents_than_are_scored_leave_the_rare_word_findable(tmp_path: Path):
    store = DocumentStore(tmp_path)
    for n in range(40):
        store.add(
            filing(
                [*ANNUAL_REPORT, "The zirconium mine opened." if n == 33 else ""],
                year=1980 + n,
                symbol=f"S{n}",
                company=f"Firm {n}",
            )
        )
    hit = store.search("zirconium mine", Scope(), 1)[0]
    assert hit.info.symbol == "S33"
    assert "zirconium" in hit.text
    store.close()


def test_searching_while_another_thread_adds(tmp_path: Path):
    store = DocumentStore(tmp_path)
    store.add(filing(ANNUAL_REPORT))
    stopped = threading.Event()

    def add() -> None:
        for n in range(15):
            store.add(filing(ANNUAL_REPORT, year=1990 + n))
        stopped.set()

    thread = threading.Thread(target=add)
    thread.start()
    while not stopped.is_set():
        assert store.search("net sales of 2023", Scope(), 3)
    thread.join()
    assert len(store.documents()) == 16
    store.close()


def test_words_that_no_page_holds_find_nothing(make_store: MakeStore) -> None:
    store = make_store()
    store.add(filing(ANNUAL_REPORT))
    assert store.search("zzzzqq") == ()
    assert store.search_pages("zzzzqq") == ()
