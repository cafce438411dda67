"""Prices of the simulated market: reproducible, consistent with each other, and driven by what drives them."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.tiers import sampled
from tradingagents.dataflows.models import Floats, Prices
from tradingagents.dataflows.reference.calendar import Sessions, sessions
from tradingagents.dataflows.reference.sectors import SECTOR_ETF
from tradingagents.dataflows.vendors.simulated import COMPANIES, SYMBOLS, Regime, SimulatedVendor
from tradingagents.dataflows.vendors.simulated.world import BASKETS, index_shares
from tradingagents.errors import NoData

pytestmark = pytest.mark.own_market

FIRST, LAST = date(2018, 1, 2), date(2026, 6, 30)
FIELDS = ("days", "open", "high", "low", "close", "adj_close", "volume")
VENDOR = SimulatedVendor()


def full(symbol: str, vendor: SimulatedVendor = VENDOR) -> Prices:
    return vendor.get_stock_data(symbol, FIRST, LAST)


def change(close: Floats) -> Floats:
    return close[1:] / close[:-1] - 1.0


def shortened(by: int) -> Sessions:
    whole = sessions("XNYS")
    return Sessions("XNYS", whole.days[:-by], whole.opens[:-by], whole.closes[:-by])


def same(some: Prices, other: Prices) -> bool:
    return all(np.array_equal(getattr(some, field), getattr(other, field)) for field in FIELDS)


def test_the_same_seed_gives_the_same_market_and_another_one_gives_another():
    again, other = SimulatedVendor(7), SimulatedVendor(8)
    for symbol in SYMBOLS:
        assert same(full(symbol), full(symbol, again))
        assert not np.array_equal(full(symbol).close, full(symbol, other).close)


@pytest.mark.parametrize("by", [1, 2, 377])
def test_a_longer_calendar_leaves_earlier_bars_as_they_were(by):
    calendar = shortened(by)
    shorter, last = SimulatedVendor(calendar=calendar), calendar.days[-1]
    for symbol in SYMBOLS:
        some = shorter.get_stock_data(symbol, FIRST, last)
        other = VENDOR.get_stock_data(symbol, FIRST, last)
        assert same(some, other)
        assert (some.splits, some.dividends) == (other.splits, other.dividends)


@settings(deadline=None)
@given(
    symbol=st.sampled_from(SYMBOLS),
    start=st.dates(FIRST, LAST - timedelta(days=10)),
    length=st.integers(10, 2000),
)
def test_a_bar_does_not_depend_on_the_window_asked_for(symbol, start, length):
    end = min(start + timedelta(days=length), LAST)
    if COMPANIES.get(symbol) and COMPANIES[symbol].listed:
        start, end = LAST - timedelta(days=length // 10 + 10), LAST
    part, whole = VENDOR.get_stock_data(symbol, start, end), full(symbol)
    assert same(part, whole.since(start).upto(end))
    assert part.splits == whole.splits
    assert part.dividends == tuple(paid for paid in whole.dividends if start <= paid.day <= end)


def test_bars_fall_on_sessions_of_the_exchange_from_2018_on():
    assert full("SPY").days.tolist() == list(sessions("XNYS").between(FIRST, LAST))
    assert full("SPY").days[0].item() == FIRST


@pytest.mark.parametrize("symbol", sampled(SYMBOLS, every=3))
def test_highs_and_lows_enclose_opens_and_closes(symbol):
    bars = full(symbol)
    assert np.all(bars.low <= np.minimum(bars.open, bars.close))
    assert np.all(bars.high >= np.maximum(bars.open, bars.close))
    assert np.all(bars.low > 0.0)
    assert np.all(np.isfinite(bars.volume) & (bars.volume >= 0.0))


@pytest.mark.parametrize("symbol", sampled(COMPANIES, every=3))
def test_shares_trade_in_whole_cents_and_more_on_large_moves(symbol):
    bars = full(symbol)
    as_traded = bars.as_traded(bars.days[0].item())
    before_split = slice(0, 250)
    cents = as_traded.close[before_split] * 100.0
    assert np.allclose(cents, np.round(cents), atol=1e-6)
    assert np.corrcoef(np.abs(change(bars.close)), np.log(bars.volume[1:]))[0, 1] > 0.3


def test_bars_can_not_be_written_to():
    with pytest.raises(ValueError, match="read-only"):
        full("SPY").close[0] = 1.0


@pytest.mark.parametrize("symbol", [*SECTOR_ETF.values(), "SPY", "^GSPC", "QQQ", "^NDX", "^IXIC", "IWM", "^RUT"])
def test_a_cap_weighted_fund_returns_exactly_what_its_companies_return(symbol):
    members = BASKETS[symbol].members
    caps = np.array([index_shares(member) * full(member.symbol).close for member in members])
    weights = caps[:, :-1] / caps[:, :-1].sum(axis=0)
    expected = (weights * np.array([change(full(member.symbol).close) for member in members])).sum(axis=0)
    np.testing.assert_allclose(change(full(symbol).close), expected, rtol=0.0, atol=1e-13)


def test_a_sector_fund_holds_the_companies_of_its_sector_that_are_listed_all_along():
    for sector, etf in SECTOR_ETF.items():
        names = {one.symbol for one in COMPANIES.values() if one.sector == sector and one.listed is None}
        assert {member.symbol for member in BASKETS[etf].members} == names


def test_the_equal_weight_fund_returns_the_mean_and_the_price_weighted_one_the_sum_of_prices():
    each = np.array([change(full(member.symbol).close) for member in BASKETS["RSP"].members])
    np.testing.assert_allclose(change(full("RSP").close), each.mean(axis=0), rtol=0.0, atol=1e-13)
    total = sum(full(member.symbol).close for member in BASKETS["^DJI"].members)
    np.testing.assert_allclose(full("^DJI").close / 24800.0, total / total[0], rtol=1e-12)
    np.testing.assert_allclose(full("DIA").close / 248.0, total / total[0], rtol=1e-12)


def test_funds_hand_on_the_dividends_of_what_they_hold():
    spy = full("SPY")
    assert {paid.day.month for paid in spy.dividends} == {3, 6, 9, 12}
    collected = sum(
        index_shares(member) * paid.amount
        for member in BASKETS["SPY"].members
        for paid in full(member.symbol).dividends
        if date(2023, 3, 1) <= paid.day < date(2023, 6, 1)
    )
    caps = sum(index_shares(member) * full(member.symbol).close for member in BASKETS["SPY"].members)
    in_june = next(paid.amount for paid in spy.dividends if (paid.day.year, paid.day.month) == (2023, 6))
    assert in_june == pytest.approx(collected * 270.0 / caps[0], abs=1e-4)


@pytest.mark.parametrize("symbol", ["OMBZ", "TOBQ", "XLU", "SPY", "HYG", "VELQ", "MRKZ"])
def test_adjusted_returns_are_total_returns(symbol):
    bars = full(symbol)
    paid = np.zeros(len(bars))
    for dividend in bars.dividends:
        paid[int(np.searchsorted(bars.days, np.datetime64(dividend.day)))] = dividend.amount
    expected = (bars.close[1:] + paid[1:]) / bars.close[:-1] - 1.0
    np.testing.assert_allclose(change(bars.adj_close), expected, rtol=0.0, atol=1e-12)
    assert bool(bars.dividends) == (symbol not in {"VELQ", "MRKZ"})
    assert bars.adj_close[0] == bars.close[0]


def test_dividends_come_quarterly_and_start_at_the_yield_of_the_roster():
    paid = full("OMBZ").dividends
    assert [(one.day.year, one.day.month) for one in paid[:5]] == [
        (2018, 2),
        (2018, 5),
        (2018, 8),
        (2018, 11),
        (2019, 2),
    ]
    assert paid[0].amount == 0.24  # 96 USD at 1 % a year
    assert paid[4].amount > 0.24


@pytest.mark.parametrize(("symbol", "ratio"), [("VELQ", 4.0), ("VOMQ", 3.0), ("MODZ", 0.1)])
def test_a_split_changes_the_price_as_traded_and_not_the_value(symbol, ratio):
    bars = full(symbol)
    (split,) = bars.splits
    at = int(np.searchsorted(bars.days, np.datetime64(split.day)))
    eve = bars.as_traded(bars.days[at - 1].item())
    assert split.ratio == ratio
    assert eve.close[at - 1] == pytest.approx(bars.close[at - 1] * ratio)
    assert eve.volume[at - 1] == pytest.approx(bars.volume[at - 1] / ratio)
    assert abs(bars.close[at] / bars.close[at - 1] - 1.0) < 0.2
    assert eve.close[0] == COMPANIES[symbol].price
    assert not bars.dividends


def test_only_the_documented_companies_split():
    split = [one.symbol for one in COMPANIES.values() if one.split]
    assert split == ["VELQ", "VOMQ", "MODZ"]
    assert all(not full(symbol).splits for symbol in SYMBOLS if symbol not in split)


def test_expected_volatility_is_higher_in_worse_moods_and_moves_against_the_index():
    fear, index = full("^VIX"), full("^GSPC")
    moods = np.array([VENDOR.regime(day) for day in fear.days.tolist()])
    calm, nervous, bear = (float(fear.close[moods == mood].mean()) for mood in Regime)
    assert calm < 16.0 < nervous < bear
    assert bear > 25.0
    assert np.corrcoef(np.log(fear.close[1:] / fear.close[:-1]), change(index.close))[0, 1] < -0.6


def test_moods_change_what_the_market_does():
    index = full("^GSPC")
    moods = np.array([VENDOR.regime(day) for day in index.days.tolist()])[1:]
    mean = [float(change(index.close)[moods == mood].mean()) for mood in Regime]
    spread = [float(change(index.close)[moods == mood].std()) for mood in Regime]
    assert mean[Regime.CALM] > 0.0 > mean[Regime.BEAR]
    assert spread[Regime.CALM] < spread[Regime.NERVOUS] < spread[Regime.BEAR]


def test_tails_are_fatter_than_normal():
    moves = np.log(full("^GSPC").close[1:] / full("^GSPC").close[:-1])
    assert float(((moves - moves.mean()) ** 4).mean() / moves.var() ** 2) > 4.0


def test_bad_credit_loses_and_safe_bonds_gain_when_the_mood_turns_bad():
    day_of = full("SPY").days.tolist()
    moods = [VENDOR.regime(day) for day in day_of]
    start = next(
        index
        for index in range(len(moods) - 60)
        if moods[index - 1] < Regime.BEAR and set(moods[index : index + 60]) == {2}
    )
    gain = {
        symbol: full(symbol).close[start + 59] / full(symbol).close[start - 1] - 1.0 for symbol in ("HYG", "LQD", "TLT")
    }
    assert gain["HYG"] < -0.05 < gain["LQD"] < gain["TLT"]


@pytest.mark.parametrize("seed", [1, 7, 2024])
def test_every_seed_gives_a_market_one_can_believe_in(seed):
    bars = full("^GSPC", SimulatedVendor(seed))
    yearly = (bars.close[-1] / bars.close[0]) ** (252.0 / len(bars)) - 1.0
    assert -0.05 < yearly < 0.20
    assert 0.12 < np.log(bars.close[1:] / bars.close[:-1]).std() * np.sqrt(252.0) < 0.26


def test_a_listing_of_2025_has_no_bars_before_it():
    assert full("PLYZ").days[0].item() == date(2025, 3, 3)
    with pytest.raises(NoData, match=r"PLYZ run from 2025-03-03 to .*; ask for other dates\."):
        VENDOR.get_stock_data("PLYZ", FIRST, date(2025, 3, 2))


def test_a_window_without_sessions_has_no_data():
    with pytest.raises(NoData, match="there are none from 2024-03-30 to 2024-03-31"):
        VENDOR.get_stock_data("SPY", date(2024, 3, 30), date(2024, 3, 31))


def test_bars_are_dated_by_the_close_of_the_last_one():
    bars = VENDOR.get_stock_data("SPY", date(2024, 5, 1), date(2024, 5, 12))
    assert bars.fetched_at == datetime(2024, 5, 10, 20, 0, tzinfo=UTC)
    assert (bars.currency, bars.vendor, bars.basis) == ("USD", "simulated", "split_adjusted")
    assert VENDOR.get_stock_data("^VIX", date(2024, 5, 1), date(2024, 5, 12)).basis == "index"
