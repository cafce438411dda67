"""Units of rows that a table's caption does not tell: percentages, ratios and counts, and units that a label states."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tradingagents.retrieval.money import StatedUnit, read_unit

_RATE = re.compile(
    r"(?i)\(\s*%\s*\)|\bper ?cent(?:age)?\b|^\W*%|%\s*$|"
    r"\b(?:tax|interest|growth|occupancy|retention|churn|discount) rates?\W*$"
)
_MARGIN = re.compile(r"(?i)\bmargin\b|\breturn on\b|\byield\b|\brate\b")
_RATIO = re.compile(r"(?i)\bratio\b|\(\s*(?:x|times)\s*\)|\b(?:turns|times covered|turnover \(times\)|multiple)\b")
_COUNT = re.compile(
    r"(?i)^\W*(?:total |average )?(?:number|no\.) of\b"
    r"|^\W*(?:total |average |full-time ){0,3}(?:employees|headcount|staff|FTEs?)\W*$"
    r"|\((?:number|units|count|headcount|FTEs?|days)\)|\bheadcount\b"
    r"|^\W*(?:stores|restaurants|shops|branches|customers|subscribers)\b.{0,20}(?:\bat\b.{0,20}|\(number\))$"
)
PERCENT_EXCEPTED = re.compile(r"(?i)\bexcept\b[^)\n]{0,80}\b(?:percent|ratios?|%)")
"""A caption that excepts percentages or ratios from its scale."""
_LARGEST_PERCENT = 1_000
_LABEL_UNIT = re.compile(r"[(\[]([^()\[\]]{1,40})[)\]]|,\s([^,]{1,30})$")


def unscaled_unit(label: str, values: Sequence[float], *, excepted: bool) -> str:
    """Return the unit of a row that a caption's scale is not meant for: `percent`, `ratio` or `count`; else empty.

    Args:
        label: The row's label.
        values: The sizes of its figures as printed.
        excepted: Whether the caption excepts percentages or ratios: a margin is one, then, if its figures are small.
    """
    largest = max(values, default=0.0)
    if largest <= _LARGEST_PERCENT and (_RATE.search(label) or (excepted and _MARGIN.search(label))):
        return "percent"
    if largest <= _LARGEST_PERCENT and _RATIO.search(label):
        return "ratio"
    return "count" if _COUNT.search(label) else ""


def stated_in_label(label: str) -> StatedUnit:
    """Return the currency and scale that a row's own label states: `Revenue (RMB million)`; nothing for most rows."""
    for found in _LABEL_UNIT.finditer(label):
        unit = read_unit(found[1] or found[2])
        if unit.currency:
            return unit
    return StatedUnit()
