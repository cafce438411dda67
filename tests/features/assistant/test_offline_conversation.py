"""The assistant by fixed rules: an agreed conversation, and how messages are read."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from tests.support.assistant_bench import COMPANY, AssistantBench
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
        for question in ("Which colour has WATZ?", "Will WATZ go up?", "How many employees does WATZ have?"):
            reply = await bench.say(question)
            said = ("The fixed rules give no answer", "No rule says what lies ahead", "Employees, founders and")
            assert reply.startswith(said), (question, reply)
            near = "What happened in the market today?" if "WATZ" not in question else "What is WATZ trading at?"
            assert near in reply
        reply = await bench.say("What was the macro regime on 2024-01-05?")
        assert reply.startswith("Questions here are answered as of")


TOLD = (
    ("What happened in the market today?", ("- S&P 500: 7922.27 (-2.86% on the day)", "- Industrials: -0.23%")),
    ("biggest losers today", ("Stocks that fell most on 2025-03-14", "(STRQ): -7.49%")),
    ("Which stocks rose most today?", ("- Covenhall Insurance (COVZ): +5.48%, 390.43 USD",)),
    ("When does VELQ report next?", ("is expected to report on 2025-03-21, at the latest about 2025-04-10",)),
    ("Which companies report next week?", ("Results from 2025-03-17 to 2025-03-23", "- 2025-03-21: Veltrane Systems")),
    ("Why did VELQ fall in March?", ("It did not fall in march 2025", "92.08 USD at the close of 2025-02-28", "4.89%")),
    ("Why did VELQ fall 20 % on 14 March?", ("It did not move by 20%: Veltrane Systems (VELQ) moved -2.96%.",)),
    ("What did VELQ close at on 3 March 2025?", ("VELQ closed at 89.42 USD on 2025-03-03.",)),
    ("How did VELQ do in February 2025?", ("from 99.79 USD at the close of 2025-01-31", "-7.73%")),
    ("Wie hoch war der Umsatz von VELQ 2023?", ("Umsatz von 72.58B USD", "2023")),
    ("VELQ最近有什么消息", ("Veltrane shares gain 5.6% on Thursday", "VELQ 2025-02-28 至 2025-03-14 的新闻")),
    ("Did insiders sell MODZ?", ("2 sales (4.15M USD)",)),
    ("Veltrnae price", ("Veltrnae is read as Veltrane (VELQ).", "price: 96.58 USD")),
    ("VELQ vs MODZ: which is cheaper?", ("Cheaper by its P/E ratio: MODZ (P/E ratio: MODZ 20.34x, VELQ 41.99x).",)),
    ("How is the Nasdaq doing?", ("Nasdaq Composite: 24713.06 (-3.43% on the day)",)),
    ("Is VELQ overbought?", ("By its RSI of 49.46 it is neither overbought nor oversold",)),
    ("Does VELQ pay a dividend?", ("VELQ paid no dividend in the last twelve months.",)),
    ("What is the price of gold?", ("gold is read as GLD, a fund that follows it.", "price: 69.62 USD")),
    ("What is the price of silver?", ("No source here holds silver; the indices known are",)),
    ("Who is the CEO of VELQ?", ("give no answer to that question",)),
    ("Top gainers this week", ("by 1-week change", "1. Seequest Media (SEEQZ): +13.22%")),
    ("What is Zanzibarco trading at?", ("No company called Zanzibarco is known here",)),
    ("What did VELQ close at on 3/4/2025?", ("Which day 3/4/2025 means cannot be told",)),
)


async def test_ordinary_questions_are_answered_or_declined_with_the_figure(tmp_path: Path):
    """Figures as `tradingagents ask` gives them for the same day."""
    async with AssistantBench(tmp_path) as bench:
        for question, parts in TOLD:
            bench.session_id = bench.store.create("assistant", "", bench.session.defaults).session_id
            reply = await bench.say(question)
            assert all(part in reply for part in parts), (question, reply)


async def test_it_is_what_was_spoken_of_before(tmp_path: Path):
    async with AssistantBench(tmp_path) as bench:
        await bench.say("What is VELQ worth?")
        reply = await bench.say("Is it expensive compared to MODZ and OMBZ?")
        assert "| figure | VELQ | MODZ | OMBZ |" in reply
        assert "Cheaper by its P/E ratio: MODZ" in reply


async def test_a_full_sentence_starts_the_day_it_names(tmp_path: Path):
    async with AssistantBench(tmp_path) as bench:
        await bench.say("Run the full analysis of VELQ for 2025-03-03")
        (task,) = await bench.manager.list()
        assert (task.kind, task.title) == ("analyze", "VELQ 2025-03-03")
        await bench.manager.cancel(task.task_id)
        reply = await bench.say("Run the full analysis of VELQ for 2025-03-20")
        assert "The conversation is as of 2025-03-14" in reply


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
        ("sector performance", "lookup", (), ()),
        ("insider transactions of AAPL", "aspects", ("AAPL",), ()),
        ("why?", "help", (), ()),
        ("hi", "greeting", (), ()),
        ("WHAT IS THE PRICE OF GOLD?", "unread", (), ()),
        ("I think the US economy is weak", "lookup", (), ()),
        ("Will AAPL go up next month?", "unread", ("AAPL",), ()),
        ("When does AAPL report next?", "aspects", ("AAPL",), ()),
        ("Which one goes up tomorrow?", "unread", (), ()),
        ("AAPL", "lookup", ("AAPL",), ()),
        ("and Microsoft?", "lookup", (), ("Microsoft",)),
        ("What was the price of AAPL in March 2024?", "figures", ("AAPL",), ()),
        ("price of AAPL on 2024-05-10", "figures", ("AAPL",), ()),
        ("price of AAPL on 2025-03-14", "lookup", ("AAPL",), ()),
        ("revenue of AAPL in 2019", "figures", ("AAPL",), ()),
        ("Why did Boeing fall this week?", "moved", (), ("Boeing",)),
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


async def test_an_investor_who_is_no_colleague_leaves_the_others_to_answer(tmp_path: Path) -> None:
    async with AssistantBench(tmp_path) as bench:
        reply = await bench.say(f"What would Warren Buffett and Cathie Wood say about {COMPANY}?")
    assert "Warren Buffett: " in reply
    assert "No company called Cathie Wood is known here" in reply
