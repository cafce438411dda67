"""Where an instrument is listed is what its source or its symbol says, never the calendar of its sessions."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.reference.symbols import exchange_words, listing_of
from tradingagents.settings import load_settings


@pytest.mark.parametrize(
    ("symbol", "said", "listing"),
    [
        ("AAPL", "NMS", "XNAS"),
        ("AAPL", "NASDAQ NMS - GLOBAL MARKET", "XNAS"),
        ("AAPL", "Nasdaq", "XNAS"),
        ("AAPL", "XNAS", "XNAS"),
        ("IBM", "NYQ", "XNYS"),
        ("IBM", "New York Stock Exchange", "XNYS"),
        ("SPY", "NYSE ARCA", "ARCX"),
        ("XYZ", "NYSE American", "XASE"),
        ("AAPL", None, None),
        ("AAPL", "", None),
        ("AAPL", 7, None),
        ("7203.T", None, "XTKS"),
        ("VOD.L", "LSE", "XLON"),
    ],
)
def test_a_listing_is_what_the_source_or_the_symbol_says(symbol: str, said: object, listing: str | None):
    assert listing_of(symbol, said) == listing


def test_an_unknown_listing_says_whose_sessions_are_used():
    assert exchange_words(None, "XNYS") == "listing not known; sessions of New York (XNYS)"
    assert exchange_words("XNAS", "XNYS") == "XNAS"


@pytest.mark.real_data
def test_a_recorded_company_is_not_called_one_of_new_york(test_data: Path):
    given = {"data_vendor": "snapshot", "data_dir": str(test_data / "snapshot")}
    who = MarketData(load_settings(given, environ={}), date(2025, 3, 14)).instrument("AAPL")
    assert (who.exchange, who.listing) == ("XNYS", None)
    assert who.listed == "listing not known; sessions of New York (XNYS)"
