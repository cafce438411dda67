"""Share counts and per-share figures in the shares of a day, whatever basis a source counts in."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.fakes import RowsVendor, clock, make_prices
from tradingagents.capabilities.company import get_fundamentals, get_income_statement
from tradingagents.dataflows.gateway.checks.share_jumps import usual_ratio
from tradingagents.dataflows.gateway.share_basis import is_share_split, shares_per_share, statement_in_shares_of
from tradingagents.dataflows.interface import Vendors
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.models import EarningsEvent, InsiderTransaction, Prices, Profile, Split, Statement
from tradingagents.dataflows.reference.calendar import sessions
from tradingagents.dataflows.vendors.simulated.companies import COMPANIES
from tradingagents.errors import NoData, VendorDown
from tradingagents.settings import load_settings

SPLIT = Split(date(2024, 6, 10), 10.0)
FILED = datetime(2024, 5, 29, 20, tzinfo=UTC)
RECORDED = datetime(2025, 9, 1, tzinfo=UTC)
CUTOFF = datetime(2024, 6, 5, 20, tzinfo=UTC)
FILED_ITEMS = {"net_income": 1193.0, "eps_diluted": 11.93, "shares_diluted": 100.0}
RESTATED_ITEMS = {"net_income": 1193.0, "eps_diluted": 1.193, "shares_diluted": 1000.0}
LEVELS = ("open", "high", "low", "close", "adj_close")
RATIOS = (1.5, 2.0, 3.0, 4.0, 5.0, 7.0, 8.0, 10.0, 15.0, 20.0, 25.0, 50.0, 0.5, 0.1, 0.125, 0.04)


def income(items, *, restated: datetime | None = None, filed: datetime = FILED) -> Statement:
    return Statement(
        symbol="ACME",
        kind="income",
        frequency="annual",
        fiscal_year=2024,
        fiscal_period="FY",
        period_end=date(2024, 3, 31),
        known_at=filed,
        currency="USD",
        source="rows",
        items=items,
        shares_as_of=restated,
    )


def market(vendor: RowsVendor, as_of: date, **settings: object) -> MarketData:
    read = load_settings({"data_vendor": "rows", **settings}, environ={})
    return MarketData(read, as_of, vendors=Vendors(read, {"rows": vendor}), now=clock)


def company(statements, *splits: Split, **changes: object) -> RowsVendor:
    profile = Profile(symbol="ACME", name="Acme", kind="stock")
    prices = replace(make_prices(splits=splits, start=5.0, step=0.0), **changes)
    return RowsVendor(prices={"ACME": prices}, profiles={"ACME": profile}, statements=statements)


@pytest.mark.parametrize(("ratio", "split"), [(10, True), (1.5, True), (0.1, True), (0.04, True), (1.128, False)])
def test_splits_are_simple_ratios(ratio: float, split: bool):
    assert is_share_split(Split(date(2024, 6, 28), ratio)) is split


@pytest.mark.parametrize("ratio", [0.0, -2.0, float("nan"), float("inf")])
def test_an_impossible_ratio_is_no_split(ratio: float):
    assert is_share_split(Split(date(2024, 6, 28), ratio)) is False


@pytest.mark.parametrize(
    ("counted", "day", "shares"),
    [
        (date(2024, 6, 7), date(2024, 6, 10), 10.0),
        (date(2024, 6, 7), date(2024, 6, 9), 1.0),
        (date(2024, 6, 10), date(2024, 6, 7), 0.1),
        (date(2024, 6, 10), date(2024, 6, 10), 1.0),
        (date(2025, 1, 1), date(2025, 2, 1), 1.0),
    ],
)
def test_a_split_counts_from_its_first_morning(counted: date, day: date, shares: float):
    assert shares_per_share([SPLIT], counted, day) == shares


def test_an_as_filed_statement_is_multiplied_after_the_split_and_left_alone_before():
    before = statement_in_shares_of(date(2024, 6, 7), income(FILED_ITEMS), [SPLIT], cutoff=CUTOFF)
    after = statement_in_shares_of(date(2024, 6, 10), income(FILED_ITEMS), [SPLIT], cutoff=CUTOFF)
    assert dict(before.items) == FILED_ITEMS
    assert dict(after.items) == {"net_income": 1193.0, "eps_diluted": 1.193, "shares_diluted": 1000.0}
    assert (before.share_factor, after.share_factor) == (1.0, 10.0)
    assert after.shares_as_of == CUTOFF


def test_a_restated_statement_is_undone_before_the_split_and_left_alone_after():
    restated = income(RESTATED_ITEMS, restated=RECORDED)
    before = statement_in_shares_of(date(2024, 6, 7), restated, [SPLIT], cutoff=CUTOFF)
    after = statement_in_shares_of(date(2024, 6, 10), restated, [SPLIT], cutoff=CUTOFF)
    assert dict(before.items) == FILED_ITEMS
    assert dict(after.items) == RESTATED_ITEMS


@given(
    ratio=st.sampled_from(RATIOS),
    day=st.dates(date(2024, 5, 30), date(2024, 12, 31)),
    restated=st.booleans(),
    counts=st.tuples(st.integers(10**6, 10**10), st.integers(30, 5000)),
)
def test_both_bases_come_to_the_same(ratio: float, day: date, restated: bool, counts: tuple[int, int]):
    """A count as filed, and the same restated by the source, are one figure on every day."""
    split, shares, cents = Split(SPLIT.day, ratio), float(counts[0]), counts[1] / 100
    filed = income({"shares_diluted": shares, "eps_diluted": cents})
    again = income({"shares_diluted": shares * ratio, "eps_diluted": cents / ratio}, restated=RECORDED)
    ours, theirs = (statement_in_shares_of(day, one, [split], cutoff=CUTOFF) for one in (filed, again))
    for item in ("shares_diluted", "eps_diluted"):
        assert ours.items[item] == pytest.approx(theirs.items[item], rel=2e-5)
    assert ours.share_factor == theirs.share_factor


@pytest.mark.parametrize("ratio", RATIOS)
@pytest.mark.parametrize("restated", [False, True])
def test_no_multiple_moves_over_a_split_day_but_by_the_price(ratio: float, restated: bool):
    """The law, through the gateway: the price stays (adjusted), so market cap, P/E and yields stay."""
    split = Split(SPLIT.day, ratio)
    items = {"net_income": 1200.0, "eps_diluted": 12.0, "shares_diluted": 100.0, "revenue": 5000.0}
    if restated:
        items |= {"eps_diluted": 12.0 / ratio, "shares_diluted": 100.0 * ratio}
    rows = [income(items, restated=RECORDED if restated else None)]
    vendor = company(rows, split)
    eve, morning = (
        get_fundamentals.ask(market(vendor, day), ticker="ACME", curr_date=day)
        for day in (date(2024, 6, 7), date(2024, 6, 10))
    )
    assert eve.price == pytest.approx(ratio * morning.price)
    assert eve.eps_ttm == pytest.approx(ratio * morning.eps_ttm, rel=1e-5)
    assert eve.shares == pytest.approx(morning.shares / ratio)
    for name in ("market_cap", "pe_ttm", "ps_ttm", "dividend_yield"):
        assert getattr(eve, name) == pytest.approx(getattr(morning, name), rel=1e-5), name
    assert eve.withheld == morning.withheld == ()


@pytest.mark.parametrize("restated", [False, True])
def test_a_later_split_leaves_the_answer_byte_for_byte(restated: bool):
    """Nothing of a split after the cut-off shows, though the source restates its rows and prices for it."""
    day, later = date(2024, 6, 5), Split(date(2024, 8, 1), 4.0)
    items = {"net_income": 1200.0, "eps_diluted": 12.0, "shares_diluted": 100.0, "revenue": 5000.0}
    as_it_was = company([income(items, restated=RECORDED if restated else None)])
    prices = as_it_was.prices["ACME"]
    adjusted = replace(
        prices,
        splits=(later,),
        volume=prices.volume * 4,
        **{name: getattr(prices, name) / 4 for name in ("open", "high", "low", "close", "adj_close")},
    )
    now = items | ({"eps_diluted": 3.0, "shares_diluted": 400.0} if restated else {})
    as_it_is = replace(
        as_it_was, prices={"ACME": adjusted}, statements=[income(now, restated=RECORDED if restated else None)]
    )
    for capability in (get_fundamentals, get_income_statement):
        arguments = {"freq": "annual"} if capability is get_income_statement else {}
        shown = [
            capability.ask(market(vendor, day), ticker="ACME", curr_date=day, **arguments).to_markdown()
            for vendor in (as_it_was, as_it_is)
        ]
        assert shown[0] == shown[1]


def test_sources_of_different_bases_agree_about_one_company():
    day = date(2024, 6, 12)
    vendors = {
        "filed": company([income(FILED_ITEMS)], SPLIT),
        "restated": company([income(RESTATED_ITEMS, restated=RECORDED)], SPLIT),
    }
    read = load_settings({"data_vendor": "filed", "tool_vendors": {"get_financials": "filed,restated"}}, environ={})
    data = MarketData(read, day, vendors=Vendors(read, vendors), now=clock)
    books = data.financials("ACME", ("income",), "annual")
    assert [dict(one.items) for one in books.statements] == [RESTATED_ITEMS]
    assert [dict(one.items) for one in books.others["restated"]] == [RESTATED_ITEMS]


def test_statements_without_prices_stay_in_their_own_basis_and_say_so():
    vendor = replace(company([income(FILED_ITEMS)], SPLIT), prices={})
    rows = market(vendor, date(2024, 6, 12)).statements("ACME", "income", "annual")
    assert dict(rows[0].items) == FILED_ITEMS
    assert rows[0].shares_as_of is None
    table = get_income_statement.ask(market(vendor, date(2024, 6, 12)), ticker="ACME", freq="annual")
    assert any("share counts and per-share figures are as filed" in note for note in table.notes)


def test_restated_statements_without_prices_tell_of_no_later_split():
    """Read today, the figures of 2024 are divided by every split since: who reads them in 2024 would see it coming."""
    vendor = replace(company([income(RESTATED_ITEMS, restated=RECORDED)], SPLIT), prices={})
    rows = market(vendor, date(2024, 6, 5)).statements("ACME", "income", "annual")
    assert dict(rows[0].items) == {"net_income": 1193.0}
    today = replace(vendor, statements=[income(RESTATED_ITEMS, restated=clock())])
    assert dict(market(today, clock().date()).statements("ACME", "income", "annual")[0].items) == RESTATED_ITEMS


def unlisted(level: float, since: date) -> RowsVendor:
    """A company whose bars before a day are at another level, with the shares traded of a split."""
    made = company([income(FILED_ITEMS)])
    given = made.prices["ACME"]
    before = given.days < np.datetime64(since)
    columns = {name: np.where(before, getattr(given, name) * level, getattr(given, name)) for name in LEVELS}
    volume = np.where(before, given.volume / level, given.volume)
    return replace(made, prices={"ACME": replace(given, **columns, volume=volume)})


def test_share_figures_from_before_an_unlisted_split_are_withheld_with_the_reason():
    vendor = unlisted(10.0, SPLIT.day)
    (row,) = market(vendor, date(2024, 8, 1)).statements("ACME", "income", "annual")
    assert dict(row.items) == {"net_income": 1193.0}
    assert set(row.withheld) == {"eps_diluted", "shares_diluted"}
    assert "like a 10 for 1 split that is not listed" in row.withheld["eps_diluted"]
    assert row.withheld["eps_diluted"].endswith("(docs/reference/data-faults.md#share-basis).")
    (early,) = market(vendor, date(2024, 6, 7)).statements("ACME", "income", "annual")  # the split is not seen yet
    assert dict(early.items) == FILED_ITEMS


def test_share_figures_are_withheld_with_the_reason_where_the_prices_cannot_be_used():
    vendor = unlisted(10.0, SPLIT.day)
    (row,) = market(vendor, date(2024, 6, 12)).statements("ACME", "income", "annual")  # too early to tell
    assert dict(row.items) == {"net_income": 1193.0}
    assert "like a 10 for 1 split that is not listed" in row.withheld["shares_diluted"]


def test_statements_without_share_figures_ask_for_no_prices():
    vendor = company([income({"net_income": 5.0})], SPLIT)
    market(vendor, date(2024, 6, 12)).statements("ACME", "income", "annual")
    assert [asked[0] for asked in vendor.asked] == ["get_statements"]


def test_a_list_of_splits_read_before_the_statements_were_is_read_again():
    """Prices from an old cache lack a split that statements read today are restated for."""
    old = replace(company([]).prices["ACME"], fetched_at=datetime(2024, 6, 5, 21, tzinfo=UTC))
    new = company([], SPLIT).prices["ACME"]

    class Cached(RowsVendor):
        def get_stock_data(self, symbol: str, start: date, end: date) -> Prices:
            super().get_stock_data(symbol, start, end)
            return new if end > SPLIT.day else old

    vendor = Cached(statements=[income(RESTATED_ITEMS, restated=RECORDED)], prices={"ACME": old})
    rows = market(vendor, date(2024, 6, 5)).statements("ACME", "income", "annual")
    assert dict(rows[0].items) == FILED_ITEMS

    class Down(Cached):
        def get_stock_data(self, symbol: str, start: date, end: date) -> Prices:
            if end > SPLIT.day:
                raise VendorDown("rows is down.")
            return old

    vendor = Down(statements=[income(RESTATED_ITEMS, restated=RECORDED)], prices={"ACME": old})
    data = market(vendor, date(2024, 6, 5), vendor_max_retries=0)
    assert dict(data.statements("ACME", "income", "annual")[0].items) == {"net_income": 1193.0}


def test_insiders_shares_are_in_shares_of_the_day_and_their_value_stays():
    trade = InsiderTransaction("ACME", "A. Person", "CFO", "sell", 10.0, 500.0, date(2024, 6, 3), FILED)
    vendor = replace(company([], SPLIT), insiders=[replace(trade, known_at=CUTOFF)])
    eve = market(vendor, date(2024, 6, 7)).insider_transactions("ACME")[0]
    morning = market(vendor, date(2024, 6, 10)).insider_transactions("ACME")[0]
    assert (eve.shares, eve.value, eve.share_factor) == (10.0, 500.0, 1.0)
    assert (morning.shares, morning.value, morning.share_factor) == (100.0, 500.0, 10.0)


def test_an_estimate_restated_since_is_undone_or_left_out():
    event = EarningsEvent("ACME", "Acme", date(2024, 6, 4), CUTOFF, eps=1.2, eps_estimate=1.1, shares_as_of=RECORDED)
    day, window = date(2024, 6, 5), (date(2024, 6, 1), date(2024, 6, 30))
    vendor = replace(company([], SPLIT), results=[event])
    left_out = market(vendor, day).earnings_calendar(*window)[0]
    assert (left_out.eps, left_out.eps_estimate) == (None, None)

    class Local(RowsVendor):
        local = True

    local = Local(prices=vendor.prices, results=[event])
    undone = market(local, day).earnings_calendar(*window)[0]
    assert (undone.eps, undone.eps_estimate) == (12.0, 11.0)
    after = market(local, date(2024, 6, 10)).earnings_calendar(*window)[0]
    assert (after.eps, after.eps_estimate) == (1.2, 1.1)


@pytest.mark.parametrize(
    ("change", "ratio"),
    [(20.02, 20.0), (1.98, 2.0), (1 / 8.1, 1 / 8), (1.49, 1.5), (1.1, None), (1.3, None), (9.4, None), (0.0, None)],
)
def test_a_change_near_a_usual_ratio_looks_like_a_split(change: float, ratio: float | None):
    assert usual_ratio(change, near=0.04) == ratio


def test_a_quarter_later_the_statement_filed_after_the_split_needs_nothing():
    later = income(RESTATED_ITEMS, filed=FILED + timedelta(days=90))
    rows = market(company([later], SPLIT), date(2024, 9, 30)).statements("ACME", "income", "annual")
    assert dict(rows[0].items) == RESTATED_ITEMS
    assert rows[0].share_factor == 1.0


@pytest.mark.parametrize("symbol", [one.symbol for one in COMPANIES.values() if one.split])
def test_the_law_holds_for_every_split_of_the_simulated_market(symbol: str):
    """Statements there are as filed: what was filed before the split is multiplied after it."""
    read = load_settings({"data_vendor": "simulated"}, environ={})
    vendors, split = Vendors(read), COMPANIES[symbol].split
    assert split is not None
    days = sessions().days
    morning = next(day for day in days if day >= split.day)
    eve = days[days.index(morning) - 1]
    before, after = (
        get_fundamentals.ask(MarketData(read, day, vendors=vendors), ticker=symbol, curr_date=day)
        for day in (eve, morning)
    )
    moved = after.price * split.ratio / before.price
    assert 0.8 < moved < 1.25
    assert before.withheld == after.withheld == ()
    assert before.market_cap is not None
    for name in ("market_cap", "pe_ttm", "ps_ttm", "pb", "peg"):
        old, new = getattr(before, name), getattr(after, name)
        assert (old is None) == (new is None), name
        if old is not None:
            assert new / old == pytest.approx(moved, rel=1e-6), name
    if before.eps_ttm is not None:
        assert before.eps_ttm == pytest.approx(after.eps_ttm * split.ratio, rel=1e-6)


def test_a_company_whose_symbol_means_something_else_too_says_how_to_ask_for_that():
    with pytest.raises(NoData, match=r"GOLD is the company .*; gold futures are GC=F\."):
        market(RowsVendor(), date(2024, 6, 12)).prices("GOLD")


class SinceTheFirstDayAsked(RowsVendor):
    """Prices with the splits from the first day asked for until they were read, as Yahoo gives them."""

    def get_stock_data(self, symbol: str, start: date, end: date) -> Prices:
        found = super().get_stock_data(symbol, start, end)
        splits = tuple(split for split in found.splits if split.day >= start)
        return replace(found, splits=splits, splits_since=start)


def test_a_newer_list_of_splits_is_added_to_the_older_one():
    """Cached prices know the split of June; the newer list begins later, and knows the one of October."""
    june, october = SPLIT, Split(date(2024, 10, 1), 2.0)
    listed = company([], june, october).prices["ACME"]
    read = datetime(2024, 8, 1, tzinfo=UTC)

    class Cached(SinceTheFirstDayAsked):
        def get_stock_data(self, symbol: str, start: date, end: date) -> Prices:
            found = super().get_stock_data(symbol, start, end)
            return found if end > june.day else replace(found, splits=(june,), fetched_at=read)

    restated = {"net_income": 1193.0, "eps_diluted": 11.93 / 20, "shares_diluted": 2000.0}
    vendor = Cached(statements=[income(restated, restated=RECORDED)], prices={"ACME": listed})
    rows = market(vendor, date(2024, 6, 5)).statements("ACME", "income", "annual")
    assert dict(rows[0].items) == FILED_ITEMS


def test_figures_from_before_the_list_of_splits_are_left_out_where_no_longer_one_can_be_had():
    old = replace(income(FILED_ITEMS, filed=datetime(2022, 5, 29, 20, tzinfo=UTC)), period_end=date(2022, 3, 31))
    listed = company([], SPLIT).prices["ACME"]

    class Short(SinceTheFirstDayAsked):
        def get_stock_data(self, symbol: str, start: date, end: date) -> Prices:
            if (end - start).days > 900:
                raise VendorDown("rows is down.")
            return super().get_stock_data(symbol, start, end)

    day, settings = date(2025, 6, 12), {"price_history_days": 800, "vendor_max_retries": 0}
    for kind, expected in (
        (SinceTheFirstDayAsked, {"net_income": 1193.0, "eps_diluted": 1.193, "shares_diluted": 1000.0}),
        (Short, {"net_income": 1193.0}),
    ):
        vendor = kind(statements=[old], prices={"ACME": listed})
        assert dict(market(vendor, day, **settings).statements("ACME", "income", "annual")[0].items) == expected
