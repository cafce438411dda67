"""Who speaks next."""

from __future__ import annotations

import pytest

from tradingagents.agents.builders.debate_state import order_of
from tradingagents.agents.debates import RESEARCH, RISK, next_speaker
from tradingagents.agents.states import Turn


def said(*speakers: str) -> list[Turn]:
    return [Turn(speaker=speaker, text="…") for speaker in speakers]


def test_the_bull_opens():
    assert next_speaker([], order_of(RESEARCH), rounds=2, judge="Research Manager") == "Bull Researcher"


def test_debate_ends_with_the_judge_after_the_agreed_rounds():
    turns = said("Bull Researcher", "Bear Researcher")
    assert next_speaker(turns, order_of(RESEARCH), rounds=1, judge="Research Manager") == "Research Manager"


@pytest.mark.parametrize("rounds", [1, 2, 5])
@pytest.mark.parametrize("order", [order_of(RESEARCH), order_of(RISK)])
def test_all_speak_in_turn_and_equally_often(order, rounds):
    turns: list[Turn] = []
    while (speaker := next_speaker(turns, order, rounds=rounds, judge="judge")) != "judge":
        turns = [*turns, Turn(speaker=speaker, text="…")]
    assert [turn["speaker"] for turn in turns] == list(order) * rounds
