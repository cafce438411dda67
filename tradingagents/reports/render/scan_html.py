"""A scan as one self-contained HTML page: picks as cards, sectors as a heat map, no script and nothing loaded."""

from __future__ import annotations

from tradingagents.reports import scan_outline
from tradingagents.reports import sections as outline
from tradingagents.reports.anchors import resolved, used_in
from tradingagents.reports.articles_read import article_groups
from tradingagents.reports.charts.heat_map import STEPS, heat_map
from tradingagents.reports.citation_marks import shown_in_html, tally, with_marks
from tradingagents.reports.render.page import render_page
from tradingagents.reports.rendered_sheet import RenderedSheet, sheet_of
from tradingagents.schemas.records import ScanRecord


def render_scan_html(record: ScanRecord, ahead: RenderedSheet | None = None) -> str:
    """Render a scan as a page.

    Whatever a model or a vendor wrote is escaped; the page's own policy forbids scripts and every load from outside.

    Args:
        record: The scan; what it lacks is left out, and a partial scan says so at the top.
        ahead: Its data sheet, where that was rendered already.
    """
    record = with_marks(record)
    page = render_page(
        "scan.html.j2",
        sheet="scan.css",
        record=record,
        sheet_html=sheet_of(record, ahead).html,
        summary=record["summary"],
        notice=scan_outline.notice(record),
        heat=heat_map(record["sectors"], record["top_sectors"]),
        steps=STEPS,
        indices=[(index, scan_outline.place_in_year(index)) for index in record["indices"]],
        reports=outline.written(record["reports"], scan_outline.sections()),
        read=article_groups(record),
        uses=outline.uses(record["usage"]),
        tally=tally(record.get("grounding")),
    )
    picks = record["summary"]["stocks_to_investigate"] if record["summary"] else []
    evidence = [item["source"] for pick in picks for item in pick["evidence"]]
    return resolved(shown_in_html(page), used_in(record["reports"], evidence))
