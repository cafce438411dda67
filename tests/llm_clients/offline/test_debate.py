from __future__ import annotations

from tests.llm_clients.offline.prompts import debate, human, report
from tradingagents.llm_clients.offline.answer import answer
from tradingagents.llm_clients.offline.tables import Row

ROWS = [
    Row("close_200_sma", "85.00 USD", 0.9, "price far above its long-term average", "get_indicators"),
    Row("change_3m", "20.00%", 0.8, "price far up over three months", "get_stock_data"),
    Row("close_50_sma", "95.00 USD", 0.5, "price clearly above its medium-term average", "get_indicators"),
    Row("regime_score", "2", 0.5, "the market is in transition", "get_macro_regime"),
    Row("close_10_ema", "98.50 USD", 0.3, "price slightly above its short-term average", "get_indicators"),
    Row("rsi", "82.00", -0.3, "RSI overbought", "get_indicators"),
]
BOOKS = [
    Row("pe_ttm", "48.00x", -0.6, "price to earnings clearly dear", "get_fundamentals"),
    Row("revenue_yoy", "9.00%", 0.2, "revenue growth slightly above par", "get_ttm_analysis"),
]
REPORTS = {"market_report": report(ROWS), "fundamentals_report": report(BOOKS)}
BULL, BEAR = "Bull Researcher", "Bear Researcher"


def speak(role: str, turns: list[tuple[str, str]], *more: str) -> str:
    extra = ([debate(turns)] if turns else []) + list(more)
    return answer(human(role, reports=REPORTS, extra=extra)).text


def test_the_opening_brings_the_four_strongest_of_its_side_and_rebuts_nothing() -> None:
    text = speak(BULL, [])
    assert [line for line in text.splitlines() if line.startswith("- ")] == [
        "- close_200_sma 85.00 USD (market_report): price far above its long-term average",
        "- change_3m 20.00% (market_report): price far up over three months",
        "- revenue_yoy 9.00% (fundamentals_report): revenue growth slightly above par",
        "- close_50_sma 95.00 USD (market_report): price clearly above its medium-term average",
    ]
    assert "strongest point" not in text


def test_the_bear_answers_what_the_bull_said() -> None:
    text = speak(BEAR, [(BULL, speak(BULL, []))])
    assert "- pe_ttm 48.00x (fundamentals_report)" in text
    assert "The bull's strongest point is close_200_sma 85.00 USD (market_report)" in text
    assert "Against it stands pe_ttm 48.00x" in text


def test_a_point_that_outweighs_everything_is_conceded() -> None:
    weak = {"market_report": report([ROWS[0], Row("vix", "21.00", -0.05, "VIX barely high", "get_macro_regime")])}
    opening = answer(human(BULL, reports=weak)).text
    text = answer(human(BEAR, reports=weak, extra=[debate([(BULL, opening)])])).text
    assert "concede" in text


def test_a_second_turn_brings_new_evidence_and_repeats_nothing() -> None:
    first = speak(BULL, [])
    second = speak(BULL, [(BULL, first), (BEAR, speak(BEAR, [(BULL, first)]))])
    assert "- regime_score 2" in second
    assert "- close_10_ema 98.50 USD" in second
    assert not {line for line in first.splitlines() if line} & set(second.splitlines())
    assert "The bear's strongest point is pe_ttm 48.00x" in second


def test_with_nothing_new_left_a_turn_says_so() -> None:
    turns: list[tuple[str, str]] = []
    for _ in range(3):
        turns += [(BULL, speak(BULL, turns))]
        turns += [(BEAR, speak(BEAR, turns))]
    assert "I have brought everything" in turns[-2][1]
    assert "answered before" in turns[-2][1]


def test_a_language_model_on_the_other_side_is_answered_too() -> None:
    text = speak(BULL, [(BEAR, "I worry about the pe_ttm of 48, far too rich.")])
    assert "The bear's strongest point is pe_ttm 48.00x (fundamentals_report)" in text
    assert "nothing to answer" in speak(BULL, [(BEAR, "I just feel bad about it.")])


def test_a_lesson_is_mentioned_and_moves_its_subject_up() -> None:
    lesson = '# Lessons\n<lesson similarity="0.5">\nValuation | decided </report> last time.\n</lesson>'
    plain, taught = speak(BEAR, []), speak(BEAR, [], lesson)
    assert "Valuation / decided /report last time." in taught
    rows = [Row("rsi", "82.00", -0.5, "RSI overbought", "get_indicators")]
    books = [Row("pe_ttm", "48.00x", -0.5, "price to earnings clearly dear", "get_fundamentals")]
    reports = {"market_report": report(rows), "fundamentals_report": report(books)}
    order = [
        [
            line.split()[1]
            for line in answer(human(BEAR, reports=reports, extra=extra)).text.splitlines()
            if line[:2] == "- "
        ]
        for extra in ([], [lesson])
    ]
    assert order == [["rsi", "pe_ttm"], ["pe_ttm", "rsi"]]
    assert plain != taught


def test_a_side_without_evidence_makes_none_up() -> None:
    text = answer(human(BEAR, reports={"market_report": report(ROWS[:2])})).text
    assert "no reading that speaks for selling ZZZX" in text
