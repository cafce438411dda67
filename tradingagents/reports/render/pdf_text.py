"""Markdown as the paragraphs, lists and tables of a PDF."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextvars import ContextVar
from functools import lru_cache
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import quoteattr

from markdown_it.token import Token

from tradingagents.files.plain_text import clean
from tradingagents.reports.inner_links import split_links
from tradingagents.reports.model_text import inline_tokens, markdown_tokens
from tradingagents.reports.names import for_people
from tradingagents.reports.render.pdf_fonts import BASE, BOLD, MONO, marked_up

if TYPE_CHECKING:
    from reportlab.platypus import Flowable, Paragraph

INK, MUTED, RULE, SHADE, ACCENT = "#1c2430", "#5b6675", "#c9d1db", "#f2f5f8", "#0b5cad"
WIDTH = 483.0
"""Points between the margins of a page."""
TILES_IN_A_ROW = 3
_CELL_PADDING = 4.0
_WIDE_TABLE, _NARROW_TYPE, _TYPE = 6, 6.5, 8.0
_NARROWEST, _MOST_MEASURED = 24.0, 400
_LEAST_ROWS, _SHORT_CELL = 4, 300
"""Rows of a table, and characters of its cells, from which and up to which first and last rows are kept together."""
_LONGEST_CELL = 6000
"""Characters of a cell that are shown; the Markdown report has the rest."""
_LEAST_BELOW_BOLD = 48.0
_HIGH_ROW = 200.0
"""Height of a row from which on it may be split over two pages."""
"""Points below which a line in bold goes to the next page: its own line and two more."""
targets: ContextVar[frozenset[str]] = ContextVar("targets", default=frozenset())
"""Ids that the document contains: a PDF with a link to another one cannot be written."""
DATA_ROWS = ("data-", "figure-")
"""Beginnings of the ids of rows of the data sheet."""
_OPEN, _CLOSE = "\ue0f1", "\ue0f2"
_DEEPEST_LIST = 5
_LONGEST_FIGURE, _SIGNS = 16, "+-\u2212$€£~≈"


@lru_cache(maxsize=1)
def styles() -> Any:
    """Return the styles of paragraphs."""
    from reportlab.lib.colors import HexColor
    from reportlab.lib.styles import ParagraphStyle

    ink, muted = HexColor(INK), HexColor(MUTED)
    body = ParagraphStyle("body", fontName=BASE, fontSize=9.5, leading=13.2, textColor=ink, spaceAfter=5)
    sizes = {1: 20.0, 2: 14.0, 3: 11.5, 4: 10.5, 5: 9.5, 6: 9.5}
    headings = {
        level: ParagraphStyle(
            f"h{level}",
            parent=body,
            fontName=BOLD,
            fontSize=size,
            leading=size * 1.25,
            spaceBefore=0 if level == 1 else size * 0.8,
            spaceAfter=size * 0.35,
            keepWithNext=1,
        )
        for level, size in sizes.items()
    }
    return SimpleNamespace(
        body=body,
        unlisted=ParagraphStyle("unlisted", parent=headings[2], spaceBefore=0),
        headings=headings,
        muted=ParagraphStyle("muted", parent=body, fontSize=8.5, leading=11.5, textColor=muted),
        eyebrow=ParagraphStyle("eyebrow", parent=body, fontName=BOLD, fontSize=8.5, textColor=HexColor(ACCENT)),
        notice=ParagraphStyle("notice", parent=body, fontName=BOLD, spaceAfter=0),
        code=ParagraphStyle("code", parent=body, fontName=MONO, fontSize=8, leading=10.5, backColor=HexColor(SHADE)),
        caption=ParagraphStyle("caption", parent=body, fontName=BOLD, fontSize=9.5, spaceBefore=8, spaceAfter=1),
        unit=ParagraphStyle("unit", parent=body, fontSize=8, leading=10.5, textColor=muted, spaceAfter=3),
        source=ParagraphStyle("source", parent=body, fontSize=7.5, leading=10, textColor=muted, spaceAfter=10),
        tile_name=ParagraphStyle("tile_name", parent=body, fontSize=8, leading=10, textColor=muted, spaceAfter=0),
        tile_value=ParagraphStyle("tile_value", parent=body, fontName=BOLD, fontSize=14, leading=18, spaceAfter=0),
        contents=ParagraphStyle("contents", parent=body, fontSize=9.5, leading=15, spaceAfter=0),
        quote=ParagraphStyle("quote", parent=body, leftIndent=12, textColor=muted),
    )


def cell_style(size: float, *, head: bool = False, right: bool = False) -> Any:
    """Return the style of a table's cell."""
    return _cell_style(size, head, right)


@lru_cache(maxsize=16)
def _cell_style(size: float, head: bool, right: bool) -> Any:
    from reportlab.lib.enums import TA_LEFT, TA_RIGHT
    from reportlab.lib.styles import ParagraphStyle

    return ParagraphStyle(
        f"cell{size}{head}{right}",
        parent=styles().body,
        fontName=BOLD if head else BASE,
        fontSize=size,
        leading=size * 1.28,
        spaceAfter=0,
        alignment=TA_RIGHT if right else TA_LEFT,
    )


def paragraph(text: str, style: Any, target: str = "") -> Paragraph:
    """Return plain text as a paragraph; `target` makes it one that links lead to."""
    from reportlab.platypus import Paragraph

    place = f"<a name={quoteattr(target)}/>" if target else ""
    return Paragraph(place + _linked(" ".join(text.split()), style.fontName), style)


def markdown_line(text: str, style: Any) -> Paragraph:
    """Return one line of Markdown as a paragraph."""
    from reportlab.platypus import Paragraph

    return Paragraph(_inline(inline_tokens(text), style.fontName), style)


def _is_bold(text: str) -> bool:
    return len(text) > 4 and text.startswith("**") and text.find("**", 2) == len(text) - 2


def markdown_flow(text: str, *, under: int, readable: bool = True) -> list[Flowable]:
    """Return Markdown as what a page is filled with.

    Args:
        text: The Markdown.
        under: Level below which its headings are placed.
        readable: Whether short names of figures and tools become readable ones.
    """
    return list(_Flow(markdown_tokens(text, under=under), for_people if readable else str).blocks(0))


def table_flow(header: Sequence[str], rows: Sequence[Sequence[str]]) -> Flowable:
    """Return a table that may go over pages, its header repeated; cells are lines of Markdown."""
    size = _NARROW_TYPE if len(header) > _WIDE_TABLE else _TYPE
    right = [_is_numeric(column, rows) for column in range(len(header))]
    head = [markdown_line(cell, cell_style(size, head=True, right=right[at])) for at, cell in enumerate(header)]
    body = [
        [markdown_line(_shortened(cell), cell_style(size, right=right[at])) for at, cell in enumerate(row)]
        for row in rows
    ]
    return _table([head, *body], _widths(header, rows, size))


def facts_flow(facts: Iterable[tuple[str, str]]) -> Flowable:
    """Return names and values below each other."""
    name, value = cell_style(9.0, head=True), cell_style(9.0)
    rows = [[paragraph(one, name), paragraph(other, value)] for one, other in facts]
    return _table(rows, [95.0, WIDTH - 95.0], head=False)


def with_loose_headings(content: Sequence[Flowable]) -> Iterator[Flowable]:
    """Yield flowables; headings stay with each other, but not with a whole table, which would move to the next page."""
    from reportlab.lib.styles import ParagraphStyle
    from reportlab.platypus import CondPageBreak, LongTable

    for at, part in enumerate(content):
        after = next((other for other in content[at + 1 :] if not isinstance(other, CondPageBreak)), None)
        style = getattr(part, "style", None)
        if (
            isinstance(part, CondPageBreak)
            and at
            and getattr(getattr(content[at - 1], "style", None), "keepWithNext", 0)
        ):
            continue  # the room was asked for before the heading above
        if isinstance(after, LongTable) and getattr(style, "keepWithNext", False):
            assert style is not None  # noqa: S101 - it has the attribute
            part.style = ParagraphStyle(style.name, parent=style, keepWithNext=0)
        yield part


def tiles_flow(terms: Sequence[tuple[str, str, str]]) -> Flowable:
    """Return figures as tiles: the name small, the value large, a remark below it.

    Args:
        terms: Name, value and remark; an empty remark is left out.
    """
    from reportlab.lib.colors import HexColor
    from reportlab.platypus import Paragraph, Table, TableStyle

    look = styles()
    tiles: list[Any] = [
        [
            paragraph(name, look.tile_name),
            paragraph(value, look.tile_value),
            *([paragraph(remark, look.tile_name)] if remark else []),
        ]
        for name, value, remark in terms
    ]
    tiles += [Paragraph("", look.tile_name)] * (-len(tiles) % TILES_IN_A_ROW)
    rows = [tiles[at : at + TILES_IN_A_ROW] for at in range(0, len(tiles), TILES_IN_A_ROW)]
    rules = [
        ("VALIGN", (0, 0), (-1, -1), "TOP"),
        ("LINEABOVE", (0, 0), (-1, -1), 0.8, HexColor(MUTED)),
        ("LEFTPADDING", (0, 0), (-1, -1), 2),
        ("TOPPADDING", (0, 0), (-1, -1), 4),
        ("BOTTOMPADDING", (0, 0), (-1, -1), 7),
    ]
    return Table(
        rows, colWidths=[WIDTH / TILES_IN_A_ROW] * TILES_IN_A_ROW, style=TableStyle(rules), hAlign="LEFT", spaceAfter=4
    )


def boxed(content: Flowable) -> Flowable:
    """Return a paragraph in a box."""
    from reportlab.lib.colors import HexColor
    from reportlab.platypus import Table, TableStyle

    look = [("BACKGROUND", (0, 0), (-1, -1), HexColor("#fff6e5")), ("BOX", (0, 0), (-1, -1), 0.8, HexColor("#d08a00"))]
    return Table([[content]], colWidths=[WIDTH], style=TableStyle(look), spaceBefore=6, spaceAfter=8, splitInRow=1)


def _table(cells: list[list[Any]], widths: list[float], *, head: bool = True) -> Flowable:
    from reportlab.lib.colors import HexColor
    from reportlab.platypus import LongTable, TableStyle

    rule = HexColor(RULE)
    look: list[Any] = [
        ("VALIGN", (0, 0), (-1, -1), "TOP"),
        ("LINEBELOW", (0, 0), (-1, -1), 0.4, rule),
        ("LEFTPADDING", (0, 0), (-1, -1), _CELL_PADDING),
        ("RIGHTPADDING", (0, 0), (-1, -1), _CELL_PADDING),
        ("TOPPADDING", (0, 0), (-1, -1), 2.5),
        ("BOTTOMPADDING", (0, 0), (-1, -1), 3),
    ]
    if (
        head
        and len(cells) > _LEAST_ROWS
        and all(len(one.getPlainText()) < _SHORT_CELL for row in (*cells[:3], *cells[-2:]) for one in row)
    ):
        # No row stands alone below the header or at the top of a page.
        look += [("NOSPLIT", (0, 0), (-1, 2)), ("NOSPLIT", (0, -2), (-1, -1))]
    if head:
        look += [("BACKGROUND", (0, 0), (-1, 0), HexColor(SHADE)), ("LINEBELOW", (0, 0), (-1, 0), 0.8, HexColor(MUTED))]
    return LongTable(
        cells,
        colWidths=widths,
        repeatRows=int(head),
        style=TableStyle(look),
        splitInRow=int(_has_a_high_row(cells, widths)),
        hAlign="LEFT",
        spaceBefore=3,
        spaceAfter=8,
    )


def _has_a_high_row(cells: Sequence[Sequence[Any]], widths: Sequence[float]) -> bool:
    """Tell whether a row is so high that it may be split; others move to the next page as a whole."""
    return any(
        len(cell.getPlainText()) > _SHORT_CELL and cell.wrap(width - 2 * _CELL_PADDING, math.inf)[1] > _HIGH_ROW
        for row in cells
        for cell, width in zip(row, widths, strict=True)
    )


def _widths(header: Sequence[str], rows: Sequence[Sequence[str]], size: float) -> list[float]:
    """Return the widths of columns: as wide as their texts where there is room, else shared by what they need."""
    from reportlab.pdfbase.pdfmetrics import stringWidth

    def wide(text: str) -> float:
        return float(stringWidth(text[:_MOST_MEASURED].encode("cp1252", "replace").decode("cp1252"), BOLD, size))

    around = 2 * _CELL_PADDING + 1
    columns = [[header[at], *(row[at] for row in rows[:_MOST_MEASURED])] for at in range(len(header))]
    natural = [max(map(wide, cells)) + around for cells in columns]
    if sum(natural) <= WIDTH:
        return natural
    words = [max((wide(word) for cell in cells for word in cell[:_MOST_MEASURED].split()), default=0.0) + around
             for cells in columns]  # fmt: skip
    share = WIDTH / len(header)
    least = [min(max(one, _NARROWEST), max(share, _NARROWEST)) for one in words]
    if sum(least) >= WIDTH:
        return [one * WIDTH / sum(least) for one in least]
    # What remains goes to the columns with long texts; the square root keeps one of them from taking it all.
    needs = [max(one - low, 0.0) ** 0.5 for one, low in zip(natural, least, strict=True)]
    left = WIDTH - sum(least)
    return [low + left * need / (sum(needs) or 1.0) for low, need in zip(least, needs, strict=True)]


def _is_numeric(column: int, rows: Sequence[Sequence[str]]) -> bool:
    """Tell whether a column holds figures, which are set to the right."""
    cells = [row[column].strip() for row in rows if row[column].strip()]
    return bool(cells) and all(
        len(cell) <= _LONGEST_FIGURE and cell.lstrip(_SIGNS)[:1].isdigit() and cell.count("-") < 2 for cell in cells
    )


def _shortened(cell: str) -> str:
    return cell if len(cell) <= _LONGEST_CELL else f"{cell[:_LONGEST_CELL]} …"


def _inline(tokens: Iterable[Token], base: str = BASE, named: Callable[[str], str] = str) -> str:
    """Return inline tokens as the markup of a paragraph."""
    parts: list[str] = []
    for token in tokens:
        match token.type:
            case "text":
                parts.append(_linked(named(token.content), base))
            case "code_inline":
                parts.append(f'<font name="{MONO}">{marked_up(_with_marks(token.content), base=MONO)}</font>')
            case "softbreak":
                parts.append(" ")
            case "hardbreak":
                parts.append("<br/>")
            case "strong_open" | "strong_close":
                parts.append("<b>" if token.nesting > 0 else "</b>")
            case "em_open" | "em_close":
                parts.append("<i>" if token.nesting > 0 else "</i>")
            case "s_open" | "s_close":
                parts.append("<strike>" if token.nesting > 0 else "</strike>")
            case "link_open":
                address = clean(str(token.attrGet("href") or ""))
                parts.append(f"<a href={quoteattr(address)} color={quoteattr(ACCENT)}>")
            case "link_close":
                parts.append("</a>")
            case "image":
                parts.append(marked_up(f"[image: {token.content}]", base=base))
            case _:
                parts.append(_linked(token.content, base))
    return "".join(parts)


def _linked(text: str, base: str) -> str:
    """Return a text as markup; a link within the document stays one where its target is in the document."""

    def link(target: str, words: str) -> str:
        shown, known = marked_up(words, base=base), targets.get()
        if target not in known:
            # Rows of the data sheet have no place of their own in a PDF: their section has.
            target = "data" if target.startswith(DATA_ROWS) and "data" in known else ""
        return f'<a href="#{target}" color={quoteattr(ACCENT)}>{shown}</a>' if target else shown

    return split_links(text, lambda part: marked_up(_with_marks(part), base=base), link)


def _with_marks(text: str) -> str:
    return text.replace(_OPEN, "").replace(_CLOSE, "[?]")


class _Flow:
    """Turns the tokens of a text into paragraphs, lists and tables."""

    def __init__(self, tokens: Sequence[Token], named: Callable[[str], str]) -> None:
        self._tokens, self._at, self._named = tokens, 0, named

    def blocks(self, depth: int, end: str = "", style: Any = None) -> Iterator[Flowable]:
        """Yield blocks up to the token `end`, which is taken; at the top, all."""
        from reportlab.platypus import CondPageBreak, HRFlowable, Paragraph, Preformatted

        style = style or styles().body
        while self._at < len(self._tokens):
            token = self._next()
            match token.type:
                case kind if kind == end:
                    return
                case "heading_open":
                    level = styles().headings[int(token.tag[1:])]
                    yield Paragraph(_inline(self._next().children or (), BOLD, self._named), level)
                case "inline":
                    if not depth and _is_bold(token.content):  # it introduces what follows, and stays with it
                        yield CondPageBreak(_LEAST_BELOW_BOLD)
                    yield Paragraph(_inline(token.children or (), style.fontName, self._named), style)
                case "bullet_list_open" | "ordered_list_open":
                    yield self._list(depth, token)
                case "blockquote_open":
                    yield from self.blocks(depth, "blockquote_close", styles().quote)
                case "fence" | "code_block":
                    code = styles().code
                    for line in clean(_with_marks(token.content)).rstrip("\n").split("\n"):
                        yield Paragraph(marked_up(line.replace(" ", "\u00a0"), base=MONO) or "\u00a0", code)
                case "table_open":
                    yield self._table()
                case "hr":
                    yield HRFlowable(width="100%", thickness=0.5, color=RULE, spaceBefore=4, spaceAfter=6)
                case "html_block":
                    yield Preformatted(clean(token.content), styles().code)

    def _next(self) -> Token:
        token = self._tokens[self._at]
        self._at += 1
        return token

    def _list(self, depth: int, opened: Token) -> Flowable:
        from reportlab.platypus import ListFlowable, ListItem

        ordered, close = opened.type.startswith("ordered"), opened.type.replace("_open", "_close")
        items: list[Any] = []
        while (token := self._next()).type != close:
            if token.type == "list_item_open":
                content = list(self.blocks(depth + 1, "list_item_close")) or [paragraph(" ", styles().body)]
                items.append(ListItem(content))
        indent = 14 if depth < _DEEPEST_LIST else 0  # deeper lists would leave no room for words
        kind: dict[str, Any] = {"bulletType": "1", "start": int(opened.attrGet("start") or 1)} if ordered else {
            "bulletType": "bullet", "start": "•"}  # fmt: skip
        return ListFlowable(items, leftIndent=indent, bulletFontName=BASE, bulletFontSize=9, spaceAfter=3, **kind)

    def _table(self) -> Flowable:
        rows: list[list[Token]] = []
        while (token := self._next()).type != "table_close":
            if token.type == "tr_open":
                rows.append([])
            elif token.type == "inline":
                rows[-1].append(token)
        from reportlab.platypus import Paragraph

        plain = [[for_people(_with_marks(cell.content)) for cell in row] for row in rows]
        head, texts = plain[0], plain[1:]
        size = _NARROW_TYPE if len(head) > _WIDE_TABLE else _TYPE
        right = [_is_numeric(column, texts) for column in range(len(head))]
        cells = [
            [
                Paragraph(
                    _inline(cell.children or (), BOLD if first else BASE, self._named),
                    cell_style(size, head=first, right=right[at]),
                )
                for at, cell in enumerate(row)
            ]
            for first, row in ((number == 0, row) for number, row in enumerate(rows))
        ]
        return _table(cells, _widths(head, texts, size))
