"""The facts of one document for a series: its inline XBRL where it has tags, the cells of its statements where not.

A filing is read in one of the two ways: what it tags is exact, and a cell is read by its label. The debt of a filing
with tags is read by its rows where a row has a tag of the company's own.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from datetime import date

from tradingagents.dataflows.models import StatementKind
from tradingagents.dataflows.reference.currencies import CODES
from tradingagents.dataflows.reference.fiscal_periods import SAME_PERIOD, YEARLY_FORMS
from tradingagents.dataflows.reference.xbrl_tags import ITEM_TAGS, TAGS
from tradingagents.retrieval.calculation import CalculationRequest, CitedOperand, calculate
from tradingagents.retrieval.figures.column_choice import StatementColumns, own_columns
from tradingagents.retrieval.figures.statements import FilingStatements, Reading
from tradingagents.retrieval.line_items import line_items, plain_label
from tradingagents.retrieval.models import Column, DocumentInfo, SourceDocument, TextPlace
from tradingagents.retrieval.series.fact import FactPeriod, FactPlace, SeriesFact
from tradingagents.retrieval.series.items import OUR_NAMES, kind_of, output_of
from tradingagents.retrieval.series.reported import assumed_start
from tradingagents.retrieval.text_tables import with_text_tables
from tradingagents.schemas.derivation import Derivation, SourceCell

FACTS_VERSION = 6
"""Raised when documents are to be read anew for their facts: also where the tables of their text are read otherwise."""
REPORTS = (*YEARLY_FORMS, "10-Q", "6-K")
"""How the forms begin whose statements are read by their cells: a release may show adjusted figures beside its own."""
LEAST_SURE = 0.75
"""Confidence of a reading below which several rows could be meant, and the cell is no fact."""
_EQUAL = 1e-3
"""Relative difference up to which two amounts are one, stated in millions."""
_YEAR = 12
_HOLDS_MORE: Mapping[str, re.Pattern[str]] = {
    "interest_expense": re.compile(r"\bnet\b|income"),
    "accounts_payable": re.compile(r"accrued|other|liabilities"),
    "operating_expenses": re.compile(r"costs"),
}
"""Words of a label by which a row holds more than an item: interest less income from it, payables with accruals."""
_DEBT = frozenset({"short_term_debt", "total_debt"})
"""Items that are sums of rows: one whose tag is not known is missing from the sum without a sign of it."""
_OTHER_OWNERS = re.compile(r"non-?controlling|minority interest|redeemable|temporary equity|mezzanine")
_KINDS: tuple[StatementKind, ...] = ("income", "balance", "cashflow")


def document_facts(document: SourceDocument) -> tuple[SeriesFact, ...]:
    """Return what a document states of its company as a whole, by period; () for one that states nothing so.

    The fiscal year and quarter are told only of the document's own period: earlier ones have their days.
    """
    if document.info.kind != "filing":
        return ()
    if is_tagged(document):
        return (*_tagged_facts(document), *_debt_beyond_tags(document))
    if not document.info.form.upper().startswith(REPORTS):
        return ()
    return tuple(_cell_facts(document if document.tables else with_text_tables(document)))


def is_tagged(document: SourceDocument) -> bool:
    """Return whether a document tags figures of its statements."""
    return any(not fact.dimensions and _local(fact.concept) in TAGS for fact in document.facts)


def _local(concept: str) -> str:
    return concept.partition(":")[2]


def company_of(info: DocumentInfo) -> str:
    """Return how the facts of a document name its company: by ticker, or by name where it has none."""
    return info.symbol.upper() or info.company


def _place(info: DocumentInfo, cell: TextPlace | None, statement: StatementKind | None) -> FactPlace:
    own = None if cell is None else replace(cell, document=info.key)
    return FactPlace(info.name, info.form, info.accession, info.key, own, info.url, statement)


def _own_period(info: DocumentInfo, start: date | None, end: date) -> FactPeriod:
    """Return a period, with the fiscal year that the document names where it ends with the document's own."""
    if info.period_end is None or abs(end - info.period_end) > SAME_PERIOD or info.fiscal_year is None:
        return FactPeriod(end, start)
    quarter = None if info.form.upper().startswith(YEARLY_FORMS) else info.fiscal_quarter
    return FactPeriod(end, start, info.fiscal_year, quarter)


def _tagged_facts(document: SourceDocument) -> Iterator[SeriesFact]:
    info, printed = document.info, _printed(document)
    company = company_of(info)
    for number, fact in enumerate(document.facts):
        if fact.dimensions or not fact.concept or not fact.unit:
            continue
        place, scale, statement = printed.get(number, (None, 1.0, None))
        yield SeriesFact(
            company=company,
            item=None,
            tag=fact.concept,
            period=_own_period(info, fact.period_start, fact.period_end),
            unit=fact.unit,
            value=fact.value,
            place=_place(info, place, statement),
            known_at=info.known_at,
            scale=scale,
        )


def _printed(document: SourceDocument) -> Mapping[int, tuple[TextPlace, float, StatementKind | None]]:
    """Return where the document prints each tagged figure, its scale, and the primary statement if it stands in one."""
    found: dict[int, tuple[TextPlace, float, StatementKind | None]] = {}
    statements = FilingStatements(document)
    primary = {each.table.number: kind for kind in _KINDS for each in statements.rows(kind)}
    for table in sorted(document.tables, key=lambda table: table.number not in primary):
        for row in table.rows:
            for cell, column in zip(row.cells, table.columns, strict=False):
                if cell is not None and cell.fact is not None and cell.place is not None:
                    found.setdefault(cell.fact, (cell.place, row.scale_in(column), primary.get(table.number)))
    return found


def _debt_beyond_tags(document: SourceDocument) -> Iterator[SeriesFact]:
    """Yield the debt of balance sheets of which a row has a tag that gives no item, so that the tags lack a part."""
    beyond = {
        cell.place
        for each in FilingStatements(document).rows("balance")
        for cell in each.row.cells
        if cell is not None and cell.fact is not None and _local(document.facts[cell.fact].concept) not in ITEM_TAGS
    }
    places = {replace(place, document=document.info.key) for place in beyond if place is not None}
    yield from _cell_facts(document, _DEBT, places)


def _cell_facts(
    document: SourceDocument, names: frozenset[str] = frozenset(), places: Collection[TextPlace] = ()
) -> Iterator[SeriesFact]:
    """Yield what the cells of the primary statements state.

    Args:
        document: A document with tables.
        names: Items to read; none: all.
        places: Where one of the cells of an item has to stand; none: anywhere.
    """
    statements = FilingStatements(document)
    sheets = {
        column.fiscal_year: column.period_end for column in statements.columns("balance").columns if column.period_end
    }
    for kind in _KINDS:
        for column, period in _periods(statements.columns(kind), document.info, sheets):
            within = statements.in_column(column)
            readings = {
                OUR_NAMES.get(key, key): within.read(key, column.fiscal_year or period.end.year)
                for key, item in line_items().items()
                if item.statement == kind
                and kind_of(OUR_NAMES.get(key, key)) is not None
                and (not names or key in names)
            }
            doubtful = _of_other_content(statements, readings)
            for name, reading in readings.items():
                if name in doubtful or (names and not any(operand.place in places for operand in reading.operands)):
                    continue
                fact = _fact_of(document.info, name, reading, period)
                if fact is not None:
                    yield replace(fact, basis=_basis(column))


def _of_other_content(statements: FilingStatements, readings: Mapping[str, Reading]) -> frozenset[str]:
    """Return the items whose row holds more than the item, or of which the sheet does not tell whose equity it is.

    One total of equity is that of the parent or that of all owners: where a sheet has a share of other owners, the
    total below it holds the share and the one above it does not.
    """
    found = {
        name
        for name, rule in _HOLDS_MORE.items()
        if name in readings and any(rule.search(plain_label(operand.label)) for operand in readings[name].operands)
    }
    depreciation = readings.get("depreciation_and_amortization")
    if depreciation is not None:
        words = " ".join(operand.label.lower() for operand in depreciation.operands)
        if "depreciation" not in words or "amorti" not in words:
            found.add("depreciation_and_amortization")
    if _holds_cost_of_revenue(readings):
        found.add("operating_expenses")
    others = [each for each in statements.rows("balance") if _OTHER_OWNERS.search(plain_label(each.row.label))]
    equity, whole = readings.get("equity"), readings.get("total_equity")
    if not others or equity is None or whole is None:
        return frozenset(found)
    if "total_liabilities" in readings and len(readings["total_liabilities"].operands) > 1:
        found.add("total_liabilities")
    if equity.operands and whole.operands and equity.operands[0].place == whole.operands[0].place:
        found |= {"equity", "total_equity"}
    return frozenset(found)


def _holds_cost_of_revenue(readings: Mapping[str, Reading]) -> bool:
    """Return whether operating expenses are all costs: what they leave of revenue is the operating income."""
    names = ("revenue", "operating_expenses", "operating_income", "cost_of_revenue")
    operands = [readings[name].operands for name in names if name in readings]
    if len(operands) < len(names) or not all(operands):
        return False
    revenue, expenses, income, _ = (found[0].value for found in operands)
    return math.isclose(revenue - expenses, income, rel_tol=_EQUAL)


def _periods(
    columns: StatementColumns, info: DocumentInfo, sheets: Mapping[int | None, date | None]
) -> Iterator[tuple[Column, FactPeriod]]:
    """Yield the columns of a statement that are alone of their period and basis: several are of parts of the company.

    Args:
        sheets: Last day of each fiscal year that the document has a balance sheet of.
    """
    found = [
        (column, period)
        for column in own_columns(columns)
        if (period := _period(info, column, sheets, flow=columns.flow)) is not None
    ]
    counts = Counter((period, _basis(column)) for column, period in found)
    for column, period in found:
        if counts[period, _basis(column)] == 1:
            yield column, period


def _basis(column: Column) -> str:
    """Return what a fact of a column is besides the company's own figure; a restated one is a later version of it."""
    return "" if column.basis == "restated" else column.basis


def _period(
    info: DocumentInfo, column: Column, sheets: Mapping[int | None, date | None], *, flow: bool
) -> FactPeriod | None:
    """Return the period of a column; None where its days are not told.

    Args:
        sheets: Last day of each fiscal year that the document has a balance sheet of.
        flow: Whether its figures are of a length of time; in an annual report that of a year, where none is told.
    """
    annual = info.form.upper().startswith(YEARLY_FORMS)
    end = column.period_end
    if end is None and annual and column.fiscal_year is not None:
        end = info.period_end if column.fiscal_year == info.fiscal_year else sheets.get(column.fiscal_year)
    if end is None:
        return None
    start = column.period_start if flow else None
    if flow and start is None:
        months = column.months or (_YEAR if annual else None)
        if months is None:
            return None
        start = assumed_start(end, months=months)
    return _own_period(info, start, end)


def _fact_of(info: DocumentInfo, name: str, reading: Reading, period: FactPeriod) -> SeriesFact | None:
    """Return a reading of an item as a fact; None where it is none, is not sure, or its currency is not told."""
    if reading.refusal or reading.confidence < LEAST_SURE or not reading.operands:
        return None
    operands, units = reading.operands, {operand.unit for operand in reading.operands}
    unit = operands[0].unit
    if len(units) > 1 or (unit != "shares" and unit.partition("/")[0] not in CODES):
        return None
    value: float | None = operands[0].value
    derivation = None
    if reading.expression != operands[0].name:
        value = calculate(CalculationRequest(expression=reading.expression, operands=operands)).value
        derivation = Derivation(
            formula=reading.expression,
            output=output_of(unit),
            cells=tuple(_source_cell(operand) for operand in operands),
        )
    if value is None:
        return None
    return SeriesFact(
        company=company_of(info),
        item=name,
        tag="; ".join(dict.fromkeys(operand.label for operand in operands)),
        period=period,
        unit=unit,
        value=value + 0.0,
        place=_place(info, operands[0].place, kind_of(name)),
        known_at=info.known_at,
        scale=operands[0].scale,
        derivation=derivation,
    )


def _source_cell(operand: CitedOperand) -> SourceCell:
    page = f", page {operand.place.page + 1}" if operand.place is not None else ""
    where = f"{operand.label}, {operand.column}, {operand.document_name}{page}"
    return SourceCell(name=operand.name, value=operand.value, unit=operand.unit, where=where)
