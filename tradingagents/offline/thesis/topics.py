"""The hypotheses that the rules state, with the figures that test them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from tradingagents.offline.thesis.models import SourceFigure
from tradingagents.schemas.evidence import EvidenceDirection

NEAR = 1.25
"""A multiple of up to this many times its peers' median is within their reach."""
Figures = Mapping[str, SourceFigure]


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureTest:
    """A figure that speaks for a hypothesis above a threshold and against it below."""

    name: str
    least: float
    """In the figure's unit; at it the figure supports."""
    confidence: float
    below: bool = False
    """Whether the figure supports below the threshold instead."""
    effect: Callable[[float, Figures], Mapping[str, Any] | None] | None = None
    """The change of a driver that the figure carries; None for none."""
    undecided_at: float | None = None
    """A value that says nothing, such as no net trade of insiders; None for none."""
    against: str = ""
    """Figure that stands for the threshold, times `NEAR`, where it is known; empty for the threshold alone."""
    only_compared: bool = False
    """Whether the figure itself says nothing, and is there for another one to be compared with."""

    def direction(self, value: float, figures: Figures) -> EvidenceDirection:
        """Return what a value says about the hypothesis, next to the company's other figures."""
        if self.only_compared or value == self.undecided_at:
            return "neutral"
        other = figures.get(self.against)
        least = NEAR * other.value if other is not None and other.value > 0 else self.least
        holds = value <= least if self.below else value >= least
        return "supports" if holds else "contradicts"


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """One hypothesis of the rules."""

    key: str
    title: str
    thesis: str
    evidence_needed: tuple[str, ...]
    impact: str
    tests: tuple[FigureTest, ...]


def _conversion(value: float, figures: Figures) -> Mapping[str, Any] | None:
    """Free cash flow above net income means less capital for growth, below it more: a tenth of the gap."""
    income = figures.get("ttm_net_income")
    if income is None or income.value <= 0:
        return None
    return {"driver": "capital_intensity", "change": round((1 - value / income.value) / 10, 4)}


def _debt(value: float, _figures: Figures) -> Mapping[str, Any] | None:
    """Debt above equity makes capital dearer: 0.1 points for each tenth above 1, at most 0.5."""
    dearer = min(max(0.0, value - 1.0) / 100, 0.005)
    return {"driver": "cost_of_capital", "change": round(dearer, 4)} if dearer else None


def _surprise(value: float, _figures: Figures) -> Mapping[str, Any] | None:
    """Results above the estimates move the margin of the first two years by a tenth of the surprise in points."""
    return {"driver": "margin", "change": round(value / 1000, 4), "first_year": 1, "last_year": 2}


TOPICS: tuple[Topic, ...] = (
    Topic(
        key="growth",
        title="Revenue keeps growing at a double-digit rate",
        thesis="Demand carries revenue growth of 10% or more. Growth of twelve months below 10% would prove it wrong.",
        evidence_needed=("Revenue growth on the year", "Growth of earnings per share"),
        impact="HIGH",
        tests=(
            FigureTest(name="revenue_yoy", least=10, confidence=0.9),
            FigureTest(name="eps_yoy", least=10, confidence=0.5),
        ),
    ),
    Topic(
        key="margins",
        title="The company keeps a high operating margin",
        thesis="Its products command prices well above cost. An operating margin below 15% would prove it wrong.",
        evidence_needed=("Gross, operating and net margin", "Results against estimates"),
        impact="HIGH",
        tests=(
            FigureTest(name="operating_margin", least=15, confidence=0.9),
            FigureTest(name="gross_margin", least=40, confidence=0.8),
            FigureTest(name="net_margin", least=10, confidence=0.8),
            FigureTest(name="eps_surprise", least=0, confidence=0.5, effect=_surprise),
        ),
    ),
    Topic(
        key="cash",
        title="Earnings turn into free cash flow",
        thesis="What is earned arrives as cash. Negative free cash flow would prove it wrong.",
        evidence_needed=("Cash flow from operations and free cash flow", "Quality of the statements"),
        impact="MED",
        tests=(
            FigureTest(name="ttm_free_cash_flow", least=0, confidence=0.8, effect=_conversion),
            FigureTest(name="ttm_operating_cash_flow", least=0, confidence=0.8),
            FigureTest(name="piotroski_f_score", least=6, confidence=0.7),
            FigureTest(name="fcf_yield", least=2, confidence=0.6),
        ),
    ),
    Topic(
        key="balance",
        title="The balance sheet can carry a downturn",
        thesis="Debt is low against equity and liquid means are ample. Debt above equity would prove it wrong.",
        evidence_needed=("Debt against equity", "Current ratio"),
        impact="MED",
        tests=(
            FigureTest(name="debt_to_equity", least=1, confidence=0.9, below=True, effect=_debt),
            FigureTest(name="current_ratio", least=1, confidence=0.7),
        ),
    ),
    Topic(
        key="expectations",
        title="The price asks no more of the company than its peers deliver",
        thesis="The share trades within reach of its peers' multiples. A P/E far above theirs would prove it wrong.",
        evidence_needed=("Multiples of the company and of its peers", "Trades of insiders"),
        impact="HIGH",
        tests=(
            FigureTest(name="pe_ttm", least=30, confidence=0.7, below=True, against="peer_median_pe_ttm"),
            FigureTest(name="ev_ebitda", least=20, confidence=0.7, below=True, against="peer_median_ev_ebitda"),
            FigureTest(name="peer_median_pe_ttm", least=0, confidence=0.6, only_compared=True),
            FigureTest(name="peer_median_ev_ebitda", least=0, confidence=0.6, only_compared=True),
            FigureTest(name="peg", least=2, confidence=0.6, below=True),
            FigureTest(name="net_value", least=0, confidence=0.3, undecided_at=0),
        ),
    ),
)
"""Thresholds are round numbers of common use, not calibrated."""
BY_TITLE: Mapping[str, Topic] = {one.title: one for one in TOPICS}
