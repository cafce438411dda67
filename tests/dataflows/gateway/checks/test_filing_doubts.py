"""Statements judged by the others of their filing."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from tests.dataflows.gateway.checks.statement_rows import NOW, only, quarters, scaled
from tradingagents.dataflows.gateway.checks.neighbouring_statements import judged_by_filing
from tradingagents.dataflows.gateway.checks.statement_checks import check_statements
from tradingagents.dataflows.reference.data_faults import reference
from tradingagents.dataflows.reference.line_items import SHARES


def test_cash_flows_of_sound_income_stay():
    cash = quarters("cashflow")
    assert judged_by_filing(cash, quarters("income")) == tuple(cash)
    assert judged_by_filing(cash, ()) == tuple(cash)


def test_cash_flows_of_a_quarter_in_another_currency_are_withheld():
    income = [replace(row, period_start=row.period_end - timedelta(days=90)) for row in quarters("income")]
    cash = quarters("cashflow")
    income[1] = scaled(income[1], 7.2, but=SHARES)
    sound, _ = check_statements(tuple(income), NOW)
    found = judged_by_filing(cash, sound)
    assert [not row.items for row in found] == [number == 1 for number in range(len(cash))]
    assert all(str(cash[1].period_end) in reason for reason in found[1].withheld.values())


def test_only_rows_without_a_first_day_are_in_doubt_where_income_is_year_to_date():
    note = f"The income row is year to date ({reference('year-to-date')})."
    income = [replace(row, gate_notes=(note,)) for row in quarters("income", 2)]
    cash = quarters("cashflow", 2)
    cash[1] = replace(cash[1], period_start=cash[1].period_end - timedelta(days=90))
    first, second = judged_by_filing(cash, income)
    assert not first.items
    assert "without a first day" in first.withheld["operating_cash_flow"]
    assert second is cash[1]


def test_an_income_statement_is_withheld_where_the_balance_sheet_of_its_quarter_is_in_another_currency():
    """A bank's income statement has hardly a steady item, and its balance sheet shows the rate."""
    income = [only(row, "revenue", "net_income", "eps_diluted", "shares_diluted") for row in quarters("income")]
    balance = quarters("balance")
    income[2], balance[2] = (scaled(row, 32.0, but=SHARES) for row in (income[2], balance[2]))
    sound, _ = check_statements(tuple(balance), NOW)
    found = judged_by_filing(income, sound)
    assert found[2].items == {"shares_diluted": 1e9}
    assert list(found[2].withheld) == ["revenue", "net_income", "eps_diluted"]
    assert all(reference("currency-unknown") in reason for reason in found[2].withheld.values())
    assert [row for number, row in enumerate(found) if number != 2] == income[:2] + income[3:]


def test_earnings_per_share_stay_where_the_others_are_in_thousands():
    income, balance = quarters("income"), quarters("balance")
    balance[1] = scaled(balance[1], 1e-3)
    sound, _ = check_statements(tuple(balance), NOW)
    found = judged_by_filing(income, sound)
    assert found[1].items.keys() == {"eps_basic", "eps_diluted", "shares_basic", "shares_diluted"}
