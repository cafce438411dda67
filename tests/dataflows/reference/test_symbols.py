"""A symbol has one spelling, and can never walk out of a folder."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tradingagents.dataflows.reference.symbols import normalise
from tradingagents.errors import BadSymbol


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("AAPL", "AAPL"),
        (" nvda ", "NVDA"),
        ("brk.b", "BRK-B"),
        ("BF-B", "BF-B"),
        ("7203.T", "7203.T"),
        ("VOD.L", "VOD.L"),
        ("XAUUSD", "GC=F"),
        ("XAUUSD+", "GC=F"),
        ("GOLD", "GOLD"),  # Barrick, not the metal
        ("WTI", "WTI"),  # W&T Offshore, not the oil
        ("GC=F", "GC=F"),
        ("CL=F", "CL=F"),
        ("SILVER", "SI=F"),
        ("XAGUSD", "SI=F"),
        ("USOIL", "CL=F"),
        ("SPX500", "^GSPC"),
        ("NAS100", "^NDX"),
        ("US30", "^DJI"),
        ("EURUSD", "EURUSD=X"),
        ("GBPJPY", "GBPJPY=X"),
        ("BTCUSD", "BTC-USD"),
        ("ETHUSD", "ETH-USD"),
        ("ABCDEF", "ABCDEF"),
        ("^vix", "^VIX"),
    ],
)
def test_spellings(written: str, meant: str):
    assert normalise(written) == meant


@pytest.mark.parametrize(
    "written",
    [
        "",
        "  ",
        "../../x",
        "a/b",
        "a\\b",
        "A B",
        "A\x00",
        "..",
        ".",
        "-",
        "A" * 33,
        "A..B",
        "\uff21\uff21\uff30\uff2c",
        "A;B",
    ],
)
def test_what_is_no_symbol_is_refused_with_examples(written: str):
    with pytest.raises(BadSymbol, match="write it like AAPL"):
        normalise(written)


@given(st.text(max_size=40))
def test_whatever_passes_stays_inside_its_folder_and_is_its_own_spelling(text: str):
    try:
        symbol = normalise(text)
    except BadSymbol:
        return
    base = Path("/base")
    assert (base / symbol).resolve().parent == base
    assert normalise(symbol) == symbol
