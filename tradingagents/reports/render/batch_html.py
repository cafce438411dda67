"""A batch as one self-contained HTML page: the ranked decisions with their reasons, and links to every run's page."""

from __future__ import annotations

from tradingagents.reports import batch_outline
from tradingagents.reports import sections as outline
from tradingagents.reports.degraded import degraded_notice
from tradingagents.reports.links import Link, links_from, page_of
from tradingagents.reports.render.page import render_page
from tradingagents.schemas.records import BatchRecord


def render_batch_html(record: BatchRecord, link: Link | None = None) -> str:
    """Render a batch as a page.

    Whatever a model or a vendor wrote is escaped; the page's own policy forbids scripts and every load from outside.

    Args:
        record: The batch; a partial one says so at the top.
        link: From a path of the record to what the page links to; empty for no link. None: relative to the page's
            own folder, so that the home folder can be moved.
    """
    link = link or links_from(record["paths"].get("html"))
    scan = record["scan"]
    return render_page(
        "batch.html.j2",
        sheet="batch.css",
        record=record,
        notice=batch_outline.notice(record),
        tally=batch_outline.tally(record["rows"]),
        rows=[(row, page_of(row["paths"], link)) for row in record["rows"]],
        scan=scan,
        scan_page=page_of(scan["paths"], link) if scan else "",
        outcome=batch_outline.outcome,
        decided=batch_outline.decided,
        degraded=degraded_notice,
        uses=outline.uses(record["usage"]),
    )
