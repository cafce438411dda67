"""Records of what changed from one deep report on a company to a later one, and why."""

from __future__ import annotations

from typing import Literal

from tradingagents.schemas.record import Number, Record

EvidenceChange = Literal["new", "gone", "changed"]


class ComparedReport(Record):
    """One of the two reports. Money per share in `currency`; None without a valuation."""

    run_id: str
    as_of: str
    rating: str
    """Empty where it is not rated."""
    currency: str
    price: Number | None
    base_value: Number | None
    value_per_share: Number | None
    expected_value: Number | None
    upside: Number | None
    confidence: Number
    quality: Number


class ValueChange(Record):
    """Parts of the change of the expected value, per share; they add up to it."""

    data: Number
    """By prices, statements and rates: the base cases differ."""
    evidence: Number
    """By what the evidence moves on top of the base case."""
    scenarios: Number
    """By the scenarios and their probabilities around the value."""
    total: Number


class DataChange(Record):
    """What a group of inputs from data changes, per share."""

    name: str
    change: Number


class DriverChange(Record):
    """What the evidence moves a driver by, all items together, before limits on the sum."""

    driver: str
    before: Number
    after: Number


class InputChange(Record):
    """An input of the base case that differs."""

    name: str
    before: str
    """As shown; empty where the report has none."""
    after: str
    source: str
    """Of the later report, else of the earlier one."""


class ScenarioChange(Record):
    """A scenario in both reports; None where one has none of that name."""

    name: str
    probability_before: Number | None
    probability_after: Number | None
    value_before: Number | None
    value_after: Number | None


class HypothesisChange(Record):
    """A hypothesis whose standing differs; an empty status where a report does not have it."""

    title: str
    status_before: str
    status_after: str
    confidence_before: Number | None
    confidence_after: Number | None


class EvidenceDifference(Record):
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


class DatedEvent(Record):
    """What became known between the days of the reports."""

    day: str
    text: str


class ReportChanges(Record):
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
