"""What an audit says in a sentence."""

from __future__ import annotations

import pytest

from tradingagents.features.backtest.audit.findings import AuditFinding, AuditReport

WARNING = AuditFinding("report_edited", "report.md", "the report of result.json", "other words or figures", "warning")
ERROR = AuditFinding("totals_not_of_ledger", "result.json", "70.00", "71.00")


@pytest.mark.parametrize(
    ("findings", "said"),
    [
        ((), "No fault was found in what was checked."),
        ((WARNING,), "No fault was found in what was checked. 1 warning remains to be judged."),
        ((WARNING, WARNING), "No fault was found in what was checked. 2 warnings remain to be judged."),
        ((ERROR,), "1 fault. Costs, dividends or counts are not those of the ledger."),
        ((ERROR, ERROR), "2 faults. Costs, dividends or counts are not those of the ledger."),
    ],
)
def test_one_and_several_are_said_as_such(findings: tuple[AuditFinding, ...], said: str):
    assert AuditReport("folder", findings, {}).verdict() == said
