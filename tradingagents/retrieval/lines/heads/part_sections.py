"""The part of a company under whose heading a table stands, such as its segment.

    Verizon Business Group                           the heading
    Our Business segment provides ...
    Operating Revenues and Selected Operating Statistics
    Fios video 67 71 (4) (5.6)                       a row that the table of another segment has, too

A part is what a filing calls a segment, or heads a column of a table of sales by; it may have a short name, as
`Rotary and Mission Systems (RMS)`. A heading is a line that holds such a name and nothing else that tells. It counts
for the tables below it, up to the next one, or to where something else begins.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from tradingagents.retrieval.line_items import line_items
from tradingagents.retrieval.lines.rows.label_words import head_text, sentence_before, stems_of
from tradingagents.retrieval.lines.rows.named_items import is_named
from tradingagents.retrieval.models import FiledTable, SourceDocument

_WORD = r"(?:[A-Z][\w&'\u2019./-]{0,30}|U\.S\.)"
_NAME = rf"{_WORD}(?:,? (?:(?:and|&|of|for|the) )?{_WORD}){{0,5}}"
_SEGMENT = re.compile(
    rf"\b(?:[Oo]ur|[Tt]he|[Ii]ts|[Ii]n) (?P<name>{_NAME}) (?:(?:reportable|business|operating|reporting) )?segments?\b"
)
_SHORT = re.compile(
    rf"(?<![\w&'\u2019./-])(?P<name>{_NAME}) \([\"\u201c]?(?P<short>[A-Z][A-Za-z&]{{1,6}})[\"\u201d]?\)"
)
_FEWEST_TIMES = 2
"""How often a filing calls a part a segment before its name counts: once may be a slip of reading."""
_FEWEST_HEADS = 3
_LONGEST_LINE, _MOST_WORDS = 90, 10
_MOST_PAGES = 4
"""Pages after which the heading of a part no longer counts."""
_NAMED_WITHIN = 4_000
"""Characters above a table within which its part has to be named: else the text has gone on to something else."""
_BESIDE_NAMES = stems_of(
    "segment segments group division divisions results operating operations operation review performance overview"
    " financial summary discussion continued information statistics highlights company"
)
"""Words of a heading of a part that are none of its name."""
_OTHER = re.compile(
    r"(?i)\W*(?:item \d|note \d|notes to\b|part i|consolidated\b|liquidity\b|critical accounting|corporate\b|reconcil"
    r"|unallocated|all other\b|other (?:segment|corporate)|total company)"
)
"""Begins the heading of something that is no part."""
_NO_NAME = re.compile(
    r"(?i)\b(?:totals?|eliminations?|intersegment|unallocated|consolidated|change|reconciling)\b|%|^corporate(?: and|$)"
)
_REMARK = re.compile(r"\([^()]*\)|:$")
_LISTED = re.compile(r",? (?:and|&) |, ")


@dataclass(frozen=True, slots=True)
class _NamedPart:
    """A part of a company."""

    name: str
    """With its short name."""
    names: tuple[str, ...]
    """Each by itself."""


@dataclass(frozen=True, slots=True)
class _PartHeading:
    page: int
    start: int
    part: _NamedPart | None
    """None where it begins something that is no part."""


def with_sections(document: SourceDocument, tables: Sequence[FiledTable]) -> Iterator[FiledTable]:
    """Yield tables with the part of the company under whose heading they stand; as they are where there is none."""
    parts = _parts(document, tables)
    headings = _headings(document, tables, parts) if parts else []
    texts = {page.number: page.text for page in document.pages}
    for table in tables:
        above = [each for each in headings if (each.page, each.start) <= (table.page, table.start)]
        part = above[-1].part if above and table.page - above[-1].page <= _MOST_PAGES else None
        is_of_part = part is not None and _is_named(part, table, texts) and _is_over_time(table)
        if part is None or not is_of_part or _names_another(table, part, parts):
            yield table
        else:
            yield replace(table, section=part.name)


def _headings(
    document: SourceDocument, tables: Sequence[FiledTable], parts: Mapping[frozenset[str], _NamedPart]
) -> list[_PartHeading]:
    """Return the headings of parts, and of what is no part, in their order; lines within tables are none.

    A heading that stands under several parts, as `Results of Operations`, is one within them; one that stands once
    begins something else.
    """
    lines = list(_heading_lines(document, tables, parts))
    under: dict[str, set[str]] = {}
    part: _NamedPart | None = None
    for _, text, own in lines:
        part = own or (None if _OTHER.match(text) else part)
        if own is None and part is not None:
            under.setdefault(text, set()).add(part.name)
    return [
        _PartHeading(*place, own)
        for place, text, own in lines
        if own is not None or _OTHER.match(text) or len(under.get(text, ())) == 1
    ]


def _heading_lines(
    document: SourceDocument, tables: Sequence[FiledTable], parts: Mapping[frozenset[str], _NamedPart]
) -> Iterator[tuple[tuple[int, int], str, _NamedPart | None]]:
    """Yield the lines that read as headings, with the part that each names; names side by side head columns."""
    company = stems_of(document.info.company)

    def named(line: str) -> _NamedPart | None:
        return None if re.search(r"\d", line) else parts.get(stems_of(line) - company - _BESIDE_NAMES)

    for page in document.pages:
        inside = [(table.start, table.end) for table in tables if table.page == page.number]
        at, before = 0, ""
        lines = page.text.split("\n")
        for line, after in zip(lines, [*lines[1:], ""], strict=True):
            text, start = _REMARK.sub("", line.strip()).strip(), at
            at += len(line) + 1
            last, before = before, line.strip() or before
            if not _may_be_heading(text) or any(first < start < end for first, end in inside):
                continue
            part = named(text)
            beside = [each for each in (last, after.strip()) if _NO_NAME.match(each) or named(each) not in (None, part)]
            if (part is not None and not beside) or _OTHER.match(text) or (part is None and _is_apart(text, last)):
                yield (page.number, start), text, part


def _is_apart(text: str, before: str) -> bool:
    """Whether a line behind the end of a paragraph is in capitals as a heading is."""
    words = [word for word in text.split() if len(word) > len("with")]
    return bool(words) and all(word[0].isupper() for word in words) and before[-1:] in (".", "", ")")


def _may_be_heading(text: str) -> bool:
    short = 0 < len(text) <= _LONGEST_LINE and len(text.split()) <= _MOST_WORDS
    return short and text[0].isupper() and text[-1] not in ".,;"


def _is_named(part: _NamedPart, table: FiledTable, texts: Mapping[int, str]) -> bool:
    """Whether the text above a table goes on naming the part."""
    above = f"{texts.get(table.page - 1, '')}\n{texts.get(table.page, '')[: table.start + len(table.title)]}"
    return any(_as_name(name).search(above[-_NAMED_WITHIN:]) for name in part.names)


def _is_over_time(table: FiledTable) -> bool:
    """Whether periods or names tell the columns of a table apart: else they may be of parts that could not be read."""
    told = {(column.fiscal_year, column.header) for column in table.columns}
    return len(table.columns) < _FEWEST_HEADS or len(told) > 1


@lru_cache(maxsize=1_000)
def _as_name(name: str) -> re.Pattern[str]:
    """Return a pattern of a name in a text: as written or in capitals, in small letters it is a common word."""
    words = [rf"(?:{re.escape(word)}|{re.escape(word.upper())})" for word in re.findall(r"[\w.'\u2019-]+", name)]
    return re.compile(rf"(?<!\w){'[^a-z0-9]{1,4}(?:and |AND )?'.join(words)}(?!\w)")


def _names_another(table: FiledTable, part: _NamedPart, parts: Mapping[frozenset[str], _NamedPart]) -> bool:
    """Whether a row, a column or the title of a table names another part: then it is of several."""
    texts = {text for row in table.rows for text in (row.label, *row.headings)} | set(map(head_text, table.columns))
    others = {other for other in parts.values() if other != part}
    return any(parts.get(stems_of(text) - _BESIDE_NAMES, part) != part for text in texts) or any(
        _as_name(name).search(sentence_before(table)) for other in others for name in other.names
    )


def _parts(document: SourceDocument, tables: Sequence[FiledTable]) -> dict[frozenset[str], _NamedPart]:
    """Return the parts by the words of each of their names."""
    counted: Counter[str] = Counter()
    shortened: dict[str, str] = {}
    for page in document.pages:
        text = page.text.replace("\n", " ")
        counted.update(found["name"] for found in _SEGMENT.finditer(text))
        pairs = ((found["short"], _in_full(found["short"], found["name"])) for found in _SHORT.finditer(text))
        shortened |= {short: name for short, name in pairs if name and short not in shortened}
    names = [name for name, times in counted.items() if times >= _FEWEST_TIMES]
    names += [name for table in tables for name in _heads_of_parts(table)]
    names = [each for name in names for each in _each_of(name, {*names, *shortened})]
    pairs_by_words = {stems_of(each): (name, short) for short, name in shortened.items() for each in (name, short)}
    company, found = stems_of(document.info.company), dict[frozenset[str], _NamedPart]()
    for name in names:
        both = pairs_by_words.get(stems_of(name), (name,))
        part = _NamedPart(", ".join(both), both)
        for each in (name, *both):
            words = stems_of(each) - company - _BESIDE_NAMES
            if words and not _NO_NAME.search(each):
                found.setdefault(words, part)
    return found


def _in_full(short: str, name: str) -> str:
    """Return the end of a name of which a short name has the first letters; empty where it has not.

    The company's own letter may stand before them, as in `Commercial Airplanes (BCA)`.
    """
    words = name.split()
    for at in range(len(words)):
        letters = "".join(word.replace(".", "") if "." in word else word[0] for word in words[at:] if word[0].isupper())
        if words[at][0].isupper() and (letters == short or (letters.startswith(short[1:]) and len(short) > len("BC"))):
            return " ".join(words[at:])
    return ""


def _each_of(name: str, known: Collection[str]) -> list[str]:
    """Return the names of a list of parts, as `USCS, CS and ICS`; the one name where it is none."""
    listed = [each for each in _LISTED.split(name) if each]
    return listed if len(listed) > 1 and all(each in known for each in listed) else [name]


def _heads_of_parts(table: FiledTable) -> list[str]:
    """Return the names that head the columns of a table that states the sales of each."""
    heads = list(dict.fromkeys(filter(None, map(head_text, table.columns))))
    stated = any(is_named(line_items()["revenue"], row.label) for row in table.rows)
    named = [head for head in heads if head[:1].isupper() and not _NO_NAME.search(head)]
    return named if stated and len(heads) >= _FEWEST_HEADS else []
