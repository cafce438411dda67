"""Renders parts of a report before it is complete, while models are working: renderers find them ready."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tradingagents.reports.blocks import RenderedSheet, sheet_table
from tradingagents.reports.document import Document
from tradingagents.reports.model_text import first_words, forget_ahead, render_ahead
from tradingagents.reports.render.html import prerender_html
from tradingagents.reports.render.markdown import block_markdown, prerender_markdown
from tradingagents.reports.render.tables import data_sheet
from tradingagents.reports.report_parts import ReportParts
from tradingagents.reports.sheet_groups import sheet_groups
from tradingagents.schemas.records import DataSheetRecord

_REPORT, _TURN = (3, 1), (4, 2)
"""Levels of the headings above a report and above a turn: in the whole document, and in a file of its own."""


def prerender_report(text: str) -> None:
    """Render a report as it will stand in the page and in files."""
    first_words(text)
    render_ahead(text, *_REPORT)


def prerender_turn(text: str) -> None:
    """Render a turn of a debate as it will stand in the page and in files."""
    render_ahead(text, *_TURN)


def prerender(document: Document, parts: ReportParts) -> dict[str, str]:
    """Render a report as far as it is known, for the finished one to take over what is the same.

    Returns:
        Its files of single texts, by relative path.
    """
    prerender_html(document, parts)
    return prerender_markdown(document, parts)


def rendered_sheet(rows: Sequence[DataSheetRecord]) -> RenderedSheet:
    """Render a data sheet for the page and for files."""
    groups = sheet_groups(rows)
    return RenderedSheet(rows, block_markdown(sheet_table(groups)), data_sheet(groups))


def forget_prerendered(texts: Iterable[str]) -> None:
    """Release what was rendered of texts that no page has shown."""
    for text in texts:
        forget_ahead(text, *_REPORT)
        forget_ahead(text, *_TURN)
