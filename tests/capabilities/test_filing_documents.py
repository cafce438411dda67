"""What stands in a filing: its items, the text of one in parts, and nothing of filings accepted later."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from tests.support.filings import call, filing
from tradingagents.capabilities.documents import read_filing_page
from tradingagents.capabilities.filing_documents import (
    FiledItemText,
    FiledReport,
    sec_filing_document,
    sec_filing_section,
)
from tradingagents.dataflows.interface import Vendors
from tradingagents.dataflows.market_data import MarketData
from tradingagents.errors import NoData
from tradingagents.retrieval.results import DocumentPage
from tradingagents.retrieval.store import open_store
from tradingagents.settings import load_settings

DAY = date(2025, 3, 14)


@pytest.fixture(scope="module")
def vendors() -> Vendors:
    return Vendors(load_settings({"data_vendor": "simulated"}, environ={}))


def market(vendors: Vendors, day: date = DAY) -> MarketData:
    return MarketData(load_settings({"data_vendor": "simulated"}, environ={}), day, vendors=vendors)


def outline(vendors: Vendors, day: date = DAY, **arguments: str) -> FiledReport:
    found = sec_filing_document.ask(market(vendors, day), ticker="KLNQ", **arguments)
    assert isinstance(found, FiledReport)
    return found


def section(vendors: Vendors, **arguments: object) -> FiledItemText:
    found = sec_filing_section.ask(market(vendors), ticker="KLNQ", **arguments)
    assert isinstance(found, FiledItemText)
    return found


def test_the_latest_filing_of_a_form_is_the_latest_accepted_by_the_day(vendors: Vendors) -> None:
    newest = outline(vendors)
    accepted = newest.known_at
    assert accepted is not None
    assert newest.end == date(2024, 12, 31)
    before = outline(vendors, accepted.date())
    assert before.known_at is not None
    assert before.known_at < accepted
    assert before.end == date(2023, 12, 31)


def test_a_filing_accepted_after_the_day_is_refused_by_its_number(vendors: Vendors) -> None:
    newest = outline(vendors)
    with pytest.raises(NoData, match="had been accepted by 2024-06-03"):
        outline(vendors, date(2024, 6, 3), accession=newest.accession)
    with pytest.raises(NoData, match="had been accepted by"):
        outline(vendors, accession="KLNQ-99-000001")


def test_an_item_is_read_in_parts_that_join_to_the_whole(vendors: Vendors) -> None:
    parts = [section(vendors, item="8", limit=500)]
    while parts[-1].next_offset is not None:
        parts.append(section(vendors, item="8", limit=500, offset=parts[-1].next_offset))
    assert len(parts) > 3
    whole = section(vendors, item="8", limit=30_000)
    assert "".join(part.text for part in parts) == whole.text
    assert whole.characters == len(whole.text)
    assert whole.next_offset is None
    assert "CONSOLIDATED BALANCE SHEETS" in whole.text
    with pytest.raises(NoData, match="smaller offset"):
        section(vendors, item="8", offset=whole.characters)


@pytest.mark.parametrize(
    ("written", "form", "item"),
    [("item 1a", "10-K", "1A"), ("Part II, Item 1A", "10-Q", "II-1A"), ("2", "10-Q", "I-2"), ("2.02", "8-K", "2.02")],
)
def test_items_are_found_however_they_are_written(written: str, form: str, item: str, vendors: Vendors) -> None:
    assert section(vendors, item=written, form=form).item == item


def test_an_unknown_item_or_form_names_what_there_is(vendors: Vendors) -> None:
    with pytest.raises(NoData, match=r"items are: 1, 1A, 2, 3, 5, 7"):
        section(vendors, item="99")
    with pytest.raises(NoData, match="get_filings lists"):
        section(vendors, item="7", form="20-F")


def test_the_text_stands_between_marks(vendors: Vendors) -> None:
    markdown = section(vendors, item="7").to_markdown()
    assert markdown.count("~~~~") == 2
    assert "Item 7. Management" in markdown.split("~~~~text\n")[1]


def test_a_vendor_without_documents_says_so() -> None:
    settings = load_settings(
        {"data_vendor": "simulated", "tool_vendors": {"get_filing_document": "yfinance"}}, environ={}
    )
    with pytest.raises(NoData, match="get_filing_document"):
        sec_filing_document.ask(MarketData(settings, DAY, vendors=Vendors(settings)), ticker="KLNQ")


def test_a_page_of_a_stored_document_is_read_by_its_name_or_key_and_not_before_it_was_known(tmp_path: Path):
    settings = load_settings({"home": tmp_path, "data_vendor": "simulated"}, environ={})
    document, said = filing(year=2024), call()
    with open_store(settings) as store:
        store.add(document)
        store.add(said)

    def page(name: str, number: int, day: date = date(2025, 6, 13)) -> DocumentPage:
        found = read_filing_page.ask(MarketData(settings, day, vendors=Vendors(settings)), document=name, page=number)
        assert isinstance(found, DocumentPage)
        return found

    second = page("ACME 10-K 2024", 2)
    assert (second.text, second.page, second.pages) == (document.pages[1].text, 2, 3)
    assert second.known_at == document.info.known_at
    assert page(document.info.key, 2).text == second.text
    assert page("ACME 10-K 2024", 99).notes == ("It has 3 pages; the last was read.",)
    assert page(said.info.key, 2).place == "page 2, John Roe"
    early = page("ACME 10-K 2024", 2, date(2025, 2, 13))
    assert (early.key, early.text) == ("", "")
    assert "no such document" in early.to_markdown()
