"""Which companies a text names: by name, by ticker, by form; and what looks like one and is none."""

from __future__ import annotations

import pytest

from tradingagents.dataflows.reference.company_names import known_companies
from tradingagents.provenance.company_mentions import OWN, company_book

BOOK = company_book("AAPL", "Apple Inc.")


def names(text: str, given: str = "", *, english: bool = True) -> list[str]:
    return [one.company for one in BOOK.named(text, given, english=english)]


@pytest.mark.parametrize(
    ("text", "companies"),
    [
        ("Apple (AAPL) and Microsoft (MSFT)", [OWN, "Microsoft"]),
        ("Google's parent Alphabet", ["Alphabet", "Alphabet"]),
        ("American Express, not American Airlines", ["American Express", "American Airlines"]),
        ("Target's margin and the Target of 250", ["Target"]),
        ("Gap shares rose; the Gap closed", ["Gap"]),
        ("CAT shares fell; a CAT scan", ["Caterpillar"]),
        ("$F and F", ["Ford Motor"] * 2),
        ("NYSE: T is up", ["AT&T"]),
        ("BRK.B, BRK-B and BRK/B", ["Berkshire Hathaway"] * 3),
        ("the S&P 500 (SPY)", ["^S&P 500"]),
        ("Quelltor Systems (QLTR) fell, and QLTR is cheap; Quelltor Systems reports", ["Quelltor Systems"] * 3),
        ("the 200-day simple moving average (SMA) and free cash flow (FCF)", []),
        ("Relative Strength Index (RSI), Bollinger Bands (BB), Moving Average (MA)", []),
        ("IT spending is up, ALL segments grew, KEY risks remain", []),
        ("a $B buyback of $20B in FY25, up 4 % YoY", []),
        ("an apple a day; visa rules; a block trade; the target", [OWN]),
    ],
)
def test_companies_are_found(text: str, companies: list[str]) -> None:
    assert names(text) == companies


def test_tickers_of_the_tables_given_are_known() -> None:
    assert names("OMBZ rose 4 %") == []
    assert names("OMBZ rose 4 %", "| OMBZ | 4.48% |") == ["OMBZ"]


def test_a_genitive_is_part_of_a_name_where_english_is_not_written() -> None:
    assert names("Microsofts Marge", english=False) == ["Microsoft"]
    assert names("Microsofts Marge") == []


def test_places_are_those_of_the_text_as_written() -> None:
    (one,) = BOOK.named("İstanbul: Nestlé\u2019s Umsatz")
    assert "İstanbul: Nestlé\u2019s Umsatz"[one.start : one.end] == "Nestlé"


def test_a_company_of_the_data_is_known_to_be_in_it() -> None:
    assert BOOK.is_in("Microsoft", "a rally of MSFT")
    assert BOOK.is_in("Microsoft", "Microsoft's cloud")
    assert not BOOK.is_in("Microsoft", "MSFTX, microsoftware")


def test_the_list_has_each_ticker_once_and_no_empty_name() -> None:
    tickers = [ticker for company in known_companies() for ticker in company.symbols]
    assert len(tickers) == len(set(tickers)) > 700
    assert all(company.name.strip() and all(company.also or ("-",)) for company in known_companies())
