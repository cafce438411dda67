"""Look-ahead: none, for the live vendors: each answers its part of a capability, a recorded market the rest."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from tests.contracts.sources.all import every_source
from tests.contracts.sources.source import AS_OF, LATER, NOW, SYMBOL, Source
from tests.contracts.test_look_ahead import OF_DOCUMENTS, QUESTIONS
from tests.support.snapshot_folder import write_snapshot
from tests.support.vendor_server import vendor_server
from tradingagents.dataflows.interface import Vendors
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.vendor import METHODS, Vendor
from tradingagents.dataflows.vendors.snapshot import SnapshotVendor
from tradingagents.errors import TradingAgentsError
from tradingagents.settings import load_settings


def asked_of_it(name: str, kind: type[Vendor]) -> list[str]:
    """The methods of a capability that the vendor is asked: those whose rows are cut at the day, or that it refuses."""
    capability, _ = QUESTIONS[name]
    return [
        method
        for method in capability.methods
        if kind.implements(METHODS[method])
        and (METHODS[method].point_in_time in ("known_at", "sessions") or method in kind.live_only)
    ]


def cases() -> Iterator[Any]:
    """Yield each capability of each vendor; marked nightly are those that ask it for nothing that others do not ask."""
    for source in every_source():
        known: set[str] = set()
        for name in sorted(QUESTIONS, key=lambda name: len(asked_of_it(name, source.kind))):
            asked = {one for one in asked_of_it(name, source.kind) if METHODS[one].vendor_name in source.asks}
            if asked and name not in source.lacks:
                marks = () if asked - known else pytest.mark.nightly
                yield pytest.param(source, name, id=f"{source.name}-{name}", marks=marks)
                known |= asked


def _answer(vendor: Vendor, snapshot: Vendor, name: str, day: date, *, shown: bool) -> str:
    capability, arguments = QUESTIONS[name]
    own = dict.fromkeys(asked_of_it(name, type(vendor)), vendor.name)
    settings = load_settings({"data_vendor": "snapshot", "tool_vendors": own}, environ={})
    vendors = Vendors(settings, {"snapshot": snapshot, vendor.name: vendor}, environ={})
    data = MarketData(settings, day, vendors=vendors, now=lambda: NOW)
    try:
        result = capability.ask(data, **arguments(SYMBOL, day))
    except TradingAgentsError as error:
        return f"{type(error).__name__}: {error}"
    assert result.known_at is None or result.known_at <= data.cutoff.instant
    assert all(row.known_at is None or row.known_at <= data.cutoff.instant for row in data.sheet.rows)
    assert not shown or vendor.name in {row.vendor for row in data.sheet.rows} or vendor.name in result.source
    return f"{ {figure.name: figure.rounded for figure in result.figures()} }\n{result.to_markdown()}"


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> SnapshotVendor:
    """The recorded market that answers the rest."""
    return SnapshotVendor(write_snapshot(tmp_path_factory.mktemp("market")))


@pytest.mark.parametrize(("source", "name"), [*cases()])
def test_what_comes_after_the_cut_off_changes_nothing(
    snapshot: SnapshotVendor, source: Source, name: str, tmp_path: Path
):
    found: dict[tuple[bool, date], str] = {}
    shown = name not in source.unshown | OF_DOCUMENTS
    for poisoned in (False, True):
        with vendor_server() as server:
            source.fill(server, AS_OF if poisoned else None)
            vendor = source.open(server, tmp_path)
            for day in (LATER, AS_OF):
                found[poisoned, day] = _answer(vendor, snapshot, name, day, shown=shown)
    # An optional method that is answered for today only is left out of the answer.
    required = QUESTIONS[name][0].requires
    today_only = any(method in source.kind.live_only & required for method in asked_of_it(name, source.kind))
    assert found[True, AS_OF] == found[False, AS_OF]
    assert "POISON" not in found[True, AS_OF]
    assert found[False, AS_OF].startswith("NotForPastDate") == today_only, found[False, AS_OF]
    assert not found[False, AS_OF].startswith(("NoData", "AllVendorsFailed", "VendorDown")), found[False, AS_OF]
    assert today_only or not shown or found[True, LATER] != found[False, LATER], "the poison would show"
