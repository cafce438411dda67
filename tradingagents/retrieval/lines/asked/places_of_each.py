"""A place that a question says once, after the last of several things, and means of each of them."""

from __future__ import annotations

import re
from dataclasses import replace

from tradingagents.retrieval.lines.asked.asked_labels import MEASURED, TOTAL, AskedLabels

_SAID_LAST = re.compile(r"(?<=\w )(?:non-united states|united states|international|worldwide|domestic)$")
"""Places that are no end of a name, as those of `Beverages North America` are."""
_ANY_PLACE = re.compile(
    r"\b(?:states|international|worldwide|global|domestic|foreign|world|americas?|europe\w*|asia|pacific|china|japan"
    r"|canada|africa|india|kingdom|mexico|north|south)\b"
)


def with_place_of_each(found: AskedLabels, rest: str) -> AskedLabels:
    """Return labels with the place of the last one said of each, as in `the rings or gowns U.S. sales`.

    Args:
        found: The labels of a question.
        rest: The text that they were read in.

    Returns:
        The same labels where another one has a place too, where each has a figure of its own named beside it, or where
        none follows: `sales of Rings and Orbital U.S.` may name a part so called.
    """
    listed = found.alternatives or tuple(label for _, label in found.own)
    place = _SAID_LAST.search(listed[-1]) if len(listed) > 1 else None
    others = listed[:-1]
    figures = re.findall(rf"{re.escape(MEASURED)}+", rest)
    if place is None or len(figures) != 1 or f"{place.group()} {MEASURED}" not in rest:
        return found
    if any(_ANY_PLACE.search(other) or other == TOTAL for other in others):
        return found
    placed = {other: f"{other} {place.group()}" for other in others}
    return replace(
        found,
        labels=tuple(placed.get(label, label) for label in found.labels),
        alternatives=tuple(placed.get(label, label) for label in found.alternatives),
        apart=frozenset(placed.get(label, label) for label in found.apart),
        own=tuple((number, placed.get(label, label)) for number, label in found.own),
    )
