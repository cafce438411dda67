"""The interval of overlapping decisions: held against a closed form and against samples drawn another way."""

from __future__ import annotations

import math
import random
from datetime import date, timedelta

import pytest

from tradingagents.analytics.decisions.bootstrap import block_interval, block_weeks

FIRST = date(2023, 1, 2)


def overlapping_series(count: int, span: int) -> tuple[list[float], list[date]]:
    """One value a week, each the sum of `span` weekly shocks, as returns over `span` weeks are."""
    draw = random.Random(5)  # noqa: S311 - a series, no secret
    shocks = [draw.gauss(0.0, 1.0) for _ in range(count + span)]
    return [sum(shocks[at : at + span]) for at in range(count)], [FIRST + timedelta(weeks=at) for at in range(count)]


def by_hand(values: list[float], block: int, draws: int = 4000) -> tuple[float, float]:
    """Draw blocks one by one, with another generator."""
    draw, count = random.Random(99), len(values)  # noqa: S311
    means = []
    for _ in range(draws):
        sample: list[float] = []
        while len(sample) < count:
            start = draw.randrange(count)
            sample += [values[(start + step) % count] for step in range(block)]
        means.append(math.fsum(sample) / len(sample))
    means.sort()
    return means[int(0.025 * draws)], means[int(0.975 * draws)]


def test_it_is_that_of_blocks_drawn_by_hand():
    values, starts = overlapping_series(160, 4)
    found = block_interval(values, starts, 4)
    assert found is not None
    low, high = by_hand(values, 4)
    width = high - low
    assert found == (pytest.approx(low, abs=0.08 * width), pytest.approx(high, abs=0.08 * width))


def test_its_width_is_that_of_the_variance_of_block_means():
    values, starts = overlapping_series(160, 4)
    mean, count, block = math.fsum(values) / 160, 160, 4
    means = [math.fsum(values[(at + step) % count] for step in range(block)) / block for at in range(count)]
    deviation = math.sqrt(sum((one - mean) ** 2 for one in means) / count / (count / block))
    found = block_interval(values, starts, block)
    assert found is not None
    assert (found[1] - found[0]) / (2 * 1.96) == pytest.approx(deviation, rel=0.06)


def test_it_is_wider_than_one_that_takes_the_values_for_independent():
    values, starts = overlapping_series(160, 4)
    blocks, singly = block_interval(values, starts, 4), block_interval(values, starts, 1)
    assert blocks is not None
    assert singly is not None
    assert blocks[1] - blocks[0] > 1.4 * (singly[1] - singly[0])


def test_values_of_one_week_are_drawn_together():
    """Ten tickers that all move alike tell no more than one."""
    values, starts = overlapping_series(120, 1)
    ten = block_interval([value for value in values for _ in range(10)], [day for day in starts for _ in range(10)], 1)
    assert ten == pytest.approx(block_interval(values, starts, 1))


def test_too_few_weeks_give_none():
    values, starts = overlapping_series(15, 4)
    assert block_interval(values, starts, 4) is None
    assert block_interval(values, starts, 3) is not None


@pytest.mark.parametrize(("days", "weeks"), [(1, 1), (7, 1), (8, 2), (30, 5)])
def test_a_block_is_as_long_as_the_median_window(days: int, weeks: int):
    assert block_weeks([(FIRST, FIRST + timedelta(days=days))] * 3) == weeks
