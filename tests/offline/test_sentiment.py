from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tradingagents.offline.sentiment import headline_tone, tone
from tradingagents.offline.sentiment_lexicon import BURDENS, LESS, MORE, NEGATIVE, NEGATORS, POSITIVE


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Gadget maker beats estimates", 0.5),
        ("Gadget maker misses estimates", -0.5),
        ("Shares surge", 2 / 3),
        ("Shares plunge", -2 / 3),
        ("Gadget maker names a new office", 0.0),
        ("Profit did not beat estimates", (1 - 0.8) / 2.8),  # profit +1, beat turned to -0.8
        ("Gadget maker fails to win the order", -1.8 / 2.8),  # fails -1, win turned to -0.8
        ("The firm isn't in trouble", 0.8 / 1.8),
        ("The firm isn\u2019t in trouble", 0.8 / 1.8),
        ("Losses narrow", 0.5),
        ("Losses widen", -0.5),
        ("Maker cuts costs", 0.5),
        ("Record loss", -0.5),
        ("Rivals boosted spending on security after the shooting", (1 - 2) / 4),
        ("Tariff fears ease", 0.0),  # fears ease +1, tariff -1
        ("No. Profit was strong", 2 / 3),  # a negator does not reach over the end of a sentence
    ],
)
def test_tone_of_a_headline(text: str, expected: float) -> None:
    assert tone(text) == pytest.approx(expected)


def test_the_title_outweighs_the_summary() -> None:
    assert headline_tone("Shares surge", "A weak year") == pytest.approx(0.7 * 2 / 3 - 0.3 * 0.5)
    assert headline_tone("Shares surge", "") == pytest.approx(2 / 3)


@given(st.text())
def test_tone_is_bounded_for_any_text(text: str) -> None:
    assert -1 < tone(text) < 1


@given(st.sampled_from(sorted(set(POSITIVE) - BURDENS - LESS - MORE - NEGATORS)))
def test_negation_turns_every_good_word(word: str) -> None:
    assert tone(f"they did not {word}") < 0 < tone(word)


def test_the_word_lists_do_not_contradict_each_other() -> None:
    assert not set(POSITIVE) & set(NEGATIVE)
    assert not LESS & MORE
    assert len(POSITIVE) > 200
    assert len(NEGATIVE) > 200
