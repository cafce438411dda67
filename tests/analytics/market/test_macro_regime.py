"""The six signals, their thresholds, and what their sum is called."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.builders import AS_OF, KNOWN, bars, wander
from tests.support.figures import parse_figures
from tradingagents.analytics.market import macro_regime as macro
from tradingagents.analytics.market.macro_regime import macro_regime
from tradingagents.analytics.price.indicators import latest
from tradingagents.dataflows.models import Prices
from tradingagents.dataflows.reference.sectors import CYCLICALS, DEFENSIVES, MACRO_SYMBOLS
from tradingagents.errors import NoData

NAMES = ("vix_level", "vix_trend", "credit", "yield_curve", "breadth", "rotation")


def moved(percent: float, symbol: str = "MADE") -> Prices:
    """A series that stood at 100 and closed the last of 21 sessions `percent` higher."""
    return bars([100.0] * 21 + [100.0 + percent], symbol)


def market(
    vix: float = 20, vix_before: float = 20, credit=0.0, bonds=0.0, stocks=0.0, defensive=0.0
) -> dict[str, Prices]:
    """A whole market; everything at rest is neutral."""
    still = moved(0)
    return {
        "^VIX": bars([vix_before] * 15 + [vix] * 5, "^VIX"),
        "^GSPC": bars([100.0] * 199 + [100 + stocks], "^GSPC"),
        "HYG": moved(credit),
        "LQD": still,
        "TLT": moved(bonds),
        "SHY": still,
        **{symbol: moved(defensive) for symbol in DEFENSIVES},
        **dict.fromkeys(CYCLICALS, still),
    }


def asked(series) -> macro.MacroRegime:
    return macro_regime(series, as_of=AS_OF, known_at=KNOWN)


def score(series, name: str) -> int:
    return next(one.score for one in asked(series).signals if one.name == name)


@pytest.mark.parametrize(("level", "expected"), [(15.99, 1), (16, 0), (20, 0), (25, 0), (25.01, -1)])
def test_vix_level(level: float, expected: int):
    assert score(market(vix=level, vix_before=level), "vix_level") == expected


@pytest.mark.parametrize(("before", "now", "expected"), [(22, 20, 1), (20, 20, 0), (18, 20, -1)])
def test_vix_trend_is_the_mean_of_five_sessions_against_that_of_twenty(before: float, now: float, expected: int):
    assert score(market(vix=now, vix_before=before), "vix_trend") == expected


@pytest.mark.parametrize(("change", "expected"), [(0.51, 1), (0.5, 0), (0, 0), (-0.5, 0), (-0.51, -1)])
def test_credit_is_the_change_of_hyg_over_lqd(change: float, expected: int):
    assert score(market(credit=change), "credit") == expected


def test_credit_is_a_ratio_not_a_difference():
    series = market() | {"HYG": moved(10), "LQD": moved(9.5)}  # 110/109.5 = +0.457 %, below the threshold
    assert score(series, "credit") == 0


@pytest.mark.parametrize(("bonds", "expected"), [(1.01, -1), (1.0, 0), (-1.0, 0), (-1.01, 1)])
def test_a_flight_to_long_bonds_speaks_against_risk(bonds: float, expected: int):
    assert score(market(bonds=bonds), "yield_curve") == expected


@pytest.mark.parametrize(("stocks", "expected"), [(1, 1), (0, 0), (-1, -1)])
def test_breadth_is_the_index_against_its_mean_of_200_sessions(stocks: float, expected: int):
    assert score(market(stocks=stocks), "breadth") == expected


@pytest.mark.parametrize(("defensive", "expected"), [(1.01, -1), (1.0, 0), (-1.0, 0), (-1.01, 1)])
def test_defensive_sectors_that_lead_speak_against_risk(defensive: float, expected: int):
    assert score(market(defensive=defensive), "rotation") == expected


def test_the_mean_of_200_sessions_is_the_one_that_every_tool_shows():
    index = wander(300, symbol="^GSPC")
    lost = replace(index, lost=tuple(day.item() for day in index.days[-60:-52].astype("datetime64[D]")))
    shown = latest(index, "close_200_sma")["close_200_sma"]
    assert shown is not None
    assert f"mean of 200 sessions {shown:.2f}" in macro.breadth({"^GSPC": index}).description
    assert latest(lost, "close_200_sma")["close_200_sma"] is None
    assert macro.breadth({"^GSPC": lost}) == macro.breadth({})


def test_rotation_is_the_mean_of_three_sectors_against_three():
    series = market() | {"XLU": moved(6), "XLP": moved(0), "XLV": moved(-2.9)}  # mean 1.033
    assert score(series, "rotation") == -1


def test_returns_follow_the_adjusted_close():
    adjusted = np.array([100.0] * 21 + [101.5])
    series = market() | {"TLT": bars([100.0] * 22, adj_close=adjusted)}
    assert score(series, "yield_curve") == -1


def test_everything_for_risk_is_risk_on_with_high_confidence():
    result = asked(market(vix=14, vix_before=18, credit=1, bonds=-2, stocks=5, defensive=-2))
    assert (result.score, result.regime, result.confidence, result.vix) == (6, "risk-on", "high", 14)


def test_everything_against_risk_is_risk_off():
    result = asked(market(vix=30, vix_before=20, credit=-1, bonds=2, stocks=-5, defensive=2))
    assert (result.score, result.regime, result.confidence) == (-6, "risk-off", "high")


def test_a_market_at_rest_is_in_transition():
    result = asked(market())
    assert (result.score, result.regime, result.confidence) == (0, "transition", "low")


@pytest.mark.parametrize(
    ("total", "regime", "confidence"),
    [
        (6, "risk-on", "high"),
        (4, "risk-on", "high"),
        (3, "risk-on", "medium"),
        (2, "transition", "medium"),
        (1, "transition", "low"),
        (0, "transition", "low"),
        (-2, "transition", "medium"),
        (-3, "risk-off", "medium"),
        (-4, "risk-off", "high"),
    ],
)
def test_what_a_sum_is_called(total: int, regime: str, confidence: str):
    assert (macro.regime_of(total), macro.confidence_of(total)) == (regime, confidence)


@pytest.mark.parametrize(
    ("symbol", "silent"),
    [
        ("^VIX", {"vix_level", "vix_trend"}),
        ("^GSPC", {"breadth"}),
        ("HYG", {"credit"}),
        ("LQD", {"credit"}),
        ("TLT", {"yield_curve"}),
        ("SHY", {"yield_curve"}),
        *[(symbol, {"rotation"}) for symbol in (*DEFENSIVES, *CYCLICALS)],
    ],
)
def test_a_missing_series_silences_its_signals_only(symbol: str, silent: set[str]):
    series = market(vix=14, vix_before=18, credit=1, bonds=-2, stocks=5, defensive=-2)
    del series[symbol]
    result = asked(series)
    assert {one.name for one in result.signals if not one.available} == silent
    assert all(one.score == 0 for one in result.signals if one.name in silent)
    assert result.score == 6 - len(silent)
    assert {f"Signal {name} is not available and counts as neutral." for name in silent} == set(result.notes)
    assert f"signal_{min(silent)}" not in parse_figures(result.to_markdown())


@pytest.mark.parametrize(
    ("symbol", "bars_left", "silent"),
    [("^VIX", 19, "vix_trend"), ("^GSPC", 199, "breadth"), ("HYG", 21, "credit"), ("TLT", 21, "yield_curve")],
)
def test_a_short_series_silences_its_signal(symbol: str, bars_left: int, silent: str):
    series = market(stocks=5, vix=14, vix_before=14)
    whole = series[symbol]
    series[symbol] = whole.since(whole.days[-bars_left].astype(date))
    assert [one.name for one in asked(series).signals if not one.available] == [silent]


def test_a_series_that_ended_weeks_ago_counts_as_missing():
    series = market() | {"^VIX": bars([40.0] * 30, last=date(2024, 6, 14))}
    result = asked(series)
    assert result.vix is None
    assert score(series, "vix_level") == 0


def test_no_series_no_regime():
    with pytest.raises(NoData):
        asked({})
    with pytest.raises(NoData):
        asked({"HYG": moved(1)})


def test_the_report_has_verdict_table_and_implications():
    result = asked(market(vix=30, vix_before=20, credit=-1, bonds=2, stocks=-5, defensive=2))
    body = result.body()
    assert body.startswith("Regime: risk-off (score -6 of 6, confidence high)\n")
    assert all(f"| {name} | -1 |" in body for name in NAMES)
    assert "Implications: Conditions favour caution" in body
    assert "favour taking equity risk" in asked(market(vix=14, vix_before=18, credit=1, stocks=5)).body()


def test_figures_read_back():
    read = parse_figures(asked(market(vix=14, vix_before=18, stocks=-5)).to_markdown())
    assert list(read)[:8] == ["regime_score", "vix", *(f"signal_{name}" for name in NAMES)]
    assert read["regime_score"].value == 1
    assert (read["vix"].value, read["signal_vix_level"].value, read["signal_breadth"].value) == (14, 1, -1)


def test_bars_after_the_day_do_not_matter():
    later = {symbol: wander(300, index, date(2024, 7, 31)) for index, symbol in enumerate(MACRO_SYMBOLS)}
    assert asked(later) == asked({symbol: prices.upto(AS_OF) for symbol, prices in later.items()})


@given(st.integers(0, 500))
def test_there_are_always_six_signals_that_sum_to_the_score(seed: int):
    result = asked({symbol: wander(220, seed + index) for index, symbol in enumerate(MACRO_SYMBOLS)})
    assert tuple(one.name for one in result.signals) == NAMES
    assert all(one.score in {-1, 0, 1} and one.description for one in result.signals)
    assert result.score == sum(one.score for one in result.signals)
    assert result.confidence in {"high", "medium", "low"}
