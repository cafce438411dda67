import pytest

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
