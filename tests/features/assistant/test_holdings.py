"""Questions about one's own holdings, by fixed rules on the simulated market: stated in the message, or stored."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from tests.support.assistant_bench import AssistantBench
from tests.support.research import DAY, research_services
from tradingagents.dataflows.portfolio_store import save_book
from tradingagents.features.assistant.rules.replies import FOR_HOLDERS, holder_text
from tradingagents.features.research.kind import RESEARCH, ResearchRequest
from tradingagents.graph.start import begin
from tradingagents.offline.questions.conversation import ToolFact
from tradingagents.schemas.portfolio import Portfolio, Position

RISKY = "my portfolio is 60 % VELQ and 40 % MODZ: how risky?"
DECIDE = "I own 100 VELQ at 80: add, hold or trim?"


async def test_stated_holdings_are_measured_and_valued(tmp_path: Path):
    async with AssistantBench(tmp_path) as bench:
        risky = await bench.say(RISKY)
        assert bench.called() == ["ask_capability"]
        assert "VELQ brings 73.8 % of the risk at 60.0 % of the weight" in risky
        decided = await bench.say(DECIDE)
        assert bench.called() == ["ask_capability", "ask_capability", "watchlist"]
        assert "VELQ gain on what was paid: 20.72%" in decided
        assert "There is no decision on VELQ" in decided


async def test_holdings_in_other_languages_are_answered_or_declined_by_name(tmp_path: Path):
    async with AssistantBench(tmp_path) as bench:
        decided = await bench.say("Ich besitze 100 VELQ zu 80: nachkaufen, halten oder reduzieren?")
        assert bench.called() == ["ask_capability", "watchlist"]
        assert "VELQ gain on what was paid: 20.72%" in decided
        declined = await bench.say("Ich besitze etwa 100 VELQ zu 80: nachkaufen?")
        assert "What you hold was not understood; write it like: I own 100 AAPL at 150" in declined
        assert bench.called() == ["ask_capability", "watchlist"]


async def test_the_stored_book_is_asked(tmp_path: Path):
    async with AssistantBench(tmp_path) as bench:
        assert "book import" in await bench.say("which of my holdings reports this week?")
        save_book(tmp_path, Portfolio(positions=(Position(symbol="VELQ", quantity=5),), day=date.fromisoformat(DAY)))
        assert "Results within 7 days: VELQ on 2025-03-21" in await bench.say("which of my holdings reports this week?")


@pytest.mark.parametrize("action", FOR_HOLDERS)
def test_the_last_decision_is_put_for_a_holder(action: str):
    facts = {"symbols.0.symbol": "VELQ", "symbols.0.decision.action": action}
    text = holder_text([ToolFact(tool="watchlist", arguments={}, facts=facts, as_of="2025-03-14")], ["VELQ"])
    assert f"{action} means for a holder: {FOR_HOLDERS[action]}." in text


@pytest.mark.parametrize(
    ("question", "said"),
    [
        (RISKY, "VELQ brings 73.8 % of the risk at 60.0 % of the weight"),
        ("Mein Depot ist 60 % VELQ und 40 % MODZ: wie riskant?", "VELQ brings 73.8 % of the risk at 60.0 %"),
        ("Ich besitze etwa 100 VELQ zu 80: nachkaufen?", "What you hold was not understood"),
        (DECIDE, "Whether to add, hold or trim is decided by an analysis of the stock"),
        ("which of my holdings reports this week?", "Results within 7 days: VELQ on 2025-03-21"),
    ],
)
async def test_research_answers_the_same_questions(tmp_path: Path, question: str, said: str):
    save_book(tmp_path, Portfolio(positions=(Position(symbol="VELQ", quantity=5),), day=date.fromisoformat(DAY)))
    services = research_services(tmp_path)
    run = await begin(RESEARCH, ResearchRequest(question=question, day=DAY), services).result()
    assert said in run.record.answer


STATED = [
    ("I own 100 homestrand. what would a 20% drop do to me", ("100 \u00d7 250.18 = 25,018.40 USD", "-6,254.60 USD")),
    ("I have 20 veltrane @80 and 100 gridmarch @ 125, total gain or loss?",
     ("20 \u00d7 96.58 = 1,931.60 USD", "paid 100 \u00d7 125.00 = 12,500.00 USD", "13,417.60 USD, 14,100.00 USD paid")),
    ("hab 60 Gridmarch und 15 Vitalune. wieviel dividende kommt da im jahr?", ("Zusammen:", "USD im Jahr")),
    ("if id put 1000 bucks in voltamere at new year what would i have now",
     ("÷ 57.91 (close of 2024-12-31)", "1,072.87")),
    ("I have 20 gridmarch bought at 125, how much does it need to rise to break even?",
     ("breaks even at 125.00 USD", "+8.83%")),
    ("half my money is in VELQ rest cash, what if it drops 20 %",
     ("50% \u00d7 -20% = -10% of the whole", "Cash: 50%")),
    ("I bought 50 covenhall on 2024-12-31, better off with the S&P 500?", ("S&P 500 in the same days, 2024-12-31",)),
    ("40 velq, what if the market falls 10%?", ("beta", "Beta is how it moved with the market on average")),
    ("bought 10 velq for 800, am i up?", ("paid 10 \u00d7 80.00 = 800.00 USD",)),
    ("I bought 10 velq for 29 euros, am i up?", ("trades in USD; what was paid is in another currency",)),
    ("put 5k into voltamere, what's it worth now", ("When Voltamere Motors (VOMQ) was bought is not said",)),
    ("I own 40 velq, is it overbought?", ("not read: “overbought”",)),
    ("如果Ombrix跌20%,我持有的50股会亏多少?", ("Ombrix Software (OMBZ)变动-20%", "50 \u00d7 ")),
]  # fmt: skip


async def test_sums_of_stated_positions_are_shown_with_what_they_are_made_of(tmp_path: Path):
    async with AssistantBench(tmp_path) as bench:
        for question, parts in STATED:
            bench.session_id = bench.store.create("assistant", "", bench.session.defaults).session_id
            reply = await bench.say(question)
            assert all(part in reply for part in parts), (question, reply)


async def test_a_split_since_the_buying_is_counted_named_or_asked_about(tmp_path: Path):
    """MODZ put ten shares together in June 2024; VELQ was split four for one in July 2021."""
    said = {
        "I bought 500 modz at 3.40 in january 2024, how am I doing?": (
            "split 1 for 10 since: 500 shares of then are 50 of today, and 3.40 a share is 34.00",
            "paid 50 \u00d7 34.00 = 1,700.00 USD: +303.00 USD (+17.82%)",
        ),
        "I bought 50 modz at 34 in january 2024, how am I doing?": (
            "taken as of today's shares",
            "paid 50 \u00d7 34.00 = 1,700.00 USD",
        ),
        "i own 15 velq bought at 142 each, am i underwater?": ("split 4 for 1 since", "nothing is worked out"),
        "i own 15 velq bought at 80 each, am i up?": ("taken as of today's shares", "paid 15 \u00d7 80.00"),
        "bought 10 modz on 2024-01-16, how much up am I": ("10 shares are counted as of today", "0.1 times as large"),
    }
    async with AssistantBench(tmp_path) as bench:
        for question, parts in said.items():
            bench.session_id = bench.store.create("assistant", "", bench.session.defaults).session_id
            reply = await bench.say(question)
            assert all(part in reply for part in parts), (question, reply)


async def test_what_is_held_stays_in_the_conversation(tmp_path: Path):
    async with AssistantBench(tmp_path) as bench:
        await bench.say("put 54321 dollars into voltamere on 2024-12-31, what's it worth now?")
        assert "54321" not in bench.session.title
        calls = [str(entry.model_dump()) for entry in bench.of("tool_call", "tool_result")]
        assert calls
        assert not any("54321" in call or "54,321" in call for call in calls)


async def test_positions_stated_before_are_asked_about_again(tmp_path: Path):
    async with AssistantBench(tmp_path) as bench:
        await bench.say("How did Veltrane do today?")
        assert "paid 15 \u00d7 120.00" in await bench.say("i got 15 of them at 120, am i underwater")
        assert "15 \u00d7 77.26" in await bench.say("what if it drops 20 %?")
        assert "breaks even at 120.00 USD" in await bench.say("and when do I break even?")
        await bench.say("compare VELQ and OMBZ")
        assert "Which of VELQ, OMBZ is meant" in await bench.say("i got 15 of them at 120, am i underwater")
