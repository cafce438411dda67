"""What is left out where that only explains the basis: `adjusted EPS, i.e. excluding litigation and restructuring`.

The figure on that basis answers the question where its filing says that the basis leaves out what the question names:
in the table that leads from the reported figure to it, or in a sentence below the row.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from tradingagents.retrieval.lines.company_books import LineBooks
from tradingagents.retrieval.lines.line_answer import LineAnswer
from tradingagents.retrieval.lines.line_questions import AskedMeasure, LineQuestion, Qualifier, qualifiers_in
from tradingagents.retrieval.lines.rows.label_words import NEUTRAL, stems_of
from tradingagents.retrieval.models import SourceDocument, TextPlace

_BASES: frozenset[Qualifier] = frozenset({"adjusted", "core"})
_SAME_STORE = re.compile(r"\bsame-store\b")
_IN_GENERAL = re.compile(
    r"(?:all |certain |the )?(?:special|specified|identified|unusual|one-offs?|one-time|non-?recurring|exceptional"
    r"|non-?gaap|extraordinary)(?: (?:items?|charges?|costs?|adjustments?|effects?))?"
)
"""What an adjusted figure leaves out by its name."""
_SAYS_NOTHING = stems_of(
    "stuff things items charges costs effects impact adjustment adjustments related expense expenses payments"
)
_EXCLUDES = re.compile(r"(?i)\b(?:exclud\w+|adjusted for|without)\b")
_DENIED = re.compile(r"(?i)\b(?:not|no longer|never|nor)\b")
_SENTENCE = re.compile(r"(?<=[.;])\s|\n(?=\(\d)|\n(?=[A-Z\u2022\u201c])")
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")


def says_basis(asked: LineQuestion) -> bool:
    """Return whether a question leaves something out beside a basis that leaves something out too."""
    return bool(asked.excluded) and bool(_BASES & set(asked.qualifiers) or _SAME_STORE.search(" ".join(asked.labels)))


def without_explanation(asked: LineQuestion) -> LineQuestion:
    """Return a question without what it leaves out."""

    def plain(measure: AskedMeasure) -> AskedMeasure:
        return replace(measure, qualifiers=tuple(name for name in measure.qualifiers if name != "excluding"))

    qualifiers = tuple(name for name in asked.qualifiers if name != "excluding")
    return replace(asked, excluded="", qualifiers=qualifiers, measures=tuple(map(plain, asked.measures)))


def with_explanation(asked: LineQuestion, answer: LineAnswer, companies: Sequence[LineBooks]) -> LineAnswer | None:
    """Return an answer on a basis with a note on what that leaves out; None where its filings do not say so.

    Args:
        asked: The question, with what it leaves out.
        answer: The answer to it without that.
        companies: Their filings.
    """
    notes: dict[str, None] = {}
    for value in answer.values:
        books = next(books for books in companies if books.name == value.company)
        for operand in value.operands:
            document = _document(books, operand.place)
            if document is None or not _is_explained(asked, document, operand.place):
                return None
            notes[f"{operand.label} of {document.info.name} leaves out {asked.excluded}, as it says."] = None
    return answer.model_copy(update={"question": asked.text, "notes": (*answer.notes, *notes)})


def _document(books: LineBooks, place: TextPlace | None) -> SourceDocument | None:
    info = next((info for info in books.infos if place is not None and info.key == place.document), None)
    return None if info is None else books.readable(info)


def _is_explained(asked: LineQuestion, document: SourceDocument, place: TextPlace | None) -> bool:
    """Whether a filing says that all named is left out, in a table that leads to the basis or in a sentence."""
    parts = [_YEAR.sub(" ", part).strip() for part in asked.excluded.split(" and ")]
    adjusted = bool(_BASES & set(asked.qualifiers))
    said = [*_sentences(document, place), *(_rows(document) if adjusted else ())]
    for part in parts:
        words = stems_of(part) - NEUTRAL - _SAYS_NOTHING
        if adjusted and _IN_GENERAL.fullmatch(part):
            continue
        if not words or not any(words <= each for each in said):
            return False
    return True


def _rows(document: SourceDocument) -> Iterator[frozenset[str]]:
    """Yield the words of the rows of every table that leads to a row on the basis."""
    for table in document.tables:
        if any(_BASES & qualifiers_in(row.label.lower()) for row in table.rows):
            for row in table.rows:
                if not qualifiers_in(row.label.lower()):
                    yield stems_of(" ".join((*row.headings[-1:], row.label)))


def _sentences(document: SourceDocument, place: TextPlace | None) -> Iterator[frozenset[str]]:
    """Yield the words of the sentences on the page of a row that say what is left out."""
    page = next((page for page in document.pages if place is not None and page.number == place.page), None)
    for sentence in _SENTENCE.split(page.text) if page is not None else ():
        if (found := _EXCLUDES.search(sentence)) and not _DENIED.search(sentence):
            yield stems_of(sentence[found.end() :])
