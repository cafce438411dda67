"""PDF reports: words, tables over pages, charts, links, letters of other scripts, and the same bytes each time."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from typing import Any

import pypdfium2
import pytest

from tests.reports.hostile import PAYLOADS, hostile_record
from tests.reports.rendered import run_of, scan_of
from tests.reports.sample import sample_prices, sample_record
from tests.reports.scan_sample import sample_scan
from tradingagents.errors import ConfigurationError
from tradingagents.reports.document import (
    Bullets,
    Card,
    Document,
    Heading,
    Line,
    Masthead,
    Notice,
    Prose,
    Section,
    Table,
)
from tradingagents.reports.render import pdf_fonts
from tradingagents.reports.render.html import to_html
from tradingagents.reports.render.pdf import EMPTY, to_pdf
from tradingagents.reports.render.pdf_chart import charts_of_page, drawing_of
from tradingagents.reports.scan import scan_document
from tradingagents.reports.sections import NO_ADVICE
from tradingagents.reports.trading import trading_document

HEAD = Masthead(title="t", eyebrow="Report", heading="h", detail="", facts=[], identity="Run 1")


def document(*blocks: Any, **more: Any) -> Document:
    return Document(title="A title", facts=[("Day", "2025-03-14")], masthead=HEAD,
                    sections=[Section("Part", blocks)], **more)  # fmt: skip


def pages(content: bytes) -> list[str]:
    file = pypdfium2.PdfDocument(content)
    try:
        return [page.get_textpage().get_text_range().replace("\r\n", "\n") for page in file]
    finally:
        file.close()


def words(content: bytes) -> str:
    return " ".join(" ".join(pages(content)).split())


def in_order(text: str, *parts: str) -> bool:
    at = 0
    for part in parts:
        at = text.find(part, at)
        if at < 0:
            return False
    return True


def outline(content: bytes) -> list[tuple[int, str, int]]:
    """Return level, title and page of each heading in the outline."""
    file = pypdfium2.PdfDocument(content)
    try:
        found = []
        for one in file.get_toc():
            dest = one.get_dest()
            assert dest is not None
            found.append((one.level, one.get_title(), dest.get_index()))
        return found
    finally:
        file.close()


def test_a_report_has_its_parts_in_order_and_ends_with_its_sources():
    content = to_pdf(trading_document(run_of(sample_record()), sample_prices()))

    text = words(content)

    assert in_order(
        text,
        *("Trading report: Quillon Fictional Instruments Inc.", "Trade date 2025-03-14", "Decision"),
        *("BUY with confidence 62%", "Entry 121.27 USD", "Stop 114.60 USD (-5.5%)", "Key evidence", "Price"),
        *("Analysts", "Bull", "Risk", "Data sheet", "Prices (get_stock_data)", "Model use", NO_ADVICE),
    )
    assert re.search(r"-0.42\[\?\]", text)  # a figure without a source is marked as in the other formats
    assert "fifth" in text
    assert len(pages(content)) == int(re.search(r"Page 1 of (\d+)", text)[1])  # type: ignore[index]
    titles = outline(content)
    assert [title for level, title, _ in titles if level == 1][:3] == ["Decision", "Price", "Analysts"]
    assert titles[-1][2] > titles[0][2]


def test_every_block_has_its_words():
    blocks = (
        Heading("A heading"),
        Prose("# Title\n\nSome **bold** `code` and *more*.\n\n1. one\n2. two\n   - deep\n\n> said\n\n```\nx = 1\n```"),
        Line("A [source](https://example.com/a?b=1&c=2) line."),
        Bullets(["# no heading", "- no list", "plain"]),
        Notice("Look <here>"),
        Card("unknown", (), (Line("inside a card"),)),
    )

    text = words(to_pdf(document(*blocks, notice="Partial.")))

    assert in_order(
        text,
        *("A title", "Day 2025-03-14", "Partial.", "Part", "A heading", "Title", "Some bold code and more."),
        *("one", "two", "deep", "said", "x = 1", "A source line.", "# no heading", "- no list", "plain"),
        *("Look <here>", "inside a card", NO_ADVICE),
    )


def test_a_long_table_goes_over_pages_and_repeats_its_header():
    rows = [(f"row {number}", "words " * 12, f"{number}.5") for number in range(120)]

    texts = pages(to_pdf(document(Table(("Name", "What it says", "Value"), rows))))

    assert len(texts) > 2
    assert all("What it says" in text for text in texts if "row " in text)
    rows_shown = re.findall(r"row (\d+)", " ".join(texts))
    assert rows_shown == [str(number) for number in range(120)]


def test_a_row_that_is_higher_than_a_page_is_split_and_very_long_words_are_broken():
    texts = pages(
        to_pdf(document(Table(("Name", "Text"), [("one", "word " * 1000), ("two", "w" * 900)]), Prose("x" * 3000)))
    )

    assert "two" in " ".join(texts)
    assert "".join(texts).count("word") == 1000


@pytest.mark.parametrize("lines", range(28, 46))
def test_a_line_in_bold_stays_on_the_page_of_what_it_introduces(lines: int):
    filler = [Line(f"Line {number}") for number in range(lines)]
    found = pages(to_pdf(document(*filler, Line("**Proved wrong by**"), Bullets(["The first of the reasons"]))))
    (page,) = (one for one in found if "Proved wrong by" in one)
    assert "The first of the reasons" in page


@pytest.mark.parametrize("lines", range(26, 46))
def test_headings_in_a_row_stay_with_each_other_and_with_what_follows(lines: int):
    filler = [Line(f"Line {number}") for number in range(lines)]
    headings = [Heading("Both sides"), Heading("At the end"), Heading("Bull case", level=4)]
    found = pages(to_pdf(document(*filler, *headings, Prose("Revenue rose."))))
    (page,) = (one for one in found if "Both sides" in one)
    assert in_order(page, "Both sides", "At the end", "Bull case", "Revenue rose.")


@pytest.mark.parametrize("lines", range(26, 32))
def test_a_row_stays_on_one_page(lines: int):
    filler = [Line(f"Line {number}") for number in range(lines)]
    said = "first " + "words " * 20 + "last"
    head = ("Evidence", "Claim", "Driver", "Change", "Times confidence", "USD a share")
    row = ("E1", said, "growth of revenue", "+0.67 points", "+0.60 points", "+1.44")
    for page in pages(to_pdf(document(*filler, Heading("What"), Table(head, [row, row])))):
        assert page.count("first") == page.count("last")


def test_letters_of_other_scripts_can_be_read_and_copied():
    text = words(
        to_pdf(document(Prose("Ελληνικά Русский ₹5 ≥ \u22123 → 中文 日本語カナ 한국어 😀"), Heading("Цена ₹")))
    )

    assert in_order(text, "Ελληνικά Русский ₹5 ≥ \u22123 →", "中文", "日本語カナ", "한국어", "Цена ₹")
    assert "😀" not in text
    assert "ὠ" not in text  # what a letter beyond 16 bits would be copied as


def test_only_web_addresses_become_links():
    content = to_pdf(document(Prose("[a](https://ok.example/x) [b](javascript:alert(1)) [c](file:///etc/passwd)")))

    assert b"https://ok.example/x" in content
    assert b"javascript" not in content
    assert b"/etc/passwd" not in content


@pytest.mark.parametrize("payload", PAYLOADS)
def test_hostile_texts_stay_texts(payload: str):
    content = to_pdf(trading_document(run_of(hostile_record(payload)), sample_prices()))

    assert b"/JavaScript" not in content
    assert b"/JS" not in content
    assert "Decision" in words(content)


@pytest.mark.parametrize(
    "make",
    [
        lambda: trading_document(run_of(sample_record()), sample_prices()),
        lambda: scan_document(scan_of(sample_scan())),
    ],
)
def test_the_same_document_is_the_same_bytes(make: Callable[[], Document]):
    first, second = to_pdf(make()), to_pdf(make())

    assert first == second
    assert b"(D:2000" in first  # no time of writing


def test_an_empty_document_says_so():
    text = words(to_pdf(Document(title="", facts=[], masthead=HEAD, sections=[])))

    assert EMPTY in text
    assert "Page 1 of 1" in text


def test_the_chart_of_a_stored_page_is_drawn_as_vectors():
    page = to_html(trading_document(run_of(sample_record()), sample_prices()))
    charts = charts_of_page(page)

    assert len(charts) == 1  # the copy for phones is left out
    drawing = drawing_of(charts[0], 480, 400)
    assert drawing.width == pytest.approx(480, rel=0.01)
    shown = pypdfium2.PdfDocument(to_pdf(trading_document(run_of(sample_record())), charts=charts))
    text = " ".join(page.get_textpage().get_text_range() for page in shown)
    assert in_order(text, "Decision", "Charts", "Target 134.50")
    paths = [one.type for page in shown for one in page.get_objects(max_depth=4)]
    assert paths.count(2) > 50  # FPDF_PAGEOBJ_PATH
    assert 3 not in paths  # no picture
    shown.close()
    assert charts_of_page("<p>no chart</p>") == []


def test_a_half_circle_is_round():
    circle = "M10.0 50.0a7.5 7.5 0 1 0 15 0a7.5 7.5 0 1 0 -15 0Z"
    svg = f'<svg viewBox="0 0 700 100" class="price-chart"><path class="note" d="{circle}"/></svg>'

    box = drawing_of(svg, 700, 100).getBounds()

    assert box == pytest.approx((10, 42.5, 25, 57.5), abs=1.1)


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch):
    pdf_fonts._registered.cache_clear()
    monkeypatch.setitem(sys.modules, "reportlab.pdfbase", None)

    with pytest.raises(ConfigurationError, match=r"pip install 'tradingagents\[pdf\]'"):
        to_pdf(document())
