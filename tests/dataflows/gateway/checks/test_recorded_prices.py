"""The gate on real recorded prices: no clean data is withheld, what is spoiled is, and judging takes no time."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path

import numpy as np
import pytest

from tests.dataflows.gateway.checks.test_price_checks import NAMES
from tradingagents.dataflows.gateway.checks.price_checks import check_prices
from tradingagents.dataflows.models import Floats, Prices, Split
from tradingagents.dataflows.reference.calendar import NEVER
from tradingagents.dataflows.snapshots.check_prices import read_bars
from tradingagents.dataflows.vendors.snapshot.prices import BASIS, Actions, load_actions

pytestmark = pytest.mark.real_data
ENDS = [date(2022 + number // 4, 2 + 3 * (number % 4), 15) for number in range(14)]
MOST_LOST, LONGEST = 0.005, 0.002
SAMPLE = 120


@pytest.fixture(scope="module")
def recorded(test_data: Path) -> tuple[Prices, ...]:
    return tuple(recorded_prices(test_data / "snapshot"))


def recorded_prices(folder: Path) -> Iterator[Prices]:
    """Every symbol's bars as recorded, without the gate."""
    actions = load_actions(folder / "actions.csv")
    for bars in read_bars(folder / "prices.parquet"):
        known, own = np.isfinite(bars.columns["close"]), actions.get(bars.symbol, Actions())
        yield Prices(
            bars.symbol,
            bars.days[known],
            **{name: values[known] for name, values in bars.columns.items()},
            currency="USD",
            vendor="recorded",
            fetched_at=NEVER,
            splits=own.splits,
            dividends=own.dividends,
            basis=BASIS[min(bars.bases)],
        )


def test_of_clean_companies_and_days_hardly_any_loses_anything(recorded: tuple[Prices, ...]):
    asked, lost = 0, []
    for prices in recorded:
        for day in ENDS:
            if prices.days[0].item() > day:
                continue
            asked += 1
            checked = check_prices(prices, day)
            if checked.unusable or checked.prices.notes or any(fault.withholds for fault in checked.faults):
                lost.append(f"{prices.symbol} {day}: {[fault.text() for fault in checked.faults]}")
    assert asked > 5000
    assert len(lost) <= MOST_LOST * asked, lost[:10]


def test_judging_three_years_of_a_symbol_takes_less_than_two_milliseconds(recorded: tuple[Prices, ...]):
    began = time.process_time()
    for prices in recorded:
        check_prices(prices, ENDS[-1])
    assert time.process_time() - began < LONGEST * len(recorded)


def _of(prices: Prices, first: int, stop: int, factor: float) -> Floats:
    made = np.ones(len(prices))
    made[first:stop] = factor
    return made


@pytest.mark.parametrize("ratio", [1.25, 1.5, 2.0, 4.0, 20.0, 0.5, 0.1])
def test_a_listed_split_that_is_not_applied_is_found_in_nearly_every_company(
    recorded: tuple[Prices, ...], ratio: float
):
    shares = [one for one in recorded if one.basis != "index" and len(one) > 400]
    rng, missed = np.random.default_rng(3), []
    for at in rng.choice(len(shares), SAMPLE, replace=False):
        prices = shares[at]
        index = int(rng.integers(60, len(prices) - 60))
        factor, day = _of(prices, 0, index, ratio), prices.days[index].item()
        levels = {name: getattr(prices, name) * factor for name in NAMES}
        spoiled = replace(prices, **levels, splits=(*prices.splits, Split(day, ratio)))
        if not any(fault.day == day for fault in check_prices(spoiled, ENDS[-1]).faults):
            missed.append(f"{prices.symbol} {day}")
    assert len(missed) <= 0.02 * SAMPLE, missed


@pytest.mark.parametrize("factor", [100.0, 0.01, 0.73, 0.79, 1.27])
def test_a_stretch_in_another_unit_is_found_in_nearly_every_company(recorded: tuple[Prices, ...], factor: float):
    shares = [one for one in recorded if one.basis != "index" and len(one) > 400]
    rng, missed = np.random.default_rng(3), []
    for at in rng.choice(len(shares), SAMPLE, replace=False):
        prices = shares[at]
        index = int(rng.integers(60, len(prices) - 60))
        levels = {name: getattr(prices, name) * _of(prices, index, index + 5, factor) for name in NAMES}
        if not check_prices(replace(prices, **levels), ENDS[-1]).faults:
            missed.append(f"{prices.symbol} {prices.days[index]}")
    assert len(missed) <= 0.06 * SAMPLE, missed
