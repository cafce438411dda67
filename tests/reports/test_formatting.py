import pytest
from hypothesis import given
from hypothesis import strategies as st

from tradingagents.reports import formatting as words


@pytest.mark.parametrize(
    ("value", "text"),
    [(3.214, "+3.21%"), (-0.5, "-0.50%"), (0.0, "0.00%"), (-0.004, "0.00%"), (None, "n/a"), (float("nan"), "n/a")],
)
def test_a_return_has_its_sign_and_zero_has_none(value, text):
    assert words.change(value) == text


@pytest.mark.parametrize(
    ("value", "text"), [(1234.5, "+1,234.50"), (-42.27, "-42.27"), (-0.0, "0.00"), (None, "n/a"), (float("inf"), "n/a")]
)
def test_points_have_their_sign_and_zero_has_none(value, text):
    assert words.points(value) == text


ORDINARY = st.lists(st.floats(1, 1100), max_size=8)
ANY = st.lists(
    st.floats(-1e13, 1e13, allow_nan=False) | st.sampled_from((0.0, 0.5, 999.0, 999.995, 1e6, 1e9)), max_size=8
)


@given(ORDINARY | ANY)
def test_many_prices_are_formatted_as_one_is(values: list[float]):
    assert words.prices(values) == [words.price(value) for value in values]


@given(st.lists(st.integers(1_000_000, 1_100_000_000).map(float), max_size=8) | ANY)
def test_many_volumes_are_formatted_as_figures_are(values: list[float]):
    assert words.volumes(values) == [words.figure(round(value)) for value in values]
