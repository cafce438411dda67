"""What a message asks the assistant for, as a record: the wish, its companies, its days, and all that it names."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any, Literal

from tradingagents.offline.questions.asked import AskedFigure
from tradingagents.offline.questions.conversation import OfferedTool
from tradingagents.offline.questions.frames import QuestionFrame
from tradingagents.offline.questions.lookups import Lookup
from tradingagents.retrieval.questions.days import NamedDays
from tradingagents.retrieval.questions.holdings import HoldingsQuestion
from tradingagents.retrieval.questions.positions.stated_positions import PositionsQuestion

Wish = Literal[
    "lookup",
    "compare",
    "worth",
    "consider",
    "consult",
    "task",
    "tasks",
    "run",
    "decision",
    "why",
    "capability",
    "holdings",
    "positions",
    "figures",
    "moved",
    "aspects",
    "greeting",
    "help",
    "unread",
    "other_day",
]
STARTED = frozenset({"task", "tasks", "run", "consult", "decision", "why", "help"})
"""Requests that are no question on the market."""
BESIDE = "It asks for"
"""How the reason begins for which a question is declined that says more than its kind answers."""


@dataclass(frozen=True, slots=True)
class MessageRequest:
    """What a message asks for."""

    wish: Wish
    symbols: tuple[str, ...] = ()
    """Tickers of known instruments."""
    names: tuple[str, ...] = ()
    """Names of companies, and words that may be some, to be resolved."""
    lookup: Lookup | None = None
    kind: str = ""
    """Kind of task that is asked for."""
    capability: OfferedTool | None = None
    personas: tuple[str, ...] = ()
    """Consult tools of personas that the message names."""
    question: str = ""
    """What is to be researched."""
    account: str = ""
    """Paper account that is to be run; empty for the one that the tool takes by itself."""
    topics: tuple[str, ...] = ()
    """On what companies are to be compared."""
    spoken_of: bool = False
    """Whether it says `it` or `the stock`, of what was spoken of before."""
    elliptic: bool = False
    """Whether the message leaves out what is wanted, as in "and Microsoft?"."""
    day: date | None = None
    """Day that a task is to be about."""
    declined: str = ""
    """Why a message that is understood is not answered."""
    holdings: HoldingsQuestion | None = None
    """What the message asks of its writer's holdings; None where it is about none."""
    positions: PositionsQuestion | None = None
    """The positions that it states and what sums of them it asks for; None where it is about none."""
    sums: PositionsQuestion | None = None
    """The sums that it may ask for of positions stated before it."""
    figures: tuple[AskedFigure, ...] = ()
    """Figures of named days or fiscal years."""
    days: NamedDays | None = None
    """The days that the message names; None where they were not read."""
    coming: tuple[date, date] | None = None
    """First and last of the coming days that it asks about."""
    index: str = ""
    """The index that it is about."""
    said: str = ""
    """The message in plain letters, names of figures and periods in English."""
    remarks: tuple[str, ...] = ()
    """How slips of the keyboard were read."""
    unsaid: tuple[str, ...] = ()
    """Sentences of the message that are not understood, beside the one that is answered."""
    asides: tuple[str, ...] = ()
    """Clauses that were left out of the reading: they ask nothing, and hold words that no table knows."""
    language: str = "en"
    """In which the message is written."""
    parts: tuple[str, ...] = ()
    """What is answered word by word, keys of `aspects.yaml`; empty where the kind of question says what is asked."""
    with_dividends: bool = False
    """Whether the change of a price is asked for with its dividends."""
    frame: QuestionFrame | None = None
    """All that the message names; None for one about its writer's holdings."""

    @property
    def holdings_call(self) -> tuple[str, dict[str, Any]] | None:
        """The capability that answers a question about holdings, with its arguments; None for another question."""
        asked = self.holdings
        if asked is None:
            return None
        stated = {"holdings": asked.stated} if asked.stated else {}
        if asked.about == "risk":
            return "book_risk", stated
        return "book", {**stated, "days_ahead": asked.days_ahead} if asked.about == "results" else stated
