"""Line items of a filing: its primary statements, the row of an item, and the cell of a fiscal year."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import cached_property

from tradingagents.dataflows.models import StatementKind
from tradingagents.dataflows.reference.xbrl_tags import BORROWINGS
from tradingagents.retrieval.calculation import CitedOperand, for_year, operand_names
from tradingagents.retrieval.figures.column_choice import (
    ColumnChoice,
    StatementColumns,
    WantedColumn,
    choose_cells,
    lasts_a_quarter,
)
from tradingagents.retrieval.line_items import LineItem, line_items, plain_label
from tradingagents.retrieval.models import Column, FiledTable, Row, SourceDocument, TableCell, TextPlace
from tradingagents.retrieval.money import DocumentMoney, read_document_money

NOT_PRIMARY = (
    "parent company",
    "guarantor",
    "consolidating",
    "selected financial",
    "pro forma",
    "supplemental",
    "percentage of",
    "percent of",
    "non-gaap",
    "reconciliation",
    "average balance",
    "quarterly",
    "highlights",
)
ENOUGH_ROWS = 12
MAX_DERIVATION = 3
MOST_ROWS = 15
"""Rows that a refusal names."""
_KINDS: tuple[StatementKind, ...] = ("income", "cashflow", "balance")
_NEARLY = 0.1
"""Share of a figure by which two others may miss its being their difference, for small rows between them."""
_QUARTER = 91
"""Days of a quarter, about."""


@dataclass(frozen=True, slots=True)
class StatementRow:
    """A row of a primary statement with its table and its columns."""

    row: Row
    table: FiledTable
    columns: tuple[Column, ...]
    kind: StatementKind
    section: str = ""
    """`current assets` or `current liabilities` in a balance sheet that has totals of these."""


@dataclass(frozen=True, slots=True)
class Reading:
    """An item for a year: the expression over cited operands, or why there is none."""

    expression: str = ""
    operands: tuple[CitedOperand, ...] = ()
    confidence: float = 0.0
    refusal: str = ""
    lacks_row: bool = False
    """Whether the statement was read and no row of it gives the item."""
    notes: tuple[str, ...] = ()
    """Which of several columns of a period was taken."""


class FilingStatements:
    """The primary statements of one filing, and the items that stand in them."""

    def __init__(self, document: SourceDocument, wanted: WantedColumn | None = None) -> None:
        """Set the filing, and what is said of the columns that are meant."""
        self.document = document
        self._wanted = wanted or WantedColumn()
        self._rows: dict[StatementKind, tuple[StatementRow, ...]] = {}

    def rows(self, kind: StatementKind) -> tuple[StatementRow, ...]:
        """Return the rows of a primary statement in order; nothing where the filing has none."""
        if kind not in self._rows:
            self._rows[kind] = tuple(self._statement_rows(kind))
        return self._rows[kind]

    def columns(self, kind: StatementKind) -> StatementColumns:
        """Return the columns of a primary statement; none where the filing has none."""
        return self._columns(self.rows(kind)[0]) if self.rows(kind) else StatementColumns((), False, "")

    def in_column(self, column: Column) -> FilingStatements:
        """Return these statements as read in one of their columns alone."""
        found = FilingStatements(self.document, WantedColumn(column=column))
        found._rows = self._rows
        return found

    @cached_property
    def years(self) -> tuple[int, ...]:
        """Fiscal years of the columns of the primary statements, the latest first."""
        found = {column.fiscal_year for kind in _KINDS for each in self.rows(kind) for column in each.columns}
        return tuple(sorted((year for year in found if year is not None), reverse=True))

    @cached_property
    def money(self) -> DocumentMoney:
        """What the filing says of its currency."""
        return read_document_money(self.document.pages, self.document.info)

    def shows_quarter(self) -> bool:
        """Return whether a column of the statements is of the quarter asked for, though the filing is not."""
        return any(
            number == self._wanted.quarter and (kind == "balance" or lasts_a_quarter(column))
            for kind in _KINDS
            for each in self.rows(kind)[:1]
            for number, column in zip(self._quarters(each.columns), each.columns, strict=True)
        )

    def no_quarter(self) -> str:
        """Say that the filing is not of the quarter asked for, and which columns it has."""
        columns = dict.fromkeys(
            column.name for kind in _KINDS for each in self.rows(kind)[:1] for column in each.columns
        )
        names = "; ".join(name for name in columns if name)
        own = f"; its columns are {names}" if names else ""
        quarter = f"Q{self._wanted.quarter} of a fiscal year"
        return f"it is no filing for {quarter}, and no column of it is of that quarter{own}."

    def no_years(self) -> str:
        """Say why no fiscal year is known: no statement was read, or its columns tell none."""
        read = [STATEMENT_NAMES[kind] for kind in _KINDS if self.rows(kind)]
        if not read:
            return "no primary statement could be read in it."
        return f"the columns of its {' and '.join(read)} do not tell their fiscal years."

    def _quarters(self, columns: Sequence[Column]) -> tuple[int | None, ...]:
        """Return which quarter of its fiscal year each column ends; None where that is not told."""
        info = self.document.info
        ends = [column.period_end for column in columns if column.period_end is not None]
        last = info.period_end or (max(ends, default=None) if info.fiscal_quarter else None)
        if last is None:
            return (None,) * len(columns)
        end = last + timedelta(days=_QUARTER * (4 - (info.fiscal_quarter or 4)))
        return tuple(
            None if column.period_end is None else 4 - round((end - column.period_end).days / _QUARTER) % 4
            for column in columns
        )

    @cached_property
    def _has_minorities(self) -> bool:
        """Whether the income statement tells a share of noncontrolling interests in the net income."""
        labels = [plain_label(each.row.label) for each in self.rows("income")]
        return any("noncontrolling" in label.replace("-", "") and "per " not in label for label in labels)

    def read(self, key: str, year: int, depth: int = 0) -> Reading:
        """Return the expression and operands of an item for a fiscal year, or for the quarter wanted of it."""
        item = line_items()[key]
        direct = self._direct(item, year)
        if direct.expression or depth >= MAX_DERIVATION:
            return direct
        summed = self._parts(item, year)
        derived = [self._derived(expression, item, year, depth) for expression in item.derive]
        options = [each for each in (*derived, summed) if each.expression]
        if options:
            return options[0]
        if item.absent_is_zero and self._has_column(item.statement, year):
            unseen = self._borrowed(year) if item.key == "short_term_debt" else ""
            return Reading(refusal=unseen) if unseen else Reading("0", (), 0.6)
        doubtful = (each for each in derived if each.refusal and not each.lacks_row)
        return next(doubtful, direct) if direct.lacks_row else direct

    def _borrowed(self, year: int) -> str:
        """Say that the filing tags debt of within a year that no row of its balance sheet shows; mostly nothing."""
        ends = {column.period_end for column in self.columns("balance").columns if column.fiscal_year == year}
        tags = frozenset().union(*BORROWINGS.values())
        told = next(
            (
                fact
                for fact in self.document.facts
                if fact.value
                and not fact.dimensions
                and fact.period_end in ends
                and fact.period_start is None
                and fact.concept.partition(":")[2] in tags
            ),
            None,
        )
        if told is None:
            return ""
        return (
            f"No row of the balance sheet gives short-term debt, and the notes tell {told.value:,.0f} {told.unit} "
            f"of it ({told.concept.partition(':')[2]})."
        )

    def _direct(self, item: LineItem, year: int) -> Reading:
        rows = self.rows(item.statement)
        if not rows:
            return Reading(refusal=f"The filing has no {STATEMENT_NAMES[item.statement]} that could be read.")
        if beside := self._beside(item, rows):
            return Reading(refusal=beside, lacks_row=True)
        ranked = [(rank, each) for each in rows if (rank := self._rank(item, each)) is not None]
        if not ranked:
            return Reading(refusal=self._no_row(item, rows), lacks_row=True)
        choices = [(rank, each, self._choice(each, year)) for rank, each in ranked]
        cells = [(rank, each, *found) for rank, each, choice in choices for found in choice.cells]
        if not cells:
            return Reading(refusal=min(choices, key=lambda choice: choice[0])[2].refusal)
        if item.summed:
            summed = self._sum(item, year, [(each, cell, column) for _, each, cell, column in cells])
            return replace(summed, notes=tuple(dict.fromkeys(one.note for *_, one in choices if one.note)))
        best = min(rank for rank, *_ in cells)
        tied = [(each, cell, column) for rank, each, cell, column in cells if rank == best]
        each, cell, column = tied[-1] if item.last else tied[0]
        values = {other.value for _, other, _ in tied}
        operand = self._operand(f"{item.key}@{year}", item, each, cell, column)
        if self._is_deduction(item, operand.value, year):
            operand = operand.model_copy(update={"value": -operand.value})
        notes = tuple(choice.note for _, other, choice in choices if other is each and choice.note)
        sure = 0.95 if len(values) == 1 and best == 0 else 0.85 if len(values) == 1 else 0.7
        return Reading(operand.name, (operand,), sure, notes=notes)

    def _beside(self, item: LineItem, rows: Sequence[StatementRow]) -> str:
        """Say that a row makes another one a part of an item only; empty where none does."""
        labels = [each.row.label for each in rows] if item.unless is not None else []
        other = next((label for label in labels if item.unless and item.unless.fullmatch(plain_label(label))), "")
        if not other:
            return ""
        return f"The {STATEMENT_NAMES[item.statement]} states {other!r} beside it: no row is the whole {item.names[0]}."

    def _no_row(self, item: LineItem, rows: Sequence[StatementRow]) -> str:
        """Say that no row gives an item: none is so called, or those that are stand elsewhere in the statement."""
        name = STATEMENT_NAMES[item.statement]
        called = [each.row.label for each in rows if item.rank(each.row) is not None]
        if called:
            return f"No row of the {name} gives {item.names[0]}: {called[0]!r} stands outside the {item.section} of it."
        labels = list(dict.fromkeys(each.row.label for each in rows if each.row.label))
        more = f" and {len(labels) - MOST_ROWS} more" if len(labels) > MOST_ROWS else ""
        return f"No row of the {name} gives {item.names[0]}; its rows are {'; '.join(labels[:MOST_ROWS])}{more}."

    def _choice(self, each: StatementRow, year: int) -> ColumnChoice:
        return choose_cells(each.row, self._columns(each), year, self._wanted)

    def _columns(self, each: StatementRow) -> StatementColumns:
        kind = each.table.statement or each.kind
        quarter = self._wanted.quarter
        own = quarter is None or self.document.info.fiscal_quarter == quarter
        quarters = self._quarters(each.columns)
        if own:  # balances stand beside those at the end of the year before, which are of no quarter like its own
            quarters = () if quarter is None or kind != "balance" else tuple(of or quarter for of in quarters)
        return StatementColumns(
            each.columns,
            kind != "balance",
            STATEMENT_NAMES[kind],
            self.money.stated if any(column.currency for column in each.columns) else "",
            quarters,
        )

    def _is_deduction(self, item: LineItem, value: float, year: int) -> bool:
        """Whether a row is printed as a deduction, told by the two items between which it stands."""
        if not item.sign_check:
            return False
        above, *belows = (self._direct(line_items()[key], year) for key in item.sign_check)
        afters = [below.operands[0].value for below in belows if not below.refusal]
        if above.refusal or not afters:
            return False
        before = above.operands[0].value
        added = min(abs(before + value - after) for after in afters)
        subtracted = min(abs(before - value - after) for after in afters)
        # Where other rows stand between, such as discontinued operations, only a deduction is printed as negative.
        fits = min(added, subtracted) < _NEARLY * abs(value)
        return added < subtracted and (fits or value < 0)

    def _has_column(self, kind: StatementKind, year: int) -> bool:
        return any(self._choice(each, year).cells for each in self.rows(kind))

    def _rank(self, item: LineItem, each: StatementRow) -> int | None:
        if item.section and each.section and each.section != item.section:
            return None
        if item.outside and each.section == item.outside:
            return None
        minorities = item.with_minorities is not None and self._has_minorities
        return item.rank(each.row, minorities=minorities)

    def _parts(self, item: LineItem, year: int) -> Reading:
        found = [
            (each, cell, column)
            for each in self.rows(item.statement)
            if item.is_part(each.row)
            for cell, column in self._choice(each, year).cells
        ]
        return self._sum(item, year, found) if found else Reading(refusal="No rows add up to it.")

    def _sum(self, item: LineItem, year: int, found: Sequence[tuple[StatementRow, TableCell, Column]]) -> Reading:
        """Add up rows, each once: a row that repeats another's figure under the same label is the same row."""
        operands: dict[tuple[str, float], CitedOperand] = {}
        for each, cell, column in found:
            name = item.key if len(found) == 1 else f"{item.key}_{len(operands) + 1}"
            operand = self._operand(f"{name}@{year}", item, each, cell, column)
            operands.setdefault((plain_label(each.row.label), operand.value), operand)
        names = [operand.name for operand in operands.values()]
        expression = names[0] if len(names) == 1 else f"({' + '.join(names)})"
        return Reading(expression, tuple(operands.values()), 0.85 if len(names) == 1 else 0.75)

    def _derived(self, expression: str, item: LineItem, year: int, depth: int) -> Reading:
        return self.resolve(for_year(expression, year), depth + 1, without=item.key, brackets=True)

    def resolve(self, expression: str, depth: int = 0, *, without: str = "", brackets: bool = False) -> Reading:
        """Return an expression over `item@year` with every item read from the statements, or the first refusal."""
        operands: dict[str, CitedOperand] = {}
        confidence = 1.0
        notes: dict[str, None] = {}
        for name in operand_names(expression):
            key, _, year = name.partition("@")
            if key not in line_items():
                return Reading(refusal=f"`{key}` is no known line item.")
            reading = self._without(key, int(year), depth, without)
            if reading.refusal:
                return reading
            expression = expression.replace(name, reading.expression) if reading.expression != name else expression
            operands |= {operand.name: operand for operand in reading.operands}
            confidence = min(confidence, reading.confidence)
            notes |= dict.fromkeys(reading.notes)
        shown = f"({expression})" if brackets else expression
        return Reading(shown, tuple(operands.values()), confidence, notes=tuple(notes))

    def _without(self, key: str, year: int, depth: int, without: str) -> Reading:
        """Read an item that another is derived from: not by deriving it from that other again."""
        if without and without in " ".join(line_items()[key].derive):
            return self._direct(line_items()[key], year)
        return self.read(key, year, depth)

    def _operand(self, name: str, item: LineItem, each: StatementRow, cell: TableCell, column: Column) -> CitedOperand:
        value = cell.value or 0.0
        if item.magnitude and _is_printed_negative(each.row):
            value = -value
        if item.signed_by_label and plain_label(each.row.label).startswith(("net loss", "loss")):
            value = -abs(value) if all(other is None or (other.value or 0) >= 0 for other in each.row.cells) else value
        place, info = cell.place or each.table, self.document.info
        return CitedOperand(
            name=name,
            label=each.row.label,
            column=column.name,
            text=cell.text,
            value=value,
            unit=each.row.unit_in(column) or (self.money.unmarked if item.unit == "money" else ""),
            scale=each.row.scale_in(column),
            document_name=info.name,
            place=TextPlace(info.key, place.page, place.start, place.end),
        )

    def _statement_rows(self, kind: StatementKind) -> Iterator[StatementRow]:
        tables = [table for table in self.document.tables if table.statement == kind]
        primary = max(tables, key=_primary_score, default=None)
        if primary is None or _primary_score(primary) < 0:
            return
        years = [column.fiscal_year for column in primary.columns]
        members = [
            table
            for table in tables
            if table is primary
            or (
                abs(table.page - primary.page) <= 1
                and len(table.columns) == len(primary.columns)
                and [column.fiscal_year for column in table.columns] in (years, [None] * len(years))
            )
        ]
        members += [
            table for table in self.document.tables if kind == "cashflow" and _reconciles(table, members, years)
        ]
        members.sort(key=lambda table: (table.page, table.start))
        rows = [StatementRow(row, table, primary.columns, kind) for table in members for row in table.rows]
        yield from _with_sections(rows) if kind == "balance" else rows


STATEMENT_NAMES: dict[StatementKind, str] = {
    "income": "income statement",
    "balance": "balance sheet",
    "cashflow": "cash flow statement",
}


def _is_printed_negative(row: Row) -> bool:
    """Return whether a row prints what is paid as negative: a single negative figure among others is a credit."""
    values = [cell.value for cell in row.cells if cell is not None and cell.value]
    negative = sum(value < 0 for value in values)
    return 2 * negative > len(values) or (2 * negative == len(values) and sum(values) < 0)


def _primary_score(table: FiledTable) -> float:
    """Return how likely a table is the filing's own primary statement and not an extract or a summary of it."""
    title = plain_label(table.title)
    years = [column.fiscal_year for column in table.columns]
    score = float(min(len(table.rows), ENOUGH_ROWS))
    score += 6 if any(years) else -6
    score += 3 if "consolidated" in title or "statement" in title or "balance sheet" in title else 0
    score -= 12 if any(word in title for word in NOT_PRIMARY) else 0
    score -= 4 if len(set(years)) < len(years) and not all(column.period_start for column in table.columns) else 0
    score -= 4 if len(years) > 4 else 0
    return score - table.page / 1000


def _with_sections(rows: Sequence[StatementRow]) -> Iterator[StatementRow]:
    """Return the rows of a balance sheet with the part that they stand in, told by the totals."""
    labels = [plain_label(each.row.label) for each in rows]
    assets = next((index for index, label in enumerate(labels) if label == "total current assets"), None)
    whole = next((index for index, label in enumerate(labels) if label in ("total assets", "assets")), None)
    debts = next((index for index, label in enumerate(labels) if label == "total current liabilities"), None)
    headed = next((index for index, each in enumerate(rows) if _is_under(each, "current liabilities")), None)
    start = headed if headed is not None and whole is not None and headed > whole else whole
    for index, each in enumerate(rows):
        section = ""
        if assets is not None and index <= assets:
            section = "current assets"
        elif whole is not None and start is not None and debts is not None and max(whole + 1, start) <= index <= debts:
            section = "current liabilities"
        elif assets is not None and debts is not None:
            section = "other"
        yield replace(each, section=section)


def _reconciles(table: FiledTable, members: Sequence[FiledTable], years: Sequence[int | None]) -> bool:
    """Whether a table after the cash flow statement reconciles net income with operating cash flow, as part of it."""
    if table.statement is not None or table.page - max(each.page for each in members) not in (0, 1):
        return False
    first = " ".join([table.title, *(" ".join((*row.headings, row.label)) for row in table.rows[:2])])
    named = "reconciliation of net" in plain_label(first)
    return named and [column.fiscal_year for column in table.columns] == list(years)


def _is_under(each: StatementRow, heading: str) -> bool:
    return any(plain_label(text).endswith(heading) for text in each.row.headings)
