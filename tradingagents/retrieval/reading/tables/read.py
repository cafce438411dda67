"""Grids as tables: column headers with their periods, row labels, headings within, units and scales."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from tradingagents.dataflows.reference.currencies import CODES, UNSTATED_UNIT, is_money
from tradingagents.retrieval.column_basis import basis_of
from tradingagents.retrieval.models import Column, Fact, FiledTable, Row, TableCell, TextPlace
from tradingagents.retrieval.money import DocumentMoney, StatedUnit, nearest_unit, read_head
from tradingagents.retrieval.reading.tables.columns import RowText, Shape
from tradingagents.retrieval.reading.tables.grids import HtmlCell, HtmlRow
from tradingagents.retrieval.reading.tables.periods import Header, read_header
from tradingagents.retrieval.reading.tables.units import Scales, is_unit_line, scales_of, unit_of
from tradingagents.retrieval.row_units import (
    PERCENT_EXCEPTED,
    is_per_unit,
    stated_in_hundredths,
    stated_in_label,
    unscaled_unit,
)

_PERCENT_COLUMN = re.compile(r"%|\bpercent", re.IGNORECASE)
_CAPTION = re.compile(r"\([^()]*\b(?:except|in (?:thousands|millions|billions))\b[^()]*\)", re.IGNORECASE)
"""What a head over all columns says of the table: `(in millions, except percentages)`; it tells no column's unit."""
_TITLE_LENGTH = 200
_NO_HEADING = re.compile(r"commitments\b.{0,40}\bcontingenc", re.IGNORECASE)
"""A line of every balance sheet that has no figures, and that nothing stands under."""


@dataclass(frozen=True, slots=True)
class TableContext:
    """What a table needs to know of the document around it."""

    document: str
    """Key of the document."""
    page: int
    starts: Sequence[int]
    """Character of the page at which each row begins."""
    lines: Sequence[RowText]
    above: Sequence[str]
    """The short lines above it, the nearest last."""
    facts: Sequence[Fact]
    year_of: Callable[[date], int | None]
    """The company's fiscal year in which a day lies."""
    money: DocumentMoney = field(default_factory=DocumentMoney)
    """What the document says of its currency."""


@dataclass
class _HeaderSegment:
    """A part of a grid that has a header of its own."""

    titles: list[str] = field(default_factory=list)
    header: list[HtmlRow] = field(default_factory=list)
    body: list[int] = field(default_factory=list)
    first: int = 0


@dataclass(frozen=True, slots=True)
class Read:
    """A table, and the lines in and above it that may be its title."""

    table: FiledTable
    titles: tuple[str, ...]


def read_tables(rows: Sequence[HtmlRow], shape: Shape, around: TableContext) -> list[Read]:
    """Return the tables of a grid: none where it has no figures, several where a new header begins within it."""
    if not shape.spans:
        return []
    found: list[Read] = []
    titles: list[str] = []
    for segment in _segments(rows, shape):
        titles.extend(segment.titles)
        if segment.body:
            found.append(_table(rows, shape, segment, tuple(titles), around))
    return found


def _segments(rows: Sequence[HtmlRow], shape: Shape) -> Iterator[_HeaderSegment]:
    segment = _HeaderSegment()
    for at, row in enumerate(rows):
        others = [cell for cell in row.cells if not shape.is_label(cell)]
        if _has_figure(others):
            segment.body.append(at)
        elif not segment.body:
            _add_above(segment, row, others)
            if not others and segment.header and not is_unit_line(row.cells[0].text):
                segment.body.append(at)
        elif others and _is_header(others):
            yield segment
            segment = _HeaderSegment(first=at)
            _add_above(segment, row, others)
        else:
            segment.body.append(at)
    yield segment


def _add_above(segment: _HeaderSegment, row: HtmlRow, others: Sequence[HtmlCell]) -> None:
    if others:
        segment.header.append(row)
    elif not segment.header or is_unit_line(row.cells[0].text):
        segment.titles.extend(cell.text for cell in row.cells)


def _has_figure(cells: Sequence[HtmlCell]) -> bool:
    return any(cell.value is not None and not cell.is_year for cell in cells)


def _is_header(cells: Sequence[HtmlCell]) -> bool:
    return all(cell.is_year or _tells_period(cell.text) for cell in cells)


def _tells_period(text: str) -> bool:
    header = read_header(text)
    return len(text) < 80 and any(part is not None for part in (header.end, header.year, header.months, header.weeks))


def _table(
    rows: Sequence[HtmlRow], shape: Shape, segment: _HeaderSegment, titles: tuple[str, ...], around: TableContext
) -> Read:
    labels = [cell.text for row in segment.header for cell in row.cells if shape.is_label(cell)]
    headers = _headers(shape, segment.header, labels)
    captions = (*around.above[-4:], *titles, *labels)
    unit = nearest_unit(captions)
    heads = [read_head(header) for header in headers if header]
    if not unit.currencies:
        unit = replace(unit, currencies=next((head.currencies for head in heads if head.currency), ()))
    if unit.scale is None:
        unit = replace(unit, scale=next((head.scale for head in heads if head.scale is not None), None))
    amounts = _Amounts(_scales((*titles, *labels, *headers), around.above[-4:], unit), unit, captions)
    builder = _Rows(rows, shape, headers, amounts, around)
    body = builder.build(segment.body)
    used = [at for at in range(len(shape.spans)) if any(row.cells[at] is not None for row in body) or headers[at]]
    body = [replace(row, cells=tuple(row.cells[at] for at in used)) for row in body]
    columns = tuple(_column(headers[at], at_used, body, around) for at_used, at in enumerate(used))
    own = _own_scales(headers)
    columns = tuple(replace(column, scale=own[at]) for column, at in zip(columns, used, strict=True))
    columns = _with_currencies(columns, body, around)
    candidates = tuple(text for text in (*around.above, *titles, *labels) if len(text) <= _TITLE_LENGTH)
    end = segment.body[-1]
    table = FiledTable(
        number=0,
        page=around.page,
        title=_title(titles, labels, around.above),
        columns=columns,
        rows=tuple(body),
        start=around.starts[segment.first],
        end=around.starts[end] + len(around.lines[end].text),
    )
    return Read(table, candidates)


@dataclass(frozen=True, slots=True)
class _Amounts:
    """What a table's captions state of its amounts."""

    scales: Scales
    unit: StatedUnit
    captions: tuple[str, ...]

    @property
    def excepts_percent(self) -> bool:
        return any(PERCENT_EXCEPTED.search(text) for text in self.captions)


def _scales(own: Sequence[str], above: Sequence[str], unit: StatedUnit) -> Scales:
    """Return the scales of a table: as its own words state them, else the lines above it."""
    stated = next((s for s in (scales_of(text) for text in own) if s.stated), None)
    scales = stated or next((s for s in (scales_of(text) for text in reversed(above)) if s.stated), Scales())
    if unit.scale is None or (scales.stated and not unit.currencies):
        return scales
    if not scales.stated:
        return Scales(unit.scale, 1.0, stated=True)
    return replace(scales, money=unit.scale)


def _with_currencies(columns: tuple[Column, ...], body: Sequence[Row], around: TableContext) -> tuple[Column, ...]:
    """Return the columns with currencies of their own: those of their tags, else of their heads, where these differ."""
    tagged = [_tagged_currency(body, at, around.facts) for at in range(len(columns))]
    headed = ["" if around.money.domestic else read_head(column.header).currency for column in columns]
    for found in (tagged, [around.money.of(one) if one else "" for one in headed]):
        if len({one for one in found if one}) > 1:
            return tuple(replace(column, currency=one) for column, one in zip(columns, found, strict=True))
    return columns


def _tagged_currency(body: Sequence[Row], at: int, facts: Sequence[Fact]) -> str:
    units = Counter(
        facts[cell.fact].unit
        for row in body
        if (cell := row.cells[at]) is not None and cell.fact is not None and facts[cell.fact].unit in CODES
    )
    return next((unit for unit, _ in units.most_common(1)), "")


def _is_of_percent(header: str) -> bool:
    """Return whether a column's head says that its figures are percentages."""
    return _PERCENT_COLUMN.search(_CAPTION.sub(" ", header)) is not None


def _title(titles: Sequence[str], labels: Sequence[str], above: Sequence[str]) -> str:
    for texts in (titles, list(reversed(above)), labels):
        for text in texts:
            if len(text) <= _TITLE_LENGTH and any(sign.isalpha() for sign in text) and not is_unit_line(text):
                return text
    return ""


def _headers(shape: Shape, rows: Sequence[HtmlRow], labels: Sequence[str]) -> list[str]:
    """Join the header rows of each column, after a label that tells the period of all of them."""
    shared = " ".join(text for text in labels if not is_unit_line(text) and _tells_or_names_period(text))
    found: list[list[str]] = [[] for _ in shape.spans]
    for row in rows:
        for cell in row.cells:
            if not shape.is_label(cell):
                for at in shape.columns_of(cell):
                    found[at].append(cell.text)
    return [" ".join([shared, *parts] if shared else parts) if parts else "" for parts in found]


_NAMES_PERIOD = re.compile(
    r"^(?:for the |as of |at )?(?:(?:fiscal )?years?|(?:three|six|nine|twelve) months|quarters?|periods?|weeks)?\s*+"
    r"(?:then )?(?:ended|ending)?\s*+(?:in |on )?(?:(?:january|february|march|april|may|june|july|august|september|"
    r"october|november|december)\s*+\d{0,2})?,?:?$",
    re.IGNORECASE,
)


def _tells_or_names_period(text: str) -> bool:
    return bool(text) and (bool(_NAMES_PERIOD.match(text)) or _tells_period(text))


def _column(header: str, at: int, rows: Sequence[Row], around: TableContext) -> Column:
    """Return a column with its period: that of most of its tagged figures, else that of its header."""
    told = read_header(header)
    tagged = [around.facts[cell.fact] for row in rows if (cell := row.cells[at]) is not None and cell.fact is not None]
    start, end = told.start, told.end
    if len(tagged) >= 2 and not _is_of_percent(header):
        (start, end), _ = Counter((fact.period_start, fact.period_end) for fact in tagged).most_common(1)[0]
    months = told.months if told.weeks is None else None
    return Column(header, start, end, _fiscal_year(told, end, around), months, basis=basis_of(header))


def _fiscal_year(told: Header, end: date | None, around: TableContext) -> int | None:
    if told.year is not None:
        return told.year
    return None if end is None else around.year_of(end)


def _own_scales(headers: Sequence[str]) -> list[float | None]:
    """Return the scale that the head of each column states, where heads differ; None for the others."""
    scales = [read_head(header).scale if header else None for header in headers]
    return scales if len({scale for scale in scales if scale is not None}) > 1 else [None] * len(headers)


class _Rows:
    """Builds the rows of a table."""

    def __init__(
        self, rows: Sequence[HtmlRow], shape: Shape, headers: Sequence[str], amounts: _Amounts, around: TableContext
    ) -> None:
        self._rows = rows
        self._shape = shape
        self._scales = amounts.scales
        self._excepts_percent = amounts.excepts_percent
        self._around = around
        self._head_scales = _own_scales(headers)
        self._percent = [_is_of_percent(header) for header in headers]
        self._currency = self._currency_of(amounts)
        self._headings: list[str] = []
        self._run = 0

    def _currency_of(self, amounts: _Amounts) -> str:
        """Return the currency of the table's amounts: as stated, else as signed; empty where nothing marks money."""
        money = self._around.money
        if len(amounts.unit.currencies) > 1:
            return UNSTATED_UNIT
        stated = amounts.unit.currency
        if money.domestic and money.code(stated) != "USD" and amounts.unit.scale is None:
            stated = ""  # such as a heading of loans in euros
        signs = Counter(cell.currency for row in self._rows for cell in row.cells if cell.currency)
        shown = stated or next((sign for sign, _ in signs.most_common(1)), "")
        if shown or amounts.scales.stated:
            return money.of(shown)
        return "" if money.domestic else money.unmarked

    def build(self, body: Sequence[int]) -> list[Row]:
        found: list[Row] = []
        for place, at in enumerate(body):
            row = self._rows[at]
            label = " ".join(cell.text for cell in row.cells if self._shape.is_label(cell))
            others = any(not self._shape.is_label(cell) for cell in row.cells)
            if others:
                self._run = 0
                found.append(self._row(at, row, label))
                self._close(label)
            elif label and not _NO_HEADING.match(label):
                self._open(label, body[place:])
        return found

    def _open(self, label: str, rest: Sequence[int]) -> None:
        """Put a heading in its place: a run of headings replaces as many as it has."""
        if self._run == 0:
            length = 0
            for at in rest:
                if any(not self._shape.is_label(cell) for cell in self._rows[at].cells):
                    break
                length += 1
            keep = 0 if label.isupper() else max(0, len(self._headings) - length)
            self._headings = self._headings[:keep]
        self._run += 1
        self._headings.append(label.rstrip(":"))

    def _close(self, label: str) -> None:
        """End the headings whose total a row is."""
        total = re.match(r"total\s+(.+)", label, re.IGNORECASE)
        if total is None:
            return
        for depth, heading in enumerate(self._headings):
            if heading.casefold().startswith(total[1].casefold()[:40]):
                self._headings = self._headings[:depth]
                return

    def _row(self, at: int, row: HtmlRow, label: str) -> Row:
        kind = unit_of(label, self._headings)
        unit, scale = self._unit(row, kind)
        cells: list[TableCell | None] = [None] * len(self._shape.spans)
        start = self._around.starts[at]
        for cell, (first, last) in zip(row.cells, self._around.lines[at].places, strict=True):
            columns = range(0) if self._shape.is_label(cell) else self._shape.columns_of(cell)
            if not columns or cells[columns[0]] is not None:
                continue
            place = TextPlace(self._around.document, self._around.page, start + first, start + last)
            value = cell.value
            percent = "%" in cell.text or self._percent[columns[0]]
            if value is not None and not percent:
                own = self._head_scales[columns[0]]
                value *= own if own is not None and scale != 1.0 and is_money(unit) else scale
            cells[columns[0]] = TableCell(cell.text, value, place, None if cell.tag is None else cell.tag.fact)
        return Row(label, tuple(cells), tuple(self._headings), unit, scale)

    def _unit(self, row: HtmlRow, kind: str) -> tuple[str, float]:
        tags = [cell.tag for cell in row.cells if cell.tag is not None]
        if tags:
            (unit, scale), _ = Counter((self._around.facts[tag.fact].unit, tag.scale) for tag in tags).most_common(1)[0]
            if unit != "pure":
                return unit, scale
            return ("percent" if scale != 1.0 else ""), 1.0
        figures = [cell.text for cell in row.cells if not self._shape.is_label(cell) and cell.value is not None]
        if figures and all("%" in text for text in figures):
            return "percent", 1.0
        if kind == "shares":
            return "shares", self._scales.shares
        label = " ".join(cell.text for cell in row.cells if self._shape.is_label(cell))
        if kind == "share":
            code, factor = stated_in_hundredths(label)
            return f"{code or self._currency or self._around.money.unmarked}/share", factor
        values = [abs(cell.value) for cell in row.cells if not self._shape.is_label(cell) and cell.value]
        signed = any(cell.currency for cell in row.cells)
        if not signed and (unscaled := unscaled_unit(label, values, excepted=self._excepts_percent)):
            return unscaled, 1.0
        own = stated_in_label(label)
        currency = self._around.money.of(own.currency) if own.currency else self._currency
        if own.scale is None and is_per_unit(label, values):
            return currency, 1.0
        return currency, self._scales.money if own.scale is None else own.scale
