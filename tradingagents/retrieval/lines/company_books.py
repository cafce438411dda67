"""`LineBooks`: the figures of one company by fiscal period, from its stored filings and from its tagged facts."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from functools import cached_property

from tradingagents.errors import UsageError
from tradingagents.retrieval.calculation import (
    CalculationRequest,
    CitedOperand,
    Output,
    calculate,
    for_year,
    operand_names,
)
from tradingagents.retrieval.figures.column_choice import WantedColumn
from tradingagents.retrieval.figures.statements import FilingStatements
from tradingagents.retrieval.line_items import line_items
from tradingagents.retrieval.lines.asked.asked_places import Statement
from tradingagents.retrieval.lines.cells.column_periods import days_of
from tradingagents.retrieval.lines.read_tables import readable
from tradingagents.retrieval.lines.row_cells import words_of_name
from tradingagents.retrieval.lines.rows.statement_tables import is_of_statement
from tradingagents.retrieval.lines.table_words import table_words
from tradingagents.retrieval.models import DocumentInfo, SourceDocument
from tradingagents.retrieval.series import Series, Span, Version, series
from tradingagents.retrieval.series.build import FactSource
from tradingagents.retrieval.series.span import FiscalPeriod
from tradingagents.retrieval.text_tables import with_text_tables

ANNUAL, INTERIM = ("10-K", "20-F", "40-F"), ("10-Q", "6-K")
_YEAR = 12
_DAYS_OVER = 8
"""Days by which a fiscal year of 52 or 53 weeks may end after its month."""
_QUARTERS_SHOWN = 5
"""Quarters after which a report may still show one beside its own."""
_DAYS_OF_YEAR, _DAYS_OF_QUARTER = (350, 380), (80, 100)
MOST_FILINGS = 3
"""Filings read for a period: its own, and later ones that show it beside theirs."""


@dataclass(frozen=True, slots=True)
class PeriodFigure:
    """A figure of a company for a period, or why there is none."""

    period: FiscalPeriod
    value: float | None = None
    unit: str = ""
    formula: str = ""
    operands: tuple[CitedOperand, ...] = ()
    refusal: str = ""
    end: date | None = None
    """Last day of the period, where it is known."""
    notes: tuple[str, ...] = ()


@dataclass
class LineBooks:
    """What is known of a company on a day."""

    name: str
    """As answers call it."""
    symbol: str
    infos: Sequence[DocumentInfo]
    """Its stored filings that were known."""
    open_document: Callable[[str], SourceDocument]
    facts: FactSource | None = None
    """Facts beyond the stored filings; None: none."""
    as_of: datetime | None = None
    statement: Statement = ""
    """The statement from which alone rows are read; empty: from every table."""
    _documents: dict[str, SourceDocument] = field(default_factory=dict)
    _readable: dict[str, SourceDocument] = field(default_factory=dict)
    _series: dict[tuple[str, FiscalPeriod, Version], Series] = field(default_factory=dict)

    @cached_property
    def name_words(self) -> frozenset[str]:
        """The words of its name, as words of rows are compared."""
        return words_of_name({info.company for info in self.infos} or {self.name})

    def document(self, info: DocumentInfo) -> SourceDocument:
        """Return a filing with its tables."""
        if info.key not in self._documents:
            document = self.open_document(info.key)
            self._documents[info.key] = document if document.tables else with_text_tables(document)
        return self._documents[info.key]

    def readable(self, info: DocumentInfo) -> SourceDocument:
        """Return a filing with its tables as lines are read from them."""
        if info.key not in self._readable:
            found = readable(self.document(info))
            if self.statement:
                tables = tuple(table for table in found.tables if is_of_statement(table, self.statement))
                found = replace(found, tables=tables)
            self._readable[info.key] = found
        return self._readable[info.key]

    @property
    def words_read(self) -> frozenset[str]:
        """The words of the labels, headings, titles and heads of the tables that were read so far, as words of rows."""
        return frozenset().union(*map(table_words, self._readable.values()))

    @property
    def read(self) -> tuple[SourceDocument, ...]:
        """The filings that were read so far, with their tables as lines are read from them."""
        return tuple(self._readable.values())

    def only(self, names: Collection[str]) -> LineBooks:
        """Return what the filings of these names alone state."""
        own = [info for info in self.infos if info.name in names]
        return replace(self, infos=own, facts=None, _documents=self._documents, _readable=self._readable, _series={})

    def placed(self, statement: Statement, report: int) -> LineBooks:
        """Return what one statement, or the annual report of one year, states; as it is where neither is named."""
        if not (statement or report):
            return self
        own = [info for info in self.infos if not report or _is_report_of(info, report)]
        facts = None if report else self.facts
        return replace(self, infos=own, facts=facts, statement=statement, _readable={}, _series={})

    def filings_of(self, period: FiscalPeriod, *, releases: bool = False) -> list[DocumentInfo]:
        """Return the filings that may state a period, the newest that shows it first.

        Args:
            period: The year or quarter.
            releases: Whether other documents than annual and quarterly reports count too, such as earnings releases.
        """
        found = []
        for info in self.infos:
            own = info.fiscal_year
            if own is None or own < period.year or own > period.year + 4:
                continue
            form = info.form.upper()
            if period.quarter is None and not (
                form.startswith(ANNUAL) or (releases and self._is_release(info, period))
            ):
                continue
            if period.quarter is not None and (
                info.fiscal_quarter != period.quarter or not (form.startswith(INTERIM) or releases)
            ):
                continue
            found.append(info)
        return sorted(
            found,
            key=lambda info: (
                not info.form.upper().startswith((*ANNUAL, *INTERIM)),
                -(info.fiscal_year or 0),
                -info.known_at.timestamp(),
            ),
        )

    def showing_quarter(self, period: FiscalPeriod) -> list[DocumentInfo]:
        """Return the reports of the quarters and the year after a quarter, whose tables may have a column of it."""
        found: list[tuple[int, DocumentInfo]] = []
        for info in self.infos:
            if (
                period.quarter is None
                or info.fiscal_year is None
                or not info.form.upper().startswith((*ANNUAL, *INTERIM))
            ):
                continue
            later = 4 * (info.fiscal_year - period.year) + (info.fiscal_quarter or 4) - period.quarter
            if 0 <= later <= _QUARTERS_SHOWN and info not in self.filings_of(period):
                found.append((later, info))
        return [info for _, info in sorted(found, key=lambda each: each[0])]

    @staticmethod
    def _is_release(info: DocumentInfo, period: FiscalPeriod) -> bool:
        return not info.form.upper().startswith((*ANNUAL, *INTERIM)) and info.fiscal_year in (
            period.year,
            period.year + 1,
        )

    def newest(self, *, quarterly: bool) -> FiscalPeriod | None:
        """Return the newest year or quarter that is known."""
        forms = INTERIM if quarterly else ANNUAL
        known = [
            FiscalPeriod(info.fiscal_year, info.fiscal_quarter if quarterly else None)
            for info in self.infos
            if info.fiscal_year and info.form.upper().startswith(forms) and (not quarterly or info.fiscal_quarter)
        ]
        if self.facts is not None and self.symbol:
            span = Span.last_quarters(1) if quarterly else Span.last_years(1)
            newest = self._of_facts("revenue", span)
            known += [row.period.fiscal for row in newest.rows if row.period.fiscal]
            known += [row.period for row in newest.missing]
        return max(known, default=None, key=lambda period: (period.year, period.quarter or 0))

    def ending_in(self, year: int, months: Sequence[int], *, of_heads: bool = True) -> FiscalPeriod | None:
        """Return the fiscal year that ends in one of some months of a calendar year; None where that is not told.

        Args:
            year: Calendar year.
            months: 1 to 12.
            of_heads: Whether the heads of columns may tell it, which say a day and not what the company calls the year.
        """
        for shift in (0, -1, 1):
            period = FiscalPeriod(year + shift)
            figure = self.figure("revenue", period, "money")
            if figure.end is None:
                continue
            nearest = figure.end - timedelta(days=_DAYS_OVER)
            if any(day.year == year and day.month in months for day in (figure.end, nearest)):
                return period
        return self._headed(year, months, days=_DAYS_OF_YEAR) if of_heads else None

    def quarter_ending(self, year: int, month: int, *, or_year: bool = False) -> FiscalPeriod | None:
        """Return the fiscal quarter that ends in a month of a calendar year; None where the fiscal year is not known.

        A quarter of 13 weeks may end some days before or after its month: the nearest one is taken.

        Args:
            year: Calendar year.
            month: 1 to 12.
            or_year: Whether the whole year is meant where it ends then too, as with a balance.
        """
        ends = [info.period_end for info in self.infos if info.period_end and info.form.upper().startswith(ANNUAL)]
        last = max(ends, default=None) or self._newest_end()
        if last is None:
            return self._headed(year, (month,), days=_DAYS_OF_QUARTER)
        last_month = (last - timedelta(days=_DAYS_OVER)).month
        fiscal = self.ending_in(last.year, (last.month,))
        shift = 0 if fiscal is None else fiscal.year - last.year
        quarters = round(((month - last_month) % _YEAR) / 3)
        if quarters in (0, 4):  # the year ends then
            ended = year + (1 if month == 12 and last_month == 1 else 0)
            return FiscalPeriod(ended + shift, None if or_year else 4)
        return FiscalPeriod((year if month <= last_month else year + 1) + shift, quarters)

    def _headed(self, year: int, months: Sequence[int], *, days: tuple[int, int]) -> FiscalPeriod | None:
        """Return the one period of so many days that a column of its filings heads with its last day; else None."""
        found: set[FiscalPeriod] = set()
        for info in self.infos:
            if info.fiscal_year is None or not year - 1 <= info.fiscal_year <= year + 2:
                continue
            for table in self.readable(info).tables:
                for column in table.columns:
                    end, length = column.period_end, days_of(column)
                    if end is None or length is None or not days[0] <= length <= days[1]:
                        continue
                    nearest = end - timedelta(days=_DAYS_OVER)
                    if not any(day.year == year and day.month in months for day in (end, nearest)):
                        continue
                    if days == _DAYS_OF_YEAR and column.fiscal_year:
                        found.add(FiscalPeriod(column.fiscal_year))
                    elif info.fiscal_quarter and column.fiscal_year:
                        found.add(FiscalPeriod(column.fiscal_year, info.fiscal_quarter))
        return found.pop() if len(found) == 1 else None

    def _newest_end(self) -> date | None:
        newest = self.newest(quarterly=False)
        return None if newest is None else self.figure("revenue", newest, "money").end

    def figure(
        self, expression: str, period: FiscalPeriod, output: Output, version: Version = "latest"
    ) -> PeriodFigure:
        """Return what a formula over line items gives for a period.

        From the newest stored filing that shows the period, of the version `first` from its own; else from the facts.
        All operands come from one filing, or all from the facts.
        """
        if period.quarter is not None and "@-" in expression:  # a flow of three months over a balance is no yearly rate
            return PeriodFigure(period, refusal="a rate on an average of balances is not worked out for a quarter")
        refusals: list[str] = []
        for info in self._ordered(period, version)[:MOST_FILINGS]:
            found = self._of_filing(info, expression, period, output)
            if found.value is not None:
                return found
            refusals.append(f"{info.name}: {found.refusal}")
        stated = self._of_series(expression, period, output, version)
        if stated is not None and stated.value is not None:
            return stated
        if stated is not None and stated.refusal:
            refusals = [stated.refusal]  # it knows every filing, and the statements are each one of them
        reason = " ".join(dict.fromkeys(refusals)) or f"no filing of {period.label} is stored"
        return PeriodFigure(period, refusal=reason.rstrip("."))

    def part_of_year(self, expression: str, period: FiscalPeriod, months: int, output: Output) -> PeriodFigure:
        """Return what a formula gives for the months that end with a quarter: its items are added up over quarters."""
        operands: list[CitedOperand] = []
        for item in operand_names(expression):
            if "@" in item or line_items()[item].unit == "per_share":
                return PeriodFigure(period, refusal="it is not worked out for a part of a year")
            quarters = [FiscalPeriod(period.year, (period.quarter or 4) - back) for back in range(months // 3)][::-1]
            figures = [self.figure(item, quarter, "money") for quarter in quarters]
            if missing := [figure for figure in figures if figure.value is None]:
                return PeriodFigure(period, refusal=f"{missing[0].period.label}: {missing[0].refusal}")
            first = figures[0].operands[0]
            formula = " + ".join(f"{figure.value:,.10g}" for figure in figures)
            operands.append(
                first.model_copy(
                    update={
                        "name": item,
                        "label": f"{first.label} = {formula}",
                        "column": f"{quarters[0].label} to {quarters[-1].label}",
                        "value": sum(figure.value or 0.0 for figure in figures),
                        "text": "",
                    }
                )
            )
        result = calculate(CalculationRequest(expression=expression, operands=tuple(operands), output=output))
        return PeriodFigure(period, result.value, result.unit, result.formula, result.operands, refusal=result.refusal)

    def _ordered(self, period: FiscalPeriod, version: Version) -> list[DocumentInfo]:
        found = self.filings_of(period)
        if version == "latest":
            return found
        return [info for info in found if info.fiscal_year == period.year]

    def _of_filing(self, info: DocumentInfo, expression: str, period: FiscalPeriod, output: Output) -> PeriodFigure:
        statements = FilingStatements(self.document(info), WantedColumn(period.quarter))
        reading = statements.resolve(for_year(expression, period.year))
        if reading.refusal:
            return PeriodFigure(period, refusal=reading.refusal)
        result = calculate(CalculationRequest(expression=reading.expression, operands=reading.operands, output=output))
        if result.value is None:
            return PeriodFigure(period, refusal=result.refusal)
        ends = {
            column.name: column.period_end
            for kind in ("income", "cashflow", "balance")
            for each in statements.rows(kind)[:1]
            for column in each.columns
        }
        end = next((ends[operand.column] for operand in result.operands if ends.get(operand.column)), None)
        if end is None and info.fiscal_year == period.year:
            end = info.period_end
        return PeriodFigure(
            period, result.value, result.unit, result.formula, result.operands, end=end, notes=reading.notes
        )

    def _of_facts(self, item: str, span: Span, version: Version = "latest") -> Series:
        if self.facts is None:
            raise UsageError("there are no facts")
        return series(self.facts, self.symbol, item, span, self.as_of, version)

    def _of_series(
        self, expression: str, period: FiscalPeriod, output: Output, version: Version
    ) -> PeriodFigure | None:
        """Return a figure from the series of its items; None without facts."""
        if self.facts is None or not self.symbol:
            return None
        operands: dict[str, CitedOperand] = {}
        end: date | None = None
        for name in operand_names(for_year(expression, period.year)):
            item, _, year = name.partition("@")
            wanted = FiscalPeriod(int(year), period.quarter)
            span = Span.years(wanted.year) if wanted.quarter is None else Span.quarters((wanted.year, wanted.quarter))
            try:
                rows = self._of_facts(item, span, version)
            except UsageError:
                return PeriodFigure(period, refusal=f"no series is kept of {item.replace('_', ' ')}")
            row = rows.row(wanted.year, wanted.quarter)
            if row is None:
                why = next((missing.reason for missing in rows.missing), "it is not known")
                return PeriodFigure(period, refusal=f"{item.replace('_', ' ')} of {wanted.label}: {why}")
            end = row.period.end if wanted == period else end
            derived = f" = {row.derivation.formula}" if row.derivation else ""
            operands[name] = CitedOperand(
                name=name,
                label=f"{row.tag}{derived}",
                column=row.period.label,
                value=row.value,
                unit=row.unit,
                scale=1e6 if abs(row.value) >= 1e8 and "/" not in row.unit else 1.0,
                document_name=row.place.label,
                place=row.place.cell,
            )
        request = CalculationRequest(
            expression=for_year(expression, period.year), operands=tuple(operands.values()), output=output
        )
        result = calculate(request)
        if result.value is None:
            return PeriodFigure(period, refusal=result.refusal)
        return PeriodFigure(period, result.value, result.unit, result.formula, result.operands, end=end)


def _is_report_of(info: DocumentInfo, year: int) -> bool:
    return info.fiscal_year == year and info.form.upper().startswith(ANNUAL)
