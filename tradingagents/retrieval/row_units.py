"""Units of rows that a table's caption does not tell: percentages, ratios and counts, and units that a label states."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tradingagents.retrieval.money import StatedUnit, read_unit

_RATE = re.compile(
    r"(?i)\(\s*%\s*\)|\bpercentage\b|\bper ?cent (?:of|change)\b|\bper ?cent\W*$|^\W*%|[a-z)]\s*%\s*$"
    r"|\b(?:effective|statutory|average|weighted|tax|growth|occupancy|retention|churn|discount)\b.{0,30}\brates?\W*$"
    r"|\binterest rate\W*$"
)
_MARGIN = re.compile(r"(?i)\bmargin\b|\breturn on\b|\byield\b|\brate\b")
_RATIO = re.compile(r"(?i)\bratio\b|\(\s*(?:x|times)\s*\)|\b(?:turns|times covered|turnover \(times\)|multiple)\b")
_COUNT = re.compile(
    r"(?i)^\W*(?:total |average )?(?:number|no\.) of\b"
    r"|^\W*(?:total |average |full-time ){0,3}(?:employees|headcount|staff|FTEs?)\W*$"
    r"|^\W*(?:total |ending |net ){0,2}(?:unit|store|restaurant|hotel) counts?\b"
    r"|\((?:number|units|count|headcount|FTEs?|days)\)|^\W*(?:period.end |year.end )?headcount\b"
    r"|^\W*(?:stores|restaurants|shops|branches|customers|subscribers)\b.{0,20}(?:\bat\b.{0,20}|\(number\))$"
)
_COUNT_IN_THOUSANDS = re.compile(
    r"(?i)\b(?:connections|additions|subscri(?:bers|ptions)|accounts|customers|members(?:hips)?|units|lines|vehicles)\b"
    r"[^()]{0,40}\(['\u2018\u2019]000s?\)"
)
_COUNT_HEADING = re.compile(
    r"(?i)\W*(?:(?:total |average )?number of [a-z][\w' -]{2,40}|(?:[a-z]+ ){1,2}counts?)"
    r"(?: at .{3,30})?(?:\s?\(\d\))?\W*"
)
"""The heading of rows that count one thing each for a part of the company, as `Unit counts` and `Number of stores`."""
PERCENT_EXCEPTED = re.compile(r"(?i)\bexcept\b[^)\n]{0,80}\b(?:percent|ratios?|%)")
"""A caption that excepts percentages or ratios from its scale."""
_LARGEST_PERCENT = 1_000
_PER_UNIT = re.compile(
    r"(?i)\b(?:revenues?|sales|price|cost|spend(?:ing)?|rate|rent|profit)\b[\w ]{0,30}\bper "
    r"(?!cent\b|year\b|annum\b|month\b|quarter\b)[a-z]"
    r"|\baverage daily rate\b"
)
_LARGEST_PER_UNIT = 100_000
_LABEL_UNIT = re.compile(r"[(\[]([^()\[\]]{1,40})[)\]]|,\s([^,]{1,30})$")


def is_per_unit(label: str, values: Sequence[float]) -> bool:
    """Return whether a row is an amount for one of something, as `Revenue per membership`: no scale is meant for it.

    Args:
        label: The row's label.
        values: The sizes of its figures as printed.
    """
    return _PER_UNIT.search(label) is not None and max(values, default=0.0) < _LARGEST_PER_UNIT


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


def is_count_in_thousands(label: str, heading: str) -> bool:
    """Return whether a row, or the heading that it stands under, counts things in thousands: `Connections ('000)`."""
    return any(_COUNT_IN_THOUSANDS.search(text) is not None for text in (label, heading))


def is_count_of_parts(heading: str) -> bool:
    """Return whether a heading says that the rows under it count something: no scale of money is meant for them."""
    return _COUNT_HEADING.fullmatch(heading) is not None


def stated_in_label(label: str) -> StatedUnit:
    """Return the currency and scale that a row's own label states: `Revenue (RMB million)`; nothing for most rows."""
    for found in _LABEL_UNIT.finditer(label):
        unit = read_unit(found[1] or found[2])
        if unit.currency:
            return unit
    return StatedUnit()


_CENTS = re.compile(r"(?i)(?P<us>\bU\.?S\.? )?\b(?P<cents>cents|pence|sen|öre|øre|fen|paise)\b|\((?P<pence>p)\)")


def stated_in_hundredths(label: str) -> tuple[str, float]:
    """Return the currency and the factor of a figure per share that a label states in cents or pence.

    Returns:
        `USD` and 0.01 for `EPS (US cents)`, no currency and 0.01 for other cents, no currency and 1 for other labels.
    """
    found = _CENTS.search(label)
    if found is None:
        return "", 1.0
    code = "USD" if found["us"] else "GBP" if found["pence"] or found["cents"].lower() == "pence" else ""
    return code, 0.01
