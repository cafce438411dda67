"""Items of filings: the table of contents, cross references and running headers are not headings; doubts are told."""

from __future__ import annotations

import pytest

from tests.retrieval.reading.small_filings import BREAK, LONG, TITLES, annual_report, read
from tradingagents.retrieval.models import ItemSection, SourceDocument
from tradingagents.retrieval.reading.items import section_text


def text_of(document: SourceDocument, item: str) -> str:
    return section_text(section_of(document, item), document.pages)


def section_of(document: SourceDocument, item: str) -> ItemSection:
    return next(section for section in document.sections if section.item == item)


@pytest.mark.parametrize("contents", [True, False])
def test_every_item_is_found_from_its_heading_to_the_next(contents: bool) -> None:
    document = read(annual_report(contents=contents))
    assert [section.item for section in document.sections] == list(TITLES)
    assert all(section.sure for section in document.sections), document.sections
    assert document.warnings == ()
    assert text_of(document, "1").startswith("Item 1. Business\nThe company makes")
    assert text_of(document, "3") == "Item 3. Legal Proceedings\nNone.\n"
    assert text_of(document, "4") == "Item 4. Mine Safety Disclosures\nNone.\n"
    assert "CONSOLIDATED STATEMENTS OF INCOME" in text_of(document, "8")
    assert text_of(document, "15") == "Item 15. Exhibits\nNone.\n"


def test_an_item_that_runs_into_a_missing_one_is_doubtful() -> None:
    document = read(annual_report(leave_out=("7A",)))
    assert "7A" not in [section.item for section in document.sections]
    assert not section_of(document, "7").sure
    assert "7A was not found" in section_of(document, "7").doubt
    assert document.warnings == ("Items not found: 7A.", "Items whose place is doubtful: 7.")


def test_an_item_in_an_exhibit_is_short_and_sure() -> None:
    reference = "<p>The section “Management Discussion” of the Annual Report is incorporated herein by reference.</p>"
    section = section_of(read(annual_report(texts={"7": reference})), "7")
    assert section.sure
    assert section.first_page == section.last_page


def test_a_long_item_that_is_short_without_saying_where_it_stands_is_doubtful() -> None:
    assert not section_of(read(annual_report(texts={"7": "<p>Good.</p>"})), "7").sure


def test_a_reference_at_the_start_of_a_line_is_no_heading() -> None:
    texts = {
        "2": "<p>Item 7 of this report has more.</p><p>Item 8, Note 3 has the leases.</p><p><b>Item 1A</b> and others</p>"
    }
    document = read(annual_report(texts=texts))
    assert all(section.sure for section in document.sections)
    assert text_of(document, "2").endswith("Item 1A and others\n")


def test_the_second_of_two_equal_headings_makes_an_item_doubtful() -> None:
    again = f"{LONG}<div><b>Item 7. Management's Discussion and Analysis</b></div>{LONG}"
    assert "more than once" in section_of(read(annual_report(texts={"7": again})), "7").doubt


def test_a_continued_heading_does_not_end_an_item() -> None:
    again = f"{LONG}{BREAK}<div><b>Item 7. Management's Discussion and Analysis (continued)</b></div>{LONG}"
    assert section_of(read(annual_report(texts={"7": again})), "7").sure


def test_running_headers_are_no_headings() -> None:
    page = f"{BREAK}<div>PART II</div><div>ITEM 7. MANAGEMENT'S DISCUSSION AND ANALYSIS</div>{LONG}"
    section = section_of(read(annual_report(texts={"7": LONG + page * 4})), "7")
    assert section.sure
    assert section.last_page - section.first_page == 4


def test_combined_items_share_a_place() -> None:
    html = (
        annual_report(leave_out=("2",))
        .decode()
        .replace("<b>Item 1. Business</b>", "<b>Items 1 and 2. Business and Properties</b>")
    )
    document = read(html.encode())
    first, second = section_of(document, "1"), section_of(document, "2")
    assert (first.first_page, first.first_offset, first.last_offset) == (
        second.first_page,
        second.first_offset,
        second.last_offset,
    )
    assert second.sure


def test_an_item_out_of_order_is_noted() -> None:
    parts = annual_report(leave_out=("9B",)).decode()
    moved = "<div><b>Item 9B. Other Information</b></div><p>None.</p>"
    parts = parts.replace('<div id="i3"></div>', f'{moved}<div id="i3"></div>')
    assert "order" in section_of(read(parts.encode()), "9B").doubt


def test_statements_after_the_last_item_belong_to_no_item() -> None:
    html = (
        annual_report()
        .decode()
        .replace(
            "<div><b>SIGNATURES",
            f"<div><b>Item 16. Form 10-K Summary</b></div><p>None.</p>{BREAK}{LONG * 3}<div><b>SIGNATURES",
        )
    )
    document = read(html.encode())
    assert text_of(document, "16") == "Item 16. Form 10-K Summary\nNone."
    assert section_of(document, "16").sure


def quarterly_report(*, second_part: bool = True) -> bytes:
    header = "<p>FORM 10-Q</p><p>For the quarterly period ended June 30, 2025</p>"
    first = [
        ("1", "Financial Statements", LONG),
        ("2", "Management’s Discussion and Analysis", LONG),
        ("3", "Quantitative and Qualitative Disclosures", "<p>None.</p>"),
        ("4", "Controls and Procedures", "<p>Good.</p>"),
    ]
    second = [
        ("1", "Legal Proceedings", "<p>None.</p>"),
        ("1A", "Risk Factors", "<p>No changes.</p>"),
        ("2", "Unregistered Sales of Equity Securities", "<p>None.</p>"),
        ("6", "Exhibits", "<p>31.1</p>"),
    ]
    body = "<p><b>PART I - FINANCIAL INFORMATION</b></p>" + "".join(
        f"<p><b>Item {n}. {t}</b></p>{x}" for n, t, x in first
    )
    if second_part:
        body += "<p><b>PART II - OTHER INFORMATION</b></p>" + "".join(
            f"<p><b>Item {n}. {t}</b></p>{x}" for n, t, x in second
        )
    return f"<html><body>{header}{body}<p>SIGNATURES</p></body></html>".encode()


def test_items_of_a_quarterly_report_carry_their_part() -> None:
    document = read(quarterly_report())
    assert document.info.form == "10-Q"
    assert [section.item for section in document.sections] == [
        "I-1",
        "I-2",
        "I-3",
        "I-4",
        "II-1",
        "II-1A",
        "II-2",
        "II-6",
    ]
    assert all(section.sure for section in document.sections), document.sections
    assert text_of(document, "I-4") == "Item 4. Controls and Procedures\nGood.\n"


def test_items_of_a_current_report_are_numbered_as_printed() -> None:
    body = "<p>FORM 8-K</p><p><b>Item 2.02 Results of Operations</b></p><p>Good.</p><p><b>Item 9.01. Exhibits</b></p><p>99.1</p>"
    document = read(f"<html><body>{body}<p>SIGNATURE</p><p>Signed.</p></body></html>".encode())
    assert [section.item for section in document.sections] == ["2.02", "9.01"]
    assert text_of(document, "2.02") == "Item 2.02 Results of Operations\nGood.\n"
    assert text_of(document, "9.01") == "Item 9.01. Exhibits\n99.1\n"


def test_thousands_of_lines_that_look_like_items_are_refused_in_words() -> None:
    lines = "<p>Item 1. Business</p>" * 3_000
    document = read(f"<html><body><p>FORM 10-K</p>{lines}</body></html>".encode())
    assert document.sections == ()
    assert any("More than" in warning for warning in document.warnings)
