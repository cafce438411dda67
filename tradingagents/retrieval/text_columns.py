"""Columns of a table that is laid out as text: which hold periods and which changes, and a row's cells in them.

Headers of changes (`Change 2022 vs. 2021: $ %`) name years that are not theirs, over several lines, so that words alone
date them wrongly. Their figures cannot be misread: in every row they are the difference of two columns, or its rate.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations

from tradingagents.retrieval.models import Column, TableCell, TextPlace
from tradingagents.retrieval.text_figures import PrintedFigure, PrintedLine, is_star
from tradingagents.retrieval.text_headers import HeaderMark, columns

LEAST_ROWS = 2
"""Rows whose figures must tell a change before a column is one of changes."""
AGREEING = 0.8
"""Share of the telling rows that must agree: a table may round, or restate one row."""
_ROUNDED = 1.01
"""Units of the last printed place by which a difference of two rounded figures may be off."""


_MARK = re.compile(r"\([1-9]\)")
_LEAST_MARKED = 100
"""Figures of a row from which on a number of one digit in brackets is no figure of it."""
_CHANGE = Column("change")
_OF_CHANGE = re.compile(
    r"(?i)change|increase|decrease|variance|growth|\bvs?\b|versus|(?:19|20)\d\d\s?[-\u2013]\s?(?:19|20)\d\d"
)


def dated_columns(
    marks: tuple[HeaderMark, ...], lines: Sequence[PrintedLine], count: int, said: str
) -> tuple[tuple[Column, ...], tuple[int, ...]]:
    """Return `count` columns as a header dates them, and which of them hold periods.

    All hold periods where the figures show no changes, or where the header does not give the rest a period each.

    Args:
        marks: Those of the header.
        lines: The table's lines below it.
        count: How many columns there are.
        said: The header and what stands above it. Without a word of change, and where the header gives each column a
            period of its own, a difference of two others is a part of a whole, as that of the regions abroad.
    """
    every = columns(marks, count)
    changes = set(_changes(lines, count)) if _OF_CHANGE.search(said) or _has_twice(every) else set()
    own = tuple(at for at in range(count) if at not in changes)
    if not changes or len(own) < 2:
        return every, tuple(range(count))
    if all((column.fiscal_year is None) == (at in changes) for at, column in enumerate(every)):
        return every, own
    dated = columns(_of_periods(marks, len(own)), len(own))
    periods = {(column.fiscal_year, column.period_end, column.months) for column in dated}
    if len(periods) < len(own) or not all(map(_is_of_its_year, dated)):
        return every, tuple(range(count))
    heads = [column if column.fiscal_year is None and column.header else _CHANGE for column in every]
    for at, column in zip(own, dated, strict=True):
        heads[at] = column
    return tuple(heads), own


def _has_twice(heads: Sequence[Column]) -> bool:
    """Whether a header, as read, gives two columns the same period."""
    return len({(column.fiscal_year, column.period_end, column.months) for column in heads}) < len(heads)


def _is_of_its_year(column: Column) -> bool:
    end = column.period_end
    return column.fiscal_year is not None and (end is None or end.year == column.fiscal_year)


def _of_periods(marks: tuple[HeaderMark, ...], count: int) -> tuple[HeaderMark, ...]:
    """Return a header without the years of changes: those of the line that has `count` of them are the periods'.

    Where no line has so many, they are the first of the last line: years of changes stand behind them.
    """
    by_line: dict[int, list[HeaderMark]] = {}
    for mark in marks:
        if mark.kind == "year":
            by_line.setdefault(mark.line, []).append(mark)
    exact = [line for line, years in by_line.items() if len(years) == count]
    last = exact[-1] if exact else max(by_line, default=0)
    others = {id(mark) for line, years in by_line.items() for mark in (years[count:] if line == last else years)}
    if not exact:
        others &= {id(mark) for mark in by_line.get(last, [])}
    return tuple(mark for mark in marks if id(mark) not in others)


def cells_of(line: PrintedLine, count: int, periods: Sequence[int], page: TextPlace) -> tuple[TableCell | None, ...]:
    """Return one cell for each column; none where a row has too few figures to tell in which columns they stand.

    As many figures as there are periods are those of the periods: a row of rates is printed without its changes. So
    are the first of a row with fewer changes than the table has columns of them, where the rest can be nothing else:
    `84.0 % 85.0 % 80.9 % (100) bps 410 bps` beside changes in money and in per cent.

    Args:
        line: The row's line.
        count: How many columns the table has.
        periods: Which of them hold periods.
        page: Where the page begins.
    """
    figures = line.figures
    if len(periods) < len(figures) < count and _are_changes(figures[: len(periods)], figures[len(periods) :], periods):
        figures = figures[: len(periods)]
    places = periods if len(figures) == len(periods) else range(count)
    if len(figures) < len(places):
        return (None,) * count
    cells: list[TableCell | None] = [None] * count
    for at, figure in zip(places, figures[-len(places) :], strict=True):
        cells[at] = TableCell(figure.text, figure.value, replace(page, start=figure.start, end=figure.end))
    return tuple(cells)


def notes_column(lines: Sequence[PrintedLine], count: int) -> bool:
    """Return whether the first of `count` figures is a note number in every row that has so many."""
    first = [line.figures[0] for line in lines if len(line.figures) == count]
    return all(is_note(figure) for figure in first)


def is_note(figure: PrintedFigure) -> bool:
    """Return whether a figure may be the number of a note."""
    digits = figure.text.strip("()")  # `(2)` may be the mark of a footnote
    return figure.value is not None and digits.isdigit() and 0 < abs(figure.value) < 40 and not figure.currency


def without_marks(line: PrintedLine, count: int) -> PrintedLine:
    """Return a row without the marks of footnotes behind its figures, as `$474,640 $473,492 (2) $489,299` has one.

    A mark is a number of one digit in brackets behind a figure of another size, or a star in a row that has a figure
    for each column besides; without the marks the row has to have as many figures as the table has columns.
    """
    figures = line.figures
    if len(figures) <= count:
        return line
    without_stars = tuple(figure for figure in figures if not is_star(figure.text))
    if len(without_stars) < len(figures):
        return without_marks(replace(line, figures=without_stars), count)
    marks = [at for at, figure in enumerate(figures) if at and _MARK.fullmatch(figure.text)]
    own = tuple(figure for at, figure in enumerate(figures) if at not in marks)
    if len(own) != count or any(abs(figure.value) < _LEAST_MARKED for figure in own if figure.value):
        return line
    return replace(line, figures=own)


def _are_changes(own: Sequence[PrintedFigure], rest: Sequence[PrintedFigure], periods: Sequence[int]) -> bool:
    """Whether the periods are the first columns, and each figure behind theirs is the change of two of them."""
    return list(periods) == list(range(len(own))) and all(
        any(is_change(new, old, figure) or _is_in_hundredths(new, old, figure) for new, old in combinations(own, 2))
        for figure in rest
    )


def _is_in_hundredths(new: PrintedFigure, old: PrintedFigure, change: PrintedFigure) -> bool:
    """Whether a figure is the change of two rates in basis points."""
    if not (new.percent and old.percent) or None in (new.value, old.value, change.value):
        return False
    points = 100 * ((new.value or 0.0) - (old.value or 0.0))
    return bool(points) and abs(points - (change.value or 0.0)) <= _ROUNDED * 100 * max(
        _last_place(new), _last_place(old)
    )


def _changes(lines: Sequence[PrintedLine], count: int) -> Iterator[int]:
    """Yield the columns that hold the difference of two columns before them, or its rate in per cent."""
    rows = [line.figures[-count:] for line in lines if len(line.figures) >= count]
    for at in range(2, count):
        pairs = ((new, old) for old in range(1, at) for new in range(old))
        if any(_agree([(row[new], row[old], row[at]) for row in rows]) for new, old in pairs):
            yield at


def _agree(rows: Sequence[tuple[PrintedFigure, PrintedFigure, PrintedFigure]]) -> bool:
    """Whether the third figure of most rows is the difference of the first two, or in most its rate."""
    telling = [
        (new, old, change)
        for new, old, change in rows
        if new.value is not None and old.value and change.value and new.value != old.value
    ]
    least = max(LEAST_ROWS, AGREEING * len(telling))
    return any(sum(map(test, telling)) >= least for test in (_is_difference, _is_rate))


def is_change(new: PrintedFigure, old: PrintedFigure, change: PrintedFigure) -> bool:
    """Whether a figure is the difference of two others, or its rate in per cent."""
    if new.value is None or not old.value or change.value is None:
        return False
    return _is_difference((new, old, change)) or _is_rate((new, old, change))


def _is_difference(row: tuple[PrintedFigure, PrintedFigure, PrintedFigure]) -> bool:
    """Whether a figure is the difference of two; its sign may say better or worse instead of more or less."""
    new, old, change = row
    off = abs(abs((new.value or 0.0) - (old.value or 0.0)) - abs(change.value or 0.0))
    return off <= _ROUNDED * max(_last_place(new), _last_place(old), _last_place(change))


def _is_rate(row: tuple[PrintedFigure, PrintedFigure, PrintedFigure]) -> bool:
    new, old, change = row
    before = old.value or 1.0
    rate = 100 * abs((new.value or 0.0) - before) / abs(before)
    return abs(rate - abs(change.value or 0.0)) <= _ROUNDED * _last_place(change)


def _last_place(figure: PrintedFigure) -> float:
    """Return the unit of a figure's last printed place, as 0.1 of `8.5`."""
    _, point, decimals = figure.text.rpartition(".")
    return 10.0 ** -sum(map(str.isdigit, decimals)) if point else 1.0
