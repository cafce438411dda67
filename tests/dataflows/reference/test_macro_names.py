"""Names of economic series."""

from __future__ import annotations

import pytest

from tradingagents.dataflows.reference.macro_series import ALIASES, series_id
from tradingagents.errors import NoData


@pytest.mark.parametrize(
    ("name", "series"),
    [
        ("CPI", "CPIAUCSL"),
        ("core-cpi", "CPILFESL"),
        ("Core CPI", "CPILFESL"),
        (" unemployment_rate ", "UNRATE"),
        ("unrate", "UNRATE"),
        ("fed funds", "FEDFUNDS"),
        ("Fed Funds Target", "DFEDTARU"),
        ("10y", "DGS10"),
        ("10-Year Treasury", "DGS10"),
        ("2Y", "DGS2"),
        ("yield curve", "T10Y2Y"),
        ("VIX", "VIXCLS"),
        ("payrolls", "PAYEMS"),
        ("gdp", "GDP"),
        ("real GDP", "GDPC1"),
        ("HY spread", "BAMLH0A0HYM2"),
        ("A191RL1Q225SBEA", "A191RL1Q225SBEA"),
        ("IPG2211A2N", "IPG2211A2N"),
        ("X_1", "X_1"),
    ],
)
def test_a_name_or_an_id_is_an_id(name: str, series: str):
    assert series_id(name) == series


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("unemployed people", "close to it are UNRATE"),
        ("core cpi inflation rate", "CPILFESL"),
        ("how is the economy?", "names no economic series"),
        ("UNRATE&api_key=x", "names no economic series"),
        ("../release", "names no economic series"),
        ("é" * 500, "names no economic series"),
        ("", "names no economic series"),
        ("A" * 31, "names no economic series"),
    ],
)
def test_anything_else_is_refused_with_a_hint(name: str, hint: str):
    with pytest.raises(NoData, match=hint) as caught:
        series_id(name)
    assert str(caught.value).endswith(".")
    assert len(str(caught.value)) < 400


def test_no_name_means_two_series():
    names = [name for series, others in ALIASES.items() for name in (series, *others)]
    bare = ["".join(char for char in name.lower() if char.isalnum()) for name in names]
    assert sorted(bare) == sorted(set(bare))
