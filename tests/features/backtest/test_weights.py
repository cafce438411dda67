"""Weights and limits: values by hand, laws by properties."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tradingagents.analytics.holdings.weights import (
    SCHEMES,
    checked_scheme,
    hierarchical_risk_parity,
    inverse_volatility,
    scheme_weights,
)
from tradingagents.errors import UsageError
from tradingagents.features.backtest.limits import RiskLimits, ShortRules
from tradingagents.features.backtest.postings import Clamp


def test_limits_clamp_in_order_and_say_what_they_clamped():
    limits = RiskLimits(max_positions=3, max_position=0.3, max_sector=0.4, min_cash=0.1)
    wanted = {"A": 0.5, "B": 0.2, "C": 0.3, "D": 0.1, "E": -0.1, "F": math.nan}
    found, clamps = limits.apply(wanted, {"A": "energy", "B": "energy", "C": None})
    assert clamps == [
        Clamp("long_only", "E", -0.1, 0.0),
        Clamp("long_only", "F", 0.0, 0.0),
        Clamp("max_positions", "D", 0.1, 0.0),
        Clamp("max_position", "A", 0.5, 0.3),
        Clamp("max_sector", "energy", 0.5, 0.4),
    ]
    assert found == pytest.approx({"A": 0.24, "B": 0.16, "C": 0.3})
    full, clamps = RiskLimits(9, 1.0, 1.0, 0.1).apply({"A": 0.9, "B": 0.9}, {"A": "x", "B": "y"})
    assert full == pytest.approx({"A": 0.45, "B": 0.45})
    assert clamps == [Clamp("min_cash", "", 1.8, 0.9)]
    assert limits.apply({}, {}) == ({}, [])


@given(
    st.dictionaries(st.sampled_from("ABCDEFGHIJKLMNOPQRSTUVWXYZ"), st.floats(-1, 2), max_size=26),
    st.dictionaries(st.sampled_from("ABCDEFGHIJKLMNOPQRSTUVWXYZ"), st.sampled_from(["x", "y", None])),
)
def test_weights_within_the_limits_obey_each_of_them(weights: dict[str, float], sectors: dict[str, str | None]):
    limits = RiskLimits(5, 0.2, 0.35, 0.05)
    found, clamps = limits.apply(weights, sectors)
    assert len(found) <= 5
    assert all(0 < one <= 0.2 + 1e-12 for one in found.values())
    assert sum(found.values()) <= 0.95 + 1e-9
    for sector in {sectors.get(symbol) for symbol in found}:
        assert sum(one for symbol, one in found.items() if sectors.get(symbol) == sector) <= 0.35 + 1e-9
    again, more = limits.apply(found, sectors)
    assert (again, more) == (found, [])
    assert bool(clamps) == (
        found != {symbol: one for symbol, one in weights.items() if one > 0} or min([0, *weights.values()]) < 0
    )


def test_schemes_by_hand():
    none = np.empty((0, 2))
    assert scheme_weights("confidence", {"A": 0.6, "B": 0.2}, none, 0.15) == pytest.approx({"A": 0.09, "B": 0.03})
    assert scheme_weights("confidence", {"A": 0.6, "B": 0.2}, none, 2.0) == pytest.approx({"A": 0.75, "B": 0.25})
    assert scheme_weights("equal", {"A": 0.6, "B": 0.2}, none, 0.15) == {"A": 0.5, "B": 0.5}
    assert scheme_weights("hrp", {"A": 0.6, "B": 0.2}, none, 0.15) == {"A": 0.5, "B": 0.5}  # too few returns
    assert scheme_weights("hrp", {}, none, 0.15) == {}
    swings = np.array([[1.0, 3.0], [-1.0, -3.0]] * 15) / 100
    assert scheme_weights("inverse_volatility", {"A": 1, "B": 1}, swings, 1) == pytest.approx({"A": 0.75, "B": 0.25})
    assert inverse_volatility(np.column_stack([swings, np.zeros(30)])) == pytest.approx(np.array([3, 1, 1]) / 5)
    assert inverse_volatility(np.zeros((30, 2))) == pytest.approx(np.array([0.5, 0.5]))
    assert [checked_scheme(one) for one in SCHEMES] == list(SCHEMES)
    with pytest.raises(UsageError, match="hrp"):
        checked_scheme("kelly")


def test_hierarchical_risk_parity_splits_between_clusters_then_within():
    draw = np.random.default_rng(5)
    even, other = draw.normal(0, 0.01, (2, 500))
    near = draw.normal(0, 0.002, (500, 2))
    # Columns 0 and 2 move together, and so do 1 and 3: two clusters, whatever the order of the columns.
    returns = np.column_stack([even, 2 * other, 1.5 * even + near[:, 0], other + near[:, 1]])
    found = hierarchical_risk_parity(returns)

    covariance = np.cov(returns, rowvar=False)

    def within(pair: list[int]) -> tuple[np.ndarray, float]:
        inverse = 1 / np.diag(covariance)[pair]
        weights = inverse / inverse.sum()
        return weights, float(weights @ covariance[np.ix_(pair, pair)] @ weights)

    (first, first_variance), (second, second_variance) = within([0, 2]), within([1, 3])
    share = second_variance / (first_variance + second_variance)
    assert found[[0, 2]] == pytest.approx(share * first, rel=1e-12)
    assert found[[1, 3]] == pytest.approx((1 - share) * second, rel=1e-12)
    assert hierarchical_risk_parity(even[:, None]) == pytest.approx([1.0])


@given(st.integers(2, 12), st.integers(0, 2**31))
def test_every_scheme_gives_weights_of_a_long_book(count: int, seed: int):
    returns = np.random.default_rng(seed).normal(0, 0.02, (60, count))
    confidence = {f"S{number:02d}": 0.5 for number in range(count)}
    for scheme in SCHEMES:
        found = scheme_weights(scheme, confidence, returns, 0.15)
        assert list(found) == list(confidence)
        assert all(one > 0 for one in found.values())
        assert sum(found.values()) == pytest.approx(min(1.0, 0.075 * count) if scheme == "confidence" else 1.0)


def test_short_positions_are_limited_alone_together_and_by_their_margin():
    open_limits = RiskLimits(9, 1.0, 9.0, 0.0)
    shorts = ShortRules(max_short=0.5, max_gross=1.5, max_net=0.5, min_net=-0.3, initial_margin=0.5)
    assert open_limits.apply({"A": 0.4, "B": -0.2}, {}, shorts) == ({"A": 0.4, "B": -0.2}, [])
    assert open_limits.apply({"A": -0.6}, {}, replace(shorts, min_net=-1.0)) == (
        {"A": -0.5}, [Clamp("max_short", "A", -0.6, -0.5)]
    )  # fmt: skip
    net, clamps = open_limits.apply({"A": 0.9, "B": -0.2}, {}, shorts)
    assert (net, clamps) == ({"A": pytest.approx(0.7), "B": -0.2}, [Clamp("max_net", "", pytest.approx(0.7), 0.5)])
    net, clamps = open_limits.apply({"A": 0.1, "B": -0.5}, {}, shorts)
    assert (net, clamps) == ({"A": 0.1, "B": pytest.approx(-0.4)}, [Clamp("min_net", "", pytest.approx(-0.4), -0.3)])
    gross, clamps = open_limits.apply({"A": 1.0, "B": -0.5, "C": -0.5}, {}, replace(shorts, max_short=1, max_net=1))
    assert [(one.rule, one.allowed) for one in clamps] == [("max_gross", 1.5), ("margin", 1.0)]
    assert gross["A"] + 0.5 * -(gross["B"] + gross["C"]) == pytest.approx(1.0)  # long, and the margin of short
    sector, clamps = RiskLimits(9, 1.0, 0.4, 0.0).apply({"A": 0.3, "B": -0.3}, {"A": "x", "B": "x"}, shorts)
    assert (sector, [one.rule for one in clamps]) == (
        {"A": pytest.approx(0.2), "B": pytest.approx(-0.2)},
        ["max_sector"],
    )
    for wrong in ({"initial_margin": 0.0}, {"maintenance_margin": 0.6}, {"max_short": 2.0}, {"borrow_bp": -1.0}):
        with pytest.raises(UsageError):
            replace(shorts, **wrong)
