"""Records of what changed from one deep report on a company to a later one, and why."""

from __future__ import annotations

from typing import Literal, TypedDict

EvidenceChange = Literal["new", "gone", "changed"]


class ComparedReport(TypedDict):
    """One of the two reports. Money per share in `currency`; None without a valuation."""

    run_id: str
    as_of: str
    rating: str
    """Empty where it is not rated."""
    currency: str
    price: float | None
    base_value: float | None
    value_per_share: float | None
    expected_value: float | None
    upside: float | None
    confidence: float
    quality: float


class ValueChange(TypedDict):
    """Parts of the change of the expected value, per share; they add up to it."""

    data: float
    """By prices, statements and rates: the base cases differ."""
    evidence: float
    """By what the evidence moves on top of the base case."""
    scenarios: float
    """By the scenarios and their probabilities around the value."""
    total: float


class DataChange(TypedDict):
    """What a group of inputs from data changes, per share."""

    name: str
    change: float


class DriverChange(TypedDict):
    """What the evidence moves a driver by, all items together, before limits on the sum."""

    driver: str
    before: float
    after: float


class InputChange(TypedDict):
    """An input of the base case that differs."""

    name: str
    before: str
    """As shown; empty where the report has none."""
    after: str
    source: str
    """Of the later report, else of the earlier one."""


class ScenarioChange(TypedDict):
    """A scenario in both reports; None where one has none of that name."""

    name: str
    probability_before: float | None
    probability_after: float | None
    value_before: float | None
    value_after: float | None


class HypothesisChange(TypedDict):
    """A hypothesis whose standing differs; an empty status where a report does not have it."""

    title: str
    status_before: str
    status_after: str
    confidence_before: float | None
    confidence_after: float | None


class EvidenceDifference(TypedDict):
    """An item of evidence that is new, gone or changed."""

    change: EvidenceChange
    label: str
    """In the later report; in the earlier one for what is gone."""
    claim: str
    before: str
    """The earlier claim, of one that changed."""
    source: str
    known_at: str
    direction: str
    direction_before: str
    driver: str
    """Empty where it moves none."""


class DatedEvent(TypedDict):
    """What became known between the days of the reports."""

    day: str
    text: str


class ReportChanges(TypedDict):
    """Two reports of one company side by side, the earlier day first."""

    ticker: str
    name: str
    before: ComparedReport
    after: ComparedReport
    why: list[str]
    """The change of rating and value in sentences."""
    value: ValueChange | None
    """None where a report has no valuation."""
    data: list[DataChange]
    """Parts of the change by data, by group of inputs, in the order in which they were replaced."""
    drivers: list[DriverChange]
    inputs: list[InputChange]
    scenarios: list[ScenarioChange]
    hypotheses: list[HypothesisChange]
    evidence: list[EvidenceDifference]
    unchanged_evidence: int
    events: list[DatedEvent]
