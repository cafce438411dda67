"""What else rows may say for the words of a question: the whole of a line, a home market, a short name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tradingagents.retrieval.lines.row_cells import words_of_name
from tradingagents.retrieval.models import SourceDocument

_OF_WHOLE = re.compile(r"\b(?:global|worldwide|overall|total company|total|consolidated)\b")
OF_WHOLE_ROW = re.compile(r"(?i)\b(?:totals?|worldwide|global|consolidated|overall)\b")
_HOME = "united states"


def said_otherwise(phrase: str) -> Iterator[tuple[str, str]]:
    """Yield what else rows may say for a phrase, with a note on it; without one the row has to be of the whole.

    `Humira global` is the row `Total` below `Humira`; `U.S. stores` may be `Domestic stores`.
    """
    if _OF_WHOLE.search(phrase) and (rest := " ".join(_OF_WHOLE.sub(" ", phrase).split())):
        yield rest, ""
    if re.search(rf"\b{_HOME}\b", phrase):
        yield (
            phrase.replace(_HOME, "domestic"),
            "{0!r} is taken as what its filings call domestic, for the United States.",
        )


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
