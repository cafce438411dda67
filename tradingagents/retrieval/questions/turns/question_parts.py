"""The parts of a question, each with what it names: an answer covers all of them, or names what it leaves out."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

from tradingagents.retrieval.questions.aspects import AskedAspects, read_aspects
from tradingagents.retrieval.questions.companies import Instruments, listed_instruments
from tradingagents.retrieval.questions.days import NamedDays
from tradingagents.retrieval.questions.names import group_names, in_english
from tradingagents.retrieval.questions.plain_words import IN_CJK, plain_words, spaced
from tradingagents.retrieval.questions.spans import completed, named_days
from tradingagents.retrieval.questions.turns.demands import Demand, demands_in, with_anchor
from tradingagents.retrieval.questions.wording import without_days, without_names

_JOINTS = re.compile(
    r"[.!?;:\u2026](?=\s|$)|,(?=\D)|\s[-\u2013\u2014]+\s|[()\n\uff0c\u3002\uff01\uff1f\uff1b\uff1a\u3001]"
    r"|\s(?=(?:and|but|while|whereas|plus|und|aber|während)\s)|以及|还有|并且|而且",
    re.IGNORECASE,
)
_LEADS = re.compile(r"^(?:and|but|und|aber|plus)\s+", re.IGNORECASE)
_ASKING = frozenset(
    {
        *("is", "are", "was", "were", "do", "does", "did", "has", "have", "can", "will", "how", "what", "which", "who"),
        *("ist", "sind", "war", "waren", "hat", "haben", "gibt", "kann", "wie", "was", "welche", "welcher", "wer"),
    }
)
_MARKS = " ,;:-\u2013\u2014\uff0c\uff1b\uff1a\u3001"


@dataclass(frozen=True, slots=True)
class QuestionPart:
    """A part of a question."""

    text: str
    """As it is written."""
    asked: AskedAspects
    demands: tuple[Demand, ...]
    days: NamedDays
    span: str
    """The words by which it names days; empty for none."""
    names: bool
    """Whether it names a company, an index or a sector."""

    @property
    def asks(self) -> bool:
        """Tell whether it asks something, by what it names or by its verb; `in simple words` does not."""
        words = set(plain_words(self.text).split())
        signs = IN_CJK.search(self.text) is not None
        return self.names or bool(self.asked.aspects or self.demands or words & _ASKING) or signs


def asks_for_market(part: QuestionPart) -> bool:
    """Tell whether a part asks how the market did, and nothing more of it; one that says how it did asks nothing."""
    return (
        part.asks
        and not part.asked.claims
        and part.asked.has("recap")
        and set(part.asked.aspects) <= {"recap", "price"}
        and not part.names
    )


def question_parts(text: str, today: date, instruments: Instruments | None) -> tuple[QuestionPart, ...]:
    """Return the parts of a question in their order.

    Args:
        text: The question.
        today: Its day.
        instruments: What the source knows; None: the companies of the reference list.
    """
    known = instruments or listed_instruments()
    written = (_LEADS.sub("", part.strip(_MARKS)).strip(_MARKS) for part in _JOINTS.split(text))
    return tuple(_part(part, today, known) for part in written if plain_words(part))


def _part(text: str, today: date, instruments: Instruments) -> QuestionPart:
    rest = spaced(text)
    mentions = instruments.mentions(rest)
    for mention in reversed(mentions):
        rest = f"{rest[: mention.start]} {rest[mention.end :]}"
    english = completed(in_english(rest), today).lower()
    without = without_names(english, group_names())
    asked, span = without_days(without)
    named = bool(mentions) or without != english
    demands = with_anchor(demands_in(rest), asked)
    return QuestionPart(text, read_aspects(asked), demands, named_days(without, today), span, named)
