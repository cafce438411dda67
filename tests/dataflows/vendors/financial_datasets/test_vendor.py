"""Financial Datasets through a local server: what is asked, and what its rows become."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.contracts.sources.financial_datasets import SOURCE
from tests.dataflows.vendors.financial_datasets_payloads import (
    FACTS,
    ITEMS,
    article,
    serve_statements,
    statement,
    trade,
)
from tests.support.vendor_server import Reply, Request, VendorServer, vendor_server
from tradingagents.dataflows.models import InsiderTransaction, NewsItem, Profile, Statement
from tradingagents.dataflows.vendors.financial_datasets.parse import insider_kind
from tradingagents.dataflows.vendors.financial_datasets.vendor import FinancialDatasetsVendor
from tradingagents.errors import NoData, NotInPlan, VendorDown, VendorNotConfigured

START, END = datetime(2025, 6, 10, tzinfo=UTC), datetime(2025, 6, 13, tzinfo=UTC)
OPEN_AFTER_31_MARCH = datetime(2025, 4, 1, 13, 30, tzinfo=UTC)
"""The first open after 2024-12-31 and 90 days: the 31st of March 2025, a Monday, so Tuesday's."""


@pytest.fixture
def server() -> Iterator[VendorServer]:
    with vendor_server() as running:
        yield running


@pytest.fixture
def vendor(server: VendorServer, tmp_path: Path) -> FinancialDatasetsVendor:
    return SOURCE.open(server, tmp_path)  # type: ignore[return-value]


@pytest.fixture
def income(server: VendorServer, vendor: FinancialDatasetsVendor):
    """Ask for the quarters' income statements, of one row with some fields changed."""

    def ask(**more: Any) -> Statement:
        serve_statements(server, [("income", statement("income", "2024-09-30", "2024-Q3", **more))])
        (found,) = vendor.get_statements("ACMQ", "income", "quarterly")
        return found

    return ask


# Statements


def test_every_field_of_an_income_statement(income, server: VendorServer):
    found = income()
    assert found == Statement(
        symbol="ACMQ",
        kind="income",
        frequency="quarterly",
        fiscal_year=2024,
        fiscal_period="Q3",
        period_end=date(2024, 9, 30),
        known_at=datetime(2024, 11, 15, 14, 30, tzinfo=UTC),  # 45 days later is Thursday the 14th
        known_by="assumed",
        currency="USD",
        source="financial_datasets",
        items={
            "revenue": 900e6,
            "cost_of_revenue": 500e6,
            "gross_profit": 400e6,
            "research_and_development": 100e6,
            "selling_general_administrative": 120e6,
            "operating_expenses": 220e6,
            "operating_income": 180e6,
            "interest_expense": 10e6,
            "income_tax": 30e6,
            "net_income": 140e6,
            "eps_basic": 1.41,
            "eps_diluted": 1.4,
            "shares_basic": 99e6,
            "shares_diluted": 100e6,
        },
    )
    (request,) = server.asked
    assert (request.method, request.path) == ("GET", "/financials/income-statements")
    assert request.query == {"ticker": "ACMQ", "period": "quarterly", "limit": "40"}
    assert request.headers["x-api-key"] == SOURCE.environ["FINANCIAL_DATASETS_API_KEY"]


def test_every_item_of_a_balance_sheet_and_of_a_cash_flow_statement(server: VendorServer, vendor):
    serve_statements(
        server,
        [(kind, statement(kind, "2024-12-31", "2024-FY", period="annual")) for kind in ("balance", "cashflow")],
    )
    (balance,) = vendor.get_statements("ACMQ", "balance", "annual")
    assert balance.items == {
        "cash": 700e6,
        "receivables": 300e6,
        "inventory": 200e6,
        "current_assets": 1800e6,
        "fixed_assets": 900e6,
        "total_assets": 4000e6,
        "accounts_payable": 260e6,
        "short_term_debt": 150e6,
        "current_liabilities": 1200e6,
        "long_term_debt": 650e6,
        "total_debt": 800e6,
        "total_liabilities": 2400e6,
        "equity": 1600e6,
    }
    assert (balance.fiscal_year, balance.fiscal_period, balance.known_at) == (2024, "FY", OPEN_AFTER_31_MARCH)
    (flows,) = vendor.get_statements("ACMQ", "cashflow", "annual")
    assert flows.items == {
        "operating_cash_flow": 210e6,
        "capital_expenditure": -60e6,
        "free_cash_flow": 150e6,
        "investing_cash_flow": -75e6,
        "financing_cash_flow": -90e6,
        "dividends_paid": -25e6,
        "share_repurchases": -55e6,
        "net_change_in_cash": 45e6,
    }
    assert [request.query["limit"] for request in server.asked] == ["10", "10"]


@pytest.mark.parametrize(
    ("more", "items"),
    [
        ({"capital_expenditure": 60e6}, {"capital_expenditure": -60e6, "free_cash_flow": 150e6}),
        ({"dividends_and_other_cash_distributions": 25e6}, {"dividends_paid": -25e6}),
        ({"free_cash_flow": 999e6}, {"free_cash_flow": 150e6}),
        ({"capital_expenditure": None}, {"free_cash_flow": 150e6}),
    ],
)
def test_money_out_is_negative_and_free_cash_flow_is_what_is_left(server, vendor, more, items):
    serve_statements(server, [("cashflow", statement("cashflow", "2024-09-30", "2024-Q3", **more))])
    (found,) = vendor.get_statements("ACMQ", "cashflow", "quarterly")
    assert {name: found.items[name] for name in items} == items


def test_shares_issued_are_no_repurchase(server: VendorServer, vendor):
    issued = statement("cashflow", "2024-09-30", "2024-Q3", issuance_or_purchase_of_equity_shares=55e6)
    serve_statements(server, [("cashflow", issued)])
    (found,) = vendor.get_statements("ACMQ", "cashflow", "quarterly")
    assert "share_repurchases" not in found.items


@pytest.mark.parametrize("bad", [None, "None", "-", "", "900000000", True, [1], {}, math.nan, math.inf, 10**400])
def test_a_field_that_is_no_number_is_not_there(income, bad: Any):
    found = income(revenue=bad)
    assert "revenue" not in found.items
    assert found.items["net_income"] == 140e6


def test_zero_is_a_number(income):
    assert income(research_and_development=0).items["research_and_development"] == 0.0


@pytest.mark.parametrize(
    ("filed", "known_at", "known_by"),
    [
        ("2024-10-31", datetime(2024, 11, 1, 13, 30, tzinfo=UTC), "accepted"),
        ("2024-11-01T21:05:00Z", datetime(2024, 11, 4, 14, 30, tzinfo=UTC), "accepted"),  # a Friday; clocks went back
        ("2024-09-30", datetime(2024, 11, 15, 14, 30, tzinfo=UTC), "assumed"),  # not filed before it ended
        ("soon", datetime(2024, 11, 15, 14, 30, tzinfo=UTC), "assumed"),
        ("2999-01-01", None, None),
    ],
)
def test_a_filing_date_counts_from_the_next_open_and_is_assumed_without(income, filed, known_at, known_by):
    if known_at is None:
        with pytest.raises(VendorDown):
            income(filing_date=filed)
        return
    found = income(filing_date=filed)
    assert (found.known_at, found.known_by) == (known_at, known_by)


def test_a_fourth_quarter_comes_with_the_annual_report(server: VendorServer, vendor):
    serve_statements(server, [("income", statement("income", "2024-12-31", "2024-Q4"))])
    (found,) = vendor.get_statements("ACMQ", "income", "quarterly")
    assert (found.fiscal_period, found.known_at) == ("Q4", OPEN_AFTER_31_MARCH)


@pytest.mark.parametrize(
    ("end", "fiscal", "year"),
    [
        ("2024-09-28", "2024-FY", 2024),
        ("2025-01-31", "2024-Q4", 2024),
        ("2025-01-03", None, 2024),  # 53 weeks
        ("2024-09-28", "fiscal 24", 2024),
    ],
)
def test_a_year_has_the_name_it_is_given_or_that_of_its_end(server: VendorServer, vendor, end, fiscal, year):
    serve_statements(server, [("income", statement("income", end, fiscal, period="annual"))])
    (found,) = vendor.get_statements("ACMQ", "income", "annual")
    assert (found.fiscal_year, found.fiscal_period) == (year, "FY")


def test_unusable_rows_go_and_the_newest_period_comes_first(server: VendorServer, vendor):
    empty = {**statement("income", "2024-03-31", "2024-Q1"), **dict.fromkeys(ITEMS["income"], None)}
    rows = [
        statement("income", "2024-06-30", "2024-Q2", currency="eur"),
        statement("income", "2024-09-30", "2024-Q3"),
        statement("income", "2023-12-31", "2023-FY"),  # no quarter
        statement("income", "yesterday", "2024-Q1"),
        empty,
    ]
    server.answer("/financials/income-statements", {"income_statements": [*rows, "a row", None]})
    found = vendor.get_statements("ACMQ", "income", "quarterly")
    assert [(row.period_end.isoformat(), row.currency) for row in found] == [
        ("2024-09-30", "USD"),
        ("2024-06-30", "EUR"),
    ]


@pytest.mark.parametrize("rows", [["a row"], [{}], [{"report_period": "2024-09-30", "fiscal_period": "2024-Q3"}]])
def test_rows_that_are_all_unusable_are_unreadable(server: VendorServer, vendor, rows):
    server.answer("/financials/income-statements", {"income_statements": rows})
    with pytest.raises(VendorDown, match="cannot be read"):
        vendor.get_statements("ACMQ", "income", "quarterly")


def test_no_statement_is_no_data(server: VendorServer, vendor):
    server.answer("/financials/income-statements", {"income_statements": []})
    with pytest.raises(NoData, match="quarterly income statements of ACMQ"):
        vendor.get_statements("ACMQ", "income", "quarterly")


@pytest.mark.parametrize("answer", [{}, {"income_statements": None}, {"income_statements": {}}, [], "no"])
def test_an_answer_of_another_shape_is_unreadable(server: VendorServer, vendor, answer):
    server.answer("/financials/income-statements", Reply(answer, content_type="application/json"))
    with pytest.raises(VendorDown, match="cannot be read"):
        vendor.get_statements("ACMQ", "income", "quarterly")


# Pages


def test_following_pages_are_read_from_our_own_address_only(server: VendorServer, vendor):
    pages = {
        None: (["2024-09-30", "2024-06-30"], "https://elsewhere.invalid/financials/income-statements?cursor=second%3D"),
        "second=": (["2024-03-31"], None),
    }

    def page(request: Request) -> dict[str, Any]:
        ends, following = pages[request.query.get("cursor")]
        rows = [statement("income", end, f"2024-Q{int(end[5:7]) // 3}") for end in ends]
        return {"income_statements": rows, "next_page_url": following}

    server.answer("/financials/income-statements", page)
    found = vendor.get_statements("ACMQ", "income", "quarterly")
    assert [row.fiscal_period for row in found] == ["Q3", "Q2", "Q1"]
    assert [request.query for request in server.asked][1] == {"cursor": "second="}


@pytest.mark.parametrize("following", ["?cursor=again", 7, "", "http://[", "https://api.invalid/page"])
def test_pages_that_lead_nowhere_end(server: VendorServer, vendor, following: Any):
    row = trade("2025-02-10", "2025-02-12")
    server.answer("/insider-trades", {"insider_trades": [row], "next_page_url": following})
    vendor.get_insider_transactions("ACMQ")
    assert len(server.asked) <= 2


def test_pages_end_at_the_limit(server: VendorServer, vendor):
    def page(request: Request) -> dict[str, Any]:
        number = int(request.query.get("cursor", "0")) + 1
        return {"insider_trades": [trade("2025-02-10", None)] * 9, "next_page_url": f"?cursor={number}"}

    server.answer("/insider-trades", page)
    assert len(vendor.get_insider_transactions("ACMQ")) == 90
    assert len(server.asked) == 10


# Insiders


def test_every_field_of_a_trade(server: VendorServer, vendor):
    server.answer("/insider-trades", {"insider_trades": [trade("2025-02-10", "2025-02-12")]})
    assert vendor.get_insider_transactions("ACMQ") == (
        InsiderTransaction(
            symbol="ACMQ",
            insider="Quill, Ada",
            relation="Chief Quark Officer",
            kind="sell",
            shares=1000.0,
            value=20000.0,
            transaction_date=date(2025, 2, 10),
            known_at=datetime(2025, 2, 13, 14, 30, tzinfo=UTC),
            known_by="accepted",
            text="Open market sale, Common Stock",
        ),
    )
    (request,) = server.asked
    assert (request.path, request.query) == ("/insider-trades", {"ticker": "ACMQ", "limit": "100"})


@pytest.mark.parametrize(
    ("told", "kind"),
    [
        ("Open market purchase", "buy"),
        ("OPEN MARKET SALE", "sell"),
        ("Gift", "gift"),
        ("Award", "grant"),
        ("Stock grant", "grant"),
        ("Exercise of derivative", "exercise"),
        ("Conversion of derivative", "exercise"),
        ("Payment of exercise price or tax liability", "other"),
        ("Tax withholding", "other"),
        ("Holding", "other"),
        ("", "other"),
    ],
)
def test_the_type_says_what_kind_of_trade_it_was(told: str, kind: str):
    assert insider_kind(told) == kind


@pytest.mark.parametrize(
    ("more", "field", "value"),
    [
        ({"transaction_shares": 1000}, "shares", 1000.0),
        ({"transaction_shares": 1000}, "kind", "sell"),
        ({"transaction_type": None}, "kind", "other"),
        ({"transaction_type": None}, "text", "Common Stock"),
        ({"transaction_value": None}, "value", 20000.0),
        ({"transaction_value": None, "transaction_price_per_share": None}, "value", None),
        ({"transaction_value": 0, "transaction_price_per_share": 0}, "value", None),
        ({"transaction_value": math.nan}, "value", 20000.0),
        ({"title": None}, "relation", "Director"),
        ({"title": "None", "is_board_director": False}, "relation", ""),
        ({"filing_date": None}, "known_at", datetime(2025, 2, 13, 14, 30, tzinfo=UTC)),  # two sessions on, then open
        ({"filing_date": None}, "known_by", "assumed"),
        ({"filing_date": "2025-02-09"}, "known_by", "assumed"),
    ],
)
def test_a_trade_with_something_missing(server: VendorServer, vendor, more, field: str, value):
    server.answer("/insider-trades", {"insider_trades": [trade("2025-02-10", "2025-02-12") | more]})
    (found,) = vendor.get_insider_transactions("ACMQ")
    assert getattr(found, field) == value


def test_trades_without_a_person_a_day_or_shares_go_and_the_newest_comes_first(server: VendorServer, vendor):
    kept = [trade("2025-01-10", None), trade("2025-02-10", None)]
    bad = [
        trade("2025-02-11", None, name=None),
        trade("not a day", None),
        trade("2025-02-11", None, transaction_shares=0),
        trade("2025-02-11", None, transaction_shares="many"),
    ]
    server.answer("/insider-trades", {"insider_trades": [*kept, *bad, None]})
    found = vendor.get_insider_transactions("ACMQ")
    assert [row.transaction_date.isoformat() for row in found] == ["2025-02-10", "2025-01-10"]


def test_no_trades_are_an_answer(server: VendorServer, vendor):
    server.answer("/insider-trades", {"insider_trades": []})
    assert vendor.get_insider_transactions("ACMQ") == ()


# Who it is


def test_every_field_of_a_profile(server: VendorServer, vendor):
    server.answer("/company/facts", {"company_facts": FACTS})
    assert vendor.get_profile("ACMQ") == Profile(
        symbol="ACMQ",
        name="Acme Quark Devices, Inc.",
        kind="stock",
        sector="technology",
        industry="Quark Devices",
        exchange="XNYS",
        currency="USD",
        listing="XNYS",
    )
    (request,) = server.asked
    assert (request.path, request.query) == ("/company/facts", {"ticker": "ACMQ"})


@pytest.mark.parametrize(
    ("more", "field", "value"),
    [
        ({"sector": "Quarkery"}, "sector", None),
        ({"sector": 7}, "sector", None),
        ({"industry": "-"}, "industry", None),
        ({"category": "ETF"}, "kind", "etf"),
        ({"category": "ETF"}, "sector", None),
        ({"category": None}, "kind", "stock"),
    ],
)
def test_a_profile_with_something_missing(server: VendorServer, vendor, more, field: str, value):
    server.answer("/company/facts", {"company_facts": FACTS | more})
    assert getattr(vendor.get_profile("ACMQ"), field) == value


@pytest.mark.parametrize("answer", [{"company_facts": {}}, {"company_facts": None}, {}, [], {"company_facts": [FACTS]}])
def test_a_profile_without_a_name_is_unreadable(server: VendorServer, vendor, answer):
    server.answer("/company/facts", answer)
    with pytest.raises(VendorDown):
        vendor.get_profile("ACMQ")


# News


def test_every_field_of_an_article(server: VendorServer, vendor):
    server.answer("/news", {"news": [article("Acme\n ships ", "2025-06-12T16:00:00+02:00")]})
    moment = datetime(2025, 6, 12, 14, tzinfo=UTC)
    assert vendor.get_news("ACMQ", START, END) == (
        NewsItem(
            title="Acme ships",
            published_at=moment,
            known_at=moment,
            source="The Fictional Post",
            url="https://news.example/1",
            symbol="ACMQ",
        ),
    )
    (request,) = server.asked
    assert (request.path, request.query) == ("/news", {"ticker": "ACMQ", "limit": "10"})


@pytest.mark.parametrize("when", ["2025-06-12", "2025-06-12T23:00:00"])
def test_a_day_without_a_time_or_a_zone_counts_from_the_next_open(server: VendorServer, vendor, when: str):
    server.answer("/news", {"news": [article("Acme ships", when)]})
    (found,) = vendor.get_news("ACMQ", START, END)
    assert (found.published_at, found.day_only) == (datetime(2025, 6, 12, tzinfo=UTC), True)
    assert found.known_at == datetime(2025, 6, 13, 13, 30, tzinfo=UTC)


def test_articles_of_the_window_newest_first_each_once(server: VendorServer, vendor):
    told = [
        article("First", "2025-06-10T00:00:00Z"),
        article("Last", "2025-06-12T09:00:00Z", source=None, url=5),
        article("LAST", "2025-06-11T09:00:00Z"),
        article("Before", "2025-06-09T23:59:59Z"),
        article("After", "2025-06-13T00:00:01Z"),
        article("", "2025-06-12T09:00:00Z"),
        article("Undated", None),
        article("Of no day", "lately"),
        "a row",
    ]
    server.answer("/news", {"news": told})
    found = vendor.get_news("ACMQ", START, END)
    assert [item.title for item in found] == ["Last", "First"]
    assert (found[0].source, found[0].url) == (None, None)


def test_no_articles_are_an_answer_and_a_past_day_is_not_asked(server: VendorServer, vendor):
    server.answer("/news", {"news": []})
    assert vendor.get_news("ACMQ", START, END) == ()
    assert vendor.live_only == {"get_news"}


# Symbols, keys and credit


@pytest.mark.parametrize("symbol", ["^GSPC", "BTC-USD", "EURUSD=X", "7203.T", "GC=F", "TOOLONG"])
@pytest.mark.parametrize("method", SOURCE.asks)
def test_what_is_no_us_listing_is_not_asked_for(server: VendorServer, vendor, method: str, symbol: str):
    with pytest.raises(NoData, match="has no"):
        getattr(vendor, method)(symbol, *SOURCE.asks[method][1:])
    assert server.asked == []


def test_share_classes_are_written_with_a_dot(server: VendorServer, vendor):
    server.answer("/company/facts", {"company_facts": FACTS})
    assert vendor.get_profile("ACQ-B").symbol == "ACQ-B"
    assert server.asked[0].query == {"ticker": "ACQ.B"}


@pytest.mark.parametrize("method", SOURCE.asks)
def test_402_says_that_credit_is_missing(server: VendorServer, vendor, method: str):
    server.failing = Reply({"error": "Payment required"}, status=402)
    with pytest.raises(NotInPlan, match=r"wants payment for .* of ACMQ \(HTTP 402\); add credit at"):
        getattr(vendor, method)(*SOURCE.asks[method])


def test_an_unknown_ticker_is_no_data(vendor):
    with pytest.raises(NoData, match="profile of ACMQ"):
        vendor.get_profile("ACMQ")


def test_without_a_key_it_cannot_be_made_and_says_where_one_is_had(server: VendorServer, tmp_path: Path):
    with pytest.raises(VendorNotConfigured, match="needs FINANCIAL_DATASETS_API_KEY"):
        replace(SOURCE, environ={}).open(server, tmp_path)
