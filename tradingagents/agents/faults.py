"""Incomplete replies: how they are recognised, what the model is told, what the user can do."""

from __future__ import annotations

from dataclasses import dataclass

from langchain_core.messages import AIMessage

from tradingagents.llm_clients.endings import ending


@dataclass(frozen=True, slots=True)
class Fault:
    """A way in which a reply is incomplete."""

    what: str
    """Continues the sentence "its reply …"."""
    wish: str
    """The message that asks the model again."""
    way_out: str


EMPTY = Fault("was empty", "Your answer was empty. Write it now.", "try another model.")
CUT = Fault(
    "was cut off at its length limit",
    "Your answer was cut off at its length limit. Write it again from the beginning, whole, in half as many words.",
    "raise TRADINGAGENTS_MAX_OUTPUT_TOKENS, or try another model.",
)
CENSORED = Fault(
    "was stopped by the provider's content filter",
    "Your answer was stopped by a content filter. Write it again in neutral words; leave out what quotes offensive text.",
    "try another model or provider.",
)
WISHES = tuple(fault.wish for fault in (EMPTY, CUT, CENSORED))
"""What a model is told in these cases; a weak one repeats it."""


def fault_of(reply: AIMessage) -> Fault | None:
    """Return what is wrong with a reply; None for a complete text."""
    ended = ending(reply)
    if ended == "whole":
        return None if reply.text.strip() else EMPTY
    return CUT if ended == "cut" else CENSORED
