"""Read liquid means, debt, the year's flows and the parts of revenue from the statements and tables of filings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from tradingagents.retrieval.calculation import CitedOperand
from tradingagents.retrieval.figures.column_choice import WantedColumn
from tradingagents.retrieval.figures.filed_figures import FiledBalance, FiledCell, FiledFigures, PartsKind
from tradingagents.retrieval.figures.risk_themes import named_risks
from tradingagents.retrieval.figures.statements import FilingStatements
from tradingagents.retrieval.line_items import plain_label
from tradingagents.retrieval.models import DocumentInfo, FiledTable, SourceDocument
from tradingagents.retrieval.text_tables import with_text_tables

BALANCE_ITEMS = ("cash", "short_term_investments", "long_term_investments", "short_term_debt", "long_term_debt")
FLOW_ITEMS = (
    "revenue",
    "gross_profit",
    "operating_income",
    "net_income",
    "operating_cash_flow",
    "capital_expenditure",
    "dividends_paid",
    "share_repurchases",
)
QUARTERLY, ANNUAL = ("10-Q",), ("10-K", "20-F", "40-F")
LEAST_PARTS, MOST_PARTS = 2, 9
ADDS_UP = 5e-4
"""Parts add up to revenue within this fraction of it."""
REGIONS = frozenset(
    {"u.s.", "u.s", "us", "united", "states", "international", "americas", "europe", "asia", "japan", "china",
     "germany", "emea", "apac", "africa", "pacific", "foreign", "non-u.s.", "domestic", "canada", "mexico", "rest",
     "world"}
)  # fmt: skip
GENERIC = frozenset({"products", "services", "sales of products", "sales of services", "net product sales",
                     "net service sales", "premiums", "net sales", "revenues"})  # fmt: skip
"""Rows of an income statement that split revenue without naming a business."""


def newest(infos: Sequence[DocumentInfo]) -> tuple[DocumentInfo | None, DocumentInfo | None]:
    """Return the newest annual filing, and the newest of all: a quarterly one where it is later."""

    def latest(forms: tuple[str, ...]) -> DocumentInfo | None:
        fitting = [info for info in infos if info.form.upper().removesuffix("/A") in forms]
        return max(fitting, key=lambda info: (info.period_end or info.known_at.date(), info.known_at), default=None)

    annual, quarterly = latest(ANNUAL), latest(QUARTERLY)
    if annual is None or quarterly is None:
        return annual, annual or quarterly
    ends = [statement.period_end or statement.known_at.date() for statement in (annual, quarterly)]
    return annual, quarterly if ends[1] > ends[0] else annual


def read_filed_figures(
    nothing: FiledFigures, annual: SourceDocument | None, newest_sheet: SourceDocument | None
) -> FiledFigures:
    """Read the newest balance sheet of one filing, and the flows and parts of revenue of the annual one.

    Args:
        nothing: The answer without figures.
        annual: The newest annual filing.
        newest_sheet: The filing with the newest balance sheet.
    """
    balance = _balance(_with_tables(newest_sheet)) if newest_sheet is not None else None
    if annual is None:
        return nothing.model_copy(update={"balance": balance})
    annual = _with_tables(annual)
    statements = FilingStatements(annual)
    year = statements.years[0] if statements.years else None
    if year is None:
        return nothing.model_copy(update={"balance": balance})
    flows = tuple(cell for item in FLOW_ITEMS for cell in _read(statements, item, year)[:1])
    revenue = next((cell for cell in flows if cell.name == "revenue"), None)
    parts, kind = _parts(annual, year, revenue) if revenue is not None else ((), None)
    return nothing.model_copy(
        update={
            "balance": balance,
            "year": year,
            "flows": flows,
            "parts": parts,
            "parts_are": kind,
            "risks": named_risks(annual),
        }
    )


def _with_tables(document: SourceDocument) -> SourceDocument:
    return document if document.tables else with_text_tables(document)


def _balance(document: SourceDocument) -> FiledBalance | None:
    statements = FilingStatements(document, WantedColumn(document.info.fiscal_quarter))
    year = document.info.fiscal_year if document.info.fiscal_year in statements.years else None
    year = year or (statements.years[0] if statements.years else None)
    if year is None:
        return None
    cells = tuple(cell for item in BALANCE_ITEMS for cell in _read(statements, item, year))
    if not cells:
        return None
    columns = {column.name: column.period_end for each in statements.rows("balance") for column in each.columns}
    return FiledBalance(end=columns.get(cells[0].column), column=cells[0].column, cells=cells)


def _read(statements: FilingStatements, item: str, year: int) -> list[FiledCell]:
    """Return the cells of an item that is printed; nothing where it is not, or would have to be derived."""
    found = statements.read(item, year)
    before = {operand.label: operand.value for operand in statements.read(item, year - 1).operands}
    return [
        _cell(statements.document, item, operand, before.get(operand.label))
        for operand in found.operands
        if operand.name.startswith((f"{item}@", f"{item}_"))
    ]


def _cell(document: SourceDocument, name: str, operand: CitedOperand, before: float | None) -> FiledCell:
    page, at = (operand.place.page, operand.place.start) if operand.place else (0, 0)
    line, start = line_of(document.pages[page].text, at)
    return FiledCell(
        name=name,
        label=operand.label,
        column=operand.column,
        value=operand.value,
        before=before,
        unit=operand.unit,
        scale=operand.scale,
        text=operand.text,
        document=document.info.name,
        key=document.info.key,
        page=page + 1,
        line=line if operand.text.strip("()$ ") in line else "",
        start=start,
        known_at=document.info.known_at,
    )


def line_of(text: str, at: int) -> tuple[str, int]:
    """Return the line of a page on which a character stands, and its first character."""
    begin = text.rfind("\n", 0, at) + 1
    end = text.find("\n", at)
    line = text[begin : end if end >= 0 else len(text)]
    return line.strip(), begin + len(line) - len(line.lstrip())


@dataclass(frozen=True, slots=True)
class _Split:
    """Rows of a table that add up to revenue."""

    table: FiledTable
    rows: tuple[int, ...]
    column: int
    earlier: int

    @property
    def labels(self) -> list[str]:
        return [plain_label(self.table.rows[row].label) for row in self.rows]

    @property
    def is_regional(self) -> bool:
        return sum(bool(REGIONS & set(label.replace(",", " ").split())) for label in self.labels) * 2 >= len(self.rows)

    @property
    def is_generic(self) -> bool:
        return sum(label in GENERIC or "other" in label for label in self.labels) * 2 >= len(self.rows)


def _parts(document: SourceDocument, year: int, revenue: FiledCell) -> tuple[tuple[FiledCell, ...], PartsKind | None]:
    """Return the finest split of revenue by business that adds up in both years, else by region."""
    splits = [split for table in document.tables for split in _splits(table, year, revenue)]
    businesses = [split for split in splits if not split.is_regional and not split.is_generic]
    regions = [split for split in splits if split.is_regional]
    chosen = max(businesses or regions, key=lambda one: (len(one.rows), -one.table.page), default=None)
    if chosen is None:
        return (), None
    cells = [one for row in chosen.rows if (one := _part(document, chosen, row, revenue.unit)) is not None]
    return tuple(cells), "segments" if businesses else "regions"


def _part(document: SourceDocument, split: _Split, number: int, unit: str) -> FiledCell | None:
    row, column = split.table.rows[number], split.table.columns[split.column]
    cell, earlier = row.cells[split.column], row.cells[split.earlier]
    if cell is None or cell.value is None or cell.place is None:
        return None
    operand = CitedOperand(
        name="part",
        label=row.label,
        column=column.name,
        text=cell.text,
        value=cell.value,
        unit=row.unit_in(column) or unit,
        scale=row.scale,
        document_name=document.info.name,
        place=replace(cell.place, document=document.info.key),
    )
    return _cell(document, "part", operand, earlier.value if earlier is not None else None)


def _splits(table: FiledTable, year: int, revenue: FiledCell) -> Iterator[_Split]:
    """Yield the rows before the total of revenue that add up to it, and to the revenue of the year before."""
    for number, column in enumerate(table.columns):
        if column.fiscal_year != year or (rows := _adding_up(table, number, revenue.value)) is None:
            continue
        earlier = next((at for at in range(len(table.columns)) if _sums_to(table, rows, at, revenue.before)), None)
        if earlier is not None:
            yield _Split(table, rows, number, earlier)
        return


def _adding_up(table: FiledTable, column: int, total: float) -> tuple[int, ...] | None:
    """Return the rows above a total that add up to it in a column; None where none do."""
    values = [(row, value) for row in range(len(table.rows)) if (value := _value(table, row, column)) is not None]
    at = next((number for number, (_, value) in enumerate(values) if abs(value - total) <= total * 1e-6), 0)
    taken: list[int] = []
    left = total
    for row, value in reversed(values[:at]):
        taken.append(row)
        left -= value
        if abs(left) <= total * ADDS_UP or len(taken) > MOST_PARTS:
            break
    return tuple(reversed(taken)) if abs(left) <= total * ADDS_UP and LEAST_PARTS <= len(taken) <= MOST_PARTS else None


def _sums_to(table: FiledTable, rows: Sequence[int], column: int, total: float | None) -> bool:
    values = [_value(table, row, column) or 0.0 for row in rows]
    return total is not None and abs(sum(values) - total) <= abs(total) * ADDS_UP


def _value(table: FiledTable, row: int, column: int) -> float | None:
    cell = table.rows[row].cells[column]
    return cell.value if cell is not None and "%" not in cell.text else None
