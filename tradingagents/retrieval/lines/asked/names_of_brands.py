"""Brands by which a question calls companies: another name of one, as `CVS/Aetna`, or the name of a part of it."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import replace

from tradingagents.retrieval.lines.asked.asked_labels import words_kept
from tradingagents.retrieval.lines.line_questions import COMPANY_MARK, LineQuestion

Brand = tuple[int, str]
"""The number of a company, and words that name it or a part of it."""


def with_equal_names(marked: str, brands: Mapping[int, Collection[str]]) -> tuple[str, frozenset[Brand]]:
    """Return a question with brands that it writes as another name of their company, and those brands.

    Each comes after the sign of its company; what is wanted is the company's figure, and not that of a part.

    Args:
        marked: The question, with a sign for each company.
        brands: Those of each company by its number.
    """
    equal: set[Brand] = set()
    for number, names in brands.items():
        sign = chr(COMPANY_MARK + number)
        for brand in names if sign in marked else ():
            if brand.lower() not in marked.lower():
                continue
            name = rf"(?:{sign} *)?{re.escape(brand)}"
            both = rf"(?i){sign} *(?:/ *{name}(?!\w)|\( *{name} *\))|{name} *(?:/ *{sign}|\( *{sign} *\))"
            marked, times = re.subn(both, f"{sign} {brand} ; ", marked)
            equal |= {(number, words_kept(brand))} if times else set()
    return marked, frozenset(equal)


def without_names(asked: LineQuestion, names: frozenset[Brand]) -> LineQuestion:
    """Return a question without labels that are names of companies alone."""
    said = re.compile("|".join(rf"\b{re.escape(name)}\b" for _, name in names) or "(?!)")

    def other(label: str) -> str:
        return " ".join(said.sub(" ", label).split())

    return replace(
        asked,
        labels=tuple(filter(None, map(other, asked.labels))),
        alternatives=tuple(filter(None, map(other, asked.alternatives))),
        own_labels=tuple((number, other(label)) for number, label in asked.own_labels if other(label)),
    )


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
