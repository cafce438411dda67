"""Evidence: the readings in the reports' closing tables, weighed into one view of the stock."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from tradingagents.dataflows.figures import parse_number
from tradingagents.llm_clients.offline.reading import Prompt
from tradingagents.llm_clients.offline.rules import RULES, overall, weight_of
from tradingagents.llm_clients.offline.tables import Row, closing_table, figures_of

REPORT_WEIGHTS: Mapping[str, float] = {
    "market_report": 0.40,
    "fundamentals_report": 0.35,
    "news_report": 0.15,
    "sentiment_report": 0.10,
}
"""What each report counts in the net score; renormalised over the reports that hold a reading."""
THRESHOLD = 0.06
"""Leaning score beyond which the stock is bought or sold. Means of many readings are small: see the docs page."""
REGIME_LEAN = 0.03
"""What risk-on adds to the net score before it is held against the threshold, and risk-off takes away."""
RISK_ON, RISK_OFF = 3.0, -3.0
LESSON_EMPHASIS = 1.5
"""How much stronger evidence ranks whose subject a lesson names."""
_SUBJECTS = {
    "market_report": re.compile(r"\b(trend|momentum|technical|rsi|macd|volatility|drawdown|overbought|oversold)", re.I),
    "fundamentals_report": re.compile(
        r"\b(valuation|growth|margins?|earnings|debt|cash flow|multiples?|fundamental)", re.I
    ),
    "news_report": re.compile(r"\b(news|headlines?|insiders?|regulat|lawsuit)", re.I),
    "sentiment_report": re.compile(r"\b(sentiment|mood|hype|crowd|attention|social)", re.I),
}
_CITATION = re.compile(r"\((?:market|fundamentals|news|sentiment)_report\)")


@dataclass(frozen=True, slots=True)
class Evidence:
    """One reading of one report."""

    report: str
    row: Row
    contribution: float
    """Its part of the net score; the contributions of all evidence add up to it."""

    @property
    def figure(self) -> str:
        """The figure as it stands in the report, for example `rsi 46.20`."""
        return self.row.figure

    @property
    def cite(self) -> str:
        """The figure with the report's name, for example `rsi 46.20 (market_report)`."""
        return f"{self.figure} ({self.report})"

    @property
    def quotable(self) -> bool:
        """Whether a tool showed the figure; false for what an offline analyst derived."""
        return not self.row.shown.endswith((" derived", " counted"))

    def said_in(self, text: str) -> bool:
        """Say whether a text rests on this evidence: by its citation; in a text without any, by the metric's name."""
        if _CITATION.search(text):
            return f"{self.figure} (" in text
        return re.search(rf"\b{re.escape(self.row.metric)}\b", text, re.IGNORECASE) is not None


@dataclass(frozen=True)
class View:
    """What all the evidence adds up to."""

    evidence: tuple[Evidence, ...]
    by_report: Mapping[str, float]
    """Mean score of each report that holds a reading."""
    regime: float | None
    """Macro regime score, -6 to 6; None where it is not known."""

    @cached_property
    def net(self) -> float:
        """The net score, -1 to 1; 0 without evidence."""
        return sum(item.contribution for item in self.evidence)

    @property
    def coverage(self) -> float:
        """The share of report weight that holds a reading, 0 to 1."""
        return sum(REPORT_WEIGHTS[name] for name in self.by_report)

    @property
    def action(self) -> str:
        """BUY, SELL or HOLD by the net score and the regime."""
        return action_of(self.net, self.regime)

    def side(self, sign: int) -> list[Evidence]:
        """Return the bullish (1) or bearish (-1) evidence, strongest first."""
        return by_strength(item for item in self.evidence if item.contribution * sign > 0)

    def find(self, metric: str) -> Evidence | None:
        """Return the reading of one figure that our rules score; None where no report has it."""
        return next((item for item in self.evidence if item.row.metric == metric and key(item) in RULES), None)

    def figure(self, metric: str) -> str:
        """Quote a figure as it stands in its report, for example `atr 5.12`; empty where no report has it."""
        item = self.find(metric)
        return item.figure if item else ""

    def value(self, metric: str) -> float | None:
        """Return a figure's number, in its unit; None where no report has it."""
        item = self.find(metric)
        parsed = parse_number(item.row.shown) if item else None
        return parsed[0] if parsed else None


def view_of(prompt: Prompt) -> View:
    """Weigh the closing tables of all reports."""
    tables = {name: closing_table(prompt.reports[name]) for name in REPORT_WEIGHTS if name in prompt.reports}
    means = {name: mean for name, rows in tables.items() if (mean := overall(rows)) is not None}
    total = sum(REPORT_WEIGHTS[name] for name in means)
    evidence = tuple(
        Evidence(name, row, REPORT_WEIGHTS[name] / total * weight_of(row) * row.score / weights)
        for name in means
        for weights in (sum(weight_of(row) for row in tables[name]),)
        for row in tables[name]
    )
    return View(evidence, means, _regime(prompt, tables.get("market_report", ())))


def action_of(net: float, regime: float | None) -> str:
    """Return BUY where net plus the regime's lean is above `THRESHOLD`, SELL below its mirror, else HOLD."""
    leaning = net + lean(regime)
    return "BUY" if leaning > THRESHOLD else "SELL" if leaning < -THRESHOLD else "HOLD"


def lean(regime: float | None) -> float:
    """Return what the macro regime adds to the net score."""
    if regime is None or RISK_OFF < regime < RISK_ON:
        return 0.0
    return REGIME_LEAN if regime >= RISK_ON else -REGIME_LEAN


def by_strength(items: Iterable[Evidence], lessons: str = "") -> list[Evidence]:
    """Sort evidence by the size of its contribution; what the lessons speak of ranks higher."""
    named = {report for report, subject in _SUBJECTS.items() if subject.search(lessons)}
    return sorted(
        items,
        key=lambda item: (
            -abs(item.contribution) * (LESSON_EMPHASIS if item.report in named else 1.0),
            item.row.metric,
        ),
    )


def distinct(items: Iterable[Evidence]) -> list[Evidence]:
    """Keep the first evidence of each metric."""
    kept: dict[str, Evidence] = {}
    for item in items:
        kept.setdefault(item.row.metric, item)
    return list(kept.values())


def key(item: Evidence) -> tuple[str, str]:
    """Return source and metric: what the rules and weights are kept by."""
    return item.row.source, item.row.metric


def _regime(prompt: Prompt, market: Iterable[Row]) -> float | None:
    """Read the regime score from the market report's table, else from the macro regime report."""
    for row in (*market, *closing_table(prompt.reports.get("macro_regime_report", ""))):
        if row.metric == "regime_score":
            parsed = parse_number(row.shown)
            return parsed[0] if parsed else None
    shown = figures_of(prompt.reports.get("macro_regime_report", ""))[0].get("regime_score")
    return shown.value if shown else None
