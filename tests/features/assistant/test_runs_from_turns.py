"""Research, debates and comparisons that a turn starts, and what later turns know of them, by rule and with a model."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from tests.support.assistant_bench import AssistantBench, calls
from tests.support.task_kinds import all_events
from tradingagents.features.backtest.paper.account import PaperAccount
from tradingagents.features.backtest.paper.plan import PaperPlan
from tradingagents.offline.questions.conversation import AskedQuestion, ConversationBrief, OfferedTool
from tradingagents.offline.questions.requests import read_request
from tradingagents.schemas.workspace import ViewContext

KINDS, TOPICS = ("analyze", "scan", "research", "debate", "compare"), ("margins", "growth", "valuation")
TOOLS = {name: OfferedTool(name=name) for name in ("ask_run", "market_snapshot")}


async def ended(bench: AssistantBench) -> str:
    """Wait for the task that the last turn has started; return its run."""
    (task, *_) = await bench.manager.list(session_id=bench.session_id)
    await all_events(bench.manager, task.task_id)
    found = await bench.manager.get(task.task_id)
    assert found.status == "done", found.error
    return found.run_ids[-1]


async def test_by_rule_each_is_started_and_its_result_is_known_in_the_next_turn(tmp_path: Path):
    async with AssistantBench(tmp_path) as bench:
        assert "No research, debate, comparison or report" in await bench.say("What would change your mind?")
        assert "(research: whether VELQ's growth is priced in) has begun" in await bench.say(
            "Research whether VELQ's growth is priced in"
        )
        research = await ended(bench)
        margins = await bench.say("What did the research say about margins?")
        assert f"as of 2025-03-14 (run {research}):" in margins
        assert "- VELQ: operating margin 52.18%" in margins
        assert "[TTM analysis: VELQ, trailing twelve months]" in margins.partition("Sources: ")[2]
        mind = await bench.say("What would change your mind?")
        assert "implies sales growth of 15.52%, and 20.74% was reached: it changes if sales growth falls below" in mind
        assert "Sources: [Valuation: Veltrane Systems (VELQ)" in mind

        assert "Debate on VELQ) has begun" in await bench.say("Debate VELQ")
        debate = await ended(bench)
        verdict = await bench.say("And what would change your mind?")
        assert f"(run {debate})" in verdict
        assert "breaks if" in verdict
        assert "Sources: [E" in verdict

        assert "Compare VELQ, MODZ) has begun" in await bench.say("compare VELQ MODZ on margins")
        compared = await ended(bench)
        gross = await bench.say("What did the comparison find about the gross margin?")
        assert f"(run {compared})" in gross
        assert "VELQ 69.18%, MODZ 34.00%" in gross
        assert "Sources: [get_ttm_analysis, simulated]" in gross
        again = await bench.say("What did the debate say about valuation?")
        assert f"(run {debate})" in again, "the kind that is named, not the latest"
        other = bench.store.create("assistant", "", bench.session.defaults).session_id
        bench.session_id = other
        assert "No research" in await bench.say("What would change your mind?"), "of another conversation"
        bench.store.set_view(other, ViewContext(page="run", run_id=research))
        assert f"(run {research})" in await bench.say("What would change your mind?"), "the one that is open"


async def test_a_model_starts_research_that_uses_the_session_and_reads_what_it_found(tmp_path: Path):
    start = ("start_research", {"question": "Operating margin of VELQ?"})
    asks = ("ask_run", {"question": "What is the operating margin?"})
    model = [calls(start), "It has begun.", calls(asks), "52.18%.", calls(("ask_run", {"question": " "})), "Sorry."]
    async with AssistantBench(tmp_path, model, auto_approve=True) as bench:
        assert await bench.say("Research the operating margin of VELQ.") == "It has begun."
        run = await ended(bench)
        assert await bench.say("What did it find?") == "52.18%."
        found = bench.of("tool_result")[-1]
        assert run in found.text
        assert "52.18%" in found.text
        assert found.data["outside"], "what a model wrote after it had read news is no word of the user's"
        await bench.say("And?")
        assert bench.of("tool_result")[-1].status == "error"


@pytest.mark.parametrize(
    ("said", "wish", "kind", "more"),
    [
        ("research whether NVDA's growth is priced in", "task", "research", "whether NVDA's growth is priced in"),
        ("Please research Apple", "task", "research", "Apple"),
        ("Can you look into the debt of F?", "task", "research", "the debt of F?"),
        ("debate AAPL", "task", "debate", ("AAPL",)),
        ("compare AAPL MSFT on margins", "task", "compare", ("margins",)),
        ("Compare AAPL and MSFT on margins and growth", "task", "compare", ("margins", "growth")),
        ("compare AAPL and MSFT", "compare", "", ()),
        ("compare AAPL and MSFT on their beauty", "unread", "", ()),
        ("what did the research say about margins?", "run", "", ()),
        ("What would change your mind?", "run", "", ()),
        ("What does the debate say?", "run", "", ()),
    ],
)
def test_messages_that_start_or_ask_about_runs(said: str, wish: str, kind: str, more: object):
    brief = ConversationBrief(
        now=AskedQuestion(question=said), day=date(2025, 3, 14), tools=TOOLS, kinds=KINDS, topics=TOPICS
    )
    found = read_request(brief)
    assert (found.wish, found.kind) == (wish, kind)
    if kind == "research":
        assert found.question == more
    elif kind == "debate":
        assert found.symbols == more
    elif kind == "compare":
        assert found.topics == more
        assert found.symbols == ("AAPL", "MSFT")


async def test_a_model_starts_a_report_and_reads_what_it_found(tmp_path: Path):
    start = ("start_deep_report", {"ticker": "VELQ", "min_iterations": 1, "max_iterations": 1})
    asks = ("ask_run", {"question": "What did the report say about the operating margin?"})
    model = [calls(start), "It has begun.", calls(asks), "It is 52.18%."]
    async with AssistantBench(tmp_path, model, auto_approve=True) as bench:
        assert await bench.say("Write a report on VELQ.") == "It has begun."
        run = await ended(bench)
        assert await bench.say("What did it find?") == "It is 52.18%."
        found = bench.of("tool_result")[-1]
        assert run in found.text
        assert "52.18%" in found.text


async def test_a_model_starts_a_backtest_and_reads_its_report(tmp_path: Path):
    start = ("start_backtest", {"tickers": ["VELQ"], "start": "2024-10-01", "end": "2024-11-20", "every": 18})
    asks = ("ask_capability", {"name": "saved_backtests", "arguments": {"backtest": "2024-10-01"}})
    model = [calls(start), "It has begun.", calls(("task_status", {})), "It is done.", calls(asks), "It lost."]
    async with AssistantBench(tmp_path, model, auto_approve=True) as bench:
        assert await bench.say("Would your decisions on VELQ have helped in autumn 2024?") == "It has begun."
        (task, *_) = await bench.manager.list(session_id=bench.session_id)
        await all_events(bench.manager, task.task_id)
        found = await bench.manager.get(task.task_id)
        assert found.status == "done", found.error
        assert found.result is not None
        assert await bench.say("Is it done?") == "It is done."
        assert found.result["verdict"][:60] in bench.of("tool_result")[-1].text
        assert await bench.say("What does it say?") == "It lost."
        read = bench.of("tool_result")[-1].text
        assert "The smallest edge that this test could have seen" in read


async def test_by_rule_a_paper_account_is_run_and_shown(tmp_path: Path):
    PaperAccount.create(tmp_path, PaperPlan(name="swing", tickers=("VELQ",)))
    async with AssistantBench(tmp_path) as bench:
        assert "- swing: VELQ; 100,000.00 USD, not run yet" in await bench.say("How does my paper account stand?")
        assert "There is no paper account main; there are: swing." in await bench.say("Run the paper account")
        assert "(paper_run: Paper account swing 2025-03-14) has begun" in await bench.say("Run my paper account swing.")
        (task, *_) = await bench.manager.list(session_id=bench.session_id)
        await all_events(bench.manager, task.task_id)
        shown = await bench.say("How do the paper accounts stand?")
        assert "- swing: VELQ; 100,000.00 USD on 2025-03-14" in shown
        assert "orders for the next open: 1" in shown


async def test_a_model_runs_a_paper_account_and_reads_why_it_ordered(tmp_path: Path):
    PaperAccount.create(tmp_path, PaperPlan(tickers=("VELQ",)))
    start = ("start_paper_run", {"account": "main"})
    asks = ("ask_capability", {"name": "paper_accounts", "arguments": {"account": "main"}})
    model = [calls(start), "It has begun.", calls(asks), "It buys."]
    async with AssistantBench(tmp_path, model, auto_approve=True) as bench:
        assert await bench.say("Advance my account.") == "It has begun."
        (task, *_) = await bench.manager.list(session_id=bench.session_id)
        await all_events(bench.manager, task.task_id)
        assert (await bench.manager.get(task.task_id)).status == "done"
        assert await bench.say("What does it hold?") == "It buys."
        read = bench.of("tool_result")[-1]
        assert "BUY, strength" in read.text
        assert "The proposed BUY stands" in read.text
        assert read.data["outside"], "reasons are written by models that have read news"
        offered = bench.scripted.calls[1].tools  # its topic is open once a tool of it was called
        assert "start_paper_run" in offered
        assert "start_run_question" not in offered
