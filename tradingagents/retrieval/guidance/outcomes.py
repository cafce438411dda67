"""What came of guidance: the figure that was reported for its period, beside the low end, the middle and the high end.

Only what is of one basis is compared. Guidance that a company calls adjusted, organic or of constant currency has no
reported figure of that basis in filings, and guidance for earnings or margins that names no basis is mostly not by
GAAP: both are left open with the reason, never compared with the figure by GAAP.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from tradingagents.retrieval.guidance.guided_items import GuidedItem, guided_items
from tradingagents.retrieval.guidance.periods import GuidedPeriod
from tradingagents.retrieval.guidance.statements import GuidanceStatement
from tradingagents.retrieval.series.fact import Series, SeriesFact
from tradingagents.retrieval.series.span import Span

SeriesOf = Callable[[str, Span], Series]
"""Returns a line item over a span, as first reported and known by the day asked."""
_ONE_BASIS = frozenset({"revenue", "capex", "operating_cash_flow", "cost_of_revenue"})
"""Items that companies hardly ever state otherwise than by GAAP: what names no basis is compared."""
_BOTH = re.compile(r"\bGAAP and non-GAAP\b|\bnon-GAAP and GAAP\b")
"""What is said of both bases at once is by GAAP too."""
_LEAVES_OUT = re.compile(
    r"\bexclud(?:es?|ing)\b|\bbefore (?:any|the impact|special|discrete)\b|\bnet of\b", re.IGNORECASE
)
_COSTS = frozenset(
    {
        *("cost_of_revenue", "operating_expenses", "selling_general_administrative", "research_and_development"),
        *("interest_expense", "depreciation_and_amortization", "tax_rate", "capex"),
    }
)
"""Items of which less is no miss: they are above, within or below what was said."""
_BEGUN = timedelta(days=20)
"""A period may have ended so long before it is guided to: companies announce results ahead of the report."""
_TOO_LATE = ("the figure was reported before the statement", "its period had ended before the statement")
_AHEAD = {True: timedelta(days=230), False: timedelta(days=800)}
"""How long after a statement a quarter, or a year, ends at most."""
_SAID_AGAIN = timedelta(days=150)
"""How long after its end a period's figure may be named once more. What is named later is of another period: the
company and its filings count fiscal years differently."""


@dataclass(frozen=True, slots=True)
class GuidanceOutcome:
    """A statement with what was reported for its period."""

    statement: GuidanceStatement
    actual: float | None
    """In the statement's unit; None where nothing is compared."""
    reason: str
    """Why nothing is compared; empty where it is."""
    reported_at: datetime | None = None
    """When the figure was known, UTC."""
    filing: str = ""
    """Where it stands, or how it follows from what stands there."""

    @property
    def verdict(self) -> str:
        """`beat`, `met` or `missed`; of costs, `above`, `within` or `below`; empty where nothing is compared."""
        side = self._side
        if side is None:
            return ""
        words = ("below", "within", "above") if self.statement.item in _COSTS else ("missed", "met", "beat")
        return words[side + 1]

    @property
    def _side(self) -> int | None:
        """-1 below the range, 0 within, 1 above it; what is printed as an end when it is rounded is within."""
        low, high, actual = self.statement.low, self.statement.high, self.actual
        if actual is None:
            return None
        margin = 0.05 if self.in_points else 0.0005 * max(abs(low or 0), abs(high or 0))
        if low is not None and actual < low - margin:
            return -1
        return 1 if high is not None and actual > high + margin else 0

    @property
    def in_points(self) -> bool:
        """Whether the statement is a percentage, so that what came is told from it in basis points."""
        return self.statement.unit == "percent"

    def against(self, end: float | None) -> float | None:
        """Return how far what came lies above a figure: in per cent of it, or in basis points for a percentage.

        None where nothing is compared, or where per cent of the figure have no meaning because it is not above zero.
        """
        if self.actual is None or end is None:
            return None
        if self.in_points:
            return (self.actual - end) * 100
        return (self.actual / end - 1) * 100 if end > 0 else None


def outcome_of_line(line: Sequence[GuidanceStatement], series_of: SeriesOf) -> GuidanceOutcome:
    """Return what came of the last statement for an item and period that was made before its result.

    A company may name a period's figure once more after it is reported, or in a release of preliminary results; that
    is no guidance for it any more. Where every statement came too late, the outcome is that of the last one.

    Args:
        line: The statements for one item and period, in the order in which they were said; at least one.
        series_of: Gives line items as first reported.
    """
    outcomes = [outcome_of(statement, series_of) for statement in reversed(line)]
    return next((outcome for outcome in outcomes if outcome.reason not in _TOO_LATE), outcomes[0])


def outcome_of(statement: GuidanceStatement, series_of: SeriesOf) -> GuidanceOutcome:
    """Return what was reported for the period of a statement.

    Args:
        statement: What was guided to.
        series_of: Gives line items as first reported.
    """
    item = guided_items().get(statement.item)
    reason = "no line item of the statements is this item" if item is None else _not_comparable(statement, item)
    if item is None or reason:
        return GuidanceOutcome(statement, None, reason)
    span, before = _spans(statement.period)
    found = _reported(item, span, series_of)
    if isinstance(found, str):
        return GuidanceOutcome(statement, None, found)
    late = _misplaced(statement, found.rows[0])
    if late:
        return GuidanceOutcome(statement, None, late)
    if statement.measure == "growth":
        base = _reported(item, before, series_of)
        if isinstance(base, str):
            return GuidanceOutcome(statement, None, f"of the year before, {base}")
        if base.value <= 0:
            return GuidanceOutcome(statement, None, "growth from a figure that is not above zero has no meaning")
        return _told(statement, (found.value / base.value - 1) * 100, (*found.rows, *base.rows))
    if statement.unit not in (found.unit, "percent" if item.ratio else ""):
        return GuidanceOutcome(statement, None, f"it was reported in {found.unit}, not in {statement.unit}")
    return _told(statement, found.value, found.rows)


def _told(statement: GuidanceStatement, actual: float, rows: tuple[SeriesFact, ...]) -> GuidanceOutcome:
    places = "; ".join(dict.fromkeys(row.place.label for row in rows))
    return GuidanceOutcome(statement, actual, "", max(row.known_at for row in rows), places)


def _not_comparable(statement: GuidanceStatement, item: GuidedItem) -> str:
    if not (item.line_item or item.ratio):
        return "no line item of the statements is this item"
    if statement.part:
        return f"it is of {statement.part!r}, and the reported line is of the whole company"
    if statement.measure == "sequential":
        return "it is counted from the quarter before"
    if statement.basis in ("adjusted", "organic", "constant currency"):
        return f"it is {statement.basis}, and filings tag the figure by GAAP"
    if not (statement.basis or statement.item in _ONE_BASIS or _BOTH.search(statement.words)):
        return "it does not say whether it is by GAAP, as the reported figure is"
    if _LEAVES_OUT.search(statement.words):
        return "it leaves out what the reported figure holds"
    if statement.period.half is not None:
        return "no report is of half a year"
    if statement.measure == "change" or statement.since is not None:
        return "it is counted from another figure than that of the year before"
    return ""


@dataclass(frozen=True, slots=True)
class _ReportedFigure:
    """A reported figure, or the quotient of two in per cent."""

    value: float
    unit: str
    rows: tuple[SeriesFact, ...]


def _reported(item: GuidedItem, span: Span, series_of: SeriesOf) -> _ReportedFigure | str:
    """Return a reported figure; a sentence in its place where there is none."""
    rows: list[SeriesFact] = []
    for name in item.ratio or (item.line_item,):
        found = series_of(name, span)
        if not found.rows:
            return found.missing[0].reason.rstrip(".") if found.missing else "nothing was reported yet"
        rows.append(found.rows[0])
    if not item.ratio:
        return _ReportedFigure(rows[0].value, rows[0].unit, tuple(rows))
    if rows[1].value <= 0:
        return "a rate of a figure that is not above zero has no meaning"
    return _ReportedFigure(rows[0].value / rows[1].value * 100, "percent", tuple(rows))


def _spans(period: GuidedPeriod) -> tuple[Span, Span]:
    """Return the period of a statement and the one a year before it."""
    years = (period.year, period.year - 1)
    if period.quarter is None:
        return Span.years(years[0]), Span.years(years[1])
    return Span.quarters((years[0], period.quarter)), Span.quarters((years[1], period.quarter))


def _misplaced(statement: GuidanceStatement, row: SeriesFact) -> str:
    """Return why a reported period cannot be the one that was guided to; empty where it can."""
    said, end = statement.known_at.date(), row.period.end
    if not end - _AHEAD[statement.period.quarter is not None] <= said <= end + _SAID_AGAIN:
        return f"the period reported as {statement.period.label} ended on {end}, which the statement cannot mean"
    if row.known_at <= statement.known_at:
        return _TOO_LATE[0]
    return _TOO_LATE[1] if said > end + _BEGUN else ""
