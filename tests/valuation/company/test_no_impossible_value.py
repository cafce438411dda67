"""No value below nothing: every company, simulated and recorded, on two days, in every answer about its value."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from tests.support.tiers import sampled
from tradingagents.capabilities.valuation import build_valuation_inputs, reverse_valuation, sensitivity, valuation
from tradingagents.dataflows.interface import Vendors
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.vendors.simulated import COMPANIES
from tradingagents.errors import DataError, UsageError
from tradingagents.settings import load_settings
from tradingagents.valuation import ValuationInputs, default_distributions, simulate

DAYS = (date(2024, 6, 14), date(2025, 3, 14))
OF_A_SHARE = {
    *("value_per_share", "base_value", "grid_lowest", "grid_highest", "low", "high", "lowest_value", "highest_value"),
}
"""Fields that hold the value of a share."""
SETS = re.compile(
    r"([a-z0-9_]+=[…a-z0-9]|Choose|choose|Continue without it|another vendor|another model|"
    r"value a stock instead|other dates)"
)
"""How a refusal says what to set or to do."""


def of_a_share(found: Any) -> Iterator[tuple[str, float]]:
    """Return each value of a share in an answer, by field."""
    if isinstance(found, dict):
        for name, value in found.items():
            if name in OF_A_SHARE and isinstance(value, int | float):
                yield name, float(value)
            yield from of_a_share(value)
    elif isinstance(found, list):
        for value in found:
            yield from of_a_share(value)


def assert_says_what_to_set(symbol: str, refusal: Exception) -> None:
    assert SETS.search(str(refusal)), (symbol, str(refusal))


def accepted(data: MarketData, symbol: str) -> str:
    """Return the assumption by which the figures known are valued though a newer report is overdue."""
    try:
        return f"base_period={build_valuation_inputs.ask(data, ticker=symbol).base_period}"
    except (DataError, UsageError):
        return ""


def assert_possible(data: MarketData, symbol: str) -> str:
    """Check the answers about a company, and return `valued`, `no value` or `refused`."""
    base = accepted(data, symbol)
    for question in (sensitivity, reverse_valuation):
        try:
            found = question.ask(data, ticker=symbol, assumptions=base)
        except (DataError, UsageError) as error:
            assert_says_what_to_set(symbol, error)
            continue
        shown = found.model_dump(mode="json")
        shown.pop("kernel_inputs")
        for name, value in of_a_share(shown):
            assert value >= 0, (symbol, question.name, name, value)
        assert "NaN" not in found.model_dump_json()
        assert "nan" not in found.to_markdown().split("Note:")[0].replace("financ", "").replace("Finan", "").lower()
    try:
        worth = valuation.ask(data, ticker=symbol, assumptions=base)
    except (DataError, UsageError) as error:
        assert_says_what_to_set(symbol, error)
        return "no value" if "No value from these figures" in str(error) else "refused"
    assert worth.value_per_share > 0
    assert math.isfinite(worth.value_per_share)
    assert -1 < worth.upside < math.inf
    assert len(worth.opening) >= 3
    assert worth.opening[0].startswith("At ")
    if isinstance(worth.kernel_inputs, ValuationInputs):
        drawn = simulate(worth.kernel_inputs, default_distributions(worth.kernel_inputs), draws=500)
        assert drawn.lowest >= 0
        assert 0 <= drawn.worth_nothing < 1
    return "valued"


@pytest.mark.parametrize("day", sampled(DAYS, every=2))
def test_no_simulated_company_has_an_impossible_value(day: date) -> None:
    settings = load_settings({"data_vendor": "simulated"}, environ={})
    data = MarketData(settings, day, vendors=Vendors(settings))
    found = [assert_possible(data, symbol) for symbol in COMPANIES]
    assert found.count("valued") >= 5
    assert "no value" in found  # CURZ loses money every year


@pytest.mark.real_data
@pytest.mark.parametrize("day", sampled(DAYS, every=2))
def test_no_recorded_company_has_an_impossible_value(day: date, test_data: Path) -> None:
    folder = test_data / "snapshot"
    settings = load_settings({"data_vendor": "snapshot", "data_dir": str(folder)}, environ={})
    vendors = Vendors(settings)
    found = []
    for symbol in json.loads((folder / "profiles.json").read_text()):
        data = MarketData(settings, day, vendors=vendors)
        if not data.known_profile(symbol):
            continue
        found.append(assert_possible(data, symbol))
    assert found.count("valued") >= 15, found
    assert "no value" in found
