"""An economic series in one unit, with one value a publication; what differs is left out with its days."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from tradingagents.dataflows.gateway.checks.validation import LONGEST_STRETCH, check_observations
from tradingagents.dataflows.models import MacroObservation, MacroSeries

CUTOFF = datetime(2026, 1, 1, tzinfo=UTC)
RATES = [4.1, 4.2, 4.1, 4.0, 4.2, 4.3, 4.2, 4.1, 4.0, 4.1, 4.2, 4.2]


def series(values: list[float], extra: tuple[MacroObservation, ...] = ()) -> MacroSeries:
    rows = tuple(row(month, value) for month, value in enumerate(values, 1))
    return MacroSeries("UNRATE", "Unemployment rate", (*rows, *extra), "%", "monthly")


def row(month: int, value: float) -> MacroObservation:
    day = date(2024 + (month - 1) // 12, (month - 1) % 12 + 1, 1)
    return MacroObservation(day, value, datetime(day.year, day.month, 20, tzinfo=UTC))


def left(values: list[float]) -> tuple[list[float], list[str]]:
    found, faults = check_observations(series(values), CUTOFF)
    return [one.value for one in found.observations], [fault.text() for fault in faults]


def test_a_clean_series_is_itself():
    clean = series(RATES)
    assert check_observations(clean, CUTOFF) == (clean, ())
    assert check_observations(clean, CUTOFF)[0] is clean


@pytest.mark.parametrize("factor", [100.0, 0.01, 1000.0, 1e6])
def test_a_stretch_in_another_unit_is_left_out(factor: float):
    values = [*RATES[:4], *(value * factor for value in RATES[4:6]), *RATES[6:]]
    found, (fault,) = check_observations(series(values), CUTOFF)
    assert [one.value for one in found.observations] == RATES[:4] + RATES[6:]
    assert (fault.kind, fault.withholds, fault.day) == ("series-unit", True, date(2024, 5, 1))
    assert fault.done == "2 values are left out"
    assert found.gate_notes == (fault.reason,)


def test_so_is_the_newest_value():
    found, faults = left([*RATES[:-1], 0.042])
    assert found == RATES[:-1]
    assert faults == ["UNRATE 2024-12-01: 0.042 on 2024-12-01 is in another unit than the values before"]


def test_a_unit_that_stands_leaves_out_what_came_before():
    since = [41.0 * 10] * (LONGEST_STRETCH + 1)
    assert left([4.1, 4.2, 4.1, *since])[0] == since


def test_a_rate_that_falls_to_nothing_is_none_of_it():
    values = [1.58, 0.65, 0.05, 0.05, 0.08, 0.33, 1.2]
    assert left(values) == (values, [])


def test_a_value_listed_twice_counts_once_and_two_values_of_one_publication_do_not():
    same, other = row(3, 4.1), row(5, 9.9)
    found, faults = check_observations(series(RATES, (same, other)), CUTOFF)
    assert [one.value for one in found.observations] == RATES[:4] + RATES[5:]
    assert [(fault.what, fault.withholds) for fault in faults] == [
        ("a value that is there twice", False),
        ("two values of one publication, 4.2 and 9.9", True),
    ]


def test_what_is_published_later_is_not_looked_at():
    wrong = [*RATES[:-1], 420.0]
    assert check_observations(series(wrong), datetime(2024, 12, 1, tzinfo=UTC))[1] == ()
