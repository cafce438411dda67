from __future__ import annotations

from typing import Any

from tests.offline.briefs import debate, human, plan, report
from tradingagents.llm_clients.offline_model import answer
from tradingagents.offline.evidence import view_of
from tradingagents.offline.readings import Row
from tradingagents.offline.risk import proposals

AGGRESSIVE, CONSERVATIVE, NEUTRAL = "Aggressive Debator", "Conservative Debator", "Neutral Debator"
ROWS = [
    Row("close_200_sma", "85.00 USD", 0.9, "price far above its 200-day average", "get_indicators"),
    Row("change_3m", "20.00%", 0.6, "clearly higher over three months", "get_stock_data"),
    Row("volatility_20d", "52.00%", -0.37, "clearly high volatility", "get_stock_data"),
    Row("max_drawdown_1y", "-41.00%", -0.4, "a large fall in the past year", "get_stock_data"),
]


def speak(role: str, turns: list[tuple[str, str]], rows: list[Row] = ROWS, **fields: Any) -> str:
    told = {"action": "BUY", "position_size": 0.06, **fields}
    extra = [plan("trader_investment_plan", **told), *([debate(turns)] if turns else [])]
    return answer(human(role, reports={"market_report": report(rows)}, extra=extra)).text


def sizes(**fields: Any) -> list[str]:
    return [speak(role, [], **fields).rsplit(" ", 1)[1] for role in (AGGRESSIVE, CONSERVATIVE, NEUTRAL)]


def test_the_three_differ_in_size() -> None:
    assert sizes() == ["0.0900", "0.0300", "0.0600"]


def test_without_support_of_the_evidence_all_ask_for_less() -> None:
    assert sizes(action="SELL") == ["0.0600", "0.0150", "0.0300"]


def test_on_a_hold_only_the_aggressive_side_asks_for_a_starter() -> None:
    assert sizes(action="HOLD", position_size=0.0) == ["0.0200", "0.0000", "0.0000"]


def test_where_no_report_measures_the_risk_nobody_asks_for_a_size() -> None:
    """Missing risk is never low risk: no starter stands in for a size that nothing measures."""
    for role in (AGGRESSIVE, CONSERVATIVE, NEUTRAL):
        for size in (0.06, None):
            text = speak(role, [], ROWS[:2], position_size=size)
            assert text.endswith("No report measures the risk of the stock, so I ask for no size.")
            assert "Proposed position size" not in text
    text = speak(NEUTRAL, [("Aggressive Debator", "We should hold far more of it.")], ROWS[:2])
    assert "The aggressive side names no size, and neither do I." in text


def test_an_opening_argues_from_figures_and_rebuts_nothing() -> None:
    text = speak(AGGRESSIVE, [])
    assert "20-day volatility 52.00%, largest fall of the past year -41.00%" in text
    assert "going for it: price far above its 200-day average (85.00 USD, market report) and clearly higher" in text
    assert " side " not in text


def test_the_conservative_answers_the_last_words_of_the_others() -> None:
    text = speak(CONSERVATIVE, [(AGGRESSIVE, speak(AGGRESSIVE, []))])
    assert "What could go wrong: clearly high volatility (20-day volatility 52.00%, market report)" in text
    assert "The aggressive side argues from price trend. I ask for a smaller position because of volatility: " in text


def test_a_second_turn_does_not_repeat_the_first() -> None:
    turns: list[tuple[str, str]] = []
    for role in (AGGRESSIVE, CONSERVATIVE, NEUTRAL):
        turns.append((role, speak(role, turns)))
    second = speak(AGGRESSIVE, turns)
    assert "I have no further figure to add." in second
    assert "The conservative and neutral sides argue from volatility. I ask for a larger position because of" in second


def test_a_language_model_that_names_no_size_of_ours_is_answered_without_one() -> None:
    text = speak(CONSERVATIVE, [(AGGRESSIVE, "Go all in, change_3m says so!")])
    assert "The aggressive side names no size; mine stands below." in text


def test_the_size_of_each_who_spoke_by_these_rules_counts() -> None:
    turns = [(AGGRESSIVE, speak(AGGRESSIVE, [])), (NEUTRAL, "I ask for 9.0."), (CONSERVATIVE, speak(CONSERVATIVE, []))]
    given = plan("trader_investment_plan", "BUY", position_size=0.06)
    brief = human("Risk Manager", reports={"market_report": report(ROWS)}, extra=[given, debate(turns)])
    assert proposals(brief, view_of(brief)) == {"aggressive": 0.09, "conservative": 0.03}
