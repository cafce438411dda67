"""The market that the tests of a process share: equal questions are worked out once, and no change to it is hidden."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from tests.support.graph_factory import COMPANY
from tests.support.shared_market import SharedMarkets
from tradingagents.capabilities.capability import Answer
from tradingagents.capabilities.prices import get_stock_data
from tradingagents.dataflows.gateway.cache import Memo
from tradingagents.dataflows.interface import Vendors
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.models import Prices
from tradingagents.dataflows.vendors.simulated import SimulatedVendor
from tradingagents.settings import load_settings

ASKED: dict[str, Any] = {"symbol": COMPANY, "start_date": date(2025, 3, 3), "end_date": date(2025, 3, 14)}


def answered(vendors: Vendors | None = None, as_of: date = date(2025, 3, 14), **given: Any) -> Answer:
    """Return what a new graph with these settings answers."""
    settings = load_settings({"data_vendor": "simulated", **given}, environ={})
    data = MarketData(settings, as_of, vendors=vendors or Vendors(settings), memo=Memo(64))
    return get_stock_data.reply(data, get_stock_data.checked(ASKED))


def doubled(prices: Prices) -> Prices:
    return replace(prices, close=2 * prices.close, high=2 * prices.high)


def test_graphs_on_one_market_share_an_answer():
    assert answered() is answered(max_debate_rounds=3)
    assert answered() is answered(tool_vendors={})  # as `--offline` sets it


def test_the_market_of_a_test_of_its_own_is_not_met_again(markets: SharedMarkets):
    with markets.apart():
        own = Vendors(load_settings({"data_vendor": "simulated"}, environ={})).get("simulated")
        assert answered() is not answered()
    assert "worked_out" not in vars(own)
    assert answered() is answered()


def test_a_market_that_was_made_while_nothing_was_shared_joins_the_others(markets: SharedMarkets):
    markets.shared = False
    try:
        alone = Vendors(load_settings({"data_vendor": "simulated", "simulated_seed": 11}, environ={})).get("simulated")
    finally:
        markets.shared = True
    assert "worked_out" not in vars(alone)
    assert answered(simulated_seed=11) is answered(simulated_seed=11)
    assert "worked_out" in vars(alone)


@pytest.mark.parametrize("given", [{"price_history_days": 900}, {"simulated_seed": 8}], ids=str)
def test_other_settings_of_the_data_share_none(given: dict[str, Any]):
    assert answered() is not answered(**given)


def test_a_patched_vendor_is_asked(monkeypatch: pytest.MonkeyPatch):
    before, ask = answered().result.figures()[0].value, SimulatedVendor.get_stock_data
    monkeypatch.setattr(SimulatedVendor, "get_stock_data", lambda *given: doubled(ask(*given)))
    assert answered().result.figures()[0].value == pytest.approx(2 * before)
    monkeypatch.undo()
    assert answered().result.figures()[0].value == before


def test_altered_and_given_vendors_are_asked():
    settings = load_settings({"data_vendor": "simulated"}, environ={})
    altered = Vendors(settings).altered_by(lambda _, answer: doubled(answer) if isinstance(answer, Prices) else answer)
    before = answered().result.figures()[0].value
    assert answered(altered).result.figures()[0].value == pytest.approx(2 * before)
    assert answered(Vendors(settings, {"simulated": SimulatedVendor()})) is not answered()
