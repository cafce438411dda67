"""What stands in a filing: its items, the text of one in parts, and nothing of filings accepted later."""

from __future__ import annotations

from datetime import date

import pytest

from tradingagents.capabilities.filing_documents import (
    FiledItemText,
    FiledReport,
    sec_filing_document,
    sec_filing_section,
)
from tradingagents.dataflows.interface import Vendors
from tradingagents.dataflows.market_data import MarketData
from tradingagents.errors import NoData
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
