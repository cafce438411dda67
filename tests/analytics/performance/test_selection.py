"""Corrections for choosing the best of many, against second implementations in plain Python."""

from __future__ import annotations

import itertools
import math
import statistics
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tradingagents.analytics.performance import (
    deflated_sharpe,
    holm,
    overfitting_probability,
    probabilistic_sharpe,
    track_record_needed,
)

NORMAL = statistics.NormalDist()


def plain_deflated_sharpe(returns: Sequence[float], trials: Sequence[float]) -> float:
    """Bailey and López de Prado (2014), written from the formulas."""
    count, mean = len(returns), statistics.fmean(returns)
    central = [statistics.fmean((one - mean) ** power for one in returns) for power in (2, 3, 4)]
    ratio = mean / statistics.stdev(returns)
    skew, kurtosis = central[1] / central[0] ** 1.5, central[2] / central[0] ** 2
    gamma, tried = 0.57721566490153286, len(trials)
    expected = math.sqrt(statistics.variance(trials)) * (
        (1 - gamma) * NORMAL.inv_cdf(1 - 1 / tried) + gamma * NORMAL.inv_cdf(1 - 1 / (tried * math.e))
    )
    spread = math.sqrt(1 - skew * ratio + (kurtosis - 1) / 4 * ratio**2)
    return NORMAL.cdf((ratio - expected) * math.sqrt(count - 1) / spread)


def plain_overfitting_probability(returns: Sequence[Sequence[float]], splits: int) -> float:
    """Bailey, Borwein, López de Prado and Zhu (2017), written with lists and loops."""
    size = len(returns) // splits
    rows = returns[len(returns) - size * splits :]
    parts = [rows[at * size : (at + 1) * size] for at in range(splits)]

    def ratios(chosen: Sequence[int]) -> list[float]:
        columns = zip(*(row for part in chosen for row in parts[part]), strict=True)
        return [statistics.fmean(column) / statistics.stdev(column) for column in map(list, columns)]

    below = []
    for half in itertools.combinations(range(splits), splits // 2):
        inside = ratios(half)
        outside = ratios([part for part in range(splits) if part not in half])
        best = inside.index(max(inside))
        rank = sorted(outside).index(outside[best]) + 1
        share = rank / (len(outside) + 1)
        below.append(math.log(share / (1 - share)) <= 0)
    return sum(below) / len(below)


@given(st.integers(0, 2**32 - 1), st.integers(2, 40))
def test_deflated_sharpe_equals_its_second_implementation(seed: int, tried: int):
    random = np.random.default_rng(seed)
    returns, trials = random.standard_t(5, 300) * 0.01 + 0.0005, random.normal(0, 0.05, tried)
    expected = plain_deflated_sharpe(returns.tolist(), trials.tolist())
    assert deflated_sharpe(returns, trials.tolist()) == pytest.approx(expected, abs=1e-9)


@given(st.integers(0, 2**32 - 1), st.integers(2, 7), st.sampled_from([2, 4, 6]))
def test_overfitting_equals_its_second_implementation(seed: int, variants: int, splits: int):
    returns = np.random.default_rng(seed).normal(0, 0.01, (61, variants))
    expected = plain_overfitting_probability(returns.tolist(), splits)
    assert overfitting_probability(returns, splits=splits) == pytest.approx(expected, abs=1e-12)


def test_the_best_of_many_random_variants_is_overfitted_and_a_truly_better_one_is_not():
    random = np.random.default_rng(8)
    noise = random.normal(0, 0.01, (800, 12))
    without = [overfitting_probability(random.normal(0, 0.01, (400, 8)), splits=8) for _ in range(40)]
    assert statistics.fmean(one for one in without if one is not None) == pytest.approx(0.5, abs=0.1)
    noise[:, 4] += 0.003
    assert overfitting_probability(noise) == 0.0


def test_more_trials_make_the_same_returns_less_credible():
    returns = np.random.default_rng(2).normal(0.0008, 0.01, 500)
    few, many = [0.05, -0.05], [0.05, -0.05] * 50
    alone, some, most = probabilistic_sharpe(returns), deflated_sharpe(returns, few), deflated_sharpe(returns, many)
    assert alone is not None
    assert some is not None
    assert most is not None
    assert alone > some > most
    assert deflated_sharpe(returns, [0.05]) == alone


def test_a_track_record_is_just_long_enough():
    returns = np.random.default_rng(2).normal(0.0008, 0.01, 500)
    needed = track_record_needed(returns)
    assert needed is not None
    again = np.resize(returns, needed)  # about the same moments
    assert probabilistic_sharpe(again) == pytest.approx(0.95, abs=0.04)
    assert track_record_needed(-returns) is None


def test_holm_by_hand():
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([]) == []
    assert holm([0.9, 0.8]) == [1.0, 1.0]


@given(st.lists(st.floats(0, 1), max_size=20))
def test_adjusted_values_keep_their_order_and_never_fall(values: list[float]):
    adjusted = holm(values)
    assert all(new >= old for old, new in zip(values, adjusted, strict=True))
    order = sorted(range(len(values)), key=values.__getitem__)
    assert [adjusted[place] for place in order] == sorted(adjusted)


@pytest.mark.parametrize(("shape", "splits"), [((100, 1), 4), ((5, 3), 4)])
def test_too_little_to_judge_is_none(shape: tuple[int, int], splits: int):
    assert overfitting_probability(np.random.default_rng(1).normal(size=shape), splits=splits) is None


def test_an_odd_split_is_refused():
    with pytest.raises(ValueError, match="even"):
        overfitting_probability(np.zeros((100, 3)), splits=5)
