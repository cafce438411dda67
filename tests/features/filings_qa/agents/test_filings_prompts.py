"""The prompts of the agents of filings questions are part of the fingerprint of prompts."""

from __future__ import annotations

from tradingagents.features.filings_qa.agents.agents import FILINGS_AGENTS, filings_prompts
from tradingagents.features.filings_qa.kind import FILINGS_QA
from tradingagents.runtime.prompt_hashes import hashed


def test_every_prompt_of_a_filings_question_is_in_the_fingerprint() -> None:
    hashes = hashed(FILINGS_QA.prompts())
    assert {agent.name for agent in FILINGS_AGENTS} | {"Filings"} == set(filings_prompts()) == set(hashes)
    assert len({hashes[name] for name in filings_prompts()}) == 9
