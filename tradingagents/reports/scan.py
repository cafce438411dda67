"""The report of a market scan: the candidates first, then the evidence and the costs."""

from __future__ import annotations

from collections.abc import Sequence

from tradingagents.files.atomic import indented_json
from tradingagents.files.plain_text import escaped_json
from tradingagents.memory.cohort import market_note
from tradingagents.reports import formatting as words
from tradingagents.reports.anchors import used_in
from tradingagents.reports.blocks import how_it_ran, texts, warnings_on_page, what_it_rests_on
from tradingagents.reports.charts.heat_map import PERIODS, heat_map
from tradingagents.reports.citation_marks import with_marks
from tradingagents.reports.decision_notes import degraded_notice
from tradingagents.reports.document import (
    Block,
    Card,
    Document,
    File,
    Heading,
    Line,
    Masthead,
    Prose,
    Section,
    Table,
    labelled,
    labelled_list,
    one_line_of_markdown,
)
from tradingagents.reports.sections import ended_early, scan_sections, written
from tradingagents.schemas.cards import ScanRecord
from tradingagents.schemas.records import IndexRecord
from tradingagents.schemas.scan_summary import PickRecord, ScanSummaryRecord, Theme

SUMMARY_JSON = "3_synthesis/macro_scan_summary.json"
SUMMARY = "3_synthesis/macro_scan_summary.md"
_ENDINGS = {
    "done": "This is a partial report: some of the scan is missing.",
    "no_summary": "The scan ended without a summary: the model gave no usable one.",
    "failed": "This is a partial report: the scan failed.",
    "budget": "This is a partial report: the scan used up its budget and stopped.",
    "interrupted": "This is a partial report: the scan was interrupted.",
}


def scan_document(record: ScanRecord) -> Document:
    """Return the report of a scan.

    Args:
        record: The scan; missing parts are left out, and a partial scan says so at the top.
    """
    unmarked, record = record, with_marks(record)
    summary, day = record["summary"], record["scan_date"]
    picks = unmarked["summary"]["stocks_to_investigate"] if unmarked["summary"] else []
    timeframe = summary.timeframe if summary else ""
    cutoff = words.cutoff(record)
    return Document(
        title=f"Market scan: {day}",
        facts=[
            ("Scan date", day),
            ("Session", record["session"]),
            ("Cut-off", f"{cutoff}: nothing later was read"),
            ("Timeframe", timeframe),
            ("Scan", record["run_id"]),
        ],
        masthead=Masthead(
            title=f"Market scan {day}",
            eyebrow="Market scan",
            heading="What to look at",
            detail=day,
            facts=[
                ("Session", record["session"]),
                ("Cut-off", cutoff),
                *([("Timeframe", timeframe)] if timeframe else []),
            ],
            identity=f"Scan {record['run_id']}",
            versions=record.versions,
        ),
        market_note=market_note(record),
        notice=notice(record),
        sections=[
            *(_summary(summary) if summary else []),
            *_market(record),
            warnings_on_page(record["warnings"]),
            Section("Reports", texts(written(record["reports"], scan_sections())), id="reports", menu="Reports"),
            *what_it_rests_on(record),
            *how_it_ran(record["warnings"], record["usage"], record["timing"], "scan"),
        ],
        files=_files(record),
        attachments=_attachments(unmarked["summary"]),
        style="scan.css",
        used_in=used_in(
            unmarked["reports"],
            [item.source for pick in picks for item in pick.evidence],
            unmarked["data_sheet"],
        ),
    )


def _summary(summary: ScanSummaryRecord) -> list[Section]:
    abstract, picks, context = summary.executive_summary, summary.stocks_to_investigate, summary.macro_context
    economy = [
        *labelled("Economic cycle", context.economic_cycle),
        *labelled("Central banks", context.central_bank_stance),
        *labelled_list("Geopolitical risks", context.geopolitical_risks),
        *labelled_list("Risk factors", summary.risk_factors),
    ]
    return [
        Section("Summary", [Card("abstract", (abstract,), [Prose(abstract, under=2)])]),
        Section("Stocks to investigate", [Card("picks", (picks,), _picks(picks))], id="picks", menu="Stocks"),
        Section("Macro context", [Card("macro_context", (summary,), economy)], id="context", menu="Macro context"),
        Section("Themes", _themes(summary.key_themes), id="themes", menu="Themes"),
    ]


def _picks(picks: Sequence[PickRecord]) -> list[Block]:
    rows = [
        (str(rank), pick.ticker, pick.name, pick.sector, stance_words(pick), *_view(pick))
        for rank, pick in enumerate(picks, start=1)
    ]
    blocks: list[Block] = [Table(("#", "Ticker", "Name", "Sector", "Stance", "Angle", "Conviction"), rows)]
    for rank, pick in enumerate(picks, start=1):
        blocks += [
            Heading(f"{rank}. {pick.ticker}: {pick.name}"),
            Line(one_line_of_markdown(pick_words(pick))),
            Prose(pick.rationale),
            *labelled_list("Catalysts", pick.key_catalysts),
            *labelled_list("Risks", pick.risks),
            *labelled_list("Evidence", [f"{item.claim} ({item.source})" for item in pick.evidence]),
        ]
        if pick.seen_in:
            blocks.append(Line(f"Seen in: {one_line_of_markdown(', '.join(pick.seen_in))}"))
    return blocks


def _view(pick: PickRecord) -> tuple[str, str]:
    return pick.thesis_angle, pick.conviction


def _themes(themes: Sequence[Theme]) -> list[Card]:
    plain: list[Block] = []
    for theme in themes:
        details = ", ".join(part for part in (conviction_words(theme.conviction), theme.timeframe) if part)
        plain += [Heading(f"{theme.theme} ({details})"), Prose(theme.description)]
    return [Card("themes", (themes,), plain)] if themes else []


def _market(record: ScanRecord) -> list[Section]:
    heat = heat_map(record["sectors"], record["top_sectors"])
    returns = [(row.name, row.etf, *(cell.text for cell in row.cells), str(row.deep_dive or "")) for row in heat.rows]
    sectors = [Card("heat_map", (heat,))] if heat.rows else []
    return [
        Section("Sectors", sectors, id="sectors", menu="Sectors", only="page"),
        Section("Sector returns", [Table(("Sector", "Fund", *PERIODS.values(), "Deep dive"), returns)], only="file"),
        Section("Indices", _indices(record["indices"]), id="indices", menu="Indices"),
    ]


def _indices(indices: Sequence[IndexRecord]) -> list[Card]:
    rows = [
        (
            f"{index.name} ({index.symbol})",
            words.price(index.last),
            words.points(index.change),
            words.change(index.change_pct),
            words.price(index.low_52w),
            words.price(index.high_52w),
        )
        for index in indices
    ]
    table = Table(("Index", "Last", "Change", "Change %", "52W low", "52W high"), rows)
    shown = [(index, place_in_year(index)) for index in indices]
    return [Card("indices", (shown,), [table])] if indices else []


def _files(record: ScanRecord) -> list[File]:
    day, summary = record["scan_date"], record["summary"]
    found = [
        File(section.file, f"{section.title}: market scan, {day}", [Prose(text, under=1)])
        for section, text in written(record["reports"], scan_sections())
    ]
    return [*found, *([File(SUMMARY, f"Summary: market scan, {day}", _summary(summary))] if summary else [])]


def _attachments(summary: ScanSummaryRecord | None) -> dict[str, str]:
    if summary is None:
        return {}
    return {SUMMARY_JSON: escaped_json(indented_json(summary.as_json())) + "\n"}


def notice(record: ScanRecord) -> str | None:
    """Return the notice why a scan is partial or degraded and what is missing; None for a complete one."""
    status, missing = record["status"], _missing(record)
    degraded = degraded_notice(record.degraded)
    if status == "done" and not missing:
        return degraded or None
    ending = _ENDINGS.get(status, f"This is a partial report: the scan's status is {status}.")
    return f"{ended_early(ending, record.error, missing)} {degraded}".rstrip()


def _missing(record: ScanRecord) -> list[str]:
    reports = {section.title.lower(): record["reports"].get(section.key, "").strip() for section in scan_sections()}
    tables = {"sector returns": record["sectors"], "index table": record["indices"], "summary": record["summary"]}
    return [name for name, given in {**reports, **tables}.items() if not given]


def pick_words(pick: PickRecord) -> str:
    """Describe a candidate in a few words: stance, sector, angle, conviction."""
    said = (stance_words(pick), pick.sector, pick.thesis_angle, conviction_words(pick.conviction))
    return " · ".join(word for word in said if word)


def stance_words(pick: PickRecord) -> str:
    """Format a candidate's stance; empty for records of earlier versions."""
    return pick.stance.replace("_", " ")


def conviction_words(conviction: str | None) -> str:
    """Format a conviction; empty for none."""
    return f"{conviction} conviction" if conviction else ""


def place_in_year(index: IndexRecord) -> float | None:
    """Return an index's position between its 52-week low and high, 0 to 1; None if they are equal or not known."""
    low, high = index.low_52w, index.high_52w
    if low is None or high is None or high <= low:
        return None
    return min(1.0, max(0.0, (index.last - low) / (high - low)))
