"""Consultations: hidden sessions, validated memos, and what no face may see of them."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import AIMessage, BaseMessage, ToolMessage

from tests.support.assistant_bench import COMPANY, AssistantBench, calls, memo
from tradingagents.errors import BudgetReached, NotFound
from tradingagents.features.assistant.agents.consult import consult_offer
from tradingagents.features.assistant.agents.definitions import agent_registry
from tradingagents.features.assistant.agents.prompts import PROSE_REFUSED, SUBMIT
from tradingagents.features.assistant.agents.shown_tools import topic_of
from tradingagents.features.assistant.sessions import SessionStore

ASK_BUFFETT = ("consult_warren_buffett", {"question": f"Is {COMPANY} a good business?"})
ASK_MARKS = ("consult_howard_marks", {"question": f"What can go wrong with {COMPANY}?"})


class Cast:
    """A scripted model that plays the assistant and each persona by their own scripts."""

    def __init__(self, **scripts: Sequence[AIMessage | str]) -> None:
        self.scripts = {name: list(script) for name, script in scripts.items()}
        self.tools: dict[str, tuple[str, ...]] = {}
        self.seen: dict[str, list[list[BaseMessage]]] = {name: [] for name in scripts}

    def __call__(self, messages: Sequence[BaseMessage], tools: tuple[str, ...]) -> AIMessage | str:
        system = messages[0].text
        who = "assistant"
        for name in self.scripts:
            if f"associated with {name.replace('_', ' ').title()}" in system.replace("\n", " "):
                who = name
        self.tools.setdefault(who, tools)
        self.seen[who].append(list(messages))
        return self.scripts[who].pop(0)


VALUATION = calls(("valuation", {"ticker": COMPANY}))
RISK = calls(("risk_profile", {"ticker": COMPANY}))


def hidden_sessions(store: SessionStore, home: Path) -> list[str]:
    """Return the ids of hidden sessions, read from the disk."""
    shown = {one.session_id for one in store.list(limit=100)}
    return [path.stem for path in (home / "sessions").glob("s-*.jsonl") if path.stem not in shown]


async def test_two_personas_work_side_by_side_and_hand_over_validated_memos(tmp_path: Path):
    cast = Cast(
        assistant=[calls(ASK_BUFFETT, ASK_MARKS), "They disagree."],
        warren_buffett=[VALUATION, memo(citations=["T1:upside"])],
        howard_marks=[RISK, memo(stance="bearish", confidence=55, citations=["T1"])],
    )
    async with AssistantBench(tmp_path, cast) as bench:
        assert await bench.say("How would Buffett and Marks disagree on WATZ?") == "They disagree."
        memos = bench.of("memo")
        assert {(entry.name, entry.data["stance"], entry.data["confidence"]) for entry in memos} == {
            ("warren_buffett", "bullish", 83),
            ("howard_marks", "bearish", 55),
        }
        assert all(entry.data["supported"] and not entry.data["confidence_note"] for entry in memos)
        by_name = {entry.name: entry.data for entry in memos}
        assert by_name["warren_buffett"]["sources"][0]["capability"] == "valuation"
        assert [entry.type for entry in bench.entries].count("tool_result") == 2
        told = [message for message in cast.seen["assistant"][1] if isinstance(message, ToolMessage)]
        assert [message.text.splitlines()[0] for message in told] == [
            "## Memo of Warren Buffett: bullish, confidence 83 of 100 as reported",
            "## Memo of Howard Marks: bearish, confidence 55 of 100 as reported",
        ]
        assert len([event for event in bench.events if event.type == "memo"]) == 2


async def test_a_persona_has_its_file_s_tools_and_the_finaliser_and_nobody_to_consult(tmp_path: Path):
    cast = Cast(assistant=[calls(ASK_BUFFETT), "So."], warren_buffett=[VALUATION, memo()])
    async with AssistantBench(tmp_path, cast) as bench:
        await bench.say("good business?")
        offered = set(cast.tools["warren_buffett"])
        assert SUBMIT in offered
        assert {"valuation", "get_financials", "fundamental_screen"} <= offered
        assert not any(name.startswith(("consult_", "start_")) for name in offered)
        assert not {"ask_capability", "list_capabilities", "market_snapshot", "open_chart"} & offered
        agents = agent_registry(bench.settings)
        offers = [*await bench.host.offers(agents.assistant), *map(consult_offer, agents.personas)]
        assert "open_tools" in cast.tools["assistant"]
        consults = [offer.name for offer in offers if topic_of(offer.name) == "investors"]
        assert consults == ["consult_warren_buffett", "consult_howard_marks", "consult_stanley_druckenmiller"]


@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        ("market_snapshot", {"ticker": COMPANY}, "Warren Buffett may not use market_snapshot"),
        ("open_chart", {"symbols": COMPANY}, "may not use open_chart"),
        ("ask_capability", {"name": "market_snapshot", "arguments": {}}, "There is no tool"),
        ("start_analyze", {"ticker": COMPANY}, "There is no tool"),
        ("consult_howard_marks", {"question": "?"}, "There is no tool"),
    ],
)
async def test_the_kernel_refuses_what_is_not_in_the_file(
    tmp_path: Path, tool: str, arguments: dict[str, Any], said: str
):
    cast = Cast(assistant=[calls(ASK_BUFFETT), "So."], warren_buffett=[calls((tool, arguments)), memo()])
    async with AssistantBench(tmp_path, cast) as bench:
        await bench.say("good business?")
        (answer,) = [one for one in cast.seen["warren_buffett"][1] if isinstance(one, ToolMessage)]
        assert answer.status == "error"
        assert said.replace("Warren Buffett", "warren_buffett") in answer.text
        assert not await bench.manager.list()


async def test_prose_is_refused_once_and_then_the_consultation_fails(tmp_path: Path):
    cast = Cast(
        assistant=[calls(ASK_BUFFETT), "No memo.", calls(ASK_BUFFETT), "A memo."],
        warren_buffett=["I think it is great.", "Really great.", "Still prose.", memo(stance="abstain", citations=[])],
    )
    async with AssistantBench(tmp_path, cast) as bench:
        await bench.say("good business?")
        (failed,) = bench.of("tool_result")
        assert failed.status == "error"
        assert "answered with text instead of a memo" in failed.text
        assert not bench.of("memo")
        assert cast.seen["warren_buffett"][1][-1].text.endswith(PROSE_REFUSED)
        await bench.say("once more")
        assert bench.of("memo")[0].data["stance"] == "abstain"


@pytest.mark.parametrize(
    "wrong", [{"confidence": 120}, {"confidence": 55.5}, {"stance": "buy"}, {"guru": "me"}, {"thesis": ""}]
)
async def test_an_invalid_memo_is_refused_with_the_field(tmp_path: Path, wrong: dict[str, Any]):
    cast = Cast(assistant=[calls(ASK_BUFFETT), "So."], warren_buffett=[VALUATION, memo(**wrong), memo()])
    async with AssistantBench(tmp_path, cast) as bench:
        await bench.say("good business?")
        refused = cast.seen["warren_buffett"][2][-1]
        assert next(iter(wrong)) in refused.text
        assert bench.of("memo")[0].data["guru"] == "warren_buffett"


async def test_a_memo_outside_the_method_is_sent_back_once_and_its_confidence_is_never_changed(tmp_path: Path):
    chart_talk = memo(thesis="The chart points up.", key_evidence=["RSI 60"], risks=["none"], confidence=91)
    cast = Cast(assistant=[calls(ASK_BUFFETT), "So."], warren_buffett=[VALUATION, chart_talk, chart_talk])
    async with AssistantBench(tmp_path, cast) as bench:
        await bench.say("good business?")
        assert "does not fit your method" in cast.seen["warren_buffett"][2][-1].text
        data = bench.of("memo")[0].data
        assert data["confidence"] == 91
        assert "after it was asked to once" in data["fit_note"]
        assert len(cast.seen["warren_buffett"]) == 3


async def test_citations_that_match_nothing_are_marked_and_the_confidence_stays(tmp_path: Path):
    cast = Cast(
        assistant=[calls(ASK_BUFFETT), "So."],
        warren_buffett=[VALUATION, memo(citations=["T1", "T7", "T1:no_such_figure", "my experience"])],
    )
    async with AssistantBench(tmp_path, cast) as bench:
        await bench.say("good business?")
        data = bench.of("memo")[0].data
        assert data["confidence"] == 83
        assert data["supported"] is False
        assert data["unmatched_citations"] == ["T7", "T1:no_such_figure", "my experience"]
        assert data["confidence_note"].startswith("The high confidence of 83 is as reported, but 3 of 4 citations")


async def test_the_hidden_session_is_in_no_event_transcript_list_or_error(tmp_path: Path):
    cast = Cast(assistant=[calls(ASK_BUFFETT), "So."], warren_buffett=[VALUATION, "prose", "prose"])
    async with AssistantBench(tmp_path, cast) as bench:
        await bench.say("good business?")
        (hidden,) = hidden_sessions(bench.store, tmp_path)
        told = json.dumps([event.to_dict() for event in bench.events], default=str)
        assert hidden not in told
        assert all(hidden not in entry.model_dump_json() for entry in bench.entries)
        assert hidden not in "".join(message.text for seen in cast.seen["assistant"] for message in seen)
        assert [one.session_id for one in bench.store.list()] == [bench.session_id]
        assert hidden not in (tmp_path / "sessions" / "sessions.json").read_text("utf-8")
        with pytest.raises(NotFound) as unknown:
            bench.store.get("s-20250101000000000000-000000000000")
        with pytest.raises(NotFound) as known:
            bench.store.get(hidden)
        shape = str(unknown.value).replace("s-20250101000000000000-000000000000", "ID")
        assert str(known.value).replace(hidden, "ID") == shape
        for request in (bench.store.entries, bench.store.delete):
            with pytest.raises(NotFound):
                request(hidden)
        inside = bench.store.get(hidden, hidden=True)
        assert inside.agent == "warren_buffett"
        assert inside.defaults == bench.session.defaults


async def test_the_view_is_inherited(tmp_path: Path):
    cast = Cast(assistant=[calls(ASK_BUFFETT), "So."], warren_buffett=[calls(("current_view_context", {})), memo()])
    async with AssistantBench(tmp_path, cast) as bench:
        view = bench.session.view.model_copy(update={"symbols": (COMPANY,), "page": "chart"})
        bench.store.set_view(bench.session_id, view)
        await bench.say("good business?")
        assert f"Symbols open: {COMPANY}" in cast.seen["warren_buffett"][0][0].text
        (answer,) = [one for one in cast.seen["warren_buffett"][1] if isinstance(one, ToolMessage)]
        assert f"- Symbols: {COMPANY}" in answer.text
        assert "- Page: chart" in answer.text


async def test_the_same_question_to_the_same_persona_is_asked_twice_at_most(tmp_path: Path):
    cast = Cast(
        assistant=[calls(ASK_BUFFETT), calls(ASK_BUFFETT), calls(ASK_BUFFETT), "Enough."],
        warren_buffett=[memo(), memo()],
    )
    async with AssistantBench(tmp_path, cast) as bench:
        await bench.say("good business?")
        assert [entry.status for entry in bench.of("tool_result")] == ["ok", "ok", "error"]
        assert "asked the same question 2 times" in bench.of("tool_result")[2].text


async def test_a_persona_that_never_ends_is_made_to_submit(tmp_path: Path):
    research = [calls(("valuation", {"ticker": COMPANY, "assumptions": f"growth=0.0{n}"})) for n in range(1, 7)]
    cast = Cast(assistant=[calls(ASK_BUFFETT), "So."], warren_buffett=[*research, memo()])
    async with AssistantBench(tmp_path, cast) as bench:
        await bench.say("good business?")
        assert bench.of("memo")
        assert "You have no research calls left" in cast.seen["warren_buffett"][6][-1].text


async def test_the_cost_of_a_persona_counts_in_the_turn_s_budget(tmp_path: Path):
    cast = Cast(assistant=[calls(ASK_BUFFETT), "So."], warren_buffett=[VALUATION, memo()])
    async with AssistantBench(tmp_path, cast, max_llm_calls=2) as bench:
        with pytest.raises(BudgetReached):
            await bench.say("good business?")
        usage = [event for event in bench.events if event.type == "usage"]
        assert [event.node for event in usage] == ["Assistant", "Warren Buffett"]


async def test_a_fourth_persona_of_the_user_can_be_consulted(tmp_path: Path):
    folder = tmp_path / "personas"
    folder.mkdir()
    (folder / "income.yaml").write_text(
        "name: income_investor\ntitle: Income Investor\nlens: dividends\ntools: [financials]\n"
        "prompt: You apply the method associated with Income Investor.\nout_of_scope: Everything else.\n",
        encoding="utf-8",
    )
    cast = Cast(
        assistant=[calls(("consult_income_investor", {"question": "Safe?"})), "So."],
        income_investor=[calls(("get_financials", {"ticker": COMPANY})), memo(confidence=40)],
    )
    async with AssistantBench(tmp_path, cast) as bench:
        await bench.say("is the dividend safe?")
        assert cast.tools["income_investor"] == ("get_financials", SUBMIT)
        assert bench.of("memo")[0].data["title"] == "Income Investor"


async def test_a_persona_is_not_told_how_much_is_held(tmp_path: Path):
    asks = ("consult_warren_buffett", {"question": f"The user owns 7313 {COMPANY} at 80. Is it good for 10 years?"})
    cast = Cast(assistant=[calls(asks), "So."], warren_buffett=[VALUATION, memo()])
    async with AssistantBench(tmp_path, cast) as bench:
        await bench.say(f"I own 7,313 {COMPANY} at 80: what would Buffett say?")
        hidden = hidden_sessions(bench.store, tmp_path)
    assert len(hidden) == 1
    transcript = (tmp_path / "sessions" / f"{hidden[0]}.jsonl").read_text()
    assert f"The user owns … {COMPANY} at …. Is it good for 10 years?" in transcript
    assert not re.search(r"(?<![0-9a-f])7,?313(?![0-9a-f])", transcript)  # ids and times may have these digits
    assert not any("7313" in message.text for seen in cast.seen["warren_buffett"] for message in seen)
