"""The row that is nearest to what is wanted, where none is called by the very words of a question.

Every word of a phrase has to stand in the label of a row, its headings, its tag, the head of its column, or in what
stands just above its table; the nearer to the row, the more it counts. Words of a row that nothing asks for count
against it by how much they tell: one that many tables of a filing have, as `segment`, tells little, a rare one much.
A row is taken only where it is clearly nearer than every other row with another figure.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from tradingagents.retrieval.index.words import stem, words_of
from tradingagents.retrieval.line_items import line_items
from tradingagents.retrieval.lines.cells.cell_choice import SAME, digits, distinct, same_value
from tradingagents.retrieval.lines.cells.cell_units import asks_for_count, cell_figure, printed_number
from tradingagents.retrieval.lines.cells.column_periods import fact_is_of, is_of_period, is_row_of_years, is_tagged
from tradingagents.retrieval.lines.cells.found_cells import FoundCell, LineFound, WantedLine
from tradingagents.retrieval.lines.cells.kept_tables import OfTables
from tradingagents.retrieval.lines.rows.label_words import (
    NEUTRAL,
    OF_ALL,
    PERIOD_WORDS,
    column_words,
    head_text,
    head_words,
    name_of_part,
    section_words,
    sentence_before,
    stems_of,
    tag_words_of,
)
from tradingagents.retrieval.lines.rows.named_items import SHARE_OF, is_named, names_narrower
from tradingagents.retrieval.lines.rows.row_checks import (
    GROWTH_WORDS,
    OF_QUALIFIERS,
    bears_qualifiers,
    is_of_another,
    is_of_kind,
    is_of_whole_with,
    tells_growth,
    told_by_rows,
    words_of_measure,
    words_of_qualifiers,
)
from tradingagents.retrieval.lines.rows.statement_tables import as_amount
from tradingagents.retrieval.models import Column, FiledTable, Row, SourceDocument, TableCell
from tradingagents.retrieval.series.span import FiscalPeriod

LABEL, HEADING, HEAD, CAPTION, SECTION = 1.0, 0.9, 0.85, 0.7, 0.6
"""How much a word counts by where it stands."""
MOST_SPARE = 0.5
"""Of what the words asked for tell, how much at most the other words of a row may tell."""
CLEARLY = 0.12
"""By how much the nearest row has to be nearer than another one with another figure."""
_LEAST_TOLD = 0.1
_LEFT_OUT = re.compile(r"(?i)\b(non(?=-)(?!-gaap\b)|outside|excluding|excludes|except|without)\b")
_OF_WHOLE = re.compile(r"(?i)\bincluding\b.*")
_OF_PLACE = stems_of("united states international domestic foreign other")
_RARE, _DESCRIBED = 0.6, 0.2
_MOST_PARTS = 12
_HEADING_LINE = 5
"""Words of a line of text that is a heading."""
_EXCLUDING = "excluding"
_SAYING = stems_of(
    "the following table tables summarizes summarize presents shows sets forth performance respective respectively"
    " periods period information change changes years each certain"
)
"""Words by which a caption says that it shows something."""


_GLOBAL, _DOMESTIC = stems_of("global"), stems_of("domestic")


@dataclass(frozen=True, slots=True)
class _NearCell:
    cell: FoundCell
    nearness: float


def _tells_place(table: FiledTable, own: frozenset[str]) -> bool:
    """Whether own words of a row say a place: `global` does in a table that tells it from `domestic`."""
    rows = table.rows if own & _GLOBAL else ()
    return bool(own & _OF_PLACE) or any(_DOMESTIC & stems_of(" ".join((*row.headings, row.label))) for row in rows)


def nearest_line(documents: Iterable[SourceDocument], wanted: WantedLine, period: FiscalPeriod) -> LineFound:
    """Return the figure of the row nearest to a line for a period, from the first document that has one."""
    for document in documents:
        near = [each for table in document.tables for each in _near_of_table(document, table, wanted, period)]
        if near:
            return _clearly_nearest(near)
    return LineFound()


def nearest_of_table(
    document: SourceDocument, table: FiledTable, wanted: WantedLine, period: FiscalPeriod
) -> FoundCell | None:
    """Return the figure of the row of a table that is nearest to a line; None where none is, or several are."""
    near = list(_near_of_table(document, table, wanted, period))
    return _clearly_nearest(near).cell if near else None


def _clearly_nearest(near: Sequence[_NearCell]) -> LineFound:
    best = max(each.nearness for each in near)
    alike = [each.cell for each in near if each.nearness > best - CLEARLY]
    alike = [cell for cell in alike if not cell.table.section] or alike  # the company's own before those of its parts
    units = {cell.unit for cell in alike}
    if len(units) > 1 or any(not same_value(cell.value, alike[0].value) for cell in alike):
        return LineFound(candidates=distinct(alike))
    nearest = [each.cell for each in near if each.nearness == best and each.cell in alike] or alike
    return LineFound(max(nearest, key=lambda cell: digits(cell.cell.text)))


def _near_of_table(
    document: SourceDocument, table: FiledTable, wanted: WantedLine, period: FiscalPeriod
) -> Iterator[_NearCell]:
    asked = stems_of(wanted.phrase) - NEUTRAL - wanted.company
    if not asked and (wanted.phrase or not (wanted.item or wanted.measure)):
        return
    of_period = {
        at
        for at, column in enumerate(table.columns)
        if is_of_period(document, table, at, column, period, growth=wanted.growth, months=wanted.months)
    }
    if not of_period and not is_tagged(table):
        return
    caption, section = _caption(table), _section(document, table)
    every = (caption | section).union(*map(_words_of_row, table.rows), column_words(table), _tags(document, table))
    if not asked <= every:
        return
    totals, bare = _totals(table.rows)
    subject: Row | None = None
    for number, row in enumerate(table.rows):
        if is_row_of_years(row):
            continue
        own = stems_of(row.label)
        goes_on = bool(own & (GROWTH_WORDS | OF_QUALIFIERS)) and not own - GROWTH_WORDS - OF_QUALIFIERS - NEUTRAL
        subject = subject if goes_on else row
        total = totals.get(number, frozenset())
        place = _RowPlace(row, subject if goes_on else None, total, number in bare, caption, section)
        for at, cell in enumerate(row.cells):
            if cell is None or cell.value is None or not digits(cell.text):
                continue
            if not (at in of_period if cell.fact is None else fact_is_of(document, cell.fact, period, wanted.months)):
                continue
            found = _near(document, table, place, at, cell, wanted, asked)
            if found is not None:
                yield found


@dataclass(frozen=True, slots=True)
class _RowPlace:
    """A row, and where the words stand that say what it is of."""

    row: Row
    subject: Row | None
    """The row that it goes on, as `Constant currency change` goes on the one above it."""
    total: frozenset[str]
    """Words of the total that it is a part of."""
    begins_total: bool
    """Whether it is the first part of a total that has no name of its own."""
    caption: frozenset[str]
    section: frozenset[str]


def _near(
    document: SourceDocument,
    table: FiledTable,
    place: _RowPlace,
    at: int,
    cell: TableCell,
    wanted: WantedLine,
    asked: frozenset[str],
) -> _NearCell | None:
    """Return a cell with how near its row is to what is wanted; None where it is not of it."""
    row, column, told = place.row, table.columns[at], _WordWeights(document)
    if _is_of_other(row, column, wanted) or (wanted.item and names_narrower(wanted, row, table, asked)):
        return None
    label = _with_joined(row.label) | (_with_joined(place.subject.label) if place.subject is not None else frozenset())
    headings = place.total | _heads_of_row(row, asked)
    head, tag = _with_joined(head_text(column)), tag_words_of(document, cell)
    tag = tag if not tag - asked - NEUTRAL - wanted.company else tag & (label | headings)
    covered, every = label | headings | head | tag, sum(map(told.of, asked)) or 1.0
    left_out = stems_of(wanted.phrase[wanted.phrase.find(_EXCLUDING) :]) if _EXCLUDING in wanted.phrase else frozenset()
    if not asked <= covered | place.caption | place.section or not left_out - NEUTRAL <= covered:
        return None
    measure = _measure_words(document, table, row, at, cell, wanted, place.subject)
    if measure is None:
        return None
    by_caption = asked <= place.caption and bool(measure & covered)
    if wanted.item and asked <= place.caption and asked & label and not asked <= label | headings | head:
        return None  # the caption names the part, and the label by a word of it another line, as `Services`
    if (asked and not asked & covered and not by_caption) or bears_qualifiers(wanted, row, column, table) is None:
        return None
    value, unit = _figure(table, row, at, cell, wanted)
    value = as_amount(table, row, wanted.item, value)
    if not is_of_kind(unit, wanted, column) or (wanted.growth and not tells_growth(table, row, column)):
        return None
    nearer = ((label, LABEL), (headings | tag, HEADING), (head, HEAD))
    covering = _covering(asked, (*nearer, (place.caption, CAPTION), (place.section, SECTION)), told)
    known = asked | measure | _known_words(row, column, wanted, asked)
    if _tells_place(table, own := stems_of(row.label) - known) or (place.begins_total and own):
        return None  # `Imbruvica United States` above a bare total is a part of what is asked for
    around = place.caption - OF_ALL - _SAYING if asked and not asked & covered else name_of_part(table)
    around |= stems_of(_OF_WHOLE.sub(" ", " ".join(row.headings[-1:])))
    beside = head_words(column) | tag_words_of(document, cell)
    spare = _of_description(told, row.label, asked) * _spare(told, stems_of(row.label), known)
    spare += _spare(told, beside, known) + _spare(told, around, known) / 2
    if spare > MOST_SPARE * every:
        return None
    found = FoundCell(
        document, table, row, column, cell, value, unit, 0,
        tag_members=bool(tag),
        label_names_item=bool(wanted.item) and is_named(line_items()[wanted.item], row.label),
    )  # fmt: skip
    return _NearCell(found, covering - spare / every / 2)


def _heads_of_row(row: Row, asked: frozenset[str]) -> frozenset[str]:
    """Return the words of the headings of a row, without those of which its label names another kind."""
    heads = (heading for heading in row.headings if not _is_named_anew(row.label, heading, asked))
    return frozenset().union(*map(_with_joined, heads))


@lru_cache(maxsize=50_000)
def _is_named_anew(label: str, heading: str, asked: frozenset[str]) -> bool:
    """Whether a label ends in the noun of its heading and says another kind of it, which nothing asks for.

    `Cash volume` below `Payments volume` is none of payments.
    """
    own, above = (words_of(re.sub(r"\([^()]*\)", " ", text.lower())) for text in (label, heading))
    if not own or not above or stem(own[-1]) != stem(above[-1]) or stem(own[-1]) not in asked:
        return False
    return bool(stems_of(label) - stems_of(heading) - asked - NEUTRAL)


def _is_of_other(row: Row, column: Column, wanted: WantedLine) -> bool:
    """Tell whether a row is of another part, of less than what is wanted, or of a whole that has it within."""
    whole_name = " ".join((*row.headings, row.label, head_text(column)))
    of_whole = any(is_of_whole_with(name, wanted) for name in (*row.headings[-1:], row.label))
    return of_whole or is_of_another(row.label, wanted) or _leaves_out(whole_name, wanted)


def _known_words(row: Row, column: Column, wanted: WantedLine, asked: frozenset[str]) -> frozenset[str]:
    """Return the words that a row may bear beside those asked for."""
    known = wanted.company | wanted.spoken | NEUTRAL | PERIOD_WORDS
    known |= _joined(" ".join((*row.headings, row.label, head_text(column))), asked)
    heading = stems_of(" ".join(row.headings[-1:]))
    is_total = stems_of(row.label) - NEUTRAL <= heading and len(heading - known - asked) <= 1
    known |= heading if is_total else frozenset()  # `Total nominal payments volume` below `Nominal payments volume`
    return (
        known | words_of_qualifiers(told_by_rows(wanted.qualifiers)) | (GROWTH_WORDS if wanted.growth else frozenset())
    )


def _figure(table: FiledTable, row: Row, at: int, cell: TableCell, wanted: WantedLine) -> tuple[float, str]:
    """Return the figure and unit of a cell: one without a unit is a count where one is asked for."""
    column = table.columns[at]
    value, unit = cell_figure(table, row, column, cell)
    if unit == "" and wanted.kind in ("count", "any") and asks_for_count(wanted.phrase):
        return printed_number(cell.text) * row.scale_in(column), "count"
    return value, unit


def _covering(asked: frozenset[str], places: Sequence[tuple[frozenset[str], float]], told: _WordWeights) -> float:
    """Return how near to a row the words asked for stand, by how much each tells; 1 where none is asked for."""
    if not asked:
        return 1.0
    weights = {word: next(weight for words, weight in places if word in words) for word in asked}
    return sum(weight * told.of(word) for word, weight in weights.items()) / (sum(map(told.of, asked)) or 1.0)


def _leaves_out(name: str, wanted: WantedLine) -> bool:
    """Whether a row leaves something out that the phrase does not, as `Non-U.S.` and `excluding fuel`."""
    left_out = {stem(found.lower()) for found in _LEFT_OUT.findall(name)}
    return bool(left_out - stems_of(wanted.phrase))


def _spare(told: _WordWeights, words: frozenset[str], known: frozenset[str]) -> float:
    """Return how much those words tell that nothing asks for."""
    rest = (word for word in words - known if len(word) > 1 and not re.fullmatch(r"\d{1,2}|(?:19|20)\d\d", word))
    return sum(map(told.of, rest))


def _of_description(told: _WordWeights, label: str, asked: frozenset[str]) -> float:
    """Return how much the further words of a label count: little after a rare name, which they describe.

    As in `Eliquis alliance revenues and direct sales Nonvalvular atrial fibrillation`.
    """
    words = [found for word in words_of(label.lower()) for found in stems_of(word)][: len(asked)]
    begins = bool(asked) and frozenset(words) == asked and min(map(told.of, asked)) >= _RARE
    return _DESCRIBED if begins else 1.0


def _totals(rows: Sequence[Row]) -> tuple[dict[int, frozenset[str]], frozenset[int]]:
    """Return the words of the total that rows are parts of, by the number of the row, and the first parts of bare ones.

    A row is a part of a total where the table shows the sum.
    """
    found: dict[int, frozenset[str]] = {}
    bare: set[int] = set()
    for number, row in enumerate(rows):
        if not re.match(r"(?i)\W*total\b", row.label):
            continue
        words = stems_of(row.label) - NEUTRAL
        for first in range(number - 2, max(-1, number - 1 - _MOST_PARTS), -1):
            if _adds_up(rows[first:number], row):
                found |= {part: words for part in range(first, number) if words and part not in found}
                bare |= set() if words else {first}
                break
    return found, frozenset(bare)


def _adds_up(parts: Sequence[Row], total: Row) -> bool:
    for at, cell in enumerate(total.cells):
        values = [part.cells[at] for part in parts]
        if cell is None or not cell.value or any(value is None or value.value is None for value in values):
            continue
        added = math.fsum(value.value or 0.0 for value in values if value is not None)
        return math.isclose(added, cell.value, rel_tol=SAME)
    return False


def _measure_words(
    document: SourceDocument,
    table: FiledTable,
    row: Row,
    at: int,
    cell: TableCell,
    wanted: WantedLine,
    subject: Row | None,
) -> frozenset[str] | None:
    """Return the words that name the measure wanted; None where nothing names it."""
    column = table.columns[at]
    found = words_of_measure(wanted, row, column, table, document, cell)
    if found is None and subject is not None:
        found = words_of_measure(wanted, subject, column, table, document, cell)
    if found is not None or not wanted.measure:
        return found
    texts = " ".join((row.label, *row.headings[-1:], head_text(column)))
    words = stems_of(wanted.measure)
    return words | stems_of(SHARE_OF.findall(texts)[0]) if words <= _with_margin(texts) else None


def _with_margin(text: str) -> frozenset[str]:
    """Return the words of a text; a figure as a percentage of sales is a margin."""
    return stems_of(text) | (stems_of("margin") if SHARE_OF.search(text) else frozenset())


@lru_cache(maxsize=50_000)
def _with_joined(text: str) -> frozenset[str]:
    """Return the words of a text, and each two neighbours as one: `Optum Health` is also called `OptumHealth`."""
    words = words_of(text.lower())
    return stems_of(text) | stems_of(" ".join(one + other for one, other in pairwise(words)))


@lru_cache(maxsize=50_000)
def _joined(text: str, asked: frozenset[str]) -> frozenset[str]:
    """Return the words of a text that are asked for as one with their neighbour."""
    pairs = pairwise(words_of(text.lower()))
    return frozenset().union(*(stems_of(f"{one} {other}") for one, other in pairs if stems_of(one + other) <= asked))


def _words_of_row(row: Row) -> frozenset[str]:
    return _with_joined(row.label).union(*map(_with_joined, row.headings))


def _tags(document: SourceDocument, table: FiledTable) -> frozenset[str]:
    cells = (cell for row in table.rows for cell in row.cells if cell is not None and cell.fact is not None)
    return frozenset().union(*(tag_words_of(document, cell) for cell in cells))


def _caption(table: FiledTable) -> frozenset[str]:
    """Return the words of a table's heading, or of the words that lead to it; none of a sentence that ended before."""
    if table.title.rstrip().endswith("."):
        return frozenset()
    return stems_of(sentence_before(table)) | name_of_part(table)


@lru_cache(maxsize=20_000)
def _heading_words(text: str) -> frozenset[str]:
    """Return the words of the last lines of a text that are headings by themselves."""
    lines = [line.strip() for line in text.split("\n")]
    headings = [line for line in lines if 0 < len(line.split()) <= _HEADING_LINE and _IS_HEADING.fullmatch(line)]
    return frozenset().union(*map(stems_of, headings[-3:]))


_IS_HEADING = re.compile(r"[A-Z][A-Za-z&'\u2019 -]{2,60}")


def _section(document: SourceDocument, table: FiledTable) -> frozenset[str]:
    """Return the words of the headings above a table on its page, and of the part whose heading it stands under."""
    page = next((page for page in document.pages if page.number == table.page), None)
    above = frozenset[str]() if page is None else _heading_words(page.text[: table.start])
    return above | section_words(table)


class _WordWeights:
    """How much words tell in a document: 1 for a word of one table, near 0 for one of most of them."""

    def __init__(self, document: SourceDocument) -> None:
        self._tables, self._counts = len(document.tables), _counts(document.info.key, document.tables)

    def of(self, word: str) -> float:
        """Return how much a word tells."""
        return max(_LEAST_TOLD, 1 - math.log(max(1, self._counts[word])) / math.log(max(2, self._tables)))


@OfTables
def _counts(tables: Sequence[FiledTable]) -> Counter[str]:
    """Return in how many tables of a document each word stands in labels and headings."""
    words = (frozenset().union(*map(_words_of_row, table.rows)) for table in tables)
    return Counter(word for each in words for word in each)
