"""The hypotheses that the rules state, with the figures that test them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from tradingagents.offline.thesis.models import SourceFigure
from tradingagents.schemas.evidence import EvidenceDirection

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

    def direction(self, value: float) -> EvidenceDirection:
        """Return what a value says about the hypothesis."""
        if value == self.undecided_at:
            return "neutral"
        holds = value <= self.least if self.below else value >= self.least
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


def _momentum(value: float, figures: Figures) -> Mapping[str, Any] | None:
    """A quarter that grows faster or slower than the year moves growth by a quarter of the gap, for two years."""
    year = figures.get("revenue_yoy")
    if year is None:
        return None
    annual = 100 * ((1 + value / 100) ** 4 - 1)
    return {"driver": "growth", "change": round((annual - year.value) / 400, 4), "first_year": 1, "last_year": 2}


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
        evidence_needed=("Revenue growth on the year and on the quarter", "Growth of earnings per share"),
        impact="HIGH",
        tests=(
            FigureTest(name="revenue_yoy", least=10, confidence=0.9),
            FigureTest(name="revenue_qoq", least=0, confidence=0.6, effect=_momentum),
            FigureTest(name="eps_yoy", least=10, confidence=0.7),
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
        evidence_needed=("Debt against equity", "Current ratio", "Trades of insiders"),
        impact="MED",
        tests=(
            FigureTest(name="debt_to_equity", least=1, confidence=0.9, below=True, effect=_debt),
            FigureTest(name="current_ratio", least=1, confidence=0.7),
            FigureTest(name="net_value", least=0, confidence=0.4, undecided_at=0),
        ),
    ),
    Topic(
        key="expectations",
        title="The price asks no more of the company than its peers deliver",
        thesis="The share trades within reach of its peers' multiples. A P/E far above theirs would prove it wrong.",
        evidence_needed=("Multiples of the company and of its peers", "Returns against the sector"),
        impact="HIGH",
        tests=(
            FigureTest(name="pe_ttm", least=30, confidence=0.7, below=True),
            FigureTest(name="ev_ebitda", least=20, confidence=0.7, below=True),
            FigureTest(name="peg", least=2, confidence=0.6, below=True),
            FigureTest(name="alpha_6m", least=0, confidence=0.4),
        ),
    ),
)
"""Thresholds are round numbers of common use, not calibrated."""
BY_TITLE: Mapping[str, Topic] = {one.title: one for one in TOPICS}
