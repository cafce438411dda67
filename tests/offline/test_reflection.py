"""The offline reflector: what led a case that held is named again, what led one that failed is not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tradingagents.agents.reflector import OFFLINE, side_of
from tradingagents.llm_clients.offline_model import answer
from tradingagents.offline.brief import Brief, Happened
from tradingagents.offline.evidence import _named_in
from tradingagents.offline.reflection import SUBJECTS

RIGHT = Happened("BUY", stock=5.0, against=4.0)
WRONG = Happened("BUY", stock=5.0, against=-4.0)
BULL = """<turn speaker="Bull Researcher" number="1">
- Momentum: RSI strong (62.10, market report)
- Trend: a (1, market report)
- Company news: b (2 articles, news report)
</turn>"""
PLAN = '<plan name="investment_plan" by="Research Manager">\n- Revenue grew (get_ttm_analysis)\n</plan>'


def lesson(whose: str, happened: Happened, said: str) -> str:
    return answer(Brief("Reflector", OFFLINE, said=said, happened=replace(happened, side=side_of(whose)))).text


def test_a_case_that_held_is_led_by_the_same_again():
    assert lesson("Bull Researcher", RIGHT, BULL) == (
        "BUY was decided, and the stock returned +5.00%, +4.00% against its benchmark. "
        "What led the case was borne out: trend and momentum. Put trend and momentum first again."
    )


def test_a_case_that_failed_does_not_name_what_led_it():
    text = lesson("Bull Researcher", WRONG, BULL)
    assert (
        "What led the case was not borne out. Weigh growth and margins, news and insiders, sentiment before it." in text
    )
    assert "momentum" not in text


def test_the_bear_is_right_where_the_bull_is_wrong():
    bear = BULL.replace("Bull", "Bear")
    assert "was borne out:" in lesson("Bear Researcher", WRONG, bear)
    assert "not borne out" in lesson("Bear Researcher", RIGHT, bear)


@pytest.mark.parametrize(("action", "held"), [("BUY", True), ("SELL", False)])
def test_a_decider_is_judged_by_the_side_it_took(action: str, held: bool):
    text = lesson("Trader", replace(RIGHT, action=action), PLAN)
    assert ("borne out: growth and margins" in text) is held


def test_holding_takes_no_side():
    assert "No side was taken." in lesson("Trader", replace(RIGHT, action="HOLD"), PLAN)
    assert "was borne out" in lesson("Bull Researcher", replace(RIGHT, action="HOLD"), BULL)


def test_without_a_benchmark_the_stock_alone_counts():
    text = lesson("Bull Researcher", Happened("BUY", stock=-3.0), BULL)
    assert text.startswith("BUY was decided, and the stock returned -3.00%. What led the case was not borne out.")


def test_what_is_only_told_bears_nothing_out():
    assert lesson("Trader", Happened("BUY", told="-1000"), PLAN) == (
        "The outcome as stated: -1000. That alone neither confirms nor refutes any evidence; keep the order."
    )


def test_each_subject_is_one_by_which_evidence_is_ranked_and_no_other():
    for report, words in SUBJECTS.items():
        assert _named_in(words) == {report}
