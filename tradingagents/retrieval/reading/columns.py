"""Columns of prose on a printed page: the left one is read to its end before the right one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Protocol, TypeVar


class PlacedWord(Protocol):
    """A word with its place on the page, in points from the lower left corner."""

    @property
    def text(self) -> str: ...  # noqa: D102
    @property
    def left(self) -> float: ...  # noqa: D102
    @property
    def right(self) -> float: ...  # noqa: D102
    @property
    def bottom(self) -> float: ...  # noqa: D102
    @property
    def top(self) -> float: ...  # noqa: D102


_W = TypeVar("_W", bound=PlacedWord)
_GUTTER = 0.8
"""A gap wider than this times the height of a word may be the one between two columns."""
_SAME_EDGE = 3.0
"""Points by which the first words of the lines of a column differ at most."""
_LEAST_ROWS = 3
_LEAST_WORDS, _LEAST_LETTERS = 3.0, 0.7
"""Words of a line on average, and share of them that are words and not figures: else it is a table."""


def in_reading_order(rows: Sequence[Sequence[_W]]) -> list[list[_W]]:
    """Return the rows of a page from top to bottom; of two columns of prose next to each other the left one first.

    Tables stay as they are: their columns hold figures, or few words a line.
    """
    ordered: list[list[_W]] = []
    at = 0
    while at < len(rows):
        block = next((found for edge in _edges(rows[at]) if (found := _block(rows, at, edge))), None)
        if block is None:
            ordered.append(list(rows[at]))
            at += 1
            continue
        left, right = block
        ordered += [one for one in left if one] + [one for one in right if one]
        at += len(left)
    return ordered


def _edges(row: Sequence[PlacedWord]) -> Iterator[float]:
    """Yield where a right column may begin: behind each wide gap of a row."""
    for before, word in pairwise(row):
        if word.left - before.right > _GUTTER * max(before.top - before.bottom, 1.0):
            yield word.left


def _block(rows: Sequence[Sequence[_W]], first: int, edge: float) -> tuple[list[list[_W]], list[list[_W]]] | None:
    """Return the lines of the left and of the right column from a row on; None where they are no columns of prose."""
    left: list[list[_W]] = []
    right: list[list[_W]] = []
    for row in rows[first:]:
        parted = _parted(row, edge)
        if parted is None:
            break
        left.append(parted[0])
        right.append(parted[1])
    full = [at for at, (one, other) in enumerate(zip(left, right, strict=True)) if one and other]
    size = full[-1] + 1 if full else 0
    while 0 < size < len(left) and _is_close(rows, first + size):
        size += 1  # the longer column continues alone
    left, right = left[:size], right[:size]
    return (left, right) if len(full) >= _LEAST_ROWS and _is_prose(left) and _is_prose(right) else None


def _parted(row: Sequence[_W], edge: float) -> tuple[list[_W], list[_W]] | None:
    """Return the words left and right of an edge; None where a line crosses it."""
    left = [word for word in row if word.left < edge - _SAME_EDGE]
    right = [word for word in row if word.left >= edge - _SAME_EDGE]
    if left and left[-1].right > edge - 1.0:
        return None
    if right and (right[0].left > edge + _SAME_EDGE and not left):
        return None
    if left and right and right[0].left - left[-1].right <= _GUTTER * max(left[-1].top - left[-1].bottom, 1.0):
        return None
    return left, right


def _is_close(rows: Sequence[Sequence[PlacedWord]], at: int) -> bool:
    """Tell whether a row stands as near below the one before it as the lines of a paragraph do."""
    if not at:
        return False
    height = rows[at][0].top - rows[at][0].bottom
    return rows[at - 1][0].bottom - rows[at][0].top < 0.8 * height


def _is_prose(lines: Sequence[Sequence[PlacedWord]]) -> bool:
    words = [word.text for line in lines for word in line]
    count = sum(bool(line) for line in lines)
    letters = sum(any(map(str.isalpha, word)) for word in words)
    return count > 0 and len(words) >= _LEAST_WORDS * count and letters >= _LEAST_LETTERS * len(words)
