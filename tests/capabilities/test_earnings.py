"""A company's results where its newest income statement is missing."""

from __future__ import annotations

from datetime import date

from tests.dataflows.gateway.checks.statement_rows import quarters
from tests.support.fakes import RecordedRows, clock, make_prices
from tradingagents.capabilities.company import earnings
from tradingagents.dataflows.interface import Vendors
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.models import EarningsEvent, Statement
from tradingagents.settings import load_settings

AS_OF = date(2025, 5, 20)


def results(*left_out: date) -> tuple[list[EarningsEvent], list[Statement]]:
    """Return the results that a source works out from its income statements, and its statements."""
    income = [row for row in quarters("income") if row.period_end not in left_out]
    events = [
        EarningsEvent(
            symbol=row.symbol,
            name="Acme",
            day=row.known_at.date(),
            known_at=row.known_at,
            period_end=row.period_end,
            fiscal_period=row.fiscal_period,
            eps=row.items["eps_diluted"],
            revenue=row.items["revenue"],
            currency="USD",
        )
        for row in income
    ]
    return events, [*income, *quarters("balance"), *quarters("cashflow")]


def asked(*left_out: date):
    events, statements = results(*left_out)
    vendor = RecordedRows(results=events, statements=statements, prices={"ACMQ": make_prices("ACMQ")})
    settings = load_settings({"data_vendor": "rows"}, environ={})
    data = MarketData(settings, AS_OF, vendors=Vendors(settings, {"rows": vendor}), now=clock)
    return earnings.ask(data, ticker="ACMQ")


def test_a_result_that_is_out_and_whose_income_statement_is_missing_stands_there_without_figures():
    whole, without = asked(), asked(date(2025, 3, 31))
    assert {figure.name: figure.value for figure in whole.figures()}["eps_reported"] is not None
    assert {figure.name: figure.value for figure in without.figures()}["eps_reported"] is None
    assert "statement-missing" in without.to_markdown()
    assert "| 2025-04-29 | 2025-03-31 | n/a | n/a |" in without.body()


def test_an_older_statement_that_is_missing_adds_no_result():
    assert "statement-missing" not in asked(date(2024, 9, 30)).to_markdown()
