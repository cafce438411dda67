"""What a capability declares of itself is what it does: the methods it asks, its result, whether it may wait."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.contracts.test_look_ahead import QUESTIONS, SIMULATED, WIDER
from tests.support.fakes import RowsVendor, make_prices
from tests.support.snapshot_folder import write_snapshot
from tradingagents.capabilities.capability import Capability
from tradingagents.capabilities.company import get_fundamentals
from tradingagents.capabilities.news import get_news
from tradingagents.capabilities.prices import get_stock_data
from tradingagents.capabilities.registry import CapabilityRegistry, built_in
from tradingagents.dataflows.gateway.cache import Memo
from tradingagents.dataflows.gateway.vendor_call import Source, VendorQuestion
from tradingagents.dataflows.interface import Vendors
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.models import NewsItem
from tradingagents.dataflows.vendor import METHODS, Vendor
from tradingagents.dataflows.vendor_method import methods_of
from tradingagents.dataflows.vendors.simulated import SimulatedVendor
from tradingagents.errors import UsageError
from tradingagents.settings import load_settings

DAY = date(2025, 3, 14)


class NotingVendors(Vendors):
    """Vendors that note which questions were put to them."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.asked: set[str] = set()

    def call_of(self, name: str) -> Source:
        return NotingCall(super().call_of(name), self.asked)


class NotingCall:
    """A vendor's methods; notes which are called."""

    def __init__(self, call: Source, asked: set[str]) -> None:
        self.call, self.asked = call, asked

    def answer(self, question: VendorQuestion) -> Any:
        self.asked.add(question.method.name)
        return self.call.answer(question)


@pytest.mark.parametrize("asked", built_in().values(), ids=lambda one: one.name)
def test_a_capability_asks_what_it_declares_and_returns_what_it_declares(asked: Capability):
    settings = load_settings({"data_vendor": "simulated"}, environ={})
    vendors = NotingVendors(settings)
    arguments = {**asked.example_arguments(SIMULATED, DAY), **WIDER.get(asked.name, {})}
    if asked.name == "get_fundamentals":
        arguments["curr_date"] = DAY
    result = asked.ask(MarketData(settings, DAY, vendors=vendors), **arguments)
    assert type(result) is asked.returns
    # Statements of several sources are asked one by one, each by its own name.
    assert asked.requires - {"get_financials"} <= vendors.asked <= asked.methods


@pytest.mark.parametrize("asked", built_in().values(), ids=lambda one: one.name)
def test_declared_methods_exist(asked: Capability):
    assert asked.methods <= set(METHODS)
    assert not asked.requires & asked.uses


def test_every_vendor_method_is_asked_by_some_capability():
    """One that none asks is reached by nothing."""
    assert {name for one in built_in().values() for name in one.methods} == set(METHODS)


def test_a_registry_holds_a_name_once_and_names_the_nearest():
    with pytest.raises(ValueError, match="two capabilities are called get_stock_data"):
        CapabilityRegistry([get_stock_data, get_stock_data])
    known = CapabilityRegistry([get_stock_data, get_news])
    assert list(known) == ["get_stock_data", "get_news"]
    with pytest.raises(UsageError, match="did you mean get_news"):
        known.by_name("get_newz")


def test_every_capability_can_be_asked_its_example():
    assert set(QUESTIONS) == set(built_in())


class Remote(RowsVendor):
    """News over a network."""

    name = "remote"
    local = False


def mixed(tmp_path: Path, day: date, **more: Any) -> MarketData:
    """Recorded prices, and news over a network."""
    settings = load_settings({"data_vendor": "snapshot", "tool_vendors": {"get_news": "remote"}}, environ={})
    folder = tmp_path / "market"
    if not folder.exists():
        write_snapshot(folder)
    from tradingagents.dataflows.vendors.snapshot import SnapshotVendor

    vendors = Vendors(settings, {"snapshot": SnapshotVendor(folder), "remote": Remote(**more)})
    return MarketData(settings, day, vendors=vendors)


def test_whether_a_tool_may_wait_depends_on_the_vendors_of_its_own_methods(tmp_path: Path):
    data = mixed(tmp_path, DAY)
    assert not data.all_local
    assert not get_stock_data.may_block(data)
    assert not get_fundamentals.may_block(data)
    assert get_news.may_block(data)


def test_an_answer_of_today_is_shared_only_where_its_own_vendors_are_local(tmp_path: Path):
    """With recorded prices and remote news, today's news may change while prices do not."""
    data = mixed(tmp_path, DAY)
    today = MarketData(data.settings, date.today(), vendors=data._vendors, memo=Memo(8))  # noqa: DTZ011 - any day
    assert today.cutoff.live
    assert today.is_final(get_stock_data.methods)
    assert not today.is_final(get_news.methods)
    assert data.is_final(get_news.methods), "a day that is over has one answer"


# Vendor methods


def test_each_method_is_declared_once_and_found_under_all_its_names():
    declared = {name for name, value in vars(Vendor).items() if value in methods_of(Vendor).values()}
    assert {method.vendor_name for method in METHODS.values()} == declared | {"get_statements"}
    assert Vendor.get_stock_data.named("get_indicators").category == "technical_indicators"
    assert not Vendor.get_stock_data.named("get_indicators").fungible
    assert Vendor.get_stock_data.named("get_market_indices").fungible
    with pytest.raises(KeyError):
        Vendor.get_stock_data.named("get_news")


def test_a_vendor_supports_what_it_overrides():
    rows = RowsVendor(prices={"ACME": make_prices()})
    assert SimulatedVendor().supports(Vendor.get_filings)
    assert not SimulatedVendor().supports(Vendor.get_fundamentals)
    assert rows.supports(Vendor.get_peers), "the declaration itself is an answer"
    assert not rows.implements(Vendor.get_peers)


def test_rows_of_any_question_are_cut_at_the_day():
    known = NewsItem("Known", *[make_instant(0)] * 2)
    late = NewsItem("Late", *[make_instant(1)] * 2)
    settings = load_settings({"data_vendor": "rows"}, environ={})
    data = MarketData(settings, DAY, vendors=Vendors(settings, {"rows": RowsVendor(articles=(late, known))}))
    instants = (make_instant(-9), make_instant(9))
    assert data.rows(Vendor.get_global_news, *instants) == (known,)
    (row,) = data.sheet.rows
    assert (row.method, row.vendor, row.rows, row.known_at) == ("get_global_news", "rows", 1, known.known_at)


def make_instant(days: int) -> Any:
    from tradingagents.dataflows.reference.calendar import sessions

    return sessions().close_of(DAY) + timedelta(days=days)
