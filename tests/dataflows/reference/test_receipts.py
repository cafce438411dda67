"""What a receipt stands for: ratios with their days, and which way a source counts."""

from __future__ import annotations

from datetime import date

import pytest

from tradingagents.dataflows.reference.share_classes import RECEIPTS, is_receipt_name, receipt_of, trades_receipts

DAY = date(2025, 6, 16)


@pytest.mark.parametrize(
    ("symbol", "counted", "for_one"),
    [
        ("TSM", 25.93e9, 5.0),  # the company's own shares
        ("TSM", 5.186e9, 1.0),  # receipts
        ("AZN", 1.55e9, 0.5),
        ("AZN", 3.1e9, 1.0),
        ("BABA", 18.5e9, 8.0),
        ("NVO", 4.45e9, 1.0),
        ("TSM", 2.6e9 / 13, None),  # neither
        ("TSM", 25.93e9 * 13, None),
    ],
)
def test_a_count_is_told_from_that_of_receipts(symbol: str, counted: float, for_one: float | None):
    known = receipt_of(symbol, DAY)
    assert known is not None
    assert known.counted_for_one(counted) == for_one


def test_a_ratio_holds_for_its_days_only():
    assert receipt_of("TM", date(2021, 9, 30)) is None
    assert receipt_of("TM", date(2021, 10, 1)) is not None
    assert receipt_of("AZN", date(2026, 2, 3)) is None
    assert receipt_of("AAPL", DAY) is None


def test_every_entry_reads_as_a_clause():
    for known in RECEIPTS.values():
        assert known.words[0].islower()
        assert not known.words.endswith(".")
        assert all(shares > 0 and for_one > 0 for shares, for_one in known.counts)


@pytest.mark.parametrize(
    ("name", "is_one"),
    [
        ("Taiwan Semiconductor ADR", True),
        ("Acme Plc Sponsored ADR", True),
        ("Acme American Depositary Shares", True),
        ("Adrian Tools", False),
        ("Grads Inc.", False),
    ],
)
def test_receipts_are_known_by_name(name: str, is_one: bool):
    assert is_receipt_name(name) is is_one


@pytest.mark.parametrize(
    ("symbol", "may"), [("TSM", True), ("PETR34.SA", True), ("VOD.L", False), ("7203.T", False), ("BRK-B", True)]
)
def test_places_of_receipts(symbol: str, may: bool):
    assert trades_receipts(symbol) is may
