"""The day in brief: one line each of market, book, watch list and what lies ahead, and every gap named."""

from __future__ import annotations

import math
from datetime import date
from pathlib import Path

import pytest

from tests.capabilities.test_book import DAY, market
from tradingagents.capabilities.brief import daily_brief
from tradingagents.dataflows.portfolio_store import save_book
from tradingagents.schemas.portfolio import Portfolio, Position


def test_the_book_and_its_largest_moves_by_hand(tmp_path: Path):
    data = market(tmp_path)
    found = daily_brief.ask(data, holdings="10 VELQ at 80, 5 OMBZ", symbols="MODZ")
    closes = {symbol: data.prices(symbol).close[-2:] for symbol in ("VELQ", "OMBZ", "MODZ")}
    before, now = (10 * closes["VELQ"][at] + 5 * closes["OMBZ"][at] for at in (0, 1))
    lines = found.lines(amounts=True)
    (book,) = [line for line in lines if line.startswith("Book:")]
    assert (
        book == f"Book: worth {now:,.2f} USD, {now - before:+,.2f} USD, {100 * (now / before - 1):+.2f} % on the day."
    )
    (most,) = [line for line in lines if line.startswith("Moved the book most:")]
    percent = {symbol: 100 * (last / first - 1) for symbol, (first, last) in closes.items()}
    weights = {"OMBZ": 5 * closes["OMBZ"][1] / now, "VELQ": 10 * closes["VELQ"][1] / now}
    assert (
        most
        == "Moved the book most: "
        + ", ".join(
            f"{symbol} {percent[symbol]:+.2f} % (weight {100 * weight:.0f} %)" for symbol, weight in weights.items()
        )
        + "."
    )
    (watched,) = [line for line in lines if line.startswith("MODZ:")]
    assert watched.startswith(f"MODZ: {closes['MODZ'][1]:,.2f} USD on 2025-03-14, {percent['MODZ']:+.2f} % on the day")
    moves = {move.name: move.percent for move in found.moves() if move.group != "Market"}
    assert list(moves) == ["OMBZ", "VELQ", "MODZ"]
    assert all(math.isclose(moves[symbol], percent[symbol], rel_tol=1e-9) for symbol in moves)
    assert [move.group for move in found.moves()] == [*["Market"] * 5, "Book", "Book", "Watch list"]


def test_what_is_sent_names_no_amount(tmp_path: Path):
    found = daily_brief.ask(market(tmp_path), holdings="10 VELQ at 80, 5 OMBZ")
    worth = f"{found.parts.book.equity:,.2f}" if found.parts.book else ""
    assert worth in "\n".join(found.lines(amounts=True))
    said = "\n".join(found.lines(amounts=False))
    assert worth not in said
    assert "USD," not in said.partition("Book:")[2]
    assert "Book: -3.54 % on the day." in said


def test_without_book_and_list_it_is_the_market_and_says_what_is_missing(tmp_path: Path):
    found = daily_brief.ask(market(tmp_path))
    assert found.lines(amounts=True)[0].startswith("Market: S&P 500")
    assert (found.parts.book, found.parts.watched, found.symbols) == (None, None, ())
    assert found.notes[:2] == (
        "No book is stored; `tradingagents book import positions.csv` stores one.",
        "No symbols are watched; `tradingagents watch add AAPL` adds one.",
    )


def test_results_ahead_are_those_of_what_is_held_or_watched_and_none_is_past(tmp_path: Path):
    data = market(tmp_path, date(2025, 3, 10))
    found = daily_brief.ask(data, symbols="VELQ", days_ahead=14)
    (ahead,) = [line for line in found.lines(amounts=True) if line.startswith("Ahead:")]
    events = ahead.removeprefix("Ahead: ").removesuffix(".").split("; ")
    days = [date.fromisoformat(event[:10]) for event in events]
    assert days == sorted(days)
    assert all(day > data.as_of for day in days)
    assert [event[11:] for event in events if "results" in event] == ["results of VELQ (expected by last year's day)"]


def test_a_book_of_a_later_day_is_not_in_the_brief_of_an_earlier(tmp_path: Path):
    save_book(tmp_path, Portfolio(day=date(2025, 3, 20), positions=(Position(symbol="VELQ", quantity=10.0),)))
    assert daily_brief.ask(market(tmp_path)).parts.book is None
    assert daily_brief.ask(market(tmp_path, date(2025, 3, 21))).symbols == ("VELQ",)


@pytest.mark.parametrize("day", [date(2025, 3, 15), date(2025, 3, 16)])
def test_on_a_weekend_it_is_of_the_last_session(tmp_path: Path, day: date):
    found = daily_brief.ask(market(tmp_path, day), symbols="VELQ")
    assert (found.session, found.title) == (DAY, "Brief of 2025-03-14")
