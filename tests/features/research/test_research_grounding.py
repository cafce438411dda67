"""Answers by rule hold no figure that the data sheet does not have."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.research import DAY, research_services
from tradingagents.features.research.kind import RESEARCH, ResearchRequest
from tradingagents.runtime.executor import start

QUESTIONS = (
    "Build a thesis on VELQ: is its growth priced in?",
    "How risky is VELQ, and what does its price imply?",
    "How healthy is VELQ, and are its earnings backed by cash?",
    "Compare margins and valuation of VELQ and NODQ",
    "Run a Piotroski check on VELQ",
)


@pytest.mark.parametrize("question", QUESTIONS)
async def test_each_figure_of_an_answer_is_in_the_data_sheet(question: str, tmp_path: Path):
    run = await start(RESEARCH, ResearchRequest(question=question, day=DAY), research_services(tmp_path)).result()
    grounding = run.record["grounding"]
    assert grounding["unmatched"] == []
    assert grounding["figures"] == grounding["matched"] > 0
    assert "[?]" not in run.record["answer"]
    assert ".." not in run.record["answer"].partition("**Not found:**")[2]
