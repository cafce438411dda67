"""Inputs of the kernel that are sums: what each holds besides the item of its name, and what to call it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol

SUMMED: Mapping[str, tuple[str, ...]] = {
    "debt": ("finance_leases", "pension_deficit"),
    "cash": ("short_term_investments",),
    "minority_interest": ("preferred_equity",),
}
"""Inputs of the kernel that hold more than the assumption of the same name, with what else they hold."""
_WORDS = {
    "debt": "debt",
    "finance_leases": "finance leases",
    "pension_deficit": "pension deficit",
    "cash": "cash",
    "short_term_investments": "short-term securities",
    "minority_interest": "minority interest",
    "preferred_equity": "preferred stock",
}


class Amount(Protocol):
    """An assumption with its amount."""

    @property
    def name(self) -> str:
        """Of the assumption."""

    @property
    def value(self) -> float:
        """In money."""


def sum_words(name: str, rows: Iterable[Amount]) -> str:
    """Return what a sum holds, in words that begin with a small letter; its own name where nothing is added to it.

    Args:
        name: Of `SUMMED`.
        rows: The assumptions that the inputs are built from; none where they are given as they are.

    >>> from tradingagents.valuation.company.assumptions import ValuationAssumption
    >>> rows = [ValuationAssumption("debt", 60.0, "data", ""), ValuationAssumption("pension_deficit", 9.0, "data", "")]
    >>> sum_words("debt", rows), sum_words("debt", [])
    ('debt and pension deficit', 'debt')
    """
    amounts = {row.name: row.value for row in rows}
    parts = [part for part in SUMMED.get(name, ()) if amounts.get(part)]
    own = [name] if amounts.get(name) or not parts else []
    words = [_WORDS[part] for part in (*own, *parts)]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
