"""Of which period the figures of a column are: whole years, quarters, parts of a year, and years of a change."""

from __future__ import annotations

import re
from datetime import date
from itertools import pairwise

from tradingagents.retrieval.figures.column_choice import QUARTER_DAYS, YEAR_DAYS
from tradingagents.retrieval.lines.cells.found_cells import FoundCell
from tradingagents.retrieval.lines.line_questions import qualifiers_in
from tradingagents.retrieval.lines.rows.label_words import head_text
from tradingagents.retrieval.models import Column, FiledTable, Row, SourceDocument
from tradingagents.retrieval.series.span import FiscalPeriod

ANNUAL = ("10-K", "20-F", "40-F")


DAYS_A_MONTH = 30.4


DAYS_A_YEAR, _DAYS_APART = 365.25, 12
"""Days of a year, and days by which years of 52 or 53 weeks end apart."""


CHANGE = re.compile(
    r"(?i)\b(?:change|increase|decrease|growth|vs\.?|versus|variance|impact|effects?|drivers?|b/\(?w)\b|%\s*chg|[+\u0394]"
)


def is_of_period(
    document: SourceDocument,
    table: FiledTable,
    at: int,
    column: Column,
    period: FiscalPeriod,
    *,
    growth: bool,
    months: int = 0,
) -> bool:
    """Whether the figures of a column are of a period: whole years, or the quarter of a quarterly report."""
    if quarter := QUARTER_COLUMN.fullmatch(column.header):
        return period == FiscalPeriod(int(quarter["year"]), int(quarter["quarter"])) and not months
    text = head_text(column)
    changes = bool(CHANGE.search(text)) or "%" in text
    if changes and not growth and not qualifiers_in(column.header.lower()):
        return False
    year = column.fiscal_year
    if changes and growth:
        year = changed_year(table, at)
    if year != period.year or column.basis in ("adjustment", "pro forma"):
        return False
    days = days_of(column)
    info = document.info
    quarterly = info.fiscal_quarter is not None and not info.form.upper().startswith(ANNUAL)
    if quarterly and info.period_end and column.period_end and not years_apart(info.period_end, column.period_end):
        return False
    if period.quarter is None:
        return not quarterly if days is None else YEAR_DAYS[0] <= days <= YEAR_DAYS[1]
    if info.fiscal_quarter != period.quarter:
        return False
    return column.period_start is None if days is None else lasts_as_asked(days, months)


QUARTER_COLUMN = re.compile(r"Q(?P<quarter>[1-4]) (?P<year>20\d\d)")
"""The head of a column of a quarter in a table of several, as `heads.worded_heads` writes it."""


def is_tagged(table: FiledTable) -> bool:
    """Return whether a table has tagged cells."""
    return any(cell is not None and cell.fact is not None for row in table.rows for cell in row.cells)


def lasts_as_asked(days: float, months: int) -> bool:
    """Whether days are those of a quarter, or of a part of a year of some months."""
    least, most = QUARTER_DAYS
    return least <= days <= most if not months else abs(days - months * DAYS_A_MONTH) <= most - least


def fact_is_of(document: SourceDocument, number: int, period: FiscalPeriod, months: int) -> bool:
    """Whether a tagged figure is of a period: its own days tell, whatever stands at the head of its column."""
    fact, info = document.facts[number], document.info
    if info.period_end is None or info.fiscal_year is None:
        return False
    years = round((info.period_end - fact.period_end).days / DAYS_A_YEAR)
    apart = abs((info.period_end - fact.period_end).days - years * DAYS_A_YEAR)
    if apart > _DAYS_APART or info.fiscal_year - years != period.year:
        return False
    days = None if fact.period_start is None else (fact.period_end - fact.period_start).days + 1
    if info.fiscal_quarter is None or info.form.upper().startswith(ANNUAL):
        return period.quarter is None and (days is None or YEAR_DAYS[0] <= days <= YEAR_DAYS[1])
    return period.quarter == info.fiscal_quarter and (days is None or lasts_as_asked(days, months))


def years_apart(end: date, other: date) -> bool:
    """Whether two days are whole years apart, within the days of fiscal years of weeks."""
    days = abs((end - other).days)
    return abs(days - round(days / DAYS_A_YEAR) * DAYS_A_YEAR) <= _DAYS_APART


def changed_year(table: FiledTable, at: int) -> int | None:
    """Return the year that a column of changes is about: the newest that it names, or that of the column before it."""
    text = table.columns[at].header
    years = [int(found) for found in re.findall(r"(?:19|20)\d\d", text)]
    years += [2000 + int(found) for found in re.findall(r"['\u2019](\d\d)\b", text)]
    if years:
        return max(years)
    dated = [(number, column.fiscal_year) for number, column in enumerate(table.columns)
             if column.fiscal_year is not None and not CHANGE.search(head_text(column))]  # fmt: skip
    named = sorted({year for _, year in dated if year is not None})
    if len(named) == 2 and at > max(number for number, _ in dated):
        return named[-1]
    before = [year for number, year in dated if number == at - 1]
    alternating = len(dated) > 1 and all(other - one == 2 for (one, _), (other, _) in pairwise(dated))
    return before[0] if before and alternating else None


def days_of(column: Column) -> float | None:
    """Return the days of the period of a column; None where it tells none."""
    if column.period_start is not None and column.period_end is not None:
        return (column.period_end - column.period_start).days + 1
    return None if column.months is None else column.months * DAYS_A_MONTH


def is_of_flow(cell: FoundCell) -> bool:
    """Return whether a figure is of a period, and adds up over several: no balance, average, price or rate."""
    fact = cell.cell.fact
    dated = cell.document.facts[fact].period_start is not None if fact is not None else days_of(cell.column) is not None
    return dated and not _NOT_ADDED.search(" ".join((cell.row.label, *cell.row.headings[-1:])))


_NOT_ADDED = re.compile(r"(?i)\b(?:averages?|per|prices?|rates?|ending|beginning|balances?)\b")


def is_row_of_years(row: Row) -> bool:
    """Return whether a row prints nothing but years: it heads the columns of the rows below it."""
    texts = [cell.text.strip() for cell in row.cells if cell is not None and cell.text.strip()]
    return len(texts) > 1 and all(_YEAR.fullmatch(text) for text in texts)


_YEAR = re.compile(r"(?:FY ?)?(?:19|20)\d\d")
