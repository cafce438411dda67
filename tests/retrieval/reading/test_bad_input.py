"""Hostile and damaged files: refused in words, or read as data."""

from __future__ import annotations

import gzip
import io
import time
import zipfile
from typing import Any

import pytest

from tests.retrieval.reading.small_filings import annual_report, read
from tests.support.tiers import sampled
from tradingagents.errors import UnreadableDocument
from tradingagents.retrieval.reading import limits


def zipped(*files: tuple[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files:
            archive.writestr(name, content)
    return out.getvalue()


@pytest.mark.parametrize("pack", [gzip.compress, lambda content: zipped(("a.htm", content))])
def test_one_packed_file_is_read(pack: Any) -> None:
    assert read(pack(annual_report())) == read(annual_report())


@pytest.mark.parametrize("pack", [gzip.compress, lambda content: zipped(("a.htm", content))])
def test_a_file_that_unpacks_to_too_much_is_refused_while_it_is_unpacked(pack: Any) -> None:
    bomb = pack(b"<p>" + b" " * 150_000_000)
    assert len(bomb) < 1_000_000
    started = time.process_time()
    with pytest.raises(UnreadableDocument, match="more than"):
        read(bomb)
    assert time.process_time() - started < 5


def test_a_file_of_200_megabytes_is_refused() -> None:
    with pytest.raises(UnreadableDocument, match="add the parts"):
        read(b"<html>" + b"<p>x</p>" * 25_000_000)


def test_archives_of_several_files_and_within_archives_are_refused() -> None:
    with pytest.raises(UnreadableDocument, match="2 files"):
        read(zipped(("a.htm", b"<p>a</p>"), ("b.htm", b"<p>b</p>")))
    with pytest.raises(UnreadableDocument, match="archive within"):
        read(gzip.compress(gzip.compress(b"<p>a</p>")))


@pytest.mark.parametrize("content", [gzip.compress(annual_report())[:-40], b"\x1f\x8bnothing", b"PK\x03\x04nothing"])
def test_damaged_archives_are_refused(content: bytes) -> None:
    with pytest.raises(UnreadableDocument, match="damaged"):
        read(content)


@pytest.mark.parametrize("content", [b"", b"   \n", b"<html></html>", b"<html><body><script>x</script></body></html>"])
def test_files_without_text_are_refused(content: bytes) -> None:
    with pytest.raises(UnreadableDocument):
        read(content)


def test_binary_files_are_refused() -> None:
    with pytest.raises(UnreadableDocument, match="not text"):
        read(bytes(range(32)) * 200)


def test_data_in_xml_is_refused() -> None:
    with pytest.raises(UnreadableDocument, match="XML"):
        read(b'<?xml version="1.0"?><ownershipDocument><x>1</x></ownershipDocument>')


def test_deep_nesting_is_refused() -> None:
    for tag in ("div", "table><tr><td"):
        with pytest.raises(UnreadableDocument, match="nested deeper"):
            read(f"<html><body>{f'<{tag}>' * 5_000}x</body></html>".encode())


def test_entities_are_not_expanded() -> None:
    bomb = '<?xml version="1.0"?><!DOCTYPE html [<!ENTITY a "aaaaaaaaaa">' + "".join(
        f'<!ENTITY {name} "{f"&{before};" * 10}">' for before, name in zip("abcdefgh", "bcdefghi", strict=True)
    )
    document = read((bomb + "]><html><body><p>Seen &i; once.</p></body></html>").encode())
    assert len(document.pages[0].text) < 2_000
    outside = '<?xml version="1.0"?><!DOCTYPE html [<!ENTITY x SYSTEM "file:///etc/passwd">]><html><body><p>Seen &x;</p></body></html>'
    assert "root:" not in read(outside.encode()).pages[0].text


def test_impossible_spans_are_read_as_large_ones() -> None:
    row = (
        '<tr><td colspan="1000000000" rowspan="999999999">Sales</td><td colspan="-3">12</td><td colspan="x">5</td></tr>'
    )
    document = read(f"<html><body><table>{row * 50}</table></body></html>".encode())
    assert document.pages[0].text.startswith("Sales")


@pytest.mark.parametrize("rows", sampled([25, 100], every=2))
def test_a_table_of_many_columns_and_rows_is_read_in_time(rows: int) -> None:
    cells = "<td>1</td><td>$</td><td>2</td>" * 300
    started = time.process_time()
    read(f"<html><body><table>{f'<tr><td>Label</td>{cells}</tr>' * rows}</table></body></html>".encode())
    assert time.process_time() - started < rows / 5


def test_contexts_that_continue_each_other_in_a_circle_end() -> None:
    circle = (
        '<ix:nonNumeric name="dei:EntityRegistrantName" contextRef="fy" continuedAt="a">One</ix:nonNumeric>'
        '<ix:continuation id="a" continuedAt="b">Two</ix:continuation><ix:continuation id="b" continuedAt="a">Three</ix:continuation>'
    )
    header = "".join(line for line in annual_report().decode().split("\n") if "EntityRegistrantName" not in line)
    document = read(header.replace("<div>Small Works Inc.</div>", circle, 1).encode())
    assert document.info.company == "OneTwoThree"


def test_figures_that_are_no_figures_are_counted() -> None:
    bad = '<ix:nonFraction name="a:B" contextRef="fy" unitRef="usd" scale="{}">{}</ix:nonFraction>'
    tags = (
        bad.format("999999", "1") + bad.format("x", "1") + bad.format("0", "1e999999") + bad.format("0", "about five")
    )
    document = read(annual_report(texts={"9B": f"<p>{tags}</p>"}))
    assert document.warnings == ("4 tagged figures could not be read; their tables are read from the text.",)


def test_the_limit_is_above_the_largest_reports() -> None:
    assert limits.MAX_BYTES >= 40_000_000
