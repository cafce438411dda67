"""The table of currencies: every word and sign means one currency, or is listed as shared."""

from __future__ import annotations

from collections import Counter

import pytest

from tradingagents.dataflows.reference.currencies import (
    AMBIGUOUS,
    CODES,
    CURRENCIES,
    DECIMAL_COMMA,
    DOLLARS,
    NOT_STATED,
    SHARED_WORDS,
    UNSTATED_UNIT,
    currency_named,
    is_money,
    is_stated,
    quoted_in,
    read_scaled_unit,
    scale_factor,
    scale_word,
    scaled_unit,
)


def test_codes_signs_and_names_are_unique() -> None:
    words = [word for one in CURRENCIES for word in (one.code, *one.signs, *one.names)]
    assert [word for word, times in Counter(words).items() if times > 1] == []
    assert not set(words) & set(SHARED_WORDS)
    assert all(len(code) == 3 and code.isupper() for code in CODES)
    assert set(SHARED_WORDS.values()) == set(AMBIGUOUS)
    assert {code for codes in AMBIGUOUS.values() for code in codes} | DOLLARS | DECIMAL_COMMA <= CODES


def test_every_word_names_its_currency() -> None:
    for one in CURRENCIES:
        for word in (one.code, one.code.lower(), *one.signs, *one.names, *(name.title() for name in one.names)):
            assert currency_named(word) == one.code
    assert [currency_named(word) for word in ("$", "Dollars", "Rs.", "kr", "pesos", "anvils")] == [
        "$",
        "$",
        "rs",
        "kr",
        "pesos",
        "",
    ]


@pytest.mark.parametrize(
    ("word", "factor"),
    [
        ("thousands", 1e3),
        ("'000", 1e3),
        ("000s", 1e3),
        ("Millions", 1e6),
        ("mn", 1e6),
        ("bn", 1e9),
        ("crores", 1e7),
        ("lakh", 1e5),
        ("lacs", 1e5),
        ("hundred millions", 1e8),
        ("hundreds of millions", 1e8),
        ("100 million", 1e8),
        ("ten thousand", 1e4),
        ("万", 1e4),
        ("億", 1e8),
        ("百万", 1e6),
        ("trillion", 1e12),
        ("dozens", None),
        ("", None),
    ],
)
def test_scale_words(word: str, factor: float | None) -> None:
    assert scale_factor(word) == factor


def test_units_in_words_and_back() -> None:
    assert scaled_unit("CAD", "millions") == "CAD millions"
    assert scaled_unit(UNSTATED_UNIT, "millions") == "millions (currency not stated)"
    for unit in ("CAD", UNSTATED_UNIT):
        assert read_scaled_unit(scaled_unit(unit, "millions")) == (unit, 1e6)
        assert read_scaled_unit(scaled_unit(unit, "")) == (unit, 1.0)
    assert read_scaled_unit("percent") == ("percent", 1.0)
    assert read_scaled_unit(f"{UNSTATED_UNIT}/share") == (f"{UNSTATED_UNIT}/share", 1.0)
    assert [scale_word(factor) for factor in (1e6, 1e7, 1e5, 1.0)] == ["million", "crore", "lakh", ""]


def test_units_of_money() -> None:
    assert all(is_money(unit) for unit in ("USD", UNSTATED_UNIT, "USD/share", ""))
    assert not any(is_money(unit) for unit in ("shares", "percent", "ratio", "count"))


@pytest.mark.parametrize(
    ("symbol", "currency"),
    [
        ("AAPL", "USD"),
        ("BRK-B", "USD"),
        ("USDJPY=X", "JPY"),
        ("BTC-EUR", "EUR"),
        ("VOD.L", NOT_STATED),
        ("7203.T", NOT_STATED),
    ],
)
def test_only_what_is_certain_is_taken_from_the_listing(symbol: str, currency: str):
    assert quoted_in(symbol) == currency


def test_no_currency_is_none():
    assert not is_stated(NOT_STATED)
    assert not is_stated("")
    assert is_stated("GBP")
