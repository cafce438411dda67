"""Heads of columns that are names: the segments, regions or levels that the columns of a table of plain text stand for.

    YEAR ENDED MAY 31, 2021                 the period of all columns, or of groups of them
    (Dollars in millions)
    NORTH                                   names, each over some lines
    AMERICA
    GREATER CHINA TOTAL
    Revenues by:
    Footwear $ 11,644 $ 8,290 $ 19,934

Text tells no columns. A name is known where it is also the label of a row somewhere in the filing, or is one that
tables of accounts have in common. The heads are read where the lines above the first row are made of as many such names
as there are columns, and in one way only. Where names of one line are not known, the sentences of the filing may tell
where each of them ends.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise

from tradingagents.retrieval.lines.heads.above_tables import first_figure, lines_above
from tradingagents.retrieval.lines.heads.split_names import NeighbourWords
from tradingagents.retrieval.lines.heads.worded_heads import is_untold, without_heads
from tradingagents.retrieval.models import Column, FiledTable, SourceDocument
from tradingagents.retrieval.text_headers import columns as columns_of
from tradingagents.retrieval.text_headers import header_marks

_MOST_LINES = 16
"""Lines over which names may run."""
_MOST_UNDER = 3
"""Lines between the names and the first row, such as the name of a group of rows."""
_MOST_ABOVE = 6
"""Lines above the names in which the period of the whole table may stand."""
_LONGEST = 9
"""Words of a name."""
_LONGEST_LABEL = 80
_JOINED = re.compile(r"^(?:and|of|/)\b|(?:\b(?:and|of|the|in|for|to|from|by|on)|/)$|^/|\d{3}")
"""Begins or ends no name: the part of one that stands on another line."""
_WORD = re.compile(r"[\w'.]+|[/&]")
_JOINS = frozenset(("and", "of", "/", "&"))
"""Goes on a name."""
_PROSE = 70
"""Characters of a line from which on it is no head."""
_CAPTION = re.compile(
    r"(?i)^.{0,90}\((?:[^()]{0,40}\b(?:in )?(?:millions?|thousands?|billions?)\b[^()]{0,60}|unaudited|\$[^()]{0,30})\)"
    r"|^\W*(?:(?:u\.?s\.? )?dollars |amounts |\$ )?in (?:millions|thousands|billions)\b"
    r"(?:, except [a-z ]+ (?:data|amounts?))?"
)
"""What begins a line of heads and is none, with what stands before it."""
_NOTE = re.compile(r"\((?:\d|[a-z]|\d,\s?\d)\)|[*\u2020\u2021]")
_BALANCE = re.compile(
    r"(?i)\b(?:balances?|beginning|opening|closing|ending|end) (?:at|as of|of|balances?)\b|^balances?\b"
    r"|\b(?:19|20)\d\d\b"
)
"""A row that tells its own day or year."""
_COMMON = frozenset(
    [
        "total", "other", "net", "gross", "amount", "amounts", "shares", "level 1", "level 2", "level 3", "assets",
        "liabilities", "corporate", "eliminations", "consolidated", "total fair value", "fair value",
        "carrying value", "carrying amount", "corporate and other", "all other", "unallocated", "consolidated total",
        "total consolidated", "total company", "united states", "us", "international", "worldwide", "domestic",
        "foreign", "global", "cost", "total segments", "segment total", "reconciling items", "adjustments",
        "intersegment", "intersegment eliminations", "elimination", "total reportable segments",
        "unallocated corporate", "par value", "notional amount", "notional", "rest of world"
    ]
)  # fmt: skip
"""Names of columns that tables of accounts have in common, as `_words` writes them."""


_YEAR_FIRST = re.compile(r"\s*(?:19|20)\d\d(?=\s+[A-Z])")
"""The year of all columns behind a caption, as `(dollars in millions) 2020 Consumer Business Total`."""


@dataclass(frozen=True, slots=True)
class _NameEvidence:
    """What tells the names of the columns of a table."""

    names: frozenset[str]
    headings: frozenset[str]
    neighbours: NeighbourWords


@dataclass(frozen=True, slots=True)
class _Names:
    """The names above a table."""

    names: tuple[str, ...]
    first: int
    """The line, from 0, in which they begin."""
    before: str = ""
    """What stands before them on their first line."""


def names_of_rows(document: SourceDocument) -> frozenset[str]:
    """Return what the rows of a filing are called, as heads are compared."""
    rows = (row for table in document.tables for row in table.rows)
    texts = {row.label for row in rows if row.label not in row.headings and any(row.cells)}
    names = {_key(_words(text)) for text in texts if len(text) < _LONGEST_LABEL and text[:1].isupper()}
    return _COMMON.union(name for name in names if name and len(name.split()) <= _LONGEST and not _JOINED.search(name))


def with_named_heads(
    document: SourceDocument, table: FiledTable, names: frozenset[str], neighbours: NeighbourWords
) -> FiledTable:
    """Return a table with the names that stand above its columns; as it is where they are told or cannot be read.

    Args:
        document: That has the table.
        table: The table.
        names: What columns may be called.
        neighbours: Of the sentences of the document.
    """
    page = next((page for page in document.pages if page.number == table.page), None)
    if page is None or not is_untold(table) or not (begin := first_figure(table)):
        return table
    lines = lines_above(page, begin)
    near = _NameEvidence(
        names, frozenset(each.text for each in document.headings if each.page == page.number), neighbours
    )
    bare = not any(column.header.strip() or column.fiscal_year for column in table.columns)
    for under in range(_MOST_UNDER + 1):
        above = lines[: len(lines) - under]
        if under > len(lines) or (under and not _is_under(lines[-under], table, names)):
            break
        found = (_over_nothing if bare else _over_years)(table, above, near)
        if found is not None:
            return found
    return table


def _is_under(line: str, table: FiledTable, names: frozenset[str]) -> bool:
    """Whether a line between the names and the first row is the name of a group of rows, or their period."""
    plain = line.strip()
    if plain.endswith(":") or not plain or header_marks(plain) or _is_caption(plain):
        return True
    words = _words(plain)
    return plain in table.rows[0].headings and _key(words) not in _COMMON and (len(words) == 1 or _key(words) in names)


def _is_caption(line: str) -> bool:
    caption = _CAPTION.match(line)
    return caption is not None and caption.end() == len(line)


def _over_nothing(table: FiledTable, lines: Sequence[str], near: _NameEvidence) -> FiledTable | None:
    """Return a table whose columns are names alone, of the period or the periods above them."""
    read = _read(lines, len(table.columns), near)
    if read is None:
        return None
    periods = _periods(lines[: read.first], read.before)
    size = len(table.columns) // max(len(periods), 1)
    groups = [read.names[at : at + size] for at in range(0, len(read.names), size)]
    if len(periods) > 1 and (size * len(periods) != len(table.columns) or any(group != groups[0] for group in groups)):
        periods = ()
    if any(_BALANCE.search(row.label) for row in table.rows):
        periods = ()
    if not periods and len(set(read.names)) < len(read.names):
        return None
    heads = [
        replace(periods[at // size], header=f"{name} {periods[at // size].header}") if periods else Column(name)
        for at, name in enumerate(read.names)
    ]
    run = lines[read.first :]
    return replace(table, columns=tuple(heads), rows=without_heads(table.rows, run))


def _over_years(table: FiledTable, lines: Sequence[str], near: _NameEvidence) -> FiledTable | None:
    """Return a table whose years come again under each of several names, or whose names come again under each year."""
    heads = [column.header for column in table.columns]
    if not all(heads) or not lines:
        return None
    if not header_marks(lines[-1].strip()):
        read = _read(lines, len(heads), near)
        size = heads.count(heads[0])
        apart = [heads[at] for at in range(0, len(heads), size)]
        if read is None or len(set(apart)) < len(apart) or heads != [head for head in apart for _ in range(size)]:
            return None
        of_columns = read.names
        if any(of_columns[at : at + size] != of_columns[:size] for at in range(0, len(heads), size)):
            return None
    else:
        size = heads.index(heads[0], 1) if heads[0] in heads[1:] else 0
        if not size or len(heads) % size or heads[:size] * (len(heads) // size) != heads:
            return None
        while lines and header_marks(lines[-1].strip()):
            lines = lines[:-1]
        read = _read(lines, len(heads) // size, near)
        if read is None or len(set(read.names)) < len(read.names):
            return None
        of_columns = tuple(name for name in read.names for _ in range(size))
    if any("change" in name.lower() for name in of_columns):
        return None
    columns = (
        replace(column, header=f"{name} {column.header}")
        for name, column in zip(of_columns, table.columns, strict=True)
    )
    return replace(table, columns=tuple(columns), rows=without_heads(table.rows, lines[read.first :]))


def _read(lines: Sequence[str], count: int, near: _NameEvidence) -> _Names | None:
    """Return as many names as there are columns, that end with the last line; None where there are none, or several."""
    words: list[str] = []
    for at in range(len(lines) - 1, max(-1, len(lines) - 1 - _MOST_LINES), -1):
        text = lines[at].strip()
        if not text or len(words) > count * _LONGEST:
            return None
        before = caption.group() if (caption := _CAPTION.match(text)) else ""
        if caption and (year := _YEAR_FIRST.match(text, len(before))):
            before += year.group()
        own = _words(text[len(before) :])
        alone, words = not words, [*own, *words]
        if caption or _ends(lines[:at], near.headings):
            ways = list(_ways(tuple(words), count, near.names))
            if not ways and alone and count > 1 and _ends(lines[:at], near.headings):
                ways = [found] if (found := near.neighbours.names(words, count)) else []
            return _Names(ways[0], at, before) if len(ways) == 1 else None
    return None


def _ends(above: Sequence[str], headings: frozenset[str]) -> bool:
    """Whether the line above is no head, so that the names begin below it."""
    line = above[-1].strip() if above else ""
    return (
        not line
        or line[-1] in ".:"
        or len(line) > _PROSE
        or line in headings
        or _is_caption(line)
        or len(re.findall(r"\d[\d.,]*", line)) > 1
        or bool(header_marks(line))
    )


def _ways(words: tuple[str, ...], count: int, names: frozenset[str]) -> Iterator[tuple[str, ...]]:
    """Yield the ways in which words are `count` names, two at most; two names that are one together are no way."""

    @cache
    def rest(at: int, left: int) -> tuple[tuple[str, ...], ...]:
        if at == len(words) or not left:
            return ((),) if at == len(words) and not left else ()
        found: list[tuple[str, ...]] = []
        for end in range(at + 1, min(at + _LONGEST, len(words)) + 1):
            joined = end < len(words) and words[end].lower() in _JOINS
            if _key(words[at:end]) in names and not joined:
                found += [(" ".join(words[at:end]), *others) for others in rest(end, left - 1)]
            if len(found) > 1:
                break
        return tuple(found[:2])

    for way in rest(0, count):
        together = any(_key(f"{one} {other}".split()) in names for one, other in pairwise(way))
        if not together and not any(_is_two(name.split(), names) for name in way):
            yield way


def _is_two(words: Sequence[str], names: frozenset[str]) -> bool:
    """Whether a name is itself two names of several words, as `Pension Plans Postretirement Plans`."""
    return any(_key(words[:at]) in names and _key(words[at:]) in names for at in range(2, len(words) - 1))


def _words(text: str) -> list[str]:
    """Return the words of a name as printed."""
    plain = _NOTE.sub(" ", text).replace("\ufffe", " ").replace("\u2019", "'")
    return _WORD.findall(plain)


def _key(words: Sequence[str]) -> str:
    """Return a name as names are compared."""
    return " ".join("and" if word == "&" else word.lower().replace(".", "") for word in words)


def _periods(above: Sequence[str], before: str) -> tuple[Column, ...]:
    """Return the periods that the nearest line above the names states; none where none does."""
    for line in reversed((*above[-_MOST_ABOVE:], before)):
        if marks := header_marks(line.strip()):
            count = sum(mark.kind == "year" for mark in marks)
            return columns_of(marks, count) if count else ()
    return ()
