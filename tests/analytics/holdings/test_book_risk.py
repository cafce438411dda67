"""Risk of holdings: figures worked out by hand, and the laws of contributions."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.fakes import make_prices
from tradingagents.analytics.holdings.book_risk import LEAST_DAYS, YEAR, DailyReturns, book_risk, daily_returns
from tradingagents.dataflows.models import Prices

DAYS = [date(2024, 1, 1) + timedelta(days=number) for number in range(120)]
SWING = np.tile([0.01, -0.01], 60)
"""Up and down by 1 %: a variance of 0.0001 x 120/119."""
VARIANCE = 0.0001 * 120 / 119


def test_one_holding_has_its_own_risk():
    found = book_risk({"AAPL": 1.0}, SWING[:, None], DAYS, 2 * SWING)
    assert found is not None
    assert found.volatility == pytest.approx((VARIANCE * YEAR) ** 0.5)
    assert found.beta == pytest.approx(0.5)
    assert found.drawdown == pytest.approx(1 - 0.99 * (1.01 * 0.99) ** 59)
    assert (found.concentration, found.effective_holdings, found.holdings["AAPL"].contribution) == (1, 1, 1)


def test_half_in_cash_halves_volatility_and_beta():
    whole = book_risk({"AAPL": 1.0}, SWING[:, None], DAYS, SWING)
    half = book_risk({"AAPL": 0.5}, SWING[:, None], DAYS, SWING)
    assert whole is not None
    assert half is not None
    assert half.volatility == pytest.approx(whole.volatility / 2)
    assert (whole.beta, half.beta) == (pytest.approx(1), pytest.approx(0.5))


def test_a_short_position_in_the_same_risk_offsets_it():
    found = book_risk({"A": 0.6, "B": -0.3}, np.column_stack([SWING, SWING]), DAYS, SWING)
    assert found is not None
    assert found.volatility == pytest.approx(0.3 * (VARIANCE * YEAR) ** 0.5)
    assert [part.contribution for part in found.holdings.values()] == pytest.approx([2, -1])
    assert found.correlations[0, 1] == pytest.approx(1)


def test_the_worst_months_are_whole_ones():
    returns = np.zeros(120)
    returns[[5, 40, 70]] = -0.5, -0.1, -0.2  # January is cut, February, March
    found = book_risk({"A": 1.0}, returns[:, None], DAYS)
    assert found is not None
    assert found.beta is None
    assert [(month, round(loss, 9)) for month, loss in found.worst_months] == [("2024-03", -0.2), ("2024-02", -0.1)]


@pytest.mark.parametrize(("weights", "days"), [({}, 120), ({"A": 0.0}, 120), ({"A": 1.0}, LEAST_DAYS - 1)])
def test_without_holdings_or_history_there_is_no_risk(weights: dict[str, float], days: int):
    assert book_risk(weights, np.zeros((days, len(weights))), DAYS[:days]) is None


@given(st.integers(0, 10_000), st.integers(2, 6))
def test_contributions_sum_to_one_and_the_order_does_not_matter(seed: int, count: int):
    draw = np.random.default_rng(seed)
    returns, sizes = draw.normal(0, 0.02, (120, count)), draw.uniform(0.01, 0.3, count)
    weights = {f"S{number}": float(size) for number, size in enumerate(sizes)}
    found = book_risk(weights, returns, DAYS)
    turned = book_risk(dict(reversed(weights.items())), returns[:, ::-1], DAYS)
    assert found is not None
    assert turned is not None
    assert sum(part.contribution for part in found.holdings.values()) == pytest.approx(1)
    assert found.volatility == pytest.approx(turned.volatility)
    assert found.volatility == pytest.approx(float(np.std(returns @ sizes, ddof=1)) * YEAR**0.5)
    assert {symbol: pytest.approx(part.contribution) for symbol, part in turned.holdings.items()} == {
        symbol: part.contribution for symbol, part in found.holdings.items()
    }


@given(st.integers(0, 10_000), st.integers(1, 5))
def test_what_a_decision_tells_is_what_the_whole_risk_tells(seed: int, count: int):
    draw = np.random.default_rng(seed)
    symbols = tuple(f"S{number}" for number in range(count))
    known = DailyReturns(
        symbols=symbols,
        returns=draw.normal(0, 0.02, (120, count)),
        days=tuple(DAYS),
        benchmark=draw.normal(0, 0.01, 120) if seed % 2 else None,
    )
    weights = dict(zip(symbols, draw.uniform(-0.3, 0.3, count), strict=True))
    whole, swing = known.risk(weights), known.swing(weights)
    assert whole is not None
    assert swing is not None
    assert swing.volatility == pytest.approx(whole.volatility)
    assert swing.beta == (None if whole.beta is None else pytest.approx(whole.beta))
    assert known.swing({}) is known.risk({}) is None


def test_days_in_common_are_those_that_all_have():
    bars = [make_prices(name, first=first) for name, first in (("A", DAYS[0]), ("B", DAYS[20]), ("C", DAYS[10]))]
    gap = _without(bars[2], [30, 31])
    found = daily_returns({"A": bars[0], "B": bars[1], "C": gap}, bars[0])
    wanted = set(bars[0].days.tolist()) & set(bars[1].days.tolist()) & set(gap.days.tolist())
    assert found.days == tuple(sorted(wanted))[1:]


def _without(bars: Prices, gone: list[int]) -> Prices:
    kept = np.delete(np.arange(len(bars.days)), gone)
    columns = ("days", "open", "high", "low", "close", "adj_close", "volume")
    return replace(bars, **{name: getattr(bars, name)[kept] for name in columns})
