"""The text of a ledger: postings are written and read as the versions before wrote them."""

from __future__ import annotations

from datetime import date
from pathlib import Path

from tradingagents.features.backtest.ledger import BookLedger
from tradingagents.features.backtest.postings import (
    BarCorrection,
    BarSeen,
    Delisting,
    Deposit,
    DividendPosting,
    LateDividend,
    LateSplit,
    OrderFill,
    SplitPosting,
)
from tradingagents.features.backtest.traded_prices import SessionBar

WRITTEN = Path(__file__).with_name("ledger_of_2026_11.jsonl")
"""Written by the code of 2026-11-28, before late splits were splits and bars were held as such."""
SESSIONS = (
    (
        date(2025, 3, 3),
        (
            Deposit(1_000_000),
            BarSeen("A", SessionBar(10.0, 10.5, 9.5, 10.0, 2000.0), benchmark=True),
            BarSeen("B", None),
            OrderFill("A", 100, 10.0, 100_000, 100, 0),
        ),
        {"A": 10.0},
    ),
    (date(2025, 3, 4), (SplitPosting("A", 3, 2, 150, 0), DividendPosting("A", 150, 0.1, 1_500)), {"A": 6.5}),
    (
        date(2025, 3, 5),
        (
            BarCorrection("B", SessionBar(3.0, 3.5, 2.5, 3.25, 100.0), "2025-03-04", None),
            LateDividend("A", 0, 0.5, 0, "2025-03-03"),
            LateSplit("A", 2, 1, 300, 0, "2025-03-04"),
            Delisting("A", 300, 3.0, 90_000),
        ),
        {},
    ),
)


def test_a_ledger_of_an_earlier_version_is_read() -> None:
    ledger = BookLedger(WRITTEN, to_read=True)
    assert [(line.mark.day, line.postings) for line in ledger.lines] == [(day, made) for day, made, _ in SESSIONS]
    assert (ledger.book.cash, ledger.book.shares) == (991_400, {})


def test_the_same_account_gives_the_same_bytes() -> None:
    ledger = BookLedger()
    for day, made, closes in SESSIONS:
        ledger.append(day, made, closes)
    assert ledger.content == WRITTEN.read_bytes()
