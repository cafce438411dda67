"""Rows whose names have the words of a measure in them and are another figure: `free cash flow productivity`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from tradingagents.retrieval.lines.cells.found_cells import CellKind, FoundCell, WantedLine
from tradingagents.retrieval.lines.line_questions import AskedMeasure
from tradingagents.retrieval.lines.row_cells import find_line
from tradingagents.retrieval.lines.rows.label_words import stems_of
from tradingagents.retrieval.models import SourceDocument
from tradingagents.retrieval.series.span import FiscalPeriod

_OF_RATIOS = re.compile(r"\b(?:productivity|conversion|ratio|yield|rate|coverage|intensity|penetration|return)\b")
"""Words with which the name of an amount becomes that of a ratio."""
OPERATING_RESULT = AskedMeasure("operating income", "operating_income", item="operating_income")
"""What a part of a company is taken to have lost, where it is not said which loss."""
_LOSS = re.compile(r"(?P<part>\w.*) loss(?:es)?")


def of_whole_name(
    documents: Sequence[SourceDocument], name: str, wanted: WantedLine, kind: CellKind, period: FiscalPeriod
) -> FoundCell | None:
    """Return the figure of the row that is called by a whole name; None where none is.

    Args:
        documents: The best first.
        name: All words that the row has to say itself, and besides which it may say nothing.
        wanted: What else is asked of the row.
        kind: Of the figures of a measure in the name; one that makes a ratio of it has another one.
        period: The period.
    """
    kind = "any" if _OF_RATIOS.search(name) else kind
    cell = find_line(documents, replace(wanted, phrase=name, kind=kind), period).cell
    return cell if cell is not None and not cell.extras and stems_of(name) <= stems_of(cell.row.label) else None


def part_that_lost(phrase: str) -> str:
    """Return the part of a company whose loss a phrase names without saying which; empty for another phrase."""
    found = _LOSS.fullmatch(phrase)
    return found["part"] if found else ""
