"""What else rows may say for the words of a question: the whole of a line, a home market, a short name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tradingagents.retrieval.lines.cells.cell_units import asks_for_count
from tradingagents.retrieval.lines.cells.found_cells import CellKind
from tradingagents.retrieval.lines.row_cells import words_of_name
from tradingagents.retrieval.lines.wording import asked_words
from tradingagents.retrieval.models import SourceDocument

_OF_WHOLE = re.compile(r"\b(?:global|worldwide|overall|total company|total|consolidated)\b")
OF_WHOLE_ROW = re.compile(r"(?i)\b(?:totals?|worldwide|global|consolidated|overall)\b")
_HOME = "united states"


_EXPENSE = re.compile(r"(?P<what>[a-z][a-z &-]{3,40}) (?:expenses?|costs?|spending)")
_OF_EXPENSES = re.compile(
    r"(?i)^(?!.{0,200}\b(?:compensation|restructuring|tax|taxes|deferred|acquisition)\b).{0,200}\b(?:expenses?|costs?)\b"
)
"""What a row or its heading says that is an expense by itself, and no share of another one in it."""
_ANY = re.compile("")
_PER_SHARE = re.compile(r"(?i)\b(?:per|a) share\b(?! of\b)")


def said_otherwise(phrase: str) -> Iterator[tuple[str, str, re.Pattern[str]]]:
    """Yield what else rows may say for a phrase, with a note on it, and what the row or its heading has to say then.

    `Humira global` is the row `Total` below `Humira`; `U.S. stores` may be `Domestic stores`; `marketing expense` is
    the row `Marketing` below `Operating expenses`.
    """
    if _OF_WHOLE.search(phrase) and (rest := " ".join(_OF_WHOLE.sub(" ", phrase).split())):
        yield rest, "", OF_WHOLE_ROW
    if expense := _EXPENSE.fullmatch(phrase):
        yield expense["what"], "", _OF_EXPENSES
    if re.search(rf"\b{_HOME}\b", phrase):
        yield (
            phrase.replace(_HOME, "domestic"),
            "{0!r} is taken as what its filings call domestic, for the United States.",
            _ANY,
        )


def kind_of_phrase(phrase: str, question: str) -> CellKind:
    """Return what the cells of a row are to hold that only its name tells."""
    if _PER_SHARE.search(asked_words(question.lower())):
        return "per_share"
    if asks_for_count(phrase):
        return "count"
    return "money" if _is_called_expense(phrase, question) else "any"


def _is_called_expense(phrase: str, question: str) -> bool:
    """Return whether a question calls what a phrase names an expense, as `marketing` in `Visa's marketing expense`."""
    name = r"\W+".join(map(re.escape, phrase.split()))
    return bool(phrase) and bool(re.search(rf"(?i)\b{name} (?:expenses?|costs?|spending)\b", question))


_SHORT_NAME = r"\s*\([\"\u201c]?([A-Z][A-Za-z]{1,6})[\"\u201d]?\)"
"""A short name in brackets after the full one, as `Frito-Lay North America (FLNA)`."""
_FEWEST_WORDS = 2
"""Words of a name that a filing shortens."""


def short_name(documents: Sequence[SourceDocument], phrase: str, company: frozenset[str]) -> str:
    """Return the short name that filings give to what a phrase names; empty where they give none, or several.

    A phrase that is the end of a longer name, as `Asset Management` of `Global Asset Management (GAM)`, names something
    else, unless the company's own name stands before it.
    """
    words = re.findall(r"[\w'-]+", phrase)
    if len(words) < _FEWEST_WORDS:
        return ""
    name = r"[^A-Za-z0-9(]{1,8}(?:and )?".join(map(re.escape, words))
    pattern = re.compile(rf"(?:\b([A-Z]\w+)[ -])?(?i:\b{name}){_SHORT_NAME}")
    for document in documents:
        pairs = {match for page in document.pages for match in pattern.findall(page.text)}
        found = {short for before, short in pairs if not before or words_of_name([before]) <= company}
        if pairs:
            return found.pop() if len(found) == 1 and len(pairs) == 1 else ""
    return ""


_ABBREVIATION = re.compile(r"[a-z](?:&?[a-z]){1,4}")
_SKIPPED = frozenset({"and", "of", "the", "for", "in", "to", "&"})
"""Words that give an abbreviation no letter."""
_MOST_OF_NAME = 6
_CAPITALISED = re.compile(r"[A-Z][\w'-]*(?:(?:,? (?:and |& |of |the |for )?)[A-Z][\w'-]*){1,5}")


def long_names(documents: Sequence[SourceDocument], phrase: str, company: str) -> Iterator[str]:
    """Yield a phrase with an abbreviation in it written out, as its filings do: `BCA` is `Commercial Airplanes`.

    A filing writes it in brackets after the name, or has one name of rows with these initials. The first letter may be
    that of the company.
    """
    for word in phrase.split():
        if _ABBREVIATION.fullmatch(word) is None:
            continue
        letters = word.replace("&", "")
        own = letters[1:] if company[:1].lower() == letters[0] and len(letters) > 2 else letters
        names = _defined(documents, letters, own) or _with_initials(documents, letters, own)
        if len(names) == 1:
            (name,) = names
            yield " ".join(name if each == word else each for each in phrase.split())


def _defined(documents: Sequence[SourceDocument], letters: str, own: str) -> set[str]:
    """Return the names after which filings write an abbreviation in brackets."""
    pattern = re.compile(rf"(?P<before>[A-Z][^.;:()\n]{{3,80}}?)\s*\([\"\u201c]?{letters.upper()}[\"\u201d]?\)")
    found = {
        name
        for document in documents
        for page in document.pages
        for match in pattern.finditer(page.text)
        if (name := _last_name(match["before"], letters, own))
    }
    return {name for name in found if not any(other != name and name.endswith(other) for other in found)}


def _last_name(before: str, letters: str, own: str) -> str:
    """Return the last words of a text whose initials are an abbreviation, or it without the company's letter."""
    words = re.findall(r"[\w'&]+", before.replace("-", " "))
    for count in range(1, min(_MOST_OF_NAME, len(words)) + 1):
        last = words[-count:]
        if last[0][0].isupper() and _initials(last) in (letters, own) and len(last) > 1:
            return " ".join(last).lower()
    return ""


def _with_initials(documents: Sequence[SourceDocument], letters: str, own: str) -> set[str]:
    """Return the names of rows and headings that have the letters of an abbreviation as their initials."""
    names = {
        text.strip(" :")
        for document in documents
        for table in document.tables
        for row in table.rows
        for text in (row.label, *row.headings[-1:])
        if text[:1].lower() in (letters[0], own[0]) and _CAPITALISED.fullmatch(text.strip(" :"))
    }
    found = {name.lower() for name in names if _initials(re.findall(r"[\w']+", name)) in (letters, own)}
    return {name for name in found if len(name.split()) > 1}


def _initials(words: Sequence[str]) -> str:
    return "".join(word[0].lower() for word in words if word.lower() not in _SKIPPED)
