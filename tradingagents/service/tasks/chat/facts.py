"""Texts of a typed result, for rules that read no Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from tradingagents.agents.prompting import shortened

MOST_FACTS = 160
LONGEST_FACT = 200
OPENING = "opening"
"""Sentences that open an answer: they are its short form, so that none is too long or too late."""
PASSAGES = "passages"
"""Quotations from documents: the beginning of each is kept, with its page."""
LONGEST_PASSAGE = 400
BARS = "csv"
"""Bars of prices: at most some sixty lines, kept whole."""
ROW_FIGURES: Mapping[str, frozenset[str]] = {
    "trades": frozenset({"shares", "value"}),
    "events": frozenset({"day_assumed"}),
    "splits": frozenset({"ratio"}),
    "companies": frozenset({"pe_ttm", "ps_ttm", "pb", "ev_ebitda", "fcf_yield"}),
    "payments": frozenset({"amount"}),
    "": frozenset({"split_ratio"}),
}
"""Numbers, and what is true, of rows that rules tell one by one; other numbers are figures of the result. Under the
empty name those of the result itself, where rules ask whether they are known."""
DEEPEST = 4
_LEFT_OUT = frozenset({"source", "known_at", "fetched_at", "markdown", "text", "notes", "inputs"})


def facts_of(result: Mapping[str, Any]) -> dict[str, str]:
    """Return the short texts of a result by their place in it, such as `regime` or `symbols.0.decision.action`."""
    return dict(islice(_texts(result, "", 0), MOST_FACTS))


def _texts(value: Any, place: str, depth: int) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        if value and (len(value) <= LONGEST_FACT or place.startswith(f"{OPENING}.") or place == BARS):
            yield place, value
    elif isinstance(value, Mapping) and depth < DEEPEST:
        # What stands directly in a place comes before what stands deeper: only so many are kept.
        parts = sorted(
            value.items(), key=lambda part: part[0] != OPENING and isinstance(part[1], (Mapping, list, tuple))
        )
        for name, part in parts:
            if place.startswith(f"{PASSAGES}.") and name in ("page", "text"):
                yield f"{place}.{name}", shortened(" ".join(str(part).split()), LONGEST_PASSAGE)
            elif (isinstance(part, float) or part is True) and name in ROW_FIGURES.get(place.partition(".")[0], ()):
                yield f"{place}.{name}" if place else str(name), str(part)
            elif name not in _LEFT_OUT:
                yield from _texts(part, f"{place}.{name}" if place else str(name), depth + 1)
    elif isinstance(value, (list, tuple)) and depth < DEEPEST:
        for number, item in enumerate(value):
            yield from _texts(item, f"{place}.{number}", depth + 1)
