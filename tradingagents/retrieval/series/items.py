"""Which tags give a line item, and how an item follows from several of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from tradingagents.dataflows.models import StatementKind
from tradingagents.dataflows.reference.line_items import PER_SHARE, SHARES
from tradingagents.dataflows.reference.xbrl_tags import (
    MONEY_OUT,
    MORE_RECIPES,
    RECIPES,
    SUMS,
    incomplete_debt,
    recipe_of,
)
from tradingagents.errors import UsageError
from tradingagents.retrieval.series.fact import SeriesFact
from tradingagents.schemas.derivation import Derivation, Output, SourceCell

OUR_NAMES: Mapping[str, str] = {"inventories": "inventory", "total_operating_expenses": "operating_expenses"}
"""Items of questions (`line_items.toml`) that statements call otherwise."""
_SUMS: Mapping[str, tuple[StatementKind, str, float, str]] = {
    "gross_profit": ("income", *SUMS["gross_profit"]),
    "ebitda": ("income", *SUMS["ebitda"]),
    "total_debt": ("balance", *SUMS["total_debt"]),
    "free_cash_flow": ("cashflow", *SUMS["free_cash_flow"]),
}


def our_name(item: str) -> str:
    """Return the name under which an item is found: ours, or a tag such as `us-gaap:Goodwill` as it is.

    Raises:
        UsageError: There is no such item.
    """
    name = item.strip()
    if ":" in name:
        return name
    plain = name.lower().replace(" ", "_").replace("-", "_")
    plain = OUR_NAMES.get(plain, plain)
    if kind_of(plain) is None:
        raise UsageError(
            f"There is no line item {item[:60]!r}; name one such as revenue, net_income or total_assets, or a tag such "
            f"as us-gaap:Goodwill."
        )
    return plain


def kind_of(item: str) -> StatementKind | None:
    """Return the statement in which an item stands; None for a tag."""
    if item in _SUMS:
        return _SUMS[item][0]
    kinds = (kind for table in (*RECIPES.values(), MORE_RECIPES) for kind, items in table.items() if item in items)
    return next(kinds, None)


def is_of_shares(item: str) -> bool:
    """Return whether an item counts shares or is an amount per share, so that a split changes it."""
    return item in PER_SHARE | SHARES


def is_additive(item: str, unit: str) -> bool:
    """Return whether the figures of parts of a period add up to its figure: money, that is not per share."""
    return not is_of_shares(item) and len(unit) == 3


def composed(item: str, kind: StatementKind, taxonomy: str, facts: Mapping[str, SeriesFact]) -> SeriesFact | None:
    """Return an item of one filing and period from its tagged facts; None where they do not give it.

    Args:
        facts: By tag, without the taxonomy.
    """
    values = {tag: fact.value for tag, fact in facts.items()}
    if item in incomplete_debt(kind, taxonomy, values):
        return None
    way = recipe_of(item, kind, taxonomy, values)
    if way is not None:
        parts = [facts[tag.lstrip("-")] for tag in way]
        signs = [-1.0 if tag.startswith("-") else 1.0 for tag in way]
        if len(parts) == 1 and signs[0] > 0:
            return replace(parts[0], item=item)
        return combined(item, parts, signs, [tag.lstrip("-") for tag in way])
    return _summed(item, lambda name: composed(name, kind, taxonomy, facts))


def named_item(item: str, facts: Mapping[str, SeriesFact]) -> SeriesFact | None:
    """Return an item of one filing and period from its facts by our names; None where they do not give it."""
    return facts.get(item) or _summed(item, facts.get)


def parts_of(item: str) -> frozenset[str]:
    """Return an item and, where it is the sum of two others, their names."""
    found = _SUMS.get(item)
    return frozenset((item,) if found is None else (item, found[1], found[3]))


def _summed(item: str, of_name: Callable[[str], SeriesFact | None]) -> SeriesFact | None:
    """Return an item that is the sum of two others, by their names; None where one of them is not known."""
    if item not in _SUMS:
        return None
    _, first, sign, other = _SUMS[item]
    named = [of_name(name) for name in (first, other)]
    if named[0] is None or named[1] is None or named[0].unit != named[1].unit:
        return None
    # In statements money paid out is negative; here it is positive.
    signs = [1.0, -sign if other in MONEY_OUT else sign]
    return combined(item, [named[0], named[1]], signs, [first, other])


def combined(item: str, parts: list[SeriesFact], signs: list[float], names: list[str]) -> SeriesFact:
    """Return the sum of facts of one period, with its formula.

    Args:
        parts: Of the period of the first.
        signs: 1, or -1 for a fact that is subtracted.
        names: What the formula calls them.
    """
    total = sum(sign * part.value for part, sign in zip(parts, signs, strict=True))
    return replace(
        parts[0],
        item=item,
        tag=_terms([part.tag for part in parts], signs),
        value=total + 0.0,
        known_at=max(part.known_at for part in parts),
        derivation=derivation_of(names, parts, signs),
        basis=next((part.basis for part in parts if part.basis), ""),
        decimals=min((part.decimals for part in parts if part.decimals is not None), default=None),
    )


def derivation_of(names: list[str], parts: list[SeriesFact], signs: list[float]) -> Derivation:
    """Return a sum of facts as a formula with its cells."""
    return Derivation(
        formula=_terms(names, signs),
        output=output_of(parts[0].unit),
        cells=tuple(cell_of(name, part) for name, part in zip(names, parts, strict=True)),
    )


def _terms(names: list[str], signs: list[float]) -> str:
    terms = zip(names, signs, strict=True)
    return " ".join(f"{'- ' if sign < 0 else '+ ' if at else ''}{name}" for at, (name, sign) in enumerate(terms))


def cell_of(name: str, fact: SeriesFact) -> SourceCell:
    """Return a fact as a cell of a formula."""
    return SourceCell(
        name=name, value=fact.value, unit=fact.unit, where=f"{fact.tag}, {fact.period.label}, {fact.place.label}"
    )


def output_of(unit: str) -> Output:
    """Return what kind of value a figure of a unit is."""
    return "per_share" if unit.endswith("/share") else "money" if len(unit) == 3 else "number"
