"""A strategy against its benchmark: the bootstrap's laws, and how often it is wrong."""

from __future__ import annotations

import numpy as np
import pytest

from tests.support.tiers import examples
from tradingagents.analytics.performance import PairedTest, paired_test, power_of, sessions_needed
from tradingagents.analytics.performance.paired import block_length, stationary_indices
from tradingagents.dataflows.models import Floats


def autoregressive(seed: int, sessions: int, weight: float) -> Floats:
    values = np.random.default_rng(seed).normal(size=sessions)
    for place in range(1, sessions):
        values[place] += weight * values[place - 1]
    return values


# From arch 8.0.0, optimal_block_length(...)["stationary"].
@pytest.mark.parametrize(
    ("sessions", "weight", "block"),
    [(250, 0.0, 1.0607), (250, 0.3, 4.7824), (1000, 0.6, 19.2015), (1260, -0.2, 4.4766)],
)
def test_block_lengths_are_those_of_arch(sessions: int, weight: float, block: float):
    assert block_length(autoregressive(7, sessions, weight)) == pytest.approx(block, abs=1e-4)


def test_samples_are_blocks_of_the_wanted_length():
    drawn = stationary_indices(200, 5.0, 300, seed=1)
    assert drawn.shape == (300, 200)
    assert drawn.min() >= 0
    assert drawn.max() == 199
    follows = (drawn[:, 1:] - drawn[:, :-1]) % 200 == 1
    assert follows.mean() == pytest.approx(0.8, abs=0.01)  # a block goes on with probability 1 - 1/5
    assert np.bincount(drawn.ravel(), minlength=200).std() < 60  # every session as often: 300 on average


def noise(seed: int, sessions: int = 252, edge: float = 0.0, deviation: float = 0.006, draws: int = 199) -> PairedTest:
    random = np.random.default_rng(seed)
    market = random.normal(0.0003, 0.01, sessions)
    found = paired_test(market + random.normal(edge, deviation, sessions), market, draws=draws, seed=seed)
    assert found is not None
    return found


def test_without_an_edge_one_in_twenty_beats_the_benchmark():
    share = sum(noise(seed).beats for seed in range(400)) / 400
    assert share == pytest.approx(0.05, abs=0.022)


def test_the_planned_power_is_the_simulated_one():
    deviation, yearly = 0.006, 0.24
    planned = power_of(yearly, deviation * np.sqrt(252), 252)
    count = examples(1200, fast=400)
    seen = sum(noise(seed, 252, yearly / 252, deviation, 499).beats for seed in range(1000, 1000 + count)) / count
    assert 0.5 < planned < 0.9
    assert seen == pytest.approx(planned, abs=0.03)


def test_the_smallest_edge_is_what_the_plan_asks_the_sessions_for():
    found = noise(5, 1000)
    assert sessions_needed(found.smallest_edge, 0.006 * np.sqrt(252)) == pytest.approx(1000, rel=0.15)


def test_plan_by_hand():
    # (1.6449 + 0.8416) ** 2 = 6.1826; times (0.10 / 0.05) ** 2 years
    assert sessions_needed(0.05, 0.10) == 6233
    assert power_of(0.05, 0.10, sessions_needed(0.05, 0.10)) == pytest.approx(0.8, abs=1e-4)
    with pytest.raises(ValueError, match="positive"):
        sessions_needed(0.0, 0.1)


def test_a_planted_edge_is_found_and_its_interval_holds_it():
    found = noise(11, 1000, 0.001)
    assert found.beats
    assert found.low < 0.252 < found.high
    assert found.sharpe_low is not None
    assert found.sharpe_low > 0


def test_the_same_series_give_the_same_result_and_equal_ones_none():
    assert noise(3) == noise(3)
    market = np.random.default_rng(1).normal(0, 0.01, 100)
    assert paired_test(market, market) is None
    assert paired_test(market[:10], market[:10] + 0.01) is None
    with pytest.raises(ValueError, match="same sessions"):
        paired_test(market, market[1:])
