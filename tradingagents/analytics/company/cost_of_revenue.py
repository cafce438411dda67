"""Check whether a company's reported cost of revenue gives a meaningful gross profit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from tradingagents.analytics.company.business import is_bank_or_insurer
from tradingagents.dataflows.models import Profile, Statement

_HEALTH_PLANS = ("managed health", "managed care", "healthcare plan", "health care plan", "health insurance")
_GOODS = frozenset({"consumer-discretionary", "consumer-staples", "industrials", "materials", "energy", "utilities"})
"""Sectors whose products always have a cost of production or purchase."""
PARTIAL_COST = 0.15
"""Fraction of revenue. In `_GOODS`, a smaller cost is considered incomplete if other operating expenses are larger."""


def gross_profit_doubt(profile: Profile | None, items: Mapping[str, float | None]) -> str | None:
    """Return in a sentence why the gross profit is not meaningful; None if it is.

    Banks and insurers have no cost of revenue: their costs are claims and interest, and sources report a small
    remainder as cost of revenue. Some sources report only a part (a restaurant's food without wages and rent).

    What a company sells shows in its profile: where that is withheld, nothing shows it.

    Args:
        profile: The company; None if not known.
        items: Its newest income statement.
    """
    if profile is not None and profile.withheld:
        return (
            "Gross profit and margin are withheld: whether the company has a cost of revenue cannot be told without "
            f"its profile. {profile.withheld}"
        )
    industry = (profile.industry or "").lower() if profile else ""
    sector = profile.sector if profile else None
    if any(word in industry for word in _HEALTH_PLANS) or is_bank_or_insurer(sector, industry):
        return (
            "Gross profit and margin are withheld: what a bank or insurer pays for its revenue (interest, claims) is "
            "no cost of revenue, and what a source calls so is a part of its costs."
        )
    revenue, operating = items.get("revenue"), items.get("operating_income")
    gross = items.get("gross_profit")
    if sector not in _GOODS or not revenue or revenue <= 0 or gross is None or operating is None:
        return None
    cost, others = revenue - gross, gross - operating
    if not 0 <= cost < PARTIAL_COST * revenue or others <= cost:
        return None
    return (
        f"Gross profit and margin are withheld: the source's cost of revenue is {100 * cost / revenue:.1f}% of revenue "
        f"and other operating expenses are {100 * others / revenue:.1f}%, so it holds a part of the cost only."
    )


def without_doubtful_gross_profit(
    statements: Sequence[Statement], profile: Profile | None
) -> tuple[tuple[Statement, ...], str | None]:
    """Return statements without a gross profit that is not meaningful, and the reason; unchanged otherwise.

    Args:
        statements: Statements of one company, of any kind and in any order.
        profile: The company; None if not known.
    """
    income = [one for one in statements if one.kind == "income"]
    newest = max(income, key=lambda one: one.period_end, default=None)
    doubt = gross_profit_doubt(profile, newest.items) if newest is not None else None
    if doubt is None or not any("gross_profit" in one.items for one in income):
        return tuple(statements), None
    return tuple(_without_gross_profit(one) for one in statements), doubt


def _without_gross_profit(statement: Statement) -> Statement:
    return replace(statement, items={name: value for name, value in statement.items.items() if name != "gross_profit"})
