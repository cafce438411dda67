"""Completion of instruments while a ticker or a name is typed, and what the whole text then means."""

from __future__ import annotations

from pathlib import Path

import pytest

from tradingagents.capabilities.company import find_instruments
from tradingagents.capabilities.standalone import open_market
from tradingagents.settings import Settings


def _found(home: Path, text: str, vendor: str, limit: int = 8) -> tuple[str | None, list[str], str]:
    market = open_market({}, settings=Settings(data_vendor=vendor, home=home))
    found = find_instruments.ask(market, text=text, limit=limit)
    return found.symbol, [candidate.symbol for candidate in found.candidates], found.source


@pytest.mark.parametrize(
    ("text", "symbol", "first"),
    [
        ("VELQ", "VELQ", ["VELQ"]),
        ("velq", "VELQ", ["VELQ"]),
        ("velt", "VELQ", ["VELQ"]),
        ("veltrane systems", "VELQ", ["VELQ"]),
        ("gspc", "^GSPC", ["^GSPC"]),
        ("AAPL", "AAPL", []),  # written as a ticker, though the market has none: its page says so
        ("what moved the market today?", None, []),
        ("apple", None, []),
        ("", None, []),
        ("..", None, []),
    ],
)
def test_a_local_source_is_searched_for_what_it_holds(
    tmp_path: Path, text: str, symbol: str | None, first: list[str]
) -> None:
    assert _found(tmp_path, text, "simulated") == (symbol, first, "simulated")


@pytest.mark.parametrize(
    ("text", "symbol", "first"),
    [
        ("a", "A", ["A", "AAPL", "AMZN"]),
        ("apple", "AAPL", ["AAPL"]),
        ("micro", None, ["MSFT", "MU", "MCHP"]),
        ("Google", None, ["GOOGL", "GOOG"]),
        ("brk.b", "BRK-B", ["BRK-B"]),
        ("J&J", "JNJ", ["JNJ"]),
        ("ZZZZ", "ZZZZ", []),
        ("zzzz", None, []),
    ],
)
def test_of_a_remote_source_only_the_list_of_names_is_searched(
    tmp_path: Path, text: str, symbol: str | None, first: list[str]
) -> None:
    found = _found(tmp_path, text, "yfinance")
    assert found == (symbol, found[1], "the library's list of names")
    assert found[1][: len(first)] == first or not first
    assert bool(found[1]) == bool(first)


def test_the_list_ends_where_it_is_told_to(tmp_path: Path) -> None:
    assert len(_found(tmp_path, "a", "yfinance", limit=3)[1]) == 3
