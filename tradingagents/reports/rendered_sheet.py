"""A data sheet rendered before its report, since it is complete before the last model call."""

from __future__ import annotations

from collections.abc import Sequence

from tradingagents.reports.blocks import RenderedSheet, sheet_table
from tradingagents.reports.render.html import render_part
from tradingagents.reports.render.markdown import block_markdown
from tradingagents.schemas.records import DataSheetRecord


def rendered_sheet(rows: Sequence[DataSheetRecord]) -> RenderedSheet:
    """Render a data sheet for both kinds of report."""
    return RenderedSheet(rows, block_markdown(sheet_table(rows)), render_part("data_sheet", rows))
