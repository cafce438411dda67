"""What short texts state of the figures under them, and what documents say of all their figures."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from tradingagents.dataflows.reference.currencies import UNSTATED_UNIT
from tradingagents.retrieval.models import DocumentInfo, Page
from tradingagents.retrieval.money import DocumentMoney, nearest_unit, read_document_money, read_head, read_unit


@pytest.mark.parametrize(
    ("text", "currencies", "scale"),
    [
        ("RMB in thousands", ("CNY",), 1e3),
        ("(Amounts in thousands of Renminbi (“RMB”) and U.S. dollars (“US$”), except share data)", ("CNY", "USD"), 1e3),
        ("(In millions of Swiss francs, except per share amounts in US$)", ("CHF",), 1e6),
        ("(in millions, except per share data)", (), 1e6),
        ("(Shares in thousands)", (), None),
        ("(Shares in thousands, RMB in millions)", ("CNY",), 1e6),
        ("Expressed in Canadian dollars", ("CAD",), None),
        ("Revenue grew to €4.7 billion", (), None),
        (
            "We repaid €500 million of notes in 2024 and drew on a loan in British pounds (GBP) of the same size",
            (),
            None,
        ),
        (
            "The plant was sold in exchange for 34 million British pounds (GBP), or about as much as it had cost us",
            (),
            None,
        ),
        ("Notes payable", (), None),
        ("Rm", ("ZAR",), 1e6),
        ("P H A R M A C E U T I C A L", (), None),
        ("Year ended December 31, 2024", (), None),
    ],
)
def test_units_of_short_texts(text: str, currencies: tuple[str, ...], scale: float | None) -> None:
    found = read_unit(text)
    assert (found.currencies, found.scale) == (currencies, scale)


def test_currency_and_scale_may_stand_on_two_lines_and_the_nearest_counts() -> None:
    found = nearest_unit(["(€ in billions)", "All amounts in Danish kroner", "(in millions)"])
    assert (found.currency, found.scale) == ("DKK", 1e6)


def test_heads_of_columns() -> None:
    assert read_head("Year ended 31 December 2024 RMB’000").currency == "CNY"  # noqa: RUF001
    assert read_head("As of June 30, 2024 US$ (Note 2)").currency == "USD"
    assert read_head("Change").currency == ""


def money(*texts: str, form: str = "20-F") -> DocumentMoney:
    info = DocumentInfo("k", "n", "filing", "", "", form, datetime(2025, 1, 1, tzinfo=UTC))
    return read_document_money([Page(number, text) for number, text in enumerate(texts)], info)


def test_what_most_sentences_say_of_all_figures_counts() -> None:
    said = money("All amounts are in euros.", "Figures are presented in euros.", "A loan is stated in Swiss francs.")
    assert said.stated == "EUR"
    assert said.of("") == "EUR"
    assert said.of("$") == UNSTATED_UNIT
    assert said.of("C$" and "CAD") == "CAD"
    assert money("All amounts are in euros.", "All amounts are in Swiss francs.").stated == ""


def test_a_us_report_stays_in_dollars_whatever_its_subsidiaries_report_in() -> None:
    said = money("The financial statements of our subsidiary are stated in euros.", form="10-K")
    assert said.domestic
    assert said.unmarked == "USD"
    assert money("The reporting currency is the Canadian dollar.", form="10-K").of("$") == "CAD"


def test_crowns_and_rupees_are_those_of_the_country_that_the_document_names() -> None:
    assert money("kr in millions").of("kr") == UNSTATED_UNIT
    assert money("kr in millions, Norway").of("kr") == "NOK"
    assert money("Rs. in crore").of("rs") == "INR"
    assert money("Rs. in crore. Karachi, Pakistan").of("rs") == UNSTATED_UNIT
