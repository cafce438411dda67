"""Looks figures up in the filings of a company: matches, wrong period, unit or company, restated since."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date

from tradingagents.features.report_check.facts import CheckedCell
from tradingagents.features.report_check.filings.cells import QUARTER, YEAR, CompanyFilings, FilingFigure
from tradingagents.features.report_check.filings.names import COST, REVENUE, FigureName, NameReader, has_item, is_part
from tradingagents.features.report_check.report_figure import FILED_ONLY, ReportFigure
from tradingagents.features.report_check.verdicts import (
    CheckedFigure,
    Verdict,
    digits_of,
    fits,
    other_scale,
)

SAME_END = 12
"""Days between the ends of one period as named and as filed."""
A_YEAR = range(350, 380)
LEAST_DIGITS = 3
"""Digits of a number that may be told by its value alone among the many figures of filings."""
MOST_VALUES = 2
"""Values of one name and period that still say what the right one is."""


class FilingJudge:
    """Looks figures up in filings. Not safe for several threads."""

    def __init__(self, companies: Sequence[CompanyFilings], reader: NameReader) -> None:
        """Set the filings of the companies, the report's own first, and what reads names."""
        self._companies, self._reader = companies, reader

    def judge(self, checked: CheckedFigure) -> CheckedFigure:
        """Return the verdict by the filings where they say more than the data; else the verdict of the data."""
        figure = checked.figure
        if checked.verdict in ("matches", "restated") or (
            figure.not_checkable and figure.not_checkable not in FILED_ONLY
        ):
            return checked
        own = [company for company in self._companies if company.symbol.lower() in figure.subjects]
        own = own or ([] if figure.subjects else list(self._companies[:1]))
        for document in own:
            if (found := self._looked_up(figure, document)) is not None:
                return found
        return checked

    def _looked_up(self, figure: ReportFigure, filings: CompanyFilings) -> CheckedFigure | None:
        name = figure.named(self._reader, filings)
        known = list(_of_kind(_named(filings, name), figure, name))
        ends = filings.ends(figure.period)
        same = [candidate for candidate in known if any(_is_of(candidate, *end) for end in ends)]
        fitting = [candidate for candidate in same if fits(figure, candidate.value)]
        symbol = filings.symbol
        if fitting:
            newest = fitting[0]
            newer = [
                candidate
                for candidate in same
                if candidate.required == newest.required and candidate.words == newest.words
            ]
            if newer[0] is not newest and newer[0].document is not newest.document and not _rounds(newer[0], newest):
                why = f"As first filed in {newest.document.info.name}; a later filing has another value."
                return CheckedFigure(figure, "restated", why, _cell(newer[0], symbol), _cell(newest, symbol))
            cell = _cell(newest, symbol)
            return CheckedFigure(figure, "matches", f"{newest.label}, {cell.period}: {cell.source}.", cell, cell)
        same = _closest(same, name)
        if not same or figure.period is None or not name.dated or not _is_clear(figure, name, same):
            return None
        verdict, why, other = self._elsewhere(figure, name, filings, known, same)
        return CheckedFigure(figure, verdict, why, _cell(same[0], symbol), other)

    def _elsewhere(
        self,
        figure: ReportFigure,
        name: FigureName,
        filings: CompanyFilings,
        known: Sequence[FilingFigure],
        same: Sequence[FilingFigure],
    ) -> tuple[Verdict, str, CheckedCell | None]:
        """Return what is wrong with a figure that its name and period do not have in the filings."""
        for candidate in same:
            if factor := other_scale(figure, candidate.value):
                return "wrong_unit", f"Off by a factor of {factor:g}.", _cell(candidate, filings.symbol)
        if digits_of(figure) >= LEAST_DIGITS:
            for candidate in known:
                if fits(figure, candidate.value):
                    cell = _cell(candidate, filings.symbol)
                    return "wrong_period", f"The value is that of the period {cell.period}.", cell
            for other in self._companies:
                if other is not filings and (found := self._of_other(figure, name, other)) is not None:
                    return "wrong_company", f"The value is that of {other.symbol}.", _cell(found, other.symbol)
        return "wrong_value", f"{same[0].document.info.name} has another value for {same[0].label}.", None

    def _of_other(self, figure: ReportFigure, name: FigureName, other: CompanyFilings) -> FilingFigure | None:
        ends = other.ends(figure.period)
        known = _of_kind(_named(other, name), figure, name)
        return next(
            (
                candidate
                for candidate in known
                if any(_is_of(candidate, *end) for end in ends) and fits(figure, candidate.value)
            ),
            None,
        )


def _named(filings: CompanyFilings, name: FigureName) -> list[FilingFigure]:
    """Return the figures that a name may mean; a name without an item of the statements is first read as revenue."""
    if has_item(name.near):
        return filings.named(name.near, name.around)
    items = frozenset(one for one in name.around if one.startswith("#")) or frozenset((REVENUE,))
    for item in sorted(items):
        if found := filings.named(name.near | {item}, name.around | {item}):
            return found
    return filings.named(name.near, name.around)


def _of_kind(known: Sequence[FilingFigure], figure: ReportFigure, name: FigureName) -> Iterator[FilingFigure]:
    """Yield the figures whose unit a figure has; for a change in percent those against the year before."""
    unit = figure.number.unit
    if unit == "%":
        if not name.is_change:
            yield from (candidate for candidate in known if candidate.is_percent)
        if name.is_change or any(measure.kind == "change" for measure in figure.measures):
            yield from _changes(known)
    elif unit in ("", "money"):
        yield from (
            candidate
            for candidate in known
            if not candidate.is_percent and (unit == "" or candidate.unit not in ("shares", "pure", "ratio", "count"))
        )


def _changes(known: Sequence[FilingFigure]) -> Iterator[FilingFigure]:
    for candidate in known:
        if candidate.is_percent:
            continue
        before = next((each for each in known if _is_year_before(each, candidate)), None)
        if before is not None and before.value > 0:
            yield replace(
                candidate,
                value=100 * (candidate.value / before.value - 1),
                unit="percent",
                label=f"change of {candidate.label}",
            )


def _is_year_before(one: FilingFigure, other: FilingFigure) -> bool:
    same = (one.required, one.words) == (other.required, other.words) or (one.tag and one.tag == other.tag)
    if (
        one.document is not other.document
        or not same
        or (other.end - one.end).days not in A_YEAR
        or (one.start is None) != (other.start is None)
    ):
        return False
    return one.start is None or other.start is None or (other.start - one.start).days in A_YEAR


def _is_of(one: FilingFigure, end: date, days: range | None) -> bool:
    """Tell whether a figure is of a period with this end; of an instant where no length is given."""
    if abs((one.end - end).days) > SAME_END:
        return False
    return one.spans(days) if days is not None else one.start is None or one.spans(QUARTER) or one.spans(YEAR)


def _closest(same: Sequence[FilingFigure], name: FigureName) -> list[FilingFigure]:
    """Return the figures whose rows are named most nearly as the report names them."""
    least = min((_distance(candidate, name) for candidate in same), default=0)
    return [candidate for candidate in same if _distance(candidate, name) == least]


def _distance(one: FilingFigure, name: FigureName) -> int:
    return min(len((called ^ name.near) - {COST}) for called in one.names)


def _is_clear(figure: ReportFigure, name: FigureName, same: Sequence[FilingFigure]) -> bool:
    """Tell whether the filings can contradict a figure: its name says what it is, and they have one value for it."""
    if figure.number.unit == "" and not figure.in_table:
        return False
    said = has_item(name.near) or any(
        name.near - {COST} == called - {COST} for candidate in same for called in candidate.names
    )
    values = {
        round(candidate.value, 6)
        for candidate in same
        if not any(_rounds(candidate, other) for other in same[: same.index(candidate)])
    }
    return said and len(values) <= MOST_VALUES and any(map(is_part, name.near))


def _rounds(one: FilingFigure, other: FilingFigure) -> bool:
    return abs(one.value - other.value) <= 0.002 * max(abs(one.value), abs(other.value))


def _cell(one: FilingFigure, symbol: str) -> CheckedCell:
    return one.shown(symbol)
