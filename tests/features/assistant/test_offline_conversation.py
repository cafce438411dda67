"""The assistant by fixed rules: an agreed conversation, and how messages are read."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from tests.support.assistant_bench import AssistantBench
from tests.support.golden_files import assert_golden
from tradingagents.features.assistant.rules.dialogue import reply_or_calls
from tradingagents.offline.brief import Brief
from tradingagents.offline.questions.conversation import AskedQuestion, ConversationBrief, OfferedTool
from tradingagents.offline.questions.requests import read_request
from tradingagents.retrieval.questions.companies import Instruments
from tradingagents.schemas.workspace import QUESTION_NOW

MESSAGES = (
    "hello",
    "What is WATZ trading at?",
    "and Gridmarch Power?",
    "How risky is it?",
    "Compare WATZ and GRIQ",
    "What is WATZ worth?",
    "Should I look at WATZ?",
    "Why?",
    "What would Druckenmiller say about GRIQ?",
    "What is the macro regime?",
    "Revenue of Foobarson",
    "What did you decide on WATZ?",
    "Any bubble in VELQ?",
    "Analyse WATZ",
)


async def test_a_conversation_reads_as_agreed(tmp_path: Path):
    async with AssistantBench(tmp_path) as bench:
        told = []
        for text in MESSAGES:
            before = len(bench.called())
            reply = await bench.say(text)
            for task in await bench.manager.list():
                reply = reply.replace(task.task_id, "TASK")
            used = ", ".join(name or "" for name in bench.called()[before:]) or "none"
            told.append(f"# {text}\n\nTools: {used}\n\n{reply}")
        assert_golden("prompts/assistant_offline.md", "\n\n".join(told) + "\n")
        assert all("no language model" in one for one in told)


def test_a_day_in_a_message_goes_to_the_task_it_asks_for():
    question = AskedQuestion(question="Run the full analysis of VELQ for 2025-03-03")
    brief = ConversationBrief(now=question, day=date(2025, 3, 14), instruments=KNOWN, tools=TOOLS, kinds=KINDS)
    found = read_request(brief)
    assert (found.wish, found.kind, found.symbols, found.day) == ("task", "analyze", ("VELQ",), date(2025, 3, 3))


def test_of_a_quoted_conversation_only_the_question_is_read():
    quoted = f"Our conversation so far:\nI: price of MODZ\nYou: 21.07x\n\n{QUESTION_NOW}price of VELQ"
    now = AskedQuestion(question=quoted)
    found = read_request(ConversationBrief(now=now, day=date(2025, 3, 14), instruments=KNOWN, tools=TOOLS))
    assert (found.wish, found.symbols, found.names) == ("lookup", ("VELQ",), ())


@pytest.mark.parametrize(
    ("said", "wish", "tool"),
    [
        ("And its margins?", "lookup", "get_ttm_analysis"),
        ("What does the research say about its margins?", "run", ""),
        ("What would change your mind?", "run", ""),
    ],
)
def test_a_question_with_a_figure_is_about_a_run_only_if_it_names_one(said: str, wish: str, tool: str):
    before = (AskedQuestion(question="price of VELQ"),)
    tools = {**TOOLS, **{name: OfferedTool(name=name) for name in ("ask_run", "get_ttm_analysis")}}
    brief = ConversationBrief(
        now=AskedQuestion(question=said), before=before, day=date(2025, 3, 14), instruments=KNOWN, tools=tools
    )
    found = read_request(brief)
    assert (found.wish, found.lookup.tool if found.lookup else "") == (wish, tool)


@pytest.mark.parametrize("offered", ["get_peer_comparison", "company_info"])
def test_a_comparison_with_a_sector_is_answered_in_part_where_no_peers_are_known(offered: str):
    tools = {offered: OfferedTool(name=offered, required=("ticker",))}
    now = AskedQuestion(question="Compare VELQ with its sector")
    known = ConversationBrief(now=now, day=date(2025, 3, 14), instruments=KNOWN, tools=tools)
    text, calls = reply_or_calls(Brief(agent="Assistant", known=known))
    assert (text, [name for name, _ in calls]) == ("", [offered])


async def test_what_no_rule_reads_is_declined_with_what_can_be_asked(tmp_path: Path):
    async with AssistantBench(tmp_path) as bench:
        for question in ("What happened in the market today?", "Will WATZ go up?", "Was ist WATZ wert gewesen?"):
            reply = await bench.say(question)
            assert reply.startswith("The fixed rules do not read that question"), (question, reply)
            assert "What is AAPL trading at?" in reply
        reply = await bench.say("What was the price of WATZ on 2024-01-05?")
        assert reply.startswith("Questions here are answered as of")


KINDS = ("analyze", "scan")
KNOWN = Instruments([("VELQ", ())])
TOOLS = {name: OfferedTool(name=name) for name in ("consult_warren_buffett", "consult_howard_marks", "market_snapshot")}
CATALOGUE = (
    OfferedTool(name="get_sector_performance", summary="Get the returns of all eleven sectors"),
    OfferedTool(name="get_insider_transactions", summary="Get what insiders bought and sold", required=("ticker",)),
)


@pytest.mark.parametrize(
    ("said", "wish", "symbols", "names"),
    [
        ("what's AAPL trading at", "lookup", ("AAPL",), ()),
        ("price of $msft", "lookup", ("MSFT",), ()),
        ("How is microsoft doing?", "lookup", (), ("microsoft",)),
        ("Compare Apple Inc and MSFT", "compare", ("MSFT",), ("Apple Inc",)),
        ("is BRK.B overvalued", "worth", ("BRK.B",), ()),
        ("Should I buy NVDA?", "consider", ("NVDA",), ()),
        ("analyze TSLA", "task", ("TSLA",), ()),
        ("scan the market", "task", (), ()),
        ("what did you decide on AAPL", "decision", ("AAPL",), ()),
        ("What would Buffett say about KO?", "consult", ("KO",), ()),
        ("sector performance", "capability", (), ()),
        ("insider transactions of AAPL", "capability", ("AAPL",), ()),
        ("why?", "help", (), ()),
        ("hi", "greeting", (), ()),
        ("WHAT IS THE PRICE OF GOLD?", "lookup", (), ("GOLD",)),
        ("I think the US economy is weak", "lookup", (), ()),
        ("Will AAPL go up next month?", "unread", ("AAPL",), ()),
        ("When does AAPL report next?", "unread", ("AAPL",), ()),
        ("Which one goes up tomorrow?", "unread", (), ()),
        ("AAPL", "lookup", ("AAPL",), ()),
        ("and Microsoft?", "lookup", (), ("Microsoft",)),
        ("What was the price of AAPL in March 2024?", "other_day", ("AAPL",), ()),
        ("price of AAPL on 2024-05-10", "other_day", ("AAPL",), ()),
        ("price of AAPL on 2025-03-14", "lookup", ("AAPL",), ()),
        ("revenue of AAPL in 2019", "other_day", ("AAPL",), ()),
        ("Why did Boeing fall this week?", "unread", (), ("Boeing",)),
        ("Is Veltrane a good company?", "consider", (), ("Veltrane",)),
        ("What is AAPL's operating margin?", "lookup", ("AAPL",), ()),
    ],
)
def test_messages_are_read_by_their_words(said: str, wish: str, symbols: tuple[str, ...], names: tuple[str, ...]):
    brief = ConversationBrief(
        now=AskedQuestion(question=said), day=date(2025, 3, 14), tools=TOOLS, catalogue=CATALOGUE, kinds=KINDS
    )
    found = read_request(brief)
    if wish != "help":
        assert found.wish == wish
    assert (found.symbols, found.names) == (symbols, names)
