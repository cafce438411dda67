"""Tables of a page that is laid out row by row: columns with their periods, rows with labels, units and places.

Reads what PDF and plain text give: the cells of a row stand on one line, a long label runs over several lines, headings
stand on lines of their own, and the header may take up to five lines.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import takewhile

from tradingagents.dataflows.models import StatementKind
from tradingagents.dataflows.reference.currencies import AMBIGUOUS, UNSTATED_UNIT
from tradingagents.retrieval.models import (
    Column,
    DocumentInfo,
    FiledTable,
    Page,
    Row,
    SourceDocument,
    TableCell,
    TextPlace,
)
from tradingagents.retrieval.money import DocumentMoney, nearest_unit, read_document_money, read_unit
from tradingagents.retrieval.page_kinds import page_kinds
from tradingagents.retrieval.row_units import (
    PERCENT_EXCEPTED,
    is_count_in_thousands,
    is_count_of_parts,
    is_per_unit,
    stated_in_hundredths,
    stated_in_label,
    unscaled_unit,
)
from tradingagents.retrieval.text_columns import cells_of, dated_columns, is_note, notes_column, without_marks
from tradingagents.retrieval.text_figures import (
    PrintedLine,
    clean_label,
    groups_by_space,
    join_groups,
    writes_decimal_comma,
)
from tradingagents.retrieval.text_headers import (
    HeaderMark,
    header_marks,
    unit_marks,
    year_count,
)
from tradingagents.retrieval.text_lines import table_lines

MAX_GAP = 6
"""Lines without figures between two rows of one table."""
MAX_GAP_CHARACTERS = 700
MAX_TITLE_LINES = 5
MAX_DEPTH = 3
"""Headings kept for a row."""
WRAP_LIMIT = 4
"""Lines that one label may take."""
_STATEMENTS: Mapping[str, StatementKind] = {"income": "income", "balance": "balance", "cashflow": "cashflow"}
_SCALES = {"thousands": 1e3, "millions": 1e6, "billions": 1e9}
_UNIT_HINT = re.compile(
    r"(?i)\(\s*(?:(?:u\.?s\.?|dollars?|amounts?|expressed|stated|shares|tabular|all|\$|usd|and|are|par value)[\s,]*)*"
    r"(?:in\s+)?"
    r"(thousands|millions|billions)\b[^)]*\)?|\b(?:dollars|amounts|\$|expressed)\s+in\s+(thousands|millions|billions)\b"
    r"|\bin\s+(thousands|millions|billions)\s*(?:,|$|of\b|\))|^\s*(thousands|millions|billions)\s+of\s+dollars"
    r"|\bin\s+(thousands|millions|billions)\s+(?=(?:fiscal\s+(?:year\s+)?)?(?:19|20)\d\d\b)"
)
_PER_SHARE = re.compile(
    r"(?i)\bper\s+(?:basic |diluted |common |ordinary |class [a-c] |american depositary )*(?:share|unit)\b"
    r"|\bEPS\b|earnings\s*\(?loss\)?\s+per|a share\b"
)
_SHARE_COUNT = re.compile(
    r"(?i)\b(?:weighted|average)\b.*\b(?:shares|outstanding)\b"
    r"|\bshares\s+(?:outstanding|used)|number of shares|\bshares\s+(?:of|issued|repurchased)\b"
)
_SHARES_NAMED = re.compile(r"(?i)\W*(?:weighted|average|shares used|number of shares)\b")
_STOCK_ROW = re.compile(
    r"(?i)\bpar value\b"
    r"|^\W*(?:less:?\s*)?(?:common|preferred|preference|treasury|capital|class [a-c])\b.*\b(?:stock|shares)\b"
)
"""A row of equity: it names numbers of shares, but its figures are amounts."""
_HEADED = re.compile(
    r"^((?i:cash flows?[\s\u2013-]+(?:from |used in |provided by )?(?:operating|investing|financing) activities)"
    r"|(?:[A-Z][A-Z'\u2019&,-]+\s+){1,7}?[A-Z][A-Z'\u2019&,-]+"
    r"|(?:ASSETS\s+|LIABILITIES AND EQUITY\s+)?[A-Z][^:$\d]{8,120}:)"
    r"\s+([A-Z][a-z].*)$"
)
"""A heading that shares its line with the first row under it."""
_CONTINUES = re.compile(
    r"(?i)(?:\b(?:of|and|at|for|the|in|to|by|from|on|with|or|net|per|other|including)|[,;\u2013\u2014-]|/)$"
)
_TOTAL_OF = re.compile(r"(?i)total(?: [^\s\d]+){2}|(?:sales|revenues?) (?:from|through) (?!.{0,90}\bby\b)")
"""Begins the label of a sum or of sales, and no heading."""
_MEASURE = re.compile(
    r"(?i)\b(?:square (?:feet|met(?:er|re)s)|tons|tonnes|barrels|ounces|megawatts|[MG]Wh|units|subscribers|customers"
    r"|gallons|vehicles|employees)[\s(,]{1,3}(?:are )?in (?:thousands|millions|billions)\b"
)
_STATING = re.compile(r"(?i)\b(?:expressed|stated|presented|reported|amounts|figures)\b")
_CAPTION = re.compile(r"(?i)\((?:in|dollars|amounts|expressed|all|[^\w\s(])[^()]{3,150}\)")
"""A line that is a caption and nothing else; a bare `(Millions)` may be the end of a column's head."""
_PAGE_MARK = re.compile(r"(?i)^(?:table of contents|page|\d{1,3}|[FA]-\d{1,3}|index)$")
_SENTENCE = re.compile(r"[a-z\d)][.;]$")


@dataclass(slots=True)
class _Block:
    """Lines of one table: its header marks, the lines from the header on, and the lines above."""

    above: list[PrintedLine]
    marks: tuple[HeaderMark, ...]
    lines: list[PrintedLine]
    header_text: str


@dataclass(frozen=True, slots=True)
class _Units:
    scale: float
    currency: str
    """Of the caption: an ISO code or a sign that currencies share; in a table of its own: the unit of amounts."""
    known: bool
    share_exception: bool
    percent_exception: bool = False
    measure: bool = False
    """Whether the caption is of square feet, tonnes or the like, which are no money."""
    money: DocumentMoney | None = None


@dataclass(frozen=True, slots=True)
class _Document:
    """What the tables of a document share."""

    info: DocumentInfo
    money: DocumentMoney
    decimal_comma: bool
    spaced: bool
    """Whether it groups digits by plain spaces."""


def read_text_tables(pages: Iterable[Page], info: DocumentInfo) -> tuple[FiledTable, ...]:
    """Return the tables of a document's pages in reading order, numbered from 0.

    A table that names no unit takes that of the table before it on the same or the preceding page. The fiscal year of a
    dated column follows the company's own calendar where `info` tells it. The pages of a whole filing are needed for a
    table to be told as a primary statement.
    """
    pages = tuple(pages)
    texts = [page.text for page in pages]
    kinds = page_kinds(texts)
    document = _Document(
        info, read_document_money(pages, info), writes_decimal_comma(texts), groups_by_space(texts)
    )  # fmt: skip
    tables: list[FiledTable] = []
    units = _Units(1.0, "", False, False)
    last_page = -2
    for page, kind in zip(pages, kinds, strict=True):
        if page.number > last_page + 1:
            units = replace(units, known=False, currency="")
        for block in _blocks(table_lines(page.text, decimal_comma=document.decimal_comma)):
            own = _units_of(block)
            found = own if own.known else page_units if (page_units := _units_of_page(page.text)).known else units
            units = replace(found, currency=own.currency or found.currency)
            table = _table(block, page, document, units, len(tables))
            if table is not None:
                tables.append(replace(table, statement=_STATEMENTS.get(kind.statement or "")))
                last_page = page.number
    return tuple(tables)


def with_text_tables(document: SourceDocument) -> SourceDocument:
    """Return a document with the tables that the text of its pages shows."""
    return replace(document, tables=read_text_tables(document.pages, document.info))


def _blocks(lines: Sequence[PrintedLine]) -> list[_Block]:
    """Cut a page's lines into tables: at each new header, and where text stands between rows."""
    blocks: list[_Block] = []
    above: list[PrintedLine] = []
    marks: list[HeaderMark] = []
    header: list[str] = []
    body: list[PrintedLine] = []
    gap: list[PrintedLine] = []

    def close() -> None:
        nonlocal above, marks, header, body, gap
        if any(line.figures for line in body):
            blocks.append(_Block(above, tuple(marks), body, "\n".join(header)))
        above, marks, header, body, gap = gap[-MAX_TITLE_LINES:], [], [], [], []

    for index, line in enumerate(lines):
        found = () if _has_amount(line) else header_marks(line.text, index) or _unit_head(lines, index, marks, body)
        if found:
            if any(each.figures for each in body):
                close()
            elif gap or body:
                above = [*above, *body, *gap][-MAX_TITLE_LINES * 2 :]
                body, gap = [], []
                if marks and index - marks[-1].line > MAX_GAP:
                    marks, header = [], []
            marks.extend(found)
            header.append(line.text)
        elif line.figures and not _is_prose(line):
            body.extend(gap)
            gap = []
            body.append(line)
        else:
            gap.append(line)
            if len(gap) > MAX_GAP or sum(len(each.text) for each in gap) > MAX_GAP_CHARACTERS:
                close()
    close()
    return blocks


def _unit_head(
    lines: Sequence[PrintedLine], index: int, marks: Sequence[HeaderMark], body: Sequence[PrintedLine]
) -> tuple[HeaderMark, ...]:
    """Return the marks of a line of currencies or bases that goes on a header, or that a header follows."""
    found = unit_marks(lines[index].text, index)
    if {mark.text for mark in found} <= {"$", "adjustment"}:  # a sign of the row below, or a head of its own
        return ()
    if not found or any(line.figures for line in body):
        return found if len(found) > 1 and _before_header(lines, index) else ()
    under = bool(marks) and index - marks[-1].line <= 2
    return found if under or _before_header(lines, index) else ()


def _before_header(lines: Sequence[PrintedLine], index: int) -> bool:
    following = lines[index + 1 : index + 3]
    return any(not _has_amount(line) and bool(header_marks(line.text)) for line in following)


def _has_amount(line: PrintedLine) -> bool:
    """Whether a figure of a line is no year with or without a note: such a line is a row, even if it is a date."""
    return any(
        not (figure.text.isdigit() and 1990 <= (figure.value or 0) <= 2060)
        and not (at and re.fullmatch(r"\(\d\)", figure.text) and line.figures[at - 1].text.isdigit())
        for at, figure in enumerate(line.figures)
    )


def _is_prose(line: PrintedLine) -> bool:
    """Tell a sentence that happens to end in a number from a row."""
    if len(line.figures) > 1:
        return False
    words = len(line.label.split())
    return (words > 16 and "...." not in line.text) or (words > 8 and _SENTENCE.search(line.text.strip()) is not None)


def _table(block: _Block, page: Page, document: _Document, units: _Units, number: int) -> FiledTable | None:
    named = year_count(block.marks)
    if document.spaced and named:
        joined = [join_groups(line, named, decimal_comma=document.decimal_comma) for line in block.lines]
        block = replace(block, lines=joined)
    counts = Counter(len(line.figures) for line in block.lines if line.figures)
    count = _column_count(block, counts)
    if not count:
        return None
    block = replace(block, lines=[without_marks(line, count) for line in block.lines])
    said = "\n".join([*(line.text for line in block.above[-MAX_TITLE_LINES:]), block.header_text])
    dated, periods = dated_columns(block.marks, block.lines, count, said)
    heads, units = _with_currencies(block, dated, document.money, units)
    rows = _rows(block.lines, count, periods, page, document.info, units)
    rows = [_rescaled(row, heads, units.scale) for row in rows]
    filled = sum(1 for row in rows if any(row.cells))
    if filled < 1 or (not block.marks and (count < 2 or filled < 3)):
        return None
    heads = tuple(_own_year(column, document.info) for column in heads)
    above = _after_prose(block.above)
    title = " ".join(line.text.strip() for line in above[-MAX_TITLE_LINES:] if not _PAGE_MARK.match(line.text.strip()))
    first = above[-1].start if above else block.lines[0].start
    return FiledTable(number, page.number, title[:300], heads, tuple(rows), start=first, end=block.lines[-1].end)


def _rescaled(row: Row, heads: Sequence[Column], scale: float) -> Row:
    """Return a row with the figures of columns that state a scale of their own in that scale."""
    if row.scale != scale or all(column.scale in (None, scale) for column in heads):
        return row
    factors = [row.scale_in(column) / row.scale for column in heads]
    cells = tuple(_scaled(cell, factor) for cell, factor in zip(row.cells, factors, strict=True))
    return replace(row, cells=cells)


def _with_currencies(
    block: _Block, heads: tuple[Column, ...], money: DocumentMoney, units: _Units
) -> tuple[tuple[Column, ...], _Units]:
    """Return the columns with currencies of their own, and the unit of the table's amounts.

    What stands nearest decides: the column's head, the caption, the signs before the figures, what the document says.
    """
    named = [money.of(column.currency) if column.currency else "" for column in heads]
    if len(set(named)) == 1:
        units = replace(units, currency=heads[0].currency or units.currency)
        named = _by_signs(block, len(heads), money)
    sign = _sign_of(block, money)
    shown = sign if sign == "$" and money.of(units.currency or sign) not in AMBIGUOUS[sign] else units.currency or sign
    own = money.of(shown) if shown else "" if money.domestic or units.measure else money.unmarked
    heads = tuple(replace(column, currency=code) for column, code in zip(heads, named, strict=True))
    return heads, replace(units, currency=own, money=money)


def _sign_of(block: _Block, money: DocumentMoney) -> str:
    """Return the sign before most of the figures that have one; empty for none.

    In a US report a sign of another currency counts only where most rows have it: else it is that of one contract.
    """
    lines = [line for line in block.lines if line.figures]
    counted = Counter(figure.currency for line in lines for figure in line.figures[-1:] if figure.currency)
    counted = counted or Counter(figure.currency for line in lines for figure in line.figures if figure.currency)
    sign, rows = next(iter(counted.most_common(1)), ("", 0))
    return "" if money.domestic and money.code(sign) != "USD" and 2 * rows < len(lines) else sign


def _by_signs(block: _Block, count: int, money: DocumentMoney) -> list[str]:
    """Return the currency of each column by the signs before its figures; empty where all have the same."""
    signs: list[Counter[str]] = [Counter() for _ in range(count)]
    for line in block.lines:
        for at, figure in enumerate(line.figures[-count:] if len(line.figures) >= count else ()):
            signs[at][figure.currency] += bool(figure.currency)
    found = [next((sign for sign, times in one.most_common(1) if times), "") for one in signs]
    return [money.of(sign) for sign in found] if len(set(found)) > 1 and all(found) else [""] * count


def _after_prose(above: Sequence[PrintedLine]) -> Sequence[PrintedLine]:
    """Return the lines above a table that may be its title: those behind the end of the last sentence with a figure."""
    ends = [at for at, line in enumerate(above) if _ends_sentence(line.text.rstrip())]
    return above[ends[-1] + 1 :] if ends else above


def _ends_sentence(text: str) -> bool:
    """Return whether a line ends a sentence and holds a figure; a title has no full stop after a figure."""
    return text.endswith(".") and (text[-2:-1].isalnum() or text[-2:-1] == "%") and any(map(str.isdigit, text))


def _column_count(block: _Block, counts: Counter[int]) -> int:
    """Return how many columns of figures the table has: what most rows have, note references apart."""
    most, _ = max(counts.items(), key=lambda item: (item[1], item[0]))
    named = year_count(block.marks)
    if named and named == most - 1 and notes_column(block.lines, most):
        return named
    if named > most and counts.get(named):
        return named
    if named and most < named:
        return named
    return most


def _rows(
    lines: Sequence[PrintedLine], count: int, periods: Sequence[int], page: Page, info: DocumentInfo, units: _Units
) -> list[Row]:
    rows: list[Row] = []
    waiting: list[PrintedLine] = []
    headings: list[str] = []
    for line in lines:
        if not line.figures:
            if _PAGE_MARK.match(line.text.strip()):
                continue
            if (
                rows
                and not waiting
                and line.label[:1].islower()
                and len(line.label) < 60
                and not line.label.endswith(":")
            ):
                before = rows[-1]
                if _CONTINUES.search(before.label) or before.label.count("(") > before.label.count(")"):
                    rows[-1] = replace(before, label=f"{before.label} {line.label}")
                    continue
            waiting.append(line)
            continue
        if not line.label and len(line.figures) < count:
            continue
        label, above = _label(line, waiting, count)
        own_heading = _HEADED.match(label)
        if own_heading:
            above, label = [*above, own_heading.group(1)], own_heading.group(2)
        waiting = []
        headings = _under(headings, above)
        cells = cells_of(line, count, periods, TextPlace(info.key, page.number, 0, 0))
        label = label or (headings[-1] if headings else "")
        unit, scale = _unit(label, headings, cells, line, units)
        scaled = tuple(_scaled(cell, scale) for cell in cells)
        rows.append(Row(label, scaled, tuple(headings), unit, scale))
        headings = _after(headings, label)
    return rows


def _label(line: PrintedLine, waiting: Sequence[PrintedLine], count: int) -> tuple[str, list[str]]:
    """Return the whole label of a row, and the headings among the lines that stand before it."""
    own = _own_label(line, count)
    parts = [own] if own else []
    above = list(waiting)
    while above and len(parts) < WRAP_LIMIT:
        text = above[-1].label
        open_bracket = text.count("(") > text.count(")")
        begins_low = bool(parts) and (parts[0][:1].islower() or parts[0][:1] in "(&$") and not text.endswith(":")
        of_total = _TOTAL_OF.match(text) is not None and not text.endswith(":")
        goes_on = begins_low or of_total or (open_bracket and not text.endswith(":")) or _CONTINUES.search(text)
        if parts and not goes_on:
            break
        if not parts and text.endswith(":"):
            break
        parts.insert(0, text)
        above.pop()
    return " ".join(parts), [each.label for each in above]


def _own_label(line: PrintedLine, count: int) -> str:
    """Return the words of a row's own line, with figures beyond the table's columns unless these are note numbers."""
    extra = line.figures[: max(0, len(line.figures) - count)]
    if not extra or all(is_note(figure) for figure in extra):
        return line.label
    return clean_label(line.text[: line.figures[len(extra)].start - line.start])


def _under(current: Sequence[str], above: Sequence[str]) -> list[str]:
    """Return the headings that a row stands under, outermost first, given the heading lines just before it."""
    headings = list(current)
    for text in above:
        plain = text.rstrip(":").strip()
        if not plain or len(text) > 160 or _SENTENCE.search(text) or _CAPTION.fullmatch(plain):
            continue
        if headings and plain[:1].islower():
            headings[-1] = f"{headings[-1]} {plain}"
            continue
        if headings and is_count_in_thousands("", headings[-1]):
            headings.pop()
        headings.append(plain)
    return headings[-MAX_DEPTH:]


def _after(headings: Sequence[str], label: str) -> list[str]:
    """Return the headings that stay open after a row: a total closes the section that it sums, named or not."""
    words = _words(label)
    if label.lower().startswith("net cash"):
        return []
    if label in headings:
        return list(headings[: headings.index(label)])
    if "total" not in words or (headings and is_count_in_thousands("", headings[-1])):
        return list(headings)  # customers of several kinds are counted under one heading, with a sum of some of them
    for index in range(len(headings) - 1, -1, -1):
        if _words(headings[index]) <= words:
            return list(headings[:index])
    return list(headings[:-1]) if len(headings) > 1 else []


def _words(text: str) -> set[str]:
    return set(re.findall(r"[a-z]+", text.lower())) - {"and", "of", "the", "from"}


def _unit(
    label: str, headings: Sequence[str], cells: Sequence[TableCell | None], line: PrintedLine, units: _Units
) -> tuple[str, float]:
    """Return the unit of a row and the factor from its printed figures to that unit."""
    taken = {cell.place.start for cell in cells if cell is not None and cell.place is not None}
    figures = tuple(figure for figure in line.figures if figure.start in taken) or line.figures[-len(cells) :]
    if any(figure.percent for figure in figures) and all(figure.percent for figure in figures if figure.value):
        return "percent", 1.0
    currency = units.currency
    heading = headings[-1] if headings and not re.search(r"\d{2}", headings[-1]) else ""
    values = [abs(figure.value) for figure in figures if figure.value]
    counted = (_SHARE_COUNT.search(label) or _SHARE_COUNT.search(heading)) and not _STOCK_ROW.search(label)
    named = _SHARES_NAMED.match(label) or not _PER_SHARE.search(label)
    signed = any(figure.currency for figure in figures)
    if counted and named and not signed:
        in_thousands = re.search(r"\b000", f"{label} {heading}") is not None
        return "shares", 1e3 if in_thousands else _share_scale(values, units)
    under = any(_PER_SHARE.search(each) for each in headings) and all(
        "." in figure.text for figure in figures if figure.value
    )
    per_share = _PER_SHARE.search(label) or (under and values and max(values) < 1000)
    if per_share and values and max(values) < 10000:
        code, factor = stated_in_hundredths(f"{label} {heading}")
        return f"{code or currency or _unmarked(units)}/share", factor
    if not signed and is_count_in_thousands(label, headings[-1] if headings else ""):
        return "count", 1e3
    if headings and not signed and values and all(map(float.is_integer, values)) and is_count_of_parts(headings[-1]):
        return "count", 1.0
    if not signed and (unscaled := unscaled_unit(label, values, excepted=units.percent_exception)):
        return unscaled, 1.0
    own = stated_in_label(label)
    if own.currency and units.money is not None:
        currency = units.money.of(own.currency)
    if own.scale is None and is_per_unit(label, values):
        return currency, 1.0
    return currency, units.scale if own.scale is None else own.scale


def _unmarked(units: _Units) -> str:
    return UNSTATED_UNIT if units.money is None else units.money.unmarked


def _share_scale(values: Sequence[float], units: _Units) -> float:
    """Return the factor for numbers of shares: 1 where the header excepts them and they are printed in full."""
    largest = max(values, default=0.0)
    return 1.0 if (units.share_exception and largest >= 1e5) or largest * units.scale > 5e11 else units.scale


def _scaled(cell: TableCell | None, scale: float) -> TableCell | None:
    if cell is None or cell.value is None or scale == 1.0:
        return cell
    return replace(cell, value=round(cell.value * scale, 6))


def _units_of(block: _Block) -> _Units:
    """Return what a table's captions state: one between the header and the first row counts before those above."""
    own = _units("\n".join([*(line.text for line in block.above), block.header_text]))
    leading = [line.text.strip() for line in takewhile(lambda line: not line.figures, block.lines)]
    captions = list(takewhile(lambda text: _CAPTION.fullmatch(text) or " " not in text, leading))
    lead = _units("\n".join(captions))  # after other words it is the end of one column's head
    return replace(lead, currency=lead.currency or own.currency) if lead.known else own


def _units_of_page(text: str) -> _Units:
    """Return what the head of a page states; a heading that names a currency (`Japanese yen notes:`) states nothing."""
    lines = text[:1500].split("\n")
    return _units("\n".join(line for line in lines if not _names_only(line)))


def _names_only(line: str) -> bool:
    unit = read_unit(line)
    return bool(unit.currencies) and unit.scale is None and _STATING.search(line) is None


def _units(text: str) -> _Units:
    """Return scale and currency as a header, a title or the lines above a table tell them."""
    match = _UNIT_HINT.search(text)
    word = next((group for group in match.groups() if group), "") if match else ""
    found = nearest_unit(text.split("\n"))
    near = text[match.start() : match.start() + 160] if match else text
    exception = bool(re.search(r"(?i)except\b[^)]*\bshare", re.sub(r"(?i)per[\s\u00a0]+share", "", near)))
    scale = _SCALES.get(word.lower(), 1.0)
    both = any(unit.currencies and unit.scale is not None for unit in map(read_unit, text.split("\n")))
    own = found.scale is not None and (both or (match is None and found.scale not in _SCALES.values()))
    if own and found.scale is not None:
        scale = found.scale
    currency = found.currency or (UNSTATED_UNIT if found.currencies and found.scale is not None else "")
    return _Units(scale, currency, match is not None or bool(own), exception, PERCENT_EXCEPTED.search(near) is not None,
                  _MEASURE.search(text) is not None)  # fmt: skip


def _own_year(column: Column, info: DocumentInfo) -> Column:
    """Return a dated column with the fiscal year in which its last day falls, by the company's calendar."""
    if column.period_end is None or info.fiscal_year is None or info.period_end is None:
        return column
    year_end = info.period_end + timedelta(days=91 * (4 - (info.fiscal_quarter or 4)))
    years = ((year_end - column.period_end).days + 20) // 365.25
    return replace(column, fiscal_year=info.fiscal_year - int(years))
