"""The model that judges answers which are no bare figure."""

from __future__ import annotations

import pytest
from langchain_core.messages import AIMessage

from benchmarks.filings.judging import ModelJudge
from benchmarks.filings.scoring import score
from tradingagents.llm_clients.scripted import ScriptedChatModel
from tradingagents.settings import load_settings

QUESTION = "Which segment dragged down growth?"
EXPECTED = "The consumer segment shrunk by 0.9% organically."


@pytest.mark.parametrize(("right", "verdict"), [(True, "right"), (False, "wrong")])
def test_a_model_judges_what_the_numeric_scorer_leaves(right: bool, verdict: str) -> None:
    judged = {"reason": "It names the segment.", "right": right}
    reply = AIMessage("", tool_calls=[{"name": "Judgement", "args": judged, "id": "1", "type": "tool_call"}])
    model = ScriptedChatModel(lambda messages, tools: reply)
    judge = ModelJudge(model, "scripted/scripted", load_settings({}, environ={}))
    assert score(QUESTION, EXPECTED, "Consumer, down 0.9 %.", refused=False, judge=judge) == verdict
    assert score(QUESTION, EXPECTED, "Consumer, down 0.9 %.", refused=False) == "unscored"
    assert EXPECTED in model.calls[0].messages[-1].text
