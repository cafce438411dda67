"""The wrappers of each kind of vendor, from the outside in."""

from __future__ import annotations

from datetime import date

import pytest

from tests.support.fakes import RowsVendor
from tradingagents.dataflows.gateway.wrappers import Wrapper
from tradingagents.dataflows.interface import Vendors
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.vendor import Vendor
from tradingagents.settings import load_settings

DAY = date(2025, 3, 14)


class LocalRows(RowsVendor):
    """Rows that cost no network."""

    local = True


def wrapped(name: str, vendor: Vendor, *, altered: bool = False) -> list[str]:
    """Return the kinds of wrappers around a vendor, the outermost first."""
    settings = load_settings({"data_vendor": name}, environ={})
    vendors = Vendors(settings, {name: vendor})
    if altered:
        vendors = vendors.altered_by(lambda _, answer: answer)
    found, source = [], MarketData(settings, DAY, vendors=vendors).source._wrapped(name)
    while isinstance(source, Wrapper):
        found.append(type(source).__name__)
        source = source.inner
    return [*found, type(source).__name__]


@pytest.mark.parametrize(
    ("name", "vendor", "expected"),
    [
        ("rows", LocalRows(), ["Validation", "Memory", "VendorCall"]),
        (
            "rows",
            RowsVendor(),
            ["SecondVendor", "Validation", "KnownSince", "DiskAnswers", "EarlierAnswers", "Retries", "VendorCall"],
        ),
        (
            "sec_edgar",
            RowsVendor(),
            ["SecondVendor", "Validation", "DiskAnswers", "EarlierAnswers", "Retries", "VendorCall"],
        ),
    ],
    ids=["local", "remote", "EDGAR, which dates what it accepts"],
)
def test_answers_are_stored_as_the_vendor_gave_them_then_dated_then_validated(
    name: str, vendor: Vendor, expected: list[str]
) -> None:
    assert wrapped(name, vendor) == expected
    valid = expected.index("Validation") + 1
    assert wrapped(name, vendor, altered=True) == [*expected[:valid], "Alteration", *expected[valid:]]
