"""Briefs: the typed values that an offline rule answers from; and how an agent declares its rule.

The brief is made by the agent's builder. It reaches the model beside the prompt, in `BRIEF`, so that it stands in no
message, log, cache key or checkpoint.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from typing import Any

from tradingagents.dataflows.results import Result
from tradingagents.offline.readings import Reading, Shown, figures_of

_OUTSIDE = frozenset({"get_news", "get_global_news", "get_topic_news", "get_social_sentiment"})
"""Tools whose notes are about coverage, not about figures."""

ToolWish = tuple[str, Mapping[str, Any]]
"""A tool, and the arguments to call it with."""


@dataclass(frozen=True, slots=True)
class Subject:
    """The stock and the day; a scan has a day and no stock."""

    ticker: str = "the stock"
    name: str | None = None
    sector: str | None = None
    """Display name of the sector."""
    trade_date: date | None = None
    """The day of the run: a scan's date in a scan."""
    last_close: float | None = None
    """As prompts show it."""


@dataclass(frozen=True)
class ToolAnswer:
    """What one tool call gave."""

    tool: str
    result: Result | None
    """None for a call that failed."""
    reason: str = ""
    """Why it failed."""
    asked: str = ""
    """First text among the call's arguments, such as `day_gainers`: which of several calls of one tool it was."""
    unreadable: bool = False
    """Whether it failed because its arguments did not arrive whole."""

    @property
    def failed(self) -> bool:
        """Whether the call failed."""
        return self.result is None

    @cached_property
    def figures(self) -> Mapping[str, Shown]:
        """The figures it lists, as shown; those that are not known are left out."""
        return figures_of(self.result) if self.result is not None else {}


@dataclass(frozen=True, slots=True)
class Plan:
    """An earlier decision of the run, prices and size rounded as they are written; None where it names none."""

    action: str | None = None
    """BUY, SELL, HOLD or NO_DECISION."""
    horizon_days: int | None = None
    entry: float | None = None
    stop: float | None = None
    target: float | None = None
    position_size: float | None = None

    @property
    def decided(self) -> bool:
        """Whether the plan holds a decision."""
        return self.action in ("BUY", "SELL", "HOLD")


@dataclass(frozen=True, slots=True)
class Spoken:
    """One turn of a debate."""

    speaker: str
    text: str


@dataclass(frozen=True, slots=True)
class Happened:
    """What followed a decision that is looked back at."""

    action: str
    """What was decided; empty where that is not known."""
    side: int = 0
    """Which way the agent argues whatever is decided: 1 for buying, -1 for selling; 0: as it was decided."""
    stock: float | None = None
    """Return of the stock in percent; None where it is not known."""
    against: float | None = None
    """The same against the benchmark."""
    told: str = ""
    """The outcome in the words of a person."""


@dataclass(frozen=True, slots=True)
class Pickable:
    """One stock that a scan can pick, as the candidates' table lists it."""

    ticker: str
    name: str
    sector: str | None
    """Sector key; None where unknown."""
    moves: Mapping[str, float]
    """Known moves in percent: `change_1d`, `return_1w`, `return_1m`."""
    tools: tuple[str, ...]
    """Tools in whose answers it stood, such as `get_market_movers:day_gainers`."""


@dataclass(frozen=True)
class Brief:
    """What an agent knows when it is asked."""

    agent: str
    rule: OfflineRule | None = None
    """None: no rule answers for it, and its figures are listed unread."""
    subject: Subject = Subject()
    results: tuple[ToolAnswer, ...] = ()
    """What its own tool calls gave, in their order."""
    readings: Mapping[str, Reading] = field(default_factory=dict)
    """What the analysts found, by the state key of their report; without those that could not report."""
    missing: tuple[str, ...] = ()
    """State keys of the reports that are not available."""
    plans: Mapping[str, Plan] = field(default_factory=dict)
    """Earlier decisions by state key."""
    turns: tuple[Spoken, ...] = ()
    lessons: tuple[str, ...] = ()
    largest_position: float = 1.0
    """The largest position allowed, as a fraction of equity."""
    weighs_changes: bool = True
    """Whether a decision is to say what would change it, which takes longer than all else that a decider does."""
    sell_closes: bool = False
    """Whether a SELL only closes what is held, and opens no short position."""
    candidates: tuple[Pickable, ...] = ()
    """Stocks that a scan can pick."""
    picks: tuple[int, int] = (8, 10)
    """How many picks are asked for, least and most."""
    said: str = ""
    """What the agent that is looked back at said."""
    happened: Happened | None = None
    """What followed the decision that is looked back at."""
    known: object = None
    """What the rule of one feature reads besides: the feature's own brief, such as what is known in a debate."""

    @cached_property
    def reading(self) -> Reading | None:
        """What the agent's rule reads from its results; None for an agent that does not report."""
        return self.rule.read(self) if isinstance(self.rule, ReportRule) else None

    @cached_property
    def figures(self) -> Mapping[str, Mapping[str, Shown]]:
        """Figures by tool; where a tool was called twice, the first call that shows a figure counts."""
        found: dict[str, dict[str, Shown]] = {}
        for answer in self.results:
            known = found.setdefault(answer.tool, {})
            for name, shown in answer.figures.items():
                known.setdefault(name, shown)
        return found

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """The doubts that the tools state about their own figures, each once."""
        said = [note for one in self.results if one.result and one.tool not in _OUTSIDE for note in one.result.notes]
        return tuple(dict.fromkeys(said))

    def given(self, tool: str) -> tuple[ToolAnswer, ...]:
        """Return what the calls of a tool gave, in the order given; without those that failed."""
        return tuple(answer for answer in self.results if answer.tool == tool and not answer.failed)


def no_further_calls(_brief: Brief) -> Sequence[ToolWish]:
    """Call no tool beyond the initial calls."""
    return ()


@dataclass(frozen=True, eq=False)
class ReportRule:
    """Answers for a reporting agent, and lets the deciding agents weigh what it found."""

    read: Callable[[Brief], Reading]
    """Reads the results of the agent's tools and writes its report."""
    further: Callable[[Brief], Sequence[ToolWish]] = no_further_calls
    """Further tool calls, once the initial ones are answered; those whose tools are not offered are not made."""


@dataclass(frozen=True, eq=False)
class TextRule:
    """Answers for an agent that writes a text others only read, such as a debater."""

    write: Callable[[Brief], str]


@dataclass(frozen=True, eq=False)
class ObjectRule:
    """Answers for an agent that fills in an object, such as a verdict."""

    fill_in: Callable[[Brief], Mapping[str, Any] | None]
    """Returns the object's fields; None where there is nothing to decide on."""
    nothing: str
    """What the agent says then."""


@dataclass(frozen=True, eq=False)
class DialogueRule:
    """Answers for an agent that either calls tools or replies."""

    act: Callable[[Brief], tuple[str, Sequence[ToolWish]]]
    """Returns the reply, or the tools to call first; those that are not offered are not called."""


OfflineRule = ReportRule | TextRule | ObjectRule | DialogueRule
"""What answers for an agent when no language model does."""

BRIEF: ContextVar[Brief | None] = ContextVar("tradingagents_brief", default=None)
"""The brief of the call that is being made; None where nobody made one."""
