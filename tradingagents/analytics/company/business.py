"""What a company's trade is, by the words of GICS and of Yahoo for sector and industry: one table, read from the top.

`business_of` is the one judgement by words; what statements add to it is in `valuation.company.kind`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal

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
