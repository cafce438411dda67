"""The opening of a valuation: each sentence with its numbers, by hand where the inputs allow it."""

from __future__ import annotations

from tests.valuation.test_limited_liability import level
from tradingagents.valuation.company.assumptions import ValuationAssumption
from tradingagents.valuation.company.claims import Sourced
from tradingagents.valuation.company.opening import needed_margin, opening

PAST = Sourced(0.015, "get_income_statement: revenue, yearly growth from 2021-12-31 to 2024-12-31")


def test_the_order_is_price_range_value_movers_doubts() -> None:
    rows = (ValuationAssumption("cash", 0.0, "default", "default: 0"), ValuationAssumption("debt", 60, "data", "x"))
    said = opening(level(), price=5.0, currency="USD", past_growth=PAST, assumptions=rows)
    starts = (
        "At 5.00 USD",
        "Range: ",
        "Value from these inputs: 4.00 USD, 20.0% below",
        "It moves",
        "Doubtful",
    )
    assert [one.startswith(start) for one, start in zip(said, starts, strict=True)] == [True] * 5
    assert said[0].endswith("has managed 1.5% a year (revenue, yearly growth from 2021-12-31 to 2024-12-31).")
    assert "the operating margin (1 point either way: 3.00 to 5.00 USD)" in said[3]
    assert said[4].endswith(": cash.")


def test_a_price_that_no_growth_explains_says_so_and_which_margin_would() -> None:
    # New capital earns 5 % and costs 10 %: growth only takes. 20 a share needs operations of 260, a margin of 26 %.
    inputs = level(sales_to_capital=0.5)
    assert opening(inputs, price=20.0, currency="USD")[0] == (
        "At 20.00 USD no growth of revenue explains the price at an operating margin of 10.0%; "
        "an operating margin of 26.0% would."
    )
    assert round(needed_margin(inputs, 20.0) or 0.0, 9) == 0.26


def test_the_range_says_how_often_nothing_is_left() -> None:
    said = opening(level(debt=99), price=5.0, currency="USD")
    assert said[1].startswith("Range: 0.00 to ")
    assert "with nothing left for the shares in" in said[1]


def test_what_has_no_value_has_no_opening() -> None:
    assert opening(level(debt=120), price=5.0, currency="USD") == ()
