"""Portfolio files: every usual form gives the same tickers; anything else is refused with what to give instead."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tradingagents.dataflows.portfolio_file import LARGEST
from tradingagents.errors import BadSymbol, UsageError
from tradingagents.features.batch.holdings import MOST, read_holdings

EXPECTED = ("AAPL", "BRK-B", "7203.T")


@pytest.mark.parametrize(
    "text",
    [
        "ticker,shares\naapl,10\nBRK.B,5\n7203.T,100\n",
        "\ufeffName;Symbol;Shares\nApple;AAPL;10\nBerkshire;BRK.B;5\nToyota;7203.T;1\n",
        "Shares\tTICKER\n10\tAAPL\n5\tBRK-B\n1\t7203.T\n",
        'Symbol,Name\nAAPL,"Apple, Inc."\nBRK-B,"Berkshire"\n7203.T,Toyota\nAAPL,again\n,Total\n',
        "Ticker\r\nAAPL\r\nBRK-B\r\n7203.T\r\n",
        "# mine\nAAPL\n\nbrk.b  # held since 1999\n7203.T\n",
        '["AAPL", "BRK.B", "7203.T"]',
        '[{"Ticker": "AAPL", "shares": 10}, {"symbol": "BRK-B"}, {"ticker": "7203.t"}]',
        '{"name": "mine", "holdings": ["AAPL", {"ticker": "BRK-B"}, "7203.T", "AAPL"]}',
    ],
)
def test_every_usual_form_gives_the_same_tickers(tmp_path: Path, text: str):
    path = tmp_path / "portfolio"
    path.write_bytes(text.encode())
    assert read_holdings(path) == EXPECTED


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "contains no ticker"),
        (b"# nothing\n", "contains no ticker"),
        (b"ticker,shares\n", "contains no ticker"),
        (b"[]", "contains no ticker"),
        (b"name,shares\nApple,10\n", "names no column ticker or symbol"),
        (b"{", "cannot be read as a portfolio"),
        (b"{}", "holds no list of holdings"),
        (b'{"holdings": "AAPL"}', "holds no list of holdings"),
        (b"[7203]", "an entry is no text, and so no ticker"),
        (b'[{"isin": "US0378331005"}]', "neither ticker nor symbol"),
        (b"[" * 100_000, "cannot be read as a portfolio"),
        (b"\xff\xfe\x00", "not UTF-8 text; save it as .CSV UTF-8., or"),
        (b"Name;Symbol\nSoci\xe9t\xe9;GLE.PA\n", "not UTF-8 text"),
        (b"A" * (LARGEST + 1), "too large"),
        ("\n".join(f"T{number}" for number in range(MOST + 1)).encode(), f"more than {MOST} tickers"),
    ],
)
def test_a_file_that_is_no_portfolio_is_refused_by_name(tmp_path: Path, content: bytes, said: str):
    path = tmp_path / "portfolio.csv"
    path.write_bytes(content)
    with pytest.raises(UsageError, match=said) as raised:
        read_holdings(path)
    assert str(path) in str(raised.value)


@pytest.mark.parametrize("text", ["AAPL\n../../etc\n", "AAPL MSFT\n", '["A/B"]', "AAPL 100 150.25\n"])
def test_what_is_no_ticker_is_named_with_its_file(tmp_path: Path, text: str):
    path = tmp_path / "portfolio.txt"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadSymbol, match=r"In .*portfolio\.txt: .* is not a ticker symbol") as refused:
        read_holdings(path)
    assert "150.25" not in str(refused.value)


@pytest.mark.parametrize("name", ["missing.csv", ".", "pipe", "/dev/zero"])
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, name: str):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(UsageError, match=r"Cannot read .* \((No such file|Is a|it is not a) .*\); check the path\."):
        read_holdings(tmp_path / name)
