"""Renders a document as a PDF: headings, texts, tables that go over pages, charts as vectors, links, page numbers.

The same document gives the same bytes: the file holds no time of writing. Text from models and vendors is data: it is
escaped, and only http and https addresses become links.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, assert_never

from tradingagents.plain_text import clean, one_line
from tradingagents.reports.document import (
    Block,
    Bullets,
    Card,
    Document,
    Heading,
    Line,
    Notice,
    Prose,
    Section,
    Table,
)
from tradingagents.reports.render import pdf_text as text
from tradingagents.reports.render.pdf_chart import drawing_of
from tradingagents.reports.render.pdf_fonts import BASE, face_of, open_fonts
from tradingagents.reports.sections import NO_ADVICE

if TYPE_CHECKING:
    from reportlab.platypus import Flowable

_MARGIN, _TOP, _FOOT = 56.0, 60.0, 34.0
_TALLEST_CHART = 420.0
_LONGEST_TITLE = 90
_PAGES, _TOTAL = "number-of-pages", 26.0
"""Name of the form with the number of pages, and the points that it takes."""
EMPTY = "This report has no content."


def to_pdf(document: Document, *, charts: Sequence[str] = ()) -> bytes:
    """Render a document as the bytes of a PDF.

    Args:
        document: The report. Sections for pages only are left out, except for their charts.
        charts: Further charts as SVG, shown after the first section.

    Raises:
        PdfMissing: The extra `pdf` is not installed.
    """
    open_fonts()
    target = io.BytesIO()
    template = _template_class()(target, document)
    template.build(list(_story(document, charts)), canvasmaker=_canvas_class())
    return target.getvalue()


def _story(document: Document, charts: Sequence[str]) -> Iterator[Flowable]:
    from reportlab.platypus import Spacer

    styles = text.styles()
    yield text.paragraph(document.masthead.eyebrow, styles.eyebrow)
    yield text.paragraph(document.title, styles.headings[1])
    facts = [(name, value) for name, value in document.facts if value and value.strip()]
    if facts:
        yield text.facts_flow(facts)
    if document.notice:
        yield text.boxed(text.paragraph(document.notice, styles.notice))
    waiting, written = list(charts), False
    for section in document.sections:
        content = list(_section(section))
        if not content:
            continue
        yield from content
        written = True
        if waiting:
            yield from _charts(waiting)
            waiting = []
    yield from _charts(waiting)
    if not written and not charts:
        yield text.paragraph(EMPTY, styles.body)
    yield Spacer(1, 10)
    yield text.paragraph(NO_ADVICE, styles.muted)


def _charts(charts: Sequence[str]) -> Iterator[Flowable]:
    if charts:
        yield text.paragraph("Charts", text.styles().headings[2])
        for svg in charts:
            yield from _chart(svg)


def _section(section: Section) -> Iterator[Flowable]:
    blocks = section.blocks
    if section.only == "page":
        blocks = [block for block in blocks if isinstance(block, Card) and _drawn(block)]
    content = [flowable for block in blocks for flowable in _block(block)]
    if content:
        if section.title:
            yield text.paragraph(section.title, text.styles().headings[2])
        yield from content


def _block(block: Block) -> Iterable[Flowable]:
    styles = text.styles()
    match block:
        case Heading():
            return [text.paragraph(block.text, styles.headings[min(max(block.level, 2), 6)])]
        case Prose():
            return text.markdown_flow(block.text, under=block.under)
        case Line():
            return text.markdown_flow(block.markdown, under=3, readable=False)
        case Table():
            return [text.table_flow(block.header, block.rows)] if block.rows else []
        case Bullets():
            return text.markdown_flow("\n".join(f"- {_plain_item(line)}" for line in block.lines), under=3)
        case Notice():
            return [text.boxed(text.paragraph(block.text, styles.notice))]
        case Card():
            charts = [flowable for svg in _drawn(block) for flowable in _chart(svg)]
            return charts or [flowable for plain in block.plain for flowable in _block(plain)]
    assert_never(block)


def _plain_item(line: str) -> str:
    """Return an item as one line, in which nothing begins a heading or a list."""
    line = one_line(line)
    return f"\\{line}" if line[:1] in "#-+*>|`~=_\\" else line


def _drawn(card: Card) -> list[str]:
    """Return the charts of a card, for the wide screen; empty for a card that draws none."""
    first = card.arguments[0] if card.arguments else ()
    if not isinstance(first, list | tuple) or not all(isinstance(one, tuple) and len(one) == 2 for one in first):
        return []
    return [str(svg) for width, svg in first if width == "wide" and str(svg).startswith("<svg")]


def _chart(svg: str) -> list[Flowable]:
    from reportlab.platypus import Spacer

    return [drawing_of(svg, text.WIDTH, _TALLEST_CHART), Spacer(1, 8)]


@lru_cache(maxsize=1)
def _template_class() -> Any:
    """Return the class of the pages; reportlab is loaded when it is first needed."""
    from reportlab.lib.colors import HexColor
    from reportlab.lib.pagesizes import A4
    from reportlab.platypus import BaseDocTemplate, Frame, PageTemplate

    class ReportPages(BaseDocTemplate):
        """Pages with a footer, and headings in the reader's outline."""

        def __init__(self, target: io.BytesIO, document: Document) -> None:
            title = clean(document.title)
            super().__init__(target, pagesize=A4, title=title, author="tradingagents", invariant=1, lang="en")
            frame = Frame(
                _MARGIN, _TOP, A4[0] - 2 * _MARGIN, A4[1] - _TOP - 52, 0, 0, 0, 0,
            )  # fmt: skip
            self.addPageTemplates(PageTemplate("report", [frame], onPage=self._decorate))
            self._identity, self._title, self._marks, self._deepest = document.masthead.identity, title, 0, -1

        def _decorate(self, canvas: Any, _page: Any) -> None:
            canvas.saveState()
            canvas.setFillColor(HexColor(text.MUTED))
            if canvas.getPageNumber() > 1:
                _draw(canvas, _MARGIN, A4[1] - 36, _cut(self._title))
            _draw(canvas, _MARGIN, _FOOT, _cut(self._identity))
            canvas.setFont(BASE, 8)
            canvas.drawRightString(A4[0] - _MARGIN - _TOTAL, _FOOT, f"Page {canvas.getPageNumber()} ")
            canvas.translate(A4[0] - _MARGIN - _TOTAL, _FOOT - 2)
            canvas.doForm(_PAGES)
            canvas.restoreState()

        def afterFlowable(self, flowable: Any) -> None:  # noqa: N802 - the name reportlab calls
            """Add a heading to the outline."""
            name = getattr(getattr(flowable, "style", None), "name", "")
            if name not in ("h1", "h2", "h3"):
                return
            # A level may be at most one below the last: a reader shows no outline that skips one.
            level = min(int(name[1]) - 1, self._deepest + 1)
            self._deepest, self._marks = level, self._marks + 1
            self.canv.bookmarkPage(f"heading-{self._marks}")
            self.canv.addOutlineEntry(_cut(flowable.getPlainText()), f"heading-{self._marks}", level, level > 0)

    return ReportPages


@lru_cache(maxsize=1)
def _canvas_class() -> Any:
    """Return the class of the canvas, which writes `page of pages` once their number is known."""
    from reportlab.lib.colors import HexColor
    from reportlab.pdfgen.canvas import Canvas

    class NumberedCanvas(Canvas):
        """Writes the number of pages once it is known: each page refers to one form, which is drawn last."""

        def save(self) -> None:
            """Draw the form and write the file."""
            pages = self.getPageNumber() - 1
            self.beginForm(_PAGES, 0, 0, 60, 12)
            self.setFillColor(HexColor(text.MUTED))
            self.setFont(BASE, 8)
            self.drawString(0, 2, f"of {pages}")
            self.endForm()
            super().save()

    return NumberedCanvas


def _draw(canvas: Any, x: float, y: float, words: str) -> None:
    face, shown = face_of(words)
    canvas.setFont(face, 8)
    canvas.drawString(x, y, shown)


def _cut(words: str) -> str:
    words = one_line(words)
    return words if len(words) <= _LONGEST_TITLE else f"{words[: _LONGEST_TITLE - 1]}…"
