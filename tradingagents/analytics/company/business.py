"""What a company's trade is, by the words of GICS and of Yahoo: one table; and whether its trade has a gross profit.

`business_of` is the one judgement by words; what statements add to it is in `valuation.company.kind`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal

from tradingagents.dataflows.models import Profile, Statement

Business = Literal[
    "bank",
    "insurer",
    "by_sheet",
    "mortgage_reit",
    "reit",
    "utility",
    "holding",
    "shell",
    "firm",
]
"""`by_sheet`: an industry of lenders and of sellers of services, told apart by the balance sheet only."""
FINANCIAL, UTILITIES = "financials", "utilities"
_WORDS: tuple[tuple[str, str | None, Business], ...] = (
    # Words of the industry, the sector they need, and the trade.
    (r"insurance brokers?\b|\bpayments?\b|\bexchanges?\b", None, "firm"),
    (r"\bshell compan", None, "shell"),
    (r"\bmortgage reits?\b|\breit\W+mortgage\b|\bmortgage real estate\b", None, "mortgage_reit"),
    (r"\breits?\b", None, "reit"),
    (r"\bmulti-sector holdings?\b|\bfinancial conglomerates?\b", FINANCIAL, "holding"),
    (r"\bindependent power\b|\brenewable\b", UTILITIES, "firm"),
    (
        r"\bregulated\b|\belectric\b|\bgas\b|\bwater\b|\bmulti-utilities\b|\butilities\W+diversified\b",
        UTILITIES,
        "utility",
    ),
    (r"\basset management\b|\bcredit services\b", FINANCIAL, "by_sheet"),
    (r"insurance|reinsurance|insurer", FINANCIAL, "insurer"),
    (r"bank|capital market|brokerage|consumer finance|mortgage|\bthrifts?\b", FINANCIAL, "bank"),
)
_TABLE = tuple((re.compile(pattern), sector, business) for pattern, sector, business in _WORDS)
_OF_SECTOR: Mapping[str, Business] = {FINANCIAL: "bank", UTILITIES: "utility"}
"""Where no industry is known."""


def business_of(sector: str | None, industry: str | None) -> Business:
    """Return a company's trade.

    Args:
        sector: Our key (`dataflows.reference.sectors`); None where unknown.
        industry: As the source names it; None or empty where unknown.

    >>> business_of("financials", "Diversified Banks"), business_of("real-estate", "REIT - Retail")
    ('bank', 'reit')
    """
    words = (industry or "").lower()
    if not words:
        return _OF_SECTOR.get(sector or "", "firm")
    found = (business for pattern, needed, business in _TABLE if needed in (None, sector) and pattern.search(words))
    return next(found, "firm")


def is_bank_or_insurer(sector: str | None, industry: str) -> bool:
    """Tell whether a company lends or insures by its words; `industry` is in lower case."""
    business = business_of(sector, industry)
    return business in ("bank", "insurer", "mortgage_reit") or (business == "by_sheet" and "bank" in industry)


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
    income = [statement for statement in statements if statement.kind == "income"]
    newest = max(income, key=lambda statement: statement.period_end, default=None)
    doubt = gross_profit_doubt(profile, newest.items) if newest is not None else None
    if doubt is None or not any("gross_profit" in statement.items for statement in income):
        return tuple(statements), None
    return tuple(_without_gross_profit(statement) for statement in statements), doubt


def _without_gross_profit(statement: Statement) -> Statement:
    return replace(statement, items={name: value for name, value in statement.items.items() if name != "gross_profit"})
