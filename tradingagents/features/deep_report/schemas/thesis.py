"""Records of a deep report: hypotheses, syntheses, iterations, scenarios, sections, and the report's card."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, ClassVar, Literal

from tradingagents.features.deep_report.schemas.falsifiers import Falsifier, FalsifierDraft
from tradingagents.features.deep_report.schemas.replies import RubricScores, Synthesis
from tradingagents.schemas.cards import COMMON, CardRecord
from tradingagents.schemas.evidence import ValueDriver
from tradingagents.schemas.facts import PriceRange
from tradingagents.schemas.record import Number, Record

WHOLE = "report"
"""Stands for all hypotheses where one is named."""
HypothesisStatus = Literal["open", "validated", "rejected", "exhausted", "uncertain"]
"""`exhausted`: two rounds in a row found little that was new. `uncertain`: its research failed."""


class HypothesisRecord(Record):
    """A hypothesis and where it stands."""

    older_lack: ClassVar[Mapping[str, Any]] = MappingProxyType({"proposed": ()})

    id: str
    """`H-` and part of the hash of its title, so that reports of one company share it."""
    title: str
    thesis: str
    evidence_needed: list[str]
    impact: str
    """HIGH, MED or LOW."""
    status: HypothesisStatus
    confidence: Number
    """0 to 1, computed from the evidence."""
    depths: list[Number]
    """Depth of the evidence after each round of research."""
    questions: list[str]
    """What the next round should find out."""
    proposed: list[FalsifierDraft]
    """Falsifiers that a model proposed."""
    falsifiers: list[Falsifier] | None = None
    """Conditions that would prove it wrong, made when the evidence is frozen; None before, and in older records."""


class _OfRound(Record):
    iteration: int
    """The round of research: the one that was made, or that is steered."""
    hypothesis: str
    """Id of a hypothesis; for all of them `WHOLE` in a synthesis, and empty in a hint."""


class SynthesisRecord(Synthesis, _OfRound):
    """What bull and bear make of one hypothesis at a checkpoint.

    The confidence is the model's own; the report's confidence is computed.
    """


class Contradiction(Record):
    """Two items of evidence that cannot, or need not, both be right; they are named by their ids."""

    older_lack: ClassVar[Mapping[str, Any]] = MappingProxyType({"prevails": "", "why": ""})

    hypothesis: str
    supports: str
    """Of the two, the one that supports its hypothesis or raises the driver."""
    contradicts: str
    about: str
    """The driver, or the hypothesis as a whole."""
    prevails: str
    """The item that is right by the rank or age of its source; empty where both stand."""
    why: str
    """Why it prevails, or why both stand."""

    @property
    def overruled(self) -> str:
        """Id of the item that does not count; empty where both stand."""
        if not self.prevails:
            return ""
        return self.contradicts if self.prevails == self.supports else self.supports


class ReportHint(_OfRound):
    """What the reader wants a round of research to look at."""

    text: str


class EvaluationRecord(RubricScores, Record):
    """Scores of one iteration, 0 to 10 where nothing else is said."""

    diversity: Number
    """Types of source among the evidence; counted."""
    items: int
    """Items of evidence; counted."""
    recommendations: list[str]


class ThesisIteration(Record):
    """One round of research with what it found."""

    number: int
    researched: list[str]
    """Ids of hypotheses."""
    new_items: list[str]
    """Ids of evidence."""
    dropped: list[str]
    """Why evidence was refused."""
    contradictions: list[Contradiction]
    insights: list[str]
    syntheses: list[SynthesisRecord]
    evaluation: EvaluationRecord | None
    confidence: Number
    """Of all hypotheses, weighted by impact."""
    titles: dict[str, str]
    """Title of each hypothesis that was researched, by id."""
    confidences: dict[str, Number]


class ParagraphRecord(Record):
    """One paragraph of the report."""

    text: str
    evidence: list[str]
    """Ids of the items that it rests on."""


class NarrativeSectionRecord(Record):
    """One section of the narrative."""

    name: str
    paragraphs: list[ParagraphRecord]


class ScenarioRecord(Record):
    """One scenario with its value."""

    name: str
    probability: Number
    value_per_share: Number


class PastRangeRecord(Record):
    """The range of a driver over the company's own years, and what the cases take of it. Fractions, not percent."""

    driver: Literal["growth", "margin"]
    base: Number
    """Level of the base case: growth of year 1, margin of the last year."""
    low: Number
    low_years: str
    high: Number
    high_years: str
    bull_change: Number
    """From the base case, after the limit of the driver; 0 where the past does not raise the value."""
    bear_change: Number


class ValueStep(Record):
    """What one item of evidence asked for, and what it does to the value."""

    item: str
    """Its id."""
    driver: ValueDriver
    asked: Number
    """The item's change."""
    weighted: Number
    """After the limit of the item and its confidence; before the limit on the sum."""
    value_effect: Number
    """Value per share with all items, less the value without this one. Effects do not add up to the whole change
    where drivers act on each other or a sum is limited; the rest is `ThesisValuation.interaction`."""
    limited: bool
    """Whether the limit of an item cut the change."""


class ThesisValuation(Record):
    """From the base case to the expected value. Money per share in `currency`."""

    older_lack: ClassVar[Mapping[str, Any]] = MappingProxyType(
        dict.fromkeys(("past", "doubts", "notes", "opening"), ())
    )

    currency: str
    price: Number
    price_day: str
    base_inputs: dict[str, Any]
    inputs: dict[str, Any]
    """After the evidence."""
    base_value: Number
    value_per_share: Number
    expected_value: Number
    upside: Number
    """Expected value over price, less 1."""
    steps: list[ValueStep]
    interaction: Number
    limited_drivers: list[str]
    scenarios: list[ScenarioRecord]
    past: list[PastRangeRecord]
    """The ranges that the bull and the bear case take."""
    sensitivity: list[dict[str, Any]]
    """Value per share with each driver low and high."""
    price_needs: list[dict[str, Any]]
    """What each driver would have to be for the price to be right."""
    assumptions: list[dict[str, Any]]
    """Inputs of the base case with their sources."""
    kernel_version: str
    doubts: list[str]
    """Why no rating follows from the value, as ends of a sentence with `because`; empty where one does."""
    notes: list[str]
    """What the valuation says of its data."""
    opening: list[str]
    """What the price pays for, range, value, movers and doubts, in words."""


class ReportScores(Record):
    """The rubric of the whole report."""

    overall: Number
    """0 to 10."""
    specificity: Number
    diversity: int
    items: int
    insights: int
    coverage: Number
    """Share of claims that name evidence, counted."""
    claims: int
    passed: bool
    shortfalls: list[str]
    engagement: Number | None = None
    """Share of the cases in syntheses that name evidence of the other side; None as the next two where not counted."""
    novelty: Number | None = None
    """Share of insights that no single item of evidence states."""
    density: Number | None = None
    """Items of evidence that the narrative names, for 1,000 words of it."""


class ChartedPrices(Record):
    """Closes of a year up to the report's day."""

    days: list[str]
    closes: list[Number | None]
    """As traded on the last day: adjusted for splits since, not for dividends."""
    currency: str
    source: str


class ChartedEvent(Record):
    """What happened on a day of the price chart."""

    day: str
    kind: str
    """earnings, dividend, split or filing."""
    text: str


class FiscalYearRecord(Record):
    """One fiscal year of the income statement."""

    end: str
    revenue: Number | None
    """In `currency`, unscaled."""
    currency: str
    gross_margin: Number | None
    """Fraction of revenue, as are the others; None where the source does not give it."""
    operating_margin: Number | None
    net_margin: Number | None


class GrowthRecord(Record):
    """Growth of a company's revenue."""

    symbol: str
    growth: Number
    """Fraction: the newest quarter against the same quarter of the year before."""
    end: str
    """End of that quarter."""


class PassageRecord(Record):
    """The words of a stored filing or call around a quotation, for readers who cannot open the document."""

    item: str
    """Id of the item of evidence."""
    before: str
    quote: str
    """As the page prints it."""
    after: str


class ExhibitRecord(Record):
    """What the charts of a report draw, and why one is not drawn."""

    older_lack: ClassVar[Mapping[str, Any]] = MappingProxyType({"passages": ()})

    prices: ChartedPrices | None
    events: list[ChartedEvent]
    years: list[FiscalYearRecord]
    """Oldest first."""
    years_source: str
    growth: list[GrowthRecord]
    """The company first."""
    growth_source: str
    ranges: list[PriceRange]
    """Prices of the share at the multiples of the peers."""
    missing: dict[str, str]
    """By chart (prices, filings, years, growth, ranges), why it has no data."""
    documents: dict[str, str]
    """By key of a stored filing or call that evidence cites, its address on the web."""
    passages: list[PassageRecord]
    """Of items whose document has no address on the web."""


class DeepReportRecord(CardRecord):
    """The card of a deep report."""

    older_lack: ClassVar[Mapping[str, Any]] = MappingProxyType(
        {**CardRecord.older_lack, **dict.fromkeys(("hints", "contradictions", "scenarios"), ())}
    )
    written_last = (*COMMON, "exhibits", "grounding")

    ticker: str
    name: str
    as_of: str
    stopped: str
    """confidence, max_iterations, no_material_hypotheses, nothing_new, budget_level or reader."""
    confidence: Number
    rating: str
    """BUY, HOLD or SELL by expected value against price; empty without a valuation."""
    hypotheses: list[HypothesisRecord]
    evidence: list[dict[str, Any]]
    """Items of the frozen bundle, each with its `label` (E1, E2 …, in the order of the text) and its `driver`; None
    for an item that moves none."""
    bundle: str
    """SHA-256 of the bundle."""
    hints: list[ReportHint]
    contradictions: list[Contradiction]
    """Of all evidence, those that are decided first."""
    iterations: list[ThesisIteration]
    syntheses: list[SynthesisRecord]
    sections: list[NarrativeSectionRecord]
    valuation: ThesisValuation | None
    scenarios: list[ScenarioRecord]
    """Those of the valuation; empty without one."""
    no_valuation: str
    """Why there is no valuation; empty where there is one."""
    scores: ReportScores
    written_by: str
    exhibits: ExhibitRecord | None = None
    """None where the run ended before they were gathered."""
