"""`FigureWindow`: a figure of a sentence between its neighbours; `SaidRange`: what the sentence guides to."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from tradingagents.retrieval.guidance.guided_items import Basis
from tradingagents.retrieval.guidance.sentences.amounts import Amount

Measure = Literal["level", "growth", "sequential", "change"]
"""`level`: a figure of the item itself; `growth`: percent on a year before; `sequential`: percent on the quarter
before; `change`: by how much money, or how many basis points, it moves."""
Bound = Literal["", "at least", "at most"]


@dataclass(frozen=True, slots=True)
class SentenceContext:
    """What is known of a document, and of the sentences before one, when it is read."""

    subject: str = ""
    """The segment that the sentences before it speak of; empty for the company."""
    is_turn_plain: bool = False
    """Whether they turn plainly to that segment."""
    turn_items: frozenset[str] = frozenset()
    """Items of it that the sentence just before gives: one that is given again may be of the whole company."""
    company: frozenset[str] = frozenset()
    """Words of the company's own names, in lower case."""
    parts: frozenset[str] = frozenset()
    """What the document calls a segment or a business, in lower case."""
    before: str = ""
    """The sentence just before it, of the same turn; empty for none."""
    margin: str = ""
    """The item that the document means by the `margin` of a part; empty if unknown."""
    per_share: str = ""
    """The item that the company guides to by share; empty if unknown."""


@dataclass(frozen=True, slots=True)
class SaidRange:
    """A range that a sentence guides to, before its period is resolved."""

    amount: Amount
    item: str
    """Key of the item; of a share of another one, as `capex to revenue`."""
    part: str
    """The segment, product or region; empty for the company."""
    measure: Measure
    bound: Bound
    basis: Basis
    since: int | None = None
    """The year on which a growth is counted where it is none of the year before, such as 2019."""
    turns_to: str = ""
    """The segment that the sentence names apart from the item, of which the next ones go on to speak."""
    is_inherited: bool = False
    """Whether the segment stands only in a sentence before."""
    is_whole: bool = False
    """Whether the words say that it is of the whole company."""
    follows_last: bool = False
    """Whether it follows from the figure before it in the same sentence, as in `which implies a margin of 5%`."""
    doubt: str = ""
    """Why it is not given out; empty where the sentence is understood."""


@dataclass(frozen=True, slots=True)
class FigureWindow:
    """A range between the one before it and the one after it."""

    text: str
    amount: Amount
    before: int
    after: int
    last: Amount | None
    """The figure before it; None for the first."""
    whole: str
    """The sentence with what stands in commas or brackets, such as `, excluding promotes,`, which `text` lacks."""

    @property
    def left(self) -> str:
        """The words between the figure before and this one."""
        return self.text[self.before : self.amount.start]

    @property
    def lead(self) -> str:
        """All words before it."""
        return self.text[: self.amount.start]

    @property
    def right(self) -> str:
        """The words between it and the next figure."""
        return self.text[self.amount.end : self.after]

    @property
    def clause(self) -> str:
        """Of the words behind it, those before another clause begins, of what is in it or why it is expected."""
        return clause_behind(self.text, self.amount.end)


def clause_behind(text: str, end: int) -> str:
    """Return the words behind a figure that ends at `end`, up to where another clause begins."""
    return _NEXT_CLAUSE.split(text[end:], maxsplit=1)[0]


_NEXT_CLAUSE = re.compile(
    r"[,;.](?!\d)| and (?=[A-Z][\w& -]{2,40} (?:at|to|of|between|around|up|down)\b)|\b(?:inclusive of|including"
    r"|excluding|driven by|reflecting|due to|led by|increased by|decreased by|impacted by|benefit(?:ing|ed)|despite"
    r"|supported by|given|as|with|which|while|where|to reflect|because|partially|primarily|mainly|largely|offset"
    r"|based on|assuming|implying|compared (?:to|with)|versus|following|through)\b"
)
