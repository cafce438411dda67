"""Answers in the shape of Financial Datasets, about a company that does not exist."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from tests.support.vendor_server import Request, VendorServer

Payload = dict[str, Any]
STATEMENT_PAGES = {
    "income": ("/financials/income-statements", "income_statements"),
    "balance": ("/financials/balance-sheets", "balance_sheets"),
    "cashflow": ("/financials/cash-flow-statements", "cash_flow_statements"),
}
ITEMS: dict[str, Payload] = {
    "income": {
        "revenue": 900e6,
        "cost_of_revenue": 500e6,
        "gross_profit": 400e6,
        "operating_expense": 220e6,
        "selling_general_and_administrative_expenses": 120e6,
        "research_and_development": 100e6,
        "operating_income": 180e6,
        "interest_expense": 10e6,
        "ebit": 182e6,
        "income_tax_expense": 30e6,
        "net_income": 140e6,
        "net_income_common_stock": 139e6,
        "earnings_per_share": 1.41,
        "earnings_per_share_diluted": 1.4,
        "weighted_average_shares": 99e6,
        "weighted_average_shares_diluted": 100e6,
    },
    "balance": {
        "total_assets": 4000e6,
        "current_assets": 1800e6,
        "cash_and_equivalents": 700e6,
        "inventory": 200e6,
        "trade_and_non_trade_receivables": 300e6,
        "property_plant_and_equipment": 900e6,
        "total_liabilities": 2400e6,
        "current_liabilities": 1200e6,
        "current_debt": 150e6,
        "non_current_debt": 650e6,
        "total_debt": 800e6,
        "trade_and_non_trade_payables": 260e6,
        "shareholders_equity": 1600e6,
    },
    "cashflow": {
        "net_cash_flow_from_operations": 210e6,
        "capital_expenditure": -60e6,
        "net_cash_flow_from_investing": -75e6,
        "net_cash_flow_from_financing": -90e6,
        "depreciation_and_amortization": 40e6,
        "issuance_or_purchase_of_equity_shares": -55e6,
        "dividends_and_other_cash_distributions": -25e6,
        "change_in_cash_and_equivalents": 45e6,
        "free_cash_flow": 150e6,
    },
}


def statement(kind: str, end: str, fiscal: str, *, period: str = "quarterly", by: float = 1.0, **more: Any) -> Payload:
    """A statement of the period to a day, its money multiplied; further fields win."""
    per_share = ("earnings_per_share", "earnings_per_share_diluted")
    money = {name: value if name in per_share else value * by for name, value in ITEMS[kind].items()}
    head = {"ticker": "ACMQ", "report_period": end, "fiscal_period": fiscal, "period": period, "currency": "USD"}
    return {**head, "accession_number": "0000999999-25-000001", **money, **more}


def trade(traded: str, filed: str | None, **more: Any) -> Payload:
    """An open-market sale of 1,000 shares at 20; further fields win."""
    return {
        "ticker": "ACMQ",
        "issuer": "Acme Quark Devices, Inc.",
        "name": "Quill, Ada",
        "title": "Chief Quark Officer",
        "is_board_director": True,
        "transaction_date": traded,
        "transaction_type": "Open market sale",
        "transaction_shares": -1000,
        "transaction_price_per_share": 20.0,
        "transaction_value": -20000.0,
        "shares_owned_before_transaction": 9000,
        "shares_owned_after_transaction": 8000,
        "security_title": "Common Stock",
        "filing_date": filed,
    } | more


def article(title: str, published: Any, **more: Any) -> Payload:
    return {
        "ticker": "ACMQ",
        "title": title,
        "source": "The Fictional Post",
        "date": published,
        "url": "https://news.example/1",
    } | more


FACTS: Payload = {
    "ticker": "ACMQ",
    "name": "Acme Quark Devices, Inc.",
    "cik": "0000999999",
    "industry": "Quark Devices",
    "sector": "Technology",
    "category": "Domestic Common Stock",
    "exchange": "NYSE",
}


def serve_statements(server: VendorServer, rows: Iterable[tuple[str, Payload]]) -> None:
    """Answer the three pages of statements: rows by kind, those of the period that is asked for."""
    given = list(rows)
    for kind, (path, name) in STATEMENT_PAGES.items():
        own = [row for of, row in given if of == kind]

        def page(request: Request, name: str = name, own: Sequence[Payload] = tuple(own)) -> Payload:
            return {name: [row for row in own if row["period"] == request.query["period"]]}

        server.answer(path, page)
