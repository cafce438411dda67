"""Units and scales of tables: "in millions, except per share data", shares, figures per share, percent."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

_PLAIN = r"(?:thousands?|millions?|billions?|000(?:'|’)?s)"
_WORD = f"(?P<word>{_PLAIN})"
_FACTORS = {"thousand": 1e3, "million": 1e6, "billion": 1e9, "000s": 1e3}
_SHARES_IN = re.compile(rf"\bshares?\b(?:(?! per\b)[^.;()]){{0,40}}?\bin {_WORD}", re.IGNORECASE)
_MONEY_IN = re.compile(
    rf"(?:\bin|\bdollars?|\bamounts?|\(|^|\$|\bU\.?S\.? ?\$|,)\s*"
    rf"(?:in\s+)?(?:of\s+)?(?:\$\s*)?{_WORD}\b(?!\s+of\s+shares)",
    re.IGNORECASE,
)
_PER_SHARE = re.compile(
    r"\bper\s+(?:(?:common|ordinary|basic|diluted|class [ab])\s+)*(?:share|unit|ADS)\d{0,2}\b|\bper-share\b|\bEPS\b",
    re.IGNORECASE,
)
_SHARES = re.compile(
    r"\b(?:weighted|average)\b.{0,40}\bshares\b|\bshares\b.{0,20}\b(?:used|outstanding|issued|repurchased|authorized|purchased|granted|vested)\b"
    r"|\bnumber of\b.{0,30}\b(?:shares|RSUs|options|awards)\b|^shares\b"
    r"|\bdilutive\b.{0,30}\b(?:shares?|securities|awards|options)\b|\bdilutive effect\b",
    re.IGNORECASE,
)
_STOCK_ROW = re.compile(
    r"^(?:common|preferred|preference|capital|treasury|class [a-c])\b.{0,20}\b(?:stock|shares)\b", re.IGNORECASE
)
"""A row of equity names numbers of shares, but its figures are amounts."""
_BOTH_IN = re.compile(rf"\b(?:dollars|amounts|\$)\s*(?:and|&)\s*shares in {_WORD}", re.IGNORECASE)
_UNIT_LINE = re.compile(rf"\b(?:in|dollars|amounts)\b.{{0,20}}{_PLAIN}|^\(?\$?\s*{_PLAIN}\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Scales:
    """Factors of a table."""

    money: float = 1.0
    shares: float = 1.0
    stated: bool = False
    """Whether the table or the text above it states a scale."""


def is_unit_line(text: str) -> bool:
    """Tell whether a line states a scale."""
    return len(text) <= 200 and bool(_UNIT_LINE.search(text))


def scales_of(text: str) -> Scales:
    """Read the scales that a text states."""
    if (both := _BOTH_IN.search(text)) is not None:
        return Scales(_factor(both["word"]), _factor(both["word"]), stated=True)
    shares = _SHARES_IN.search(text)
    rest = text if shares is None else text[: shares.start()] + text[shares.end() :]
    money = _MONEY_IN.search(rest)
    if money is None and shares is None:
        return Scales()
    factor = 1.0 if money is None else _factor(money["word"])
    if shares is not None:
        return Scales(factor, _factor(shares["word"]), stated=True)
    excepted = re.search(r"\bexcept\b.*", rest, re.IGNORECASE)
    unscaled = excepted is not None and re.search(
        r"\bshares?\b", re.sub(r"\bper[\s-]+(?:\w+\s+)?shares?\b", " ", excepted[0], flags=re.IGNORECASE), re.IGNORECASE
    )
    return Scales(factor, 1.0 if unscaled else factor, stated=True)


def _factor(word: str) -> float:
    plain = word.lower().replace("'", "").replace("’", "")
    return _FACTORS[plain if plain == "000s" else plain.rstrip("s")]


def unit_of(label: str, headings: Sequence[str]) -> str:
    """Return `USD/share`-like kinds: "share" for figures per share, "shares" for counts, "" for amounts.

    The row's own words decide; else the nearest heading that says something.
    """
    own = () if _STOCK_ROW.search(label) else (label,)
    for text in (*own, *reversed(headings)):
        if _SHARES.search(text) and not re.match(
            r"(?:net )?(?:earnings|income|loss|dividends?)\b", text, re.IGNORECASE
        ):
            return "shares"
        if _PER_SHARE.search(text):
            return "share"
    return ""
