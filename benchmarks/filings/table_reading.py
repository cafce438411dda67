"""How the tables of all recorded filings are read: share of cells with a period, and whether what is read agrees.

No table is labelled, so that agreement is told by what is known besides: the facts with which the figures of HTML
filings are tagged, the next filing of a company, which prints the year again, and totals among the columns.

    python -m benchmarks.filings.table_reading --store DIR [--json] [--undated COUNT] [--differing COUNT]
"""

from __future__ import annotations

import argparse
import json
import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tradingagents.retrieval.lines.cells.cell_choice import digits, same_value
from tradingagents.retrieval.lines.cells.cell_units import printed_number
from tradingagents.retrieval.lines.cells.column_periods import CHANGE, days_of
from tradingagents.retrieval.lines.read_tables import readable
from tradingagents.retrieval.lines.rows.label_words import head_text, stems_of
from tradingagents.retrieval.models import Column, FiledTable, Row, SourceDocument
from tradingagents.retrieval.store import DocumentStore

_FEWEST_DIGITS = 3
"""Digits of a figure from which on its value is compared."""
_LISTED_CELLS = 4
_ANNUAL = ("10-K", "20-F", "40-F")

Key = tuple[str, ...]


@dataclass(slots=True)
class Reading:
    """What was counted in one document."""

    name: str
    symbol: str
    tagged: bool
    annual: bool
    counts: Counter[str] = field(default_factory=Counter)
    figures: dict[Key, set[float]] = field(default_factory=lambda: defaultdict(set))
    undated: list[tuple[int, str]] = field(default_factory=list)
    differing: list[str] = field(default_factory=list)


def measure(document: SourceDocument) -> Reading:
    """Count what is read of a document's tables."""
    info = document.info
    name = f"{info.symbol or info.company} {info.form} {info.fiscal_year}"
    reading = Reading(name, info.symbol or info.company, bool(document.facts), info.form in _ANNUAL)
    for table in readable(document).tables:
        cells = dated = 0
        for row in table.rows:
            swallowed = digits(row.label) >= _FEWEST_DIGITS and "$" in row.label[-20:]
            reading.counts["swallowed rows"] += swallowed
            reading.counts["rows"] += 1
            for at, (cell, column) in enumerate(zip(row.cells, table.columns, strict=True)):
                if cell is None or cell.value is None:
                    continue
                cells += 1
                dated += column.fiscal_year is not None
                if cell.fact is not None:
                    _compare_fact(document, reading, table, column, cell.fact, f"{row.label} {cell.text}")
                    agrees = same_value(cell.value, document.facts[cell.fact].value)
                    reading.counts["values of tags"] += 1
                    reading.counts["values of tags agree"] += agrees or same_value(
                        abs(cell.value), abs(document.facts[cell.fact].value)
                    )
                if digits(cell.text) >= _FEWEST_DIGITS and reading.annual and column.fiscal_year and row.label.strip():
                    value = abs(printed_number(cell.text)) * row.scale_in(column)
                    reading.figures[_key(table, row, column, at)].add(value)
        reading.counts["cells"] += cells
        reading.counts["dated"] += dated
        _count_totals(reading, table)
        if cells >= _LISTED_CELLS and dated < cells:
            reading.undated.append((cells - dated, _shown(name, table)))
    return reading


def _key(table: FiledTable, row: Row, column: Column, at: int) -> Key:
    """Return what a figure is of, as two filings of a company are compared."""
    head = head_text(column)
    texts = (row.label, " ".join(row.headings[-1:]), "change" if CHANGE.search(head) else head)
    part_of_year = column.months not in (None, 12)
    return (
        *(" ".join(sorted(stems_of(text))) for text in texts),
        str(column.fiscal_year),
        str(round(days_of(column) or 0, -1)) if part_of_year else "",
        row.unit,
        table.section,
        _place(table, at),
    )


def _place(table: FiledTable, at: int) -> str:
    """Return the place of a column among those that nothing tells apart from it; empty where there are none."""
    alike = [number for number, column in enumerate(table.columns) if column == table.columns[at]]
    return f"{alike.index(at) + 1} of {len(alike)}" if len(alike) > 1 else ""


def _compare_fact(
    document: SourceDocument, reading: Reading, table: FiledTable, column: Column, number: int, shown: str
) -> None:
    """Count whether the year of a column is that in which the period of its fact ends."""
    fact, info = document.facts[number], document.info
    if column.fiscal_year is None or info.fiscal_year is None or info.period_end is None:
        return
    after = (info.period_end - fact.period_end).days
    quarters_left = 4 - (info.fiscal_quarter or 4)
    year = info.fiscal_year - int((after + 91 * quarters_left + 20) // 365.25)
    own = year == column.fiscal_year
    reading.counts["years of tags"] += 1
    reading.counts["years of tags agree"] += own
    if not own:
        reading.differing.append(
            f"{reading.name} p{table.page + 1} {shown[-70:]!r} head {column.header[-60:]!r} FY{column.fiscal_year}, "
            f"tag {fact.period_start}..{fact.period_end}"
        )


def _count_totals(reading: Reading, table: FiledTable) -> None:
    """Count the tables whose last column is a total, and those in which it is the sum of those of its period."""
    if len(table.columns) < 3 or "total" not in table.columns[-1].header.lower():
        return
    for row in table.rows:
        values = [cell.value if cell is not None and cell.value is not None else math.nan for cell in row.cells]
        if any(map(math.isnan, values)) or row.unit == "percent":
            continue
        same = [at for at, column in enumerate(table.columns) if column.fiscal_year == table.columns[-1].fiscal_year]
        parts = [values[at] for at in same[:-1]]
        if len(parts) > 1 and values[-1]:
            reading.counts["totals"] += 1
            reading.counts["totals agree"] += math.isclose(math.fsum(parts), values[-1], rel_tol=0.005)


def _shown(name: str, table: FiledTable) -> str:
    lines = [
        f"----- {name} p{table.page + 1} | {table.title[-200:]}",
        f"   {[each.header[-40:] for each in table.columns[:9]]}",
    ]
    for row in table.rows[:6]:
        texts = [cell.text if cell is not None else None for cell in row.cells[:9]]
        lines.append(f"   {list(row.headings[-2:])} {row.label[:70]!r} {texts}")
    return "\n".join(lines)


def compare_filings(readings: list[Reading]) -> Iterator[tuple[str, bool, str]]:
    """Yield for each figure that two filings of a company print: the company, whether they agree, and the figure."""
    by_company: dict[str, list[Reading]] = defaultdict(list)
    for reading in readings:
        if reading.annual:
            by_company[reading.symbol].append(reading)
    for company, own in by_company.items():
        for at, one in enumerate(own):
            for other in own[at + 1 :]:
                for key in one.figures.keys() & other.figures.keys():
                    first, second = one.figures[key], other.figures[key]
                    if len(first) == len(second) == 1:
                        (value,), (again,) = first, second
                        agrees = same_value(value, again)
                        yield company, agrees, f"{one.name} / {other.name}: {key} {value:g} {again:g}"


def _measured(arguments: tuple[str, str]) -> Reading:
    folder, key = arguments
    return measure(DocumentStore(Path(folder)).get(key))


def main() -> None:
    """Print the figures of a store of filings."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--store", required=True, help="folder of a store that holds the recorded filings")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--undated", type=int, default=0, help="print so many of the largest tables without a period")
    parser.add_argument("--differing", type=int, default=0, help="print so many of the figures that differ")
    arguments = parser.parse_args()
    infos = [info for info in DocumentStore(Path(arguments.store)).documents() if info.kind == "filing"]
    with ProcessPoolExecutor(2) as pool:
        readings = list(pool.map(_measured, [(arguments.store, info.key) for info in infos]))
    found = list(compare_filings(readings))
    rows = [_row(reading.name, [reading]) for reading in readings]
    rows += [_row("all HTML", [each for each in readings if each.tagged])]
    rows += [_row("all plain text", [each for each in readings if not each.tagged])]
    pairs = {"pairs of filings": len(found), "agree": sum(agrees for _, agrees, _ in found)}
    if arguments.json:
        print(json.dumps({"rows": rows, **pairs}, indent=1))
    else:
        for row in rows:
            print("  ".join(f"{key} {value}" for key, value in row.items()))
        print(pairs)
    undated = sorted((each for reading in readings for each in reading.undated), reverse=True)
    for cells, shown in undated[: arguments.undated]:
        print(cells, shown)
    differing = [shown for _, agrees, shown in found if not agrees]
    for shown in [*differing, *(each for reading in readings for each in reading.differing)][: arguments.differing]:
        print(shown)


def _row(name: str, readings: list[Reading]) -> Mapping[str, Any]:
    counts: Counter[str] = Counter()
    for reading in readings:
        counts.update(reading.counts)
    row: dict[str, Any] = {"document": name, "cells": counts["cells"]}
    row["dated"] = round(counts["dated"] / max(1, counts["cells"]), 3)
    for what in ("years of tags", "values of tags", "totals"):
        if counts[what]:
            row[what] = counts[what]
            row[f"{what} agree"] = round(counts[f"{what} agree"] / counts[what], 4)
    row["swallowed rows"] = counts["swallowed rows"]
    return row


if __name__ == "__main__":
    main()
