"""Of a list of vendors, the first that can be asked is asked: insiders' trades, by the keys that are set (C5)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.dataflows.vendors.financial_datasets_payloads import trade
from tests.support.fakes import RowsVendor
from tests.support.vendor_server import Reply, VendorServer, vendor_server
from tradingagents.capabilities.news import get_insider_transactions
from tradingagents.dataflows.interface import Vendors, candidates, check_tool_vendors
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.models import InsiderTransaction
from tradingagents.dataflows.vendor import Vendor
from tradingagents.errors import AllVendorsFailed, NoData, SettingsError, VendorNotConfigured
from tradingagents.settings import DEFAULT_TOOL_VENDORS, load_settings

METHOD = "get_insider_transactions"
FRIDAY = date(2025, 3, 14)
ON_THE_DAY = datetime(2025, 3, 14, 20, 5, tzinfo=UTC)
KEYS = {
    "finnhub": ("FINNHUB_API_KEY", "made-up-SECRET-finnhub"),
    "financial_datasets": ("FINANCIAL_DATASETS_API_KEY", "made-up-SECRET-datasets"),
    "alpha_vantage": ("ALPHA_VANTAGE_API_KEY", "made-up-SECRET-alpha"),
    "sec_edgar": ("EDGAR_IDENTITY", "Quinn Quiller quinn@desk.example"),
}
ORDER = (*KEYS, "yfinance")
SOLD = InsiderTransaction(
    "ACMQ", "Quill, Ada", "CEO", "sell", 500.0, 9e3, date(2025, 2, 10), datetime(2025, 2, 12, tzinfo=UTC)
)


@pytest.fixture
def server() -> Iterator[VendorServer]:
    with vendor_server() as running:
        yield running


def environ(*vendors: str) -> dict[str, str]:
    return dict(KEYS[name] for name in vendors)


def market(
    tmp_path: Path,
    keys: Mapping[str, str],
    made: Mapping[str, Vendor] | None = None,
    *,
    now: datetime = ON_THE_DAY,
    **settings: Any,
) -> MarketData:
    """The real vendors, made by the keys there are; those of `made` stand in for their own."""
    given = load_settings({"home": tmp_path, **settings}, environ={})
    vendors = Vendors(given, made, environ=keys, sleep=lambda _: None)
    return MarketData(given, FRIDAY, vendors=vendors, now=lambda: now)


# Choosing


def test_the_order_of_the_defaults():
    assert tuple(DEFAULT_TOOL_VENDORS[METHOD].split(",")) == ORDER


@pytest.mark.parametrize(
    ("keys", "first"),
    [
        ((), "yfinance"),
        (("sec_edgar",), "sec_edgar"),
        (("alpha_vantage", "sec_edgar"), "alpha_vantage"),
        (("financial_datasets", "alpha_vantage", "sec_edgar"), "financial_datasets"),
        (("finnhub", "financial_datasets", "alpha_vantage", "sec_edgar"), "finnhub"),
        (("finnhub",), "finnhub"),
    ],
)
def test_the_first_that_has_its_key_is_chosen(tmp_path: Path, keys: tuple[str, ...], first: str):
    assert market(tmp_path, environ(*keys)).vendor_of(METHOD) == first


def test_those_without_a_key_are_passed_over_and_the_rest_keeps_its_order(tmp_path: Path):
    settings = load_settings({"home": tmp_path}, environ={})
    vendors = Vendors(settings, environ=environ("sec_edgar", "financial_datasets"))
    able, passed_over = candidates(METHOD, settings=settings, vendors=vendors)
    assert able == ("financial_datasets", "sec_edgar", "yfinance")
    assert isinstance(passed_over, VendorNotConfigured)
    assert "FINNHUB_API_KEY" in str(passed_over)


@pytest.mark.parametrize("blank", ["", "  "])
def test_an_empty_key_is_none(tmp_path: Path, blank: str):
    assert market(tmp_path, {"FINNHUB_API_KEY": blank}).vendor_of(METHOD) == "yfinance"


def test_one_vendor_for_everything_wins_over_the_list(tmp_path: Path):
    data = market(tmp_path, environ(*KEYS), {"rows": RowsVendor()}, data_vendor="rows")
    assert data.vendor_of(METHOD) == "rows"


def test_a_vendor_named_for_the_tool_wins_over_both(tmp_path: Path):
    named = {METHOD: "sec_edgar"}
    data = market(tmp_path, environ(*KEYS), {"rows": RowsVendor()}, data_vendor="rows", tool_vendors=named)
    assert data.vendor_of(METHOD) == "sec_edgar"


def test_one_named_for_its_category_does_not(tmp_path: Path):
    data = market(tmp_path, {}, {"rows": RowsVendor()}, data_vendors={"news_data": "rows"})
    assert data.vendor_of(METHOD) == "yfinance"
    assert data.vendor_of("get_news") == "rows"


def test_a_list_of_which_none_has_its_key_says_what_is_missing(tmp_path: Path):
    data = market(tmp_path, {}, tool_vendors={METHOD: "financial_datasets,sec_edgar"})
    with pytest.raises(VendorNotConfigured, match="FINANCIAL_DATASETS_API_KEY"):
        data.insider_transactions("ACMQ")


def test_one_that_does_not_have_the_method_is_passed_over(tmp_path: Path):
    data = market(tmp_path, environ("financial_datasets"), tool_vendors={METHOD: "stocktwits,financial_datasets"})
    assert data.vendor_of(METHOD) == "financial_datasets"


class TodayOnly(RowsVendor):
    live_only = frozenset({METHOD})


def test_for_a_past_day_one_that_knows_today_only_is_passed_over(tmp_path: Path):
    made = {"finnhub": TodayOnly()}
    assert market(tmp_path, environ("sec_edgar"), made).vendor_of(METHOD) == "finnhub"
    later = datetime(2025, 6, 30, tzinfo=UTC)
    assert market(tmp_path, environ("sec_edgar"), made, now=later).vendor_of(METHOD) == "sec_edgar"


def test_only_tools_that_a_vendor_answers_can_be_given_one():
    check_tool_vendors(load_settings({"tool_vendors": {METHOD: "rows", "get_financials": "rows"}}, environ={}))
    with pytest.raises(SettingsError, match="did you mean get_financials"):
        check_tool_vendors(load_settings({"tool_vendors": {"get_financial": "rows"}}, environ={}))


# Failing: Financial Datasets is the one chosen, on a server of ours


@pytest.fixture
def ask(server: VendorServer, tmp_path: Path):
    """Ask of Financial Datasets, with a next one in the list that has an answer."""
    following = RowsVendor(insiders=[SOLD])

    def ask() -> tuple[Any, RowsVendor, MarketData]:
        keys, urls = environ("financial_datasets"), {"financial_datasets": server.url}
        data = market(tmp_path, keys, {"yfinance": following}, vendor_urls=urls)
        return (lambda: get_insider_transactions.ask(data, ticker="ACMQ")), following, data

    return ask


def trades_asked(vendor: RowsVendor) -> list[tuple[object, ...]]:
    """The profile is the next one's to give: it has the prices' category."""
    return [question for question in vendor.asked if question[0] == METHOD]


def test_the_chosen_one_answers_alone(server: VendorServer, ask):
    server.answer("/insider-trades", {"insider_trades": [trade("2025-03-10", "2025-03-11")]})
    question, following, data = ask()
    result = question()
    assert (result.source, result.sells, result.sell_value) == ("financial_datasets", 1, 20000.0)
    assert trades_asked(following) == []
    assert {row.vendor for row in data.sheet.rows} == {"financial_datasets"}


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        (Reply({}, status=401), VendorNotConfigured),
        (Reply({}, status=403), VendorNotConfigured),
        (Reply({}, status=500), AllVendorsFailed),
        (Reply({}, status=429), AllVendorsFailed),
        (Reply({}, status=404), NoData),
    ],
)
def test_its_failure_is_told_and_nobody_else_is_asked(server: VendorServer, ask, reply: Reply, expected):
    server.failing = reply
    question, following, _ = ask()
    with pytest.raises(expected, match="financial_datasets") as caught:
        question()
    assert type(caught.value) is expected
    assert trades_asked(following) == []
    assert KEYS["financial_datasets"][1] not in str(caught.value)


def test_where_its_plan_lacks_the_question_the_next_is_asked(server: VendorServer, ask):
    server.failing = Reply({"error": "Payment required"}, status=402)
    question, following, data = ask()
    result = question()
    assert (result.source, result.sells) == ("yfinance", 1)
    assert trades_asked(following) == [(METHOD, "ACMQ")]
    assert {row.vendor for row in data.sheet.rows} == {"yfinance"}
