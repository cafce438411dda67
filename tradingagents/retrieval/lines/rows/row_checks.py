"""What a row has to be whatever its words: of the unit, measure and qualifiers wanted, and of no other thing."""

from __future__ import annotations

import re

from tradingagents.dataflows.reference.currencies import is_money
from tradingagents.retrieval.index.words import stem, words_of
from tradingagents.retrieval.lines.cells.column_periods import CHANGE
from tradingagents.retrieval.lines.cells.found_cells import WantedLine
from tradingagents.retrieval.lines.line_questions import Qualifier, qualifiers_in
from tradingagents.retrieval.lines.parts.summed_rows import is_named_by_total
from tradingagents.retrieval.lines.rows.label_words import concept_text, head_text, head_words, stems_of, title_words
from tradingagents.retrieval.lines.rows.named_items import OF_GROWTH, item_words, names_item
from tradingagents.retrieval.models import Column, FiledTable, Row, SourceDocument, TableCell

_BY_PARTS = re.compile(
    r"(?i)\bby (?:reportable |operating |business |geographic )?(?:segments?|areas?|regions?"
    r"|divisions?)\b"
)
"""What a title says of its rows, which no row of it has to say."""
_CHANGE_FROM = re.compile(
    r"(?i)\b(?:declines?|growth|(?:lower|higher) (?:sales|revenues?))\b(?:/\([a-z]+\))? (?:from|in|of|due to)\b"
)
_EFFECT = re.compile(r"(?i)\b(?:effects?|impacts?)\b")
"""What a row of an effect says: it is no figure of the line, but how much something moved it."""
GROWTH_WORDS = frozenset(
    map(stem, ["growth", "change", "percentage", "percent", "increase", "decrease", "grew", "versus", "vs"])
) | {"%"}
_INCLUDING = re.compile(r"(?i)\bincluding\s+(?P<what>[^(),;/]{2,60})")
_INCLUDE = stem("including")
_BETWEEN_PARTS = re.compile(r"(?i)\binter-?(?:segment|company|area)\b|\beliminations?\b")
_TELLING: frozenset[Qualifier] = frozenset({"adjusted", "organic", "constant currency", "core"})
"""Qualifiers that a row, its heading or its column says; `core` and `adjusted` are also said of it together."""
OF_QUALIFIERS = stems_of(
    "prior previous year period impact non gaap adjusted as organic constant currency currencies neutral core fx"
    " foreign exchange operational operations comparable assuming no changes rates effect excluding"
)
"""Words by which rows and columns say a qualifier."""


def bears_qualifiers(wanted: WantedLine, row: Row, column: Column, table: FiledTable) -> bool | None:
    """Return whether a row itself bears the qualifiers asked for, not only its title; None where it bears others."""
    printed = qualifiers_in(" ".join((row.label, *row.headings[-1:], column.header)).lower())
    said, needed = told_by_rows(printed), told_by_rows(wanted.qualifiers)
    # what leaves something out is an adjusted figure: `excluding Identified Items (Non-GAAP)`
    may_be: frozenset[Qualifier] = frozenset({"adjusted"}) if "excluding" in wanted.phrase else frozenset()
    if "adjusted" in needed | may_be and "GAAP" in printed and "adjusted" not in qualifiers_in(row.label.lower()):
        return None
    if said - needed - may_be or not needed <= (said | told_by_rows(qualifiers_in(_name_in(table.title)))):
        return None
    return needed <= said


_TELLS_A_CHANGE = re.compile(
    r"\b(?:(?:in|de)creased|grew|gr[eo]wn?|declined|fell|rose|improved|driven by|compared (?:to|with))\b"
)
"""What a sentence on the figures says, and no name of a table."""


def _name_in(title: str) -> str:
    """Return a title in small letters without what stands before its last sentence and tells how something moved.

    `Organic sales of the gowns rose 1 percent. Net sales of our units are:` is no title of organic figures, and neither
    is one that begins with the end of such a sentence.
    """
    *before, last = re.split(r"(?<=[A-Za-z)%]\.) ", title)
    kept = [each for each in before if not (each[:1].islower() or _TELLS_A_CHANGE.search(each.lower()))]
    return " ".join((*kept, last)).lower()


def is_of_another(label: str, wanted: WantedLine) -> bool:
    """Whether a row is of an effect, between parts, or of what the question says not to mean."""
    if any(pattern.search(label) and not pattern.search(wanted.phrase) for pattern in (_EFFECT, _BETWEEN_PARTS)):
        return True
    if wanted.item and not wanted.growth and _CHANGE_FROM.search(label):
        return True  # what an item changed by: `Worldwide declines from Paxlovid`
    return bool(wanted.without and wanted.without & set(words_of(label.lower())))


def is_between_parts(row: Row, wanted: WantedLine) -> bool:
    """Whether a row stands under a heading of what parts of the company sell to each other, which nothing asks for."""
    return bool(_BETWEEN_PARTS.search(" ".join(row.headings[-1:]))) and not _BETWEEN_PARTS.search(wanted.phrase)


def is_of_whole_with(name: str, wanted: WantedLine) -> bool:
    """Return whether a name is of a whole that has what is wanted in it, as `Including fuel` where fuel is wanted."""
    asked, included = stems_of(wanted.phrase), _INCLUDING.search(name)
    if not asked or included is None or _INCLUDE in asked:
        return False
    return asked <= stems_of(included["what"]) and not asked <= stems_of(name[: included.start()])


def told_by_rows(qualifiers: frozenset[Qualifier]) -> frozenset[Qualifier]:
    """Return the qualifiers that a row says: what a company calls core is an adjusted figure too."""
    told = qualifiers & _TELLING
    return told - {"adjusted"} if "core" in told else told


def words_of_qualifiers(qualifiers: frozenset[Qualifier]) -> frozenset[str]:
    """Return the words by which rows say qualifiers; none where none is asked for."""
    return OF_QUALIFIERS if qualifiers else frozenset()


def words_of_measure(
    wanted: WantedLine, row: Row, column: Column, table: FiledTable, document: SourceDocument, cell: TableCell
) -> frozenset[str] | None:
    """Return the words that name the measure wanted; None where nothing names it."""
    if wanted.measure:
        words = stems_of(wanted.measure)
        near = stems_of(row.label) | stems_of(" ".join(row.headings[-1:])) | head_words(column)
        return words if words <= near | title_words(table) else None
    if not wanted.item:
        return frozenset()
    texts = (
        row.label,
        *row.headings[-2:],
        head_text(column),
        concept_text(document, cell),
        OF_GROWTH.sub(" ", _BY_PARTS.sub(" ", table.title[-160:])) if wanted.kind == "money" else table.title[-160:],
    )
    if names_item(wanted, *texts):
        return item_words(wanted.item)
    at = next((number for number, each in enumerate(row.cells) if each is cell), None)
    if at is None or wanted.kind != "money":
        return None
    told = is_named_by_total(table, row, at, wanted.item, stems_of(wanted.phrase) | wanted.spoken)
    return item_words(wanted.item) if told else None


def tells_growth(table: FiledTable, row: Row, column: Column) -> bool:
    """Whether a percentage is said to be one of growth: in a table of shares of the whole it is none."""
    return bool(CHANGE.search(" ".join((table.title, *row.headings, row.label, head_text(column)))))


def is_of_kind(unit: str, wanted: WantedLine, column: Column) -> bool:
    """Return whether a unit is that of what is wanted."""
    if wanted.growth or wanted.kind == "percent":
        return unit == "percent"
    if wanted.kind == "money":
        return is_money(unit) and "/" not in unit
    if wanted.kind == "per_share":
        return unit.endswith("/share")
    if wanted.kind == "count":
        return unit == "count"
    return unit != "" and not (CHANGE.search(head_text(column)) and unit == "percent")
