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
