from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tradingagents.provenance.numbers import read_numbers


def values(text: str, *, continental: bool = False) -> list[tuple[float, str]]:
    return [(float(f"{one.value:.12g}"), one.unit) for one in read_numbers(text, continental=continental)]


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("1,234.5", 1234.5, ""),
        ("1\u202f234", 1234.0, ""),
        ("1 234", 1234.0, ""),
        ("$1.2bn", 1.2e9, "money"),
        ("USD 1.2 billion", 1.2e9, "money"),
        ("€3.4 million", 3.4e6, "money"),
        ("144.07 USD", 144.07, "money"),
        ("3.4M", 3.4e6, ""),
        ("2.07T", 2.07e12, ""),
        ("12.3%", 12.3, "%"),
        ("12.3 per cent", 12.3, "%"),
        ("-5.1 %", -5.1, "%"),
        ("\u22125.1%", -5.1, "%"),
        ("+0.36", 0.36, ""),
        ("-$2.10M", -2.1e6, "money"),
        ("1.5x", 1.5, "x"),
        ("2.3 times", 2.3, "x"),
        ("45 bps", 45.0, "bps"),
        ("8.0 percentage points", 8.0, "points"),
    ],
)
def test_a_number_is_read_however_it_is_written(text: str, value: float, unit: str):
    assert values(f"It is {text}, they say.") == [(value, unit)]


def test_a_range_is_two_numbers_of_one_unit():
    assert values("10-12%") == [(10.0, "%"), (12.0, "%")]
    assert values("between $1.2 and 1.4bn") == [(1.2, "money"), (1.4e9, "")]
    assert values("from $1.2 to 1.4bn") == [(1.2e9, "money"), (1.4e9, "")]


def test_a_number_in_brackets_may_be_of_either_sign():
    (number,) = read_numbers("the loss (5.1%) grew")
    assert (number.value, number.bracketed, number.signed) == (5.1, True, False)


def test_how_exact_a_number_is_follows_from_its_digits():
    assert [one.half for one in read_numbers("148, 148.2, 18.28B")] == pytest.approx([0.5, 0.05, 5e6], rel=1e-5)
    assert [one.half for one in read_numbers("about 190, at 191, 5 of them")] == pytest.approx([5, 0.5, 0], abs=1e-5)


@pytest.mark.parametrize(
    "words",
    [
        *("about ", "around ", "Roughly ", "nearly ", "almost ", "approximately ", "approx ", "approx. ", "some "),
        *("close to ", "just ", "over ", "more than ", "less than ", "under ", "at least ", "~", "≈", "≈ ", "circa "),
        *("c. ", "North of ", "well above ", "slightly below ", "about   ", "(about US$", "just over $"),
    ],
)
def test_a_number_after_words_such_as_about_is_less_exact(words: str):
    (about,), (plain,) = read_numbers(f"Sales of {words}15.3 million"), read_numbers("Sales were 15.3 million")
    assert (abs(about.value), about.half) == (plain.value, pytest.approx(2 * plain.half, rel=1e-6))


@pytest.mark.parametrize("words", ["rather ", "the ", "after ", "$", "of a loss of -", "USD ", "overall, "])
def test_a_number_after_other_words_is_as_exact_as_it_is_written(words: str):
    (number,) = read_numbers(f"Sales were {words}15.3 million")
    assert number.half == pytest.approx(50_000, rel=1e-6)


@pytest.mark.parametrize(
    "text",
    [
        "2024-05-10 at 16:04, May 10, 2024, 10 May, in 2024, 2023/24, Q3 2024, 3Q24, FY2023, fiscal 2025, H1",
        "the 50-day SMA, 200-session mean, 3 months, 2-3 weeks, 12-month, RSI(14), MACD(12,26,9), SMA50, 50DMA",
        "S&P 500, Russell 2000, Nasdaq-100, Form 10-K, 8-K, COVID-19, G7, the 3rd, top 5, Phase 3, rule_10b5",
        "close_50_sma, change_3m, HYG_1m, https://example.com/a/2.5?x=3.1",
        "20261123T034125Z-RESEARCH-2025-03-14-558950: task_1, 20261123T034125Z-BRK-B-2025-03-14-12345a",
        "1-day value at risk at 95%",
        "2) second",
        "3 of 4, a scale of -1 to 1, out of 10",
    ],
)
def test_what_names_or_dates_something_is_passed_over(text: str):
    assert values(text) == []


def test_continental_notation_is_read_on_demand():
    assert values("Der Umsatz stieg auf 1.234,5 Mio. USD", continental=True) == [(1234.5e6, "")]
    assert values("um 10,7% auf 18,28 USD", continental=True) == [(10.7, "%"), (18.28, "money")]


@given(st.decimals(min_value=13, max_value=10**9, places=2, allow_nan=False, allow_infinity=False))
def test_any_amount_is_read_back_as_written(amount):
    text = f"It came to {amount:,} USD."
    (number,) = read_numbers(text)
    assert number.value == pytest.approx(float(amount))
    assert text[number.start : number.end] == f"{amount:,} USD"


@given(st.text(max_size=200))
def test_no_text_is_too_odd_to_read(text: str):
    for number in read_numbers(text):
        assert 0 <= number.start < number.end <= len(text)
