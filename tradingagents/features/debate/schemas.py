"""A debate on one company: the case of each side, rebuttals, the verdict; and the record of a run.

`DebateCase` is the shape of one side's argument wherever the library lets sides argue for and against a thesis.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field

from tradingagents.schemas.cards import CardRecord
from tradingagents.schemas.facts import FactRecord
from tradingagents.schemas.record import Record
from tradingagents.schemas.records import WithheldRecord

DEBATE_KIND = "debate"
"""The name of the kind, in records."""
DebateSide = Literal["bull", "bear"]
SIDES: tuple[DebateSide, DebateSide] = ("bull", "bear")
"""In the order in which they speak."""
OTHER_SIDE: dict[DebateSide, DebateSide] = {"bull": "bear", "bear": "bull"}
_LETTERS = "abcde"
PointStrength = Literal["strong", "moderate", "weak"]


class DebateModel(BaseModel):
    """Base of the answers: unknown fields of a model's reply are ignored."""

    model_config = ConfigDict(frozen=True)


class DebatePoint(DebateModel):
    """One argument of a case."""

    claim: str = Field(min_length=10, max_length=800, description="The argument in one or two sentences, with figures")
    evidence: list[str] = Field(description="Ids of the evidence that it rests on, such as E2; at least one")
    strength: PointStrength = Field("moderate", description="How strong the argument is, judged honestly")


class DebateCase(DebateModel):
    """One side's case for or against a thesis."""

    summary: str = Field(min_length=10, max_length=800, description="The case in one or two sentences")
    points: list[DebatePoint] = Field(description="3 to 5 arguments, the strongest first")
    confidence: float = Field(0.5, ge=0, le=1, description="How convincing the case is by its evidence, 0 to 1")


class DebateCounter(DebateModel):
    """The answer to one argument of the other side."""

    point: str = Field(description="Id of the argument that is answered, such as bear-2")
    quote: str = Field(description="Words of that argument, copied verbatim")
    reply: str = Field(min_length=3, max_length=800, description="The answer in one to three sentences, with figures")
    evidence: list[str] = Field(default_factory=list, description="Ids of the evidence that the answer rests on")
    concedes: bool = Field(False, description="True where the other side is right on this argument")


class DebateRebuttal(DebateModel):
    """One side's answers to the other."""

    counters: list[DebateCounter] = Field(description="1 to 5 answers, each to one argument of the other side")


class DebateContention(DebateModel):
    """A question on which the sides differ."""

    question: str = Field(min_length=5, max_length=300, description="What the sides differ on, as a question")
    bull: str = Field(min_length=3, max_length=600, description="What the bull says")
    bear: str = Field(min_length=3, max_length=600, description="What the bear says")
    evidence: list[str] = Field(default_factory=list, description="Ids of the evidence that decides it")
    leans: Literal["bull", "bear", "open"] = Field(description="Whom the evidence favours; open where it favours none")
    why: str = Field("", max_length=600, description="Why, in one sentence")


class EvidenceBuckets(DebateModel):
    """Evidence by the side that it favours."""

    bull: list[str] = Field(default_factory=list, description="Ids of evidence that favours the bull")
    bear: list[str] = Field(default_factory=list, description="Ids of evidence that favours the bear")
    disputed: list[str] = Field(default_factory=list, description="Ids of evidence that both sides claim")


class DebateVerdict(DebateModel):
    """What the moderator concludes."""

    contentions: list[DebateContention] = Field(description="2 to 5 questions on which the sides differ")
    evidence: EvidenceBuckets = Field(default_factory=EvidenceBuckets)
    consensus: list[str] = Field(default_factory=list, description="What both sides accept, a sentence each")
    discrepancies: list[str] = Field(
        default_factory=list, description="Facts that the sides or the sources state differently, a sentence each"
    )
    conviction: int = Field(
        ge=1, le=10, description="1 to 3 strong bear, 4 lean bear, 5 neutral, 6 lean bull, 7 to 10 strong bull"
    )
    because: str = Field(min_length=3, max_length=800, description="Why: the clause after `because`")
    other_conviction: int = Field(ge=1, le=10, description="What the conviction would be if the condition came true")
    other_if: str = Field(min_length=3, max_length=600, description="The condition: the clause after `would be N if`")
    thesis: str = Field(min_length=3, max_length=400, description="The thesis that prevails, in one clause")
    breaks_if: str = Field(
        min_length=3, max_length=600, description="What would break it: the clause after `breaks if`"
    )


class DebateEvidence(FactRecord):
    """What one tool call gave; both sides and the moderator see it."""

    id: str
    """E1, E2 …"""
    content: str
    """The answer as the sides read it; empty where there is none."""
    asked_by: list[str]
    """bull, bear or both."""


class DebateHint(Record):
    """What the user advises one side."""

    side: str
    text: str
    phase: str
    """The pause at which it was given: opening, rebuttal_1, rebuttal_2."""


class RebuttalRecord(Record):
    """One turn of answers."""

    side: str
    round: int
    counters: list[dict[str, Any]]
    """Each a `DebateCounter`."""


class AnsweredDebateQuestion(Record):
    """A question that was asked after a debate."""

    question: str
    answer: str


class DebateRecord(CardRecord):
    """The card of a debate; `reports` holds bull_opening, bear_opening, bull_rebuttal_1 …, and verdict."""

    older_lack: ClassVar[Mapping[str, Any]] = {**CardRecord.older_lack, "withheld": ()}

    ticker: str
    as_of: str
    annual_filing: str
    """Newest twelve months of statements, or annual filing, known on the day, in words."""
    rounds: int
    evidence: list[DebateEvidence]
    hints: list[DebateHint]
    cases: dict[str, dict[str, Any]]
    """A `DebateCase` by side."""
    rebuttals: list[RebuttalRecord]
    verdict: dict[str, Any]
    """A `DebateVerdict`; empty where the debate ended before it."""
    withheld: list[WithheldRecord]
    """Figures that readers are not shown, with the text as the model wrote it."""
    written_by: str
    """rules or model."""


class DebateQuestionRecord(CardRecord):
    """The card of a question that was asked after a debate."""

    older_lack: ClassVar[Mapping[str, Any]] = {**CardRecord.older_lack, "withheld": ()}

    debate: str
    """Run id of the debate."""
    ticker: str
    as_of: str
    question: str
    answer: str
    withheld: list[WithheldRecord]
    """Figures that readers are not shown, with the text as the model wrote it."""
    written_by: str


def reply_id(side: str, number: int, place: int) -> str:
    """Return the id of an answer: its side, its round, and a letter for its place, such as `bear-r1b`."""
    return f"{side}-r{number}{_LETTERS[place]}"
