"""Check an item of evidence against its source: the quotation stands there, and the figure stands in the quotation."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from tradingagents.provenance.numbers import read_numbers
from tradingagents.schemas.evidence import EvidenceItem

LEAST_WORDS = 3
"""A quotation of fewer words is no evidence: it stands in nearly every source."""
_TYPOGRAPHY = str.maketrans(
    {"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"', "\u2010": "-", "\u2011": "-", "\u2013": "-",
     "\u2014": "-", "\u2212": "-", "\u00ad": None, "\u200b": None}
)  # fmt: skip


def stands_in(quote: str, source: str) -> bool:
    """Return whether a quotation stands word for word in a source.

    White space, typographic quotation marks and dashes may differ, because readers of HTML and PDF change them. Words,
    figures, signs and capitals may not. The quotation begins and ends at a word: `12 %` does not stand in `112 %`.
    """
    wanted, text = _plain(quote), _plain(source)
    start = text.find(wanted) if wanted else -1
    while start >= 0:
        if _at_boundaries(text, start, start + len(wanted)):
            return True
        start = text.find(wanted, start + 1)
    return False


def faults_of(item: EvidenceItem, source: str) -> list[str]:
    """Return why an item is no evidence; empty where it is.

    Args:
        source: The whole text of the source that it names.
    """
    faults = []
    if len(item.quote.split()) < LEAST_WORDS:
        faults.append(f"the quotation has fewer than {LEAST_WORDS} words")
    if not stands_in(item.quote, source):
        faults.append("the quotation does not stand in the source")
    if item.figure is not None and not has_figure(item.quote, item.figure):
        faults.append(f"the figure {item.figure:g} does not stand in the quotation")
    unquoted = [
        number.value for number in read_numbers(item.claim) if not _among(number.value, number.half, item.quote)
    ]
    if unquoted:
        faults.append(
            f"the claim has figures that its quotation lacks: {', '.join(f'{figure:g}' for figure in unquoted)}"
        )
    return faults


def has_figure(text: str, figure: float) -> bool:
    """Return whether a figure stands in a text: unscaled, as a percentage of a fraction, or in brackets as negative."""
    return _among(figure, 0.0, text) or _among(100 * figure, 0.0, text, unit="%")


def _among(value: float, half: float, text: str, unit: str | None = None) -> bool:
    for number in read_numbers(text):
        if unit is not None and number.unit != unit:
            continue
        room = max(half, number.half) + abs(value) * 1e-9
        if abs(number.value - value) <= room or (number.bracketed and abs(number.value + value) <= room):
            return True
    return False


@lru_cache(maxsize=64)
def _plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).translate(_TYPOGRAPHY).split())


def _at_boundaries(text: str, start: int, end: int) -> bool:
    before, after = text[start - 1 : start], text[end : end + 1]
    follows = after.isalnum() or (after in (".", ",") and text[end + 1 : end + 2].isdigit() and text[end - 1].isdigit())
    precedes = before.isalnum() or (before in ("-", ".", ",") and text[start].isdigit())
    return not (follows and text[end - 1].isalnum()) and not (precedes and text[start].isalnum())
