"""A data sheet rendered ahead of its report: it is complete before the last model is asked, and that takes its time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from tradingagents.reports.blocks import data_sheet
from tradingagents.reports.render.page import render_part
from tradingagents.schemas.records import DataSheetRecord, ScanRecord


@dataclass(frozen=True, slots=True)
class RenderedSheet:
    """A data sheet as it stands in reports."""

    rows: Sequence[DataSheetRecord]
    """What was rendered: a report whose sheet says more renders its own."""
    markdown: str
    html: Markup


def rendered_sheet(rows: Sequence[DataSheetRecord]) -> RenderedSheet:
    """Render a data sheet for both kinds of report."""
    return RenderedSheet(rows, data_sheet(rows), render_part("parts.html.j2", "data_sheet", rows))


def sheet_of(record: ScanRecord, ahead: RenderedSheet | None) -> RenderedSheet:
    """Return a record's data sheet, as rendered ahead where nothing was added since."""
    rows = record["data_sheet"]
    return ahead if ahead is not None and ahead.rows == rows else rendered_sheet(rows)
