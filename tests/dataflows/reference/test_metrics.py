"""A figure reads back as it was written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.figures import parse_figures
from tradingagents.dataflows.reference.metrics import Figure, figures_table


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (395.76e9, "USD", "395.76B USD"),
        (12.5, "%", "12.50%"),
        (28.314, "x", "28.31x"),
        (46.2, "", "46.20"),
        (0.01234, "", "0.0123"),
        (-0.0001, "%", "0.00%"),
        (None, "USD", "n/a"),
        (float("nan"), "", "n/a"),
        (14_000_000, "shares", "14.00M shares"),
        (0.59, "USD", "0.59 USD"),
        (0.1234, "USD", "0.1234 USD"),
        (-0.25, "points", "-0.25 points"),
        (0.467, "", "0.4670"),
    ],
)
def test_how_figures_are_shown(value, unit, text):
    assert Figure("name", value, unit).text == text


@pytest.mark.parametrize("name", ["beta", "beta_daily", "book_beta"])
def test_a_beta_has_two_decimals(name: str):
    assert (Figure(name, 0.8775).text, Figure(name, 0.8775).rounded) == ("0.88", 0.88)
    assert (Figure(name, 1.486).text, Figure("beta_daily_error", 0.0882).text) == ("1.49", "0.0882")


@given(st.floats(-1e13, 1e13), st.sampled_from(["", "%", "x", "USD", "shares"]))
def test_a_table_reads_back_to_the_rounded_value(value: float, unit: str):
    figure = Figure("some_name", value, unit)
    read = parse_figures(figures_table([figure]))["some_name"]
    assert read.value == figure.rounded
    assert read.unit == unit


def test_what_is_not_known_is_not_read_back():
    assert parse_figures(figures_table([Figure("gone", None)])) == {}
