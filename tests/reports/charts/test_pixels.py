import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tradingagents.reports.charts.pixels import rows_of_tenths, tenths

PIXELS = st.floats(-50, 1100) | st.integers(-500, 11000).map(lambda number: number / 10 + 0.05)
"""Any pixel, and those that lie between two tenths."""


@given(st.lists(PIXELS, max_size=30))
def test_pixels_are_written_as_python_formats_them(values: list[float]):
    assert tenths(np.array(values)) == [f"{value:.1f}" for value in values]


def test_columns_are_yielded_as_rows():
    assert list(rows_of_tenths(np.array([1.0, 2.25]), np.array([-3.0, 1234.5]))) == [("1.0", "-3.0"), ("2.2", "1234.5")]
