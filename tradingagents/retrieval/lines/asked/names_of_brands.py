"""Brands by which a question calls companies, and words after the last of them, which are of all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from tradingagents.retrieval.lines.line_questions import LineQuestion


def with_common_rest(asked: LineQuestion, brands: Mapping[int, str]) -> LineQuestion:
    """Return a question whose last words are of all: in `UnitedHealthcare vs Aetna members` they follow a brand."""
    own = dict(asked.own_labels)
    last = max(own, default=0)
    rest = own.get(last, "").removeprefix(brands.get(last, "")).strip()
    others = {number: label for number, label in own.items() if number != last}
    bare = others and all(brands.get(number) == label for number, label in others.items())
    if not bare or not rest or rest == own[last] or len(own) != len(asked.own_labels):
        return asked
    return replace(asked, labels=(*asked.labels, rest), own_labels=(*others.items(), (last, brands[last])))
