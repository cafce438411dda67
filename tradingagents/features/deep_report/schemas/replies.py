"""What the agents of the deep report answer with."""

from __future__ import annotations

import math
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, field_validator

from tradingagents.features.deep_report.schemas.falsifiers import FalsifierDraft
from tradingagents.retrieval.guidance.claimed_range import ClaimedRange
from tradingagents.retrieval.text_sentences import split_sentences
from tradingagents.schemas.evidence import DriverEffect, EvidenceDirection, Quotation, Sentence

LEAST_HYPOTHESES, MOST_HYPOTHESES = 5, 8
LONGEST_TITLE = 15
"""Words of a hypothesis's title."""
THESIS_SENTENCES = 2
"""What is claimed, and what would prove it wrong."""
LEAST_INSIGHTS = 3
Impact = Annotated[Literal["HIGH", "MED", "LOW"], BeforeValidator(lambda given: "MED" if given == "MEDIUM" else given)]
SectionName = Literal["Executive summary", "Investment thesis", "Catalysts and risks", "Scenarios", "Counter-argument"]
Score = Annotated[float, Field(ge=0, le=10)]


class ThesisModel(BaseModel):
    """Base of the answers: unknown fields of a model's reply are ignored."""

    model_config = ConfigDict(frozen=True)


class Hypothesis(ThesisModel):
    """A falsifiable statement about the company that matters for its value."""

    title: str = Field(min_length=3, max_length=160, description="At most 15 words")
    thesis: str = Field(min_length=10, max_length=800, description="Two sentences; say what would prove it wrong")
    evidence_needed: list[Sentence] = Field(min_length=1, max_length=6, description="What to look up, one each")
    impact: Impact = Field(description="HIGH, MED or LOW: how far the value of a share depends on it")
    falsifiers: list[FalsifierDraft] = Field(
        default_factory=list,
        max_length=3,
        description="Figures of a later quarter or close that would prove it wrong: revenue, revenue_yoy, gross_margin,"
        " operating_margin, net_margin, free_cash_flow, debt_to_equity, current_ratio, roe, price, pe_ttm",
    )

    @field_validator("falsifiers", mode="before")
    @classmethod
    def _well_formed(cls, value: Any) -> Any:
        """Leave malformed proposals out: code makes falsifiers where there are none."""
        return [draft for draft in value if _is_draft(draft)][:3] if isinstance(value, list) else []


def _is_draft(given: Any) -> bool:
    try:
        FalsifierDraft.model_validate(given)
    except ValidationError:
        return False
    return True


class HypothesisSet(ThesisModel):
    """Hypotheses, the most important first."""

    hypotheses: list[Hypothesis] = Field(max_length=MOST_HYPOTHESES)


class SourceScore(ThesisModel):
    """How relevant one source is."""

    label: str = Field(description="The label of the source, such as S3")
    relevance: Score = Field(description="0 useless, 10 decisive for the hypothesis")


class SourceScores(ThesisModel):
    """A score for each source of the batch."""

    scores: list[SourceScore]


class GuidanceRanges(ThesisModel):
    """What a company guides to in sentences that no rule reads."""

    ranges: list[ClaimedRange] = Field(default_factory=list, max_length=40)


class EvidenceDraft(ThesisModel):
    """One piece of evidence in a source."""

    source: str = Field(description="The label of the source, such as S3")
    claim: Sentence = Field(description="What it shows, in one sentence; its figures stand in the quotation")
    quote: Quotation = Field(description="Word for word from the source, in one piece")
    figure: float | None = Field(None, description="The figure that the claim rests on; null where it rests on words")
    confidence: float = Field(ge=0, le=1, description="How sure the claim is, by the quality of the source")
    direction: EvidenceDirection = Field(description="What it says about the hypothesis")
    effect: DriverEffect | None = Field(
        None, description="The driver of the value that moves if the claim holds, how far, and when; null for none"
    )


class EvidenceDrafts(ThesisModel):
    """What was found in the sources."""

    items: list[EvidenceDraft] = Field(default_factory=list, max_length=20)


class Probabilities(ThesisModel):
    """How likely the three scenarios are."""

    bull: float = Field(ge=0, le=1)
    base: float = Field(ge=0, le=1)
    bear: float = Field(ge=0, le=1)

    def problem(self) -> str | None:
        """Return why these are no probabilities; None where they are."""
        total = math.fsum((self.bull, self.base, self.bear))
        return None if abs(total - 1) <= 0.005 else f"The probabilities add up to {total:g} instead of 1."

    def normalised(self) -> Probabilities:
        """Return them so that they add up to exactly 1, after rounding to four decimals."""
        total = math.fsum((self.bull, self.base, self.bear)) or 1.0
        bull = round(self.bull / total, 4)
        bear = min(round(self.bear / total, 4), round(1 - bull, 4))  # both may have been rounded up
        return Probabilities(bull=bull, base=round(1 - bull - bear, 4), bear=bear)


class Synthesis(ThesisModel):
    """The strongest case on both sides of a hypothesis, and what follows from both."""

    bull_case: str = Field(min_length=10, max_length=3000)
    bear_case: str = Field(min_length=10, max_length=3000)
    synthesis: str = Field(min_length=10, max_length=3000)
    insights: list[Sentence] = Field(min_length=LEAST_INSIGHTS, max_length=8, description="Not obvious, at least three")
    probabilities: Probabilities
    confidence: float = Field(ge=0, le=1)


class RubricScores(ThesisModel):
    """What a model scores of the rubric, 0 to 10 each."""

    specificity: Score = Field(description="How specific and falsifiable the hypotheses are")
    insights: Score = Field(description="How far the findings go beyond what a reader of the annual report knows")
    logic: Score = Field(description="Whether the conclusions follow from the evidence")
    actionability: Score = Field(description="Whether an investor could act on it")


class Evaluation(RubricScores):
    """Scores of what an iteration produced, 0 to 10 each."""

    recommendations: list[Sentence] = Field(default_factory=list, max_length=5)


class HypothesisQuestions(ThesisModel):
    """What to find out next about one hypothesis."""

    hypothesis: str = Field(description="Its id, such as H-1a2b3c4d")
    questions: list[Sentence] = Field(max_length=4)


class Refinement(ThesisModel):
    """New questions from contradictions and gaps, and hypotheses that they suggest."""

    questions: list[HypothesisQuestions] = Field(default_factory=list)
    new_hypotheses: list[Hypothesis] = Field(default_factory=list, max_length=2)


class CitedParagraph(ThesisModel):
    """One paragraph with the evidence that it rests on."""

    text: str = Field(min_length=10, max_length=2500)
    evidence: list[str] = Field(default_factory=list, description="Ids of evidence, such as E-1a2b3c4d5e6f")

    @field_validator("evidence", mode="before")
    @classmethod
    def _listed(cls, value: Any) -> Any:
        return [value] if isinstance(value, str) else value


class NarrativeSection(ThesisModel):
    """One section."""

    name: SectionName
    paragraphs: list[CitedParagraph] = Field(min_length=1, max_length=12)


class Narrative(ThesisModel):
    """The report in words; its valuation is added by calculation."""

    sections: list[NarrativeSection]


def hypothesis_problems(found: HypothesisSet, known: frozenset[str], *, least: int) -> list[str]:
    """Return why hypotheses cannot be used; empty where they can.

    Args:
        found: The hypotheses.
        known: Titles of earlier ones, in small letters.
        least: How many there must be.
    """
    problems = []
    titles = [stated.title.casefold() for stated in found.hypotheses]
    if len(titles) < least:
        problems.append(f"There are {len(titles)} hypotheses; write at least {least}.")
    if len(set(titles)) < len(titles) or set(titles) & known:
        problems.append("Two hypotheses have the same title; each must be a new one.")
    problems += [
        f"The title {stated.title[:60]!r} has more than {LONGEST_TITLE} words."
        for stated in found.hypotheses
        if len(stated.title.split()) > LONGEST_TITLE
    ]
    problems += [
        f"The thesis of {stated.title[:60]!r} has no second sentence that says what would prove it wrong."
        for stated in found.hypotheses
        if len(split_sentences(stated.thesis)) < THESIS_SENTENCES
    ]
    return problems


def narrative_problems(found: Narrative) -> list[str]:
    """Return why a narrative cannot be used; empty where it can."""
    wanted = list(SectionName.__args__)  # type: ignore[attr-defined]
    names = [section.name for section in found.sections]
    problems = [f"The section {name!r} is missing." for name in wanted if name not in names]
    return problems + (["A section stands twice."] if len(set(names)) < len(names) else [])
