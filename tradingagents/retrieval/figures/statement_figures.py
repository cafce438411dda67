"""Figures of a company's statements for a period that is named, each with its formula and its cells."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Literal

from pydantic import BaseModel, ConfigDict

from tradingagents.analytics.company.business import without_doubtful_gross_profit
from tradingagents.analytics.company.statements import (
    NAMES,
    QUARTERS,
    as_labelled,
    gap_of,
    half_year_notes,
    last_year,
    newest_first,
    reasons_of,
    sources,
    withheld_after,
)
from tradingagents.dataflows.models import Profile, Statement, StatementKind
from tradingagents.dataflows.reference.fiscal_periods import is_as_labelled, length_of
from tradingagents.dataflows.reference.line_items import BALANCE, PER_SHARE, SHARES
from tradingagents.dataflows.reference.metrics import Figure
from tradingagents.dataflows.results import Result
from tradingagents.errors import NoData, UsageError
from tradingagents.retrieval.calculation import (
    CalculationRequest,
    CitedOperand,
    calculate,
    formula_in_words,
    operand_names,
)
from tradingagents.retrieval.questions.figures import FigureQuestion
from tradingagents.retrieval.questions.reading import QuestionReading
from tradingagents.schemas.derivation import Derivation, Output, SourceCell

Change = Literal["none", "growth", "difference", "average", "cagr"]
TWELVE_MONTHS, LATEST_YEAR, LATEST_QUARTER = "twelve_months", "latest_year", "latest_quarter"
_PERIOD = re.compile(r"(?:q([1-4])[ _-]?)?fy[ _-]?((?:19|20)\d\d)", re.IGNORECASE)
_YEARS_BEFORE = re.compile(r"(\d) years? before")
_NAME = re.compile(r"(?P<name>[a-z_]\w*)(?:@(?P<offset>-?\d+))?(?P<call>\s*\()?")
_OUR_NAMES: Mapping[str, str] = {"inventories": "inventory", "total_operating_expenses": "operating_expenses"}
"""Items of the questions that statements of vendors call otherwise."""
_OUTFLOWS = frozenset({"capital_expenditure", "dividends_paid", "share_repurchases"})
"""Negative in statements, positive in formulas."""
_PARTS: Mapping[str, str] = {
    "gross_profit": "revenue - cost_of_revenue",
    "cost_of_revenue": "revenue - gross_profit",
    "short_term_debt": "total_debt - long_term_debt",
    "total_debt": "short_term_debt + long_term_debt",
    "total_liabilities": "total_assets - equity",
}
"""What gives an item that a statement lacks."""
_UNITS: Mapping[str, str] = {"percent": "%", "times": "x", "days": "days"}


class StatementCell(BaseModel):
    """A value of a statement that a figure uses."""

    model_config = ConfigDict(frozen=True)

    name: str
    """Name in the formula, such as `revenue@2024`, or `revenue@20241031` for a quarter by its last day."""
    item: str
    kind: StatementKind
    period: str
    """Such as `fiscal year 2024 (to 2024-01-31)`."""
    value: float
    """In `unit`, unscaled; money paid out is positive."""
    unit: str
    filed: datetime


class StatementFigure(Result):
    """A figure computed from a company's statements for one period, or over several."""

    figure: str
    """Name of the figure, snake_case, such as `operating_margin` or `revenue_growth`."""
    label: str
    """In words."""
    period: str
    """In words, such as `fiscal year 2024 (to 2024-01-31)`."""
    value: float
    """In `unit`; a percentage is 12.5 for 12.5 %."""
    unit: str
    output: Output
    formula: str
    cells: tuple[StatementCell, ...]

    @property
    def title(self) -> str:
        """Heading."""
        return f"{self.label[:1].upper()}{self.label[1:]} of {self.symbol}, {self.period}"

    @property
    def subject(self) -> str | None:
        """The company with the period: figures of different periods are different rows of a data sheet."""
        return self.symbol

    def figures(self) -> tuple[Figure, ...]:
        """Return the figure."""
        return (Figure(self.figure, self.value, self.unit, self.period),)

    def derivation(self, name: str) -> Derivation | None:
        """Return the formula with the cells of the statements."""
        if name != self.figure:
            return None
        cells = tuple(
            SourceCell(
                name=cell.name, value=cell.value, unit=cell.unit, where=f"{NAMES[cell.kind].lower()}, {cell.period}"
            )
            for cell in self.cells
        )
        return Derivation(formula=self.formula, output=self.output, cells=cells)

    def body(self) -> str:
        """Return the formula and its cells as a table."""
        rows = (
            f"| {formula_in_words(cell.name)} | {Figure('', cell.value, cell.unit).text} "
            f"| {NAMES[cell.kind]}, {cell.period} | {cell.filed:%Y-%m-%d} |"
            for cell in self.cells
        )
        head = "| Cell | Value | Statement | Filed |\n|---|---|---|---|"
        return "\n".join((f"Formula: {formula_in_words(self.formula)}", "", head, *rows))


@dataclass(frozen=True, slots=True)
class _Span:
    """A period with the statements that make it up, newest first: one, or the four of twelve months."""

    label: str
    income: tuple[Statement, ...]
    cash: tuple[Statement, ...]
    balance: Statement | None
    year: int | None
    """Fiscal year, of a whole one."""

    @property
    def statements(self) -> tuple[Statement, ...]:
        """All its statements."""
        return (*self.income, *self.cash, *((self.balance,) if self.balance else ()))


@dataclass(frozen=True, slots=True)
class FigureRequest:
    """What is asked of the statements."""

    figure: str
    """In words, such as `operating margin` or `free cash flow`."""
    period: str = TWELVE_MONTHS
    """`twelve_months`, `latest_year`, `latest_quarter`, `FY2024` or `Q3 FY2024`."""
    from_period: str = ""
    """First period of a change or an average, written likewise; empty: a year before."""
    change: Change = "none"


def statement_figure(
    statements: Sequence[Statement],
    request: FigureRequest,
    *,
    as_of: date,
    fetched_at: datetime,
    profile: Profile | None,
) -> StatementFigure:
    """Compute a figure.

    Args:
        statements: Of all kinds and frequencies, filed by the day.
        request: What is asked.
        fetched_at: When they were delivered.
        profile: The company; gross profit is withheld for a bank or insurer.

    Raises:
        UsageError: No such figure or period is known.
        NoData: The statements do not reach there, or lack an item.
    """
    asked = QuestionReading(request.figure).figure
    if not asked.expression:
        raise UsageError(f"There is no figure {request.figure!r} of statements; name one such as operating margin.")
    income, withheld = without_doubtful_gross_profit(
        [statement for statement in statements if statement.kind == "income"], profile
    )
    if withheld and "gross_profit" in asked.expression:
        raise NoData(withheld)
    books = _BooksByPeriod([*income, *(statement for statement in statements if statement.kind != "income")])
    spans = _spans(books, request)
    found = _computed(books, spans, request, asked)
    ends = [statement.period_end for span in spans for statement in span.statements]
    name = asked.metric.key if asked.metric else asked.name.replace(" / ", " to ")
    ending = {"none": "", "cagr": "_cagr"}.get(request.change, f"_{request.change}")
    return StatementFigure(
        symbol=books.symbol,
        as_of=as_of,
        source=sources(statements),
        currency=statements[0].currency,
        known_at=max(cell.filed for cell in found.cells),
        fetched_at=fetched_at,
        start=min(ends),
        end=max(ends),
        rows=len(found.cells),
        notes=half_year_notes(spans[-1].income),
        figure=f"{_snake(name)}{ending}",
        label=_label(asked.name, request.change),
        period=f"{spans[0].label} to {spans[-1].label}" if len(spans) > 1 else spans[-1].label,
        value=found.value,
        unit=found.unit,
        output=found.calculation.output,
        formula=found.calculation.expression,
        cells=found.cells,
    )


@dataclass(frozen=True, slots=True)
class _ComputedFigure:
    calculation: CalculationRequest
    value: float
    unit: str
    cells: tuple[StatementCell, ...]


def _computed(
    books: _BooksByPeriod, spans: Sequence[_Span], request: FigureRequest, asked: FigureQuestion
) -> _ComputedFigure:
    """Put the expression of a figure into the cells of its periods, and compute it."""
    worked = [_Worked(books, span, asked.expression) for span in spans]
    formula, output = _formula_of([one.formula() for one in worked], spans, request.change, asked)
    cells = {cell.name: cell for one in worked for cell in one.cells}
    operands = tuple(
        CitedOperand(name=name, label=cell.item, value=cell.value, unit=cell.unit) for name, cell in cells.items()
    )
    calculation = CalculationRequest(expression=formula, operands=operands, output=output)
    found = calculate(calculation)
    if found.value is None:
        raise NoData(f"The {asked.name} of {books.symbol}, {spans[-1].label}, has no value: {found.refusal}")
    unit = _UNITS.get(found.unit, found.unit)
    if request.change == "difference" and unit == "%":
        unit = "points"
    return _ComputedFigure(calculation, found.value, unit, tuple(cells[name] for name in operand_names(formula)))


def _formula_of(
    parts: Sequence[str], spans: Sequence[_Span], change: Change, asked: FigureQuestion
) -> tuple[str, Output]:
    """Return the formula of a change over periods, and what it gives."""
    # People say returns, and parts of revenue, in percent, though the formula is a plain ratio.
    of_revenue = asked.metric is None and asked.expression.endswith("/ revenue")
    returns = asked.metric is not None and asked.metric.key.startswith("return_on_")
    output: Output = "percent" if returns or of_revenue else asked.output
    if change == "cagr":
        return f"cagr({parts[0]}, {parts[-1]}, {_years_between(spans)})", "percent"
    if change == "growth":
        return f"growth({parts[0]}, {parts[-1]})", "percent"
    if change == "difference":
        return f"{parts[-1]} - ({parts[0]})", output
    if change == "average":
        return f"average({', '.join(parts)})", output
    return parts[-1], output


def _label(name: str, change: Change) -> str:
    words = {"growth": "growth of ", "difference": "change in ", "average": "average ", "cagr": "compound growth of "}
    return f"{words.get(change, '')}{name}"


def _snake(name: str) -> str:
    return "_".join(re.sub(r"[^a-z0-9]+", " ", name.lower()).split())


class _BooksByPeriod:
    """The statements of a company by kind, frequency and period."""

    def __init__(self, statements: Sequence[Statement]) -> None:
        self.symbol = statements[0].symbol
        self._known = statements

    def of(self, kind: StatementKind, frequency: str) -> list[Statement]:
        """Return statements of a kind, newest first; as quarters only periods of a quarter."""
        given = [statement for statement in self._known if statement.kind == kind and statement.frequency == frequency]
        return list(newest_first(statement for statement in given if is_as_labelled(statement)))

    def year(self, year: int) -> _Span:
        return self._span("annual", year, "FY")

    def quarter(self, year: int, number: int) -> _Span:
        return self._span("quarterly", year, f"Q{number}")

    def latest(self, frequency: Literal["annual", "quarterly"]) -> _Span:
        flows = self.of("income", frequency) or self.of("balance", frequency) or self.of("cashflow", frequency)
        if not flows and frequency == "annual" and (years := self._years_of_quarters()):
            return self.year(years[-1])
        if not flows:
            given = newest_first(statement for statement in self._known if statement.frequency == frequency)
            reasons = " ".join((*half_year_notes(as_labelled(given)), reasons_of(given[:QUARTERS]))).strip()
            raise NoData(
                f"The source has no {frequency} statement of {self.symbol} filed by the day. {reasons}".strip()
            )
        kind = flows[0].kind
        alike = (statement for statement in self._known if statement.kind == kind and statement.frequency == frequency)
        if gone := withheld_after(alike, flows):
            raise NoData(reasons_of(gone))
        return self._span(frequency, flows[0].fiscal_year, flows[0].fiscal_period)

    def twelve_months(self, skip: int = 0) -> _Span:
        """Return the last four quarters or two half-years, or those so many periods earlier; else the fiscal year."""
        interims = as_labelled(
            statement for statement in self._known if statement.kind == "income" and statement.frequency == "quarterly"
        )
        run = last_year(interims, skip=skip)
        if not run:
            if skip or not self.of("income", "annual"):
                raise NoData(self._no_twelve_months(interims[skip:]))
            return self.latest("annual")
        ends = {statement.period_end for statement in run}
        cash = tuple(
            statement
            for statement in as_labelled(
                statement
                for statement in self._known
                if statement.kind == "cashflow" and statement.frequency == "quarterly"
            )
            if statement.period_end in ends and length_of(statement) == length_of(run[0])
        )
        sheets = newest_first(statement for statement in self._known if statement.kind == "balance")
        sheet = (
            sheets[0]
            if sheets and not skip
            else next((statement for statement in sheets if statement.period_end == run[0].period_end), None)
        )
        months = "four quarters" if len(run) == QUARTERS else "two half-years"
        return _Span(f"the {months} to {run[0].period_end}", run, cash, sheet, None)

    def _no_twelve_months(self, interims: Sequence[Statement]) -> str:
        """Return why there are no twelve months: the period that is missing, and what the gateway withholds."""
        gone = [
            statement
            for statement in self._known
            if statement.kind == "income" and statement.frequency == "quarterly" and not is_as_labelled(statement)
        ]
        reasons = reasons_of(newest_first(gone)[:QUARTERS])
        missing = f"Four consecutive quarters of {self.symbol} are not known: {gap_of(interims)}."
        return f"{missing} {reasons}".strip()

    def _span(self, frequency: str, year: int, period: str) -> _Span:
        found = {
            kind: next(
                (
                    statement
                    for statement in self.of(kind, frequency)
                    if (statement.fiscal_year, statement.fiscal_period) == (year, period)
                ),
                None,
            )
            for kind in NAMES
        }
        if frequency == "annual" and (summed := self._year_of_quarters(year, found)) is not None:
            return summed
        if frequency == "annual" and found["balance"] is None:  # a source of quarters only has the sheet of the fourth
            flows = found["income"] or found["cashflow"]
            found["balance"] = next(
                (
                    statement
                    for statement in self.of("balance", "quarterly")
                    if flows and statement.period_end == flows.period_end
                ),
                None,
            )
        known = [statement for statement in found.values() if statement is not None]
        name = f"fiscal year {year}" if frequency == "annual" else f"{period} of fiscal {year}"
        if not known:
            years = sorted(
                {
                    (statement.fiscal_year, statement.fiscal_period)
                    for kind in NAMES
                    for statement in self.of(kind, frequency)
                }
            )
            reach = (
                f"known are {_named(years[0])} to {_named(years[-1])}" if years else f"no {frequency} ones are known"
            )
            raise NoData(
                f"Statements of {self.symbol} for {name} had not been filed by the day, or the source lacks them; "
                f"{reach}."
            )
        income, cash = found["income"], found["cashflow"]
        return _Span(
            f"{name} (to {known[0].period_end})",
            (income,) if income else (),
            (cash,) if cash else (),
            found["balance"],
            year if frequency == "annual" else None,
        )

    def _years_of_quarters(self) -> list[int]:
        """Return the fiscal years of which all four quarters are known."""
        counted = Counter(
            statement.fiscal_year
            for statement in self.of("income", "quarterly")
            if statement.fiscal_period.startswith("Q")
        )
        return sorted(year for year, count in counted.items() if count == QUARTERS)

    def _year_of_quarters(self, year: int, annual: Mapping[StatementKind, Statement | None]) -> _Span | None:
        """Return a fiscal year as its four quarters, for a source without annual statements of it; else None."""
        if annual["income"] is not None:
            return None
        names = [f"Q{number}" for number in range(QUARTERS, 0, -1)]
        found = {
            kind: [
                statement
                for statement in self.of(kind, "quarterly")
                if statement.fiscal_year == year and statement.fiscal_period in names
            ]
            for kind in NAMES
        }
        if len(found["income"]) != QUARTERS:
            return None
        last = found["income"][0].period_end
        cash = found["cashflow"] if len(found["cashflow"]) == QUARTERS else []
        sheet = next((statement for statement in found["balance"] if statement.period_end == last), None)
        return _Span(f"fiscal year {year} (four quarters to {last})", tuple(found["income"]), tuple(cash), sheet, year)

    def before(self, span: _Span) -> _Span:
        """Return the same period a year before."""
        if span.year is not None:
            return self.year(span.year - 1)
        if len(span.income) > 1:
            return self.twelve_months(len(span.income))
        one = span.statements[0]
        return self._span(one.frequency, one.fiscal_year - 1, one.fiscal_period)


def _named(period: tuple[int, str]) -> str:
    return f"fiscal {period[0]}" if period[1] == "FY" else f"{period[1]} of fiscal {period[0]}"


def _spans(books: _BooksByPeriod, request: FigureRequest) -> list[_Span]:
    """Return the periods that a request needs, the earliest first."""
    last = _span_of(books, request.period)
    if request.change == "none":
        return [last]
    first = _first_span(books, request.from_period, last)
    if request.change != "average":
        return [first, last]
    if first.year is None or last.year is None or first.year > last.year:
        raise UsageError("An average needs two fiscal years, such as FY2021 and FY2023.")
    return [books.year(year) for year in range(first.year, last.year + 1)]


def _first_span(books: _BooksByPeriod, name: str, last: _Span) -> _Span:
    back = _YEARS_BEFORE.fullmatch(name.strip())
    if name and back is None:
        return _span_of(books, name)
    for _ in range(int(back[1]) if back else 1):
        last = books.before(last)
    return last


def _span_of(books: _BooksByPeriod, name: str) -> _Span:
    if name == TWELVE_MONTHS:
        return books.twelve_months()
    if name == LATEST_YEAR:
        return books.latest("annual")
    if name == LATEST_QUARTER:
        return books.latest("quarterly")
    match = _PERIOD.fullmatch(name.strip())
    if match is None:
        raise UsageError(
            f"There is no period {name!r}; write FY2024, Q3 FY2024, twelve_months, latest_year or latest_quarter."
        )
    return books.quarter(int(match[2]), int(match[1])) if match[1] else books.year(int(match[2]))


def _years_between(spans: Sequence[_Span]) -> int:
    first, last = spans[0].year, spans[-1].year
    if first is None or last is None or last <= first:
        raise UsageError("A compound growth rate needs two fiscal years, such as FY2021 and FY2024.")
    return last - first


class _Worked:
    """An expression of one period, put into cells."""

    def __init__(self, books: _BooksByPeriod, span: _Span, expression: str) -> None:
        self._books, self._span, self._expression = books, span, expression
        self.cells: list[StatementCell] = []

    def formula(self) -> str:
        return self._put(self._expression)

    def _put(self, expression: str, depth: int = 0) -> str:
        def one(match: re.Match[str]) -> str:
            if match["call"]:
                return match.group()
            offset = int(match["offset"] or 0)
            span = self._span
            for _ in range(-offset if -10 < offset <= 0 else 0):
                span = self._books.before(span)
            return self._item(match["name"], span, depth)

        return _NAME.sub(one, expression)

    def _item(self, name: str, span: _Span, depth: int) -> str:
        ours = _OUR_NAMES.get(name, name)
        is_sheet = ours in (*BALANCE, "retained_earnings")
        parts = (span.balance,) if is_sheet else self._flows(ours, span)
        needed = 1 if is_sheet else max(len(span.income), 1)
        values = [(part, part.items[ours]) for part in parts if part is not None and ours in part.items]
        if len(values) < needed:
            if name in _PARTS and depth < 1:
                return f"({_Worked.inner(self, _PARTS[name], span, depth + 1)})"
            found = f": {len(values)} of {needed} quarters do" if values else ""
            withheld = next(
                (statement.withheld[ours] for statement in span.statements if ours in statement.withheld), ""
            )
            raise NoData(
                withheld
                or f"The statements of {self._books.symbol} do not give {name.replace('_', ' ')} for "
                f"{span.label}{found}."
            )
        if ours in SHARES:
            values = values[:1]
        return self._summed(name, ours, values)

    def inner(self, expression: str, span: _Span, depth: int) -> str:
        return _NAME.sub(lambda match: self._item(match["name"], span, depth), expression)

    def _flows(self, name: str, span: _Span) -> tuple[Statement, ...]:
        return span.income if any(name in statement.items for statement in span.income) else span.cash

    def _summed(self, name: str, ours: str, values: Sequence[tuple[Statement, float]]) -> str:
        names = []
        for fact, value in values:
            at = str(fact.fiscal_year) if fact.frequency == "annual" else fact.period_end.strftime("%Y%m%d")
            unit = "shares" if ours in SHARES else f"{fact.currency}/share" if ours in PER_SHARE else fact.currency
            is_half = length_of(fact) == "half-year"
            name_of = "half-year" if is_half else _named((fact.fiscal_year, fact.fiscal_period))
            period = f"{name_of} (to {fact.period_end})"
            signed = -value + 0.0 if ours in _OUTFLOWS else value
            names.append(f"{name}@{at}")
            self.cells.append(
                StatementCell(
                    name=names[-1],
                    item=ours,
                    kind=fact.kind,
                    period=period,
                    value=signed,
                    unit=unit,
                    filed=fact.known_at,
                )
            )
        return names[0] if len(names) == 1 else f"({' + '.join(names)})"
