"""Which columns of a grid hold figures: cells that overlap stand in one column, spacer columns fall away."""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Sequence
from dataclasses import dataclass

from tradingagents.retrieval.reading.tables.grids import HtmlCell, HtmlRow

_NARROW = 12
_LABEL_WIDTH = 64
_FIGURE_WIDTH = 24


@dataclass(frozen=True, slots=True)
class Shape:
    """The columns of a grid, each as the first and the last column of the source; none where it has no figures."""

    label: int
    """Column of the source at which labels begin."""
    spans: tuple[tuple[int, int], ...]

    def is_label(self, cell: HtmlCell) -> bool:
        """Whether a cell stands left of the figures."""
        return cell.first == self.label or cell.last < self.spans[0][0]

    def columns_of(self, cell: HtmlCell) -> range:
        """Return the columns that a cell stands over."""
        return _touched(self.spans, cell)


def _touched(spans: Sequence[tuple[int, int]], cell: HtmlCell) -> range:
    """Return which of the spans, which are in order and apart from each other, a cell stands over."""
    begin = bisect_left(spans, cell.first, key=lambda span: span[1])
    return range(begin, bisect_right(spans, cell.last, lo=begin, key=lambda span: span[0]))


def shape_of(rows: Sequence[HtmlRow]) -> Shape:
    """Find the columns of figures of a grid."""
    label = min((cell.first for row in rows for cell in row.cells), default=0)
    cells = [cell for row in rows for cell in row.cells if cell.first != label and cell.last - cell.first < _NARROW]
    spans: list[tuple[int, int]] = []
    for cell in sorted((cell for cell in cells if cell.value is not None), key=lambda cell: cell.last - cell.first):
        _add(spans, cell)
    if not spans:
        return Shape(label, ())
    begin = spans[0][0]
    for cell in cells:
        if cell.value is None and cell.first > begin and not _touched(spans, cell):
            _add(spans, cell)
    return Shape(label, tuple(spans))


def _add(spans: list[tuple[int, int]], cell: HtmlCell) -> None:
    touched = _touched(spans, cell)
    if not touched:
        insort(spans, (cell.first, cell.last))
    elif len(touched) == 1:
        first, last = spans[touched[0]]
        spans[touched[0]] = (min(first, cell.first), max(last, cell.last))


@dataclass(frozen=True, slots=True)
class RowText:
    """A row as text, and where each of its cells stands in it."""

    text: str
    places: tuple[tuple[int, int], ...]


def lay_out(rows: Sequence[HtmlRow], shape: Shape) -> list[RowText]:
    """Write each row on one line; figures of a column end below each other."""
    edges = _edges(rows, shape)
    return [_line(row, shape, edges) for row in rows]


def _edges(rows: Sequence[HtmlRow], shape: Shape) -> list[tuple[int, int]]:
    """Return where each column begins and ends on the line."""
    if not shape.spans:
        return []
    widths = [1] * len(shape.spans)
    label = 0
    for row in rows:
        labels = [len(cell.text) for cell in row.cells if shape.is_label(cell)]
        if len(labels) < len(row.cells):
            label = max(label, min(sum(labels) + 2 * len(labels), _LABEL_WIDTH))
        for cell in row.cells:
            at = shape.columns_of(cell)
            if len(at) == 1 and not shape.is_label(cell):
                widths[at[0]] = max(widths[at[0]], min(len(cell.text), _FIGURE_WIDTH))
    edges: list[tuple[int, int]] = []
    left = label
    for width in widths:
        edges.append((left, left + width))
        left += width + 2
    return edges


def _line(row: HtmlRow, shape: Shape, edges: list[tuple[int, int]]) -> RowText:
    text = ""
    places: list[tuple[int, int]] = []
    for cell in row.cells:
        start = len(text) + 2 if text else 0
        at = shape.columns_of(cell) if edges and not shape.is_label(cell) else range(0)
        if len(at) == 1:
            start = max(start, edges[at[0]][1] - len(cell.text))
        elif at:
            start = max(start, edges[at[0]][0])
        text = text.ljust(start) + cell.text
        places.append((start, start + len(cell.text)))
    return RowText(text, tuple(places))
