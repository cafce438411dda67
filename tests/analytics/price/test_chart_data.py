"""What a chart shows: windows, indicators as elsewhere, events, and comparisons from the same start by hand."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime

import numpy as np
import pytest

from tests.reports.sample import sample_prices
from tradingagents.analytics.price.chart_data import (
    CHART_SERIES,
    ChartEvent,
    chart_data,
    chart_events,
    chart_indicators,
    earnings_events,
    own_notes,
    price_events,
)
from tradingagents.analytics.price.indicators import indicators, momentum_for, overlays_for
from tradingagents.dataflows.models import Dividend, EarningsEvent, Split
from tradingagents.errors import NoData, UsageError

NOW = datetime(2025, 3, 14, 20, tzinfo=UTC)


def made(prices, others=None, *, start=None, names=("rsi",), events=()):
    return chart_data(
        prices,
        others or {},
        as_of=prices.days[-1].item(),
        start=start or prices.days[0].item(),
        indicators=names,
        events=events,
        known_at=NOW,
    )


def test_drawn_indicators_equal_those_that_agents_read():
    prices = sample_prices(320)
    drawn = {**overlays_for(prices), **momentum_for(prices)}
    names = ["close_10_ema", "close_50_sma", "close_200_sma", "boll_ub", "boll_lb", "rsi", "macd", "macds", "macdh"]
    for one in indicators(prices, names, as_of=prices.days[-1].item(), known_at=NOW, look_back_days=90).series:
        np.testing.assert_allclose(drawn[one.name][-len(one.values) :], one.values, rtol=1e-12)


def test_indicators_are_unknown_during_their_warm_up():
    series = momentum_for(sample_prices(200))
    known = {name: int(np.flatnonzero(np.isfinite(values))[0]) for name, values in series.items()}
    assert known == {"close_10_ema": 39, "macd": 155, "macds": 155, "macdh": 155}
    assert all(np.isnan(values).all() for values in momentum_for(sample_prices(20)).values())


def test_the_window_is_cut_after_the_indicators_are_computed():
    prices = sample_prices(320)
    found = made(prices, start=prices.days[-30].item(), names=("close_200_sma", "volume"))
    assert len(found.days) == len(found.closes) == len(found.volumes) == 30
    assert found.series[0].values[0] == pytest.approx(float(prices.close[-229:-29].mean()))
    assert made(prices, names=("rsi",)).volumes == ()


def test_every_kind_of_indicator_has_its_series():
    found = made(sample_prices(320), names=tuple(CHART_SERIES))
    assert [one.name for one in found.series] == [name for names in CHART_SERIES.values() for name in names]


def test_symbols_are_compared_from_their_first_common_close():
    own = replace(sample_prices(4), adj_close=np.array([50.0, 80.0, 100.0, 120.0]))
    later = replace(own, symbol="LATE", adj_close=np.array([np.nan, 10.0, 10.0, 5.0]))
    found = made(own, {"LATE": later})
    assert found.compared_from == own.days[1].item()
    assert [one.values for one in found.compared] == [(None, 100, 125, 150), (None, 100, 100, 50)]
    assert [one.change_pct for one in found.compared] == [50, -50]
    assert "TEST" not in found.inputs
    apart = replace(own, symbol="NONE", adj_close=np.full(4, np.nan))
    with pytest.raises(NoData, match="no session in common"):
        made(own, {"NONE": apart})


def test_a_symbol_with_other_sessions_has_gaps():
    own = sample_prices(4)
    other = replace(own.since(own.days[0].item()), symbol="X")
    keep = np.array([True, False, True, True])
    columns = ("days", "open", "high", "low", "close", "adj_close", "volume")
    other = replace(other, **{name: getattr(other, name)[keep] for name in columns})
    assert [value is None for value in made(own, {"X": other}).compared[1].values] == [False, True, False, False]


def test_events_outside_the_days_shown_are_left_out_and_own_notes_reported():
    prices = sample_prices(10)
    first, last = prices.days[0].item(), prices.days[-1].item()
    events = [
        ChartEvent(day=last, kind="note", text="in"),
        ChartEvent(day=date(2001, 1, 1), kind="note", text="out"),
        ChartEvent(day=date(2001, 1, 1), kind="earnings", text="out"),
        ChartEvent(day=first, kind="split", text="in"),
    ]
    found = made(prices, events=events)
    assert [(one.day, one.text) for one in found.events] == [(first, "in"), (last, "in")]
    assert "1 of your notes lie outside the days shown and are not marked." in found.notes


def test_events_of_prices_and_results_in_words():
    prices = replace(
        sample_prices(5),
        dividends=(Dividend(date(2025, 1, 2), 0.25),),
        splits=(Split(date(2025, 1, 3), 4.0), Split(date(2025, 1, 6), 0.1)),
    )
    assert [one.text for one in price_events(prices)] == ["Dividend 0.25 USD", "Split 4 for 1", "Split 1 for 10"]
    reported = EarningsEvent("A", "A", date(2025, 1, 2), NOW, fiscal_period="Q4", eps=1.5, eps_estimate=1.25)
    expected = replace(reported, day=date(2025, 4, 2), eps=None)
    (event,) = earnings_events([reported, expected, replace(reported, symbol="B")], "A")
    assert event.text == "Results Q4: EPS 1.50 USD, estimate 1.25"


def test_own_notes_are_read():
    notes = own_notes(" 2025-01-27: first thing ;2025-02-20:x | <b>y</b>; ")
    assert [(one.day.isoformat(), one.text) for one in notes] == [
        ("2025-01-27", "first thing"),
        ("2025-02-20", "x / ‹b›y‹/b›"),  # noqa: RUF001
    ]
    assert own_notes("") == ()


@pytest.mark.parametrize("text", ["soon: x", "2025-01-27", "2025-01-27:", ";".join(["2025-01-27: x"] * 21)])
def test_what_is_no_note_is_refused(text: str):
    with pytest.raises(UsageError, match="note"):
        own_notes(text)


def test_unknown_indicators_and_events_name_the_known_ones():
    assert chart_indicators(" RSI, macd,rsi") == ("rsi", "macd")
    assert chart_events("") == ()
    with pytest.raises(UsageError, match="'adx' is no indicator of a chart; choose from close_10_ema"):
        chart_indicators("adx")
    with pytest.raises(UsageError, match="earnings, dividends, splits"):
        chart_events("births")


def test_a_chart_without_bars_is_no_data():
    prices = sample_prices(5)
    with pytest.raises(NoData, match="name an earlier first day"):
        made(prices, start=date(2030, 1, 1))
