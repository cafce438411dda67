"""Contradictions in the evidence of a report with both sides and which of them counts; hints of the reader."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tradingagents.features.deep_report.schemas.thesis import ContradictionRecord, DeepReportRecord
from tradingagents.files.plain_text import one_line
from tradingagents.reports.document import Block, Bullets, Heading, Line, Section, Table


def contradictions_section(record: DeepReportRecord) -> Section:
    """Return the section; empty where evidence was gathered and nothing in it contradicts, or in older records."""
    items = {str(one["id"]): one for one in record["evidence"]}
    found = [one for one in record.contradictions if {one["supports"], one["contradicts"]} <= set(items)]
    blocks: list[Block] = []
    if found:
        decided = sum(bool(one["prevails"]) for one in found)
        blocks = [
            Line(
                f"Contradictions: {len(found)}, of which {decided} were decided by the rank or age of the source. What "
                "is overruled counts neither for the confidence nor for the value."
            ),
            Table(("About", "On one side", "On the other side", "Outcome"), [_row(one, items) for one in found]),
        ]
    return Section("Contradictions", blocks, id="contradictions", menu="Contradictions")


def _row(one: ContradictionRecord, items: Mapping[str, Mapping[str, Any]]) -> tuple[str, ...]:
    outcome = f"{one['prevails']} prevails: {one['why']}" if one["prevails"] else f"Both stand: {one['why']}"
    about = one["about"].replace("_", " ")
    return about, *(_side(items[key]) for key in (one["supports"], one["contradicts"])), outcome


def _side(item: Mapping[str, Any]) -> str:
    return f"{item['claim']} ({item['id']}, {item['source']['title']}, {item['source']['known_at'][:10]})"


def hint_blocks(record: DeepReportRecord) -> list[Block]:
    """Return what the reader asked the rounds to look at; empty for nothing."""
    found = [
        f"Iteration {one['iteration']}: {one_line(one['text'])}"
        + (f" ({one['hypothesis']})" if one["hypothesis"] else "")
        for one in record.hints
    ]
    return [Heading("Hints of the reader"), Bullets(found)] if found else []
