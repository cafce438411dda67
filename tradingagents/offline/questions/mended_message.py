"""A message as it is read: words in full, without clauses that ask nothing and without slips of the keyboard."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tradingagents.offline.questions.conversation import ConversationBrief
from tradingagents.retrieval.questions.funds import with_funds
from tradingagents.retrieval.questions.slips import Mended, in_full, mended
from tradingagents.retrieval.questions.turns.clauses import without_asides
from tradingagents.retrieval.questions.turns.contrasts import without_contrasts
from tradingagents.retrieval.questions.turns.question_parts import QuestionPart, question_parts
from tradingagents.schemas.workspace import QUESTION_NOW


@dataclass(frozen=True, slots=True)
class MendedMessage:
    """A message with how it was read."""

    text: str
    """In full words, with its asides and slips."""
    mended: Mended
    """Without them."""
    of_funds: tuple[str, ...] = ()
    """How names of what a fund follows were read."""
    asides: tuple[str, ...] = ()
    """Clauses that were left out."""


def mended_message(text: str, brief: ConversationBrief) -> MendedMessage:
    """Return a message as it is read.

    Args:
        text: The message.
        brief: What the agent knows.
    """
    full, of_funds = with_funds(in_full(without_contrasts(text)), brief.instruments)
    asked = without_asides(full, brief.day, brief.instruments)
    found, asides = mended(asked.text, brief.day, brief.instruments), asked.asides
    if found.remarks:  # a slip may have hidden one
        again = without_asides(found.text, brief.day, brief.instruments)
        found, asides = replace(found, text=again.text), (*asides, *again.asides)
    return MendedMessage(full, found, of_funds, asides)


def parts_of_latest(brief: ConversationBrief) -> tuple[QuestionPart, ...]:
    """Return the parts of the latest message of a conversation."""
    message = brief.now.question.rpartition(QUESTION_NOW)[2]
    return question_parts(mended_message(message, brief).mended.text, brief.day, brief.instruments)
