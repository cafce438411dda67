from __future__ import annotations

import json
import math
import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.offline.briefs import (
    BAD_NEWS,
    BEARISH,
    BULLISH,
    GOOD_NEWS,
    VERDICT_TOOL,
    WEIGHTS,
    Change,
    debate,
    fundamentals,
    human,
    market,
    news,
    plan,
    report,
    written,
)
from tradingagents.agents.decision_text import render_decision
from tradingagents.agents.schemas import Verdict
from tradingagents.llm_clients.offline_model import answer
from tradingagents.offline.calibration import basis, confidence, record_in_short, record_of_rules, table
from tradingagents.offline.decisions import MAX_SIZE, levels
from tradingagents.offline.evidence import View, strength, view_of
from tradingagents.offline.rationale import dissent, key_evidence
from tradingagents.offline.readings import Reading, Row
from tradingagents.offline.rules import MARKET
from tradingagents.schemas.decision import Decision, sureness_words

Reports = dict[str, Reading | str]


def reports_of(tools: Any, articles: Any, trend: str) -> Reports:
    return {
        "market_report": written(market(tools)),
        "sentiment_report": written(news(articles, role="Social Media Analyst")),
        "news_report": written(news(articles)),
        "fundamentals_report": written(fundamentals(tools, trend)),
    }


GOOD = reports_of(BULLISH, GOOD_NEWS, "expanding")
BAD = reports_of(BEARISH, BAD_NEWS, "contracting")


def decide(role: str, reports: Reports, *extra: Change) -> dict[str, Any]:
    (call,) = answer(human(role, reports=reports, extra=extra), [VERDICT_TOOL], "Verdict").tool_calls
    assert call["name"] == "Verdict"
    Verdict.model_validate(call["args"])
    return dict(call["args"])


def view(reports: Reports) -> View:
    return view_of(human("Research Manager", reports=reports))


def test_different_data_decide_differently() -> None:
    good, bad = decide("Research Manager", GOOD), decide("Research Manager", BAD)
    assert (good["action"], bad["action"]) == ("BUY", "SELL")
    assert good["strength"] > 0.6
    assert bad["strength"] > 0.6


def test_confidence_is_what_was_observed_and_strength_stands_beside_it() -> None:
    good, bad = decide("Risk Manager", GOOD), decide("Risk Manager", BAD)
    measured = table()
    rate = measured["right"] / measured["calls"]
    assert 0.4 < rate < 0.6
    if not measured["strength_orders"]:
        assert good["confidence"] == bad["confidence"] == round(rate, 2)
    assert f"{measured['right']:,} of {measured['calls']:,}" in good["track_record"]
    assert confidence("HOLD", 0.9) == 0.5
    hold = decide("Trader", GOOD, plan("investment_plan", "HOLD"))
    assert (hold["confidence"], "no side" in hold["track_record"]) == (0.5, True)


def test_the_net_score_is_the_weighted_mean_of_the_reports() -> None:
    rows = {
        "market_report": [Row("rsi", "60.00", 0.5, "x", "get_indicators")],
        "news_report": [Row("articles", "3 articles", -0.4, "x", "get_news")],
    }
    seen = view({name: report(table) for name, table in rows.items()})
    assert seen.net == pytest.approx((0.40 * 0.5 - 0.15 * 0.4) / 0.55)
    # Price trend is 6.3 of the 8.3 that a market report is expected to hold, company news 1.0 of a news report's 1.8.
    assert seen.coverage == pytest.approx(0.40 * 6.3 / 8.3 + 0.15 * 1.0 / 1.8)


scores_of_report = st.lists(st.floats(-1, 1).map(lambda x: round(x, 2)), min_size=1, max_size=6)


@given(st.dictionaries(st.sampled_from(list(WEIGHTS)), scores_of_report, min_size=1), st.integers(-6, 6))
def test_mirrored_evidence_mirrors_the_action(tables: dict[str, list[float]], regime: int) -> None:
    def made(sign: int) -> View:
        reports = {
            name: report(
                [
                    Row(rule.metric, "1.00", sign * score, "x", rule.tool)
                    for rule, score in zip(MARKET, table, strict=False)
                ]
            )
            for name, table in tables.items()
        }
        first = next(iter(reports))
        return view({**reports, first: replace(reports[first], regime=float(sign * regime))})

    here, there = made(1), made(-1)
    assert here.net == pytest.approx(-there.net)
    assert {"BUY": "SELL", "SELL": "BUY", "HOLD": "HOLD"}[here.action] == there.action
    assert strength(here) == pytest.approx(strength(there))
    assert 0 < strength(here) <= 0.8


def test_the_regime_tips_a_close_call() -> None:
    rows = [Row("rsi", "52.00", 0.05, "x", "get_indicators")]
    actions = [view({"market_report": report(rows, regime=regime)}).action for regime in (None, 3.0, -3.0)]
    assert actions == ["HOLD", "BUY", "HOLD"]


def test_key_evidence_is_of_different_groups_with_figures_as_shown() -> None:
    verdict = decide("Research Manager", GOOD)
    assert 3 <= len(verdict["key_evidence"]) <= 6
    claims = {item["claim"]: item["source"] for item in verdict["key_evidence"]}
    assert claims["Price far above its 200-day average (85.00 USD)"] == "get_indicators"
    groups = [item.group for item in key_evidence(view(GOOD), "BUY")]
    assert len(set(groups)) == len(groups)


def test_averages_and_momentum_are_one_reason_not_two() -> None:
    """Their scores correlate by 0.88 on recorded weeks: a fall is not said twice."""
    rows = [
        Row("close_50_sma", "95.00 USD", -0.9, "price far below its 50-day average", "get_indicators"),
        Row("change_1m", "-15.00%", -1.0, "sharply lower over a month", "get_stock_data"),
        Row("macdh", "-3.00 USD", -0.9, "MACD far below its signal line", "get_indicators"),
        Row("volatility_20d", "52.00%", -0.4, "high volatility", "get_stock_data"),
        Row("regime_score", "-5", -1.0, "the market is risk-off", "get_macro_regime"),
        Row("vix", "21.00", -0.05, "ordinary expected volatility", "get_macro_regime"),
    ]
    found = key_evidence(view({"market_report": report(rows)}), "SELL")
    assert [item.row.metric for item in found] == ["close_50_sma", "regime_score", "volatility_20d"]


def test_the_rationale_says_what_the_regime_adds_and_whether_the_action_hangs_on_it() -> None:
    def told(score: float, regime: float) -> str:
        rows = [
            Row("rsi", "52.00", score, "RSI fairly strong", "get_indicators"),
            Row("regime_score", f"{regime:g}", 0.0, "the market has a regime", "get_macro_regime"),
        ]
        return str(decide("Research Manager", {"market_report": report(rows, regime=regime)})["rationale"])

    assert "adds +0.03 (derived) to the net score, and decides: without it this would be a HOLD." in told(0.1, 3.0)
    assert "adds -0.03 (derived) to the net score." in told(0.5, -3.0)


def test_a_report_that_compares_returns_alone_is_not_called_fundamental() -> None:
    rows = [Row("alpha_3m", "13.80%", 0.9, "far ahead of its sector over three months", "get_peer_comparison")]
    alone = decide("Research Manager", {"fundamentals_report": report(rows)})["rationale"]
    assert "The fundamentals report, which has no statements and compares returns alone, is bullish" in alone
    books = [*rows, Row("pe_ttm", "12.00x", 0.4, "low P/E ratio", "get_fundamentals")]
    both = decide("Research Manager", {"fundamentals_report": report(books)})["rationale"]
    assert "The fundamentals report is bullish" in both


def test_few_groups_give_a_second_reading() -> None:
    rows = [
        Row("close_200_sma", "95.00 USD", 0.4, "price above its 200-day average", "get_indicators"),
        Row("close_50_sma", "97.00 USD", 0.3, "price above its 50-day average", "get_indicators"),
        Row("close_10_ema", "98.00 USD", 0.3, "price above its 10-day average", "get_indicators"),
    ]
    found = key_evidence(view({"market_report": report(rows)}), "BUY")
    assert [item.row.metric for item in found][:2] == ["close_200_sma", "close_50_sma"]


def test_the_dissent_is_the_strongest_group_of_the_other_side_and_no_headline_count() -> None:
    rows = [Row("articles", "40 articles", -0.9, "company news far negative", "get_news")]
    books = [
        Row("pe_ttm", "48.00x", -0.3, "fairly high P/E ratio", "get_fundamentals"),
        Row("revenue_yoy", "30.00%", 1.0, "revenue growing very fast", "get_ttm_analysis"),
    ]
    reports = {"news_report": report(rows), "fundamentals_report": report(books)}
    assert dissent(view(reports), "BUY") == (
        "The strongest argument on the other side is valuation: fairly high P/E ratio (48.00x, fundamentals report)."
    )
    assert dissent(view({"news_report": report(rows)}), "BUY") == (
        "The strongest argument on the other side is company news: "
        "company news far negative (40 articles, news report)."
    )


@pytest.mark.parametrize("reports", [GOOD, BAD])
@pytest.mark.parametrize("role", ["Research Manager", "Trader", "Risk Manager"])
def test_every_number_of_a_rationale_is_a_tool_figure_or_derived(role: str, reports: Reports) -> None:
    verdict = decide(role, reports)
    shown = {text for tools in (BULLISH, BEARISH) for figures in tools.values() for text in figures.values()}
    told = [verdict["rationale"], *(item["claim"] for item in verdict["key_evidence"])]
    for text in told:
        free = re.sub(r"[+-]\d\.\d\d \(derived\)", "", text)
        for figure in sorted(shown, key=len, reverse=True):
            free = re.sub(rf"([ (]){re.escape(figure)}", r"\1", free)
        free = re.sub(r"\b\d+-(?:day|week|month)\b", "", free.replace("3 articles", ""))
        assert "_" not in free, free
        assert not re.search(r"\d", free), free


def test_missing_evidence_lowers_the_strength_and_is_named() -> None:
    without = {**GOOD, "fundamentals_report": "**Not available.** The vendor is down."}
    whole, part = decide("Research Manager", GOOD), decide("Research Manager", without)
    assert part["strength"] < whole["strength"]
    assert "Missing, and so not weighed: fundamentals report." in part["rationale"]


def test_a_report_that_lost_its_statements_counts_for_what_is_left_of_it() -> None:
    only_peers = {
        name: figures for name, figures in BULLISH.items() if name not in ("get_ttm_analysis", "get_fundamentals")
    }
    tools = {**only_peers, "get_ttm_analysis": {"n": "n/a"}, "get_fundamentals": {"n": "n/a"}}
    part = {**GOOD, "fundamentals_report": written(fundamentals(tools, "unknown"))}
    assert view(part).by_report["fundamentals_report"] > 0.3
    assert view(GOOD).coverage == pytest.approx(1.0 - 0.15 * 0.8 / 1.8)  # neither world news nor insiders
    assert view(GOOD).coverage - view(part).coverage > 0.2
    assert strength(view(part)) < strength(view(GOOD))


@pytest.mark.parametrize("role", ["Research Manager", "Trader", "Risk Manager"])
def test_without_any_reading_a_decider_does_not_pretend(role: str) -> None:
    empty = {"market_report": "**Not available.** Nothing came.", "news_report": report([])}
    reply = answer(human(role, reports=empty), [VERDICT_TOOL], "Verdict")
    assert reply.tool_calls == []
    assert "No decision" in reply.text


def test_without_a_forced_tool_a_decider_answers_in_json() -> None:
    reply = answer(human("Research Manager", reports=GOOD))
    assert Verdict.model_validate(json.loads(reply.text)).action == "BUY"


# Trader


def test_stop_and_target_stand_two_and_three_ranges_away() -> None:
    prices, reason = levels("BUY", 100.0, view(GOOD))  # atr 2.00
    assert prices == {"entry": 100.0, "stop": 96.0, "target": 106.0, "position_size": 0.05}
    assert "average true range 2.00 USD" in reason


def test_a_sale_mirrors_them_and_a_wide_stop_shrinks_the_size() -> None:
    rows = [Row("atr", "8.00 USD", -0.5, "x", "get_indicators")]
    prices, _ = levels("SELL", 100.0, view({"market_report": report(rows)}))
    assert prices == {"entry": 100.0, "stop": 116.0, "target": 76.0, "position_size": 0.0125}


def test_without_a_range_volatility_gives_it_and_without_both_nothing_is_invented() -> None:
    rows = [Row("volatility_20d", "31.75%", -0.1, "x", "get_stock_data")]
    prices, reason = levels("BUY", 100.0, view({"market_report": report(rows)}))
    assert prices["stop"] == pytest.approx(100 - 2 * 3 * 31.75 / math.sqrt(252), abs=0.005)  # 31.75 / sqrt(252) = 2
    assert prices["position_size"] == pytest.approx(0.002 / 0.12, abs=0.0001)
    assert "20-day volatility 31.75%" in reason
    prices, _ = levels("BUY", 100.0, view({"market_report": report([Row("rsi", "50.00", 0, "x", "get_indicators")])}))
    assert prices == {"entry": None, "stop": None, "target": None, "position_size": None}


def test_without_a_measure_of_risk_the_risk_manager_sets_no_level_and_no_size() -> None:
    rows = [
        Row("close_200_sma", "85.00 USD", 0.9, "price far above its 200-day average", "get_indicators"),
        Row("change_3m", "20.00%", 0.6, "clearly higher over three months", "get_stock_data"),
    ]
    said = plan("trader_investment_plan", "BUY", entry=100.0, stop=94.0, target=109.0, position_size=0.06)
    verdict = decide("Risk Manager", {"market_report": report(rows)}, said)
    assert [verdict[name] for name in ("entry", "stop", "target", "position_size")] == [None] * 4
    assert "No report measures the risk of the stock, so there is no size." in verdict["rationale"]


def test_the_size_halves_where_the_range_doubles_and_the_cap_binds_below_one_per_cent_only() -> None:
    def size(atr: str) -> float:
        rows = [Row("atr", f"{atr} USD", 0.0, "x", "get_indicators")]
        return float(levels("BUY", 100.0, view({"market_report": report(rows)}))[0]["position_size"])

    assert [size(atr) for atr in ("2.00", "4.00", "8.00")] == [0.05, 0.025, 0.0125]
    assert [size(atr) for atr in ("1.25", "1.00", "0.50")] == [0.08, MAX_SIZE, MAX_SIZE]


def test_the_trader_takes_the_action_of_the_plan() -> None:
    verdict = decide("Trader", GOOD, plan("investment_plan", "SELL", horizon_days=90))
    assert (verdict["action"], verdict["horizon_days"]) == ("SELL", 90)
    assert verdict["stop"] > verdict["entry"] > verdict["target"]


def test_a_hold_commits_nothing() -> None:
    verdict = decide("Trader", GOOD, plan("investment_plan", "HOLD"))
    assert verdict["position_size"] == 0.0
    assert [verdict[name] for name in ("entry", "stop", "target")] == [None, None, None]


def test_after_an_undecided_plan_the_trader_reads_the_reports() -> None:
    verdict = decide("Trader", GOOD, plan("investment_plan", "NO_DECISION"))
    assert verdict["action"] == "BUY"
    assert verdict["rationale"].startswith("There is no plan; the reports alone say BUY.")


# Risk manager

BUY_PLAN = {"action": "BUY", "entry": 100.0, "stop": 96.0, "target": 106.0, "position_size": 0.08}


def trader_plan(**more: Any) -> Change:
    return plan("trader_investment_plan", **{**BUY_PLAN, **more})


def test_a_plan_that_nothing_speaks_against_is_kept() -> None:
    verdict = decide("Risk Manager", GOOD, trader_plan(), plan("investment_plan", "BUY"))
    assert (verdict["action"], verdict["strength"], verdict["position_size"]) == ("BUY", strength(view(GOOD)), 0.08)
    assert (verdict["entry"], verdict["stop"], verdict["target"]) == (100.0, 96.0, 106.0)


def test_the_size_is_the_mean_of_the_debate_with_the_neutral_view_twice() -> None:
    plan_of = trader_plan(position_size=0.04)
    roles = ("Aggressive Debator", "Conservative Debator", "Neutral Debator")
    turns = [(role, answer(human(role, reports=GOOD, extra=[plan_of])).text) for role in roles]
    verdict = decide("Risk Manager", GOOD, plan_of, debate(turns))
    assert verdict["position_size"] == pytest.approx((0.06 + 0.02 + 2 * 0.04) / 4)


def test_one_risk_halves_the_size_and_costs_strength() -> None:
    verdict = decide("Risk Manager", GOOD, trader_plan(), plan("investment_plan", "SELL"))
    assert (verdict["action"], verdict["position_size"]) == ("BUY", 0.04)
    assert verdict["strength"] == pytest.approx(strength(view(GOOD)) - 0.05)
    assert "the two plans disagree" in verdict["rationale"]


def test_two_risks_hold_back() -> None:
    rows = [
        Row("rsi", "60.00", 0.8, "x", "get_indicators"),
        Row("volatility_20d", "75.00%", -0.5, "x", "get_stock_data"),
        Row("regime_score", "-4", -1.0, "x", "get_macro_regime"),
    ]
    verdict = decide("Risk Manager", {**GOOD, "market_report": report(rows)}, trader_plan())
    assert (verdict["action"], verdict["position_size"], verdict["stop"]) == ("HOLD", 0.0, None)
    assert "the market is risk-off (market regime score -4)" in verdict["rationale"]
    assert "volatility is very high (20-day volatility 75.00%)" in verdict["rationale"]


def test_risk_off_does_not_speak_against_selling() -> None:
    rows = [
        Row("rsi", "40.00", -0.8, "x", "get_indicators"),
        Row("regime_score", "-4", -1.0, "x", "get_macro_regime"),
    ]
    verdict = decide("Risk Manager", {**BAD, "market_report": report(rows)}, trader_plan(action="SELL"))
    assert verdict["action"] == "SELL"
    assert "no risk check speaks against it" in verdict["rationale"]


def test_what_stands_beside_a_decision_of_rules_is_its_strength_and_once_their_record() -> None:
    """By hand: 1,976 of 4,006 is 49.3 %, and its interval of 46 to 53 % holds one half."""
    assert (table().right, table().calls) == (1_976, 4_006)
    assert record_in_short() == "Rules: right in 49 %, no edge."
    ruled = Decision(action="BUY", confidence=0.49, strength=0.64, rationale="because")
    stated = Decision(action="BUY", confidence=0.62, rationale="because")
    assert record_of_rules([stated, ruled]) == record_in_short()
    assert record_of_rules([stated, None]) == ""
    assert sureness_words(ruled.confidence, ruled.strength) == "strength 0.64"
    assert sureness_words(stated.confidence, stated.strength) == "confidence 0.62"
    assert "**Strength:** 0.64" in render_decision(ruled)
    assert "**Confidence:** 0.62" in render_decision(stated)
    assert basis("BUY").startswith(record_in_short())
