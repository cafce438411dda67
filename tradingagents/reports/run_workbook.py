"""The workbook of a run: its report in words, its figures as numbers, ratios as live formulas, and every source.

Figures come from the run's data sheet, which holds what its tools answered; nothing is read from texts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any

from tradingagents.analytics.company.metric_names import metric_label
from tradingagents.dataflows.reference.metrics import parse_number
from tradingagents.files.plain_text import one_line
from tradingagents.reports.document import (
    Block,
    Bullets,
    Card,
    Document,
    Exhibit,
    Heading,
    Line,
    Notice,
    Prose,
    Section,
    Table,
)
from tradingagents.reports.inner_links import without_links
from tradingagents.reports.model_text import markdown_tokens
from tradingagents.reports.names import tool_label
from tradingagents.reports.ratios import RATIOS, Ratio
from tradingagents.reports.sections import NO_ADVICE
from tradingagents.reports.workbook import Cell, Format, Sheet, Workbook
from tradingagents.schemas.cards import CardRecord
from tradingagents.schemas.facts import FactRecord, FigureOfTool

SOURCE_SECTIONS = frozenset({"data", "read", "use", "figures"})
"""Sections that the sheets of figures and sources stand for."""
FIRST_FIGURE = 3
_FIGURE_COLUMNS = ("Company", "Figure", "Name", "Value", "Unit", "Period", "Known by", "Source", "Vendor", "Tasks")
_VALUE_COLUMN = 3
_TOLERANCE = 0.006
"""How far a ratio of rounded figures may lie from the stated one, as a part of it."""


class SourcedFigure(FigureOfTool):
    """A figure of a run: of which company, by which vendor, and for which tasks."""

    symbol: str
    vendor: str
    tasks: str
    """Tasks of a research run that were given it."""


def run_workbook(record: CardRecord, document: Document) -> Workbook:
    """Return the workbook of a run.

    Args:
        record: What the run left.
        document: Its report.
    """
    figures = sourced_figures(record)
    sheet, addresses = _figures_sheet(figures)
    ratios, tables = _ratios_sheet(figures, addresses), _tables_sheet(document)
    sheets = [_summary_sheet(document), sheet, ratios, tables, _sources_sheet(record)]
    days = (getattr(record, name, "") for name in ("as_of", "trade_date", "scan_date"))
    day = next(filter(None, days), record.session)
    return Workbook(
        title=document.title,
        as_of=date.fromisoformat(day),
        sheets=[one for one in sheets if one is not None],
        names={},
    )


def sourced_figures(record: CardRecord) -> list[SourcedFigure]:
    """Return the figures of a run's data sheet, each once, with units where the run's tasks were told them."""
    units, tasks = _told(record)
    found: dict[tuple[str, str, float, str], SourcedFigure] = {}
    for row in record.data_sheet:
        symbol = row.symbol or "market"
        period = " to ".join(part for part in (row.start, row.end) if part)
        for name, value in row.figures.items():
            key = (symbol, name, float(value))
            ratio = RATIOS.get(name)
            found.setdefault(
                (*key, row.method),
                SourcedFigure(
                    symbol=symbol,
                    name=name,
                    value=float(value),
                    unit=units.get(key, ratio[0].unit if ratio else ""),
                    period=period,
                    known_at=(row.known_at or "")[:19],
                    source=f"{tool_label(row.method)} ({row.method})",
                    vendor=row.vendor,
                    tasks=", ".join(tasks.get(key, ())),
                ),
            )
    return list(found.values())


def _told(
    record: CardRecord,
) -> tuple[dict[tuple[str, str, float], str], dict[tuple[str, str, float], list[str]]]:
    """Return the units of figures and the tasks that were given them, from the facts of a research run."""
    units: dict[tuple[str, str, float], str] = {}
    tasks: dict[tuple[str, str, float], list[str]] = {}
    for task in getattr(record, "tasks", ()):
        facts: Sequence[FactRecord] = task.facts
        for fact in facts:
            for figure in fact.figures:
                key = (fact.symbol or "market", figure.name, figure.value)
                parsed = parse_number(figure.shown)
                units.setdefault(key, parsed[1] if parsed else "")
                if task.key not in tasks.setdefault(key, []):
                    tasks[key].append(task.key)
    return units, tasks


def _summary_sheet(document: Document) -> Sheet:
    sheet = Sheet("Summary", widths=(24, 110))
    sheet.text(0, 0, document.title, "title")
    row = 1
    for name, value in document.facts:
        if value:
            sheet.text(row, 0, name)
            sheet.text(row, 1, value, "wrapped")
            row += 1
    for told in filter(None, (document.market_note, document.notice)):
        sheet.text(row, 1, told, "group")
        row += 1
    for section in document.sections:
        lines = [] if section.only == "page" or section.id in SOURCE_SECTIONS else list(_words(section.blocks))
        if not lines:
            continue
        row += 1
        if section.title:
            sheet.text(row, 0, section.title, "group")
        for line in lines:
            sheet.text(row, 1, line, "wrapped")
            row += 1
    sheet.text(row + 1, 0, NO_ADVICE, "note")
    return sheet


def _words(blocks: Iterable[Block]) -> Iterator[str]:
    """Yield the lines of blocks in plain words; tables have a sheet of their own."""
    for block in blocks:
        match block:
            case Heading() | Notice():
                yield one_line(block.text)
            case Prose():
                yield from _lines(block.text)
            case Line():
                yield from _lines(block.markdown)
            case Bullets():
                yield from (f"• {without_links(one_line(line))}" for line in block.lines)
            case Exhibit():
                if block.missing:
                    yield one_line(f"{block.caption}: not drawn: {block.missing}")
            case Card():
                yield from _words(block.plain)


def _lines(markdown: str) -> Iterator[str]:
    for token in markdown_tokens(markdown, under=1):
        if token.type == "inline":
            line = without_links(one_line("".join(_plain(child) for child in token.children or ())))
            if line:
                yield line
        elif token.type in ("fence", "code_block", "html_block"):
            yield from filter(None, map(one_line, token.content.splitlines()))


def _plain(token: Any) -> str:
    return " " if token.type in ("softbreak", "hardbreak") else str(token.content)


def _figures_sheet(figures: Sequence[SourcedFigure]) -> tuple[Sheet, dict[SourcedFigure, str]]:
    sheet = Sheet("Figures", widths=(12, 34, 26, 20, 10, 26, 20, 36, 14, 16), frozen=(FIRST_FIGURE, 0))
    sheet.text(0, 0, "Figures", "title")
    note = "As the tools answered; the sheet Sources says where each comes from." if figures else "No figure was given."
    sheet.text(1, 0, note, "note")
    for column, title in enumerate(_FIGURE_COLUMNS):
        sheet.text(FIRST_FIGURE - 1, column, title, "head")
    addresses: dict[SourcedFigure, str] = {}
    for row, figure in enumerate(figures, start=FIRST_FIGURE):
        texts = {0: figure.symbol, 1: metric_label(figure.name), 2: figure.name, 4: figure.unit, 5: figure.period,
                 6: figure.known_at, 7: figure.source, 8: figure.vendor, 9: figure.tasks}  # fmt: skip
        for column, words in texts.items():
            sheet.text(row, column, words)
        addresses[figure] = sheet.put(row, _VALUE_COLUMN, number_cell(figure.value, figure.unit))
    return sheet, addresses


def number_cell(value: float, unit: str, *, formula: str = "") -> Cell:
    """Return a number with the format of its unit; a percentage becomes its share of one."""
    if unit == "%":
        return Cell(value / 100, formula, format="percent")
    return Cell(value, formula, format=_format(value, unit))


def _format(value: float, unit: str) -> Format:
    if unit == "x":
        return "ratio"
    if len(unit) == 3 and unit.isupper():
        return "money"
    return "whole" if value == int(value) and abs(value) < 1e15 else "number"


def _ratios_sheet(figures: Sequence[SourcedFigure], addresses: Mapping[SourcedFigure, str]) -> Sheet | None:
    found = list(_live_ratios(figures))
    if not found:
        return None
    sheet = Sheet("Ratios", widths=(12, 34, 16, 16, 60, 60), frozen=(3, 0))
    sheet.text(0, 0, "Ratios", "title")
    sheet.text(1, 0, "Formulas of cells of the sheet Figures; a change there changes them here.", "note")
    for column, title in enumerate(("Company", "Ratio", "Value", "As stated", "Computed from", "Source of the inputs")):
        sheet.text(2, column, title, "head")
    for row, (ratio, stated, above, below) in enumerate(found, start=3):
        sheet.text(row, 0, above.symbol)
        sheet.text(row, 1, metric_label(ratio.name))
        formula = f"{addresses[above]}/{addresses[below]}{'-1' if ratio.less_one else ''}"
        sheet.put(row, 2, number_cell(ratio.of(above.value, below.value), ratio.unit, formula=formula))
        if stated is not None:
            sheet.put(row, 3, number_cell(stated.value, ratio.unit))
        sheet.text(row, 4, f"{metric_label(above.name)} / {metric_label(below.name)}{' - 1' if ratio.less_one else ''}")
        sheet.text(row, 5, "; ".join(dict.fromkeys((above.source, below.source))), "note")
    return sheet


def _live_ratios(
    figures: Sequence[SourcedFigure],
) -> Iterator[tuple[Ratio, SourcedFigure | None, SourcedFigure, SourcedFigure]]:
    """Yield each ratio whose inputs are known, with the stated ratio, if any, and its inputs.

    A stated ratio is computed from inputs that give it; other inputs belong to another period. One that is not stated
    is computed from inputs of one answer only.
    """
    known: dict[tuple[str, str], list[SourcedFigure]] = {}
    for figure in figures:
        known.setdefault((figure.symbol, figure.name), []).append(figure)
    for symbol in dict.fromkeys(one.symbol for one in figures):
        for name, ways in RATIOS.items():
            stated = known.get((symbol, name), [])
            inputs = (
                (ratio, above, below)
                for ratio in ways
                for above in known.get((symbol, ratio.above), ())
                for below in known.get((symbol, ratio.below), ())
                if below.value
            )
            shown: set[float] = set()
            for ratio, above, below in inputs:
                value = ratio.of(above.value, below.value)
                same = next((one for one in stated if _close(one.value, value)), None)
                if stated and (same is None or same.value in shown):
                    continue
                if not stated and ((above.source, above.period) != (below.source, below.period) or shown):
                    continue
                shown.add(same.value if same else value)
                yield ratio, same, above, below


def _close(stated: float, computed: float) -> bool:
    return abs(stated - computed) <= max(_TOLERANCE * abs(stated), _TOLERANCE)


def _tables_sheet(document: Document) -> Sheet | None:
    """Return the tables of the report, cells that hold a number as numbers; None where there is none."""
    sheet, row = Sheet("Tables", widths=(34, *[20] * 11)), 0
    for section in document.sections:
        if section.only == "page" or section.id in SOURCE_SECTIONS:
            continue
        for title, table in _tables(section):
            if row:
                row += 1
            sheet.text(row, 0, title, "group")
            for column, words in enumerate(table.header):
                sheet.text(row + 1, column, words, "head")
            row += 2
            for cells in table.rows:
                for column, words in enumerate(cells):
                    sheet.cells[row, column] = _table_cell(words)
                row += 1
    return sheet if row else None


def _table_cell(words: str) -> Cell:
    parsed = parse_number(words)
    if parsed is None:
        return Cell(without_links(one_line(words)), look="label", format="text")
    return number_cell(*parsed)


def _tables(section: Section) -> Iterator[tuple[str, Table]]:
    title = section.title
    waiting = list(section.blocks)
    while waiting:
        block = waiting.pop(0)
        if isinstance(block, Card):
            waiting[:0] = block.plain
        elif isinstance(block, Heading):
            title = one_line(block.text)
        elif isinstance(block, Exhibit) and block.table is not None:
            yield one_line(block.caption), block.table
        elif isinstance(block, Table) and block.rows:
            yield title, block


def _sources_sheet(record: CardRecord) -> Sheet:
    """Return the sheet of sources: every answer of a tool, what it covers, and when it was known."""
    sheet = Sheet("Sources", widths=(36, 30, 12, 14, 26, 22, 22, 10, 70), frozen=(2, 0))
    sheet.text(0, 0, "Sources", "title")
    header = ("Data", "Tool", "Symbol", "Vendor", "Period", "Known by", "Read", "Rows", "Notes and inputs")
    for column, title in enumerate(header):
        sheet.text(1, column, title, "head")
    row = 2
    for entry in record.data_sheet:
        period = " to ".join(part for part in (entry.start, entry.end) if part)
        inputs = [f"computed from {', '.join(entry.inputs)}"] if entry.inputs else []
        texts = (tool_label(entry.method), entry.method, entry.symbol or "market", entry.vendor, period,
                 entry.known_at or "", entry.fetched_at)  # fmt: skip
        for column, words in enumerate(texts):
            sheet.text(row, column, words)
        sheet.put(row, 7, Cell(float(entry.rows), look="label", format="whole"))
        sheet.text(row, 8, " ".join([*entry.notes, *inputs]))
        row += 1
    for task in getattr(record, "tasks", ()):
        facts: Sequence[FactRecord] = task.facts
        for fact in facts:
            if not fact.failure:
                sheet.text(row, 0, f"{task.key}: {fact.title}")
                sheet.text(row, 1, fact.capability)
                sheet.text(row, 2, fact.symbol or "market")
                sheet.text(row, 5, fact.as_of)
                arguments = ", ".join(f"{name}={value}" for name, value in fact.arguments.items())
                sheet.text(row, 8, f"asked with {arguments}" if arguments else "")
                row += 1
    return sheet
