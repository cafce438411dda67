"""The model of rehearsals: replies of the lengths told, what it counts, and what a provider's cache would serve."""

from __future__ import annotations

import json

import pytest
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage

from tradingagents.agents.roster import roster
from tradingagents.agents.schemas import Verdict
from tradingagents.llm_clients.cost_model import MIN_CACHED, VERDICT, RehearsalModel, Replies
from tradingagents.llm_clients.expected_cost import REPLY_TOKENS
from tradingagents.offline.brief import BRIEF, Brief

TOOL = {"type": "function", "function": {"name": "get_news", "description": "News.", "parameters": {}}}


def ask(model: RehearsalModel, text: str, agent: str = "News Analyst") -> AIMessage:
    rule = next(spec.offline for spec in roster().every if spec.name == agent)
    before = BRIEF.set(Brief(agent, rule))
    try:
        reply = model.invoke([SystemMessage("Rules."), HumanMessage(f"{text}\n\n# Your role: {agent}\nWrite.")])
    finally:
        BRIEF.reset(before)
    assert isinstance(reply, AIMessage)
    return reply


def used(reply: AIMessage) -> tuple[int, int]:
    assert reply.usage_metadata
    return reply.usage_metadata["output_tokens"], reply.usage_metadata["input_token_details"]["cache_read"]


def test_a_report_is_as_long_as_replies_usually_are_and_thinking_is_billed_beside():
    reply = ask(RehearsalModel(Replies(thinking=1000), cached=False), "News.")
    assert len(reply.text) == 4 * REPLY_TOKENS
    assert used(reply) == (REPLY_TOKENS + 1000, 0)


def test_what_past_runs_tell_of_an_agent_wins():
    replies = Replies(text={"News Analyst": 100}, billed={"News Analyst": 700}, thinking=1000)
    model = RehearsalModel(replies, cached=False)
    assert (len(ask(model, "").text), used(ask(model, ""))[0]) == (400, 700)
    assert used(ask(model, "", "Market Analyst"))[0] == REPLY_TOKENS + 1000


@pytest.mark.parametrize(("scale", "billed"), [(0.5, 350), (1.0, 700), (2.0, 1400)])
def test_a_scale_holds_for_all_that_is_billed(scale: float, billed: int):
    replies = Replies(text={"News Analyst": 100}, billed={"News Analyst": 700}, scale=scale)
    reply = ask(RehearsalModel(replies, cached=False), "")
    assert (len(reply.text), used(reply)[0]) == (400 * scale, billed)
    decided = [used(ask(RehearsalModel(Replies(scale=one), cached=False), "", "Trader"))[0] for one in (1.0, scale)]
    assert decided[1] == pytest.approx(decided[0] * scale, abs=1)


def test_no_reply_is_longer_than_the_longest():
    reply = ask(RehearsalModel(Replies(thinking=1000, most=200), cached=False), "")
    assert (len(reply.text), used(reply)[0]) == (800, 200)


def test_deciders_answer_with_a_verdict_that_fits():
    reply = ask(RehearsalModel(Replies(), cached=False), "", "Risk Manager")
    assert Verdict.model_validate(json.loads(reply.text)).action == VERDICT["action"]


def test_the_beginning_shared_with_an_earlier_prompt_comes_from_the_cache_if_it_is_long_enough():
    model = RehearsalModel(Replies(), cached=True)
    long = "x" * 4 * MIN_CACHED
    assert used(ask(model, long))[1] == 0
    assert used(ask(model, f"{long} and more"))[1] == MIN_CACHED + len("Rules.\n") // 4
    assert used(ask(model, "short"))[1] == 0
    assert used(ask(RehearsalModel(Replies(), cached=False), long))[1] == 0


def test_bound_tools_are_counted_with_the_prompt():
    model = RehearsalModel(Replies(), cached=False)
    plain, bound = model.invoke([HumanMessage("Hi.")]), model.bind_tools([TOOL]).invoke([HumanMessage("Hi.")])
    assert plain.usage_metadata
    assert bound.usage_metadata
    more = bound.usage_metadata["input_tokens"] - plain.usage_metadata["input_tokens"]
    assert more == pytest.approx(len(json.dumps([TOOL])) / 4, abs=1)
