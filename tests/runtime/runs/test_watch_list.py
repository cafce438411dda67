"""The watch list on disk: order kept, each ticker once, all or nothing, and damage named."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tradingagents.errors import BadSymbol, UsageError
from tradingagents.files.atomic import UnreadableFile
from tradingagents.runtime.runs.watch_list import MOST, WatchList


def test_tickers_are_kept_in_order_each_once_in_one_spelling(tmp_path: Path):
    listed = WatchList(tmp_path)
    assert listed.tickers == ()
    assert listed.add(["msft", "BRK.B", "MSFT"]) == ("MSFT", "BRK-B")
    assert listed.add(["aapl", "msft"]) == ("AAPL",)
    assert WatchList(tmp_path).tickers == ("MSFT", "BRK-B", "AAPL")
    assert listed.remove(["brk-b", "TSLA"]) == ("BRK-B",)
    assert WatchList(tmp_path).tickers == ("MSFT", "AAPL")
    assert listed.remove(["TSLA"]) == ()


@pytest.mark.parametrize("wrong", ["../x", "", "A B", "A" * 40])
def test_a_wrong_ticker_adds_none(tmp_path: Path, wrong: str):
    listed = WatchList(tmp_path)
    with pytest.raises(BadSymbol):
        listed.add(["AAPL", wrong])
    assert listed.tickers == ()
    assert not (tmp_path / "watch").exists()


def test_a_list_that_would_be_too_long_stays_as_it_was(tmp_path: Path):
    listed = WatchList(tmp_path)
    listed.add(f"T{number}" for number in range(MOST))
    with pytest.raises(UsageError, match=rf"may hold {MOST} tickers; remove some first\."):
        listed.add(["ONEMORE"])
    assert listed.add(["T0"]) == ()
    assert len(listed.tickers) == MOST


@given(st.lists(st.tuples(st.booleans(), st.sampled_from("ABCDE")), max_size=12))
def test_it_holds_what_was_added_and_not_removed_since(changes: list[tuple[bool, str]]):
    import tempfile

    with tempfile.TemporaryDirectory() as home:
        listed, expected = WatchList(Path(home)), []
        for adds, ticker in changes:
            known = ticker in expected
            if adds:
                assert listed.add([ticker]) == (() if known else (ticker,))
                expected += [] if known else [ticker]
            else:
                assert listed.remove([ticker]) == ((ticker,) if known else ())
                expected = [one for one in expected if one != ticker]
        assert list(listed.tickers) == expected


@pytest.mark.parametrize("text", ["{", "[]", '{"tickers": "AAPL"}', '{"tickers": ["../x"]}', '{"tickers": [3]}'])
def test_a_damaged_list_is_named_and_left_alone(tmp_path: Path, text: str):
    path = tmp_path / "watch" / "list.json"
    path.parent.mkdir()
    path.write_text(text, encoding="utf-8")
    for ask in (lambda: WatchList(tmp_path).tickers, lambda: WatchList(tmp_path).add(["AAPL"])):
        with pytest.raises(UnreadableFile, match=r"list\.json .*; correct it, or move it away"):
            ask()
    assert path.read_text("utf-8") == text


def test_a_list_written_by_hand_is_normalised(tmp_path: Path):
    path = tmp_path / "watch" / "list.json"
    path.parent.mkdir()
    path.write_text('{"tickers": ["aapl", "BRK.B", "AAPL"]}', encoding="utf-8")
    assert WatchList(tmp_path).tickers == ("AAPL", "BRK-B")
