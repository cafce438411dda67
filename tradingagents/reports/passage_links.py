"""Addresses that open a document at a passage."""

from __future__ import annotations

from urllib.parse import quote

FRAGMENT_WORDS = 4
"""Words of a passage by which a browser finds it in its document."""


def passage_link(url: str, page: int | None, text: str, found_by: str = "") -> str:
    """Return an address that opens a document at a passage; empty where the document has none on the web.

    Args:
        url: Of the document.
        page: Of the passage, counted from 0; None where it is not known.
        text: The passage.
        found_by: Words of the passage to open it at; empty: its first words.
    """
    if not url.startswith(("https://", "http://")):
        return ""
    if "#" in url:
        return url
    if url.lower().endswith(".pdf"):
        return url if page is None else f"{url}#page={page + 1}"
    words = found_by or _first_words(text)
    return f"{url}#:~:text={quote(words, safe='').replace('-', '%2D')}" if words else url


def _first_words(text: str) -> str:
    lines = (line.split() for line in text.splitlines())
    return " ".join(next((words for words in lines if len(words) >= FRAGMENT_WORDS), [])[:FRAGMENT_WORDS])
