"""The words of a question without marks, accents and endings: what every reader of questions compares.

It imports no library of numbers: log lines are cleared of holdings by its means, at the start of every command.
"""

from __future__ import annotations

import re
import unicodedata

_CJK = "\u3040-\u30ff\u3400-\u9fff"
_BETWEEN_SCRIPTS = re.compile(
    rf"(?<=[{_CJK}])(?=[A-Za-z0-9$])|(?<=[A-Za-z0-9.])(?=[{_CJK}])|(?<=[A-Za-z0-9]) ?(?=[{_CJK}])"
)
IN_CJK = re.compile(f"[{_CJK}]")
_ENDINGS = re.compile(r"'s\b|\b(?:[ldcjmnst]|qu)'")
"""What English and French join to a word by an apostrophe."""
_MARKS = re.compile(r"[^\w&]|_")


def spaced(text: str) -> str:
    """Return a text with blanks between scripts, so that `AAPL的股价` holds the word `AAPL`."""
    return _BETWEEN_SCRIPTS.sub(" ", text)


def plain_words(text: str) -> str:
    """Return a text in small letters without marks, accents and endings joined by an apostrophe."""
    lower = _ENDINGS.sub(" ", spaced(text).lower().replace("\u2019", "'"))
    return " ".join(_MARKS.sub(" ", _without_accents(lower)).split())


def _without_accents(text: str) -> str:
    if text.isascii():
        return text
    return "".join(
        sign if IN_CJK.match(sign) else unicodedata.normalize("NFKD", sign).encode("ascii", "ignore").decode() or sign
        for sign in text
    )
