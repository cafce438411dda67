"""Bounds: what no company ever had is named without the figure, and what some had is left alone."""

from __future__ import annotations

import pytest

from tradingagents.dataflows.gateway.checks.row_checks import BOUNDS, LABELS, beyond_bounds


@pytest.mark.parametrize(
    ("name", "value", "currency"),
    [
        ("market_cap", 38.8e12, "USD"),
        ("market_cap", 12.1e12, "USD"),
        ("market_cap", 2.5e15, "JPY"),
        ("ps_ttm", 12_000.0, None),
        ("ps_ttm", 0.0001, None),
        ("pe_ttm", 25_000.0, None),
        ("pe_ttm", 0.001, None),
        ("pb", 20_000.0, None),
        ("ev_ebitda", -11_000.0, None),
        ("dividend_yield", 101.0, None),
        ("earnings_yield", -30_000.0, None),
        ("forward_pe", 30_000.0, None),
    ],
)
def test_what_never_was_is_beyond(name: str, value: float, currency: str | None):
    beyond = beyond_bounds(name, value, currency)
    assert beyond is not None
    assert "would lie" in beyond


def test_the_value_itself_is_never_told():
    beyond = beyond_bounds("market_cap", 38.8e12, "USD")
    assert beyond == "the market value would lie above 12.00T USD, and no company was worth half as much by 2026"


@pytest.mark.parametrize(
    ("name", "value", "currency"),
    [
        ("market_cap", 5e12, "USD"),  # the largest there was
        ("market_cap", 60e12, "JPY"),  # Toyota
        ("market_cap", 1e15, "KRW"),  # Samsung
        ("market_cap", 1e20, "XXX"),  # nobody knows what it is worth
        ("ps_ttm", 115.0, None),  # Palantir
        ("pe_ttm", 1_500.0, None),
        ("pb", 252.0, None),  # Home Depot
        ("dividend_yield", 0.0, None),
        ("fcf_yield", -90.0, None),
        ("beta", 1e9, None),
        ("pe_ttm", None, None),
    ],
)
def test_what_some_company_had_is_within(name: str, value: float | None, currency: str | None):
    assert beyond_bounds(name, value, currency) is None


def test_every_bound_has_a_label():
    assert set(BOUNDS) == set(LABELS)
