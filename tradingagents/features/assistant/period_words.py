"""How tools write periods and units, and how each language does."""

from __future__ import annotations

import re
from collections.abc import Mapping

_ENGLISH: Mapping[str, tuple[tuple[re.Pattern[str], str], ...]] = {
    "de": (
        (re.compile(r"\bQ(\d) of fiscal (\d{4}) \(to ([\d-]{10})\)"), r"Q\1 des Geschäftsjahrs \2 (bis \3)"),
        (re.compile(r"\bfiscal year (\d{4}) \((?:four quarters )?to ([\d-]{10})\)"), r"Geschäftsjahr \1 (bis \2)"),
        (re.compile(r"(?<=[\d)]) to (?=\d{4}-|Geschäftsjahr|Q\d)"), " bis "),
        (re.compile(r"(?<=\d) points\b"), " Punkte"),
        (re.compile(r"(?<=\d) thousand\b"), " Tausend"),
    ),
    "zh": (
        (re.compile(r"\bQ(\d) of fiscal (\d{4}) \(to ([\d-]{10})\)"), "\\2财年第\\1季度\uff08至\\3\uff09"),
        (re.compile(r"\bfiscal year (\d{4}) \((?:four quarters )?to ([\d-]{10})\)"), "\\1财年\uff08至\\2\uff09"),
        (re.compile("(?<=[\\d\uff09]) to (?=\\d{4})"), " 至 "),
        (re.compile(r"(?<=\d) points\b"), " 个百分点"),
        (re.compile(r"(?<=\d) thousand\b"), " 千"),
    ),
}


def with_periods(language: str, text: str) -> str:
    """Return a value as tools write it with its periods and units in a language; in English as it is."""
    for pattern, own in _ENGLISH.get(language, ()):
        text = pattern.sub(own, text)
    return text
