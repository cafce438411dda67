"""Incomplete replies: how they are recognised, what the model is told, what the user can do."""

from __future__ import annotations

from dataclasses import dataclass

from langchain_core.messages import AIMessage

from tradingagents.llm_clients.reply_text import ending

LEAST_WORDS = 20
"""Words that a second answer is asked for at least."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A way in which a reply is incomplete."""

    what: str
    """Continues the sentence "its reply …"."""
    wish: str
    """The message that asks the model again."""
    way_out: str
    wish_of_words: str = ""
    """The same where the reply has words: how many it had, and half of that; empty: the same words."""

    def wish_after(self, reply: AIMessage) -> str:
        """Return the message that asks the model again; it is not shown the incomplete reply."""
        words = len(reply.text.split())
        if not (words and self.wish_of_words):
            return self.wish
        return self.wish_of_words.format(words=words, half=max(words // 2, LEAST_WORDS))


EMPTY = Fault("was empty", "Your answer was empty. Write it now.", "try another model.")
CUT = Fault(
    "was cut off at its length limit",
    "Your answer was cut off at its length limit before it began. Write it at once, and briefly.",
    "set TRADINGAGENTS_MAX_OUTPUT_TOKENS to more, or try another model.",
    "Your answer was cut off at its length limit after {words} words. Write it again from the beginning, whole, in at "
    "most {half} words.",
)
CENSORED = Fault(
    "was stopped by the provider's content filter",
    "Your answer was stopped by a content filter. Write it again in neutral words; leave out what quotes offensive text.",
    "try another model or provider.",
)
WISHES = tuple(wish for fault in (EMPTY, CUT, CENSORED) for wish in (fault.wish, fault.wish_of_words) if wish)
"""What a model is told in these cases; a weak one repeats it."""


def fault_of(reply: AIMessage) -> Fault | None:
    """Return what is wrong with a reply; None for a complete text."""
    ended = ending(reply)
    if ended == "whole":
        return None if reply.text.strip() else EMPTY
    return CUT if ended == "cut" else CENSORED
