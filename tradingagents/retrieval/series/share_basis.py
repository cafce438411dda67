"""Splits that a company's filings tell of: a filing that restates the share counts of earlier periods by a ratio.

Amounts per share of filings before and after a split are in different shares. Accounting rules want every filing after
a split to restate all periods that it shows, so that the first filing that does so parts the two.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from fractions import Fraction

from tradingagents.dataflows.reference.xbrl_tags import PER_SHARE_TAGS, SHARE_TAGS
from tradingagents.retrieval.series.fact import SeriesFact

LEAST_CHANGE = 1.2
"""A restated count that changes by less is no split."""
LARGEST_TERM = 50
"""Splits have ratios such as 3 for 2, 20 for 1 or 1 for 40."""
TOLERANCE = 0.005
"""Relative: counts are restated in thousands or millions."""
ROUNDING = 0.005
"""Amounts per share are stated to the cent."""
LEAST_AMOUNT = 0.4
"""Of a smaller amount per share the cent hides the ratio."""
LEAST_RESTATED = 2
"""Amounts per share of a filing that are restated by a ratio, from which it is a split; one count is enough."""
_OF_SHARES = PER_SHARE_TAGS | {tag for tag in SHARE_TAGS if "WeightedAverage" in tag}


@dataclass(frozen=True, slots=True)
class ShareSplit:
    """A split, by the first filing that restates counts for it."""

    told_at: datetime
    """When that filing was known, UTC."""
    ratio: float
    """Shares after it for one before: 4 for 4-for-1, 0.1 for 1-for-10."""

    @property
    def label(self) -> str:
        """Such as `4-for-1 split`."""
        whole = Fraction(self.ratio).limit_denominator(LARGEST_TERM)
        return f"{whole.numerator}-for-{whole.denominator} split"


def splits_told(
    filings: Sequence[tuple[datetime, Mapping[tuple[date | None, date], Mapping[str, SeriesFact]]]],
) -> tuple[ShareSplit, ...]:
    """Return the splits that restated figures tell of, oldest first.

    Args:
        filings: In order of acceptance: the instant, and the tagged facts by period and tag.
    """
    stated: dict[tuple[str, date | None, date], tuple[float, datetime]] = {}
    found: list[ShareSplit] = []
    for known_at, periods in filings:
        ratios: Counter[float] = Counter()
        for (start, end), facts in periods.items():
            for tag in _OF_SHARES & facts.keys():
                value, before = facts[tag].value, stated.get((tag, start, end))
                stated[tag, start, end] = value, known_at
                if before is None:
                    continue
                known = math.prod(split.ratio for split in found if split.told_at > before[1])
                ratio = _restated_for(tag, before[0], value, known)
                if ratio is not None:
                    ratios[ratio] += 1 if tag in PER_SHARE_TAGS else LEAST_RESTATED
        if ratios and ratios.most_common(1)[0][1] >= LEAST_RESTATED:
            found.append(ShareSplit(known_at, ratios.most_common(1)[0][0]))
    return tuple(found)


def _restated_for(tag: str, before: float, after: float, known: float) -> float | None:
    """Return the split that a restated figure tells of beyond those that are known; None where it tells of none."""
    if tag in PER_SHARE_TAGS:
        if abs(after) < LEAST_AMOUNT or before * after <= 0:
            return None
        return _split_ratio(before / after / known, TOLERANCE + ROUNDING / abs(after))
    if before <= 0 or after <= 0:
        return None
    return _split_ratio(after / before / known, TOLERANCE)


def _split_ratio(change: float, tolerance: float) -> float | None:
    """Return the split that a relative change is; None for any other change."""
    large = max(change, 1 / change)
    if large < LEAST_CHANGE:
        return None
    for term in range(1, 5):
        whole = round(large * term)
        if math.isclose(large * term, whole, rel_tol=tolerance) and whole <= LARGEST_TERM:
            return whole / term if change > 1 else term / whole
    return None
