"""How many contradictions within one filing are found: cells changed in memory, of figures that it prints twice.

    .venv/bin/python -m benchmarks.filings.seeded_conflicts

Which figures are printed twice is not asked of the rule: two cells of different tables that bear the same XBRL fact
(concept, period, no dimension) are one figure. One digit of the second cell is changed; the rule must tell of it.
Changes that contradict nothing (a coarser print, another scale, the last digit, the sign, another period's cell) must
give nothing. `--by-words` takes the tags away before the rule is asked, as in a filing that has none.
"""

from __future__ import annotations

import argparse
import gzip
import os
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

from tradingagents.retrieval.calculation import CitedOperand
from tradingagents.retrieval.figures.stated_twice import stated_otherwise
from tradingagents.retrieval.models import FiledTable, Row, SourceDocument, TableCell
from tradingagents.retrieval.reading.read import read_document

SEED = 40
HARMLESS = ("coarser", "scale", "last digit", "sign", "other period")


@dataclass(frozen=True, slots=True)
class CellPlace:
    """A cell by its table, its row and its column."""

    table: int
    row: int
    column: int


@dataclass(frozen=True, slots=True)
class PrintedTwice:
    """Two cells of one filing that bear one fact; the first stands in a primary statement."""

    own: CellPlace
    other: CellPlace


@dataclass
class ConflictScore:
    """Counts over seeded cells."""

    seeded: int = 0
    found: int = 0
    harmless: int = 0
    false: Counter[str] = field(default_factory=Counter)
    """Contradictions that were reported where there is none, by kind of change."""
    missed: list[str] = field(default_factory=list)


def printed_twice(document: SourceDocument) -> list[PrintedTwice]:
    """Return the figures of primary statements that another table prints too, by their facts."""
    cells: dict[tuple[object, ...], list[CellPlace]] = {}
    for number, table in enumerate(document.tables):
        for place, cell in _cells(number, table):
            if cell.fact is None or not cell.value or cell.place is None or "%" in cell.text:
                continue
            fact = document.facts[cell.fact]
            if not fact.dimensions:
                cells.setdefault((fact.concept, fact.period_start, fact.period_end, fact.value), []).append(place)
    pairs: list[PrintedTwice] = []
    for places in cells.values():
        owns = [place for place in places if document.tables[place.table].statement is not None]
        others = [place for place in places if owns and place.table != owns[0].table]
        pairs.extend(PrintedTwice(owns[0], other) for other in others)
    return pairs


def _cells(number: int, table: FiledTable) -> Iterator[tuple[CellPlace, TableCell]]:
    for at, row in enumerate(table.rows):
        for column, cell in enumerate(row.cells):
            if cell is not None:
                yield CellPlace(number, at, column), cell


def operand_of(document: SourceDocument, place: CellPlace) -> CitedOperand:
    """Return a cell as an answer would cite it."""
    table = document.tables[place.table]
    row, column = table.rows[place.row], table.columns[place.column]
    cell = row.cells[place.column]
    assert cell is not None  # noqa: S101 - it is one that was found
    return CitedOperand(
        name="figure", label=row.label, column=column.name, text=cell.text, value=cell.value or 0.0,
        unit=row.unit_in(column), scale=row.scale_in(column), document_name=document.info.name, place=cell.place,
    )  # fmt: skip


def with_digit_changed(document: SourceDocument, place: CellPlace, draw: random.Random) -> SourceDocument:
    """Return the document with one digit of a cell changed, never the last one."""
    cell = document.tables[place.table].rows[place.row].cells[place.column]
    assert cell is not None  # noqa: S101
    digits = [at for at, character in enumerate(cell.text) if character.isdigit()]
    at = draw.choice(digits[:-1] or digits)
    old = int(cell.text[at])
    new = draw.choice([digit for digit in range(0 if at != digits[0] else 1, 10) if digit != old])
    text = f"{cell.text[:at]}{new}{cell.text[at + 1 :]}"
    before, after = _number(cell.text), _number(text)
    value = (cell.value or 0.0) * after / before
    return _with_row(document, place, {place.column: replace(cell, text=text, value=value)})


def _number(text: str) -> float:
    return float("".join(character for character in text if character.isdigit() or character == ".") or 0)


def harmless_change(document: SourceDocument, place: CellPlace, kind: str) -> SourceDocument | None:
    """Return the document with a change that contradicts nothing; None where the cell allows none of the kind."""
    row = document.tables[place.table].rows[place.row]
    cell = row.cells[place.column]
    assert cell is not None and cell.value is not None  # noqa: S101, PT018
    if kind in ("coarser", "scale"):
        factor, decimals = (1000.0, 1) if kind == "coarser" else (0.001, 0)
        if row.scale < 1000 or any(one and "." in one.text for one in row.cells):
            return None
        cells = {
            at: _reprinted(one, row.scale * factor, decimals) for at, one in enumerate(row.cells) if one and one.value
        }
        return _with_row(document, place, cells, scale=row.scale * factor)
    if kind == "last digit":
        moved = replace(cell, value=cell.value + row.scale)
        return _with_row(document, place, {place.column: moved}) if row.scale > 1 else None
    if kind == "sign":
        return _with_row(document, place, {place.column: replace(cell, text=f"({cell.text})", value=-cell.value)})
    others = [at for at, one in enumerate(row.cells) if one is not None and one.value and at != place.column]
    if not others:
        return None
    other = row.cells[others[0]]
    assert other is not None and other.value is not None  # noqa: S101, PT018
    return _with_row(document, place, {others[0]: replace(other, value=other.value * 1.07)})


def _reprinted(cell: TableCell, scale: float, decimals: int) -> TableCell:
    value = round((cell.value or 0.0) / scale, decimals)
    return replace(cell, text=f"{abs(value):,.{decimals}f}", value=value * scale)


def _with_row(
    document: SourceDocument, place: CellPlace, cells: dict[int, TableCell], scale: float | None = None
) -> SourceDocument:
    table = document.tables[place.table]
    row = table.rows[place.row]
    changed: Row = replace(
        row,
        cells=tuple(cells.get(at, one) for at, one in enumerate(row.cells)),
        scale=row.scale if scale is None else scale,
    )
    rows = (*table.rows[: place.row], changed, *table.rows[place.row + 1 :])
    tables = (*document.tables[: place.table], replace(table, rows=rows), *document.tables[place.table + 1 :])
    return replace(document, tables=tables)


def without_tags(document: SourceDocument) -> SourceDocument:
    """Return a document whose cells bear no tag."""
    tables = (
        replace(
            table,
            rows=tuple(
                replace(row, cells=tuple(one and replace(one, fact=None) for one in row.cells)) for row in table.rows
            ),
        )
        for table in document.tables
    )
    return replace(document, tables=tuple(tables))


def score(documents: Sequence[SourceDocument], most: int, *, by_words: bool = False) -> ConflictScore:
    """Return how the rule does on at most so many seeded cells, and on as many changes that contradict nothing."""
    asked = without_tags if by_words else (lambda document: document)
    draw = random.Random(SEED)  # noqa: S311 - a draw that is repeated
    pairs = [(document, pair) for document in documents for pair in printed_twice(document)]
    draw.shuffle(pairs)
    result = ConflictScore()
    for document, pair in pairs[:most]:
        operand = operand_of(document, pair.own)
        seeded = with_digit_changed(document, pair.other, draw)
        target = operand_of(seeded, pair.other).place
        found = any(one.other.place == target for one in stated_otherwise(asked(seeded), [operand]))
        result.seeded, result.found = result.seeded + 1, result.found + found
        if not found:
            table = document.tables[pair.other.table]
            result.missed.append(f"{document.info.name}: {operand.label} ({operand.column}) in {table.title[:60]!r}")
    for at, (document, pair) in enumerate(pairs * len(HARMLESS)):
        kind = HARMLESS[(at + at // max(1, len(pairs))) % len(HARMLESS)]
        harmless = harmless_change(document, pair.other, kind) if result.harmless < most else None
        if harmless is None:
            continue
        operand = operand_of(document, pair.own)
        before = stated_otherwise(asked(document), [operand])
        result.harmless += 1
        if len(stated_otherwise(asked(harmless), [operand])) > len(before):
            result.false[kind] += 1
    return result


def recorded(market: Path, names: Sequence[str] = ()) -> Iterator[SourceDocument]:
    """Yield recorded annual and quarterly reports; of some names only, if any are given."""
    for path in sorted([*market.glob("filings/10k/*.gz"), *market.glob("filings/10q/*.gz")]):
        if not names or path.name.split(".")[0] in names:
            yield read_document(gzip.decompress(path.read_bytes()), known_at=datetime(2025, 12, 1, tzinfo=UTC))


def main() -> None:
    """Print how many seeded contradictions were found, and how many harmless changes were taken for one."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--most", type=int, default=200)
    parser.add_argument("--show", action="store_true", help="what was missed")
    parser.add_argument("--by-words", action="store_true", help="without the tags of the filings")
    asked = parser.parse_args()
    market = Path(os.environ.get("TRADINGAGENTS_TEST_DATA") or Path(__file__).parents[3] / "shared") / "market"
    result = score(list(recorded(market)), asked.most, by_words=asked.by_words)
    print(f"{result.found} of {result.seeded} seeded contradictions found, ", end="")
    print(f"{sum(result.false.values())} of {result.harmless} harmless changes taken for one {dict(result.false)}")
    for missed in result.missed if asked.show else ():
        print("MISSED", missed)


if __name__ == "__main__":
    main()
