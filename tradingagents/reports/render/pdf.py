"""Renders a document as a PDF: headings, texts, tables that go over pages, charts as vectors, links, page numbers.

The same document gives the same bytes: the file holds no time of writing. Text from models and vendors is data: it is
escaped, and only http and https addresses become links.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, assert_never

from tradingagents.files.plain_text import clean, one_line
from tradingagents.reports.document import (
    Block,
    Bullets,
    Card,
    Document,
    Exhibit,
    Heading,
    Line,
    Masthead,
    Notice,
    Prose,
    Section,
    Table,
)
from tradingagents.reports.render import pdf_text as text
from tradingagents.reports.render.pdf_chart import drawing_of
from tradingagents.reports.render.pdf_fonts import BASE, BOLD, face_of, marked_up, open_fonts
from tradingagents.reports.sections import NO_ADVICE

if TYPE_CHECKING:
    from reportlab.platypus import Flowable

_MARGIN, _TOP, _FOOT = 56.0, 60.0, 34.0
_TALLEST_CHART = 420.0
_LONGEST_TITLE = 90
_BAND_INK = "#12304f"
_PAGES, _TOTAL = "number-of-pages", 26.0
"""Name of the form with the number of pages, and the points that it takes."""
_AROUND_CHART = 110.0
"""Points that the heading of a section and a chart's caption, unit and source take."""
_LEAST_BELOW_SECTION, _LEAST_BELOW_HEADING = 96.0, 64.0
"""Points that a page has left below a heading, at least."""
_BAND = 92.0
"""Height of the band at the top of a report with a page of contents."""
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
    known = text.targets.set(frozenset(_targets(document)))
    try:
        story = list(_story(document, charts))
        if document.contents:
            template.multiBuild(story, canvasmaker=_canvas_class())  # page numbers are known after the first pass
        else:
            template.build(story, canvasmaker=_canvas_class())
    finally:
        text.targets.reset(known)
    return target.getvalue()


def _targets(document: Document) -> Iterator[str]:
    """Yield the ids that links may lead to: of sections and headings that are written."""
    for section in document.sections:
        written = [block for block in section.blocks if section.only != "page"]
        if written and section.id and section.title:
            yield section.id
        yield from (block.id for block in written if isinstance(block, Heading) and block.id)


def _story(document: Document, charts: Sequence[str]) -> Iterator[Flowable]:
    from reportlab.platypus import Spacer

    styles = text.styles()
    if not document.contents:
        yield text.paragraph(document.masthead.eyebrow, styles.eyebrow)
        yield text.paragraph(document.title, styles.headings[1])
    facts = [(name, value) for name, value in document.facts if value and value.strip()]
    if facts and not document.contents:  # else they stand in the band
        yield text.facts_flow(facts)
    note = None if document.contents else document.market_note  # else it stands in the band
    if told := " ".join(filter(None, (note, document.notice))):
        yield text.boxed(text.paragraph(told, styles.notice))
    waiting, written = list(charts), False
    for section in document.sections:
        content = list(_section(section))
        if not content:
            continue
        yield from content
        if document.contents and not written:
            yield from _contents()
        written = True
        if waiting:
            yield from _charts(waiting)
            waiting = []
    yield from _charts(waiting)
    if not written and not charts:
        yield text.paragraph(EMPTY, styles.body)
    yield Spacer(1, 10)
    yield text.paragraph(NO_ADVICE, styles.muted)


def _contents() -> Iterator[Flowable]:
    """Yield the table of contents, at the top of the page after the first section."""
    from reportlab.platypus import PageBreak
    from reportlab.platypus.tableofcontents import TableOfContents

    yield PageBreak()
    yield text.paragraph("Contents", text.styles().unlisted)
    yield TableOfContents(levelStyles=[text.styles().contents], dotsMinLevel=0, rightColumnWidth=40)


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
            from reportlab.platypus import CondPageBreak

            # A heading stays with the beginning of what follows, however long that is.
            yield CondPageBreak(max(_LEAST_BELOW_SECTION, _height_of_chart(section)))
            content.insert(0, text.paragraph(section.title, text.styles().headings[2], section.id))
        yield from text.with_loose_headings(content)


def _height_of_chart(section: Section) -> float:
    """Return the room that a section needs which begins with a chart; 0 for another."""
    first = next((block for block in section.blocks if not isinstance(block, Exhibit) or block.charts), None)
    if not isinstance(first, Exhibit):
        return 0.0
    svg = next(str(svg) for width, svg in first.charts if width == "wide")
    return float(drawing_of(svg, text.WIDTH, _TALLEST_CHART).height) + _AROUND_CHART


def _block(block: Block) -> Iterable[Flowable]:
    styles = text.styles()
    match block:
        case Heading():
            return _heading(block)
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
        case Exhibit():
            return _exhibit(block)
        case Card(macro="value_terms"):
            return [text.tiles_flow(block.arguments[0])]
        case Card():
            charts = [flowable for svg in _drawn(block) for flowable in _chart(svg)]
            return charts or [flowable for plain in block.plain for flowable in _block(plain)]
    assert_never(block)


def _heading(block: Heading) -> list[Flowable]:
    from reportlab.platypus import CondPageBreak

    style = text.styles().headings[min(max(block.level, 2), 6)]
    return [CondPageBreak(_LEAST_BELOW_HEADING), text.paragraph(block.text, style, block.id)]


def _exhibit(exhibit: Exhibit) -> list[Flowable]:
    """Return a chart with title, unit and source on one page; without one, why there is none."""
    from reportlab.platypus import KeepTogether

    styles = text.styles()
    if not exhibit.charts:
        said = f"{exhibit.caption}: not drawn: {exhibit.missing}"
        return [text.paragraph(said, styles.unit)] if exhibit.missing else []
    svg = next(str(svg) for width, svg in exhibit.charts if width == "wide")
    parts = [
        text.paragraph(exhibit.caption, styles.caption),
        *([text.paragraph(exhibit.unit, styles.unit)] if exhibit.unit else []),
        drawing_of(svg, text.WIDTH, _TALLEST_CHART),
        text.paragraph(f"Source: {exhibit.source}", styles.source),
    ]
    return [KeepTogether(parts)]


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
    from reportlab.lib.pagesizes import A4
    from reportlab.platypus import BaseDocTemplate, Frame, PageTemplate

    class ReportPages(BaseDocTemplate):
        """Pages with a footer, and headings in the reader's outline."""

        def __init__(self, target: io.BytesIO, document: Document) -> None:
            title = clean(document.title)
            super().__init__(target, pagesize=A4, title=title, author="tradingagents", invariant=1, lang="en")
            self._band = _banded(document) if document.contents else None
            frames = [
                Frame(_MARGIN, _TOP, A4[0] - 2 * _MARGIN, A4[1] - _TOP - top, 0, 0, 0, 0)
                for top in (_BAND + 14 if self._band else 52, 52)
            ]
            first = PageTemplate("first", frames[:1], onPage=self._decorate, autoNextPageTemplate="report")
            self.addPageTemplates([first, PageTemplate("report", frames[1:], onPage=self._decorate)])
            self._identity, self._title, self._marks, self._deepest = document.masthead.identity, title, 0, -1

        def beforeDocument(self) -> None:  # noqa: N802 - the name reportlab calls
            """Begin a pass; a document with a page of contents is laid out more than once."""
            self._marks, self._deepest = 0, -1

        def _decorate(self, canvas: Any, _page: Any) -> None:
            _draw_margins(canvas, self._title, self._identity, self._band)

        def afterFlowable(self, flowable: Any) -> None:  # noqa: N802 - the name reportlab calls
            """Add a heading to the outline."""
            name = getattr(getattr(flowable, "style", None), "name", "")
            if name not in ("h1", "h2", "h3"):
                return
            # A level may be at most one below the last: a reader shows no outline that skips one.
            level = min(int(name[1]) - 1, self._deepest + 1)
            self._deepest, self._marks = level, self._marks + 1
            self.canv.bookmarkPage(f"heading-{self._marks}")
            words = _cut(flowable.getPlainText())
            self.canv.addOutlineEntry(words, f"heading-{self._marks}", level, level > 0)
            if name == "h2" and self._band is not None:
                self.notify("TOCEntry", (0, marked_up(words), self.page, f"heading-{self._marks}"))

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


def _draw_margins(canvas: Any, title: str, identity: str, band: Masthead | None) -> None:
    """Draw header and footer of a page; `band` is that of the first page of a report with a page of contents."""
    from reportlab.lib.colors import HexColor
    from reportlab.lib.pagesizes import A4

    wide, high = A4
    number = canvas.getPageNumber()
    canvas.saveState()
    if band is not None and number == 1:
        _draw_band(canvas, band)
    canvas.setFillColor(HexColor(text.MUTED))
    canvas.setStrokeColor(HexColor(text.RULE))
    if number > 1:
        _draw(canvas, _MARGIN, high - 36, _cut(title))
    if band is not None:
        canvas.setLineWidth(0.6)
        canvas.line(_MARGIN, _FOOT + 12, wide - _MARGIN, _FOOT + 12)
        if number > 1:
            canvas.line(_MARGIN, high - 42, wide - _MARGIN, high - 42)
    _draw(canvas, _MARGIN, _FOOT, _cut(identity))
    canvas.setFont(BASE, 8)
    canvas.drawRightString(wide - _MARGIN - _TOTAL, _FOOT, f"Page {number} ")
    canvas.translate(wide - _MARGIN - _TOTAL, _FOOT - 2)
    canvas.doForm(_PAGES)
    canvas.restoreState()


def _banded(document: Document) -> Masthead:
    """Return the head of a report as its band shows it: the kind of report, and that its market is made up."""
    head = document.masthead
    return replace(head, eyebrow=" · ".join(filter(None, (head.eyebrow, document.market_note))))


def _draw_band(canvas: Any, head: Masthead) -> None:
    """Draw the band of the first page: kind of report, company, facts, and the rating in a box."""
    from reportlab.lib.colors import HexColor, white
    from reportlab.lib.pagesizes import A4
    from reportlab.pdfbase.pdfmetrics import stringWidth

    wide, high = A4
    canvas.setFillColor(HexColor(_BAND_INK))
    canvas.rect(0, high - _BAND, wide, _BAND, stroke=0, fill=1)
    canvas.setFillColor(white)
    box = max(stringWidth(head.detail, BOLD, 20) + 28, 90) if head.detail else 0.0
    _draw(canvas, _MARGIN, high - 28, head.eyebrow.upper())
    room, size = wide - 2 * _MARGIN - box - 16, 22.0
    face, shown = face_of(one_line(head.heading), BOLD)
    while size > 11 and stringWidth(shown, face, size) > room:
        size -= 1
    canvas.setFont(face, size)
    canvas.drawString(_MARGIN, high - 54, shown)
    _draw(canvas, _MARGIN, high - 74, _cut(" · ".join(f"{name} {value}" for name, value in head.facts)))
    if head.detail:
        canvas.setStrokeColor(white)
        canvas.setLineWidth(1.2)
        canvas.rect(wide - _MARGIN - box, high - 68, box, 40, stroke=1, fill=0)
        canvas.setFont(BOLD, 20)
        canvas.drawCentredString(wide - _MARGIN - box / 2, high - 55, head.detail)


def _draw(canvas: Any, x: float, y: float, words: str) -> None:
    face, shown = face_of(words)
    canvas.setFont(face, 8)
    canvas.drawString(x, y, shown)


def _cut(words: str) -> str:
    words = one_line(words)
    return words if len(words) <= _LONGEST_TITLE else f"{words[: _LONGEST_TITLE - 1]}…"
