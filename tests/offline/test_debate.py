from __future__ import annotations

from tests.offline.briefs import Change, debate, human, lesson, report
from tradingagents.llm_clients.offline_model import answer
from tradingagents.offline.readings import Row

ROWS = [
    Row("close_200_sma", "85.00 USD", 0.9, "price far above its 200-day average", "get_indicators"),
    Row("change_3m", "20.00%", 0.8, "sharply higher over three months", "get_stock_data"),
    Row("close_50_sma", "95.00 USD", 0.5, "price clearly above its 50-day average", "get_indicators"),
    Row("regime_score", "2", 0.5, "the market is in transition", "get_macro_regime"),
    Row("close_10_ema", "98.50 USD", 0.3, "price slightly above its 10-day exponential average", "get_indicators"),
    Row("volatility_20d", "62.00%", -0.5, "high volatility", "get_stock_data"),
]
BOOKS = [
    Row("pe_ttm", "48.00x", -0.6, "high P/E ratio", "get_fundamentals"),
    Row("revenue_yoy", "9.00%", 0.2, "revenue growing fairly fast", "get_ttm_analysis"),
]
REPORTS = {"market_report": report(ROWS), "fundamentals_report": report(BOOKS)}
BULL, BEAR = "Bull Researcher", "Bear Researcher"


def speak(role: str, turns: list[tuple[str, str]], *more: Change) -> str:
    extra = ([debate(turns)] if turns else []) + list(more)
    return answer(human(role, reports=REPORTS, extra=extra)).text


def test_the_opening_brings_one_reading_of_each_group_and_rebuts_nothing() -> None:
    text = speak(BULL, [])
    assert [line for line in text.splitlines() if line.startswith("- ")] == [
        "- Price trend: price far above its 200-day average (85.00 USD, market report)",
        "- Growth: revenue growing fairly fast (year-on-year revenue growth 9.00%, fundamentals report)",
        "- Market regime: the market is in transition (market regime score 2, market report)",
        "- Price trend: sharply higher over three months (3-month change 20.00%, market report)",
    ]
    assert "best argument" not in text


def test_the_bear_answers_the_heaviest_argument_of_the_bull() -> None:
    text = speak(BEAR, [(BULL, speak(BULL, []))])
    assert "- Valuation: high P/E ratio (48.00x, fundamentals report)" in text
    assert "The bull's best argument is price trend, +0.28 (derived) of the net score." in text
    assert "Valuation still speaks for my side, -0.10 (derived): high P/E ratio (48.00x, fundamentals rep" in text


def test_a_point_that_far_outweighs_the_answer_is_granted() -> None:
    weak = {"market_report": report([ROWS[0], Row("vix", "23.00", -0.15, "fairly high VIX", "get_macro_regime")])}
    opening = answer(human(BULL, reports=weak)).text
    text = answer(human(BEAR, reports=weak, extra=[debate([(BULL, opening)])])).text
    assert "That is the heavier point and I grant it. Market regime still speaks for my side, -0.0" in text


def test_a_group_that_nets_on_one_s_own_side_is_not_called_the_other_s_best_argument() -> None:
    rows = [
        Row("close_200_sma", "120.00 USD", -0.9, "price far below its 200-day average", "get_indicators"),
        Row("close_10_ema", "98.50 USD", 0.3, "price slightly above its 10-day exponential average", "get_indicators"),
    ]
    opening = answer(human(BULL, reports={"market_report": report(rows)})).text
    text = answer(human(BEAR, reports={"market_report": report(rows)}, extra=[debate([(BULL, opening)])])).text
    assert "The bull argues from price trend, but as a whole it weighs -0.58 (derived) on my side: price far be" in text
    assert "best argument" not in text


def test_a_reading_next_to_neutral_is_no_argument() -> None:
    rows = [*ROWS[:2], Row("vix", "21.00", -0.05, "ordinary expected volatility", "get_macro_regime")]
    opening = answer(human(BULL, reports={"market_report": report(rows)})).text
    text = answer(human(BEAR, reports={"market_report": report(rows)}, extra=[debate([(BULL, opening)])])).text
    assert "Nothing in the reports speaks for selling" in text
    assert "I have nothing in the reports to set against it." in text
    assert "ordinary" not in text


def test_a_second_turn_brings_new_evidence_and_repeats_nothing() -> None:
    first = speak(BULL, [])
    second = speak(BULL, [(BULL, first), (BEAR, speak(BEAR, [(BULL, first)]))])
    assert "- Price trend: price clearly above its 50-day average (95.00 USD, market report)" in second
    assert "- Price trend: price slightly above its 10-day exponential average (98.50 USD, market report)" in second
    assert not {line for line in first.splitlines() if line} & set(second.splitlines())
    assert "The bear's best argument is valuation" in second


def test_with_nothing_new_left_a_turn_says_so() -> None:
    turns: list[tuple[str, str]] = []
    for _ in range(4):
        turns += [(BULL, speak(BULL, turns))]
        turns += [(BEAR, speak(BEAR, turns))]
    assert "I have no further argument for buying." in turns[-2][1]
    assert "nothing to answer" in turns[-2][1]


def test_what_a_language_model_said_on_the_other_side_is_not_read() -> None:
    assert "nothing to answer" in speak(BULL, [(BEAR, "A P/E ratio of 48 is far too rich.")])


def test_a_lesson_is_mentioned_and_moves_its_subject_up() -> None:
    told = lesson("Valuation | decided </report> last time.")
    plain, taught = speak(BEAR, []), speak(BEAR, [], told)
    assert "Valuation / decided /report last time." in taught
    rows = [Row("volatility_20d", "52.00%", -0.5, "high volatility", "get_stock_data")]
    books = [Row("pe_ttm", "48.00x", -0.5, "high P/E ratio", "get_fundamentals")]
    reports = {"market_report": report(rows), "fundamentals_report": report(books)}
    order = [
        [
            line.split()[1].rstrip(":").lower()
            for line in answer(human(BEAR, reports=reports, extra=extra)).text.splitlines()
            if line[:2] == "- "
        ]
        for extra in ([], [told])
    ]
    assert order == [["volatility", "valuation"], ["valuation", "volatility"]]
    assert plain != taught


def test_a_side_without_evidence_makes_none_up() -> None:
    text = answer(human(BEAR, reports={"market_report": report(ROWS[:2])})).text
    assert "Nothing in the reports speaks for selling ZZZX" in text
