"""HTML as a sequence of blocks in reading order: paragraphs, grids and page breaks."""

from __future__ import annotations

from dataclasses import dataclass

from tradingagents.retrieval.reading.facts import TaggedFacts
from tradingagents.retrieval.reading.tables.grids import HtmlRow, read_grid
from tradingagents.retrieval.reading.tree import DROPPED, Element, Style, clean, local, style_of

_BLOCKS = frozenset(
    [
        "address",
        "article",
        "aside",
        "blockquote",
        "body",
        "center",
        "dd",
        "div",
        "dl",
        "dt",
        "fieldset",
        "figure",
        "footer",
        "form",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "header",
        "html",
        "li",
        "main",
        "nav",
        "ol",
        "p",
        "pre",
        "section",
        "table",
        "tbody",
        "td",
        "tfoot",
        "th",
        "thead",
        "tr",
        "ul",
    ]
)
_HEADINGS = {"h1": 18.0, "h2": 16.0, "h3": 14.0, "h4": 12.0, "h5": 11.0, "h6": 10.0}
_LONG_CELL = 8
"""A cell with this many paragraphs holds a text, not an entry of a table."""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A line of running text."""

    text: str
    bold: bool
    """Whether all of it is bold."""
    bold_start: bool
    """Whether its first words are."""
    italic: bool
    size: float
    """Largest font size in points; 0 if unknown."""
    anchor: str
    """The id last seen before it, or in it."""
    link: str
    """Target within the document of its first link; empty if there is none."""


@dataclass(frozen=True, slots=True)
class HtmlGrid:
    """A table."""

    rows: tuple[HtmlRow, ...]
    anchor: str
    links: tuple[str, ...]
    """Targets within the document of the links of each row."""


@dataclass(frozen=True, slots=True)
class PageBreak:
    """The end of a printed page."""


Block = Paragraph | HtmlGrid | PageBreak


@dataclass(frozen=True, slots=True)
class _Looks:
    bold: bool = False
    italic: bool = False
    size: float = 0.0

    def under(self, name: str, style: Style) -> _Looks:
        bold = style.bold if style.bold is not None else self.bold or name in ("b", "strong", "th") or name in _HEADINGS
        italic = style.italic if style.italic is not None else self.italic or name in ("i", "em")
        return _Looks(bold, italic, style.size or _HEADINGS.get(name) or self.size)


def read_blocks(root: Element, tagged: TaggedFacts) -> list[Block]:
    """Return the visible text of a document as blocks."""
    walker = _Walker(tagged)
    walker.walk(root, _Looks())
    walker.end_line()
    return walker.blocks


class _Walker:
    """Walks the elements and collects the words of the current line."""

    def __init__(self, tagged: TaggedFacts) -> None:
        self.blocks: list[Block] = []
        self._tagged = tagged
        self._words: list[tuple[str, _Looks]] = []
        self._anchor = ""
        self._link = ""

    def walk(self, element: Element, looks: _Looks) -> None:
        name = local(element)
        style = style_of(element)
        if name in DROPPED or style.hidden:
            self._note_id(element)
            return
        self._note_id(element)
        if style.page_before:
            self._break_page()
        if name == "a" and not self._link and (element.get("href") or "").startswith("#"):
            self._link = element.get("href")[1:]
        if name == "table" and (grid := self._grid(element)) is not None:
            self.end_line()
            self.blocks.append(grid)
        else:
            self._walk_inside(element, name, style, looks)
        if style.page_after:
            self._break_page()

    def _walk_inside(self, element: Element, name: str, style: Style, looks: _Looks) -> None:
        block = name in _BLOCKS
        if block or name in ("br", "hr"):
            self.end_line()
        inner = looks.under(name, style)
        if style.gap and not block:
            self._words.append((" ", inner))
        if element.text:
            self._add(element.text, inner, keep_lines=name == "pre")
        for child in element:
            if local(child):
                self.walk(child, inner)
            if child.tail:
                self._add(child.tail, inner, keep_lines=name == "pre")
        if block:
            self.end_line()

    def _add(self, text: str, looks: _Looks, *, keep_lines: bool) -> None:
        if not keep_lines:
            self._words.append((text, looks))
            return
        for line in text.splitlines():
            self._words.append((line, looks))
            self.end_line()

    def _note_id(self, element: Element) -> None:
        name = element.get("id") or (element.get("name") if local(element) == "a" else None)
        if name and len(name) <= 200:
            self._anchor = name

    def end_line(self) -> None:
        """End the current line; a line without words is none."""
        if not self._words:
            return
        text = clean("".join(words for words, _ in self._words))
        if text:
            said = [(words, looks) for words, looks in self._words if words.strip()]
            paragraph = Paragraph(
                text,
                bold=all(looks.bold for _, looks in said),
                bold_start=said[0][1].bold,
                italic=all(looks.italic for _, looks in said),
                size=max(looks.size for _, looks in said),
                anchor=self._anchor,
                link=self._link,
            )
            self.blocks.append(paragraph)
            self._link = ""
        self._words = []

    def _break_page(self) -> None:
        self.end_line()
        self._link = ""
        if self.blocks and not isinstance(self.blocks[-1], PageBreak):
            self.blocks.append(PageBreak())

    def _grid(self, table: Element) -> HtmlGrid | None:
        """Return a table as a grid; None where it only arranges text on the page."""
        if _arranges(table):
            return None
        rows = read_grid(table, self._tagged)
        if rows and all(len(row.cells) == 1 for row in rows) and not any(row.cells[0].value for row in rows):
            return None
        anchor = self._anchor
        links: list[str] = []
        for part in table.iter():
            self._note_id(part)
            if local(part) == "a" and (part.get("href") or "").startswith("#"):
                links.append(part.get("href")[1:])
        return HtmlGrid(rows, anchor or self._anchor, tuple(links)) if rows else None


def _arranges(table: Element) -> bool:
    """Tell whether a table holds other tables, page breaks or whole texts."""
    paragraphs: dict[Element, int] = {}
    for part in table.iter():
        if part is table:
            continue
        name = local(part)
        if name == "table":
            return True
        if name in ("hr", "div", "p") and (style_of(part).page_before or style_of(part).page_after):
            return True
        if name == "p" or (name == "div" and len(part) and part.getparent() is not None):
            cell = part.getparent()
            if local(cell) in ("td", "th"):
                paragraphs[cell] = paragraphs.get(cell, 0) + 1
    return any(count >= _LONG_CELL for count in paragraphs.values())
