"""A text about another company is none: one more turn, then it is missing; nothing of it reaches the others."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.graph_factory import COMPANY, DAY, DECIDERS, Watch, role_of, scripted, trading_graph, verdict
from tradingagents.agents.builders.subject_question import READER
from tradingagents.agents.states import NOT_AVAILABLE
from tradingagents.dataflows.vendors.simulated import COMPANIES
from tradingagents.schemas.records import DegradedRecord

OTHER = (
    "# Microsoft (MSFT): market report\n\nMicrosoft closed at 96.58. Microsoft's trend is up, and its RSI is neutral."
)
OWN = "Veltrane's close is 96.58, and the trend is up."
TURN = "Microsoft deserves more: Microsoft's cloud grows, and Microsoft has cash. The last close is 96.58."
REASON = "is about Microsoft and not about Veltrane Systems (VELQ)"


def test_the_company_of_these_tests_is_veltrane() -> None:
    assert COMPANIES[COMPANY].name == "Veltrane Systems"


async def test_a_report_about_another_company_is_asked_for_again_and_then_missing() -> None:
    model, watch = scripted({"Market Analyst": OTHER}), Watch()
    run = await trading_graph(model).arun(COMPANY, DAY, subscribers=[watch])
    reason = f"the model's report {REASON}, twice; try a larger model."
    assert run.record["degraded"] == [DegradedRecord(kind="missing_report", agent="Market Analyst", detail=reason)]
    assert run.state["market_report"] == f"{NOT_AVAILABLE} The Market Analyst could not report: {reason}"
    asked = [call for call in model.calls if role_of(call.messages) == "Market Analyst"]
    assert len(asked) == 2
    assert asked[1].messages[-1].text.startswith(f"Your report {REASON}.")
    assert [event.message.partition(": ")[2] for event in watch.of("retry")] == [f"its report {REASON}."]
    others = [call for call in model.calls if role_of(call.messages) not in ("Market Analyst", READER)]
    assert not [call for call in others if "Microsoft" in str(call.messages)]


async def test_the_second_report_counts() -> None:
    run = await trading_graph(scripted({"Market Analyst": [OTHER, OWN]})).arun(COMPANY, DAY)
    assert run.state["market_report"] == OWN
    assert run.record["degraded"] == []


@pytest.mark.parametrize("mode", ["turns", "simultaneous"])
async def test_a_turn_about_another_company_is_asked_for_again_and_then_not_spoken(mode: str) -> None:
    model, watch = scripted({"Bull Researcher": TURN}), Watch()
    graph = trading_graph(model, debate_mode=mode, max_debate_rounds=1)
    run = await graph.arun(COMPANY, DAY, subscribers=[watch])
    reason = f"the model's turn {REASON}, twice; try a larger model."
    assert run.record["degraded"] == [DegradedRecord(kind="silent_debater", agent="Bull Researcher", detail=reason)]
    (said,) = [one["text"] for one in run.record["debates"]["research"] if one["speaker"] == "Bull Researcher"]
    assert said == f"{NOT_AVAILABLE} The Bull Researcher did not speak: {reason}"
    others = [call for call in model.calls if role_of(call.messages) != "Bull Researcher"]
    assert not [call for call in others if "Microsoft" in str(call.messages)]
    asked = [call for call in model.calls if role_of(call.messages) == "Bull Researcher"]
    assert (
        asked[1].messages[-1].text.startswith(f"Your turn {REASON}. Speak again, whole, about Veltrane Systems (VELQ)")
    )


async def test_the_second_turn_counts() -> None:
    model = scripted({"Bull Researcher": [TURN, "Veltrane deserves more: its last close is 96.58."]})
    run = await trading_graph(model, max_debate_rounds=1).arun(COMPANY, DAY)
    assert run.record["degraded"] == []
    assert run.record["debates"]["research"][0]["text"].startswith("Veltrane deserves more")


RATIONALE = "Microsoft's revenue grows and the price stands above its averages."


async def decided(**changes: Any) -> tuple[Any, int]:
    """Return the record of a run whose risk manager always answers so, and how often it was asked."""
    model = scripted({"Risk Manager": verdict(**changes)})
    run = await trading_graph(model).arun(COMPANY, DAY)
    return run.record, sum(role_of(call.messages) == "Risk Manager" for call in model.calls)


@pytest.mark.parametrize(
    "changes",
    [
        {"rationale": RATIONALE},
        {"reasoning": "Microsoft trades at 33 times earnings. Microsoft's margin is 44 %. Microsoft has cash."},
        {"plan": ["Buy Microsoft at 97", "Set the stop at 90"]},
    ],
    ids=["rationale", "reasoning", "plan"],
)
@pytest.mark.parametrize("action", ["BUY", "HOLD"])
async def test_a_verdict_on_another_company_is_none_and_says_so(action: str, changes: dict[str, Any]) -> None:
    record, asked = await decided(action=action, **changes)
    assert record["status"] == "no_decision"
    assert record["decision"]["rationale"] == (
        f"Risk Manager answered {action}, but its text {REASON}: that is no decision. Try a larger model; the reports "
        "stand in the run's record."
    )
    assert asked == 2
    assert [(one["kind"], one["agent"]) for one in record["degraded"]] == [("other_company", "Risk Manager")]


async def test_evidence_that_is_all_of_another_company_is_none() -> None:
    claims = ["Microsoft closed at 96.58", "Microsoft's RSI is 49.46", "Microsoft's ATR is 3.70"]
    record, _ = await decided(key_evidence=[{"claim": one, "source": "get_stock_data"} for one in claims])
    assert record["decision"]["action"] == "NO_DECISION"
    assert "about Microsoft" in record["decision"]["rationale"]


async def test_one_piece_of_evidence_on_a_peer_is_none_the_worse() -> None:
    claims = ["The last close is 96.58", "OMBZ has gained 58.94% in three months", "The RSI is 49.46"]
    record, asked = await decided(key_evidence=[{"claim": one, "source": "get_peer_comparison"} for one in claims])
    assert (record["decision"]["action"], asked) == ("BUY", 1)


async def test_a_verdict_on_the_right_company_when_asked_again_is_taken() -> None:
    model = scripted({"Risk Manager": [verdict(rationale=RATIONALE), verdict()]})
    run = await trading_graph(model).arun(COMPANY, DAY)
    assert run.decision.action == "BUY"
    asked = [call for call in model.calls if role_of(call.messages) == "Risk Manager"]
    assert "you wrote about Microsoft; write about Veltrane Systems (VELQ)" in asked[-1].messages[-1].text


async def test_without_a_plan_of_the_trader_for_this_company_there_is_no_trade() -> None:
    run = await trading_graph(scripted({"Trader": verdict(rationale=RATIONALE)})).arun(COMPANY, DAY)
    assert run.decision.action == "NO_DECISION"
    assert "the trader gave no plan" in run.decision.rationale
    assert [one["kind"] for one in run.record["degraded"]] == ["other_company", "no_plan"]


async def test_every_decider_is_held_to_it() -> None:
    model = scripted({role: verdict(rationale=RATIONALE) for role in DECIDERS})
    run = await trading_graph(model).arun(COMPANY, DAY)
    assert [one["kind"] for one in run.record["degraded"]] == ["other_company"] * 3


async def test_peers_customers_and_brokers_may_be_named_anywhere() -> None:
    peers = "Veltrane closed at 96.58. Peers such as Ombrix (OMBZ) did better: Ombrix's 3-month return is 58.94%."
    turn = (
        "The bear points to Microsoft, a customer of Veltrane. Microsoft may cut orders; Veltrane sells to others too."
    )
    reason = "Veltrane grows, and unlike Microsoft it is not dear; Goldman Sachs raised its target, and 96.58 is low."
    model = scripted({"Market Analyst": peers, "Bull Researcher": turn, "Risk Manager": verdict(rationale=reason)})
    run = await trading_graph(model).arun(COMPANY, DAY)
    assert (run.decision.action, run.record["degraded"]) == ("BUY", [])


async def test_a_report_of_foreign_figures_on_a_company_of_the_data_is_not_excused_by_them() -> None:
    """OMBZ stands in the peers' table, so that one mention of it is none; but its figures there are others."""
    text = "The stock rose 17.23 % this month, and closed at 431.87. Volume at Ombrix was 1.37 times that of 2019."
    run = await trading_graph(scripted({"Market Analyst": text})).arun(COMPANY, DAY)
    (lack,) = run.record["degraded"]
    assert "about Ombrix Software" in lack["detail"]
