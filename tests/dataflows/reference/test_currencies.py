"""What a listing tells of the currency it is quoted in, and what it does not."""

from __future__ import annotations

import pytest

from tradingagents.dataflows.reference.currencies import NOT_STATED, is_stated, quoted_in


@pytest.mark.parametrize(
    ("symbol", "currency"),
    [
        ("AAPL", "USD"),
        ("BRK-B", "USD"),
        ("USDJPY=X", "JPY"),
        ("BTC-EUR", "EUR"),
        ("VOD.L", NOT_STATED),
        ("7203.T", NOT_STATED),
    ],
)
def test_only_what_is_certain_is_taken_from_the_listing(symbol: str, currency: str):
    assert quoted_in(symbol) == currency


def test_no_currency_is_none():
    assert not is_stated(NOT_STATED)
    assert not is_stated("")
    assert is_stated("GBP")
