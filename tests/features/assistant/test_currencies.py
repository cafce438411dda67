"""Amounts in different currencies are neither put in one order nor compared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from tradingagents.features.assistant.rules.comparisons import compared_parts
from tradingagents.features.assistant.rules.found import TurnAnswers, currency_of
from tradingagents.features.assistant.rules.screens import ListOrder, _in_other_currency
from tradingagents.offline.questions.conversation import ToolFact
from tradingagents.offline.questions.frames import QuestionFrame
from tradingagents.retrieval.questions.aspects import AskedAspects
from tradingagents.retrieval.questions.days import NamedDays

TTM = "get_ttm_analysis"


def answers(debts: Mapping[str, str]) -> TurnAnswers:
    """What is known of the debt of companies, as shown: `5.00B USD`."""
    facts = [
        ToolFact(
            tool=TTM,
            symbol=symbol,
            arguments={"ticker": symbol},
            figures={"total_debt": float(shown.partition("B")[0]) * 1e9},
            shown={"total_debt": shown},
        )
        for symbol, shown in debts.items()
    ]
    frame = replace(QuestionFrame(AskedAspects(), NamedDays("")), symbols=tuple(debts))
    return TurnAnswers(facts, "en", frame)


@pytest.mark.parametrize(
    ("shown", "currency"), [("5.00B USD", "USD"), ("12.50%", ""), ("0.41x", ""), ("3 days", ""), ("61.20 EUR", "EUR")]
)
def test_only_an_amount_has_a_currency(shown: str, currency: str) -> None:
    fact = ToolFact(tool=TTM, arguments={}, shown={"total_debt": shown})
    assert currency_of(fact, "total_debt") == currency


def test_a_list_leaves_out_who_reports_in_another_currency() -> None:
    debts = {"ACMQ": "5.00B USD", "ZYX": "900.00B TWD", "QRS": "7.00B USD"}
    order = ListOrder(TTM, "total_debt", most=True)
    assert _in_other_currency(answers(debts), order, debts) == ["ZYX"]
    assert _in_other_currency(answers({"ACMQ": "5.00B USD"}), order, ["ACMQ"]) == []


def test_a_comparison_names_nobody_across_currencies() -> None:
    apart = compared_parts(answers({"ACMQ": "5.00B USD", "ZYX": "900.00B TWD"}), ("debt",), ("ACMQ", "ZYX"))
    assert "total debt: not compared, since the amounts are in different currencies." in apart
    assert "lower" not in apart
    alike = compared_parts(answers({"ACMQ": "5.00B USD", "QRS": "7.00B USD"}), ("debt",), ("ACMQ", "QRS"))
    assert "ACMQ is lower" in alike
