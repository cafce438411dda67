"""`SeriesTable`: a series as an answer, a row a period with the place where its figure stands."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict, Field

from tradingagents.dataflows.reference.metrics import Figure
from tradingagents.dataflows.results import Result
from tradingagents.files.plain_text import one_line
from tradingagents.retrieval.calculation import Calculation, formula_in_words
from tradingagents.retrieval.series.fact import Series, SeriesFact, Version
from tradingagents.retrieval.series.functions import SeriesFigure, growth_by_period, operand_name
from tradingagents.retrieval.series.items import cell_of, output_of
from tradingagents.retrieval.series.span import FiscalPeriod
from tradingagents.schemas.derivation import Derivation

_UNITS = {"percent": "%"}


class SeriesCell(BaseModel):
    """The figure of one period."""

    model_config = ConfigDict(frozen=True)

    period: str
    """Such as `FY2024` or `Q3 FY2024`."""
    start: date | None
    """First day; None for a day's figure."""
    end: date
    calendar: str
    """The calendar year or quarter, such as `CY2024Q3`."""
    value: float
    """In the series' `unit`, unscaled; money paid out is positive."""
    tag: str
    """The filing's own XBRL tag, or the row as printed."""
    filing: str
    """Where it stands, with the page where one is known."""
    key: str
    """Key of the stored document; empty where none is stored."""
    url: str
    filed: datetime
    """When it was known, UTC."""
    formula: str = ""
    """How it follows from other facts; empty for a figure that is stated itself."""
    growth: float | None = None
    """In per cent over the period before; None where that one is missing or growth from it is not defined."""


class PeriodWithout(BaseModel):
    """A period of the span for which there is no figure."""

    model_config = ConfigDict(frozen=True)

    period: str
    reason: str


class SeriesTable(Result):
    """A line item over a span of fiscal years or quarters, each with its filing, and the periods that are missing."""

    tabulated: ClassVar[bool] = True

    item: str
    version: Version
    """`first` as first stated, `latest` as the newest filing known states it."""
    unit: str
    cells: tuple[SeriesCell, ...]
    """Oldest first."""
    missing: tuple[PeriodWithout, ...]
    function: str = ""
    """What was computed over the series; empty for nothing."""
    value: float | None = None
    """Its value, in `value_unit`; None where it is withheld or nothing was asked."""
    value_unit: str = ""
    value_periods: str = ""
    """What the value is about, such as `FY2020 to FY2024`."""
    formula: str = ""
    refusal: str = ""
    """Why the value is withheld; empty where it is not."""
    derivations: Mapping[str, Derivation] = Field(default_factory=dict)
    """By figure, of those that follow from other figures."""

    @property
    def title(self) -> str:
        """Heading."""
        return f"{self.item.replace('_', ' ').capitalize()} of {self.symbol}"

    @property
    def subject(self) -> str | None:
        """The company."""
        return self.symbol

    def figures(self) -> tuple[Figure, ...]:
        """Return the figure of each period, and what was computed over them."""
        names = [(_figure_name(self.item, cell.period), cell) for cell in self.cells]
        found = [Figure(name, cell.value, self.unit, cell.period) for name, cell in names]
        if self.function:
            found.append(Figure(f"{self.item}_{self.function}", self.value, self.value_unit, self.value_periods))
        return tuple(found)

    def derivation(self, name: str) -> Derivation | None:
        """Return the formula of a figure that follows from others."""
        return self.derivations.get(name)

    def lead(self) -> str:
        """Return what was computed over the series, first of all."""
        if not self.function:
            return ""
        if self.value is None:
            return f"The {self.function} is withheld: {self.refusal}"
        value = Figure("", self.value, self.value_unit).text
        return f"{self.function.capitalize()} ({self.value_periods}): {value}. {formula_in_words(self.formula)}"

    def body(self) -> str:
        """Return a row for each period, and those that are missing."""
        rows = [
            f"| {cell.period} | {cell.end} | {Figure('', cell.value, self.unit).text} | "
            f"{'' if cell.growth is None else Figure('', cell.growth, '%').text} | {one_line(cell.filing)} | "
            f"{one_line(formula_in_words(cell.formula) or cell.tag)} | {cell.filed:%Y-%m-%d} |"
            for cell in self.cells
        ]
        rows += [f"| {row.period} | | missing | | {one_line(row.reason)} | | |" for row in self.missing]
        head = "| Period | To | Value | Change | Stands in | Tag or formula | Known |"
        return "\n".join((head, "|---|---|---|---|---|---|---|", *rows))


def series_table(
    found: Series, figure: SeriesFigure | None, *, as_of: date, fetched_at: datetime, notes: tuple[str, ...] = ()
) -> SeriesTable:
    """Return a series as an answer.

    Args:
        found: The series.
        figure: What was computed over it; None for nothing.
        as_of: The day of the question.
        fetched_at: When the facts were delivered.
        notes: Further notes, such as a source that could not be asked.
    """
    ends = [row.period.end for row in found.rows]
    growth = {step.periods[-1]: step.value for step in growth_by_period(found)}
    derivations = {
        _figure_name(found.item, row.period.fiscal.label): row.derivation
        for row in found.rows
        if row.derivation is not None and row.period.fiscal is not None
    }
    computed = {} if figure is None else _figure_fields(figure)
    if figure is not None and figure.calculation is not None and figure.value is not None:
        derivations[f"{found.item}_{figure.function}"] = _derivation(figure, figure.calculation)
    return SeriesTable(
        symbol=found.company,
        as_of=as_of,
        source=found.source or "none",
        currency=found.unit if len(found.unit) == 3 else None,
        known_at=max((row.known_at for row in found.rows), default=None),
        fetched_at=fetched_at,
        start=min(ends, default=None),
        end=max(ends, default=None),
        rows=len(found.rows),
        notes=(*found.notes, *notes),
        item=found.item,
        version=found.version,
        unit=found.unit,
        cells=tuple(_cell(row, growth) for row in found.rows),
        missing=tuple(PeriodWithout(period=row.period.label, reason=row.reason) for row in found.missing),
        derivations=derivations,
        **computed,
    )


def _figure_fields(figure: SeriesFigure) -> dict[str, Any]:
    ends = [period.label for period in (figure.periods[:1] + figure.periods[1:][-1:])]
    return {
        "function": figure.function,
        "value": figure.value,
        "value_unit": _UNITS.get(figure.unit, figure.unit),
        "value_periods": " to ".join(ends),
        "formula": figure.calculation.formula if figure.calculation else "",
        "refusal": figure.withheld,
    }


def _derivation(figure: SeriesFigure, calculation: Calculation) -> Derivation:
    """Return the formula of a figure over its cells; a percentage is the formula times 100."""
    cells = tuple(cell_of(operand_name(row), row) for row in figure.facts)
    output = "percent" if calculation.unit == "percent" else output_of(calculation.unit)
    return Derivation(formula=calculation.expression, output=output, cells=cells)


def _cell(row: SeriesFact, growth: Mapping[FiscalPeriod, float | None]) -> SeriesCell:
    return SeriesCell(
        period=row.period.fiscal.label if row.period.fiscal else row.period.label,
        start=row.period.start,
        end=row.period.end,
        calendar=row.period.calendar,
        value=row.value,
        tag=row.tag,
        filing=row.place.label,
        key=row.place.document,
        url=row.place.url,
        filed=row.known_at,
        formula=row.derivation.formula if row.derivation else "",
        growth=growth.get(row.period.fiscal) if row.period.fiscal else None,
    )


def _figure_name(item: str, period: str) -> str:
    """Return the name of a period's figure, such as `revenue_fy2024` or `revenue_q3_fy2024`."""
    return f"{item}_{period}".lower().replace(" ", "_").replace(":", "_")
