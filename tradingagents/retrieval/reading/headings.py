"""The headings of a document: lines set in bold, or that stand apart as headings do where print is unknown."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from tradingagents.retrieval.models import DocumentHeading, ItemSection, Page, SourceDocument
from tradingagents.retrieval.reading.items import HeadingLine

LONGEST = 300
LONGEST_PLAIN = 90
MOST_HEADINGS = 2_000
MOST_PLAIN_WORDS = 12
RUNNING = 4
"""Pages on which a line stands from which it is a running header and no heading."""
_FOLLOWED = 150
"""Characters of a paragraph from which the line before it is taken for its heading."""
_LETTERS = re.compile(r"[A-Za-z]{3,}")
_FIGURES = re.compile(r"\d(?:[\d,.]{0,30}\)?%?)$|\.{4,}")
_GROUP = re.compile(r"^risks?\b|\brisks? (?:related|relating|associated|of|from)\b|\brisks?$", re.IGNORECASE)


def read_headings(lines: Sequence[HeadingLine]) -> tuple[DocumentHeading, ...]:
    """Return the headings of a document in order; table rows and running headers are none.

    Args:
        lines: Its lines. Where none is bold, as in PDF and plain text, short lines that begin with a capital and end
            without punctuation are taken.
    """
    bold = any(line.bold and not line.in_table for line in lines)
    likely = [line for line in lines if not line.in_table and not line.link and _reads_as_heading(line, bold=bold)]
    pages = Counter((line.text.strip().lower()) for line in likely)
    found = [
        DocumentHeading(line.text.strip(), line.page, line.offset, line.offset + len(line.text.strip()))
        for line in likely
        if pages[line.text.strip().lower()] < RUNNING
    ]
    return tuple(found[:MOST_HEADINGS])


def _reads_as_heading(line: HeadingLine, *, bold: bool) -> bool:
    text = line.text.strip()
    if not _LETTERS.search(text) or _FIGURES.search(text):
        return False
    if bold:
        return line.bold and len(text) <= LONGEST
    words = text.split()
    short = len(text) <= LONGEST_PLAIN and len(words) <= MOST_PLAIN_WORDS
    return short and text[0].isupper() and text[-1] not in ".,;:"


def risk_factors(document: SourceDocument) -> tuple[DocumentHeading, ...]:
    """Return the risk factors that a report names, in the order of their importance.

    A factor is a heading that is a sentence of its own, above its paragraph. Companies put the weightiest first within
    each group, such as "Risks related to our business": the first of each group comes first, then the second of each.
    """
    # A 20-F has them in Item 3.D, a 10-Q in Part II.
    wanted = ("3",) if document.info.form.startswith("20-F") else ("1A", "II-1A")
    item = next((section for section in document.sections if section.item in wanted), None)
    if item is None:
        return ()
    groups: list[list[DocumentHeading]] = [[]]
    for page in document.pages[item.first_page : item.last_page + 1]:
        for line, start, following in _lines(page, item):
            if _is_factor(line, following):
                groups[-1].append(DocumentHeading(line, page.number, start, start + len(line)))
            elif _GROUP.search(line) and len(line) <= LONGEST_PLAIN and groups[-1]:
                groups.append([])
    longest = max(map(len, groups))
    return tuple(group[place] for place in range(longest) for group in groups if place < len(group))


def _lines(page: Page, item: ItemSection) -> list[tuple[str, int, str]]:
    """Return the lines of an item on a page, where each begins, and the line after each."""
    first = item.first_offset if page.number == item.first_page else 0
    last = item.last_offset if page.number == item.last_page else len(page.text)
    found, at = [], 0
    for line in page.text.split("\n"):
        if first <= at < last and line.strip():
            found.append((line.strip(), at + len(line) - len(line.lstrip())))
        at += len(line) + 1
    following = [*(line for line, _ in found[1:]), ""]
    return [(line, start, after) for (line, start), after in zip(found, following, strict=True)]


def _is_factor(line: str, following: str) -> bool:
    """Tell whether a line is one sentence above a paragraph."""
    sentence = line[0].isupper() and line.endswith(".") and ". " not in line and len(line.split()) >= 5
    return sentence and len(line) <= LONGEST and len(following) >= max(_FOLLOWED, len(line))
