"""Format numbers, instants and actions as text, independent of locale."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from functools import lru_cache

from tradingagents.dataflows.reference.metrics import MISSING as MISSING
from tradingagents.dataflows.reference.metrics import Figure
from tradingagents.schemas.cards import CardRecord
from tradingagents.schemas.decision import KeyEvidence, WithStrength


def price(value: float | None) -> str:
    """Format a price: two decimals with thousands separators, four below 1; n/a for none."""
    if value is None or not math.isfinite(value):
        return MISSING
    return f"{value:,.2f}" if abs(value) >= 1 or value == 0 else f"{value:.4f}"


def prices(values: Sequence[float]) -> list[str]:
    """Format each price as `price` does; ordinary ones in one pass."""
    if values and min(values) >= 1 and max(values) < 999:  # two decimals, no thousands separators
        return ("%.2f " * len(values) % tuple(values)).split()
    return [price(value) for value in values]


def volumes(values: Sequence[float]) -> list[str]:
    """Format each volume as `figure` does, without remembering it; ordinary ones in one pass."""
    if values and min(values) >= 1e6 and max(values) < 1e9:
        return ("%.2fM " * len(values) % tuple([value / 1e6 for value in values])).split()
    return [_figure(round(value)) for value in values]


def percent(fraction: float | None, decimals: int = 0) -> str:
    """Format a fraction as a percentage, 0.625 as 62.5% at one decimal; n/a for none."""
    if fraction is None or not math.isfinite(fraction):
        return MISSING
    return f"{fraction * 100:.{decimals}f}%"


def sureness(confidence: float, strength: float | None) -> str:
    """Return how sure a decision is: how strongly fixed rules speak, 0.64; a model's stated confidence, 62%.

    The confidence of rules is their record, which is nearly the same for every decision.
    """
    return percent(confidence) if strength is None else f"{strength:.2f}"


def sureness_name(decisions: Iterable[WithStrength | None]) -> str:
    """Return the heading of a column of `sureness`."""
    ruled = any(decision is not None and decision.strength is not None for decision in decisions)
    return "Strength" if ruled else "Confidence"


def change(percentage: float | None) -> str:
    """Format a return given in percent, with its sign and two decimals: +3.21%; n/a for none."""
    if percentage is None or not math.isfinite(percentage):
        return MISSING
    rounded = round(percentage, 2)
    return f"{rounded:+.2f}%" if rounded else "0.00%"


def points(value: float | None) -> str:
    """Format a change in points with its sign, two decimals and thousands separators; n/a for none."""
    if value is None or not math.isfinite(value):
        return MISSING
    rounded = round(value, 2)
    return f"{rounded:+,.2f}" if rounded else "0.00"


def position(fraction: float | None) -> str:
    """Format a position size as a percentage of equity with up to two decimals; n/a for none."""
    if fraction is None or not math.isfinite(fraction):
        return MISSING
    return f"{fraction * 100:.2f}".rstrip("0").rstrip(".") + "%"


def count(value: float | None) -> str:
    """Format an integer with thousands separators; n/a for none."""
    return MISSING if value is None else f"{value:,.0f}"


@lru_cache(maxsize=4096)
def figure(value: float | None) -> str:
    """Format a figure of the data sheet, which has no units: large ones scaled, at most four decimals."""
    return _figure(value)


def _figure(value: float | None) -> str:
    if value is None or not math.isfinite(value):
        return MISSING
    if abs(value) >= 1e6:
        return Figure("", value).text
    return f"{value:,.4f}".rstrip("0").rstrip(".")


def usd(value: float | None) -> str:
    """Format a cost in USD, four decimals below one dollar; `price unknown` for none."""
    if value is None:
        return "price unknown"
    return f"${value:,.2f}" if value >= 1 or value == 0 else f"${value:.4f}"


def duration(seconds: float) -> str:
    """Format a duration: 8.4 s, 3 min 05 s, 1 h 02 min."""
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest:02d} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60:02d} min"


@lru_cache(maxsize=4096)
def instant(text: str | None) -> str:
    """Format an ISO 8601 instant as `2025-03-14 20:00 UTC`; other text is unchanged, none is n/a."""
    if not text:
        return MISSING
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return text
    if moment.tzinfo is None or len(text) <= len("2025-03-14"):
        return text
    return f"{moment.astimezone(UTC):%Y-%m-%d %H:%M} UTC"


def cutoff(record: CardRecord) -> str:
    """Format the cut-off of a card, with up to when prices are known where news reach further."""
    return f"{instant(record.cutoff)} ({record.known})" if record.known else instant(record.cutoff)


def window(start: str | None, end: str | None) -> str:
    """Format the days of an answer; n/a if it has none."""
    if start and end and start != end:
        return f"{start} to {end}"
    return start or end or MISSING


def action_words(action: str) -> str:
    """Format an action: NO_DECISION as NO DECISION."""
    return action.replace("_", " ")


UNSUPPORTED = {"no_figure": "names no figure of the data", "untraced": "its figures are not in the data"}
"""Text for key evidence without a figure from the data, by its mark in the record."""


def evidence_note(item: KeyEvidence) -> str:
    """Return the note on key evidence without a figure from the data; empty if it has one."""
    return UNSUPPORTED.get(item.unsupported, "")
