"""What each capability shows: its Markdown on the simulated market, as a golden file that a reviewer reads."""

from __future__ import annotations

from datetime import date

import pytest

from tests.contracts.test_look_ahead import SIMULATED, WIDER
from tests.support.golden_files import assert_golden
from tradingagents.capabilities.capability import Capability
from tradingagents.capabilities.registry import built_in
from tradingagents.dataflows.interface import Vendors
from tradingagents.dataflows.market_data import MarketData
from tradingagents.settings import load_settings

DAY = date(2025, 3, 14)
ASKED_NARROWLY = ("get_stock_data", "get_earnings_calendar", "get_economic_calendar")
"""Capabilities whose wider question of the leak test would fill pages."""


@pytest.fixture(scope="module")
def vendors() -> Vendors:
    return Vendors(load_settings({"data_vendor": "simulated"}, environ={}))


@pytest.mark.parametrize("one", built_in().values(), ids=lambda one: one.name)
def test_the_markdown_of_a_capability(one: Capability, vendors: Vendors):
    settings = load_settings({"data_vendor": "simulated"}, environ={})
    wider = {} if one.name in ASKED_NARROWLY else WIDER.get(one.name, {})
    given = {**one.example_arguments(SIMULATED, DAY), **wider}
    result = one.ask(MarketData(settings, DAY, vendors=vendors), **given)
    text = result.to_markdown()
    assert "nan" not in text.lower().split()
    assert_golden(f"capabilities/{one.name}.md", text + "\n")
