"""A scan's report as Markdown files: one for each text, the summary as JSON too, and `complete_report.md`."""

from __future__ import annotations

import json
from collections.abc import Sequence

from tradingagents.plain_text import escaped_json
from tradingagents.reports import blocks, scan_outline
from tradingagents.reports import formatting as words
from tradingagents.reports import sections as outline
from tradingagents.reports.articles_read import article_groups, articles_markdown
from tradingagents.reports.charts.heat_map import PERIODS, heat_map
from tradingagents.reports.citation_marks import shown_in_markdown, tally, with_marks
from tradingagents.reports.model_text import as_markdown
from tradingagents.reports.rendered_sheet import RenderedSheet, sheet_of
from tradingagents.schemas.records import IndexRecord, PickRecord, ScanRecord, ScanSummaryRecord, ThemeRecord


def scan_report_files(record: ScanRecord, ahead: RenderedSheet | None = None) -> dict[str, str]:
    """Return the files of a scan by relative path, in reading order. Parts that a scan did not reach have no file.

    Texts by models keep their words; their headings are moved below ours, and figures that could not be traced to the
    data are marked.

    Args:
        record: The scan.
        ahead: Its data sheet, where that was rendered already.
    """
    unmarked, record = record["summary"], with_marks(record)
    day, summary = record["scan_date"], record["summary"]
    files = {
        section.file: blocks.document(f"{section.title}: market scan, {day}", as_markdown(text, under=1))
        for section, text in outline.written(record["reports"], scan_outline.sections())
    }
    if summary is not None:
        files[scan_outline.SUMMARY_JSON] = escaped_json(json.dumps(unmarked, ensure_ascii=False, indent=2)) + "\n"
        files[scan_outline.SUMMARY] = blocks.document(f"Summary: market scan, {day}", *_summary(summary))
    files[blocks.COMPLETE] = complete_scan_report(record, ahead)
    return {path: shown_in_markdown(text) for path, text in files.items()}


def complete_scan_report(record: ScanRecord, ahead: RenderedSheet | None = None) -> str:
    """Return everything as one document: the picks first, then what they stand on, the data sheet and the costs."""
    summary = record["summary"]
    parts = [
        blocks.notice(scan_outline.notice(record)),
        _facts(record),
        *(_summary(summary) if summary else ()),
        blocks.chapter("Sector returns", _sectors(record)),
        blocks.chapter("Indices", _indices(record["indices"])),
        blocks.chapter("Reports", blocks.texts(outline.written(record["reports"], scan_outline.sections()))),
        blocks.chapter("What was read", articles_markdown(article_groups(record))),
        blocks.chapter("Data sheet", tally(record.get("grounding")), sheet_of(record, ahead).markdown),
        blocks.chapter("Warnings", blocks.bullets(record["warnings"])),
        blocks.chapter("Model use", blocks.usage(record["usage"], record["timing"], "scan")),
        blocks.closing(),
    ]
    return blocks.document(f"Market scan: {record['scan_date']}", *parts)


def _facts(record: ScanRecord) -> str:
    return blocks.facts(
        [
            ("Scan date", record["scan_date"]),
            ("Session", record["session"]),
            ("Cut-off", f"{words.instant(record['cutoff'])}: nothing later was read"),
            ("Timeframe", record["summary"]["timeframe"] if record["summary"] else ""),
            ("Scan", record["run_id"]),
        ]
    )


def _summary(summary: ScanSummaryRecord) -> list[str]:
    picks = summary["stocks_to_investigate"]
    return [
        blocks.chapter("Summary", as_markdown(summary["executive_summary"], under=2)),
        blocks.chapter("Stocks to investigate", _at_a_glance(picks), *map(_pick, range(1, len(picks) + 1), picks)),
        blocks.chapter("Macro context", _macro_context(summary)),
        blocks.chapter("Themes", *map(_theme, summary["key_themes"])),
    ]


def _at_a_glance(picks: Sequence[PickRecord]) -> str:
    rows = [
        (
            str(rank),
            pick["ticker"],
            pick["name"],
            pick["sector"],
            scan_outline.stance_words(pick),
            pick["thesis_angle"],
            pick["conviction"],
        )
        for rank, pick in enumerate(picks, start=1)
    ]
    return blocks.table(("#", "Ticker", "Name", "Sector", "Stance", "Angle", "Conviction"), rows) if rows else ""


def _pick(rank: int, pick: PickRecord) -> str:
    return blocks.joined(
        f"### {rank}. {blocks.line(pick['ticker'])}: {blocks.line(pick['name'])}",
        blocks.line(scan_outline.pick_words(pick)),
        as_markdown(pick["rationale"], under=3),
        blocks.labelled_list("Catalysts", pick["key_catalysts"]),
        blocks.labelled_list("Risks", pick["risks"]),
        blocks.labelled_list("Evidence", [f"{item['claim']} ({item['source']})" for item in pick["evidence"]]),
        f"Seen in: {blocks.line(', '.join(pick['seen_in']))}" if pick["seen_in"] else "",
    )


def _macro_context(summary: ScanSummaryRecord) -> str:
    context = summary["macro_context"]
    return blocks.joined(
        blocks.labelled("Economic cycle", context["economic_cycle"]),
        blocks.labelled("Central banks", context["central_bank_stance"]),
        blocks.labelled_list("Geopolitical risks", context["geopolitical_risks"]),
        blocks.labelled_list("Risk factors", summary["risk_factors"]),
    )


def _theme(theme: ThemeRecord) -> str:
    told = ", ".join(part for part in (scan_outline.conviction_words(theme["conviction"]), theme["timeframe"]) if part)
    return f"### {blocks.line(theme['theme'])} ({blocks.line(told)})\n\n{as_markdown(theme['description'], under=3)}"


def _sectors(record: ScanRecord) -> str:
    rows = [
        (row.name, row.etf, *(cell.text for cell in row.cells), str(row.deep_dive or ""))
        for row in heat_map(record["sectors"], record["top_sectors"]).rows
    ]
    return blocks.table(("Sector", "Fund", *PERIODS.values(), "Deep dive"), rows) if rows else ""


def _indices(indices: Sequence[IndexRecord]) -> str:
    rows = [
        (
            f"{index['name']} ({index['symbol']})",
            words.price(index["last"]),
            words.points(index["change"]),
            words.change(index["change_pct"]),
            words.price(index["low_52w"]),
            words.price(index["high_52w"]),
        )
        for index in indices
    ]
    return blocks.table(("Index", "Last", "Change", "Change %", "52W low", "52W high"), rows) if rows else ""
