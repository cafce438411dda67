"""Words of a headline or a lesson, for rules that look for a few known ones."""

from __future__ import annotations

from collections.abc import Collection, Iterator


def plain_words(text: str) -> str:
    """Return a text in lower case with a space for each mark, and one at both ends.

    A whole word of a text then stands in it as ` word `, the beginning of one as ` beginning`.
    """
    kept = "".join(letter if letter.isalnum() or letter == "_" else " " for letter in text.lower())
    return f" {kept} "


def names_any(text: str, beginnings: Collection[str]) -> bool:
    """Tell whether a word of a text, or several in a row, begins like that; a trailing space stands for its end."""
    words = plain_words(text)
    return any(f" {beginning}" in words for beginning in beginnings)


def tickers_in(text: str, known: Collection[str]) -> set[str]:
    """Return the known tickers that stand in a text, as words of capitals, digits, dots, hyphens and carets."""
    return {word.rstrip(".-") for word in _capitals(text)} & set(known)


def _capitals(text: str) -> Iterator[str]:
    at = 0
    while at < len(text):
        end = _end_of_capitals(text, at) if at == 0 or not _inside_word(text[at - 1]) else at
        if end > at:
            yield text[at:end]
        at = max(end, at + 1)


def _end_of_capitals(text: str, start: int) -> int:
    """Return where a word of capitals that starts here ends; its start where none does."""
    if not (_capital(text[start]) or text[start] == "^"):
        return start
    end = start + 1
    while end < len(text) and (_capital(text[end]) or text[end] in ".-=^"):
        end += 1
    while end > start and end < len(text) and (text[end].isalnum() or text[end] == "_"):
        end -= 1
    return end


def _capital(letter: str) -> bool:
    return "A" <= letter <= "Z" or "0" <= letter <= "9"


def _inside_word(letter: str) -> bool:
    return letter.isalnum() or letter in "_^"
