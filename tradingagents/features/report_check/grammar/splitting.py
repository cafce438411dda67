"""Sentences of a text: where each ends."""

from __future__ import annotations

import re
from collections.abc import Iterator

_SENTENCE_END = re.compile(r"(?<=[.!?])(?<!\b[A-Z]\.)(?:[\"')*_¹²³⁴†‡]|\[\d+\])*\s+(?=[\"'(*_A-Z\d$€£])")
_ABBREVIATED = re.compile(
    r"\b(?:vs|co|corp|inc|ltd|cf|no|pp|ca|op|est|adj|approx|prev|mr|ms|dr|e\.g|i\.e|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\.\s+$",
    re.IGNORECASE,
)
_LONGEST = 1000
"""Characters of a sentence that are read together: time must grow with a text's length only."""


def sentence_ends(line: str) -> Iterator[int]:
    """Yield where sentences end; abbreviations end none, and a long one is cut."""
    start = 0
    ends = [match.end() for match in _SENTENCE_END.finditer(line)]
    for end in [*(end for end in ends if not _ABBREVIATED.search(line, max(0, end - 12), end)), len(line)]:
        while end - start > _LONGEST:
            start = line.rfind(" ", start + 1, start + _LONGEST) + 1 or start + _LONGEST
            yield start
        yield end
        start = end
