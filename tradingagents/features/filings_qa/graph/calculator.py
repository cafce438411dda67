"""The calculator that the answer writer may call: its operands are cells of the sources, named by row and column."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from langchain_core.messages import ToolCall, ToolMessage
from langchain_core.tools import BaseTool, StructuredTool
from pydantic import BaseModel, Field, ValidationError

from tradingagents.features.filings_qa.graph.sources import next_labels
from tradingagents.features.filings_qa.schemas import SourceRecord
from tradingagents.retrieval.calculation import MAX_EXPRESSION, CalculationRequest, CitedOperand, Output, calculate
from tradingagents.retrieval.models import FiledTable, SourceDocument, TableCell, TextPlace
from tradingagents.retrieval.models import Row as TableRow
from tradingagents.retrieval.store import DocumentStore
from tradingagents.retrieval.text_tables import with_text_tables

NAME = "calculate"
MAX_ROUNDS = 3
"""Rounds of calculations before the answer must be written."""
MOST_ROWS = 40
"""Rows that a refusal names."""


class CellReference(BaseModel):
    """A figure of a source."""

    name: str = Field(description="Its name in the expression, such as revenue_2024")
    source: str = Field(description="Label of the source, such as 10K1")
    row: str = Field(description="Row label as printed")
    column: str = Field(description="Column header as printed, or the fiscal year")


class CalculatorCall(BaseModel):
    """Compute a ratio, growth, average or sum of figures of the sources; the result becomes a source [X1]."""

    expression: str = Field(
        max_length=MAX_EXPRESSION,
        description="Names and + - * / ( ), average(a, b), growth(before, after), cagr(before, after, years)",
    )
    cells: list[CellReference] = Field(min_length=1, max_length=20)
    output: Output = Field("number", description="percent for a share or growth in percent, times for a ratio")


class NotComputed(Exception):
    """A call has no result; the message says why, and which cells there are."""


def calculator() -> BaseTool:
    """Return the calculator as a tool for a model; the node that binds it makes the calculations."""
    return StructuredTool.from_function(
        _never_called, name=NAME, description=CalculatorCall.__doc__ or "", args_schema=CalculatorCall
    )


def _never_called(**_: Any) -> str:
    raise NotImplementedError("the node that binds the calculator answers its calls")


class Calculations:
    """Answers a model's calls of the calculator, and collects the calculations as sources."""

    def __init__(self, store: DocumentStore, sources: Sequence[SourceRecord]) -> None:
        """Prepare for one answer.

        Args:
            store: Holds the documents of the sources.
            sources: What the writer was given.
        """
        self._store = store
        self._sources: Mapping[str, SourceRecord] = {source.label: source for source in sources}
        self._labels = next_labels(sources, "X")
        self._documents: dict[str, SourceDocument] = {}
        self.made: list[SourceRecord] = []

    def answer(self, call: ToolCall) -> ToolMessage:
        """Return the result of a call with its label, or why there is none."""
        try:
            text, status = self._computed(CalculatorCall.model_validate(call["args"])), "success"
        except ValidationError as error:
            wrong = "; ".join(f"{'.'.join(map(str, problem['loc']))}: {problem['msg']}" for problem in error.errors())
            text, status = f"The call is not valid: {wrong}", "error"
        except NotComputed as refused:
            text, status = str(refused), "error"
        return ToolMessage(text, name=NAME, tool_call_id=call["id"] or "", status=status)

    def _computed(self, asked: CalculatorCall) -> str:
        operands = tuple(self._operand(cell) for cell in asked.cells)
        done = calculate(CalculationRequest(expression=asked.expression, operands=operands, output=asked.output))
        if done.value is None:
            raise NotComputed(f"It cannot be computed: {done.refusal}")
        label = next(self._labels)
        used = [self._sources[_label(cell.source)] for cell in asked.cells]
        self.made.append(_source(label, done.formula, operands, used))
        return f"[{label}] {done.formula}"

    def _operand(self, cell: CellReference) -> CitedOperand:
        source = self._sources.get(_label(cell.source))
        if source is None or source.kind != "filing" or source.page is None:
            known = ", ".join(label for label, given in self._sources.items() if given.kind == "filing")
            raise NotComputed(f"{cell.source} is no filing among the sources; there are {known or 'none'}.")
        document = self._document(source.document)
        tables = [table for table in document.tables if table.page == source.page]
        found = list(_cells(tables, cell))
        values = {(printed.value, row.unit_in(table.columns[at])) for table, row, at, printed in found}
        if len(values) != 1:
            raise NotComputed(_why(cell, tables, several=bool(found)))
        table, row, column, printed = found[0]
        place = printed.place
        return CitedOperand(
            name=cell.name,
            label=row.label,
            column=table.columns[column].name,
            text=printed.text,
            value=printed.value or 0.0,
            unit=row.unit_in(table.columns[column]),
            scale=row.scale_in(table.columns[column]),
            document_name=source.name,
            place=TextPlace(source.document, source.page or 0, place.start if place else 0, place.end if place else 0),
        )

    def _document(self, key: str) -> SourceDocument:
        if key not in self._documents:
            document = self._store.get(key)
            self._documents[key] = document if document.tables else with_text_tables(document)
        return self._documents[key]


def _cells(
    tables: Sequence[FiledTable], wanted: CellReference
) -> Iterator[tuple[FiledTable, TableRow, int, TableCell]]:
    """Yield the cells whose row and column are named: rows of exactly that label, else those that begin with it."""
    label = _plain(wanted.row)
    rows = [(table, row) for table in tables for row in table.rows]
    exact = [(table, row) for table, row in rows if _plain(row.label) == label]
    for table, row in exact or [(table, row) for table, row in rows if label and _plain(row.label).startswith(label)]:
        for number, cell in enumerate(row.cells):
            if cell is not None and cell.value is not None and _is_column(table, number, wanted.column):
                yield table, row, number, cell


def _is_column(table: FiledTable, number: int, wanted: str) -> bool:
    column = table.columns[number]
    plain = _plain(wanted)
    if plain in (_plain(column.header), _plain(column.name)) or (plain and plain in _plain(column.name)):
        return True
    return plain.removeprefix("fiscal").removeprefix("fy").strip() == str(column.fiscal_year)


def _why(cell: CellReference, tables: Sequence[FiledTable], *, several: bool) -> str:
    """Say that a reference names no cell, or several that differ, and which rows and columns there are."""
    what = "several cells that differ" if several else "no cell"
    rows = list(dict.fromkeys(row.label for table in tables for row in table.rows))[:MOST_ROWS]
    columns = list(dict.fromkeys(column.name for table in tables for column in table.columns))
    there = f" Rows: {'; '.join(rows)}. Columns: {'; '.join(columns)}." if rows else " The source has no table."
    return f"Row {cell.row!r}, column {cell.column!r} of {cell.source} names {what}.{there}"


def _plain(text: str) -> str:
    return " ".join(text.lower().replace(",", " ").split())


def _label(written: str) -> str:
    """Return a label in its canonical form."""
    return written.strip("[] ").replace("-", "").upper()


def _source(label: str, formula: str, operands: Sequence[CitedOperand], used: Sequence[SourceRecord]) -> SourceRecord:
    """Return a calculation as a source."""
    cells = "; ".join(f"{operand.label} ({operand.column}) {operand.text}" for operand in operands)
    nowhere = {"document": "", "page": None, "start": 0, "end": 0, "form": "", "item": "", "speaker": "", "url": ""}
    calculation = {"label": label, "kind": "calculation", "text": f"{formula}. Cells: {cells}.", "name": "Calculation"}
    labels = list(dict.fromkeys(source.label for source in used))
    return used[0].model_copy(update={**calculation, **nowhere, "operands": labels})
