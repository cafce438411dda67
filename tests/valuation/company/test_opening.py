"""The opening of a valuation: each sentence with its numbers, by hand where the inputs allow it."""

from __future__ import annotations

from datetime import date

from tests.valuation.test_limited_liability import level
from tradingagents.features.valuation_report.valuation import over_price
from tradingagents.valuation.company.answer_parts import ValuationAssumption
from tradingagents.valuation.company.claims import HAS_NONE
from tradingagents.valuation.company.doubts import Doubt, why_not_compared
from tradingagents.valuation.company.history import OwnRecord, YearlyFigures
from tradingagents.valuation.company.opening import needed_margin, opening
from tradingagents.valuation.equity_models import DividendInputs, ExcessReturnInputs

LAST = date(2024, 12, 31)


def record() -> OwnRecord:
    """Growth of 5 %, 10 %, -5 % and 0 %: compound 2.3 % a year; margins from 6 % to 14 %."""
    return OwnRecord(
        growth=YearlyFigures((0.05, 0.10, -0.05, 0.0), 5, LAST),
        margin=YearlyFigures((0.10, 0.14, 0.12, 0.06, 0.08), 5, LAST),
        return_on_equity=YearlyFigures((0.12, 0.10, 0.08, 0.14, 0.11), 5, LAST),
    )


def bank() -> ExcessReturnInputs:
    """Book equity of 10 a share that earns 12 % at a cost of 10 %, all paid out, for ever."""
    return ExcessReturnInputs(
        book_equity=100,
        shares_out=10,
        return_on_equity=(0.12,) * 5,
        cost_of_equity=(0.10,) * 5,
        payout=(1.0,) * 5,
        stable_growth=0.0,
        stable_return_on_equity=0.12,
        stable_cost_of_equity=0.10,
    )


def test_the_order_is_price_range_value_movers_doubts() -> None:
    doubts = (Doubt("the cash is not known", 1.5), Doubt("a tenth of it", 0.5, "one step"), Doubt("no size"))
    said = opening(level(), price=5.0, currency="USD", record=record(), doubts=doubts)
    starts = ("At 5.00 USD", "Range over", "Value from these inputs: 4.00 USD, 20.0% below", "What moves it most: ")
    assert [one.startswith(start) for one, start in zip(said, starts, strict=False)] == [True] * 4
    assert said[4:] == (
        "Doubtful: the cash is not known (1.50 USD a share).",
        "Doubtful: a tenth of it (one step: 0.50 USD a share).",
        "Doubtful: no size.",
    )


def test_what_was_managed_stands_next_to_what_the_price_pays_for() -> None:
    # A margin that lets growth pay: 0.30 of 100 at 10 % gives 24 a share without growth.
    said = opening(level(oper_margin=(0.3,) * 5, stable_margin=0.3), price=30.0, currency="USD", record=record())
    assert said[0].startswith("At 30.00 USD the market pays for revenue growth of ")
    assert "a year over 5 years (" in said[0]
    assert "times today's revenue in year 5) at an operating margin of 30.0%" in said[0]
    # 1.05 x 1.10 x 0.95 x 1.00 = 1.0973 over four years
    assert said[0].endswith(
        "it has managed 2.3% a year over the 4 years to 2024-12-31, and these inputs take 0.0% in the first 5 years."
    )


def test_a_shrinking_company_is_said_to_have_shrunk() -> None:
    past = OwnRecord(growth=YearlyFigures((-0.1, -0.1), 3, LAST))
    assert "it has shrunk by 10.0% a year over the 2 years" in opening(level(), price=5.0, currency="", record=past)[0]


def test_a_price_that_no_growth_explains_says_so_and_which_margin_would() -> None:
    # New capital earns 5 % and costs 10 %: growth only takes. 20 a share needs operations of 260, a margin of 26 %.
    inputs = level(sales_to_capital=0.5)
    assert opening(inputs, price=20.0, currency="USD")[0] == (
        "At 20.00 USD no growth of revenue explains the price at an operating margin of 10.0%; an operating margin of "
        "26.0% would; what it has managed is not known from its statements, and these inputs take 0.0% in the first "
        "5 years."
    )
    assert round(needed_margin(inputs, 20.0) or 0.0, 9) == 0.26


def test_the_movers_are_the_two_largest_with_their_numbers() -> None:
    # Each point of margin is worth 1 a share; at a cost of 9 % the operations are worth 111.11, at 11 % 90.91.
    (said,) = (one for one in opening(level(), price=5.0, currency="USD") if one.startswith("What moves"))
    assert said == (
        "What moves it most: one point more of cost of capital takes away 0.91 USD (one point less adds 1.11 USD); "
        "one point more of operating margin adds 1.00 USD (one point less takes away 1.00 USD)."
    )


def test_the_range_says_how_often_nothing_is_left() -> None:
    said = opening(level(debt=99), price=5.0, currency="USD")
    assert said[1].startswith("Range over three cases: low 0.00 USD a share (growth of ")
    assert said[1].endswith("Nothing is left for the shares in 1 of 3 cases.")


def test_a_bank_opens_in_the_same_order() -> None:
    # 12 a share; at 12 % for ever the price is explained. A point of return for ever is worth 1, of five years 0.38.
    said = opening(bank(), price=12.0, currency="USD", record=record())
    assert said[0] == (
        "At 12.00 USD the market pays for a return on equity of 12.0% every year and for ever; it has earned 11.0% in "
        "the median of its own 5 years to 2024-12-31, and these inputs begin with 12.0% and reach 12.0% in year 5."
    )
    assert said[1].startswith("Range over three cases: low ")
    assert said[2] == "Value from these inputs: 12.00 USD, the price."
    # At a cost of 11 % the excess of 1 a year is worth 10 / 11 of ... 100 + 1 / 0.11 = 109.09; at 9 %: 100 + 3 / 0.09.
    assert "one point more of cost of equity takes away 1.09 USD (one point less adds 1.33 USD)" in said[3]


def test_a_payer_of_dividends_opens_in_the_same_order() -> None:
    inputs = DividendInputs(
        dividend_t0=2, dividend_growth=(0.03,) * 5, cost_of_equity=(0.08,) * 5, stable_growth=0.03,
        stable_cost_of_equity=0.08,
    )  # fmt: skip
    said = opening(inputs, price=41.2, currency="USD")
    assert said[0] == (
        "At 41.20 USD the market pays for dividends that grow by 3.0% a year for 5 years; these inputs begin with 3.0%."
    )
    assert [one.partition(" ")[0] for one in said[1:]] == ["Range", "Value", "What"]


def test_without_a_source_of_cash_or_debt_there_is_no_verdict() -> None:
    rows = [
        ValuationAssumption("cash", 0.0, "default", "default: 0, the source gives no cash"),
        ValuationAssumption("debt", 0.0, "default", f"{HAS_NONE} 2024-12-31 has none"),
    ]
    unknown = why_not_compared(rows)
    assert unknown == ("no source gives the cash, which counts as 0 here",)
    said = opening(level(), price=5.0, currency="USD", not_compared=unknown)
    assert said[2] == f"No verdict against the price: {unknown[0]}. These inputs give 4.00 USD."
    assert not any("the price." in sentence and "20.0%" in sentence for sentence in said)
    assert over_price(-0.2, unknown) == ("no verdict", unknown[0])
    assert over_price(-0.2, why_not_compared(rows[1:])) == ("-20.00%", "")


def test_the_value_names_its_figures_where_they_are_given() -> None:
    said = opening(level(), price=5.0, currency="USD", figures_of="four quarters to 2024-12-28")
    assert (
        said[2] == "Value from these inputs, figures of four quarters to 2024-12-28: 4.00 USD, 20.0% below the price."
    )


def test_what_has_no_value_has_no_opening() -> None:
    assert opening(level(debt=120), price=5.0, currency="USD") == ()
