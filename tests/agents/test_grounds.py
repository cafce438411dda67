"""What a decision and a report must rest on: figures of the data, own words, and a trader's plan for a trade."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.graph_factory import (
    COMPANY,
    DAY,
    DECIDERS,
    Watch,
    report_of,
    role_of,
    scripted,
    trading_graph,
    verdict,
)
from tradingagents.agents.builders import grounds
from tradingagents.agents.faults import CUT
from tradingagents.agents.managers import risk_manager
from tradingagents.agents.schemas import ScanSummary, Verdict
from tradingagents.agents.states import NOT_AVAILABLE
from tradingagents.llm_clients.reply_text import descriptions, is_copied, is_repetition
from tradingagents.schemas.cards import RunRecord
from tradingagents.schemas.records import DegradedRecord

FOUND = {"claim": "The last close is 96.58", "source": "get_stock_data"}
INVENTED = {"claim": "The P/E is 472.91", "source": "get_ttm_analysis"}
BY_CHANCE = {"claim": "100 percent sure", "source": "get_stock_data"}
WORDS = {"claim": "Revenue grows", "source": "get_ttm_analysis"}


async def decided(**changes: Any) -> tuple[RunRecord, Watch, int]:
    """Return the record of a run whose risk manager always answers so, its events and how often it was asked."""
    model, watch = scripted({"Risk Manager": verdict(**changes)}), Watch()
    run = await trading_graph(model).arun(COMPANY, DAY, subscribers=[watch])
    return run.record, watch, sum(role_of(call.messages) == "Risk Manager" for call in model.calls)


@pytest.mark.parametrize(
    "evidence",
    [[], [WORDS], [INVENTED], [BY_CHANCE], [WORDS, INVENTED]],
    ids=["none", "words", "invented", "by chance", "both"],
)
@pytest.mark.parametrize("action", ["BUY", "SELL", "HOLD"])
async def test_a_decision_without_a_figure_of_the_data_is_none_and_says_so(action: str, evidence: list[dict[str, str]]):
    record, watch, asked = await decided(action=action, key_evidence=evidence)
    assert record["status"] == "no_decision"
    assert record["decision"]["action"] == "NO_DECISION"
    assert record["decision"]["rationale"] == (
        f"Risk Manager answered {action}, but none of its key evidence names a figure found in the data of this run: "
        "that is no decision. Try a larger model; the reports stand in the run's record."
    )
    assert asked == 2
    assert record["decision"]["rationale"] in record["warnings"]
    assert [event.message for event in watch.of("warning")] == [record["decision"]["rationale"]]
    (lack,) = record["degraded"]
    assert (lack["kind"], lack["agent"]) == ("no_evidence", "Risk Manager")


async def test_one_piece_of_evidence_with_a_figure_of_the_data_is_enough():
    record, _, asked = await decided(key_evidence=[WORDS, INVENTED, FOUND])
    assert (record["decision"]["action"], asked) == ("BUY", 1)
    assert record["degraded"] == []


async def test_a_model_that_gives_its_evidence_when_asked_for_it_has_decided():
    model = scripted({"Risk Manager": [verdict(key_evidence=[]), verdict(key_evidence=[FOUND])]})
    run = await trading_graph(model).arun(COMPANY, DAY)
    assert run.decision.action == "BUY"
    asked = [call for call in model.calls if role_of(call.messages) == "Risk Manager"]
    assert "at least one claim of key_evidence must state a figure" in asked[-1].messages[-1].text
    assert [message.type for message in asked[-1].messages] == ["system", "human", "ai", "human"]


async def test_a_verdict_that_breaks_a_rule_is_asked_for_again_and_that_is_told_as_it_happens():
    model, watch = scripted({"Risk Manager": [verdict(entry=1.0), verdict()]}), Watch()
    run = await trading_graph(model).arun(COMPANY, DAY, subscribers=[watch])
    assert run.decision.action == "BUY"
    (retry,) = watch.of("retry")
    assert retry.node == "Risk Manager"
    assert "asks" in retry.message
    assert "entry 1.00 must lie between" in retry.message


@pytest.mark.parametrize("mode", ["turns", "simultaneous"])
async def test_every_decider_is_held_to_it_in_every_mode(mode: str):
    model = scripted({role: verdict(key_evidence=[INVENTED]) for role in DECIDERS})
    run = await trading_graph(model, debate_mode=mode).arun(COMPANY, DAY)
    assert [one["action"] for one in run.record["decisions"].values()] == ["NO_DECISION"] * 3
    assert [one["kind"] for one in run.record["degraded"]] == ["no_evidence"] * 3


@pytest.mark.parametrize("action", ["BUY", "HOLD"])
@pytest.mark.parametrize(
    "rationale",
    [
        "Say why in two to four sentences of your own; quote the figures that decide",
        "Say why, in two to four sentences; quote the figures that decide.",
        "A single fact in a sentence: quote the figure, and name its metric and period, as a report does",
        "Refine the trader's plan rather than start over; overrule it where the evidence demands, and say why.",
        "Your answer was cut off at its length limit. Write it again from the beginning, whole.",
    ],
    ids=["the description", "nearly the description", "another description", "the prompt", "a repair prompt"],
)
async def test_a_rationale_that_repeats_the_instructions_is_none(rationale: str, action: str):
    record, _, asked = await decided(action=action, rationale=rationale)
    assert (record["decision"]["action"], asked) == ("NO_DECISION", 2)
    said = record["decision"]["rationale"]
    assert "its rationale repeats the instructions" in said or "repeats a description of the schema" in said


@pytest.mark.parametrize(
    "rationale", ["Yes, it is, yes, yes, yes, yes, yes, yes", f"It is not possible; {'flip the coin; ' * 9}"]
)
async def test_a_rationale_that_says_the_same_words_over_and_over_is_none(rationale: str):
    record, _, asked = await decided(rationale=rationale)
    assert (record["decision"]["action"], asked) == ("NO_DECISION", 2)
    assert "its rationale says the same words over and over" in record["decision"]["rationale"]


@pytest.mark.parametrize(
    "text",
    [
        "Growth is strong, and so is the margin.",
        "The price of 96.58 is above the 50-day average of 91.20 and above the 200-day average of 84.11.",
        "The trend is up: the price is above its 50-day average. The margin is up: 31 % against 29 %. Debt is down.",
        "Yes, yes, yes.",
    ],
)
def test_own_sentences_repeat_little(text: str):
    assert not is_repetition(text)


async def test_advice_for_people_stands_in_the_last_decision_alone():
    model = scripted({role: verdict(key_evidence=[]) for role in DECIDERS})
    run = await trading_graph(model).arun(COMPANY, DAY)
    assert "larger model" in run.decision.rationale
    assert not [call for call in model.calls if "larger model" in str(call.messages)]


async def test_without_a_plan_of_the_trader_there_is_no_trade():
    model, watch = scripted({"Trader": verdict(key_evidence=[])}), Watch()
    run = await trading_graph(model).arun(COMPANY, DAY, subscribers=[watch])
    assert run.decision.action == "NO_DECISION"
    assert run.decision.rationale == (
        "Risk Manager answered BUY, but the trader gave no plan (Trader answered BUY, but none of its key evidence "
        "names a figure found in the data of this run: that is no decision): there is nothing to trade on. Try a "
        "larger model; the reports stand in the run's record."
    )
    assert [one["kind"] for one in run.record["degraded"]] == ["no_evidence", "no_plan"]


async def test_to_change_nothing_needs_no_plan_of_the_trader():
    model = scripted({"Trader": verdict(key_evidence=[]), "Risk Manager": verdict(action="HOLD")})
    assert (await trading_graph(model).arun(COMPANY, DAY)).decision.action == "HOLD"


async def test_a_plan_to_hold_is_a_plan():
    model = scripted({"Trader": verdict(action="HOLD")})
    assert (await trading_graph(model).arun(COMPANY, DAY)).decision.action == "BUY"


async def test_a_verdict_that_is_no_object_any_more_when_asked_again_is_refused_for_what_was_wrong_first():
    from langchain_core.messages import AIMessage

    model = scripted({"Risk Manager": [verdict(key_evidence=[]), AIMessage("no"), AIMessage("no")]})
    run = await trading_graph(model).arun(COMPANY, DAY)
    assert "none of its key evidence names a figure" in run.decision.rationale


async def test_a_report_without_a_figure_of_the_data_is_asked_for_again_and_then_missing():
    model = scripted({"Market Analyst": "The chart looks strong and momentum is good.", "Risk Manager": verdict()})
    watch = Watch()
    run = await trading_graph(model).arun(COMPANY, DAY, subscribers=[watch])
    reason = "the model's report has no figure of what the tools answered, twice; try a larger model."
    assert run.state["market_report"].startswith(NOT_AVAILABLE)
    assert run.record["degraded"] == [DegradedRecord(kind="missing_report", agent="Market Analyst", detail=reason)]
    asked = [call for call in model.calls if role_of(call.messages) == "Market Analyst"]
    assert len(asked) == 2
    assert [event.message.partition(": ")[2] for event in watch.of("retry")] == [
        "its report has no figure of what the tools answered."
    ]


async def test_the_second_report_counts():
    answers = ["The chart looks strong.", "The last close is 96.58."]
    run = await trading_graph(scripted({"Market Analyst": list(answers)})).arun(COMPANY, DAY)
    assert run.state["market_report"] == answers[-1]
    assert run.record["degraded"] == []


async def test_a_report_that_repeats_what_its_model_was_told_is_none():
    parrot = f"{CUT.wish} The last close is 96.58."
    run = await trading_graph(scripted({"Market Analyst": parrot})).arun(COMPANY, DAY)
    assert "the model's report repeats the instructions, twice" in run.record["degraded"][0]["detail"]


async def test_a_report_on_articles_needs_no_figure():
    model = scripted({"News Analyst": "Nothing that was published bears on the company."})
    run = await trading_graph(model, analysts=("market", "news")).arun(COMPANY, DAY)
    assert run.record["degraded"] == [], "the scan of news was called a missing report"


async def test_a_run_in_which_no_analyst_has_a_figure_ends_with_the_reason():
    from tradingagents.errors import ModelFailure

    model = scripted({"Market Analyst": "The chart looks strong."})
    with pytest.raises(ModelFailure, match="No analyst could report: the model's report has no figure"):
        await trading_graph(model, analysts=("market",)).arun(COMPANY, DAY)


def test_own_words_about_the_same_matter_are_no_copy():
    said = (
        "Revenue rose 14.2 % over the last four quarters while the close of 96.58 stands 6 % above its 200-day "
        "average; the size of 5 % keeps a stopped trade at one per cent of equity."
    )
    assert not is_copied(said, [risk_manager.PROMPT, *descriptions(Verdict), *grounds.WISHES])


def test_descriptions_are_instructions_which_no_text_can_hold_as_its_content():
    """A weak model copies a description; what begins with an order is seen to be none of its own."""
    orders = ("State", "Name", "Choose", "Give", "Say", "Explain", "List", "Copy", "Sum")
    fields = [said for schema in (Verdict, ScanSummary) for said in field_descriptions(schema.model_json_schema())]
    assert [said for said in fields if not said.startswith(orders)] == []


def field_descriptions(shape: dict[str, Any]) -> list[str]:
    objects = [shape, *shape.get("$defs", {}).values()]
    return [field["description"] for one in objects for field in one["properties"].values() if "description" in field]


async def test_a_report_quoted_by_support_holds_a_figure():
    """The scripted model of the tests writes what a sound model would, not what the rule happens to let pass."""
    model = scripted()
    await trading_graph(model).arun(COMPANY, DAY)
    first = next(call for call in model.calls if role_of(call.messages) == "Market Analyst")
    assert "96.58" in report_of(first.messages)
