"""Cuts documents into passages: of a page, or of what a speaker says in a call."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tradingagents.retrieval.models import SourceDocument

MOST_CHARACTERS = 1000
CALL_OVERLAP = 200
"""Characters that two passages of a speaker's turn share."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A passage of a document."""

    page: int
    start: int
    end: int
    item: str = ""
    """Item of the filing in which it begins."""
    speaker: str = ""


def passages_of(document: SourceDocument) -> list[Passage]:
    """Cut a document into passages: a call by its turns with an overlap, anything else page by page at line ends."""
    if document.turns:
        return [
            Passage(turn.place.page, turn.place.start + start, turn.place.start + end, speaker=turn.speaker)
            for turn in document.turns
            for start, end in cut(document.text(turn.place), CALL_OVERLAP)
        ]
    items = sorted((section.first_page, section.first_offset, section) for section in document.sections)
    found = []
    for page in document.pages:
        for start, end in cut(page.text):
            item = ""
            for first_page, first_offset, section in items:
                last = (section.last_page, section.last_offset)
                if (first_page, first_offset) <= (page.number, max(start, first_offset)) and (
                    page.number,
                    start,
                ) < last:
                    item = section.item
            found.append(Passage(page.number, start, end, item))
    return found


def cut(text: str, overlap: int = 0) -> Iterator[tuple[int, int]]:
    """Yield the start and end of passages of at most `MOST_CHARACTERS`, cut at a line, sentence or word where possible.

    Args:
        overlap: Characters that a passage repeats of the one before, fewer where a word would be cut.
    """
    start = 0
    while start < len(text):
        end = min(start + MOST_CHARACTERS, len(text))
        if end < len(text):
            least = start + MOST_CHARACTERS // 2
            breaks = (text.rfind(mark, least, end) + len(mark) for mark in ("\n", ". ", " "))
            end = next((at for at in breaks if at > least), end)
        yield start, end
        if end == len(text):
            return
        again = text.find(" ", end - overlap, end) + 1 if overlap else 0
        start = again if again > start else end
