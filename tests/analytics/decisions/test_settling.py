"""The sequential test of repeated answers: hand-checked values, its errors by enumeration, and laws."""

from __future__ import annotations

import math
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.settling import (
    ALLOWED,
    CLEAR,
    FALSE_UNSETTLED,
    FLAT,
    MOST,
    ROWS,
    bound,
    errors,
    exact,
    fewest_asks,
    simulated,
)
from tradingagents.analytics.decisions.settling import (
    FALSE_SETTLED,
    LEAST_ASKS,
    LEAST_UNSETTLED,
    evidence,
    further_asks,
    settling_verdict,
)
from tradingagents.settings import Settings

ACTIONS = ("BUY", "SELL", "HOLD", "NO_DECISION")
COUNTS = st.dictionaries(st.sampled_from(ACTIONS), st.integers(1, 12), min_size=1)
MAXIMA = st.integers(LEAST_ASKS, 60)


def test_the_evidence_of_a_hand_worked_case():
    # 10 of 11: 10 ln(0.95 / 0.5) + 1 ln(0.05 / 0.5) = 10 * 0.641854 - 2.302585
    assert evidence(10, 11) == pytest.approx(4.115954, abs=1e-6)
    assert evidence(0, 0) == 0.0


@pytest.mark.parametrize(
    ("counts", "verdict"),
    [
        ({"BUY": 5}, None),  # 3.2093 < ln 40 = 3.6889
        ({"BUY": 6}, "settled"),  # 3.8511
        ({"BUY": 9, "SELL": 1}, None),  # 3.4741
        ({"BUY": 10, "SELL": 1}, "settled"),  # 4.1160
        ({"BUY": 12, "SELL": 2}, None),  # 3.0971
        ({"BUY": 13, "SELL": 2}, "settled"),  # 3.7389
        ({"BUY": 1, "SELL": 1, "HOLD": 1}, "unsettled"),  # 0.6419 - 4.6052 = -3.9633 < ln 0.03 = -3.5066
        ({"BUY": 2, "SELL": 2}, None),  # -3.3215
        ({"BUY": 3, "SELL": 3}, "unsettled"),  # -4.9822
        ({"BUY": 5, "SELL": 2, "HOLD": 1}, "unsettled"),  # -3.6985 < ln 0.03 = -3.5066
        ({"BUY": 6, "SELL": 3}, None),  # -3.0566
        ({"NO_DECISION": 6}, "settled"),
    ],
)
def test_where_the_asks_end(counts: dict[str, int], verdict: str | None):
    assert settling_verdict(counts, 40) == verdict


def test_the_errors_are_within_the_stated_ones_and_every_split_of_an_unsettled_model_keeps_them():
    settled, missed = errors(MOST)
    assert settled == pytest.approx(0.0404, abs=5e-5)
    assert missed == pytest.approx((0.0130, 0.0154), abs=5e-5)
    assert max(missed) <= FALSE_UNSETTLED
    assert max(errors(60)[1]) <= FALSE_UNSETTLED, "a larger maximum keeps it"
    assert 3 * max(missed) < 0.05, "a run asks three agents"
    tenths = [tuple(part / 10 for part in parts) for parts in product(range(6), repeat=3) if sum(parts) == 10]
    for shares in tenths:
        assert sum(exact(shares, MOST)[0]) <= FALSE_SETTLED
    assert sum(exact(FLAT, 60)[0]) <= FALSE_SETTLED, "a larger maximum keeps it"


@pytest.mark.parametrize(
    ("shares", "multipliers"),  # near those of the largest bound; others give a smaller one, and a larger ratio
    [
        ((1.0, 0.0, 0.0), (3.9, 2.8, -9.0)),
        (CLEAR[0], (4.0, 2.6, -9.0)),
        (CLEAR[1], (4.1, 2.8, -9.0)),
        ((0.8, 0.2, 0.0), (3.6, 3.2, -9.0)),
        (FLAT, (2.1, 3.1, -9.0)),
        ((0.4, 0.3, 0.3), (1.2, 2.8, 0.2)),
    ],
)
def test_asks_are_near_those_of_the_best_test_with_the_same_errors(
    shares: tuple[float, float, float], multipliers: tuple[float, ...]
):
    most = 12
    assert exact(shares, most)[1] <= 1.3 * bound(shares, most, *errors(most), multipliers)


def test_the_fewest_asks_are_the_largest_bound():
    most = 8
    fewest = fewest_asks(FLAT, most, *errors(most))
    bounds = [bound(FLAT, most, *errors(most), (a, b, -9.0)) for a in (0.0, 1.0, 2.0, 3.0) for b in (0.0, 1.0, 2.0)]
    assert max(bounds) <= fewest + 1e-3
    assert fewest == pytest.approx(exact(FLAT, most)[1], rel=0.3)


@pytest.mark.parametrize(
    ("row", "multipliers"),
    [
        ("0.95", (3.5, 2.7, -9.0)),
        ("0.80", (3.7, 4.5, -9.0)),
        ("0.60", (2.7, 4.8, -9.0)),
        ("0.50", (2.2, 4.5, -9.0)),
        ("0.50, three", (1.3, 3.3, -9.0)),
        ("0.40", (1.1, 3.1, -9.0)),
    ],
)
def test_asks_are_near_those_of_any_test_that_uses_up_the_stated_errors(row: str, multipliers: tuple[float, ...]):
    assert exact(ROWS[row])[1] <= 1.3 * bound(ROWS[row], MOST, *ALLOWED, multipliers)


@pytest.mark.parametrize("shares", [FLAT, (0.5, 0.25, 0.25), CLEAR[1]])
def test_simulated_runs_agree_with_the_enumeration(shares: tuple[float, float, float]):
    often, asks, rounds = simulated(shares, 300, seed=5)
    settled, mean = exact(shares)
    assert often == pytest.approx(sum(settled), abs=0.035)
    assert asks == pytest.approx(mean, abs=0.7)
    assert rounds < asks


def test_the_constants_are_those_of_the_test_and_the_smallest_maximum_can_settle():
    assert settling_verdict({"BUY": LEAST_ASKS}, LEAST_ASKS) == "settled"
    assert settling_verdict({"BUY": LEAST_ASKS - 1}, 20) is None
    assert settling_verdict(dict.fromkeys(ACTIONS[:LEAST_UNSETTLED], 1), 20) == "unsettled"
    (least,) = (limit.ge for limit in Settings.model_fields["settle_max_asks"].metadata if hasattr(limit, "ge"))
    assert least == LEAST_ASKS


@given(COUNTS, MAXIMA)
def test_names_of_actions_do_not_matter(counts: dict[str, int], most: int):
    other = dict(zip(reversed(ACTIONS), (counts.get(action, 0) for action in ACTIONS), strict=True))
    assert settling_verdict(counts, most) == settling_verdict(other, most)


@given(COUNTS, MAXIMA)
def test_no_fewer_further_asks_could_end_it_and_so_many_can(counts: dict[str, int], most: int):
    further = further_asks(counts, most)
    assert (further == 0) == (settling_verdict(counts, most) is not None)
    assert sum(counts.values()) + further <= max(most, sum(counts.values()))
    for more in range(min(further, 4)):
        for added in product(ACTIONS, repeat=more):
            reached = {action: counts.get(action, 0) + added.count(action) for action in ACTIONS}
            assert settling_verdict(reached, most) is None


@given(COUNTS, MAXIMA)
def test_another_answer_alike_never_unsettles_and_another_one_never_settles(counts: dict[str, int], most: int):
    lead = max(counts, key=counts.__getitem__)
    other = next(action for action in ACTIONS if action != lead)
    if settling_verdict(counts, most) is None:
        assert settling_verdict({**counts, lead: counts[lead] + 1}, most) != "unsettled"
        if counts.get(other, 0) < counts[lead]:
            assert settling_verdict({**counts, other: counts.get(other, 0) + 1}, most) != "settled"


def test_the_ratio_is_a_martingale_under_the_share_it_is_divided_by():
    # What bounds the errors: E[exp(evidence)] stays 1 at a share of one half, and E[exp(-evidence)] at 0.95.
    up, down = (math.exp(evidence(*one)) for one in ((1, 1), (0, 1)))
    assert 0.5 * up + 0.5 * down == pytest.approx(1.0)
    assert 0.95 / up + 0.05 / down == pytest.approx(1.0)
