"""Numbers, instants and actions as words. No locale: they read the same in every report and on every machine."""

from __future__ import annotations

import math
from datetime import UTC, datetime
from functools import lru_cache

from tradingagents.dataflows.reference.metrics import MISSING as MISSING
from tradingagents.dataflows.reference.metrics import Figure
from tradingagents.schemas.records import EvidenceRecord


def price(value: float | None) -> str:
    """Write a price: two decimals with thousands separated, four below 1; n/a for none."""
    if value is None or not math.isfinite(value):
        return MISSING
    return f"{value:,.2f}" if abs(value) >= 1 or value == 0 else f"{value:.4f}"


def percent(fraction: float | None, decimals: int = 0) -> str:
    """Write a fraction as a percentage, 0.625 as 62.5% at one decimal; n/a for none."""
    if fraction is None or not math.isfinite(fraction):
        return MISSING
    return f"{fraction * 100:.{decimals}f}%"


def change(percentage: float | None) -> str:
    """Write a return that is in percent already, with its sign and two decimals: +3.21%; n/a for none."""
    if percentage is None or not math.isfinite(percentage):
        return MISSING
    rounded = round(percentage, 2)
    return f"{rounded:+.2f}%" if rounded else "0.00%"


def points(value: float | None) -> str:
    """Write a change in points with its sign and two decimals, thousands separated; n/a for none."""
    if value is None or not math.isfinite(value):
        return MISSING
    rounded = round(value, 2)
    return f"{rounded:+,.2f}" if rounded else "0.00"


def position(fraction: float | None) -> str:
    """Write a position size as a percentage of equity, with as many decimals as it needs, at most two."""
    if fraction is None or not math.isfinite(fraction):
        return MISSING
    return f"{fraction * 100:.2f}".rstrip("0").rstrip(".") + "%"


def count(value: float | None) -> str:
    """Write a whole number with thousands separated; n/a for none."""
    return MISSING if value is None else f"{value:,.0f}"


@lru_cache(maxsize=4096)
def figure(value: float | None) -> str:
    """Write a figure of the data sheet, which keeps no units: millions and more scaled, at most four decimals."""
    if value is None or not math.isfinite(value):
        return MISSING
    if abs(value) >= 1e6:
        return Figure("", value).text
    return f"{value:,.4f}".rstrip("0").rstrip(".")


def usd(value: float | None) -> str:
    """Write a cost in USD, four decimals below one dollar; `price unknown` for none."""
    if value is None:
        return "price unknown"
    return f"${value:,.2f}" if value >= 1 or value == 0 else f"${value:.4f}"


def duration(seconds: float) -> str:
    """Write a duration: 8.4 s, 3 min 05 s, 1 h 02 min."""
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest:02d} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60:02d} min"


@lru_cache(maxsize=4096)
def instant(text: str | None) -> str:
    """Write an ISO 8601 instant as `2025-03-14 20:00 UTC`; what is no instant stays as it is, none is n/a."""
    if not text:
        return MISSING
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return text
    if moment.tzinfo is None or len(text) <= len("2025-03-14"):
        return text
    return f"{moment.astimezone(UTC):%Y-%m-%d %H:%M} UTC"


def window(start: str | None, end: str | None) -> str:
    """Write the days an answer covers; n/a where it covers none."""
    if start and end and start != end:
        return f"{start} to {end}"
    return start or end or MISSING


def action_words(action: str) -> str:
    """Write an action for people: NO_DECISION as NO DECISION."""
    return action.replace("_", " ")


UNSUPPORTED = {"no_figure": "names no figure of the data", "untraced": "its figures are not in the data"}
"""What is said of key evidence that no figure of the data stands behind, by the mark in the record."""


def evidence_note(item: EvidenceRecord) -> str:
    """Say that no figure of the data stands behind a piece of key evidence; empty where one does."""
    return UNSUPPORTED.get(item.get("unsupported", ""), "")
