"""A rule that another package declares: its report is weighed by the deciders, and their confidence counts it."""

from __future__ import annotations

import pytest

from tests.offline.briefs import human, report
from tradingagents.offline.evidence import view_of
from tradingagents.offline.readings import Row

OURS = Row("rsi", "60.00", 0.5, "RSI clearly strong", "get_indicators")


@pytest.mark.parametrize("source", ["get_filings", "get_indicators"])
def test_its_rows_count_by_its_weight(source: str) -> None:
    theirs = Row("rsi" if source == "get_indicators" else "filings_due", "3 counted", -1.0, "much is due", source)
    found = view_of(
        human("Trader", reports={"market_report": report([OURS]), "filing_report": report([theirs], weight=0.1)})
    )
    assert found.net == pytest.approx((0.40 * 0.5 - 0.1 * 1.0) / 0.5)
    assert found.coverage <= 1
    assert list(found.by_report) == ["market_report", "filing_report"]


def test_without_a_weight_they_count_nothing() -> None:
    reports = {"market_report": report([OURS]), "filing_report": report([OURS])}
    assert view_of(human("Trader", reports=reports)).by_report == {"market_report": 0.5}
