"""Dividends of a company, worked out by hand."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from tests.support.fakes import make_prices
from tradingagents.analytics.company.dividend_history import DividendHistory, dividend_history
from tradingagents.analytics.company.fundamentals import fundamentals
from tradingagents.dataflows.models import Dividend, Profile
from tradingagents.errors import NoData

DAY, KNOWN = date(2024, 6, 28), datetime(2024, 6, 28, 20, tzinfo=UTC)
PAID = (
    Dividend(date(2023, 6, 1), 1.0),
    Dividend(date(2023, 9, 1), 1.0),
    Dividend(date(2023, 12, 1), 1.0),
    Dividend(date(2024, 3, 1), 1.1),
    Dividend(date(2024, 6, 3), 1.1),
)


def history(paid: tuple[Dividend, ...], eps: float | None = None) -> DividendHistory:
    prices = make_prices(start=100.0, step=0.0, last=DAY, dividends=paid)
    profile = Profile(symbol="ACME", name="Acme", kind="stock")
    ratios = fundamentals(prices, [], [], [], profile, as_of=DAY, benchmark=None, known_at=KNOWN)
    return dividend_history(prices, ratios.model_copy(update={"eps_ttm": eps}), known_at=KNOWN)


def test_a_year_of_dividends_its_yield_growth_and_payout():
    found = history(PAID, eps=8.4)
    assert found.dividends_12m == pytest.approx(1.0 + 1.0 + 1.1 + 1.1)  # that of June 2023 lies is 393 days back
    assert found.dividend_yield == pytest.approx(4.2)
    assert found.payout_ratio == pytest.approx(50.0)
    assert found.dividend_yoy == pytest.approx(10.0)  # 1.10 against the 1.00 of 368 days before
    assert (found.dividend_last, found.dividend_before, found.last_ex_date) == (1.1, 1.1, date(2024, 6, 3))
    assert [payment.amount for payment in found.payments] == [1.1, 1.1, 1.0, 1.0, 1.0]


@pytest.mark.parametrize("eps", [None, 0.0, -2.0])
def test_without_a_profit_no_payout(eps: float | None):
    assert history(PAID, eps).payout_ratio is None


def test_without_a_dividend_a_year_before_no_growth():
    assert history(PAID[-1:]).dividend_yoy is None


def test_none_paid_is_not_unknown():
    found = history(())
    assert (found.dividends_12m, found.dividend_yield, found.dividend_last, found.payments) == (0.0, 0.0, None, ())


def test_where_the_source_does_not_say_it_is_no_zero():
    prices = make_prices(first=date(2024, 1, 3), last=DAY)  # less than a year
    profile = Profile(symbol="ACME", name="Acme", kind="stock")
    ratios = fundamentals(prices, [], [], [], profile, as_of=DAY, benchmark=None, known_at=KNOWN)
    with pytest.raises(NoData, match="gives no dividends of ACME"):
        dividend_history(prices, ratios, known_at=KNOWN)
