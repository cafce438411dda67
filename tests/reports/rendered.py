"""Reports of a record in one call, as the workflows make them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tradingagents.dataflows.models import Prices
from tradingagents.reports.articles_read import ArticleGroup
from tradingagents.reports.batch import batch_document
from tradingagents.reports.blocks import articles
from tradingagents.reports.links import Link
from tradingagents.reports.render.html import to_html
from tradingagents.reports.render.markdown import block_markdown, markdown_files, to_markdown
from tradingagents.reports.scan import scan_document
from tradingagents.reports.trading import trading_document
from tradingagents.schemas.batches import BatchRecord
from tradingagents.schemas.cards import RunRecord, ScanRecord


def render_html(record: RunRecord, prices: Prices | None, **more: Any) -> str:
    return to_html(trading_document(record, prices, **more))


def report_files(record: RunRecord) -> dict[str, str]:
    return markdown_files(trading_document(record))


def complete_report(record: RunRecord) -> str:
    return to_markdown(trading_document(record))


def render_scan_html(record: ScanRecord) -> str:
    return to_html(scan_document(record))


def scan_report_files(record: ScanRecord) -> dict[str, str]:
    return markdown_files(scan_document(record))


def complete_scan_report(record: ScanRecord) -> str:
    return to_markdown(scan_document(record))


def render_batch_html(record: BatchRecord, link: Link | None = None) -> str:
    return to_html(batch_document(record, link))


def batch_report(record: BatchRecord) -> str:
    return to_markdown(batch_document(record))


def articles_markdown(groups: Sequence[ArticleGroup]) -> str:
    return "\n\n".join(map(block_markdown, articles(groups)))
