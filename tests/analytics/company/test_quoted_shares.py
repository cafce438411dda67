"""Whether a quoted share is a share of the statements: known ratios are applied once, what nothing fits is withheld.

The company sells 400 billion a year, earns 100 billion, and has 15 billion shares at 200: a market value of 3 trillion.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

import numpy as np
import pytest

from tests.support.builders import AS_OF, KNOWN, QUARTER_ENDS, bars, statement
from tradingagents.analytics.company.earnings import trailing_forward_pe
from tradingagents.analytics.company.fundamentals import Fundamentals, fundamentals
from tradingagents.dataflows.models import Dividend, Profile, Ratios, Statement
from tradingagents.valuation.company.facts import company_facts

SHARES = 15e9
ITEMS = {"revenue": 100e9, "net_income": 25e9, "eps_diluted": 25 / 15, "shares_diluted": SHARES}
SHEET = {"equity": 60e9, "total_assets": 350e9, "total_debt": 100e9, "cash": 30e9}
CASH = {"operating_cash_flow": 27e9, "capital_expenditure": -2e9}
PROFILE = Profile("MADE", "Made Up Inc.", "stock", "technology", currency="USD")
WITHHELD = ("market_cap", "shares", "eps_ttm", "pe_ttm", "ps_ttm", "pb", "ev_ebitda", "fcf_yield")
PAGE = "docs/reference/data-faults.md"


def listed(close: float = 200.0, symbol: str = "MADE", shares_a_day: float = 50e6, **changes: object):
    return bars([close] * 520, symbol, volume=np.full(520, shares_a_day), **changes)


def counted(factor: float, currency: str = "USD") -> list[Statement]:
    """Quarters and the year, with counts times a factor and EPS divided by it: they agree with each other."""
    items = {**ITEMS, "shares_diluted": SHARES * factor, "eps_diluted": ITEMS["eps_diluted"] / factor}
    year = {name: value if name == "shares_diluted" else 4 * value for name, value in items.items()}
    quarters = [statement(end, items, currency=currency) for end in QUARTER_ENDS]
    return [*quarters, statement(date(2023, 12, 31), year, frequency="annual", currency=currency)]


def valued(
    factor: float = 1.0, *, prices=None, profile: Profile = PROFILE, currency: str = "USD", paid=None, ratios=None
) -> Fundamentals:
    flows = [statement(end, CASH, "cashflow", currency=currency) for end in QUARTER_ENDS]
    if paid is not None:
        flows.append(statement(date(2023, 12, 31), {"dividends_paid": -paid}, "cashflow", "annual"))
    return fundamentals(
        listed() if prices is None else prices,
        counted(factor, currency),
        [statement(QUARTER_ENDS[0], SHEET, "balance", currency=currency)],
        flows,
        profile,
        as_of=AS_OF,
        benchmark=None,
        known_at=KNOWN,
        ratios=ratios,
    )


def assert_withheld(found: Fundamentals, kind: str, *words: str) -> None:
    assert {name: getattr(found, name) for name in WITHHELD} == dict.fromkeys(WITHHELD)
    (reason,) = found.withheld
    assert reason in found.notes
    assert reason.endswith(f"({PAGE}#{kind}).")
    for word in words:
        assert word in reason


def test_sound_counts_are_left_alone():
    found = valued()
    assert found.withheld == ()
    assert found.market_cap == pytest.approx(3e12)
    assert found.pe_ttm == pytest.approx(30.0)
    assert found.ps_ttm == pytest.approx(7.5)


def test_counts_of_thirteen_shares_to_the_quoted_one_give_no_multiple():
    """The reported case: P/E 401.8 and a market value of 38.8 trillion, without a word."""
    found = valued(13)
    assert_withheld(found, "receipt-ratio", "less than 0.10 % of the shares counted are traded", "a receipt ratio")
    assert found.warnings
    assert "39" not in found.withheld[0]
    assert "401" not in found.withheld[0]


def test_a_market_value_that_no_company_had_gives_no_multiple_whatever_the_trading():
    assert_withheld(valued(13, prices=listed(shares_a_day=2e9)), "out-of-range", "above 12.00T USD")


@pytest.mark.parametrize("factor", [2.0, 5.0, 0.5, 0.2])
def test_dividends_paid_show_a_ratio_in_either_direction(factor: float):
    paid = tuple(
        Dividend(day, 0.25) for day in (date(2023, 2, 1), date(2023, 5, 1), date(2023, 8, 1), date(2023, 11, 1))
    )
    prices = listed(dividends=paid, shares_a_day=150e6)
    assert valued(prices=prices, paid=15e9).withheld == ()
    side = "more" if factor > 1 else "less"
    assert_withheld(valued(factor, prices=prices, paid=15e9), "receipt-ratio", f"would be {side} by 1.7 times")


def test_dividends_beyond_what_the_company_can_pay_show_one_too():
    paid = tuple(Dividend(AS_OF - timedelta(days=ago), 0.6) for ago in (20, 110, 200, 290))
    prices = listed(dividends=paid, shares_a_day=300e6)
    assert valued(prices=prices).withheld == ()
    assert_withheld(valued(6.5, prices=listed(100.0, dividends=paid, shares_a_day=300e6)), "receipt-ratio", "cash flow")


def test_one_special_dividend_shows_none():
    usual = tuple(Dividend(AS_OF - timedelta(days=ago), 0.2) for ago in (20, 110, 200, 290))
    special = Dividend(AS_OF - timedelta(days=50), 20.0)
    assert valued(prices=listed(dividends=(*usual, special))).withheld == ()


def test_more_than_all_shares_a_day_is_no_trading():
    assert_withheld(valued(0.01, prices=listed(shares_a_day=500e6)), "receipt-ratio", "more shares are traded than")


def test_volumes_that_nobody_gives_say_nothing():
    assert valued(prices=listed(shares_a_day=0.0)).withheld == ()


def test_the_vendors_own_market_value_is_held_against_the_count():
    ratios = Ratios("MADE", {"market_cap": 3e12, "forward_pe": 25.0}, "made", KNOWN)
    prices = listed(shares_a_day=150e6)
    assert valued(prices=prices, ratios=ratios).withheld == ()
    assert_withheld(valued(3, prices=prices, ratios=ratios), "receipt-ratio", "the vendor's own market value is less")


@pytest.mark.parametrize("name", ["Made Up ADR", "Made Up Plc Sponsored ADR"])
def test_a_receipt_by_name_without_a_known_ratio_gives_no_multiple(name: str):
    assert_withheld(valued(profile=replace(PROFILE, name=name)), "receipt-ratio", "its name is that of a depositary")


@pytest.mark.parametrize(("factor", "what"), [(1.0, "the company's shares"), (0.2, "receipts")])
def test_a_known_ratio_is_applied_once_whichever_way_the_source_counts(factor: float, what: str):
    """Five shares to one receipt of TSM, of which there are 25.9 billion."""
    found = valued(25.93 / 15 * factor, prices=listed(symbol="TSM"))
    assert found.shares == pytest.approx(25.93e9 / 5), what
    assert found.eps_ttm == pytest.approx(4 * 25e9 / (25.93e9 / 5))
    assert found.market_cap == pytest.approx(200 * 25.93e9 / 5)
    said = [note for note in found.notes if "one receipt stands for 5 shares" in note]
    assert len(said) == (1 if factor == 1 else 0)


def test_a_count_that_no_known_ratio_fits_gives_no_multiple():
    assert_withheld(
        valued(25.93 / 15 * 13, prices=listed(symbol="TSM")), "receipt-ratio", "the count fits no such ratio"
    )


def test_the_class_a_share_of_berkshire_counts_1500_of_class_b():
    found = valued(2.16 / 15, prices=listed(600_000.0, "BRK-A", shares_a_day=2000.0))
    assert found.shares == pytest.approx(1.44e6)
    assert found.market_cap == pytest.approx(600_000.0 * 1.44e6)


def facts(factor: float, symbol: str, rate: float):
    return company_facts(
        listed(symbol=symbol),
        counted(factor, "TWD"),
        [statement(QUARTER_ENDS[0], SHEET, "balance", currency="TWD")],
        [statement(end, CASH, "cashflow", currency="TWD") for end in QUARTER_ENDS],
        replace(PROFILE, symbol=symbol),
        exchange_rate=rate,
    )


def test_a_valuation_over_two_currencies_needs_the_ratio():
    """The reported case: a value of 6.26 a share, from shares of the company and the price of a receipt."""
    known = facts(25.93 / 15, "TSM", 0.03)
    assert known.shares is not None
    assert known.shares.value == pytest.approx(25.93e9 / 5)
    assert any("one receipt stands for 5 shares" in note for note in known.notes)
    unknown = facts(1.0, "MADE", 0.03)
    assert unknown.shares is None
    assert "its statements are in TWD and its price in USD" in unknown.withheld[0]


@pytest.mark.parametrize(("prices", "books"), [("USD", "XXX"), ("XXX", "USD"), ("XXX", "XXX")])
def test_a_currency_that_nobody_states_gives_no_multiple(prices: str, books: str):
    found = valued(prices=listed(currency=prices), currency=books)
    assert_withheld(found, "currency-unknown", "does not state the currency of the")


def test_a_dividend_yield_above_the_price_is_withheld():
    found = valued(prices=listed(dividends=(Dividend(AS_OF - timedelta(days=3), 250.0),)))
    assert found.dividend_yield is None
    assert any("the dividend yield would lie above 100.00%" in reason for reason in found.withheld)


def test_an_expected_eps_of_another_unit_gives_no_forward_pe():
    ratios = Ratios("MADE", {"forward_eps": 50_000.0}, "made", KNOWN)
    found = valued(ratios=ratios)
    assert found.vendor_ratios == {}
    assert any("on the expected earnings" in reason for reason in found.withheld)
    forward = trailing_forward_pe(found, as_of=AS_OF)
    assert (forward.forward_eps, forward.forward_pe) == (None, None)
    assert set(found.withheld) <= set(forward.notes)
    assert forward.pe_ttm == pytest.approx(30.0)


def test_one_quarter_in_another_currency_is_not_summed_into_a_multiple():
    rows = counted(1.0)
    rows[2] = replace(rows[2], currency="EUR")
    found = fundamentals(listed(), rows, [], [], PROFILE, as_of=AS_OF, benchmark=None, known_at=KNOWN)
    assert (found.market_cap, found.pe_ttm) == (None, None)
    assert found.withheld == ("Prices are in USD, the books in EUR: ratios of the two are n/a.",)
