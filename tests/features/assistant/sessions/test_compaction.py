"""Compaction: a conversation stays within the context, and what matters stays in the conversation."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langchain_ollama import ChatOllama
from langchain_openai import ChatOpenAI
from pydantic import SecretStr

from tests.features.assistant.sessions.builders import NOW, call, notice, reply, result, transcript, user
from tests.features.assistant.sessions.test_transcript import accepted
from tradingagents.errors import ModelFailure
from tradingagents.features.assistant.sessions import NewEntry, SessionStore
from tradingagents.features.assistant.sessions.budget import (
    ContextBudget,
    context_tokens,
    estimate_tokens,
    message_tokens,
)
from tradingagents.features.assistant.sessions.compaction import FittedConversation, fitted
from tradingagents.features.assistant.sessions.errors import ContextTooSmall
from tradingagents.features.assistant.sessions.facts import SummaryFacts, gathered, shown_facts
from tradingagents.schemas.workspace import SessionInfo, TaskInfo
from tradingagents.settings import Settings

SYMBOLS = ("AAPL", "MSFT", "NVDA", "7203.T")
PREFERENCE = "From now on quote everything in euros."
RULE = "I never hold more than five percent of a stock!"
TABLE = "\n".join(f"| 2024-{n % 12 + 1:02} | {n * 1.37:.2f} | {n * 1013:,} |" for n in range(120))


def text_of(messages: Sequence[BaseMessage]) -> str:
    return "\n".join(message.text for message in messages)


def turn_entries(number: int) -> list[NewEntry]:
    symbol, turn = SYMBOLS[number % len(SYMBOLS)], f"t-{number}"
    said = f"Question {number}: how did {symbol} do in the last quarter, and what would a careful investor do?"
    if number == 2:
        said += f" {PREFERENCE} {RULE}"
    if number == 5:
        said += " I have decided to sell MSFT at the next rise."
    entries = [user(said, turn), reply("", turn), call(f"c{number}", turn=turn, symbol=symbol)]
    entries.append(result(f"c{number}", TABLE, turn=turn, symbol=symbol))
    if number == 7:
        begun = {"task_id": "task-7", "title": "Scan of movers"}
        entries += [reply("", turn), call("scan", "start_scan", turn), result("scan", "Begun.", turn=turn, **begun)]
        entries += [reply("", turn), call("done", "start_analyze", turn)]
        entries.append(result("done", "Begun.", turn=turn, task_id="task-8"))
    if number == 9:
        memo = {"stance": "bearish", "confidence": 70, "thesis": "Margins fall.", "symbol": "NVDA"}
        entries += [reply("", turn), call("memo", "consult_howard_marks", turn)]
        entries.append(NewEntry(type="memo", turn=turn, name="howard_marks", call_id="memo", text="Memo.", data=memo))
    entries.append(reply(f"Answer {number}: {symbol} rose. " + "Figures follow in detail. " * 20, turn))
    if number == 12:
        outcome = {"action": "SELL", "ticker": "AAPL", "confidence": 0.61}
        entries.append(notice("Task Apple done.", task_id="task-8", status="done", result=outcome))
    return entries


async def test_three_hundred_turns_fit_a_context_of_16k_and_nothing_that_matters_is_lost(store: SessionStore):
    session = store.create("assistant").session_id
    store.note_symbols(session, SYMBOLS)
    store.add_approval(session, "start_deep_report", {"ticker": "AAPL"}, "It costs money.")
    budget = ContextBudget.of(16_384, fixed=3_000, reply=2_048)
    appended: list[NewEntry] = []
    compactions = 0
    for number in range(300):
        for entry in turn_entries(number):
            store.append(session, [entry])
            appended.append(entry)
        view = await fitted(store.recent(session), store.get(session), budget)
        assert view.tokens == message_tokens(view.messages) <= budget.start + 8
        accepted(view.messages)
        assert f"Answer {number}" in text_of(view.messages)
        if view.summary is not None:
            store.append(session, [view.summary])
            compactions += 1
    assert 20 < compactions < 150

    told = text_of((await fitted(store.recent(session), store.get(session), budget)).messages)
    for kept in (*SYMBOLS, PREFERENCE, RULE, "decided to sell MSFT", "howard_marks on NVDA: bearish (70/100)",
                 "action SELL", "task-7: Scan of movers", "start_deep_report", "waiting"):  # fmt: skip
        assert kept in told, kept
    assert "task-8:" not in told
    on_disk = [entry for entry in store.entries(session, limit=None) if entry.type != "summary"]
    assert [(one.type, one.text, one.call_id) for one in on_disk] == [(e.type, e.text, e.call_id) for e in appended]
    assert len(store.recent(session)) < 60


async def test_a_model_tells_the_summary_and_the_facts_stand_beside_it(store: SessionStore):
    session = store.create("assistant").session_id
    budget = ContextBudget.of(8_192, fixed=1_000)
    asked: list[tuple[str, str]] = []

    async def summarise(instruction: str, material: str) -> str:
        asked.append((instruction, material))
        return f"Summary number {len(asked)}."

    for number in range(12):
        store.append(session, turn_entries(number))
        view = await fitted(store.recent(session), store.get(session), budget, summarise=summarise)
        if view.summary is not None:
            store.append(session, [view.summary])
    assert len(asked) > 2
    assert "Question 0" in asked[0][1]
    assert "Summary number 1." in asked[1][1]
    assert all(estimate_tokens(instruction + material) < 8_192 - 2_048 for instruction, material in asked)
    told = text_of(view.messages)
    assert f"Summary number {len(asked)}." in told
    assert PREFERENCE in told


async def test_where_the_model_fails_rules_summarise(store: SessionStore, caplog: pytest.LogCaptureFixture):
    session = store.create("assistant").session_id

    async def summarise(instruction: str, material: str) -> str:
        raise ModelFailure("The server is down.")

    for number in range(8):
        store.append(session, turn_entries(number))
    budget = ContextBudget.of(8_192)
    view = await fitted(store.recent(session), store.get(session), budget, summarise=summarise)
    assert view.summary is not None
    assert view.summary.data["by"] == "rules"
    assert "Question 3" in view.summary.text
    assert "Answer 3" in view.summary.text
    assert "summarised by rules" in caplog.text


async def test_what_fits_stays_as_it_is(store: SessionStore):
    session = store.create("assistant").session_id
    store.append(session, [user("Hello"), reply("Hello.")])
    view = await fitted(store.recent(session), store.get(session), ContextBudget.of(8_192))
    assert view == FittedConversation([HumanMessage("Hello"), AIMessage("Hello.")], message_tokens(view.messages))


async def test_a_long_turn_is_compacted_within_and_its_question_stays(store: SessionStore):
    session = store.create("assistant").session_id
    budget = ContextBudget.of(8_192, fixed=500)
    store.append(session, [user("Compare all forty stocks of my list, please", "t-1")])
    for number in range(40):
        store.append(session, [reply("", "t-1"), call(f"c{number}"), result(f"c{number}", TABLE, symbol=f"S{number}")])
        view = await fitted(store.recent(session), store.get(session), budget)
        accepted(view.messages)
        assert view.tokens <= budget.room
        assert "Compare all forty stocks" in text_of(view.messages)
        if view.summary is not None:
            store.append(session, [view.summary])
    assert "S0" in text_of(view.messages)
    assert view.messages[-1].text.startswith("| 2024-01")
    assert len(store.entries(session, limit=None)) > 120


async def test_tasks_as_they_stand_now_win_over_what_entries_say(store: SessionStore):
    session = store.create("assistant").session_id
    for number in range(8):
        store.append(session, turn_entries(number))
    running = TaskInfo(task_id="task-9", kind="scan", title="Weekly scan", status="running", request={}, created_at=NOW)
    done = running.model_copy(update={"task_id": "task-7", "status": "done"})
    budget = ContextBudget.of(8_192)
    view = await fitted(store.recent(session), store.get(session), budget, tasks=[running, done], force=True)
    assert view.summary is not None
    assert "task-9: Weekly scan (scan), running" in view.summary.text
    assert "task-7" not in json.dumps(view.summary.data["facts"]["open_tasks"])


async def test_a_refused_prompt_is_compacted_although_the_estimate_says_it_fits(store: SessionStore):
    session = store.create("assistant").session_id
    for number in range(4):
        store.append(session, turn_entries(number))
    budget = ContextBudget.of(32_768)
    before = await fitted(store.recent(session), store.get(session), budget)
    after = await fitted(store.recent(session), store.get(session), budget, force=True)
    assert before.summary is None
    assert after.summary is not None
    assert after.tokens < before.tokens


async def test_one_exchange_too_long_for_the_context_has_its_results_cut_or_is_refused(store: SessionStore):
    session = store.create("assistant").session_id
    budget = ContextBudget.of(8_192)
    calls = [call(f"c{number}") for number in range(12)]
    store.append(session, [user("Everything"), reply(), *calls, *(result(one.call_id or "", TABLE) for one in calls)])
    view = await fitted(store.recent(session), store.get(session), budget)
    accepted(view.messages)
    assert view.tokens <= budget.room
    assert text_of(view.messages).count("[Cut: the result has") == 12
    store.append(session, [user("y" * 100_000)])
    with pytest.raises(ContextTooSmall, match="larger context"):
        await fitted(store.recent(session), store.get(session), budget)


def test_many_preferences_and_remarks_leave_room_for_the_conversation():
    entries = transcript(
        [user(f"I never buy stock number {n}, which is a rule of mine. {'Please use care. ' * 5}") for n in range(400)]
    )
    session = SessionInfo(session_id="s", agent="a", title="", created_at=NOW, updated_at=NOW)
    facts = gathered(SummaryFacts(open_tasks={"task-1": "A scan"}), entries, session)
    assert len(facts.preferences) == 40
    text = shown_facts(facts, 500)
    assert estimate_tokens(text) <= 500
    assert "stock number 399" in text
    assert "task-1: A scan" in text


def test_tables_json_and_other_scripts_count_for_more_than_prose():
    prose = "The company reported higher margins and raised its outlook for the year "
    others = (
        "| 2024-03 | 1,234.56 | -7.8 % |",
        '{"close": 12.5, "rsi": 55.1}',
        "業績は好調で、通期予想を上方修正した。",
    )
    assert estimate_tokens("") == 0
    assert 3 < len(prose) / estimate_tokens(prose) < 4.5
    for text in others:
        assert 0.7 < len(text) / estimate_tokens(text) < 2


def test_the_context_of_a_model():
    settings = Settings()
    served = ChatOllama(model="llama3", num_ctx=12_000)
    listed = ChatOpenAI(model="gpt-5-mini", api_key=SecretStr("x"))
    other = ChatOpenAI(model="local", api_key=SecretStr("x"), base_url="http://127.0.0.1:9/v1")
    assert [context_tokens(one, settings) for one in (served, listed, other)] == [12_000, 272_000, 32_768]
    assert context_tokens(listed, Settings(assistant_context_tokens=16_384)) == 16_384


def test_a_budget_follows_what_the_provider_counts():
    budget = ContextBudget.of(16_384, fixed=2_000, reply=2_000)
    assert budget.room == 12_384
    assert budget.corrected(4_000, 6_000).room == round(14_384 / 1.5) - 2_000
    assert budget.corrected(4_000, 3_000).room == budget.room
    with pytest.raises(ContextTooSmall, match="assistant_context_tokens"):
        ContextBudget.of(8_192, fixed=7_000)
