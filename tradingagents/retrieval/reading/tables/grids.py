"""A table of HTML as a grid: rows of cells with the columns they span, `$` and `)` joined to their figures."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from tradingagents.dataflows.reference.currencies import currency_named
from tradingagents.retrieval.money import CURRENCY_PATTERN
from tradingagents.retrieval.reading.facts import Tag, TaggedFacts
from tradingagents.retrieval.reading.tree import DROPPED, Element, clean, local, style_of

MAX_SPAN = 500
"""Widest span of a cell; larger numbers in the source mean nothing."""
MAX_COLUMNS = 2_000
_CURRENCY = re.compile(rf"^{CURRENCY_PATTERN}$")
_OPENING = re.compile(rf"^(?:{CURRENCY_PATTERN}\s*)?\($")
_CLOSING = re.compile(r"^(?:\)|\)?\s*%|\)\s*\(\w{1,2}\)|\)\s*%|x|bps|pts?\.?|pp)$", re.IGNORECASE)
_NOTE = re.compile(r"^(?:\([a-z]\)|\*{1,3}|[†‡§])$")
_SPACE = "\u0020\u00a0\u2007\u2009\u202f"
_POINT_DIGITS = (
    r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d+)?|\d{1,3}(?:['’]\d{3})+(?:\.\d+)?"
    rf"|\d{{1,3}}(?:[{_SPACE}]\d{{3}})+(?:[.,]\d{{1,2}})?|\d{{1,3}}(?:\.\d{{3}})+,\d+|\d{{1,3}}(?:\.\d{{3}}){{2,9}}"
    r"|\d+(?:\.\d+)?|\.\d+"
)
_COMMA_DIGITS = rf"\d{{1,3}}(?:[.{_SPACE}]\d{{3}})+(?:,\d+)?|\d+(?:,\d+)?"


def _figure_pattern(digits: str) -> re.Pattern[str]:
    return re.compile(
        rf"^(?P<open>[-−–—+]?\s*+\(?\s*+)(?:{CURRENCY_PATTERN})?"
        r"\s*+(?P<open2>[-−–]?\(?\s*+)"
        rf"(?P<digits>{digits})"
        r"\s*+(?P<close>\)?)\s*+(?P<unit>%|x|bps|pts?\.?|pp)?\s*+\)?\s*+(?:\(\w{1,2}\)|\*{1,3}|[†‡§])?$",
        re.IGNORECASE,
    )


_FIGURE, _COMMA_FIGURE = _figure_pattern(_POINT_DIGITS), _figure_pattern(_COMMA_DIGITS)
_NOTHING = re.compile(rf"^(?:{CURRENCY_PATTERN}\s*)?[—–-]{{1,3}}\s*%?$")
_SIGN = re.compile(rf"^[-−–(\s]*({CURRENCY_PATTERN})")
_SURE_COMMA = re.compile(rf"\d{{1,3}}(?:[.{_SPACE}]\d{{3}})+,\d{{1,2}}|\d{{1,3}}(?:\.\d{{3}}){{2,9}}")
_YEAR = re.compile(r"^(?:FY\s*)?(?:19|20)\d\d$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class HtmlCell:
    """A cell that holds text."""

    text: str
    first: int
    """First column that it spans."""
    last: int
    """Last column that it spans."""
    bold: bool = False
    raised: bool = False
    """Whether it is printed above the line, as the number of a footnote is."""
    tag: Tag | None = None
    """The only figure that is tagged in it; None where there is none, or several."""
    decimal_comma: bool = False
    """Whether its table writes decimals after a comma."""

    @property
    def value(self) -> float | None:
        """The number printed in it; None where it is text."""
        return number(self.text, decimal_comma=self.decimal_comma)

    @property
    def currency(self) -> str:
        """The currency of the sign before its number, as `currency_named` gives it; empty for none."""
        found = _SIGN.match(self.text)
        return currency_named(found[1]) if found else ""

    @property
    def is_year(self) -> bool:
        """Whether it holds a year and nothing else."""
        return bool(_YEAR.match(self.text))


@dataclass(frozen=True, slots=True)
class HtmlRow:
    """A row; empty cells are left out."""

    cells: tuple[HtmlCell, ...]


def number(text: str, *, decimal_comma: bool = False) -> float | None:
    """Return the number that a cell prints: `(1,577)` is negative, a dash is zero, and text is None."""
    text = text.strip()
    if _NOTHING.match(text):
        return 0.0
    found = (_COMMA_FIGURE if decimal_comma else _FIGURE).match(text) if len(text) <= 40 else None
    if found is None:
        return None
    signs = found["open"] + found["open2"]
    digits = found["digits"]
    comma = decimal_comma or _SURE_COMMA.fullmatch(digits) is not None
    plain = digits.replace(".", "").replace(",", ".") if comma else digits.replace(",", "")
    value = float(re.sub(r"[^\d.]", "", plain))
    return -value if any(sign in signs for sign in "(-−–—") else value


def read_grid(table: Element, tagged: TaggedFacts) -> tuple[HtmlRow, ...]:
    """Return the rows of a table that hold text."""
    rows: list[HtmlRow] = []
    blocked: dict[int, int] = {}
    for row in _rows(table):
        cells, blocked = _row(row, tagged, blocked)
        joined = _joined(cells)
        if joined:
            rows.append(HtmlRow(tuple(joined)))
    return tuple(rows)


def with_decimal_comma(rows: Sequence[HtmlRow]) -> tuple[HtmlRow, ...]:
    """Return the rows of a document that writes decimals after a comma."""
    return tuple(HtmlRow(tuple(replace(cell, decimal_comma=True) for cell in row.cells)) for row in rows)


def _rows(table: Element) -> Iterator[Element]:
    for child in table:
        name = local(child)
        if name == "tr" and not style_of(child).hidden:
            yield child
        elif name in ("tbody", "thead", "tfoot") and not style_of(child).hidden:
            yield from _rows(child)


def _row(row: Element, tagged: TaggedFacts, blocked: dict[int, int]) -> tuple[list[HtmlCell], dict[int, int]]:
    """Return a row's cells, and for how many further rows which columns are taken by cells of rows above."""
    cells: list[HtmlCell] = []
    following = {column: left - 1 for column, left in blocked.items() if left > 1}
    column = 0
    for element in row:
        if local(element) not in ("td", "th"):
            continue
        while column in blocked:
            column += 1
        width, height = _span(element, "colspan"), _span(element, "rowspan")
        if column + width > MAX_COLUMNS:
            break
        if height > 1:
            following |= dict.fromkeys(range(column, column + width), height - 1)
        if not style_of(element).hidden:
            looks = cell_text(element)
            if looks.text:
                tag = _tag(element, tagged)
                cells.append(HtmlCell(looks.text, column, column + width - 1, looks.bold, looks.raised, tag))
        column += width
    return cells, following


def _span(element: Element, name: str) -> int:
    text = (element.get(name) or "1").strip()[:12]
    return min(max(int(text), 1), MAX_SPAN) if text.isascii() and text.isdigit() else 1


def _tag(element: Element, tagged: TaggedFacts) -> Tag | None:
    if not tagged.tags:
        return None
    found = [tagged.tags[part] for part in element.iter() if part in tagged.tags]
    return found[0] if len(found) == 1 else None


@dataclass(frozen=True, slots=True)
class CellText:
    """The visible text of an element on one line."""

    text: str
    bold: bool
    """Whether all of it is bold."""
    raised: bool
    """Whether all of it is superscript."""


_BLOCKS = frozenset({"div", "p", "br", "li", "tr", "td", "th", "table", "ul", "ol", "h1", "h2", "h3", "h4", "h5", "h6"})


def cell_text(element: Element) -> CellText:
    """Return the visible text of an element on one line."""
    parts: list[tuple[str, bool, bool]] = []
    _collect(element, parts, bold=False, raised=False)
    words = [part for part in parts if part[0].strip()]
    text = clean("".join(part[0] for part in parts))
    return CellText(text, bool(words) and all(part[1] for part in words), bool(words) and all(p[2] for p in words))


def _collect(element: Element, parts: list[tuple[str, bool, bool]], *, bold: bool, raised: bool) -> None:
    name = local(element)
    style = style_of(element)
    if name in DROPPED or style.hidden:
        return
    heavy = style.bold if style.bold is not None else bold or name in ("b", "strong", "th")
    high = raised or style.raised or name == "sup"
    if name in _BLOCKS or style.gap:
        parts.append((" ", True, True))
    if element.text:
        parts.append((element.text, heavy, high))
    for child in element:
        if local(child):
            _collect(child, parts, bold=heavy, raised=high)
        if child.tail:
            parts.append((child.tail, heavy, high))
    if name in _BLOCKS:
        parts.append((" ", True, True))


def _joined(cells: list[HtmlCell]) -> list[HtmlCell]:
    """Join currency signs and brackets, which have cells of their own, to their figures."""
    found: list[HtmlCell] = []
    waiting: HtmlCell | None = None
    for cell in cells:
        if waiting is not None and _heads_column(waiting, cell):
            found.append(waiting)
            waiting, joined = None, cell
        elif waiting is not None:
            gap = "" if waiting.text.endswith("(") else " "
            joined = replace(cell, text=f"{waiting.text}{gap}{cell.text}", first=waiting.first)
            waiting = None
        else:
            joined = cell
        if _CURRENCY.match(joined.text) or _OPENING.match(joined.text):
            waiting = joined
            continue
        last = found[-1] if found else None
        if last is not None and _continues(last, joined):
            gap = "" if _CLOSING.match(joined.text) and not joined.text[0].isalpha() else " "
            found[-1] = replace(last, text=f"{last.text}{gap}{joined.text}", last=joined.last)
        else:
            found.append(joined)
    if waiting is not None:
        found.append(waiting)
    return found


def _heads_column(sign: HtmlCell, cell: HtmlCell) -> bool:
    """Whether a currency stands alone, as the head of a column, and not before the figure of the next cell."""
    if _CURRENCY.match(cell.text):
        return True
    return len(sign.text) > 1 and cell.value is None and not _OPENING.match(cell.text)


def _continues(last: HtmlCell, cell: HtmlCell) -> bool:
    if _CLOSING.match(cell.text):
        return any(sign.isdigit() for sign in last.text[-8:]) or last.text[-1] in "—–-"
    is_note = cell.raised or bool(_NOTE.match(cell.text))
    return is_note and len(cell.text) <= 5 and last.value is not None and cell.tag is None
