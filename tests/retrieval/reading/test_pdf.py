"""PDF: words joined to rows, cells kept apart, encrypted and scanned files refused."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from pathlib import Path

import pytest

from tests.retrieval.reading.small_filings import KNOWN_AT, read
from tradingagents.errors import UnreadableDocument
from tradingagents.retrieval.reading import read_document


def pdf(*pages: list[tuple[float, float, str]], encrypted: bool = False) -> bytes:
    """Return a PDF with words at places (from the left, from the bottom)."""
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>", b"", b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"]
    kids = []
    for words in pages:
        drawn = "\n".join(f"BT /F1 10 Tf {x} {y} Td ({text}) Tj ET" for x, y, text in words).encode()
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(drawn), drawn))
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents %d 0 R >>"
            % len(objects)
        )
        kids.append(b"%d 0 R" % len(objects))
    objects[1] = b"<< /Type /Pages /Kids [%s] /Count %d >>" % (b" ".join(kids), len(kids))
    lock = b""
    if encrypted:
        secret = b"41" * 32
        objects.append(b"<< /Filter /Standard /V 1 /R 2 /O <%s> /U <%s> /P -4 >>" % (secret, secret))
        lock = b" /Encrypt %d 0 R /ID [<00> <00>]" % len(objects)
    out = b"%PDF-1.4\n"
    places = []
    for number, body in enumerate(objects, start=1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n%s" % (len(objects) + 1, table)
    return out + b"trailer << /Size %d /Root 1 0 R%s >>\nstartxref\n%d\n%%%%EOF" % (len(objects) + 1, lock, start)


def test_words_of_a_row_stand_on_one_line_whatever_their_order_in_the_file() -> None:
    words = [
        (72, 680, "Net sales"),
        (72, 700, "Consolidated Statements of Income"),
        (400, 680.5, "1,100"),
        (300, 680, "$ 1,200"),
    ]
    document = read(pdf(words))
    assert document.pages[0].text == "Consolidated Statements of Income\nNet sales  $ 1,200  1,100"


def test_a_page_of_a_document_is_a_page_of_the_pdf() -> None:
    document = read(pdf([(72, 700, "The first page of two")], [(72, 700, "The second page of two")]))
    assert [page.text for page in document.pages] == ["The first page of two", "The second page of two"]


def test_tables_are_read_from_the_text() -> None:
    lines = [
        "Consolidated Statements of Income",
        "(in millions)  2023  2022",
        "Net sales  1,200  1,100",
        "Cost of sales  700  650",
        "Net income  240  205",
    ]
    words = [(72.0, 700.0 - 15 * at, line) for at, line in enumerate(lines)]
    document = read(pdf(words))
    assert document.tables
    row = next(row for row in document.tables[0].rows if row.label == "Net sales")
    assert [cell.value for cell in row.cells if cell] == [1200e6, 1100e6]


def test_an_encrypted_pdf_is_refused() -> None:
    with pytest.raises(UnreadableDocument, match="encrypted; remove its password"):
        read(pdf([(72, 700, "Secret words of a filing")], encrypted=True))


def test_a_scanned_pdf_is_refused() -> None:
    with pytest.raises(UnreadableDocument, match="recognised"):
        read(pdf([], []))


def test_a_damaged_pdf_is_refused() -> None:
    with pytest.raises(UnreadableDocument, match="damaged"):
        read(b"%PDF-1.4\nnothing else")


@pytest.mark.real_data
def test_recorded_pdfs_have_the_words_of_their_recorded_pages(test_data: Path) -> None:
    folder = test_data / "financebench"
    names = [
        "AMCOR_2022_8K_dated-2022-07-01",
        "BESTBUY_2024Q2_10Q",
        "PEPSICO_2023_8K_dated-2023-05-05",
        "ULTABEAUTY_2023Q4_EARNINGS",
    ]
    with gzip.open(folder / "pages.jsonl.gz", "rt", encoding="utf-8") as file:
        pages = {(page["doc"], page["page"]): page["text"] for page in map(json.loads, file) if page["doc"] in names}
    same = count = 0
    for name in names:
        document = read_document((folder / "pdfs" / f"{name}.pdf").read_bytes(), known_at=KNOWN_AT)
        for page in document.pages:
            wanted = pages[name, page.number].replace("\ufffe", "-")
            same += Counter(page.text.split()) == Counter(wanted.split())
            count += 1
    assert count == 53
    assert same >= 52
