"""Prints a scan: the summary, the picks, sectors and indices, and where the files are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from tradingagents.dataflows.reference.sectors import DISPLAY
from tradingagents.memory.cohort import market_note
from tradingagents.reports import formatting as words
from tradingagents.reports.decision_notes import degraded_notice
from tradingagents.reports.scan import notice, stance_words
from tradingagents.schemas.cards import ScanRecord
from tradingagents.schemas.records import IndexRecord, SectorRecord
from tradingagents.schemas.scan_summary import PickRecord, ScanSummaryRecord

from .layout import (
    NO_ADVICE,
    PLACES,
    WIDE,
    Column,
    add_known,
    add_untraced,
    add_warnings,
    cut,
    headed,
    is_report,
    labelled,
    print_market,
    print_places,
    reasoned_table,
    signed,
    usage_line,
)
from .text import clean, one_line, plain, with_flags

if TYPE_CHECKING:
    from rich.console import Console

PERIODS = {"1d": "1 day", "1w": "1 week", "1m": "1 month", "ytd": "YTD"}
CONVICTION_STYLE = {"high": "bold", "medium": "", "low": "dim"}
PICK_COLUMNS = (
    Column("Ticker"),
    Column("Name", gives_way=True),
    Column("Sector", gives_way=True),
    Column("Stance"),
    Column("Conviction"),
    Column("Angle"),
)
SHOWN_LINES = 5
"""Maximum number of printed themes and risks; the report has all."""
CHOSEN = "•"
"""Marks the sectors of the industry deep dive."""


def has_findings(record: ScanRecord) -> bool:
    """Return whether a scan has any results to print."""
    typed = (record["summary"], record["sectors"], record["indices"])
    return any(typed) or any(map(is_report, record["reports"].values()))


def print_scan(console: Console, record: ScanRecord) -> None:
    """Print a scan; plain text without frames if stdout isn't a terminal."""
    summary = record["summary"]
    title = Text.assemble(("Market scan", "bold"), f" · {record['scan_date']}")
    print_market(console, market_note(record))
    console.print(headed(title, _body(record), framed=console.is_terminal))
    if summary:
        console.print(picks_table(summary.stocks_to_investigate, console.width))
        console.print()
    if record["sectors"] or record["indices"]:
        console.print(market_tables(record, console.width))
        console.print()
    console.print(_facts(record))
    print_places(console, [(name, record["paths"].get(key, "")) for name, key in PLACES])
    console.print()
    console.print(Text(NO_ADVICE, style="dim"))


def _body(record: ScanRecord) -> RenderableType:
    summary, said = record["summary"], notice(record)
    if summary is None:
        return Text.assemble(
            ("No summary. ", "bold red"), clean(with_flags(said or f"The scan is {record['status']}."))
        )
    text = Text(plain(summary.executive_summary))
    if degraded := degraded_notice(record.degraded):
        return Group(Text(clean(degraded), style="yellow"), "", text)
    return text


def picks_table(picks: list[PickRecord], width: int) -> RenderableType:
    """Return a table of the stocks to investigate, best first."""
    return reasoned_table(PICK_COLUMNS, "Rationale", [(_pick_cells(pick), pick.rationale) for pick in picks], width)


def _pick_cells(pick: PickRecord) -> tuple[Text, ...]:
    return (
        Text(one_line(pick.ticker), style="bold"),
        Text(one_line(pick.name)),
        Text(one_line(pick.sector)),
        Text(one_line(stance_words(pick))),
        Text(one_line(pick.conviction), style=CONVICTION_STYLE.get(pick.conviction, "")),
        Text(one_line(pick.thesis_angle)),
    )


def market_tables(record: ScanRecord, width: int) -> RenderableType:
    """Return the sectors' and the indices' tables, next to each other if the terminal is wide."""
    wide = width >= WIDE
    tables = [
        *([_sector_table(record["sectors"], record["top_sectors"])] if record["sectors"] else []),
        *([_index_table(record["indices"], wide=wide)] if record["indices"] else []),
    ]
    if not wide:
        return Group(tables[0], *(part for table in tables[1:] for part in ("", table)))
    grid = Table.grid(padding=(0, 4))
    grid.add_row(*tables)
    return grid


def _sector_table(sectors: list[SectorRecord], chosen: list[str]) -> Table:
    table = _figures("Sector", *PERIODS.values())
    if chosen:
        table.caption, table.caption_justify = f"{CHOSEN} selected for the industry deep dive", "left"
    for sector in sectors:
        mark = f" {CHOSEN}" if sector.sector in chosen else ""
        name = Text.assemble(DISPLAY.get(sector.sector, sector.sector), (mark, "cyan"))
        table.add_row(name, *(signed(sector.returns.get(period)) for period in PERIODS))
    return table


def _index_table(indices: list[IndexRecord], *, wide: bool) -> Table:
    table = _figures("Index", "Last", *(["Change"] if wide else []), "Change %", "52-week range")
    for index in indices:
        table.add_row(
            Text(one_line(index.name)),
            words.price(index.last),
            *([words.points(index.change)] if wide else []),
            signed(index.change_pct, index.symbol),
            f"{words.price(index.low_52w)} to {words.price(index.high_52w)}",
        )
    return table


def _figures(subject: str, *names: str) -> Table:
    """Return an empty table of figures, one row per subject."""
    table = Table(box=None, padding=(0, 1), header_style="bold", pad_edge=False)
    table.add_column(subject, no_wrap=True)
    for name in names:
        table.add_column(name, justify="right", no_wrap=True)
    return table


def _facts(record: ScanRecord) -> Table:
    grid, summary = labelled(), record["summary"]
    if summary:
        _add_view(grid, summary)
    add_known(grid, record.known)
    add_warnings(grid, record["warnings"])
    add_untraced(grid, record.grounding)
    grid.add_row("Usage", usage_line(record["usage"], record["timing"]))
    return grid


def _add_view(grid: Table, summary: ScanSummaryRecord) -> None:
    """Add the themes and risks behind the candidates, one row each."""
    for theme in summary.key_themes[:SHOWN_LINES]:
        grid.add_row("Theme", Text.assemble(cut(theme.theme), (f" ({theme.conviction} conviction)", "dim")))
    for risk in summary.risk_factors[:SHOWN_LINES]:
        grid.add_row("Risk", Text(cut(risk)))
