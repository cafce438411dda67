"""Whether a company's cost of revenue leaves a gross profit that means something."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from tradingagents.dataflows.models import Profile, Statement

_FINANCIAL = (
    "bank",
    "insurance",
    "reinsurance",
    "insurer",
    "capital market",
    "brokerage",
    "consumer finance",
    "mortgage",
)
_WITH_COSTS = ("insurance broker", "payment", "exchange")
"""Financial businesses that sell a service at a cost, as other companies do."""
_HEALTH_PLANS = ("managed health", "managed care", "healthcare plan", "health care plan", "health insurance")
_GOODS = frozenset({"consumer-discretionary", "consumer-staples", "industrials", "materials", "energy", "utilities"})
"""Sectors in which what is sold costs something to make or buy."""
PARTIAL_COST = 0.15
"""Of revenue. In `_GOODS` a smaller cost of revenue is a part of it, where other operating expenses are larger."""


def gross_profit_doubt(profile: Profile | None, items: Mapping[str, float | None]) -> str | None:
    """Return why a gross profit says nothing, in a sentence; None where it does.

    Banks and insurers have no cost of revenue: claims and interest are what their revenue costs, and sources book a
    small remainder as such. Some sources have a part of it only (a restaurant chain's food, without wages and rent).

    Args:
        profile: Who the company is; None where that is not known.
        items: Its newest income statement.
    """
    industry = (profile.industry or "").lower() if profile else ""
    sector = profile.sector if profile else None
    if any(word in industry for word in _HEALTH_PLANS) or _is_bank_or_insurer(sector, industry):
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
    """Return statements without a gross profit that says nothing, and why it does; as given where it says something.

    Args:
        statements: Statements of one company, in any order, of any kind.
        profile: Who the company is; None where that is not known.
    """
    income = [one for one in statements if one.kind == "income"]
    newest = max(income, key=lambda one: one.period_end, default=None)
    doubt = gross_profit_doubt(profile, newest.items) if newest is not None else None
    if doubt is None or not any("gross_profit" in one.items for one in income):
        return tuple(statements), None
    return tuple(_without_gross_profit(one) for one in statements), doubt


def _without_gross_profit(statement: Statement) -> Statement:
    return replace(statement, items={name: value for name, value in statement.items.items() if name != "gross_profit"})


def _is_bank_or_insurer(sector: str | None, industry: str) -> bool:
    if any(word in industry for word in _WITH_COSTS):
        return False
    return sector == "financials" and (not industry or any(word in industry for word in _FINANCIAL))
