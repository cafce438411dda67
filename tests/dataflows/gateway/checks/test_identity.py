"""The company that an answer is about, the currency it is in, and the bounds of what vendors say themselves."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime

import pytest

from tests.support.fakes import RowsVendor, make_prices
from tradingagents.dataflows.gateway.checks.row_checks import check_row
from tradingagents.dataflows.interface import Vendors
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.models import Mover, Profile, Ratios, Statement
from tradingagents.errors import AllVendorsFailed, NoData
from tradingagents.settings import load_settings

DAY, NOW = date(2025, 6, 16), datetime(2025, 6, 30, 22, tzinfo=UTC)
AT = datetime(2025, 5, 1, 12, tzinfo=UTC)
PAGE = "docs/reference/data-faults.md"
PROFILE = Profile("ACMQ", "Acme", "stock", "technology", currency="USD")


class Answering(RowsVendor):
    """Answers with what it has, whatever symbol is asked for."""

    def get_profile(self, symbol: str) -> Profile:
        return next(iter(self.profiles.values()))

    def get_stock_data(self, symbol: str, start: date, end: date):
        return next(iter(self.prices.values()))

    def get_statements(self, symbol: str, kind, freq):
        return tuple(self.statements)


def market(vendor: RowsVendor) -> MarketData:
    settings = load_settings({"data_vendor": "rows"}, environ={})
    return MarketData(settings, DAY, vendors=Vendors(settings, {"rows": vendor}), now=lambda: NOW)


def income(symbol: str, **changes: object) -> Statement:
    items = {"revenue": 1e9, "net_income": 1e8, "eps_diluted": 1.0, "shares_diluted": 1e8}
    row = Statement(symbol, "income", "quarterly", 2025, "Q1", date(2025, 3, 31), AT, "USD", "rows", items)
    return replace(row, **changes)


@pytest.mark.parametrize("stated", ["BRK-A", "BRKB", "ACMQ.L", "ELMQ"])
@pytest.mark.parametrize("ask", ["profile", "prices", "statements"])
def test_an_answer_about_another_symbol_is_refused_with_the_reason(stated: str, ask: str):
    vendor = Answering(
        profiles={"": replace(PROFILE, symbol=stated)}, prices={"": make_prices(stated)}, statements=[income(stated)]
    )
    data = market(vendor)
    with pytest.raises(AllVendorsFailed, match=f"BRK-B: the source answers about '?{stated}"):
        data.statements("BRK-B", "income") if ask == "statements" else getattr(data, ask)("BRK-B")
    (fault,) = [fault for row in data.sheet.rows for fault in row.faults]
    assert fault.kind == "another-company"


def test_another_spelling_is_the_same_symbol():
    data = market(Answering(profiles={"": replace(PROFILE, symbol="BRK.B")}, prices={"": make_prices("BRK.B")}))
    assert data.profile("BRK-B").name == "Acme"
    assert len(data.prices("BRK/B"))


@pytest.mark.parametrize(
    ("symbol", "stated", "currency"),
    [("ACMQ", "XXX", "USD"), ("ACMQ", "EUR", "EUR"), ("ACMQ.L", "XXX", "XXX"), ("ACMQ.L", "GBp", "GBP")],
)
def test_the_currency_is_stated_or_told_by_the_listing(symbol: str, stated: str, currency: str):
    data = market(RowsVendor(profiles={symbol: replace(PROFILE, symbol=symbol, currency=stated)}))
    assert data.profile(symbol).currency == currency


def test_an_invalid_currency_of_a_foreign_listing_is_not_replaced():
    row, (fault,) = check_row(replace(PROFILE, symbol="ACMQ.L", currency="pounds"))
    assert row is not None
    assert row.currency == "XXX"
    assert fault.kind == "currency-unknown"


def test_a_vendors_own_ratios_beyond_all_companies_are_left_out():
    row, faults = check_row(Ratios("ACMQ", {"forward_pe": 1e6, "pe_ttm": 20.0, "market_cap": 5e13}, "rows", AT, "USD"))
    assert row is not None
    assert dict(row.values) == {"pe_ttm": 20.0}
    assert {(fault.kind, fault.withholds) for fault in faults} == {("out-of-range", True)}
    assert "the forward P/E would lie above" in faults[0].text()


def test_a_mover_loses_a_market_value_that_no_company_had():
    mover = Mover("ACMQ", "Acme", 10.0, 5.0, 1e6, AT, 5e13)
    row, (fault,) = check_row(mover)
    assert row == replace(mover, market_cap=None)
    assert fault.kind == "out-of-range"
    assert check_row(replace(mover, market_cap=5e12)) == (replace(mover, market_cap=5e12), [])


def test_a_class_of_shares_has_the_statements_of_its_company():
    data = market(RowsVendor(statements=[income("GOOGL")], prices={"GOOG": make_prices("GOOG")}))
    (row,) = data.statements("GOOG", "income")
    assert (row.symbol, row.items["shares_diluted"]) == ("GOOG", 1e8)
    (note,) = row.gate_notes
    assert note == "Statements of GOOG are those of its company under GOOGL, another class of its shares."
    assert [row.notes for row in data.sheet.rows if row.method == "get_income_statement"] == [(note,)]
    assert data.statement_versions("GOOG", "income")[0].symbol == "GOOG"


def test_a_class_with_another_claim_has_none():
    data = market(RowsVendor(statements=[income("GEF")], prices={"GEF-B": make_prices("GEF-B")}))
    with pytest.raises(NoData):
        data.statements("GEF-B", "income")


class WithPeers(RowsVendor):
    def get_peers(self, symbol: str, sector: str) -> tuple[str, ...]:
        return ("GOOG", "META", "FOX", "FOXA", "NFLX")


def test_peers_are_other_companies_each_once():
    assert market(WithPeers()).peers("GOOGL", "communication-services") == ("META", "FOX", "NFLX")


@pytest.mark.parametrize("ask", ["prices", "profile"])
def test_a_renamed_symbol_says_what_it_is_now(ask: str):
    with pytest.raises(NoData, match="FB is META since 2022-06-09; ask for META"):
        getattr(market(RowsVendor()), ask)("FB")


@pytest.mark.parametrize(
    ("symbol", "name", "owner"),
    [
        ("AVB", "Exxon Mobil Corporation", "XOM"),
        ("COST", "Ford Motor Company", "F"),
        ("AVB", "AvalonBay Communities, Inc.", None),
        ("GOOG", "Alphabet Inc. (Class C)", None),
        ("AVB", "A Name That Nobody Knows", None),
        ("ACMQ", "Exxon Mobil Corporation", None),
        ("AVB", "AVB", None),
    ],
)
def test_the_name_of_another_known_company_is_not_used(symbol: str, name: str, owner: str | None):
    """Whose name a symbol has that the list lacks cannot be told; a name that nobody knows may be a new one."""
    data = market(Answering(profiles={"": Profile(symbol, name, "stock", "energy", currency="USD")}))
    if owner is None:
        assert data.profile(symbol).name == name
        return
    found = data.profile(symbol)
    assert (found.name, found.sector, found.industry) == (symbol, None, None)
    assert data.instrument(symbol).sector_etf is None
    (fault,) = {fault for row in data.sheet.rows for fault in row.faults}
    assert (fault.kind, fault.withholds) == ("another-company", True)
    assert f"calls it {name}, which is {owner}" in fault.reason
