"""The debate with a scripted model: its rules one by one, hints, limits, questions afterwards."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import AIMessage, BaseMessage

from tests.support.debate import (
    BEAR,
    BULL,
    CASES,
    MODERATOR,
    REBUTTALS,
    RESPONDENT,
    TTM,
    VERDICT,
    asked_about,
    case,
    counter,
    debate_services,
    debated,
    debating,
    phase_of,
    point,
)
from tests.support.research import tool_call
from tradingagents.dataflows.vendors.simulated import NO_STATEMENTS
from tradingagents.errors import AwaitingApproval, BudgetReached, ModelFailure, UsageError
from tradingagents.events import Event
from tradingagents.features.debate.graph.annual_filing import NoAnnualFiling
from tradingagents.features.debate.kind import DEBATE, DebateRequest
from tradingagents.features.debate.question_kind import question_about
from tradingagents.runtime.executor import resume
from tradingagents.runtime.manifest import read_manifest

BULL_OPENING, BEAR_OPENING = f"{BULL} opening", f"{BEAR} opening"
BULL_REBUTTAL, BEAR_REBUTTAL = f"{BULL} rebuttal", f"{BEAR} rebuttal"


def phases(model: Any) -> list[str]:
    return [phase_of(call.messages, call.tools) for call in model.calls]


def prompt(model: Any, phase: str, number: int = 0) -> str:
    found = [call for call in model.calls if phase_of(call.messages, call.tools) == phase]
    return "\n".join(message.text for message in found[number].messages)


async def test_the_documented_order_ends_in_a_verdict(tmp_path: Path):
    model, seen = debating(), list[Event]()
    done = await debated(debate_services(tmp_path, model), watch=seen.append)
    order = phases(model)
    assert sorted(order[:4]) == [f"{BEAR} research"] * 2 + [f"{BULL} research"] * 2
    assert sorted(order[4:6]) == [BEAR_OPENING, BULL_OPENING]
    assert order[6:] == [BULL_REBUTTAL, BEAR_REBUTTAL, MODERATOR]
    record = done.record
    assert (record["status"], record["written_by"], record["rounds"]) == ("done", "model", 1)
    assert record["annual_filing"] == "statements of the four quarters to 2024-10-31"
    assert [(one["id"], one["capability"], one["asked_by"]) for one in record["evidence"]] == [
        ("E1", "get_ttm_analysis", ["bull", "bear"]),
        ("E2", "valuation", ["bull"]),
        ("E3", "risk_profile", ["bear"]),
    ]
    turns = [(event.data["statement"], event.data.get("side")) for event in seen if event.type == "debate_turn"]
    assert turns[2:] == [("rebuttal", "bull"), ("rebuttal", "bear"), ("verdict", None)]
    assert list(record["reports"]) == [
        *("bull_opening", "bear_opening", "bull_rebuttal_1", "bear_rebuttal_1", "verdict"),
    ]
    assert "7 because margins of 52.18% pay for growth, would be 4 if revenue shrinks." in record["reports"]["verdict"]
    assert "The growth thesis breaks if the operating margin falls below 52.18%." in record["reports"]["verdict"]
    assert {row["method"] for row in record["data_sheet"]} >= {"get_ttm_analysis", "valuation", "risk_profile"}
    names = {path.name for path in (tmp_path / "runs" / record["run_id"] / "reports").iterdir()}
    assert {"complete_report.md", "summary.md", "report.html", "bull_opening.md", "verdict.md"} <= names


async def test_both_sides_see_identical_data_from_one_cache(tmp_path: Path):
    """A call that both make is made once, whoever is first and however its arguments are written."""

    def bear(messages: list[BaseMessage], _tools: Any) -> Any:
        if any(one.type == "tool" for one in messages):
            return "DONE"
        return tool_call("get_ttm_analysis", {"curr_date": "2025-03-14", "ticker": "VELQ"})

    def bull(messages: list[BaseMessage], _tools: Any) -> Any:
        return "DONE" if any(one.type == "tool" for one in messages) else tool_call(*TTM)

    only = [point("The operating margin is 52.18%."), point("Revenue grew by 20.74%."), point("Debt is low, 0.15x.")]
    replies = {BULL_OPENING: case(*only), BEAR_OPENING: case(*only)}
    replies |= {BULL_REBUTTAL: {"counters": [counter("bear-1", only[0]["claim"])]}}
    verdict = {
        **VERDICT,
        "evidence": {},
        "contentions": [{**VERDICT["contentions"][0], "question": q} for q in ("Is it so?", "Is it not?")],
    }
    seen: list[str] = []
    model = debating({f"{BULL} research": bull, f"{BEAR} research": bear, **replies, MODERATOR: verdict})
    services = debate_services(tmp_path, model)
    await debated(services, watch=lambda event: seen.append(event.type) if event.type == "tool_start" else None)
    assert seen == ["tool_start"]
    told = [message.text for call in model.calls for message in call.messages if message.type == "tool"]
    assert len(told) == 2
    assert told[0] == told[1]
    evidence = [
        prompt(model, phase).partition("# Evidence")[2].partition("# Your role")[0]
        for phase in (BULL_OPENING, BEAR_OPENING)
    ]
    assert evidence[0] == evidence[1]
    assert "operating_margin | 52.18%" in evidence[0]


async def test_each_side_makes_at_most_five_calls(tmp_path: Path):
    started: list[str] = []

    def greedy(messages: list[BaseMessage], _tools: Any) -> Any:
        number = sum(one.type == "tool" for one in messages)
        days = (3, 4, 5) if number == 0 else (10, 11, 12)
        asked = [{"symbol": "VELQ", "start_date": "2025-01-02", "end_date": f"2025-03-{day:02}"} for day in days]
        calls = [
            {"name": "get_stock_data", "args": args, "id": f"c{number}{place}", "type": "tool_call"}
            for place, args in enumerate(asked)
        ]
        return AIMessage("", tool_calls=calls)

    def watch(event: Event) -> None:
        if event.type == "tool_start" and event.node == BULL:
            started.append(event.message)

    model = debating({f"{BULL} research": greedy})
    record = (await debated(debate_services(tmp_path, model), watch=watch, persist="none")).record
    assert len(started) == 5
    assert sum("bull" in one["asked_by"] for one in record["evidence"]) == 5
    assert phases(model).count(f"{BULL} research") == 2, "with the fifth call its research has ended"
    assert record["status"] == "done"


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        (case(point("The operating margin is 52.18%.")), "give 3 to 5"),
        (case(*(point(f"Point number {number}.") for number in range(6))), "give 3 to 5"),
        (case(*(point(f"Point number {number}.", "E9") for number in range(3))), "E9, which does not exist"),
        (case(*({**point(f"Point number {number}."), "evidence": []} for number in range(3))), "cites no evidence"),
    ],
)
async def test_an_opening_without_points_or_citations_is_repaired_once(tmp_path: Path, bad: Any, said: str):
    model = debating({BULL_OPENING: [bad, CASES[BULL]]})
    assert (await debated(debate_services(tmp_path, model), persist="none")).record["status"] == "done"
    assert said in prompt(model, BULL_OPENING, 1)


async def test_an_opening_that_stays_bad_ends_the_debate_with_what_there_is(tmp_path: Path):
    with pytest.raises(ModelFailure, match="give 3 to 5"):
        await debated(debate_services(tmp_path, debating({BEAR_OPENING: case()})))
    (folder,) = (tmp_path / "runs").iterdir()
    assert "failed" in (folder / "reports" / "summary.md").read_text()


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        (counter("bear-2", "Growth is easy to repeat."), "not verbatim in bear-2"),
        (counter("bear-2", "Growth"), "not verbatim in bear-2"),
        (counter("bull-1", "The operating margin is 52.18%."), "no argument of the bear"),
        (counter("bear-9", "Growth of 20.74% is hard to repeat."), "no argument of the bear"),
        (counter("bear-2", "Growth of 20.74% is hard to repeat.", evidence=["E7"]), "E7, which does not exist"),
    ],
)
async def test_a_rebuttal_quotes_verbatim_or_is_repaired_once(tmp_path: Path, bad: Any, said: str):
    model = debating({BULL_REBUTTAL: [{"counters": [bad]}, REBUTTALS[BULL]]})
    record = (await debated(debate_services(tmp_path, model), persist="none")).record
    assert said in prompt(model, BULL_REBUTTAL, 1)
    assert record["rebuttals"][0]["counters"][0]["quote"] in CASES[BEAR]["points"][1]["claim"]


async def test_a_rebuttal_that_stays_bad_is_left_out_and_the_debate_goes_on(tmp_path: Path):
    wrong = {"counters": [counter("bear-2", "Growth is easy to repeat.")]}
    record = (await debated(debate_services(tmp_path, debating({BULL_REBUTTAL: wrong})), persist="none")).record
    assert record["status"] == "done"
    assert record["rebuttals"][0]["counters"] == []
    assert any("gave no valid rebuttal 1" in one for one in record["warnings"])
    assert [one["kind"] for one in record["degraded"]] == ["silent_debater"]
    assert "bull_rebuttal_1" not in record["reports"]


async def test_a_deep_debate_answers_answers(tmp_path: Path):
    second = {"counters": [counter("bear-r1a", "The evidence says otherwise.", "It does not.")]}
    model = debating({BULL_REBUTTAL: [REBUTTALS[BULL], second]})
    record = (await debated(debate_services(tmp_path, model), rounds=2, persist="none")).record
    assert phases(model)[6:] == [BULL_REBUTTAL, BEAR_REBUTTAL, BULL_REBUTTAL, BEAR_REBUTTAL, MODERATOR]
    assert [(one["side"], one["round"]) for one in record["rebuttals"]] == [
        *(("bull", 1), ("bear", 1), ("bull", 2), ("bear", 2)),
    ]
    assert "rebuttal 2 of 2" in prompt(model, BULL_REBUTTAL, 1)
    assert "Conceded." in record["reports"]["bear_rebuttal_1"]


async def test_a_later_prompt_extends_an_earlier_one(tmp_path: Path):
    """Providers cache the longest common prefix: evidence first, then the debate, the role last."""
    model = debating()
    await debated(debate_services(tmp_path, model), persist="none")
    first, second, third = (
        prompt(model, one).rpartition("# Your role")[0].rstrip() for one in (BULL_REBUTTAL, BEAR_REBUTTAL, MODERATOR)
    )
    assert second.startswith(first)
    assert third.startswith(second)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"contentions": VERDICT["contentions"][:1]}, "give 2 to 5"),
        ({"other_conviction": 7}, "equals conviction"),
        ({"evidence": {"bull": ["E8"]}}, "E8, which does not exist"),
        ({"evidence": {"bull": ["E1"], "bear": ["E1"]}}, "two buckets"),
        ({"conviction": 11}, "conviction"),
    ],
)
async def test_a_verdict_is_repaired_once(tmp_path: Path, change: dict[str, Any], said: str):
    model = debating({MODERATOR: [{**VERDICT, **change}, VERDICT]})
    assert (await debated(debate_services(tmp_path, model), persist="none")).record["verdict"]["conviction"] == 7
    assert said in prompt(model, MODERATOR, 1)
    offered = {call.tools for call in model.calls if phase_of(call.messages, call.tools) == MODERATOR}
    assert offered == {("DebateVerdict",)}, "no tool but the form of its answer"


async def test_a_debate_without_a_valid_verdict_keeps_its_statements(tmp_path: Path):
    model = debating({MODERATOR: {**VERDICT, "contentions": []}})
    record = (await debated(debate_services(tmp_path, model))).record
    assert (record["status"], record["verdict"]) == ("no_answer", {})
    assert len(record["reports"]) == 4
    assert any("no valid verdict" in one for one in record["warnings"])


async def test_a_company_without_an_annual_filing_is_refused(tmp_path: Path):
    model, ticker = debating(), next(iter(NO_STATEMENTS))
    with pytest.raises(
        NoAnnualFiling, match=rf"No twelve months of statements of {ticker} were known on 2025-03-14"
    ) as refused:
        await debated(debate_services(tmp_path, model), ticker=ticker)
    assert refused.value.exit_code == 4
    assert not model.calls
    assert not (tmp_path / "runs").exists()


async def test_what_is_no_company_is_refused_for_that_reason(tmp_path: Path):
    with pytest.raises(UsageError, match="SPY is an exchange-traded fund, not a company; debate a company"):
        await debated(debate_services(tmp_path, debating()), ticker="SPY")


@pytest.mark.parametrize("wrong", [{"rounds": 3}, {"ticker": "VELQ MODZ"}, {"ticker": ""}])
def test_a_wrong_request_is_refused(wrong: dict[str, Any]):
    with pytest.raises(UsageError):
        DebateRequest(**{"ticker": "VELQ", **wrong})


async def test_nothing_of_a_later_day_reaches_an_agent(tmp_path: Path):
    """A side that asks for later days is answered as of the day."""

    def late(messages: list[BaseMessage], _tools: Any) -> Any:
        if any(one.type == "tool" for one in messages):
            return "DONE"
        return tool_call("get_stock_data", {"symbol": "VELQ", "start_date": "2025-03-03", "end_date": "2025-06-30"})

    model = debating({f"{BULL} research": late, f"{BEAR} research": late, MODERATOR: {**VERDICT, "contentions": []}})
    with pytest.raises(ModelFailure):  # the cases cite evidence that was not gathered
        await debated(debate_services(tmp_path, model))
    told = "\n".join(message.text for call in model.calls for message in call.messages)
    assert "was read as that day" in told
    assert not any(f"2025-{month}-" in told.replace("2025-06-30", "") for month in ("04", "05", "06"))


async def test_hints_wait_for_the_pause_and_reach_one_side_only(tmp_path: Path):
    model = debating()
    services = debate_services(tmp_path, model)
    with pytest.raises(AwaitingApproval, match="evidence is gathered") as waiting:
        await debated(services, coach=True)
    assert all("research" in phase for phase in phases(model))
    manifest = read_manifest(tmp_path, waiting.value.run_id)

    def said(side: str, text: str) -> dict[str, Any]:
        return {"hints": [{"side": side, "text": text}]}

    for wrong, why in (
        (said("moderator", "Decide for me."), "never to the moderator"),
        ({"note": "just some words"}, "Begin each hint with its side"),
    ):
        with pytest.raises(AwaitingApproval, match=why):
            await resume(DEBATE, manifest, services, answer=wrong).result()
    with pytest.raises(AwaitingApproval, match="Both cases are stated"):
        await resume(DEBATE, manifest, services, answer=said("bull", "Look at the margins.")).result()
    assert "Look at the margins." in prompt(model, BULL_OPENING)
    assert "Look at the margins." not in prompt(model, BEAR_OPENING)
    done = await resume(
        DEBATE, manifest, services, answer={"verdict": "revise", "note": "bear: Press on debt."}
    ).result()
    assert "Press on debt." in prompt(model, BEAR_REBUTTAL)
    assert "Press on debt." not in prompt(model, BULL_REBUTTAL)
    told = prompt(model, MODERATOR)
    assert "Look at the margins." not in told
    assert "Press on debt." not in told
    assert [(one["side"], one["phase"]) for one in done.record["hints"]] == [
        ("bull", "opening"),
        ("bear", "rebuttal_1"),
    ]
    assert phases(model).count(BULL_OPENING) == 1, "a pause repeats nothing"


async def test_a_coached_debate_keeps_its_steps(tmp_path: Path):
    with pytest.raises(UsageError, match="keeps its steps"):
        await debated(debate_services(tmp_path, debating()), coach=True, persist="none")


async def test_a_budget_keeps_finished_work_and_the_debate_can_go_on(tmp_path: Path):
    with pytest.raises(BudgetReached):
        await debated(debate_services(tmp_path, debating(), max_llm_calls=7))
    (folder,) = (tmp_path / "runs").iterdir()
    assert "used up its budget" in (folder / "reports" / "summary.md").read_text()
    model = debating()
    again = debate_services(tmp_path, model, max_llm_calls=20)
    done = await resume(DEBATE, read_manifest(tmp_path, folder.name), again).result()
    assert phases(model) == [BEAR_REBUTTAL, MODERATOR]
    assert done.record["status"] == "done"


async def test_a_question_after_the_end_is_answered_from_the_kept_debate(tmp_path: Path):
    model = debating({RESPONDENT: ["If revenue shrinks. [E1]", "By 20.74% growth. [E1]"]})
    services = debate_services(tmp_path, model)
    run = (await debated(services)).record["run_id"]
    calls = len(model.calls)
    first = await asked_about(services, run, "What would change your mind?")
    second = await asked_about(services, run, "And why?")
    assert len(model.calls) == calls + 2, "one call an answer, and no tool"
    told = prompt(model, RESPONDENT)
    for part in ("operating_margin | 52.18%", "hard to repeat", "would be 4 if revenue shrinks", "What would change"):
        assert part in told
    assert "Answer: If revenue shrinks." in prompt(model, RESPONDENT, 1)
    assert (first.text, first.record["debate"], first.record["as_of"]) == (
        "If revenue shrinks. [E1]",
        run,
        "2025-03-14",
    )
    assert second.record["grounding"]["unmatched"] == []
    with pytest.raises(UsageError, match="is no debate"):
        question_about(tmp_path, second.record["run_id"], "Why?")
    with pytest.raises(UsageError, match="empty"):
        question_about(tmp_path, run, " ")
