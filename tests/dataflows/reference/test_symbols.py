"""A symbol has one spelling, and can never walk out of a folder."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.tiers import is_fast
from tradingagents.dataflows.reference.calendar import exchange_of, sessions
from tradingagents.dataflows.reference.exchanges import EXCHANGES, benchmark_of
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
        ("09992.HK", "9992.HK"),
        ("700.HK", "0700.HK"),
        ("0005.hk", "0005.HK"),
        ("HKG:700", "0700.HK"),
        ("600519.SH", "600519.SS"),
        ("sh600519", "600519.SS"),
        ("SH.600519", "600519.SS"),
        ("600519.SS", "600519.SS"),
        ("sz000001", "000001.SZ"),
        ("000001.XSHE", "000001.SZ"),
        ("NASDAQ:AAPL", "AAPL"),
        ("NYSE:BRK.B", "BRK-B"),
        ("LON:VOD", "VOD.L"),
        ("TSE:7203", "7203.T"),
        ("TSE:RY", "RY.TO"),
        ("$AAPL", "AAPL"),
        ("BRK/B", "BRK-B"),
        ("AAPL US Equity", "AAPL"),
        ("aapl us", "AAPL"),
        ("BRK/B US Equity", "BRK-B"),
        ("7203 JT Equity", "7203.T"),
        ("VOD LN Equity", "VOD.L"),
        ("BT/A LN Equity", "BT-A.L"),
        ("600519 CH Equity", "600519.SS"),
        ("000001 CH Equity", "000001.SZ"),
        ("AAPL.US", "AAPL"),
        ("AAPL.OQ", "AAPL"),
        ("IONQ.WS", "IONQ-WT"),
        ("BAC.PRK", "BAC-PK"),
        ("CTC.A.TO", "CTC-A.TO"),
        ("EUR/USD", "EURUSD=X"),
        ("BTC/USD", "BTC-USD"),
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


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ("7203", ["7203.T (Tokyo)", "7203.HK (Hong Kong)", "7203.TW (Taipei)"]),
        ("600519", ["600519.SS (Shanghai)"]),
        ("000001", ["000001.SZ (Shenzhen)"]),
        ("0700", ["0700.HK (Hong Kong)"]),
        ("9988", ["9988.HK (Hong Kong)"]),
        ("123456789", ["like 7203.T"]),
    ],
)
def test_a_number_without_its_exchange_is_refused_with_those_that_may_be_meant(written: str, words: list[str]):
    with pytest.raises(BadSymbol, match="is a number without its exchange") as refused:
        normalise(written)
    assert [word for word in words if word not in str(refused.value)] == []


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ("ABC.QQ", "ends with .QQ, the suffix of no exchange that is known; near it are .KQ (Seoul, KOSDAQ)"),
        ("X.LO", "near it are .L (London)"),
        ("AAPL.", "the suffix of no exchange that is known"),
        ("600.SS", "is no symbol of Shanghai: they have six digits"),
        ("NASDQ:AAPL", "did you mean NASDAQ?"),
        ("NOWHERE:AAPL", "names no exchange that is known"),
    ],
)
def test_an_exchange_that_is_not_known_is_refused_with_those_near_it(written: str, words: str):
    with pytest.raises(BadSymbol) as refused:
        normalise(written)
    assert words in str(refused.value)


@pytest.mark.parametrize("written", ["WHAT IS", "A/B", "$", "$$A", "NYSE:", "NYSE:../x", "../x US Equity", "GO ON"])
def test_words_and_paths_are_no_symbols_of_other_systems(written: str):
    with pytest.raises(BadSymbol):
        normalise(written)


@pytest.mark.filterwarnings("ignore:DatetimeIndex.weekday is deprecated")  # of the calendar library
def test_every_name_of_an_exchange_leads_to_its_suffix_and_calendar():
    for suffix, exchange in EXCHANGES.items():
        number = "600519" if suffix in ("SS", "SZ") else "ABC"
        plain = f"{number}.{suffix}" if suffix else number
        for prefix in exchange.prefixes.split():
            assert normalise(f"{prefix}:{number}") == plain
        for code in exchange.bloomberg.split():
            assert normalise(f"{number} {code} Equity") == plain
        for other in exchange.suffixes.split():
            assert normalise(f"{number}.{other}") == plain
        assert exchange_of(plain) == exchange.mic
        if not is_fast() or len(suffix) < 2:  # a calendar takes a second to make
            assert sessions(exchange.mic).is_session(date(2025, 3, 12))
        assert exchange.index is None or normalise(exchange.index) == exchange.index


def test_the_benchmark_follows_the_exchange():
    found = {one: benchmark_of(one, exchange_of(one)) for one in ("AAPL", "600519.SS", "000001.SZ", "VOD.L", "NPN.JO")}
    assert found == {
        "AAPL": "SPY",
        "600519.SS": "000001.SS",
        "000001.SZ": "399001.SZ",
        "VOD.L": "^FTSE",
        "NPN.JO": "^J203.JO",
    }
    assert benchmark_of("ABC.IC", "XICE") is None
    assert benchmark_of("AAPL", "XNAS") == "SPY"
    assert benchmark_of("EURUSD=X", "24/5") is None


@given(st.text(max_size=40) | st.from_regex(r"[A-Za-z0-9$]{1,6}[ :./][A-Za-z0-9]{1,6}( Equity)?", fullmatch=True))
def test_whatever_passes_stays_inside_its_folder_and_is_its_own_spelling(text: str):
    try:
        symbol = normalise(text)
    except BadSymbol:
        return
    base = Path("/base")
    assert (base / symbol).resolve().parent == base
    assert normalise(symbol) == symbol
