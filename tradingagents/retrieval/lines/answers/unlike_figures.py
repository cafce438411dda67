"""Parts of a company whose figures are of different kinds, or are one and the same cell: they become gaps."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

from tradingagents.retrieval.lines.line_answer import LineValue
from tradingagents.retrieval.lines.line_questions import LineQuestion
from tradingagents.retrieval.lines.row_cells import says
from tradingagents.retrieval.lines.rows.asked_line import AskedLine
from tradingagents.retrieval.lines.wording import row_words


def without_unlike_figures(
    asked: LineQuestion,
    lines: Sequence[AskedLine],
    values: Sequence[LineValue],
    is_revenue: Callable[[AskedLine], bool],
    differ_in_whole: Callable[[AskedLine, AskedLine], bool],
) -> list[LineValue]:
    """Return figures of several parts with a gap for each that is not told to be of the same kind as the others.

    Args:
        asked: The question.
        lines: Its lines.
        values: Their figures.
        is_revenue: Tells whether the figure of a line is revenue by what stands at its row.
        differ_in_whole: Tells whether a table of one of two lines has another figure of the other.
    """
    values = list(_of_places_apart(asked, values))
    if len(asked.alternatives) < 2:
        return list(values)
    pairs = [pair for pair in combinations(lines, 2) if differ_in_whole(*pair)]
    apart = {(one.books.name, one.name): other.name for pair in pairs for one, other in (pair, pair[::-1])}
    values = [
        _gap(value, f"a table that gives {apart[value.company, value.line]} has another figure for it")
        if (value.company, value.line) in apart and value.value is not None
        else value
        for value in values
    ]
    return list(_of_rows_apart(lines, _of_one_kind(asked, lines, values, is_revenue)))


_ROW_OF_PLACE = re.compile(r"(?:non-)?(?:united states|international|domestic|foreign|worldwide|total|global)")
"""Rows that say a place, or the whole, and nothing else."""
_SAYS_WHOLE = re.compile(r"(?i)\b(?:total|worldwide|global(?:ly)?|overall|whole|international|domestic)\b")
"""Says that unlike places are meant."""


def _of_places_apart(asked: LineQuestion, values: Sequence[LineValue]) -> Iterator[LineValue]:
    """Yield figures without those of another place than the one that a question names for one of them alone.

    As of `rings or gowns U.S.`, where the first stands in a row `Worldwide` and the other in a row `U.S.`.
    """
    places = [row_words(value.row.rpartition(" / ")[2]).strip(" .:") for value in values]
    named = {
        place
        for place, value in zip(places, values, strict=True)
        if _ROW_OF_PLACE.fullmatch(place) and says(value.line, place)
    }
    one_said = len(named) == 1 and not _SAYS_WHOLE.search(asked.text)
    for place, value in zip(places, values, strict=True):
        apart = one_said and value.row and place not in named and _ROW_OF_PLACE.fullmatch(place)
        yield (
            _gap(value, f"its row is of {place!r}: whether {min(named)} is meant for it too is not told")
            if apart
            else value
        )


def _of_one_kind(
    asked: LineQuestion,
    lines: Sequence[AskedLine],
    values: Sequence[LineValue],
    is_revenue: Callable[[AskedLine], bool],
) -> list[LineValue]:
    """Return figures without the revenue of parts beside another figure of the others.

    As in `launch fees at Orbital or Lunar`, where a row of Orbital names the fees, and that of Lunar the part alone.
    """
    rows = {(value.company, value.line): value.row for value in values if value.row}
    unnamed = {(line.books.name, line.name) for line in lines if not asked.measures and is_revenue(line)}
    others = [
        line.name
        for line in lines
        if len(line.phrases) == 1  # the sum of some is of all its parts
        and (row := rows.get((line.books.name, line.name)))
        and (line.books.name, line.name) not in unnamed
        and not says(row.rpartition(" / ")[2], " ".join(line.phrases))
    ]
    if not unnamed or not others:
        return list(values)
    return [
        _gap(value, f"no figure of {value.line} is named, and that of {others[0]} is not its revenue")
        if value.value is not None and (value.company, value.line) in unnamed
        else value
        for value in values
    ]


def _of_rows_apart(lines: Sequence[AskedLine], values: Sequence[LineValue]) -> Iterator[LineValue]:
    """Yield figures without those of one cell that would stand for two parts: a word that tells them apart is lost."""
    phrases = {(line.books.name, line.name): (line.measure, line.phrases) for line in lines}
    named: dict[tuple[object, ...], set[str]] = {}
    for value in values:
        measure, words = phrases.get((value.company, value.line), (None, ()))
        if value.operands and not says(value.row, " ".join(words)):
            named.setdefault(_cells(value, measure), set()).add(value.line)
    for value in values:
        measure, _ = phrases.get((value.company, value.line), (None, ()))
        others = named.get(_cells(value, measure), set()) - {value.line}
        yield (
            _gap(value, f"the row {value.row!r} stands for {min(others)} too, and does not tell them apart")
            if (others and value.operands)
            else value
        )


def _cells(value: LineValue, measure: object) -> tuple[object, ...]:
    places = tuple((operand.document_name, operand.place) for operand in value.operands)
    return (value.company, value.period, measure, places)


def _gap(value: LineValue, reason: str) -> LineValue:
    return LineValue(company=value.company, line=value.line, period=value.period, gap=reason)
