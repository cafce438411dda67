"""Bars that show no trade are left out and named; a series that ends before the last session says so."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import numpy as np
import pytest

from tests.support.builders import AS_OF, bars, wander
from tradingagents.dataflows.gateway.checks.price_checks import check_prices, trading_calendar
from tradingagents.dataflows.gateway.checks.traded_bars import missing_sessions, untraded, why_not_tradable
from tradingagents.dataflows.models import Prices

CALENDAR = trading_calendar("MADE")


def halted(first: int, stop: int, *, volume: float = 0.0, prices: Prices | None = None) -> Prices:
    """A random walk whose bars [first, stop) stand at the close before."""
    known = prices or wander(300)
    changed = {}
    for name in ("open", "high", "low", "close", "adj_close"):
        values = getattr(known, name).copy()
        values[first:stop] = (known.adj_close if name == "adj_close" else known.close)[first - 1]
        changed[name] = values
    traded = known.volume.copy()
    traded[first:stop] = volume
    return replace(known, **changed, volume=traded)


def days_of(prices: Prices, first: int, stop: int) -> tuple[date, ...]:
    return tuple(prices.days[first:stop].tolist())


def test_a_series_that_trades_every_day_is_returned_as_it_is():
    given = wander(300)
    checked = check_prices(given, AS_OF)
    assert checked.prices is given
    assert checked.faults == ()


@pytest.mark.parametrize("volume", [0.0, float("nan"), 5000.0])
def test_six_weeks_at_one_price_are_left_out_and_named_with_their_days(volume: float):
    given = halted(200, 230, volume=volume)
    checked = check_prices(given, AS_OF)
    assert checked.unusable is None
    assert len(checked.prices) == 270
    assert checked.prices.untraded == days_of(given, 200, 230)
    (fault,) = checked.faults
    assert (fault.kind, fault.withholds, fault.day) == ("no-trade", True, given.days[200].item())
    assert fault.what.startswith(f"30 bars up to {given.days[229]} show no trade: ")
    (note,) = checked.prices.gate_notes
    assert f"from {given.days[200]} to {given.days[229]}" in note
    assert "data-faults.md#no-trade" in note


def test_copies_of_a_whole_bar_are_no_trades_and_one_copy_at_one_price_may_be():
    given = wander(300)
    columns = {name: getattr(given, name).copy() for name in ("open", "high", "low", "close", "adj_close", "volume")}
    for values in columns.values():
        values[250:253] = values[249]
    assert np.flatnonzero(untraded(replace(given, **columns))).tolist() == [250, 251, 252]
    thin = halted(100, 102, volume=200.0)  # two trades at the price before
    assert not untraded(thin).any()


def test_repeated_closes_without_volume_are_a_halt_from_three_sessions_on():
    def with_range(count: int) -> Prices:
        given = halted(100, 100 + count)
        high, low = given.high.copy(), given.low.copy()
        high[100 : 100 + count] += 1 + np.arange(count)
        low[100 : 100 + count] -= 1
        return replace(given, high=high, low=low)

    assert untraded(with_range(2)).sum() == 0
    assert untraded(with_range(3)).sum() == 3


def test_whether_volume_counts_is_told_by_the_series_itself():
    index = replace(wander(300, symbol="^VIX"), volume=np.zeros(300), basis="index")
    assert not untraded(index).any()
    currency = replace(halted(100, 130), symbol="EURUSD=X", volume=np.zeros(300))
    assert not untraded(currency).any()
    lost = wander(300)  # a source that lost the volume of a week, with true highs and lows
    volume = lost.volume.copy()
    volume[100:105] = 0
    assert not untraded(replace(lost, volume=volume)).any()
    share = replace(halted(100, 105), volume=np.zeros(300))  # a share of a source without volume
    assert untraded(share).sum() == 5
    assert not untraded(replace(halted(100, 104), volume=np.zeros(300))).any()


def test_a_series_that_never_moves_is_no_halt():
    fund = bars([1.0] * 100, high=np.ones(100), low=np.ones(100), volume=np.zeros(100))
    assert not untraded(fund).any()


def test_a_day_is_judged_by_the_bars_up_to_it():
    given = halted(200, 230)
    for day in (199, 200, 215, 229, 230, 260):
        known = given.upto(given.days[day].item())
        alone = check_prices(known, given.days[day].item()).prices.untraded
        assert alone == days_of(given, 200, min(230, day + 1)) if day >= 200 else alone == ()


def test_old_stretches_are_faults_and_no_note_of_every_answer():
    checked = check_prices(halted(5, 9), AS_OF)
    (fault,) = checked.faults
    assert (fault.kind, fault.withholds) == ("no-trade", False)
    assert checked.prices.gate_notes == ()


@pytest.mark.parametrize(
    ("bars_back", "within", "spans"), [(2, 0, False), (21, 0, False), (22, 1, True), (23, 2, True), (64, 2, True)]
)
def test_a_window_with_a_session_without_a_trade_is_no_run_of_sessions(bars_back: int, within: int, spans: bool):
    # 2 sessions without a trade: the earlier lies before the last 22 bars, the later within them.
    given = halted(278, 279, prices=halted(276, 277))
    prices = check_prices(given, AS_OF).prices
    assert (prices.gaps_within(bars_back), prices.spans_gap(bars_back)) == (within, spans)


def test_the_bar_after_a_halt_has_no_return_of_one_session():
    prices = check_prices(halted(200, 230), AS_OF).prices
    assert np.flatnonzero(prices.resumes).tolist() == [200]
    assert not wander(50).resumes.any()


def test_what_rests_on_a_bar_that_lags_by_one_session_names_the_sessions():
    given = wander(300)
    prices = check_prices(given.upto(date(2024, 6, 27)), AS_OF).prices
    (note,) = prices.gate_notes
    assert note.startswith(f"The newest bar of {given.symbol} is of 2024-06-27, that of 2024-06-28 is not known")
    assert note.endswith(": figures are as of 2024-06-27.")


def test_cutting_a_series_cuts_its_sessions_without_a_trade():
    prices = check_prices(halted(200, 230), AS_OF).prices
    middle = prices.untraded[10]
    assert prices.upto(middle).untraded == prices.untraded[:11]
    assert prices.since(middle).untraded == prices.untraded[10:]
    assert prices.as_traded(AS_OF).untraded == prices.untraded
    assert prices.since(prices.days[-1].item()).untraded == ()


@pytest.mark.parametrize(("missing", "is_fault"), [(0, False), (1, False), (2, True), (3, True), (7, True), (9, False)])
def test_a_lag_of_one_session_is_noted_and_more_than_ten_days_are_refused_elsewhere(missing: int, is_fault: bool):
    given = wander(300)
    cut = given.upto(given.days[-1 - missing].item())
    checked = check_prices(cut, AS_OF)
    assert missing_sessions(cut.days[-1].item(), AS_OF, CALENDAR) == missing
    assert [fault.kind for fault in checked.faults] == ["stale-end"] * is_fault
    newest = [note for note in checked.prices.gate_notes if cut.days[-1].item().isoformat() in note]
    assert len(newest) == (0 < missing < 9)
    if is_fault:
        assert f"the newest bar is {missing} sessions older" in checked.faults[0].text()


def test_prices_that_nobody_could_trade_at_say_why():
    given = wander(300)
    assert why_not_tradable(given, AS_OF, CALENDAR) is None
    assert why_not_tradable(given.upto(given.days[-2].item()), AS_OF, CALENDAR) is None
    old = why_not_tradable(given.upto(given.days[-4].item()), AS_OF, CALENDAR)
    assert old is not None
    assert f"of {given.days[-4]}, 3 sessions before {AS_OF}" in old
    still = check_prices(halted(299, 300), AS_OF).prices
    said = why_not_tradable(still, AS_OF, CALENDAR)
    assert said is not None
    assert said.startswith(f"MADE has not traded since {given.days[-2]}: the bars of 1 session up to {AS_OF}")


def test_without_a_known_calendar_no_session_is_missed():
    assert missing_sessions(date(2024, 1, 2), AS_OF, None) == 0
