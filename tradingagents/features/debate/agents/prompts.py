"""The instructions of the debate's agents, for the fingerprint of prompts."""

from __future__ import annotations

from collections.abc import Mapping

from tradingagents.agents.builders.figure_repair import WISH
from tradingagents.features.debate.agents import bear_advocate, bull_advocate, moderator, respondent
from tradingagents.features.debate.agents.advocate import OPENING, REBUTTAL, RESEARCH
from tradingagents.features.debate.agents.prompting import PREAMBLE


def debate_prompts() -> Mapping[str, str]:
    """Return all instructions of each agent by its name, and their common preamble."""
    sides = (bull_advocate.BULL, bear_advocate.BEAR)
    return {
        "Debate": PREAMBLE,
        **{side.name: side.stance + RESEARCH + OPENING + REBUTTAL for side in sides},
        moderator.SPEC.name: moderator.PROMPT + WISH,
        respondent.SPEC.name: respondent.PROMPT + WISH,
    }
