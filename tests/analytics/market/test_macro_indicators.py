"""Economic series: changes, ranges and tables, worked out by hand."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from tradingagents.analytics.market.macro_indicators import MacroIndicators, MacroValue, macro_indicators
from tradingagents.dataflows.models import MacroObservation, MacroSeries

AS_OF = date(2025, 3, 14)
KNOWN = datetime(2025, 3, 12, 13, 30, tzinfo=UTC)
FETCHED = datetime(2025, 3, 14, 21, tzinfo=UTC)


def series(values: dict[date, float], **more: Any) -> MacroSeries:
    rows = tuple(MacroObservation(day, value, KNOWN) for day, value in values.items())
    return MacroSeries(**{"series": "CPIX", "name": "Prices", "observations": rows, "frequency": "monthly", **more})


def answer(*found: MacroSeries, days: int = 730, **more: Any) -> MacroIndicators:
    given = {"as_of": AS_OF, "look_back_days": days, "fetched_at": FETCHED, "source": "fred", **more}
    return macro_indicators(found, **given)


def months(*values: float, last: date = date(2025, 2, 1)) -> dict[date, float]:
    """Values of consecutive months up to `last`."""
    count = 12 * last.year + last.month - len(values)
    return {date((count + number) // 12, (count + number) % 12 + 1, 1): value for number, value in enumerate(values)}


def test_a_level_changes_in_its_unit_and_in_percent():
    """From 300 a year ago to 306 before and 309 now: +9 and 3 % over the year, +3 and 0.98 % over the month."""
    values = months(300.0, *[301.0] * 10, 306.0, 309.0)
    (one,) = answer(series(values, unit="index"), days=200).series
    assert one.latest == MacroValue(day=date(2025, 2, 1), value=309.0)
    assert (one.change, one.year_change, one.change_unit) == (3.0, 9.0, "index")
    assert one.change_pct == pytest.approx(0.98039, abs=1e-5)
    assert one.year_change_pct == pytest.approx(3.0)
    assert (one.low, one.high) == (
        MacroValue(day=date(2024, 9, 1), value=301.0),
        MacroValue(day=date(2025, 2, 1), value=309.0),
    )
    assert (one.window_change, one.count) == (8.0, 6)
    assert one.window_change_pct == pytest.approx(100 * 8 / 301)


@pytest.mark.parametrize("unit", ["%", "% y/y", "Percent per Annum"])
def test_a_rate_changes_in_points(unit: str):
    (one,) = answer(series(months(5.0, *[4.5] * 10, 4.25, 4.0), unit=unit)).series
    assert (one.change, one.year_change, one.window_change, one.change_unit) == (-0.25, -1.0, -1.0, "points")
    assert one.change_pct is one.year_change_pct is one.window_change_pct is None


@pytest.mark.parametrize(("before", "now"), [(-1.0, 2.0), (0.0, 2.0), (2.0, -1.0)])
def test_below_zero_there_is_no_percent(before: float, now: float):
    (one,) = answer(series(months(before, now))).series
    assert (one.change, one.change_pct) == (now - before, None)


def test_a_single_value_has_not_changed():
    (one,) = answer(series({date(2025, 2, 1): 7.0})).series
    assert (one.change, one.year_change, one.window_change) == (None, None, 0.0)
    assert one.values == (one.latest,)


@pytest.mark.parametrize(("day", "compared"), [(14, 1.0), (13, 1.0), (4, 1.0), (3, None), (15, None)])
def test_a_year_ago_is_that_day_or_the_last_one_before_within_ten_days(day: int, compared: float | None):
    found = series({date(2024, 3, day): 2.0, date(2025, 3, 14): 3.0}, frequency="daily")
    assert answer(found).series[0].year_change == compared


def test_a_leap_year_is_no_longer():
    found = series({date(2023, 6, 1): 2.0, date(2024, 6, 1): 3.0})
    assert answer(found).series[0].year_change == 1.0


def test_a_long_series_is_thinned_and_says_so():
    days = {AS_OF - timedelta(days=99 - number): float(number) for number in range(100)}
    result = answer(series(days, frequency="daily"))
    (one,) = result.series
    assert (len(one.values), one.count, result.rows) == (24, 100, 100)
    assert [one.values[0].value, one.values[1].value, one.values[-1].value] == [0.0, 4.0, 99.0]
    assert "24 of 100 values." in result.to_markdown()
    assert (one.low.value, one.high.value, one.window_change) == (0.0, 99.0, 99.0), "of all values, listed or not"


def test_the_newest_value_is_shown_however_old_and_what_is_overdue_is_said():
    result = answer(series(months(4.0, 5.0, last=date(2024, 6, 1))), days=30)
    assert result.series[0].values == (MacroValue(day=date(2024, 6, 1), value=5.0),)
    assert "CPIX ends with 2024-06-01: newer values are overdue, the series may have been given up." in result.notes
    assert not any("overdue" in note for note in answer(series(months(4.0, 5.0))).notes)


def test_millions_of_millions_are_billions():
    (one,) = answer(series(months(6_600_000.0, 6_608_395.0), unit="Millions of U.S. Dollars")).series
    assert (one.unit, one.latest.value) == ("Billions of U.S. Dollars", pytest.approx(6608.395))
    (small,) = answer(series(months(900.0), unit="Millions of Dollars")).series
    assert (small.unit, small.latest.value) == ("Millions of Dollars", 900.0)


@pytest.mark.parametrize(
    ("frequency", "day", "shown"),
    [
        ("monthly", date(2025, 2, 1), "| 2025-02 | 7.00 |"),
        ("quarterly", date(2024, 10, 1), "| 2024-Q4 | 7.00 |"),
        ("annual", date(2024, 1, 1), "| 2024 | 7.00 |"),
        ("weekly", date(2025, 3, 8), "| 2025-03-08 | 7.00 |"),
        ("", date(2025, 3, 8), "| 2025-03-08 | 7.00 |"),
    ],
)
def test_a_value_is_dated_by_its_period(frequency: str, day: date, shown: str):
    assert shown in answer(series({day: 7.0}, frequency=frequency)).to_markdown()


def test_what_a_model_reads():
    told = series(months(4.0, 4.1), series="UNRATE", name="Jobless\n| x | 9 |", unit="%")
    fixed = series({date(2025, 3, 13): 2.5}, series="SPREAD", unit="%", frequency="daily", vintages=False)
    assert answer(told, fixed, missing={"foo": "foo is | none."}).to_markdown() == EXPECTED


def test_figures_are_named_after_their_series():
    result = answer(series(months(4.0, 4.1), series="UNRATE", unit="%"), series(months(2.0), series="A_B", unit="%"))
    figures = {figure.name: figure.rounded for figure in result.figures()}
    assert figures == {
        "unrate": 4.1,
        "unrate_change": 0.1,
        "unrate_change_1y": None,
        "unrate_low": 4.0,
        "unrate_high": 4.1,
        "unrate_change_window": 0.1,
        "a_b": 2.0,
        "a_b_change": None,
        "a_b_change_1y": None,
        "a_b_low": 2.0,
        "a_b_high": 2.0,
        "a_b_change_window": 0.0,
    }
    assert (result.subject, result.symbol, result.known_at) == ("UNRATE, A_B", None, KNOWN)


def test_a_series_asked_twice_is_shown_once():
    assert len(answer(series(months(4.0)), series(months(4.0))).series) == 1


EXPECTED = """\
## Economic series: UNRATE, SPREAD

(source fred, as of 2025-03-14, 2025-01-01 to 2025-03-13, 3 rows, known by 2025-03-12 13:30 UTC)

| Figure | Value |
|---|---|
| unrate | 4.10% |
| unrate_change | 0.10 points |
| unrate_change_1y | n/a |
| unrate_low | 4.00% |
| unrate_high | 4.10% |
| unrate_change_window | 0.10 points |
| spread | 2.50% |
| spread_change | n/a |
| spread_change_1y | n/a |
| spread_low | 2.50% |
| spread_high | 2.50% |
| spread_change_window | 0.00 points |

### UNRATE: Jobless / x / 9 / (%, monthly)

Latest of 2025-02; window from 2025-01: lowest 2025-01, highest 2025-02.

| Date | Value |
|---|---|
| 2025-01 | 4.00 |
| 2025-02 | 4.10 |

### SPREAD: Prices (%, daily)

Latest of 2025-03-13; window from 2025-03-13: lowest 2025-03-13, highest 2025-03-13.

| Date | Value |
|---|---|
| 2025-03-13 | 2.50 |

Note: foo is not shown: foo is / none.
Note: UNRATE: as published by 2025-03-14; since revised figures are not shown.
Note: SPREAD: fred keeps no vintages; its values are not revised. Each is shown from an assumed day of \
publication on."""
