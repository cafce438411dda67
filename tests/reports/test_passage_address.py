"""Addresses of sources open the words or the figure that an answer cites."""

from __future__ import annotations

from typing import Any

import pytest

from tradingagents.features.filings_qa.report import passage_address
from tradingagents.features.filings_qa.schemas import SourceRecord

TEXT = "Table of Contents of the report\nOperating income 123,216 114,301\nServices grew on higher demand everywhere."


def source(**changes: Any) -> SourceRecord:
    filing = SourceRecord(
        label="10K1", kind="filing", text=TEXT, name="ACME 10-K 2024", document="d", page=31, start=0, end=len(TEXT),
        symbol="ACME", form="10-K", fiscal_year=2024, fiscal_quarter=None, item="", speaker="",
        url="https://www.sec.gov/a.htm", known_at="2025-02-01T00:00:00+00:00",
    )  # fmt: skip
    return filing.model_copy(update=changes)


@pytest.mark.parametrize(
    ("answer", "fragment"),
    [
        ("Operating margin: 31.51 %. Cells: 123,216. [X1][10K1]", "123%2C216"),
        ("- Services grew on higher demand everywhere. [10K1]", "Services%20grew%20on%20higher"),
        ("It grew by 114,301 and 123,2 [10K2].", "Table%20of%20Contents%20of"),
        ("", "Table%20of%20Contents%20of"),
    ],
)
def test_an_address_opens_what_is_cited_in_the_passage(answer: str, fragment: str) -> None:
    assert passage_address(source(), answer) == f"https://www.sec.gov/a.htm#:~:text={fragment}"


def test_a_pdf_opens_at_its_page() -> None:
    assert passage_address(source(url="https://a.example/r.pdf")) == "https://a.example/r.pdf#page=32"


def test_a_source_without_an_address_on_the_web_has_none() -> None:
    assert passage_address(source(url="file:///etc/passwd")) == passage_address(source(url="")) == ""


def test_a_hyphen_is_written_so_that_browsers_don_t_take_it_for_context() -> None:
    address = passage_address(source(text="A year-end sale of old stock ended."), "")
    assert address.endswith("A%20year%2Dend%20sale%20of")
