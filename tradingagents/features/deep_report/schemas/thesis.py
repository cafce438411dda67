"""Records of a deep report: hypotheses, syntheses, iterations, scenarios, sections, and the report's card."""

from __future__ import annotations

from typing import Any, Literal, NotRequired

from typing_extensions import TypedDict

from tradingagents.schemas.cards import COMMON, CardRecord
from tradingagents.schemas.record import Number

WHOLE = "report"
"""Stands for all hypotheses where one is named."""
HypothesisStatus = Literal["open", "validated", "rejected", "exhausted", "uncertain"]
"""`exhausted`: two rounds in a row found little that was new. `uncertain`: its research failed."""


class _MoreOfHypothesis(TypedDict, total=False):
    proposed: list[dict[str, Any]]
    """Falsifiers that a model proposed, as `schemas.falsifiers.FalsifierDraft`."""
    falsifiers: list[dict[str, Any]]
    """Conditions that would prove it wrong, as `schemas.falsifiers.Falsifier`; made when the evidence is frozen."""


class HypothesisRecord(_MoreOfHypothesis):
    """A hypothesis and where it stands."""

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


class SynthesisRecord(TypedDict):
    """What bull and bear make of one hypothesis at a checkpoint."""

    iteration: int
    hypothesis: str
    """Its id; `WHOLE` for the final synthesis of all."""
    bull_case: str
    bear_case: str
    synthesis: str
    insights: list[str]
    probabilities: dict[str, Number]
    """bull, base and bear; they add up to 1."""
    confidence: Number
    """The model's own; the report's confidence is computed."""


class ContradictionRecord(TypedDict):
    """Two items of evidence that point opposite ways."""

    hypothesis: str
    supports: str
    contradicts: str
    """Ids of the items."""
    about: str
    """The driver, or the hypothesis as a whole."""
    prevails: str
    """Id of the item that is right by the rank or age of its source; empty where both stand."""
    why: str


class ReportHint(TypedDict):
    """What the reader wants a round of research to look at."""

    iteration: int
    """The round that it steers."""
    hypothesis: str
    """Id of the hypothesis that it is for; empty for all."""
    text: str


class EvaluationRecord(TypedDict):
    """Scores of one iteration, 0 to 10 where nothing else is said."""

    specificity: Number
    insights: Number
    logic: Number
    actionability: Number
    diversity: Number
    """Types of source among the evidence; counted."""
    items: int
    """Items of evidence; counted."""
    recommendations: list[str]


class ThesisIteration(TypedDict):
    """One round of research with what it found."""

    number: int
    researched: list[str]
    """Ids of hypotheses."""
    new_items: list[str]
    """Ids of evidence."""
    dropped: list[str]
    """Why evidence was refused."""
    contradictions: list[ContradictionRecord]
    insights: list[str]
    syntheses: list[SynthesisRecord]
    evaluation: EvaluationRecord | None
    confidence: Number
    """Of all hypotheses, weighted by impact."""
    titles: dict[str, str]
    """Title of each hypothesis that was researched, by id."""
    confidences: dict[str, Number]


class ParagraphRecord(TypedDict):
    """One paragraph of the report."""

    text: str
    evidence: list[str]
    """Ids of the items that it rests on."""


class NarrativeSectionRecord(TypedDict):
    """One section of the narrative."""

    name: str
    paragraphs: list[ParagraphRecord]


class ScenarioRecord(TypedDict):
    """One scenario with its value."""

    name: str
    probability: Number
    value_per_share: Number


class PastRangeRecord(TypedDict):
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


class ValueStepRecord(TypedDict):
    """What one item of evidence moves."""

    item: str
    driver: str
    asked: Number
    weighted: Number
    value_effect: Number
    limited: bool


class ThesisValuation(TypedDict):
    """From the base case to the expected value. Money per share in `currency`."""

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
    steps: list[ValueStepRecord]
    interaction: Number
    limited_drivers: list[str]
    scenarios: list[ScenarioRecord]
    past: NotRequired[list[PastRangeRecord]]
    """The ranges that the bull and the bear case take; absent in records from before they did."""
    sensitivity: list[dict[str, Any]]
    """Value per share with each driver low and high."""
    price_needs: list[dict[str, Any]]
    """What each driver would have to be for the price to be right."""
    assumptions: list[dict[str, Any]]
    """Inputs of the base case with their sources."""
    kernel_version: str
    doubts: NotRequired[list[str]]
    """Why no rating follows from the value, as ends of a sentence with `because`; empty where one does."""
    notes: NotRequired[list[str]]
    """What the valuation says of its data."""
    opening: NotRequired[list[str]]
    """What the price pays for, range, value, movers and doubts, in words; absent in older records."""


class ReportDepthScores(TypedDict, total=False):
    """What is counted beside the rubric; missing in records made before it was."""

    engagement: Number
    """Share of the cases in syntheses that name evidence of the other side."""
    novelty: Number
    """Share of insights that no single item of evidence states."""
    density: Number
    """Items of evidence that the narrative names, for 1,000 words of it."""


class ReportScores(ReportDepthScores):
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


class ChartedPrices(TypedDict):
    """Closes of a year up to the report's day."""

    days: list[str]
    closes: list[Number | None]
    """As traded on the last day: adjusted for splits since, not for dividends."""
    currency: str
    source: str


class ChartedEvent(TypedDict):
    """What happened on a day of the price chart."""

    day: str
    kind: str
    """earnings, dividend, split or filing."""
    text: str


class FiscalYearRecord(TypedDict):
    """One fiscal year of the income statement."""

    end: str
    revenue: Number | None
    """In `currency`, unscaled."""
    currency: str
    gross_margin: Number | None
    """Fraction of revenue, as are the others; None where the source does not give it."""
    operating_margin: Number | None
    net_margin: Number | None


class GrowthRecord(TypedDict):
    """Growth of a company's revenue."""

    symbol: str
    growth: Number
    """Fraction: the newest quarter against the same quarter of the year before."""
    end: str
    """End of that quarter."""


class PeerRangeRecord(TypedDict):
    """Prices of the share at a multiple of the peers."""

    label: str
    low: Number
    middle: Number
    high: Number
    note: str


class PassageRecord(TypedDict):
    """The words of a stored filing or call around a quotation, for readers who cannot open the document."""

    item: str
    """Id of the item of evidence."""
    before: str
    quote: str
    """As the page prints it."""
    after: str


class ExhibitRecord(TypedDict):
    """What the charts of a report draw, and why one is not drawn."""

    prices: ChartedPrices | None
    events: list[ChartedEvent]
    years: list[FiscalYearRecord]
    """Oldest first."""
    years_source: str
    growth: list[GrowthRecord]
    """The company first."""
    growth_source: str
    ranges: list[PeerRangeRecord]
    missing: dict[str, str]
    """By chart (prices, filings, years, growth, ranges), why it has no data."""
    documents: dict[str, str]
    """By key of a stored filing or call that evidence cites, its address on the web."""
    passages: NotRequired[list[PassageRecord]]
    """Of items whose document has no address on the web; absent in records from before there were any."""


class DeepReportRecord(CardRecord):
    """The card of a deep report."""

    written_last = (*COMMON, "exhibits", "grounding")

    ticker: str
    name: str
    as_of: str
    stopped: str
    """confidence, max_iterations, no_material_hypotheses, budget_level or reader."""
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
    contradictions: list[ContradictionRecord]
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
