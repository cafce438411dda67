"""Reports of a card in one call, as the workflows make them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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


def run_of(card: Mapping[str, Any]) -> RunRecord:
    return RunRecord.model_validate(card)


def scan_of(card: Mapping[str, Any]) -> ScanRecord:
    return ScanRecord.model_validate(card)


def render_html(record: Mapping[str, Any], prices: Prices | None, **more: Any) -> str:
    return to_html(trading_document(run_of(record), prices, **more))


def report_files(record: Mapping[str, Any]) -> dict[str, str]:
    return markdown_files(trading_document(run_of(record)))


def complete_report(record: Mapping[str, Any]) -> str:
    return to_markdown(trading_document(run_of(record)))


def render_scan_html(record: Mapping[str, Any]) -> str:
    return to_html(scan_document(scan_of(record)))


def scan_report_files(record: Mapping[str, Any]) -> dict[str, str]:
    return markdown_files(scan_document(scan_of(record)))


def complete_scan_report(record: Mapping[str, Any]) -> str:
    return to_markdown(scan_document(scan_of(record)))


def render_batch_html(record: Mapping[str, Any], link: Link | None = None) -> str:
    return to_html(batch_document(BatchRecord.model_validate(record), link))


def batch_report(record: Mapping[str, Any]) -> str:
    return to_markdown(batch_document(BatchRecord.model_validate(record)))


def articles_markdown(groups: Sequence[ArticleGroup]) -> str:
    return "\n\n".join(map(block_markdown, articles(groups)))
