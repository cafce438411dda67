"""The words of rows, headings, heads of columns and titles, as a question's words are compared with them."""

from __future__ import annotations

import re
from functools import lru_cache

from tradingagents.retrieval.index.words import stem, words_of
from tradingagents.retrieval.lines.wording import row_words
from tradingagents.retrieval.models import Column, FiledTable, Row, SourceDocument, TableCell

SHORT_TITLE = 8
"""Words of a heading; a longer text before a table is a sentence."""


NEUTRAL = frozenset(
    map(
        stem,
        [
            "total",
            "net",
            "the",
            "of",
            "and",
            "a",
            "an",
            "in",
            "for",
            "our",
            "segment",
            "segments",
            "worldwide",
            "consolidated",
            "company",
            "business",
            "group",
            "amount",
            "amounts",
            "inc",
            "from",
            "to",
            "by",
            "s",
            "basis",
            "at",
            "period",
            "on",
            "with",
            "through",
            "within",
            "or",
            "including",
            "calendar",
            "external",
            "end",
        ],
    )
)
"""Words of a label that say nothing that a question would have to name. A place such as `U.S.` is none of them."""


OF_ALL = frozenset(
    map(
        stem,
        [
            "results",
            "operations",
            "summary",
            "financial",
            "selected",
            "data",
            "highlights",
            "statements",
            "income",
            "continued",
        ],
    )
)
"""Words of a title that name no part of a company."""


PERIOD_WORDS = frozenset(
    map(
        stem,
        [
            "year",
            "years",
            "ended",
            "ending",
            "fiscal",
            "three",
            "six",
            "nine",
            "twelve",
            "months",
            "quarter",
            "quarters",
            "january",
            "february",
            "march",
            "april",
            "may",
            "june",
            "july",
            "august",
            "september",
            "october",
            "november",
            "december",
            "jan",
            "feb",
            "mar",
            "apr",
            "jun",
            "jul",
            "aug",
            "sep",
            "sept",
            "oct",
            "nov",
            "dec",
            "as",
            "at",
            "of",
            "the",
            "in",
            "millions",
            "thousands",
            "billions",
            "except",
            "per",
            "share",
            "data",
            "amounts",
            "percentages",
            "dollars",
            "and",
            "first",
            "second",
            "third",
            "fourth",
            "q1",
            "q2",
            "q3",
            "q4",
            "fy",
            "unaudited",
            "ratios",
            "weeks",
            "week",
            "note",
            "notes",
        ],
    )
)


SAYS = re.compile(
    r"(?i)\b(?:following|below|tables?|summar\w+|presents?|represents?|shows?|shown|follows|consolidated)\b|:\s*$"
)


ASIDE = re.compile(r"\((?:loss(?:es)?|income|benefit|expense|unaudited|(?:u\.s\. )?gaap)\)")
"""What a label says in brackets of its sign or its basis."""


UNITED_STATES = re.compile(r"\bu\.s\.?(?!\w)|(?<=\s)us\b")


CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


@lru_cache(maxsize=100_000)
def stems_of(text: str) -> frozenset[str]:
    """Return the stems of the words of a text of a table, or of a phrase that is looked for in tables."""
    plain = re.sub(r"\([^()]{1,3}\)", " ", text.lower().replace("\u2019", "'"))
    plain = row_words(UNITED_STATES.sub("united states", ASIDE.sub(" ", plain)))
    return frozenset(stem(word) for word in words_of(plain) if word not in ("of", "and", "the", "for", "in"))


@lru_cache(maxsize=20_000)
def text_without_period(header: str) -> str:
    """Return a head without the words of its period."""
    text = re.sub(r"\([^()]*\b(?:in |except)[^()]*\)?", " ", header, flags=re.IGNORECASE).replace("/", " ")
    return " ".join(word for word in text.split() if not is_period_word(word))


def is_period_word(word: str) -> bool:
    """Return whether a word says a period."""
    plain = re.sub(r"[^a-z\d]", "", word.lower())
    return not plain or (plain.isdigit() and len(plain) in (1, 2, 4)) or stem(plain) in PERIOD_WORDS


def head_text(column: Column) -> str:
    """Return the head of a column without what it says of its period."""
    return text_without_period(column.header)


def head_words(column: Column) -> frozenset[str]:
    """Return the stems of the words of the head of a column, without those of its period."""
    return stems_of(head_text(column))


def column_words(table: FiledTable) -> frozenset[str]:
    """Return the stems of the words of the heads of all columns."""
    return frozenset().union(*map(head_words, table.columns)) if table.columns else frozenset()


def short_title_words(table: FiledTable) -> frozenset[str]:
    """Return the words of a title that is a heading by itself, such as the name of the segment that a table is of."""
    return stems_of(table.title) if len(table.title.split()) <= SHORT_TITLE else frozenset()


def title_words(table: FiledTable) -> frozenset[str]:
    """Return the stems of the last words of a title."""
    return stems_of(table.title[-160:])


def section_words(table: FiledTable) -> frozenset[str]:
    """Return the words of the part of the company under whose heading a table stands."""
    return stems_of(table.section)


def sentence_words(table: FiledTable) -> frozenset[str]:
    """Return the words of the sentence just before a table, which says what it shows."""
    return stems_of(sentence_before(table))


def sentence_before(table: FiledTable) -> str:
    """Return the sentence just before a table."""
    return re.split(r"(?<!\bU\.S)[.;]\s", table.title[-160:].rstrip(" .:;"))[-1]


def name_of_part(table: FiledTable) -> frozenset[str]:
    """Return the words of a title that names a part of the company; none of one that says what the table shows."""
    title = table.title.rstrip(" :") if len(table.title.split()) <= NAME_WORDS else table.title
    return frozenset() if SAYS.search(title) else short_title_words(table)


NAME_WORDS = 4
"""Words of a title that is a name even where a colon follows it, such as `Rest of World:`."""


def table_words(table: FiledTable) -> frozenset[str]:
    """Return the stems of all words of a table."""
    words = title_words(table) | column_words(table)
    return words.union(*(stems_of(" ".join((row.label, *row.headings))) for row in table.rows))


def concept_text(document: SourceDocument, cell: TableCell) -> str:
    """Return the words of the concept with which a cell is tagged; empty for a cell without a tag."""
    if cell.fact is None:
        return ""
    return " ".join(CAMEL.split(document.facts[cell.fact].concept.rpartition(":")[2])).lower()


def tag_words_of(document: SourceDocument, cell: TableCell) -> frozenset[str]:
    """Return the words of the members with which a cell is tagged."""
    if cell.fact is None:
        return frozenset()
    members = document.facts[cell.fact].dimensions.values()
    text = " ".join(" ".join(CAMEL.split(member.rpartition(":")[2].removesuffix("Member"))) for member in members)
    words = stems_of(text)
    # A member such as `ServiceOther` is what is left beside the others, and not services.
    return frozenset() if "other" in words else words


def tag_words(document: SourceDocument, row: Row) -> frozenset[str]:
    """Return the words of the members with which the first tagged cell of a row is tagged."""
    first = next((cell for cell in row.cells if cell is not None and cell.fact is not None), None)
    return frozenset() if first is None else tag_words_of(document, first)


FIGURE_WORDS = frozenset(
    map(
        stem,
        [
            "revenues",
            "sales",
            "net",
            "operating",
            "income",
            "loss",
            "earnings",
            "profit",
            "gross",
            "cost",
            "interest",
            "taxes",
            "before",
            "ebit",
            "adjusted",
        ],
    )
)
"""Words of rows that name a figure rather than a part of a company."""
