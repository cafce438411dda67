"""A data sheet rendered before its report, since it is complete before the last model call."""

from __future__ import annotations

from collections.abc import Sequence

from tradingagents.reports.blocks import RenderedSheet, sheet_table
from tradingagents.reports.render.markdown import block_markdown
from tradingagents.reports.render.tables import data_sheet
from tradingagents.reports.sheet_groups import sheet_groups
from tradingagents.schemas.records import DataSheetRecord


def rendered_sheet(rows: Sequence[DataSheetRecord]) -> RenderedSheet:
    """Render a data sheet for both kinds of report."""
    groups = sheet_groups(rows)
    return RenderedSheet(rows, block_markdown(sheet_table(groups)), data_sheet(groups))
