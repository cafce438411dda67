"""Excess returns, dividends and relative valuation."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given, settings

from tests.support.tiers import examples
from tests.valuation.random_inputs import number
from tradingagents.valuation import (
    CompanyFigures,
    DividendInputs,
    ExcessReturnInputs,
    InadmissibleInput,
    company_multiples,
    implied_dividend_growth,
    implied_ranges,
    implied_return_on_equity,
    value_by_dividends,
    value_by_excess_returns,
)

BANK = ExcessReturnInputs(
    book_equity=1000,
    shares_out=50,
    return_on_equity=(0.15, 0.14, 0.13, 0.12, 0.11),
    cost_of_equity=(0.10,) * 5,
    payout=(0.4,) * 5,
    stable_growth=0.03,
    stable_return_on_equity=0.11,
    stable_cost_of_equity=0.09,
)
PAYER = DividendInputs(
    dividend_t0=2.0,
    dividend_growth=(0.06, 0.06, 0.05, 0.04, 0.03),
    cost_of_equity=(0.08,) * 5,
    stable_growth=0.03,
    stable_cost_of_equity=0.08,
)


def test_a_bank_by_hand() -> None:
    value = value_by_excess_returns(BANK)
    # Year 1: 150 earned on 1000, 100 of it the cost of the equity; 90 kept.
    first, second = value.years[:2]
    assert (first.net_income, first.excess_return, first.book_equity) == pytest.approx((150, 50, 1090))
    assert first.pv == pytest.approx(50 / 1.1)
    assert second.excess_return == pytest.approx(0.04 * 1090)
    book = 1000 * 1.09 * 1.084 * 1.078 * 1.072 * 1.066
    assert value.years[-1].book_equity == pytest.approx(book)
    assert value.pv_terminal == pytest.approx(0.02 * book / 0.06 / 1.1**5)
    assert value.value_per_share == pytest.approx((1000 + value.pv_explicit + value.pv_terminal) / 50)


@settings(max_examples=examples(60), deadline=None)
@given(number(0.02, 0.3), number(0.06, 0.2), number(0, 1), number(0.05, 0.3))
def test_excess_returns_equal_the_dividends_they_pay(roe: float, cost: float, payout: float, later: float) -> None:
    growth = 0.02
    inputs = ExcessReturnInputs(
        book_equity=1000,
        shares_out=10,
        return_on_equity=(roe,) * 10,
        cost_of_equity=(cost,) * 10,
        payout=(payout,) * 10,
        stable_growth=growth,
        stable_return_on_equity=later,
        stable_cost_of_equity=cost,
    )
    value = value_by_excess_returns(inputs)
    dividends = math.fsum(year.dividend * year.discount_factor for year in value.years)
    last = value.years[-1]
    assert last.book_equity is not None
    after = last.book_equity * later * (1 - growth / later) / (cost - growth) * last.discount_factor
    assert value.equity_value == pytest.approx(dividends + after, rel=1e-10)


def test_equity_that_earns_its_cost_is_worth_its_book() -> None:
    even = ExcessReturnInputs(
        book_equity=1000,
        shares_out=50,
        return_on_equity=(0.09,) * 5,
        cost_of_equity=(0.09,) * 5,
        payout=(0.4,) * 5,
        stable_growth=0.03,
        stable_return_on_equity=0.09,
        stable_cost_of_equity=0.09,
    )
    assert value_by_excess_returns(even).equity_value == pytest.approx(1000)
    assert implied_return_on_equity(even, 20.0) == pytest.approx(0.09)


def test_dividends_by_hand() -> None:
    value = value_by_dividends(PAYER)
    paid = [2 * 1.06, 2 * 1.06**2, 2 * 1.06**2 * 1.05, 2 * 1.06**2 * 1.05 * 1.04, 2 * 1.06**2 * 1.05 * 1.04 * 1.03]
    explicit = sum(one / 1.08**t for t, one in enumerate(paid, start=1))
    assert value.pv_explicit == pytest.approx(explicit)
    assert value.value_per_share == pytest.approx(explicit + paid[-1] * 1.03 / 0.05 / 1.08**5)
    growth = implied_dividend_growth(PAYER, 60.0)
    assert growth is not None
    assert growth > 0.06


def test_a_price_beyond_every_rate_has_no_answer() -> None:
    assert implied_return_on_equity(BANK, 1e9) is None
    assert implied_dividend_growth(PAYER, 1e-9) is None


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("book_equity", {"book_equity": -5}),
        ("shares_out", {"shares_out": 0}),
        ("payout", {"payout": (0.4,) * 4}),
        ("return_on_equity[2]", {"return_on_equity": (0.1, math.nan, 0.1, 0.1, 0.1)}),
        ("cost_of_equity", {"cost_of_equity": (0.1, 0.0, 0.1, 0.1, 0.1)}),
        ("stable_growth", {"stable_growth": 0.086}),
        ("stable_return_on_equity", {"stable_return_on_equity": 0.01}),
    ],
)
def test_wrong_inputs_of_a_bank_are_refused_by_name(name: str, changes: dict[str, Any]) -> None:
    good = {field: getattr(BANK, field) for field in ExcessReturnInputs.__slots__}
    with pytest.raises(InadmissibleInput) as refused:
        ExcessReturnInputs(**{**good, **changes})
    assert refused.value.name == name


def test_a_share_without_dividends_is_refused() -> None:
    good = {field: getattr(PAYER, field) for field in DividendInputs.__slots__}
    with pytest.raises(InadmissibleInput, match=r"^dividend_t0: .*cash flow"):
        DividendInputs(**{**good, "dividend_t0": 0.0})


PEERS = [
    CompanyFigures(
        symbol=f"P{number}",
        market_value=1000.0 * number,
        net_debt=200.0,
        shares=10,
        ebitda=150,
        sales=500,
        earnings=80,
    )
    for number in (1, 2, 3, 4)
]
OWN = CompanyFigures(
    symbol="OWN", market_value=1500, net_debt=300, shares=20, ebitda=180, sales=600, earnings=90, free_cash_flow=-5
)


def test_prices_at_the_multiples_of_peers_by_hand() -> None:
    ranges = {one.multiple: one for one in implied_ranges(OWN, PEERS)}
    # Enterprise values 1200, 2200, 3200, 4200 over EBITDA of 150: 8, 14.67, 21.33, 28.
    ebitda = ranges["ev_ebitda"]
    assert ebitda.quartiles == pytest.approx((13, 18, 23))
    assert ebitda.own == pytest.approx(10)
    assert ebitda.prices == pytest.approx(((13 * 180 - 300) / 20, (18 * 180 - 300) / 20, (23 * 180 - 300) / 20))
    earnings = ranges["pe"]
    assert earnings.quartiles == pytest.approx((21.875, 31.25, 40.625))
    assert earnings.prices == pytest.approx((21.875 * 90 / 20, 31.25 * 90 / 20, 40.625 * 90 / 20))


def test_what_has_no_meaning_is_left_out_with_a_reason() -> None:
    ranges = {one.multiple: one for one in implied_ranges(OWN, PEERS)}
    assert (ranges["pb"].reason, ranges["pb"].quartiles) == ("no peer has this multiple", None)
    assert company_multiples(OWN)["p_fcf"] is None
    payer = CompanyFigures(symbol="FCF", market_value=100, free_cash_flow=5)
    cash = {one.multiple: one for one in implied_ranges(OWN, [payer])}["p_fcf"]
    assert (cash.prices, cash.reason) == (None, "free cash flow of OWN not positive")
