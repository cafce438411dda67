"""How deep and how broad the evidence for a hypothesis is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from tradingagents.schemas.evidence import EvidenceItem, SourceKind, claim_key

LEAST_GROWTH = 0.15
"""A round that deepens the evidence by less is a weak one."""
ROUNDING = 1e-9
WEAK_ROUNDS = 2
"""Weak rounds in a row after which a hypothesis is exhausted."""


def depth(items: Iterable[EvidenceItem]) -> float:
    """Return the sum of confidence over distinct claims; of items with the same claim the surest counts."""
    surest: dict[str, float] = {}
    for item in items:
        key = claim_key(item.claim)
        surest[key] = max(surest.get(key, 0.0), item.confidence)
    return sum(surest.values())


def growth_of_depth(before: float, after: float) -> float:
    """Return by what part depth grew; the first evidence counts as a growth of 1, none at all as 0."""
    if before <= 0:
        return 1.0 if after > 0 else 0.0
    return after / before - 1.0


def is_exhausted(depths: Sequence[float]) -> bool:
    """Return whether the last rounds all deepened the evidence too little.

    >>> is_exhausted([1.0, 2.0, 2.1, 2.2]), is_exhausted([1.0, 1.1, 2.0, 2.1])
    (True, False)

    Args:
        depths: Depth after each round, oldest first.
    """
    if len(depths) <= WEAK_ROUNDS:
        return False
    last = depths[-WEAK_ROUNDS - 1 :]
    return all(growth_of_depth(one, other) < LEAST_GROWTH - ROUNDING for one, other in pairwise(last))


def source_kinds(items: Iterable[EvidenceItem]) -> frozenset[SourceKind]:
    """Return the types of source among items."""
    return frozenset(item.source.kind for item in items)
