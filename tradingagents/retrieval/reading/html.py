"""A filing in HTML, with or without inline XBRL, as a document."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta

from tradingagents.errors import UnreadableDocument
from tradingagents.retrieval.models import DocumentInfo, FiledTable, Page, SourceDocument
from tradingagents.retrieval.money import DocumentMoney, read_document_money
from tradingagents.retrieval.reading.facts import TaggedFacts, read_facts
from tradingagents.retrieval.reading.headings import read_headings
from tradingagents.retrieval.reading.info import NO_HINTS, Cover, Hints, cover_of_tags, cover_of_text, make_info, merge
from tradingagents.retrieval.reading.items import HeadingLine, read_sections
from tradingagents.retrieval.reading.layout import Block, HtmlGrid, PageBreak, Paragraph, read_blocks
from tradingagents.retrieval.reading.limits import MAX_PAGES
from tradingagents.retrieval.reading.tables.columns import RowText, Shape, lay_out, shape_of
from tradingagents.retrieval.reading.tables.grids import with_decimal_comma
from tradingagents.retrieval.reading.tables.periods import fiscal_year_of
from tradingagents.retrieval.reading.tables.read import Read, TableContext, read_tables
from tradingagents.retrieval.reading.tables.statements import mark_statements
from tradingagents.retrieval.reading.tree import Element, parse
from tradingagents.retrieval.text_figures import writes_decimal_comma

LONG_PAGE = 12_000
"""A document without page breaks begins a new page at the first heading or table after this many characters."""
_ABOVE = 8
_SHORT = 200
"""Characters of a paragraph that may be a caption."""
_QUARTER_DAYS = 91


@dataclass(frozen=True, slots=True)
class _PlacedGrid:
    grid: HtmlGrid
    shape: Shape
    lines: tuple[RowText, ...]
    page: int
    starts: tuple[int, ...]
    above: tuple[str, ...]


@dataclass
class _Pages:
    """Pages as they are written, and where each grid and each possible heading stands."""

    texts: list[list[str]] = field(default_factory=lambda: [[]])
    anchors: list[str] = field(default_factory=lambda: [""])
    grids: list[_PlacedGrid] = field(default_factory=list)
    lines: list[HeadingLine] = field(default_factory=list)
    offset: int = 0
    recent: list[str] = field(default_factory=list)

    def add(self, line: str) -> int:
        """Write a line; return where it begins."""
        start = self.offset
        self.texts[-1].append(line)
        self.offset += len(line) + 1
        return start

    def turn(self) -> None:
        """Begin a new page."""
        self.texts.append([])
        self.anchors.append(self.anchors[-1])
        self.offset = 0


def read_html(content: bytes, *, known_at: datetime, name: str = "", hints: Hints = NO_HINTS) -> SourceDocument:
    """Read a filing or an exhibit in HTML.

    Raises:
        UnreadableDocument: It has no visible text, too many pages, or is nested too deep.
    """
    root = parse(content)
    return read_tree(root, content, known_at=known_at, name=name, hints=hints)


def read_tree(root: Element, content: bytes, *, known_at: datetime, name: str, hints: Hints) -> SourceDocument:
    """Read a parsed document."""
    tagged = read_facts(root)
    written = _write(_with_decimals(read_blocks(root, tagged)))
    pages = tuple(
        Page(at, "\n".join(lines), anchor)
        for at, (lines, anchor) in enumerate(zip(written.texts, written.anchors, strict=True))
    )
    if not any(page.text for page in pages):
        raise UnreadableDocument("The HTML shows no text; get the document again, or add it as PDF or plain text.")
    cover = merge(cover_of_tags(tagged.texts), cover_of_text("\n".join(page.text for page in pages[:3])[:20_000]))
    info = make_info(content, cover, known_at=known_at, name=name, hints=hints)
    sections, doubts = read_sections(info.form, pages, written.lines)
    return SourceDocument(
        info=info,
        pages=pages,
        sections=sections,
        tables=_tables(written.grids, tagged, info, cover, read_document_money(pages, info)),
        facts=tagged.facts,
        warnings=(*_fact_warnings(tagged), *doubts),
        headings=read_headings(written.lines),
    )


def _with_decimals(blocks: list[Block]) -> list[Block]:
    """Return the blocks with tables that are read as the document writes decimals."""
    grids = [block for block in blocks if isinstance(block, HtmlGrid)]
    cells = " | ".join(cell.text for grid in grids for row in grid.rows for cell in row.cells)
    lines = [block.text for block in blocks if isinstance(block, Paragraph) and len(block.text) < _SHORT]
    if not writes_decimal_comma((cells, "\n".join(lines))):
        return blocks
    return [
        replace(block, rows=with_decimal_comma(block.rows)) if isinstance(block, HtmlGrid) else block
        for block in blocks
    ]


def _fact_warnings(tagged: TaggedFacts) -> tuple[str, ...]:
    if not tagged.unread:
        return ()
    return (f"{tagged.unread} tagged figures could not be read; their tables are read from the text.",)


def _write(blocks: list[Block]) -> _Pages:
    """Write the blocks on pages."""
    pages = _Pages()
    breaks = any(isinstance(block, PageBreak) for block in blocks)
    for block in blocks:
        if isinstance(block, PageBreak):
            pages.turn()
        else:
            if not breaks and pages.offset > LONG_PAGE and (isinstance(block, HtmlGrid) or block.bold):
                pages.turn()
            _note_anchor(pages, block.anchor)
            if isinstance(block, HtmlGrid):
                _write_grid(pages, block)
            else:
                _write_paragraph(pages, block)
        if len(pages.texts) > MAX_PAGES:
            raise UnreadableDocument(f"The document has more than {MAX_PAGES} pages; add the parts that you need.")
    if not pages.texts[-1] and len(pages.texts) > 1:
        pages.texts.pop()
        pages.anchors.pop()
    return pages


def _note_anchor(pages: _Pages, anchor: str) -> None:
    if not pages.texts[-1] or not pages.anchors[-1]:
        pages.anchors[-1] = anchor or pages.anchors[-1]


def _write_paragraph(pages: _Pages, block: Paragraph) -> None:
    start = pages.add(block.text)
    page = len(pages.texts) - 1
    pages.lines.append(
        HeadingLine(
            block.text, page, start, bold=block.bold, bold_start=block.bold_start, anchor=block.anchor, link=block.link
        )
    )
    pages.recent = [*pages.recent[-_ABOVE:], block.text]


def _write_grid(pages: _Pages, grid: HtmlGrid) -> None:
    shape = shape_of(grid.rows)
    lines = tuple(lay_out(grid.rows, shape))
    page = len(pages.texts) - 1
    starts: list[int] = []
    for row, line in zip(grid.rows, lines, strict=True):
        starts.append(pages.add(line.text))
        pages.lines.append(
            HeadingLine(
                line.text,
                page,
                starts[-1],
                bold=all(cell.bold for cell in row.cells),
                bold_start=row.cells[0].bold,
                anchor=grid.anchor,
                link=grid.links[0] if grid.links else "",
                in_table=True,
                cells=len(row.cells),
            )
        )
    pages.grids.append(_PlacedGrid(grid, shape, lines, page, tuple(starts), tuple(pages.recent)))
    if not shape.spans:
        pages.recent = [*pages.recent[-_ABOVE:], *(line.text for line in lines[-3:])]


def _tables(
    grids: list[_PlacedGrid], tagged: TaggedFacts, info: DocumentInfo, cover: Cover, money: DocumentMoney
) -> tuple[FiledTable, ...]:
    def year_of(day: date) -> int | None:
        if info.fiscal_year is None or info.period_end is None:
            return None
        year_end = cover.year_end
        if year_end is None:
            if info.fiscal_quarter is None and info.form.startswith("10-Q"):
                return None
            # A quarterly report that doesn't say when the year ends: so many quarters before its own end.
            before = info.period_end - timedelta(days=_QUARTER_DAYS * (info.fiscal_quarter or 0))
            year_end = (before.month, before.day)
        return fiscal_year_of(day, info.fiscal_year, info.period_end, year_end)

    found: list[Read] = []
    for placed in grids:
        around = TableContext(
            info.key, placed.page, placed.starts, placed.lines, placed.above, tagged.facts, year_of, money
        )
        found.extend(read_tables(placed.grid.rows, placed.shape, around))
    numbered = [replace(read.table, number=at) for at, read in enumerate(found)]
    return mark_statements(numbered, [read.titles for read in found])
