"""One turn and the next: lookups, parallel tools, the loop guard, limits, and a turn that is continued."""

from __future__ import annotations

import asyncio
from datetime import date
from pathlib import Path

import pytest
from langchain_core.exceptions import ContextOverflowError
from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.messages.tool import invalid_tool_call

from tests.support.assistant_bench import COMPANY, OTHER, AssistantBench, calls
from tradingagents.errors import ModelFailure, UsageError
from tradingagents.features.assistant.agents.prompts import ANSWER_NOW
from tradingagents.features.assistant.sessions import NewEntry
from tradingagents.llm_clients.scripted import ScriptedChatModel

SNAPSHOT = ("market_snapshot", {"ticker": COMPANY})


async def test_a_lookup_needs_one_tool_and_consults_nobody(tmp_path: Path):
    script = [calls(SNAPSHOT, text="Let me look."), "It trades at 142.06 USD."]
    async with AssistantBench(tmp_path, script) as bench:
        assert await bench.say("What is WATZ trading at?") == "It trades at 142.06 USD."
        assert [entry.type for entry in bench.entries] == [
            *("user", "assistant", "tool_call", "tool_result", "assistant"),
        ]
        assert bench.called() == ["market_snapshot"]
        result = bench.of("tool_result")[0]
        assert result.data["figures"]["price"] == 142.06
        assert result.data["shown"]["price"] == "142.06 USD"
        assert bench.session.symbols == (COMPANY,)
        told = bench.scripted.calls[1].messages
        assert isinstance(told[-1], ToolMessage)
        assert "142.06 USD" in told[-1].text
        assert told[0].type == "system"
        assert "Today is 2025-03-14." in told[0].text


async def test_the_reply_is_streamed_as_messages_and_calls_as_tool_events(tmp_path: Path):
    async with AssistantBench(tmp_path, [calls(SNAPSHOT, text="One moment."), "It is 142.06 USD now."]) as bench:
        await bench.say("price?")
        pieces = [e for e in bench.events if e.type == "message" and "delta" in e.data]
        assert "".join(e.data["delta"] for e in pieces if e.data["part"] == 1) == "It is 142.06 USD now."
        whole = [(e.data["part"], e.data["final"], e.data["text"]) for e in bench.events if "final" in e.data]
        assert whole == [(0, False, "One moment."), (1, True, "It is 142.06 USD now.")]
        (begin,) = [e for e in bench.events if e.type == "tool_start"]
        (end,) = [e for e in bench.events if e.type == "tool_end"]
        assert begin.data["call"] == end.data["call"]
        assert end.data["tool"] == "market_snapshot"
        assert "142.06 USD" in end.data["content"]
        assert not [e for e in bench.events if e.type == "token"]


async def test_calls_of_one_reply_run_side_by_side(tmp_path: Path):
    class SlowTools:
        def __init__(self, host: object) -> None:
            self.host, self.under_way, self.most = host, 0, 0

        def __getattr__(self, name: str) -> object:
            return getattr(self.host, name)

        async def call(self, *arguments: object, **named: object) -> object:
            self.under_way += 1
            self.most = max(self.most, self.under_way)
            await asyncio.sleep(0.02)
            try:
                return await self.host.call(*arguments, **named)  # type: ignore[attr-defined]
            finally:
                self.under_way -= 1

    script = [calls(SNAPSHOT, ("market_snapshot", {"ticker": OTHER}), ("market_regime", {})), "Done."]
    async with AssistantBench(tmp_path, script) as bench:
        bench.host = slow = SlowTools(bench.host)  # type: ignore[assignment]
        await bench.say("compare")
        assert slow.most == 3
        assert len(bench.of("tool_result")) == 3


async def test_the_third_identical_call_of_a_turn_is_not_made(tmp_path: Path):
    again = ("market_snapshot", {"ticker": f" {COMPANY} "})
    script = [calls(SNAPSHOT), calls(again), calls(SNAPSHOT), "I stop.", calls(SNAPSHOT), "Again."]
    async with AssistantBench(tmp_path, script) as bench:
        await bench.say("price?")
        results = bench.of("tool_result")
        assert [entry.status for entry in results] == ["ok", "ok", "error"]
        assert "called with the same arguments 2 times in this turn already" in results[2].text
        await bench.say("and now?")
        assert bench.of("tool_result")[-1].status == "ok", "the next turn counts anew"


async def test_after_the_last_round_the_model_must_answer(tmp_path: Path):
    def script(messages: object, tools: tuple[str, ...]) -> AIMessage | str:
        return calls(("market_snapshot", {"ticker": f"X{len(messages)}"})) if tools else "Nothing found."  # type: ignore[arg-type]

    async with AssistantBench(tmp_path, script, assistant_max_rounds=2) as bench:
        assert await bench.say("loop") == "Nothing found."
        assert len(bench.scripted.calls) == 3
        assert bench.scripted.calls[2].messages[-1].text.endswith(ANSWER_NOW)
        assert ANSWER_NOW not in "".join(entry.text for entry in bench.entries)


async def test_a_turn_that_was_killed_makes_only_the_calls_without_a_result(tmp_path: Path):
    async with AssistantBench(tmp_path, ["Both are known."]) as bench:
        turn = "turn-killed"
        bench.store.append(
            bench.session_id,
            (
                NewEntry(type="user", text="Compare", turn=turn, data={"as_of": "2025-03-14"}),
                NewEntry(type="assistant", turn=turn),
                NewEntry(
                    type="tool_call", turn=turn, name="market_snapshot", call_id="a", arguments={"ticker": COMPANY}
                ),
                NewEntry(type="tool_call", turn=turn, name="market_snapshot", call_id="b", arguments={"ticker": OTHER}),
                NewEntry(type="tool_result", turn=turn, name="market_snapshot", call_id="a", text="WATZ: known before"),
            ),
        )
        assert await bench.say("Compare", turn=turn) == "Both are known."
        assert len(bench.scripted.calls) == 1
        shown = [message for message in bench.scripted.calls[0].messages if isinstance(message, ToolMessage)]
        assert shown[0].text == "WATZ: known before"
        assert "114.86 USD" in shown[1].text
        assert [entry.type for entry in bench.entries].count("user") == 1


async def test_a_turn_that_was_killed_after_its_reply_asks_nobody(tmp_path: Path):
    async with AssistantBench(tmp_path, ["Said once."]) as bench:
        assert await bench.say("hello", turn="t") == "Said once."
        assert await bench.say("hello", turn="t") == "Said once."
        assert len(bench.scripted.calls) == 1
        assert len(bench.entries) == 2


async def test_an_unknown_tool_and_bad_arguments_are_answered_with_what_to_do(tmp_path: Path):
    broken = AIMessage("", invalid_tool_calls=[invalid_tool_call(name="valuation", args="{", id="b", error="x")])
    script = [calls(("market_snapsht", {}), ("market_snapshot", {"symbol": "X"})), broken, "Sorry."]
    async with AssistantBench(tmp_path, script) as bench:
        await bench.say("price?")
        unknown, wrong, unreadable = bench.of("tool_result")
        assert "did you mean market_snapshot" in unknown.text
        assert "market_snapshot has no argument 'symbol'" in wrong.text
        assert "not valid JSON" in unreadable.text


async def test_further_capabilities_are_found_and_called_by_name(tmp_path: Path):
    script = [
        calls(("list_capabilities", {"words": "sector returns"})),
        calls(("ask_capability", {"name": "get_sector_performance", "arguments": {}})),
        "Here.",
    ]
    async with AssistantBench(tmp_path, script) as bench:
        await bench.say("sectors?")
        found, answer = bench.of("tool_result")
        assert "get_sector_performance" in found.text
        assert answer.data["capability"] == "get_sector_performance"
        assert len(bench.scripted.calls[0].tools) < 50


async def test_a_prompt_that_is_too_long_is_compacted_once_and_sent_again(tmp_path: Path):
    refusals = [ContextOverflowError("context_length_exceeded")]

    def script(messages: object, tools: object) -> object:
        text = " ".join(message.text for message in messages)  # type: ignore[attr-defined]
        if "You summarise" in text:
            return "They spoke of WATZ."
        if "last question" in text and refusals:
            raise refusals.pop()
        return "An answer."

    async with AssistantBench(tmp_path, ScriptedChatModel(script)) as bench:  # type: ignore[arg-type]
        for number in range(4):
            await bench.say(f"Question {number} about WATZ")
        assert await bench.say("last question") == "An answer."
        assert len(bench.of("summary")) == 1
        assert [entry.text for entry in bench.of("user")][-1] == "last question"


async def test_a_failing_model_leaves_the_message_in_the_transcript(tmp_path: Path):
    async with AssistantBench(tmp_path, [ModelFailure("The server is down."), "Better now."]) as bench:
        with pytest.raises(ModelFailure, match="server is down"):
            await bench.say("price?", turn="t")
        assert [entry.type for entry in bench.entries] == ["user"]
        assert await bench.say("price?", turn="t") == "Better now."


async def test_a_conversation_never_goes_back_to_an_earlier_day(tmp_path: Path):
    async with AssistantBench(tmp_path, ["One.", "Two."]) as bench:
        await bench.say("price?")
        with pytest.raises(UsageError, match="has reached 2025-03-14"):
            await bench.say("price then?", day=date(2025, 1, 10))
        await bench.say("price later?", day=date(2025, 3, 20))


async def test_calls_that_a_model_numbers_anew_each_time_keep_their_results_apart(tmp_path: Path):
    script = [calls(SNAPSHOT), calls(("market_snapshot", {"ticker": OTHER})), "Done."]
    async with AssistantBench(tmp_path, script) as bench:
        await bench.say("both")
        ids = [entry.call_id for entry in bench.of("tool_call")]
        assert len(set(ids)) == 2
        shown = [one for one in bench.scripted.calls[2].messages if isinstance(one, ToolMessage)]
        assert ["142.06" in shown[0].text, "114.86" in shown[1].text] == [True, True]
