"""Which vendor answers, and when another one may."""

from __future__ import annotations

from datetime import date

import pytest

from tests.support.fakes import RowsVendor, make_prices
from tradingagents.dataflows.interface import FALLBACK_ALLOWED, METHOD_CATEGORY, Vendors, route_to_vendor
from tradingagents.dataflows.models import SectorMember
from tradingagents.errors import (
    AllVendorsFailed,
    NoData,
    NotForPastDate,
    RateLimited,
    SettingsError,
    VendorDown,
    VendorNotConfigured,
)
from tradingagents.settings import load_settings

WINDOW = ("ACME", date(2025, 1, 2), date(2025, 3, 14))


def route(method: str, *args, chosen: str = "first,second", past: date | None = None, **vendors: RowsVendor):
    settings = load_settings({"data_vendor": chosen}, environ={})
    return route_to_vendor(method, *args, settings=settings, vendors=Vendors(settings, vendors), past=past)


def test_exactly_five_methods_may_fall_back():
    assert {
        "get_stock_data",
        "get_market_indices",
        "get_sector_performance",
        "get_market_movers",
        "get_industry_performance",
    } == FALLBACK_ALLOWED


@pytest.mark.parametrize(
    "error", [VendorDown("down."), RateLimited("slow.", retry_after=3), VendorNotConfigured("key.")]
)
def test_prices_fall_back_and_say_who_answered(error):
    second = RowsVendor(prices={"ACME": make_prices()})
    answer, vendor = route("get_stock_data", *WINDOW, first=RowsVendor(error=error), second=second)
    assert vendor == "second"
    assert answer.symbol == "ACME"


# `get_financials` is the stated exception: it is not routed, and its own tests ask several vendors in turn.
@pytest.mark.parametrize("method", sorted(set(METHOD_CATEGORY) - FALLBACK_ALLOWED - {"get_peers", "get_financials"}))
def test_every_other_method_fails_fast_and_names_method_and_vendor(method):
    arguments = {
        "get_indicators": WINDOW,
        "get_balance_sheet": ("ACME", "balance", "quarterly"),
        "get_cashflow": ("ACME", "cashflow", "quarterly"),
        "get_income_statement": ("ACME", "income", "quarterly"),
        "get_news": WINDOW,
        "get_global_news": WINDOW[1:],
        "get_topic_news": WINDOW,
        "get_social_posts": WINDOW,
        "get_filings": WINDOW,
        "get_filing_document": ("ACME", "0000000001-24-000001"),
        "get_holdings": WINDOW,
        "get_macro_indicators": WINDOW,
        "get_earnings_calendar": WINDOW[1:],
        "get_economic_calendar": WINDOW[1:],
    }.get(method, ("ACME",))
    second = RowsVendor()
    cause = VendorDown("the door is shut.")
    with pytest.raises(AllVendorsFailed, match=rf"{method} failed at first: the door is shut") as caught:
        route(method, *arguments, first=RowsVendor(error=cause), second=second)
    assert caught.value.__cause__ is cause
    assert second.asked == []


def test_no_data_is_an_answer_and_nobody_else_is_asked():
    second = RowsVendor(prices={"ACME": make_prices()})
    with pytest.raises(NoData):
        route("get_stock_data", *WINDOW, first=RowsVendor(), second=second)
    assert second.asked == []


def test_when_all_fail_the_outage_is_told_rather_than_the_missing_key():
    with pytest.raises(AllVendorsFailed, match="first, second") as caught:
        route(
            "get_stock_data",
            *WINDOW,
            first=RowsVendor(error=VendorDown("down.")),
            second=RowsVendor(error=VendorNotConfigured("set KEY.")),
        )
    assert isinstance(caught.value.__cause__, VendorDown)


def test_a_sole_vendor_without_its_key_says_so_itself():
    with pytest.raises(VendorNotConfigured, match="set KEY"):
        route("get_profile", "ACME", chosen="first", first=RowsVendor(error=VendorNotConfigured("set KEY.")))


class TodayOnly(RowsVendor):
    """Knows today's companies only."""

    live_only = frozenset({"get_industry_performance"})


MEMBERS = {"energy": (SectorMember("ACME", "Acme Ltd", rating="Buy", weight=9.0),)}


@pytest.mark.parametrize("error", [VendorDown("down."), VendorNotConfigured("key.")])
def test_a_vendor_that_knows_today_only_stands_in_for_no_other_on_a_past_day(error):
    today = TodayOnly(members=MEMBERS)
    question = {"first": RowsVendor(error=error), "second": today}
    with pytest.raises((AllVendorsFailed, VendorNotConfigured), match=r"down\.|key\."):
        route("get_industry_performance", "energy", past=WINDOW[1], **question)
    assert today.asked == []
    assert route("get_industry_performance", "energy", **question) == (MEMBERS["energy"], "second")


def test_a_past_day_is_asked_of_the_next_vendor_where_the_first_knows_today_only():
    first, second = TodayOnly(members=MEMBERS), RowsVendor(members=MEMBERS)
    assert route("get_industry_performance", "energy", past=WINDOW[1], first=first, second=second)[1] == "second"
    with pytest.raises(NotForPastDate, match="first answers get_industry_performance for today only, not for 2025"):
        route("get_industry_performance", "energy", past=WINDOW[1], chosen="first", first=first)
    assert first.asked == []


def test_an_unknown_vendor_is_refused_with_the_nearest():
    with pytest.raises(SettingsError, match="did you mean yfinance"):
        route("get_profile", "ACME", chosen="yfinanse")


def test_the_snapshot_needs_a_folder():
    with pytest.raises(VendorNotConfigured, match="TRADINGAGENTS_DATA_DIR"):
        route("get_profile", "ACME", chosen="snapshot")
