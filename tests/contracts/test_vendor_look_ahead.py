"""Look-ahead: none, for the live vendors: each answers its part of a capability, a recorded market the rest."""

from __future__ import annotations

from datetime import date

import pytest

from tests.contracts.sources.all import every_source
from tests.contracts.sources.source import AS_OF, LATER, NOW, SYMBOL, Source
from tests.contracts.test_look_ahead import QUESTIONS
from tests.support.snapshot_folder import write_snapshot
from tests.support.vendor_server import vendor_server
from tradingagents.dataflows.interface import Vendors
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.vendor import Vendor
from tradingagents.dataflows.vendors.snapshot import SnapshotVendor
from tradingagents.errors import TradingAgentsError
from tradingagents.settings import load_settings

STATEMENTS = ("get_income_statement", "get_balance_sheet", "get_cashflow")
METHODS = {
    "get_macro_regime": ("get_stock_data",),
    "get_fundamentals": (*STATEMENTS, "get_stock_data"),
    "get_ttm_analysis": STATEMENTS,
    "get_peer_comparison": ("get_stock_data",),  # who is a peer carries no date
    "get_sector_relative": ("get_stock_data",),
    "get_peer_multiples": (*STATEMENTS, "get_stock_data"),
    "get_social_sentiment": ("get_social_posts",),
}
"""The methods whose vendor is the one under test, where they are not the capability's own."""
VENDORS_NAME = {
    **dict.fromkeys((*STATEMENTS, "get_financials"), "get_statements"),
    **dict.fromkeys(("get_indicators", "get_market_indices", "get_sector_performance"), "get_stock_data"),
}
CASES = [
    pytest.param(source, name, id=f"{source.name}-{name}")
    for source in every_source()
    for name in QUESTIONS
    if name not in source.lacks
    and any(VENDORS_NAME.get(method, method) in source.asks for method in METHODS.get(name, (name,)))
]


def _answer(vendor: Vendor, snapshot: Vendor, name: str, day: date) -> str:
    capability, arguments = QUESTIONS[name]
    own = {method: vendor.name for method in METHODS.get(name, (name,)) if vendor.can(VENDORS_NAME.get(method, method))}
    settings = load_settings({"data_vendor": "snapshot", "tool_vendors": own}, environ={})
    vendors = Vendors(settings, {"snapshot": snapshot, vendor.name: vendor}, environ={})
    data = MarketData(settings, day, vendors=vendors, now=lambda: NOW)
    try:
        result = capability.ask(data, **arguments(SYMBOL))
    except TradingAgentsError as error:
        return f"{type(error).__name__}: {error}"
    assert result.known_at is None or result.known_at <= data.cutoff.instant
    assert all(row.known_at is None or row.known_at <= data.cutoff.instant for row in data.sheet.rows)
    assert vendor.name in {row.vendor for row in data.sheet.rows} or vendor.name in result.source
    return f"{ {figure.name: figure.rounded for figure in result.figures()} }\n{result.to_markdown()}"


@pytest.mark.parametrize(("source", "name"), CASES)
def test_what_comes_after_the_cut_off_changes_nothing(source: Source, name: str, tmp_path):
    snapshot = SnapshotVendor(write_snapshot(tmp_path / "market"))
    found: dict[tuple[bool, date], str] = {}
    for poisoned in (False, True):
        with vendor_server() as server:
            source.fill(server, AS_OF if poisoned else None)
            vendor = source.open(server, tmp_path)
            for day in (LATER, AS_OF):
                found[poisoned, day] = _answer(vendor, snapshot, name, day)
    today_only = any(method in source.kind.live_only for method in METHODS.get(name, (name,)))
    assert found[True, AS_OF] == found[False, AS_OF]
    assert "POISON" not in found[True, AS_OF]
    assert found[False, AS_OF].startswith("NotForPastDate") == today_only, found[False, AS_OF]
    assert not found[False, AS_OF].startswith(("NoData", "AllVendorsFailed", "VendorDown")), found[False, AS_OF]
    assert today_only or found[True, LATER] != found[False, LATER], "the poison would show"
