"""Holdings stated in a line: what is read, and what is refused without a word of it."""

from __future__ import annotations

import pytest

from tradingagents.analytics.holdings.holdings_text import read_holdings
from tradingagents.errors import UsageError


@pytest.mark.parametrize(
    ("text", "positions"),
    [
        ("100 AAPL at 150", [("AAPL", 100, 150)]),
        ("100 shares of aapl", [("AAPL", 100, None)]),
        ("1,200 AAPL @ $150.25, 20 MSFT", [("AAPL", 1200, 150.25), ("MSFT", 20, None)]),
        ("100 VELQ and 50 MODZ at 20; 3 OMBZ", [("MODZ", 50, 20), ("OMBZ", 3, None), ("VELQ", 100, None)]),
        ("short 30 VELQ at 10, -5 MODZ", [("MODZ", -5, None), ("VELQ", -30, 10)]),
        ('[{"ticker": "VELQ", "quantity": 3}]', [("VELQ", 3, None)]),
        ("0.5 BTC-USD", [("BTC-USD", 0.5, None)]),
    ],
)
def test_quantities(text: str, positions: list[tuple[str, float, float | None]]):
    found = read_holdings(text)
    assert found.portfolio is not None
    assert [(one.symbol, one.quantity, one.average_price) for one in found.portfolio.positions] == positions
    assert (found.weights, found.symbols) == ({}, tuple(symbol for symbol, _, _ in positions))


@pytest.mark.parametrize(
    ("text", "weights"),
    [
        ("60 % VELQ and 40 % MODZ", {"VELQ": 0.6, "MODZ": 0.4}),
        ("60% in VELQ, 30% cash, 10% MODZ.", {"VELQ": 0.6, "MODZ": 0.1}),
        ("VELQ 60%, MODZ: 40%", {"VELQ": 0.6, "MODZ": 0.4}),
        ("33.4% VELQ, 33.3% MODZ, 33.3% OMBZ", {"VELQ": 0.334, "MODZ": 0.333, "OMBZ": 0.333}),
    ],
)
def test_weights(text: str, weights: dict[str, float]):
    assert read_holdings(text).weights == pytest.approx(weights)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "AAPL",
        "my secret 777 things",
        "777 AAPL, 60% MSFT",
        "777% AAPL",
        "60% AAPL, 60% MSFT",
        "777 AAPL, 777 AAPL",
        "60% AAPL, 20% AAPL",
        "0 AAPL",
        "{",
        '{"positions": [{"ticker": "AAPL", "quantity": "777x"}]}',
        "777 ../x",
        "777 AAPL, " * 500,
    ],
)
def test_what_cannot_be_read_is_refused_without_quoting_it(text: str):
    with pytest.raises(UsageError) as caught:
        read_holdings(text)
    assert "777" not in str(caught.value)
    assert "secret" not in str(caught.value)
