"""Books are stored by day and read as they stood on a day; none, an empty one and one with positions stay apart."""

from __future__ import annotations

import stat
from datetime import date
from pathlib import Path

import pytest

from tradingagents.dataflows.portfolio_store import book_days, book_on, needed_book, remove_book, save_book
from tradingagents.errors import UsageError
from tradingagents.files.atomic import UnreadableFile
from tradingagents.schemas.portfolio import Portfolio, Position

MARCH, APRIL = date(2025, 3, 14), date(2025, 4, 1)
HELD = Portfolio(positions=(Position(symbol="AAPL", quantity=100, average_price=150, currency="USD"),), day=MARCH)
FLAT = Portfolio(day=APRIL)


def test_a_day_has_the_newest_book_until_then(tmp_path: Path):
    assert book_on(tmp_path, MARCH) is None
    save_book(tmp_path, FLAT)
    save_book(tmp_path, HELD)
    assert book_days(tmp_path) == (MARCH, APRIL)
    assert book_on(tmp_path, date(2025, 3, 13)) is None
    assert book_on(tmp_path, MARCH) == book_on(tmp_path, date(2025, 3, 31)) == HELD
    assert book_on(tmp_path, date(2026, 1, 1)) == FLAT


def test_a_missing_book_says_since_when_there_are_some(tmp_path: Path):
    with pytest.raises(UsageError, match="No book is stored; import"):
        needed_book(tmp_path, MARCH)
    save_book(tmp_path, FLAT)
    with pytest.raises(UsageError, match="the first is of 2025-04-01"):
        needed_book(tmp_path, MARCH)
    assert needed_book(tmp_path, APRIL).is_flat


def test_a_book_is_for_its_owner_only(tmp_path: Path):
    path = save_book(tmp_path / "home", HELD)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


@pytest.mark.parametrize("content", ["", "[]", '{"positions": [{"symbol": "AAPL"}]}', '{"positions": 3}'])
def test_a_damaged_book_is_named(tmp_path: Path, content: str):
    save_book(tmp_path, HELD).write_text(content)
    with pytest.raises(UnreadableFile, match=r"2025-03-14\.json"):
        book_on(tmp_path, MARCH)


def test_removing(tmp_path: Path):
    save_book(tmp_path, HELD)
    remove_book(tmp_path, MARCH)
    assert book_days(tmp_path) == ()
    with pytest.raises(UsageError, match="No book of 2025-03-14"):
        remove_book(tmp_path, MARCH)


def test_a_book_without_a_day_is_not_stored(tmp_path: Path):
    with pytest.raises(UsageError, match="under its day"):
        save_book(tmp_path, Portfolio())


def test_books_that_differ_in_anything_have_other_digests():
    changed = HELD.model_copy(update={"cash": {"USD": 1.0}})
    assert len({HELD.digest, changed.digest, FLAT.digest, Portfolio(day=MARCH).digest}) == 4
    assert Portfolio.model_validate(HELD.as_json()).digest == HELD.digest
