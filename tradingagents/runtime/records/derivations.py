"""Figures of tool answers as research runs keep them: value, text, period, and the cells they follow from."""

from __future__ import annotations

from typing import cast

from tradingagents.dataflows.derivation import Derivation, Output, SourceCell
from tradingagents.dataflows.reference.metrics import Figure
from tradingagents.dataflows.results import Result
from tradingagents.schemas.facts import CellRecord, DerivationRecord, FigureRecord


def figure_record(result: Result, capability: str, figure: Figure) -> FigureRecord:
    """Return a figure of a tool's answer with its derivation.

    Where the answer gives no formula, the answer itself is the source: the cell is its row of the data sheet.
    """
    derivation = result.derivation(figure.name) or Derivation(
        figure.name, (SourceCell(figure.name, figure.value or 0.0, f"data sheet, {capability}", figure.unit),)
    )
    return FigureRecord(
        name=figure.name,
        value=figure.rounded or 0.0,
        shown=figure.text,
        over=figure.over,
        derivation=DerivationRecord(
            formula=derivation.formula,
            output=derivation.output,
            cells=[CellRecord(name=c.name, value=c.value, unit=c.unit, where=c.where) for c in derivation.cells],
        ),
    )


def derivation_of(record: FigureRecord) -> Derivation | None:
    """Return the derivation of a stored figure; None where it has none."""
    stored = record.derivation
    if stored is None:
        return None
    cells = tuple(SourceCell(cell["name"], cell["value"], cell["where"], cell["unit"]) for cell in stored["cells"])
    return Derivation(stored["formula"], cells, cast(Output, stored["output"]))
