"""A data sheet rendered before its report, since it is complete before the last model call."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from tradingagents.reports.blocks import sheet_table
from tradingagents.reports.render.html import render_part
from tradingagents.reports.render.markdown import block_markdown
from tradingagents.schemas.records import DataSheetRecord


@dataclass(frozen=True, slots=True)
class RenderedSheet:
    """A data sheet as reports show it."""

    rows: Sequence[DataSheetRecord]
    """Number of rendered rows: a report with more rows renders its own sheet."""
    markdown: str
    html: Markup


def rendered_sheet(rows: Sequence[DataSheetRecord]) -> RenderedSheet:
    """Render a data sheet for both kinds of report."""
    return RenderedSheet(rows, block_markdown(sheet_table(rows)), render_part("data_sheet", rows))
