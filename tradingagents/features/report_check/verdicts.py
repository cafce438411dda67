"""The verdict on each figure of a report, from the data on its company and on others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Literal

from tradingagents.features.report_check.facts import (
    COSTS,
    OUTFLOWS,
    SHARES_OF_REVENUE,
    CheckableCompany,
    CheckedCell,
    FiscalPeriod,
)
from tradingagents.features.report_check.measures import FigureMeasure
from tradingagents.features.report_check.report_figure import ReportFigure

Verdict = Literal[
    "matches", "wrong_value", "wrong_period", "wrong_unit", "wrong_company", "restated", "not_found", "not_checkable"
]
WRONG: frozenset[Verdict] = frozenset({"wrong_value", "wrong_period", "wrong_unit", "wrong_company", "restated"})
"""Verdicts by which the data contradict the report."""
FACTORS = (1e3, 1e-3, 1e6, 1e-6, 1e9, 1e-9, 100.0, 0.01)
NEAR_PERIODS, FAR_PERIODS = 12, 30
"""Periods near the one that is named which are looked at for a value of another period: before and after companies."""
NEAR_CLOSES = 21
"""Sessions either side of a day whose closes are: among a year of them nearly any price is found."""
SAME_QUARTER = 46
"""Days between the ends of quarters of two companies that are compared."""
LEAST_DIGITS = 2
"""Digits of a number that may be told by its value alone: `5` fits anything."""


@dataclass(frozen=True, slots=True)
class CheckedFigure:
    """A figure of a report with its verdict."""

    figure: ReportFigure
    verdict: Verdict
    why: str
    """In one sentence."""
    cell: CheckedCell | None
    """What the data have for the company, the metric and the period that the report names."""
    elsewhere: CheckedCell | None
    """The cell that has the value, where it is another one."""


class Judge:
    """Looks figures up. Not safe for several threads."""

    def __init__(self, companies: Sequence[CheckableCompany], as_of: date) -> None:
        """Set the companies, the report's own first."""
        self._companies = companies
        self._by_symbol: Mapping[str, CheckableCompany] = {company.symbol.lower(): company for company in companies}
        self._as_of = as_of

    def judge(self, figure: ReportFigure) -> CheckedFigure:
        """Return the verdict on a figure."""
        if figure.not_checkable:
            return CheckedFigure(figure, "not_checkable", figure.not_checkable.capitalize() + ".", None, None)
        first = self._looked_up(figure)
        if first.verdict == "matches":
            return first
        others = [replace(self._looked_up(figure.read_as(other)), figure=figure) for other in figure.others]
        if (found := next((one for one in others if one.verdict == "matches"), None)) is not None:
            return found
        if first.verdict == "wrong_value":  # another reading may say where the value comes from
            return next((one for one in others if one.verdict in ("restated", "wrong_unit")), first)
        return first

    def _looked_up(self, figure: ReportFigure) -> CheckedFigure:
        """Return the verdict on a figure as its words are most likely read."""
        own = [self._by_symbol[subject] for subject in sorted(figure.subjects) if subject in self._by_symbol]
        if not own and figure.subjects:
            return CheckedFigure(figure, "not_checkable", "The data have no such company.", None, None)
        own = own or list(self._companies[:1])
        if not own:
            return CheckedFigure(figure, "not_checkable", "No company is named.", None, None)
        if _is_later(figure, self._as_of):
            return CheckedFigure(figure, "not_checkable", "Of a period after the day of the check.", None, None)
        cells = [cell for company in own for cell in _cells(company, figure)]
        for cell in cells:
            if fits(figure, cell.value):
                return CheckedFigure(figure, "matches", f"{cell.period}: {cell.source}.", cell, cell)
        return self._contradicted(figure, own, cells)

    def _contradicted(
        self, figure: ReportFigure, own: Sequence[CheckableCompany], cells: Sequence[CheckedCell]
    ) -> CheckedFigure:
        cell = min(cells, key=lambda one: _distance(figure, one.value), default=None)
        if why := _too_vague(figure, own):
            return CheckedFigure(figure, "not_found", why, cell, None)
        for company in own:
            for earlier in _earlier_cells(company, figure):
                if fits(figure, earlier.value):
                    why = f"As first filed; restated since ({cell.source if cell else earlier.source})."
                    return CheckedFigure(figure, "restated", why, cell, earlier)
        if cell is not None and (factor := other_scale(figure, cell.value)):
            return CheckedFigure(figure, "wrong_unit", f"Off by a factor of {factor:g}.", cell, cell)
        if _tells(figure) and cell is not None and (found := self._elsewhere(figure, own)) is not None:
            verdict, why, other = found
            return CheckedFigure(figure, verdict, why, cell, other)
        if cell is None:
            why = _nearest_close(figure, own) or "The data do not have this figure for the period."
            return CheckedFigure(figure, "not_found", why, None, None)
        return CheckedFigure(figure, "wrong_value", "The data have another value.", cell, None)

    def _elsewhere(
        self, figure: ReportFigure, own: Sequence[CheckableCompany]
    ) -> tuple[Verdict, str, CheckedCell] | None:
        """Return where else a value stands: in a period near by, with another company, in a period far off."""
        for first, last in ((0, NEAR_PERIODS), (NEAR_PERIODS, FAR_PERIODS)):
            for company in own:
                if (found := _first_fit(figure, _other_periods(company, figure, first, last))) is not None:
                    return "wrong_period", f"The value is that of {found.period}.", found
            for other in () if first else [company for company in self._companies if company not in own]:
                if (found := _first_fit(figure, _cells_of_other(other, own[0], figure))) is not None:
                    return "wrong_company", f"The value is that of {other.name}.", found
        return None


def _too_vague(figure: ReportFigure, own: Sequence[CheckableCompany]) -> str:
    """Return why the data cannot contradict a figure; empty where they can."""
    of_day = all(measure.kind == "day" for measure in figure.measures)
    if not figure.sure:
        return "It is doubtful which figure is meant, and none of the data has this value."
    if figure.period is None and not (figure.in_table and of_day):
        return _nearest_close(figure, own) or "No period is named, and the newest ones have another value."
    if figure.period is not None and not of_day and not any(company.resolve(figure.period) for company in own):
        return "The data do not have this figure for the period."
    return ""


def _nearest_close(figure: ReportFigure, own: Sequence[CheckableCompany]) -> str:
    """Return which close comes nearest to a price without a day, or to a day without a session; empty for others."""
    if not any(measure.metric == "price" for measure in figure.measures):
        return ""
    day = figure.period.last_day if figure.period is not None else None
    found = next(
        (cell for company in own if (cell := company.nearest_close(figure.number.value, day)) is not None), None
    )
    if found is None:
        return ""
    if day is not None:
        return f"The data have no close of {day}; that of {found.period} is {found.value:,.2f}."
    return f"No day is named; the nearest close of the last two years is {found.value:,.2f} on {found.period}."


def _cells(one: CheckableCompany, figure: ReportFigure, *, strict: bool = False) -> Iterator[CheckedCell]:
    """Yield the cells that a figure may be: its metrics in the period that is named, or in the newest ones."""
    for measure in figure.measures:
        if measure.kind == "day":
            day = figure.period.last_day if figure.period is not None and figure.period.span == "day" else None
            if (cell := one.of_day(measure.metric, day)) is not None:
                yield cell
            continue
        for key in _keys(one, figure, strict=strict):
            if (cell := _cell(one, measure, key)) is not None:
                yield cell


def _cells_of_other(other: CheckableCompany, own: CheckableCompany, figure: ReportFigure) -> Iterator[CheckedCell]:
    """Yield the cells of another company: of the period as named, of the same name, or of nearly the same end."""
    yield from _cells(other, figure, strict=True)
    named = [key for key in _keys(own, figure) if key in own.books]
    ends = [own.books[key].end for key in named]
    near = [key for key in other.newest if any(abs((other.books[key].end - end).days) <= SAME_QUARTER for end in ends)]
    for measure in figure.measures:
        for key in dict.fromkeys((*named, *near)) if measure.kind != "day" else ():
            if (cell := _cell(other, measure, key)) is not None:
                yield cell


def _keys(one: CheckableCompany, figure: ReportFigure, *, strict: bool = False) -> list[FiscalPeriod]:
    period = figure.period
    if period is not None:
        found = one.resolve(period)
        if found or strict or period.span in ("quarter", "year", "twelve_months"):
            return found
    newest = (one.latest(year=False), one.latest(year=True))
    return [*(key for key in newest if key is not None), (0, "TTM")]


def _cell(
    one: CheckableCompany, measure: FigureMeasure, key: FiscalPeriod, past: int | None = None
) -> CheckedCell | None:
    if measure.kind == "share":
        return one.share(measure.metric, key, past=past)
    if measure.kind in ("change", "points"):
        points = measure.kind == "points"
        return one.change(measure.metric, key, quarterly=measure.quarterly, points=points, past=past)
    return one.cell(measure.metric, key, past=past)


def _earlier_cells(one: CheckableCompany, figure: ReportFigure) -> Iterator[CheckedCell]:
    for past in range(len(one.earlier)):
        for measure in figure.measures:
            if measure.kind != "day":
                for key in _keys(one, figure):
                    if (cell := _cell(one, measure, key, past)) is not None:
                        yield cell


def _other_periods(one: CheckableCompany, figure: ReportFigure, first: int, last: int) -> Iterator[CheckedCell]:
    """Yield the cells of the periods nearest to the one that is named, from one place of their order to another."""
    named = _keys(one, figure)
    ends = [one.books[key].end for key in named if key in one.books]
    around = ends[0] if ends else (one.books[one.newest[0]].end if one.newest else None)
    keys: list[FiscalPeriod] = []
    if around is not None:
        keys = sorted(one.newest, key=lambda key: abs((one.books[key].end - around).days))[first : last + len(named)]
    for measure in figure.measures:
        if measure.kind == "day":
            if measure.metric == "price" and not first:
                day = figure.period.last_day if figure.period is not None else None
                yield from one.closes(day, NEAR_CLOSES)
            continue
        for key in (*keys, (0, "TTM")):
            if key not in named and (cell := _cell(one, measure, key)) is not None:
                yield cell


def _first_fit(figure: ReportFigure, cells: Iterable[CheckedCell]) -> CheckedCell | None:
    return next((cell for cell in cells if fits(figure, cell.value)), None)


def fits(figure: ReportFigure, value: float) -> bool:
    """Tell whether a value rounds to a figure as it is printed."""
    return any(_near(figure, value, scale) for scale in figure.scales)


def _near(figure: ReportFigure, value: float, scale: float) -> bool:
    number = figure.number
    target, half = number.value * scale, max(number.half * scale, 1e-9 * abs(value)) * (1 + 1e-6)
    if number.whole:
        half = max(half, 0.5 * scale)
    if number.unit == "bps":
        target, half = target / 100, half / 100
    if any(measure.kind in ("change", "points") for measure in figure.measures) and not number.signed and figure.way:
        target = abs(target) * figure.way
        return abs(value - target) <= half
    if number.bracketed:
        return abs(abs(value) - abs(target)) <= half
    if number.unit == "%" and all(measure.metric in SHARES_OF_REVENUE for measure in figure.measures):
        return abs(value - target) <= half
    if (
        number.signed
        and number.value < 0
        and any(measure.metric not in OUTFLOWS | COSTS for measure in figure.measures)
    ):
        return abs(value - target) <= half
    return abs(abs(value) - abs(target)) <= half


def other_scale(figure: ReportFigure, value: float) -> float:
    """Return the factor by which a figure misses a value; 0 where it misses it otherwise."""
    if not _tells(figure):
        return 0.0
    percent = figure.number.unit in ("%", "points", "bps", "x")
    for factor in FACTORS[-2:] if percent else FACTORS[:-2]:
        if any(_near(figure, value * factor, scale) for scale in figure.scales):
            return factor
    return 0.0


def _distance(figure: ReportFigure, value: float) -> float:
    return min(abs(abs(value) - abs(figure.number.value * scale)) / (abs(value) or 1.0) for scale in figure.scales)


def _tells(figure: ReportFigure) -> bool:
    """Tell whether a number has enough digits to say where it comes from."""
    return digits_of(figure) >= LEAST_DIGITS


def digits_of(figure: ReportFigure) -> int:
    """Return how many digits a figure was printed with, leading zeros left out."""
    return len("".join(char for char in figure.text if char.isdigit()).lstrip("0"))


def _is_later(figure: ReportFigure, as_of: date) -> bool:
    period = figure.period
    if period is None:
        return False
    if period.last_day is not None:
        return period.last_day > as_of
    return period.year is not None and period.year > as_of.year + 1
