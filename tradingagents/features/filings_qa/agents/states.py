"""State of the graph that answers questions about filings. All values can be written as JSON."""

from __future__ import annotations

from typing import Annotated, Any, NotRequired, TypedDict

from tradingagents.agents.states import Degraded
from tradingagents.features.filings_qa.schemas import AssessmentRecord, ClaimRecord, IterationRecord, SourceRecord


class Target(TypedDict):
    """A company to search for, and the periods of it."""

    symbol: str
    company: str
    periods: list[tuple[int, int | None]]
    """Fiscal year and quarter (None: the year), the newest first; empty: all there are."""
    documents: list[str]
    """Keys of its documents that were known; empty where the store has none."""


class Exchange(TypedDict):
    """A question of the conversation, and its answer."""

    question: str
    answer: str
    complete: NotRequired[str]
    """The question with what it left out, such as the company of the question before."""


def merge_sources(known: list[SourceRecord] | None, new: list[SourceRecord] | None) -> list[SourceRecord]:
    """Return both lists; of two passages with the same place the first stays. `None` begins a new question."""
    if new is None:
        return []
    places = {place_of(source) for source in known or []}
    merged = list(known or [])
    for source in new:
        if place_of(source) not in places:
            places.add(place_of(source))
            merged.append(source)
    return merged


def place_of(source: SourceRecord) -> tuple[Any, ...]:
    """Return what makes two sources the same: the place of a passage, else address and text."""
    if source.document:
        return source.document, source.page, source.start, source.end
    return source.kind, source.url, source.text


def restarted(known: list[Any] | None, new: list[Any] | None) -> list[Any]:
    """Return both lists joined; `None` begins a new question."""
    return [] if new is None else [*(known or []), *new]


def by_number(known: list[IterationRecord] | None, new: list[IterationRecord] | None) -> list[IterationRecord]:
    """Return both lists; a record replaces the earlier one of its number. `None` begins a new question."""
    if new is None:
        return []
    return list({record.number: record for record in (*(known or []), *new)}.values())


class FilingsState(TypedDict, total=False):
    """What is known while a question is answered."""

    question: str
    history: list[Exchange]
    """Earlier questions of the conversation, the oldest first."""
    analysis: dict[str, Any]
    """A `QuestionAnalysis`; `search_in` beside it names filings, calls, news; `complete` is the question as rules
    complete it from the one before."""
    targets: list[Target]
    mode: str
    rejected: str
    """Why the question is not answered; empty where it is."""
    reasoning: str
    sources: Annotated[list[SourceRecord], merge_sources]
    refusals: list[str]
    """Why a figure that was asked for could not be computed from statement cells."""
    lines: dict[str, Any] | None
    """The answer to a question over years, companies, parts or qualifiers: text, cited labels and `LineAnswer`; None for
    another question."""
    answer: str
    problems: list[ClaimRecord]
    cited: list[str]
    assessment: AssessmentRecord | None
    iterations: Annotated[list[IterationRecord], by_number]
    phrases: list[str]
    wanted: list[str]
    """What the next search looks into: filings, calls, news."""
    stopped: str
    unusable: str
    by_rules: str
    """See `runtime.graphs.by_rules`."""
    degraded: Degraded
    warnings: Annotated[list[str], restarted]


class FilingsSearchState(TypedDict, total=False):
    """State of the search in filings."""

    question: str
    analysis: dict[str, Any]
    targets: list[Target]
    reasoning: str
    sources: Annotated[list[SourceRecord], merge_sources]
    plan: list[dict[str, Any]]
    missing: list[str]
    draft: str
    quality: float
    round: int
    tables: list[list[Any]]
    """Places of the tables that were chosen so far."""
    by_rules: str
    degraded: Degraded
    warnings: Annotated[list[str], restarted]
