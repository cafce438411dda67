"""Volumes in another unit than shares are withheld; trading that is heavy or light for once is not."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.dataflows.gateway.checks.test_price_checks import DAYS, LAST, prices, said
from tradingagents.analytics.price.indicators import latest
from tradingagents.analytics.price.returns import mean_dollar_volume, simple_return
from tradingagents.analytics.price.stock_data import stock_data
from tradingagents.dataflows.gateway.checks.price_checks import check_prices
from tradingagents.dataflows.models import Prices


def traded(factor: float, first: int, stop: int, usual: float = 1_000_000) -> Prices:
    """A year of about a million shares a session, with the volume of [first, stop) times a factor."""
    volume = usual * np.exp(0.3 * np.sin(np.arange(len(DAYS)) ** 2))
    volume[first:stop] *= factor
    return replace(prices(), volume=volume)


@pytest.mark.parametrize("factor", [0.01, 100.0, 0.001, 1000.0])
@pytest.mark.parametrize("count", [2, 5, 30])
def test_a_stretch_in_lots_is_withheld_up_to_its_end(factor: float, count: int):
    checked = check_prices(traded(factor, 150, 150 + count), LAST)
    assert checked.unusable is None
    assert np.isnan(checked.prices.volume[: 150 + count]).all()
    assert np.isfinite(checked.prices.volume[150 + count :]).all()
    assert [(fault.kind, fault.day) for fault in checked.faults] == [
        ("volume-unit", DAYS[150]),
        ("volume-unit", DAYS[150 + count]),
    ]
    assert simple_return(checked.prices, 126) == 0.0
    (note,) = checked.prices.notes
    assert note.startswith(f"Volumes of ACMQ from {checked.prices.vendor} before {DAYS[150 + count]} are withheld: ")
    assert note.endswith("(docs/reference/data-faults.md#volume-unit).")


def test_where_the_unit_stays_another_one_no_volume_is_used():
    checked = check_prices(traded(0.01, 200, len(DAYS)), LAST)
    assert np.isnan(checked.prices.volume).all()
    (text,) = said(checked)
    assert text == (
        f"ACMQ {DAYS[200]}: the volume is about a 100th of the usual at an unchanged price, like another unit than "
        "shares"
    )


def test_figures_on_volume_across_the_step_are_absent_and_those_of_closes_are_there():
    bars = check_prices(traded(0.01, 230, 240), LAST).prices
    shown = stock_data(bars, as_of=LAST, start=DAYS[-30], end=LAST, known_at=bars.fetched_at)
    assert shown.avg_volume_20d is None
    assert shown.volatility_20d is not None
    assert "nan" not in shown.csv
    assert mean_dollar_volume(bars) is None
    assert latest(bars, "vwma", "rsi") == {"vwma": None, "rsi": pytest.approx(50.0, abs=51)}


@pytest.mark.parametrize(
    ("factor", "first", "stop", "usual"),
    [
        (30.0, 150, 151, 1_000_000),  # heavy for once
        (10.0, 150, len(DAYS), 1_000_000),  # ten times is no unit
        (0.01, 150, 151, 1_000_000),  # a day on which trading was halted
        (100.0, 150, 180, 300),  # hardly traded before
    ],
)
def test_trading_of_the_market_is_used(factor: float, first: int, stop: int, usual: float):
    assert check_prices(traded(factor, first, stop, usual), LAST).faults == ()


def test_a_hundredfold_volume_at_a_price_that_moved_is_news():
    given = traded(100.0, 150, 152)
    after = np.where(np.arange(len(DAYS)) < 150, 1.0, 0.5)
    levels = {name: getattr(given, name) * after for name in ("open", "high", "low", "close", "adj_close")}
    assert all(fault.kind != "volume-unit" for fault in check_prices(replace(given, **levels), LAST).faults)


def test_lots_that_begin_on_a_busy_day_are_seen_by_the_days_after_it():
    bars = traded(0.01, 200, len(DAYS))
    bars.volume[200] *= 3.0  # options' expiry
    checked = check_prices(bars, LAST)
    assert np.isnan(checked.prices.volume).all()
    (fault,) = checked.faults
    assert (fault.kind, fault.day) == ("volume-unit", DAYS[200])


def test_more_money_a_session_than_any_share_had_is_another_unit_of_prices_or_volumes():
    # About 100 USD times a million shares; 1e12 USD are the bound.
    assert check_prices(traded(1.0, 0, 0), LAST).unusable is None
    checked = check_prices(traded(1.0, 0, 0, usual=1e12), LAST)
    assert checked.unusable == "its prices or volumes are in another unit"
    assert checked.faults[-1].kind == "out-of-range"
    assert check_prices(replace(traded(1.0, 0, 0, usual=1e12), symbol="BTC-USD"), LAST).unusable is None
