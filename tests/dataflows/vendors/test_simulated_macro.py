"""Economic series of the simulated market: the calendar's own figures, and the market's own rates."""

from __future__ import annotations

from datetime import date

import numpy as np
import pytest

from tradingagents.dataflows.reference.calendar import sessions
from tradingagents.dataflows.vendors.simulated import SimulatedVendor
from tradingagents.dataflows.vendors.simulated.economy import MACRO_SERIES
from tradingagents.errors import NoData

pytestmark = pytest.mark.own_market

VENDOR = SimulatedVendor()
START, END = date(2023, 1, 1), date(2025, 3, 14)


@pytest.mark.parametrize(
    ("name", "figure", "unit"),
    [
        ("CPI", "Consumer price inflation", "%"),
        ("unemployment rate", "Unemployment rate", "%"),
        ("payrolls", "Nonfarm payrolls", "thousand"),
        ("gdp growth", "Economic growth", "%"),
        ("policy rate", "Interest rate decision", "%"),
    ],
)
def test_a_figure_is_what_the_calendar_publishes_when_it_does(name: str, figure: str, unit: str):
    found = VENDOR.get_macro_indicators(name, START, END)
    events = [
        event for event in VENDOR.get_economic_calendar(START, END) if event.name == figure and event.value is not None
    ]
    known = {event.known_at: event.value for event in events}
    assert (found.unit, found.vintages) == (unit, True)
    both = [row for row in found.observations if row.known_at in known]
    assert len(both) >= 7
    assert all(row.value == known[row.known_at] and row.day <= row.known_at.date() for row in both)


def test_a_month_and_a_quarter_are_dated_by_their_first_day_and_a_decision_by_its_own():
    days = {
        name: VENDOR.get_macro_indicators(name, START, END).observations[-1].day
        for name in ("UNRATE", "A191RL1Q225SBEA", "DFEDTARU")
    }
    assert days == {
        "UNRATE": date(2025, 3, 1),  # published in April: a vendor cuts nothing
        "A191RL1Q225SBEA": date(2025, 1, 1),
        "DFEDTARU": date(2025, 1, 15),
    }


def test_rates_are_known_at_the_close_and_the_curve_is_their_difference():
    ten, two, curve = (VENDOR.get_macro_indicators(name, START, END).observations for name in ("10y", "2y", "T10Y2Y"))
    assert [row.day for row in ten] == list(sessions().between(START, END))
    assert all(row.known_at == sessions().close_of(row.day) for row in ten)
    gaps = np.array([a.value - b.value - c.value for a, b, c in zip(ten, two, curve, strict=True)])
    assert np.abs(gaps).max() < 0.0101, "each of the three is rounded to a hundredth"


def test_the_volatility_index_is_the_one_that_is_quoted():
    found = VENDOR.get_macro_indicators("VIX", START, END).observations
    bars = VENDOR.get_stock_data("^VIX", START, END)
    assert [row.value for row in found] == np.round(bars.close, 2).tolist()


def test_every_series_it_names_has_values_and_no_other():
    assert all(len(VENDOR.get_macro_indicators(name, START, END)) for name in MACRO_SERIES)
    with pytest.raises(NoData, match=r"no nominal GDP from .* it has consumer prices, unemployment rate"):
        VENDOR.get_macro_indicators("gdp", START, END)
    with pytest.raises(NoData, match="no unemployment rate from 2001-01-01"):
        VENDOR.get_macro_indicators("UNRATE", date(2001, 1, 1), date(2002, 1, 1))
