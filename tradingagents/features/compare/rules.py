"""Writes a comparison by rule: the highest and the lowest of each row, the first row of each topic leading."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tradingagents.offline.brief import Brief

MADE_BY = "Written by fixed rules, no language model:"
MONEY = 3
"""Letters of a currency code."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparableRow:
    """One row of the table: the figures that may be compared."""

    topic: str
    label: str
    period: str
    unit: str
    values: tuple[tuple[str, float, str], ...]
    """Ticker, value, and the value as shown."""


@dataclass(frozen=True, kw_only=True)
class ComparisonBrief:
    """What the comparing agent knows."""

    tickers: tuple[str, ...]
    rows: tuple[ComparableRow, ...]
    failed: tuple[str, ...] = ()
    """Companies whose research failed."""


def comparison(brief: Brief) -> str:
    """Return the comparison: the leader of each topic in the first sentence, then the rows of each topic."""
    known = brief.known
    if not isinstance(known, ComparisonBrief):
        raise TypeError("the rule of comparisons needs its brief")
    ranked = [row for row in known.rows if len(row.values) > 1 and not _is_money(row)]
    if not ranked:
        return f"{MADE_BY} no figure can be compared between {' and '.join(known.tickers)} from the present data."
    topics = dict.fromkeys(row.topic for row in ranked)
    leads = [_lead(next(row for row in ranked if row.topic == topic)) for topic in topics]
    parts = [f"{MADE_BY} {'; '.join(leads)}."]
    for topic in topics:
        sentences = " ".join(_sentence(row) for row in ranked if row.topic == topic)
        parts.append(f"**{topic.capitalize()}.** {sentences}")
    if known.failed:
        parts.append(f"The research on {', '.join(known.failed)} failed: what is said of it rests on the table alone.")
    return "\n\n".join(parts)


def _lead(row: ComparableRow) -> str:
    symbol, _, shown = max(row.values, key=lambda entry: entry[1])
    return f"{symbol} has the highest {row.label}, {shown}"


def _sentence(row: ComparableRow) -> str:
    ordered = sorted(row.values, key=lambda entry: -entry[1])
    listed = ", ".join(f"{symbol} {shown}" for symbol, _, shown in ordered)
    label = row.label[:1].upper() + row.label[1:]
    return f"{label} ({row.period}): {listed}."


def _is_money(row: ComparableRow) -> bool:
    """Tell whether a row holds amounts of money: their size says nothing about which company is better placed."""
    return len(row.unit) == MONEY and row.unit.isupper()
