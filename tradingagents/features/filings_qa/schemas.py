"""JSON records of a question about filings: what was asked, what was searched, the sources and the answer."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from tradingagents.retrieval.lines.line_answer import LineAnswer
from tradingagents.schemas.cards import CardRecord
from tradingagents.schemas.record import Number, Record


class SourceRecord(Record):
    """A passage that an answer may cite. Its citation is `[label]`."""

    label: str
    """10K1, 10K2 … for filings, T1 … for calls, N1 … for news, X1 … for calculations."""
    kind: str
    """filing, call, news or calculation."""
    text: str
    """The passage as it stands in the document; the formula with its operands for a calculation."""
    name: str
    """The document, such as `AAPL 10-K 2024`; the publisher for news."""
    document: str
    """Key of the document in the store; empty for news and calculations."""
    page: int | None
    """Page counted from 0; null for news and calculations."""
    start: int
    end: int
    """Characters [start, end) of the page."""
    symbol: str
    form: str
    fiscal_year: int | None
    fiscal_quarter: int | None
    item: str
    """Item of the filing; empty if unknown."""
    speaker: str
    """Who says it, in a call; else empty."""
    url: str
    known_at: str
    """ISO instant, UTC."""
    operands: list[str] = Field(default_factory=list)
    """For a calculation, the labels of the passages that hold its operands."""
    heading: str = ""
    """For a risk factor, the heading that names it."""


class ClaimRecord(Record):
    """A part of an answer that its sources don't support."""

    kind: str
    """uncited (a claim without a citation), unknown_source (cites what was not given) or withheld (a figure that is not
    at its citation)."""
    text: str
    """The claim, or the figure that was withheld."""


class AssessmentRecord(Record):
    """How good an answer is, as the assessor sees it; scores 0 to 100."""

    completeness_score: Number
    specificity_score: Number
    accuracy_score: Number
    clarity_score: Number
    overall_confidence: Number
    """0 to 1, weighted from the four scores."""
    goals_met: bool
    """Whether everything that the reasoning set out to find was found."""
    issues: list[str]


class IterationRecord(Record):
    """One round of assessment and further search."""

    number: int
    assessment: AssessmentRecord
    phrases: list[str]
    """What was searched for next; empty in the last round."""
    found: int
    """Passages that the search added."""


class FilingsRecord(CardRecord):
    """The complete record of a question, as JSON."""

    status: str
    """done, rejected, no_answer (neither the model nor rules have one), failed, budget or interrupted."""
    question: str
    as_of: str
    """ISO instant, UTC; nothing known later was read."""
    mode: str
    analysis: dict[str, Any] | None
    reasoning: str
    answer: str
    """Markdown with citations; why, where the question was rejected."""
    confidence: Number | None
    sources: list[SourceRecord]
    """Every passage that was given to the writer; `cited` names those that the answer uses."""
    cited: list[str]
    problems: list[ClaimRecord]
    iterations: list[IterationRecord]
    stopped: str
    """Why the search ended: confident, sufficient, no_phrases, max_iterations or nothing_found."""
    lines: LineAnswer | None = None
    """The figures of an answer over years, companies, parts or qualifiers; null for another question."""
    written_by: str
    """model, or rules where no language model wrote the answer or what it wrote was of no use."""
