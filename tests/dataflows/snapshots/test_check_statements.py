"""The data check, an import and a recording hold statements against the rules of a run."""

from __future__ import annotations

from dataclasses import replace

from tests.dataflows.gateway.checks.statement_rows import quarters, scaled, with_items
from tradingagents.dataflows.models import Statement
from tradingagents.dataflows.reference.line_items import PER_SHARE, SHARES
from tradingagents.dataflows.snapshots.check_fields import CheckFindings
from tradingagents.dataflows.snapshots.check_statements import sound_statements


def findings(rows: list[Statement]) -> list[str]:
    found = CheckFindings()
    sound_statements({"ACMQ": rows}, found)
    return [f"{one.level} {one.text}" for one in found.all()]


def test_sound_statements_have_no_finding_and_come_back():
    rows = [*quarters("income"), *quarters("balance"), *quarters("cashflow")]
    found = CheckFindings()
    assert sorted(sound_statements({"ACMQ": rows}, found)["ACMQ"], key=id) == sorted(rows, key=id)
    assert found.all() == ()


def test_what_runs_withhold_is_an_error_and_what_they_note_a_warning():
    income, balance = quarters("income"), quarters("balance")
    income[0] = scaled(income[0], 1e-3, but=PER_SHARE | SHARES)
    income[3] = with_items(income[3], net_income=3e10, eps_basic=30.0, eps_diluted=30.0)
    balance[0] = with_items(balance[0], equity=5e10)
    first, second, third = findings([*income, *balance])
    assert first.startswith(
        "error items that cannot be true (unit-jump), which runs withhold: ACMQ 2025-03-31: amounts"
    )
    assert second.startswith("error items that cannot be true (items-disagree), which runs withhold: ACMQ 2025-03-31: ")
    assert third.startswith("warning unusual items (items-disagree), which runs note: ACMQ 2024-06-30: net_income is ")


def test_only_the_symbols_asked_for_are_looked_at():
    rows = quarters("income")
    rows[0] = scaled(rows[0], 1e-3, but=PER_SHARE | SHARES)
    found = CheckFindings()
    others = {"ELMQ": [replace(row, symbol="ELMQ") for row in quarters("income")]}
    assert set(sound_statements({"ACMQ": rows, **others}, found, {"ELMQ"})) == {"ELMQ"}
    assert found.all() == ()


def test_a_statement_that_is_missing_of_the_newest_period_is_an_error_as_runs_withhold_it():
    (found,) = findings([*quarters("income"), *quarters("balance")[1:]])
    assert found == (
        "error items that cannot be true (statement-missing), which runs withhold: ACMQ 2025-03-31: its quarterly "
        "income statement is known and its balance sheet is missing."
    )
    assert findings([*quarters("income"), *quarters("balance")]) == []


def test_statements_come_back_without_what_the_others_of_their_filing_put_in_doubt():
    income, cash = quarters("income"), quarters("cashflow")
    income[2] = scaled(income[2], 7.2, but=SHARES)
    sound = sound_statements({"ACMQ": [*income, *cash]}, CheckFindings())["ACMQ"]
    emptied = [row.period_end for row in sound if row.kind == "cashflow" and not row.items]
    assert emptied == [cash[2].period_end]
