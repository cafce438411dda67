"""The rules of the offline debate: both claims of every topic, weak cases, concessions, the verdict, answers."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from tradingagents.features.debate.agents.debate_rules import (
    case_problems,
    rebuttal_problems,
    statements_of,
    verdict_problems,
)
from tradingagents.features.debate.rules import questions
from tradingagents.features.debate.rules import speakers as rules
from tradingagents.features.debate.rules.brief import CitedFigure, DebateBrief
from tradingagents.features.debate.rules.topics import TOPIC_RULES, topics_of
from tradingagents.features.debate.schemas import SIDES, DebateCase, DebateRebuttal, DebateVerdict, RebuttalRecord
from tradingagents.offline.brief import Brief

GOOD = {
    "value_per_share": 120.0,
    "price": 100.0,
    "upside": 20.0,
    "terminal_share": 60.0,
    "price_at_pe": 130.0,
    "implied_sales_growth": 4.0,
    "revenue_yoy": 12.0,
    "ttm_revenue": 9e9,
    "revenue_qoq": 3.0,
    "operating_margin": 30.0,
    "gross_margin": 60.0,
    "implied_oper_margin": 25.0,
    "ttm_free_cash_flow": 2e9,
    "ttm_net_income": 2.2e9,
    "debt_to_equity": 0.2,
    "total_debt": 1e9,
    "equity": 5e9,
    "piotroski_f_score": 8.0,
    "f_accruals": 0.0,
    "estimates_beaten": 7.0,
    "estimates_compared": 8.0,
    "sma_200": 90.0,
    "change_3m": 5.0,
    "alpha_6m": 8.0,
    "stock_6m": 20.0,
    "etf_6m": 12.0,
    "volatility_252d": 18.0,
    "current_drawdown": -3.0,
    "drawdown_1": -25.0,
}
"""Figures that speak for the bull on every topic."""
BAD = {
    **GOOD,
    "value_per_share": 60.0,
    "upside": -40.0,
    "price_at_pe": 50.0,
    "implied_sales_growth": 20.0,
    "revenue_yoy": -6.0,
    "operating_margin": -4.0,
    "ttm_free_cash_flow": -1e9,
    "ttm_net_income": -5e8,
    "debt_to_equity": 2.5,
    "piotroski_f_score": 2.0,
    "estimates_beaten": 1.0,
    "sma_200": 130.0,
    "alpha_6m": -20.0,
    "volatility_252d": 60.0,
}
"""Figures that speak for the bear on every topic."""


def brief(figures: dict[str, float], **more: Any) -> Brief:
    shown = {name: CitedFigure(value, f"{value:g}", "E1") for name, value in figures.items()}
    return Brief("x", known=DebateBrief(ticker="VELQ", day=date(2025, 3, 14), figures=shown, **more))


@pytest.mark.parametrize(("figures", "sign"), [(GOOD, 1), (BAD, -1)])
def test_every_topic_leans_as_its_figures_do_and_has_a_claim_for_both_sides(figures: dict[str, float], sign: int):
    known = brief(figures).known
    assert isinstance(known, DebateBrief)
    topics = topics_of("VELQ", known.figures)
    assert len(topics) == len(TOPIC_RULES)
    for topic in topics:
        assert topic.lean * sign > 0, topic.name
        assert abs(topic.lean) <= 1
        assert topic.bull != topic.bear
        assert topic.evidence == ("E1",)
        assert topic.turns_if


def test_a_topic_without_its_figures_is_left_out():
    known = brief({"price": 100.0, "sma_200": 90.0, "change_3m": 5.0}).known
    assert isinstance(known, DebateBrief)
    assert [one.name for one in topics_of("VELQ", known.figures)] == ["trend"]
    assert rules.opening(brief({"price": 100.0, "sma_200": 90.0, "change_3m": 5.0}, side="bull")) is None


@pytest.mark.parametrize("figures", [GOOD, BAD])
def test_even_a_weak_case_has_three_points_and_says_that_it_is_weak(figures: dict[str, float]):
    cases = {side: DebateCase.model_validate(rules.opening(brief(figures, side=side))) for side in SIDES}
    assert all(case_problems(case, {"E1"}) is None for case in cases.values())
    weak = cases["bear" if figures is GOOD else "bull"]
    assert len(weak.points) == 3
    assert {one.strength for one in weak.points} == {"weak"}
    assert "a weak case" in weak.summary
    strong = cases["bull" if figures is GOOD else "bear"]
    assert len(strong.points) == 5
    assert strong.confidence > weak.confidence


def test_a_hint_brings_its_topic_first():
    case = rules.opening(brief(GOOD, side="bull", hints=("Have you seen the balance sheet?",)))
    assert case is not None
    assert "equity" in case["points"][0]["claim"]


def test_a_whole_debate_keeps_every_rule_and_concedes_at_most_one_point_a_round():
    cases = {side: dict(rules.opening(brief(BAD, side=side)) or {}) for side in SIDES}
    said: list[RebuttalRecord] = []
    for number in (1, 2):
        for side in SIDES:
            other = "bear" if side == "bull" else "bull"
            given = rules.rebuttal(brief(BAD, side=side, cases=cases, rebuttals=said))
            rebuttal = DebateRebuttal.model_validate(given)
            assert rebuttal_problems(rebuttal, side, statements_of(other, cases, said), {"E1"}) is None  # type: ignore[arg-type]
            assert sum(one.concedes for one in rebuttal.counters) <= 1
            said.append(
                RebuttalRecord(side=side, round=number, counters=[one.model_dump() for one in rebuttal.counters])
            )
    answered = [one["point"] for record in said if record["side"] == "bull" for one in record["counters"]]
    assert len(answered) == len(set(answered)), "no argument is answered twice"
    verdict = DebateVerdict.model_validate(rules.verdict(brief(BAD, cases=cases, rebuttals=said)))
    assert verdict_problems(verdict, {"E1"}) is None
    assert verdict.conviction <= 3
    assert verdict.other_conviction > verdict.conviction
    assert all(one.leans == "bear" for one in verdict.contentions)


def test_good_figures_end_in_a_high_conviction():
    cases = {side: dict(rules.opening(brief(GOOD, side=side)) or {}) for side in SIDES}
    verdict = DebateVerdict.model_validate(rules.verdict(brief(GOOD, cases=cases)))
    assert verdict.conviction >= 7
    assert verdict.other_conviction < verdict.conviction


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What would change your mind?", "breaks if"),
        ("What do they agree on?", "Neither side conceded"),
        ("Do the sources contradict each other?", "Revenue: 1 by a (E1), 2 by b (E2)."),
        ("What does the bull say about margins?", "bull-"),
        ("Why that conviction?", "because"),
        ("What is the case of the bear?", "bear-1"),
        ("Who won the football match?", "because"),
        ("Xyzzy?", "says nothing about this"),
    ],
)
def test_questions_afterwards(question: str, said: str):
    cases = {side: dict(rules.opening(brief(GOOD, side=side)) or {}) for side in SIDES}
    verdict = dict(rules.verdict(brief(GOOD, cases=cases, discrepancies=("Revenue: 1 by a (E1), 2 by b (E2).",))) or {})
    assert said in questions.answer(brief(GOOD, cases=cases, verdict=verdict, question=question))
    assert questions.answer(brief(GOOD, cases=cases, question=question)).startswith(questions.MADE_BY)
