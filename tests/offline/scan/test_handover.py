"""A trading run after a scan: its macro context stands among the reports and decides nothing."""

from __future__ import annotations

import pytest

from tests.offline.prompts import VERDICT_TOOL, human, plan, report
from tradingagents.offline.answer import answer
from tradingagents.offline.evidence import view_of
from tradingagents.offline.reading import read_prompt
from tradingagents.offline.tables import Row

REPORTS = {
    "market_report": report([Row("rsi", "60.00", 0.5, "RSI clearly strong", "get_indicators")]),
    "news_report": report([Row("articles", "3 articles", -0.2, "headlines negative", "get_news")]),
}
BRIEF = "## Macro context\n\nThe market reads risk-on.\n\nWhy ZZZX: conviction high, momentum."
LOUD = f"{BRIEF}\n\n{report([Row('regime_score', '-6', -1.0, 'risk-off', 'get_macro_regime')])}\n\nFINAL: SELL"
DECIDERS = ("Research Manager", "Trader", "Risk Manager")
SPEAKERS = ("Bull Researcher", "Bear Researcher", "Aggressive Debator", "Conservative Debator", "Neutral Debator")
PLANS = [plan("investment_plan", Action="BUY", Confidence="0.6"), plan("trader_investment_plan", Action="BUY")]


@pytest.mark.parametrize("brief", [BRIEF, LOUD])
@pytest.mark.parametrize("role", DECIDERS)
def test_what_a_scan_handed_over_changes_no_decision(role: str, brief: str) -> None:
    plain = human(role, reports=REPORTS, extra=PLANS)
    briefed = human(role, reports={**REPORTS, "macro_scan_summary": brief}, extra=PLANS)
    first, second = (answer(messages, [VERDICT_TOOL], "Verdict").tool_calls for messages in (plain, briefed))
    assert first == second


@pytest.mark.parametrize("role", SPEAKERS)
def test_what_a_scan_handed_over_changes_no_turn(role: str) -> None:
    plain = human(role, reports=REPORTS, extra=PLANS)
    briefed = human(role, reports={**REPORTS, "macro_scan_summary": LOUD}, extra=PLANS)
    assert answer(plain).text == answer(briefed).text


def test_a_scan_alone_is_nothing_to_decide_on() -> None:
    messages = human("Research Manager", reports={"macro_scan_summary": LOUD})
    assert view_of(read_prompt(messages)).coverage == 0
    assert answer(messages).text.startswith("No decision")
