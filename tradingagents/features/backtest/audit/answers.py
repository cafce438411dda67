"""Compares what tools answer, for an audit: by kind, figures, quoted texts and days, not by our own wording.

Two answers that say nothing mean the same however they word it: a folder of recorded data without any statement of a
company says that in other words than one whose statements were all filed later. What is worded otherwise and means the
same is noted, and convicts nobody.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tradingagents.capabilities.capability import Capability
from tradingagents.dataflows.market_data import MarketData
from tradingagents.errors import NoData, TradingAgentsError

NOT_MEANT = frozenset(("fetched_at", "notes"))
"""Fields of results and data-sheet rows that say when something was read, or say in words what other fields are."""
PROSE = frozenset(
    ("rationale", "reasoning", "plan", "dissent", "would_change", "track_record", "key_evidence")
)  # fmt: skip
"""Fields of a decision that explain it in words."""


@dataclass(frozen=True)
class AuditedAnswer:
    """What a tool answered."""

    kind: str
    """The type of its result or error."""
    words: str
    """As a model reads it."""
    meaning: Mapping[str, Any] = field(default_factory=dict)
    """The fields of its result as JSON has them; empty without one."""
    empty: bool = False
    """Whether it says that there are no data: by an error, or by a result without rows and figures."""

    def means(self, other: AuditedAnswer) -> bool:
        """Tell whether another answer has the same kind, figures, texts of others and days; two kinds of nothing do."""
        if self.empty and other.empty and self.kind != other.kind:
            return True
        return self.kind == other.kind and same(self.meaning, other.meaning)

    def difference(self, other: AuditedAnswer) -> tuple[str, str]:
        """Return the first line in which the words of both differ, or the first fields where the words are the same."""
        if self.words != other.words:
            return first_difference(self.words, other.words)
        names = [name for name in self.meaning if not same(self.meaning[name], other.meaning.get(name))]
        return shown(self.meaning, names), shown(other.meaning, names)


def ask(data: MarketData, tool: Capability, arguments: Mapping[str, Any]) -> AuditedAnswer:
    """Ask a tool."""
    try:
        result = tool.ask(data, **arguments)
    except TradingAgentsError as error:
        kind = type(error).__name__
        return AuditedAnswer(kind, f"{kind}: {error}", empty=isinstance(error, NoData))
    meaning = {name: value for name, value in result.model_dump(mode="json").items() if name not in NOT_MEANT}
    figures = {figure.name: figure.value for figure in result.figures()}
    return AuditedAnswer(type(result).__name__, result.to_markdown(), meaning, is_empty(result.rows, figures))


def is_empty(rows: int, figures: Mapping[str, float | None]) -> bool:
    """Tell whether an answer stands on no row and has no figure but counts of nothing."""
    return not rows and not any(value and math.isfinite(value) for value in figures.values())


def same(first: Any, other: Any) -> bool:
    """Tell whether two JSON values are the same; NaN, a figure that is not known, equals NaN."""
    if isinstance(first, Mapping) and isinstance(other, Mapping):
        return first.keys() == other.keys() and all(same(first[name], other[name]) for name in first)
    if isinstance(first, (list, tuple)) and isinstance(other, (list, tuple)):
        return len(first) == len(other) and all(map(same, first, other))
    if isinstance(first, float) and isinstance(other, float) and math.isnan(first):
        return math.isnan(other)
    return bool(first == other)


def without_prose(decision: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a decision asks for: action, confidence, levels, size and days."""
    return {name: value for name, value in decision.items() if name not in PROSE}


def first_difference(before: str, after: str) -> tuple[str, str]:
    """Return the first line in which two texts differ."""
    old, new = before.splitlines(), after.splitlines()
    for line, other in zip(old, new, strict=False):
        if line != other:
            return line[:200], other[:200]
    return (
        (old[len(new)][:200], "no such line")
        if len(old) > len(new)
        else ("no such line", "".join(new[len(old) :])[:200])
    )


def differing_rows(
    before: Sequence[Mapping[str, Any]], after: Sequence[Mapping[str, Any]]
) -> Iterator[tuple[Mapping[str, Any] | None, Mapping[str, Any] | None]]:
    """Return rows of two data sheets that differ in meaning, paired by question; rows without answer do not count."""

    def by_question(rows: Sequence[Mapping[str, Any]]) -> dict[tuple[object, ...], Mapping[str, Any]]:
        return {
            tuple(str(row.get(name)) for name in ("method", "symbol", "vendor", "start", "end")): {
                name: value for name, value in row.items() if name not in NOT_MEANT
            }
            for row in rows
            if not is_empty(row.get("rows", 0), row.get("figures") or {})
        }

    old, new = by_question(before), by_question(after)
    for key in sorted({*old, *new}):
        if not same(old.get(key), new.get(key)):
            yield old.get(key), new.get(key)


def row_difference(before: Mapping[str, Any] | None, after: Mapping[str, Any] | None) -> tuple[str, str]:
    """Return the fields in which two rows of data sheets differ, before and after."""
    if before is None or after is None:
        return ("no row" if before is None else "a row", "a row" if before is None else "no row")
    names = [name for name in before if not same(before[name], after.get(name))]
    return shown(before, names), shown(after, names)


def shown(values: Mapping[str, Any], names: Sequence[str]) -> str:
    """Return some fields and their values in words."""
    return ", ".join(f"{name} {values.get(name)}" for name in names)[:200]
