from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tradingagents.offline import scores
from tradingagents.offline.scores import Score

finite = st.floats(-1e6, 1e6, allow_nan=False)
positive = st.floats(0.01, 1e6)
percents = st.floats(0, 100)


@pytest.mark.parametrize(
    ("score", "expected"),
    [
        (scores.over_average(100, 107.5, full=0.15, name="long-term"), 0.5),
        (scores.over_average(100, 60, full=0.15, name="long-term"), -1.0),
        (scores.oscillator(50, name="RSI"), 0.0),
        (scores.oscillator(57.5, name="RSI"), 0.3),
        (scores.oscillator(65, name="RSI"), 0.6),
        (scores.oscillator(75, name="RSI"), 0.15),
        (scores.oscillator(80, name="RSI"), -0.2),
        (scores.oscillator(20, name="RSI"), 0.2),
        (scores.oscillator(10, name="RSI"), 0.5),
        (scores.macd_histogram(0.5, 100, 2.0), 0.5),
        (scores.macd_histogram(0.5, 100, None), 0.5),
        (scores.macd_histogram(-4.0, 100, 2.0), -1.0),
        (scores.change(-6, full=12, name="a month"), -0.5),
        (scores.band_position(110, 90, 108), 0.4),
        (scores.band_position(110, 90, 110), 0.0),
        (scores.band_position(110, 90, 113), -0.4),
        (scores.band_position(110, 90, 92), -0.4),
        (scores.average_range(2.5, 100), 0.0),
        (scores.average_range(4.0, 100), -0.3),
        (scores.volatility(24), 0.1),
        (scores.volatility(90), -0.5),
        (scores.drawdown(-33), -0.2),
        (scores.near_high(100, 100), 0.6),
        (scores.near_high(100, 85), 0.0),
        (scores.regime(3), 0.75),
        (scores.regime(-6), -1.0),
        (scores.fear(30), -0.5),
        (scores.growth(15, neutral=5, full=25, name="revenue"), 0.5),
        (scores.level(2, neutral=12, full=32, name="margin"), -0.5),
        (scores.margin_trend("contracting"), -0.5),
        (scores.margin_trend("stable"), 0.0),
        (scores.leverage(0.25), 0.5),
        (scores.leverage(1.75), -0.5),
        (scores.leverage(-3.0), -1.0),
        (scores.cash_margin(5, 40), 0.5),
        (scores.conversion(1.275, 1.0), 0.3),
        (scores.conversion(5.0, -1.0), 0.1),
        (scores.conversion(-5.0, -1.0), -0.6),
        (scores.multiple(20, points=((15, 0.3), (25, 0.0)), name="P/E"), 0.15),
        (scores.multiple(-4, points=((15, 0.3), (25, 0.0)), name="P/E"), -0.5),
        (scores.alpha(7.5, full=15, name="three months"), 0.5),
        (scores.rank(1, 9), 0.8),
        (scores.rank(5, 9), 0.0),
        (scores.rank(1, 1), 0.0),
        (scores.insiders(3e6, 4e6, 1e6), 0.48),
        (scores.insiders(-1e6, 0, 1e6), -0.3),
        (scores.insiders(0, 0, 0), 0.0),
    ],
)
def test_a_rule_gives_its_hand_worked_score(score: Score, expected: float) -> None:
    assert score.value == pytest.approx(expected)


RULES_OF_ONE: list[Callable[[float], Score]] = [
    scores.volatility,
    scores.drawdown,
    scores.regime,
    scores.fear,
    scores.leverage,
    partial(scores.oscillator, name="RSI"),
    partial(scores.change, full=12, name="a month"),
    partial(scores.growth, neutral=5, full=25, name="revenue"),
    partial(scores.level, neutral=12, full=32, name="margin"),
    partial(scores.multiple, points=((8, 0.6), (60, -0.8)), name="P/E"),
    partial(scores.alpha, full=15, name="three months"),
]
RULES_OF_TWO: list[Callable[[float, float], Score]] = [
    partial(scores.over_average, full=0.15, name="long-term"),
    scores.average_range,
    scores.near_high,
    scores.cash_margin,
    scores.conversion,
    scores.rank,
]


@given(x=finite, y=finite, z=finite)
def test_every_score_lies_between_minus_one_and_one_and_its_words_hold_no_figure(x: float, y: float, z: float) -> None:
    made = [
        *(rule(x) for rule in RULES_OF_ONE if not (isinstance(rule, partial) and rule.func is scores.oscillator)),
        *(rule(x, y) for rule in RULES_OF_TWO),
        scores.macd_histogram(x, y, z),
        scores.band_position(x, y, z),
        scores.insiders(x, y, z),
    ]
    for score in made:
        assert -1 <= score.value <= 1
        assert not re.search(r"[\d{}|]", score.words.replace("52-week high", "")), score.words


@given(a=finite, b=finite)
@pytest.mark.parametrize(
    ("rule", "rising"),
    [
        (partial(scores.change, full=12, name="a month"), True),
        (partial(scores.growth, neutral=5, full=25, name="revenue"), True),
        (partial(scores.alpha, full=15, name="three months"), True),
        (scores.regime, True),
        (scores.drawdown, True),
        (scores.volatility, False),
        (scores.fear, False),
    ],
)
def test_a_ramp_never_turns_back(rule: Callable[[float], Score], rising: bool, a: float, b: float) -> None:
    low, high = rule(min(a, b)).value, rule(max(a, b)).value
    assert (low <= high) if rising else (low >= high)


@given(a=st.floats(0.1, 500), b=st.floats(0.1, 500))
def test_a_higher_multiple_never_scores_better(a: float, b: float) -> None:
    points = ((8.0, 0.6), (25.0, 0.0), (60.0, -0.8))
    cheap, dear = (scores.multiple(x, points=points, name="P/E").value for x in (min(a, b), max(a, b)))
    assert cheap >= dear


@given(x=percents)
def test_an_oscillator_mirrors_around_fifty(x: float) -> None:
    here, there = (scores.oscillator(at, name="RSI").value for at in (x, 100 - x))
    assert here == pytest.approx(-there, abs=1e-9)


@given(x=finite)
def test_changes_mirror_around_zero(x: float) -> None:
    assert scores.change(x, full=12, name="a").value == -scores.change(-x, full=12, name="a").value


@given(middle=positive, half=positive, place=st.floats(-3, 3))
def test_the_band_mirrors_around_its_middle(middle: float, half: float, place: float) -> None:
    upper, lower = middle + half, middle - half
    above = scores.band_position(upper, lower, middle + place * half).value
    below = scores.band_position(upper, lower, middle - place * half).value
    assert above == pytest.approx(-below, abs=1e-6)


@given(x=finite)
def test_no_words_read_like_a_formula(x: float) -> None:
    for rule in RULES_OF_ONE:
        if isinstance(rule, partial) and rule.func is scores.oscillator:
            continue
        words = rule(x).words
        assert not re.search(r"barely| par\b|_|  ", words), words


def test_the_words_follow_the_size_of_the_score() -> None:
    said = [scores.over_average(100, close, full=0.15, name="200-day average").words for close in (101, 103, 108, 115)]
    assert said == [
        "price close to its 200-day average",
        "price slightly above its 200-day average",
        "price clearly above its 200-day average",
        "price far above its 200-day average",
    ]
    assert scores.growth(-3, neutral=5, full=25, name="revenue").words == "revenue shrinking"
    assert scores.growth(6, neutral=5, full=25, name="revenue").words == "revenue growing at an ordinary pace"
    assert scores.near_high(100, 99).words == "price close to its 52-week high"
    assert scores.near_high(100, 60).words == "price far below its 52-week high"
