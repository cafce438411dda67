"""Each figure needs the least history at which it means what its name says; across a halt it is absent."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from tests.support.builders import AS_OF, KNOWN, wander
from tradingagents.analytics.decisions.outcome import no_size, no_trade
from tradingagents.analytics.least_history import (
    LEAST_HISTORY,
    is_long_enough,
    short_history_fault,
    short_history_note,
    short_window_note,
)
from tradingagents.analytics.market.sectors import sector_relative
from tradingagents.analytics.price import returns
from tradingagents.analytics.price.chart_data import chart_data
from tradingagents.analytics.price.indicators import INDICATORS, latest
from tradingagents.analytics.price.lppl import lppl_analysis
from tradingagents.analytics.price.market_snapshot import market_snapshot
from tradingagents.analytics.price.risk_profile import risk_profile
from tradingagents.analytics.price.stock_data import daily_range, stock_data, year_range
from tradingagents.analytics.price.watch_overview import WatchedData, watch_overview
from tradingagents.dataflows.gateway.checks.price_checks import check_prices
from tradingagents.dataflows.gateway.checks.price_days import with_bars
from tradingagents.dataflows.models import Prices
from tradingagents.errors import NoData

BENCHMARK = wander(600, seed=3, symbol="SPY")


def stock_figures(prices: Prices) -> dict[str, float | None]:
    first = prices.days[0].item()
    found = stock_data(prices, as_of=AS_OF, start=first, end=AS_OF, known_at=KNOWN)
    return {figure.name: figure.value for figure in found.figures()}


def snapshot_figures(prices: Prices) -> dict[str, float | None]:
    return {one.name: one.value for one in market_snapshot(prices, None, as_of=AS_OF, known_at=KNOWN).figures()}


def risk_figures(prices: Prices) -> dict[str, float | None]:
    try:
        found = risk_profile(prices, as_of=AS_OF, benchmark=BENCHMARK, known_at=KNOWN)
    except NoData:
        return {}
    return dict(found.measures)


def relative_figures(prices: Prices) -> dict[str, float | None]:
    found = sector_relative(prices, BENCHMARK, as_of=AS_OF, sector="technology", known_at=KNOWN)
    return {"change_6m": found.stock_returns["6m"]}


FIGURES: dict[str, Callable[[Prices], dict[str, float | None]]] = {
    **dict.fromkeys(("change_1d", "change_1w", "change_1m", "change_3m", "avg_volume_20d"), stock_figures),
    **dict.fromkeys(("volatility_20d", "max_drawdown_1y"), stock_figures),
    **dict.fromkeys(("return_252d", "sma_50", "sma_200"), snapshot_figures),
    **dict.fromkeys(("volatility_252d", "downside_deviation_252d", "amihud_illiquidity"), risk_figures),
    **dict.fromkeys(("beta", "var_95_1d", "var_99_1d", "expected_shortfall_95_1d"), risk_figures),
    **dict.fromkeys(("expected_shortfall_99_1d",), risk_figures),
    "mean_dollar_volume_20d": lambda prices: {"mean_dollar_volume_20d": returns.mean_dollar_volume(prices)},
    "daily_range": lambda prices: {"daily_range": daily_range(prices)},
    "change_6m": relative_figures,
    **dict.fromkeys(INDICATORS, lambda prices: latest(prices, *INDICATORS)),
}
BY_CALENDAR = {"high_52w", "low_52w", "dividend_yield"}


def test_the_table_and_this_test_name_the_same_figures():
    assert set(FIGURES) | BY_CALENDAR == set(LEAST_HISTORY)


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_is_absent_one_session_below_its_least_history_and_there_at_it(name: str):
    least = LEAST_HISTORY[name]
    prices = wander(600)
    enough, short = prices.since(prices.days[-least].item()), prices.since(prices.days[1 - least].item())
    assert (len(enough), len(short)) == (least, least - 1)
    assert FIGURES[name](enough)[name] is not None
    if least > 1:
        assert FIGURES[name](short).get(name) is None
    assert is_long_enough(enough, name)
    assert not is_long_enough(short, name)


@pytest.mark.parametrize(("bars", "there"), [(3, False), (100, False), (247, False), (248, True), (251, True)])
def test_a_range_of_52_weeks_needs_about_a_year_by_the_calendar(bars: int, there: bool):
    prices = wander(600)
    known = prices.since(prices.days[-bars].item())  # 358 days before AS_OF is 2023-07-06, the 248th last session
    found = stock_figures(known)
    assert (found["high_52w"] is not None, found["low_52w"] is not None) == (there, there)
    assert is_long_enough(known, "high_52w") is there
    if there:
        assert found["high_52w"] == pytest.approx(float(known.high.max()))


def test_a_short_history_names_its_sessions_and_those_needed():
    prices = wander(3)
    note = short_history_note(prices, ("change_1d", "change_1w", "high_52w", "volatility_20d"))
    assert note is not None
    assert "MADE has 3 sessions from 2024-06-26" in note
    assert "change_1w: 6; volatility_20d: 21; high_52w: about 252." in note
    assert short_history_note(wander(300), LEAST_HISTORY) is None
    fault = short_history_fault(prices)
    assert fault is not None
    assert (fault.kind, fault.withholds) == ("short-history", True)
    assert short_history_fault(wander(300)) is None
    assert short_history_fault(replace(prices, withheld=None)) is not None


def test_every_view_of_three_bars_names_what_is_absent():
    prices = wander(3)
    stock = stock_data(prices, as_of=AS_OF, start=prices.days[0].item(), end=AS_OF, known_at=KNOWN)
    snapshot = market_snapshot(prices, None, as_of=AS_OF, known_at=KNOWN)
    watched = watch_overview(["MADE"], {"MADE": WatchedData(prices, "Made", KNOWN)}, (), as_of=AS_OF)
    chart = chart_data(
        prices, {}, as_of=AS_OF, start=prices.days[0].item(), indicators=("rsi",), events=(), known_at=KNOWN
    )
    relative = sector_relative(prices, BENCHMARK, as_of=AS_OF, sector="technology", known_at=KNOWN)
    for result in (stock, snapshot, watched, chart):
        assert any("3 sessions from 2024-06-26" in note for note in result.notes), result.title
    assert any("3 sessions, 1-Week needs 6" in note for note in relative.notes)
    assert watched.symbols[0].from_high_pct is None


def halted(first: int, stop: int) -> Prices:
    """What the gate leaves of 600 sessions when those of [first, stop) stood still."""
    given = wander(600)
    columns = {name: getattr(given, name).copy() for name in ("open", "high", "low", "close", "adj_close")}
    for values in columns.values():
        values[first:stop] = given.close[first - 1]
    volume = given.volume.copy()
    volume[first:stop] = 0
    return check_prices(replace(given, **columns, volume=volume), AS_OF).prices


def test_a_window_that_touches_a_halt_has_no_figure_and_one_after_it_has():
    prices = halted(500, 530)  # 70 sessions since
    found = {**stock_figures(prices), **snapshot_figures(prices), **latest(prices, *INDICATORS)}
    sound = wander(600)
    clean = {**stock_figures(sound), **snapshot_figures(sound), **latest(sound, *INDICATORS)}
    for name in ("change_1m", "change_3m", "volatility_20d", "avg_volume_20d", "close_50_sma", "boll_ub", "vwma"):
        assert found[name] == pytest.approx(clean[name]), name
    for name in ("close_200_sma", "sma_200", "rsi", "macd", "macdh", "atr"):
        assert found[name] is None, name
        assert clean[name] is not None, name
    assert found["return_252d"] == pytest.approx(clean["return_252d"])  # by sessions


def test_six_weeks_without_a_trade_are_no_calm():
    prices = halted(565, 595)  # five sessions since
    found = {**stock_figures(prices), **latest(prices, *INDICATORS)}
    for name in ("change_1w", "change_1m", "volatility_20d", "avg_volume_20d", "atr", "rsi", "boll_ub", "close_10_ema"):
        assert found[name] is None, name
    assert daily_range(prices) is None
    assert found["change_1d"] is not None
    reason = no_size(prices)
    assert reason is not None
    assert reason.startswith("30 sessions since ")
    assert "docs/reference/data-faults.md#no-trade" in reason


def test_the_change_across_a_reopening_is_no_change_of_a_day():
    prices = halted(595, 599)
    assert stock_figures(prices)["change_1d"] is None
    assert returns.year_to_date(prices) == pytest.approx(returns.year_to_date(wander(600)))  # by date: still true


def test_extremes_of_a_year_are_known_where_no_price_of_a_session_without_a_bar_could_change_them():
    level = np.concatenate([np.full(480, 10.0), np.linspace(10, 20, 20), np.linspace(20, 10, 20), np.full(80, 11.0)])
    made = replace(wander(600), close=level, adj_close=level, open=level, high=level * 1.01, low=level * 0.99)
    quiet = check_prices(_without(made, 560), AS_OF).prices  # at 11, with 20.2 the high and 9.9 the low
    high, low = year_range(quiet)
    assert high == pytest.approx(20.2)
    assert low == pytest.approx(9.9)
    assert returns.max_drawdown(quiet) == pytest.approx(-0.5)
    high, low = year_range(check_prices(_without(made, 501), AS_OF).prices)  # beside the high
    assert high is None
    assert low == pytest.approx(9.9)
    assert returns.max_drawdown(check_prices(_without(made, 501), AS_OF).prices) is None
    assert year_range(check_prices(_without(made, 518), AS_OF).prices)[1] is None  # beside the low


def _without(prices: Prices, index: int) -> Prices:
    return with_bars(prices, np.arange(len(prices)) != index)


def test_a_beta_may_lack_one_session_in_a_hundred():
    assert returns.beta(halted(500, 505), BENCHMARK) is not None
    assert returns.beta(halted(500, 506), BENCHMARK) is None


def test_bubbles_are_fitted_on_windows_without_a_halt():
    lengths = [one.sessions for one in lppl_analysis(halted(400, 430), as_of=AS_OF, known_at=KNOWN).fits]
    assert lengths
    assert max(lengths) <= 170  # sessions since
    with pytest.raises(NoData, match="has no bar of a session"):
        lppl_analysis(halted(500, 530), as_of=AS_OF, known_at=KNOWN)


def test_one_session_without_a_trade_leaves_changes_and_long_averages():
    prices = halted(590, 591)
    found = {**stock_figures(prices), **latest(prices, "rsi", "close_200_sma")}
    assert found["volatility_20d"] is None  # one return is that of two sessions
    assert found["rsi"] is None
    assert found["close_200_sma"] is not None
    assert found["change_1w"] == pytest.approx(100 * (prices.adj_close[-1] / prices.adj_close[-6] - 1))
    week = stock_figures(halted(596, 597))["change_1w"]
    assert week == pytest.approx(stock_figures(wander(600))["change_1w"])  # by sessions
    assert stock_figures(halted(594, 595))["change_1w"] is None


def test_sizes_need_the_volatility_of_twenty_sessions():
    assert no_size(wander(21)) is None
    short = no_size(wander(20))
    assert short is not None
    assert "needs 21 sessions of prices, and MADE has 20" in short
    still = replace(wander(60), adj_close=np.full(60, 10.0))
    assert no_size(still) == "the close of MADE did not move in 20 sessions, which measures no risk."
    assert no_trade(wander(60), AS_OF) is None


def test_measures_of_every_daily_return_need_nearly_every_session():
    names = ("worst_day", "skewness", "excess_kurtosis", "var_95_1d", "expected_shortfall_95_1d")
    few = risk_profile(halted(500, 505), as_of=AS_OF, benchmark=None, known_at=KNOWN).measures
    many = risk_profile(halted(500, 507), as_of=AS_OF, benchmark=None, known_at=KNOWN).measures
    assert all(few[name] is not None for name in names)
    assert all(many[name] is None for name in names)


def test_a_merged_bar_of_a_week_with_a_session_without_a_bar_is_left_out():
    prices = halted(500, 501)
    first = prices.days[450].item()

    def listed(given: Prices) -> list[str]:
        return stock_data(given, as_of=AS_OF, start=first, end=AS_OF, known_at=KNOWN).csv.splitlines()

    left = set(listed(wander(600))) - set(listed(prices))
    assert len(left) == 1
    assert set(listed(prices)) < set(listed(wander(600)))


def test_a_beta_of_less_than_a_year_says_since_when():
    said = short_window_note(wander(100), "the beta is")
    assert said is not None
    assert said.endswith(f"the beta is over 100 sessions from {wander(100).days[0]}.")
    assert short_window_note(wander(253), "the beta is") is None


@pytest.mark.parametrize("name", ["macd", "macds", "macdh"])
def test_a_macd_is_right_to_a_hundredth_of_a_percent_of_the_price_from_its_first_bar_on(name: str):
    whole, least = wander(504), LEAST_HISTORY[name]
    cut = whole.since(whole.days[-least].item())
    shown, true = latest(cut, name)[name], latest(whole, name)[name]
    assert shown is not None
    assert abs(shown - true) < 0.0001 * whole.close[-1]
    assert latest(whole.since(whole.days[1 - least].item()), name)[name] is None
