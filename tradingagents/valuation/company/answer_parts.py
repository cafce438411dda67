"""What answers about a company's value state: its kind, assumptions, cases, the betas of its peers, its past years."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Literal

from tradingagents.schemas.valuation_models import FittedModel

CompanyKind = Literal[
    "firm",
    "bank",
    "insurer",
    "mortgage_reit",
    "holding",
    "reit",
    "utility",
    "negative_equity",
    "losses",
    "no_profit_yet",
    "no_sales",
    "shell",
]


TITLES: dict[FittedModel, str] = {
    "fcff": "free cash flow to the firm",
    "excess_returns": "excess returns on equity",
    "dividend_discount": "discounted dividends",
    "funds_from_operations": "adjusted funds from operations",
}


Kind = Literal["data", "default", "given"]


@dataclass(frozen=True, slots=True)
class ValuationAssumption:
    """One number that a valuation stands on."""

    name: str
    value: float
    kind: Kind
    """`data`: from the data sheet; `default`: a named convention; `given`: by the caller."""
    source: str


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


def sum_words(name: str, rows: Iterable[ValuationAssumption]) -> str:
    """Return what a sum holds, in words that begin with a small letter; its own name where nothing is added to it.

    Args:
        name: Of `SUMMED`.
        rows: The assumptions that the inputs are built from; none where they are given as they are.

    >>> from tradingagents.valuation.company.answer_parts import ValuationAssumption
    >>> rows = [ValuationAssumption("debt", 60.0, "data", ""), ValuationAssumption("pension_deficit", 9.0, "data", "")]
    >>> sum_words("debt", rows), sum_words("debt", [])
    ('debt and pension deficit', 'debt')
    """
    amounts = {row.name: row.value for row in rows}
    parts = [part for part in SUMMED.get(name, ()) if amounts.get(part)]
    own = [name] if amounts.get(name) or not parts else []
    words = [_WORDS[part] for part in (*own, *parts)]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


CaseName = Literal["low", "base", "high"]


@dataclass(frozen=True, slots=True)
class ValueCase:
    """One case with its numbers."""

    name: CaseName
    levels: tuple[tuple[str, float], ...]
    """Drivers in words with their levels, as fractions."""
    value_per_share: float
    """As a holder has it: nothing at the least."""


@dataclass(frozen=True, slots=True)
class ValueCases:
    """The range of a value: low is at most base, base at most high."""

    low: ValueCase
    base: ValueCase
    high: ValueCase
    basis: str
    """Where the levels of low and high come from, as a sentence."""

    @property
    def all(self) -> tuple[ValueCase, ValueCase, ValueCase]:
        """The cases, the lowest first."""
        return self.low, self.base, self.high


@dataclass(frozen=True, slots=True)
class PeerBeta:
    """Beta of a peer from its own regression, and without its debt."""

    symbol: str
    regression: float
    unlevered: float | None
    """None where its debt or market value is not known."""
    standard_error: float | None = None
    """Newey-West, of the regression."""
    returns: int = 0
    """Daily returns regressed."""
    debt_share: float | None = None
    """Debt over debt and market value of the equity; None where one is not known."""


@dataclass(frozen=True, slots=True)
class CapitalYear:
    """One year of the company's past: what it sold, earned and reinvested. Money in the currency of the price."""

    end: date
    revenue: float
    operating_income: float | None
    invested_capital: float | None
    """What owners and lenders have in the operations at the end of the year (`claims.operating_capital`)."""
    reinvestment: float | None
    """Increase of the invested capital over the year."""
    organic_capital: float | None = None
    """The invested capital without goodwill and acquired intangibles; None where the source does not give these."""
