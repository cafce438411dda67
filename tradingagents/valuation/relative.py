"""Relative valuation: what a share would cost at the multiples of its peers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

Multiple = Literal["ev_ebitda", "ev_sales", "pe", "pb", "p_fcf"]
MULTIPLES: Mapping[Multiple, str] = {
    "ev_ebitda": "EV/EBITDA",
    "ev_sales": "EV/sales",
    "pe": "P/E",
    "pb": "P/B",
    "p_fcf": "P/FCF",
}
"""Multiples with their headings; the first two are of the enterprise, the others of the equity."""
OF_THE_ENTERPRISE: frozenset[Multiple] = frozenset({"ev_ebitda", "ev_sales"})


@dataclass(frozen=True, slots=True, kw_only=True)
class CompanyFigures:
    """What the multiples of a company are made of; None where it is not known. All in one currency."""

    symbol: str
    market_value: float | None = None
    net_debt: float | None = None
    """Debt less cash."""
    shares: float | None = None
    ebitda: float | None = None
    sales: float | None = None
    earnings: float | None = None
    """Diluted earnings per share times the shares, so that a P/E is the price over earnings per share as everywhere."""
    equity: float | None = None
    free_cash_flow: float | None = None


@dataclass(frozen=True, slots=True)
class ImpliedRange:
    """One multiple: the company's own, those of its peers, and the price of the share at their quartiles."""

    multiple: Multiple
    own: float | None
    """None where a part is missing, or where what it is divided by is not positive."""
    peers: tuple[tuple[str, float], ...]
    """Peers that have the multiple."""
    quartiles: tuple[float, float, float] | None
    """First quartile, median and third quartile, interpolated; None without peers."""
    prices: tuple[float, float, float] | None
    """Price of the share at each; None where the company lacks the figure."""
    reason: str | None
    """Why there are no prices."""


_DIVISORS = {"ev_ebitda": "EBITDA", "ev_sales": "sales", "pe": "earnings", "pb": "equity", "p_fcf": "free cash flow"}


def company_multiples(company: CompanyFigures) -> dict[Multiple, float | None]:
    """Return a company's multiples; None where a part is missing or the divisor is not positive."""
    return {name: _multiple(company, name) for name in MULTIPLES}


def implied_ranges(company: CompanyFigures, peers: Sequence[CompanyFigures]) -> tuple[ImpliedRange, ...]:
    """Return each multiple of the peers with its quartiles, and the prices they imply for the company's share."""
    return tuple(_range(company, peers, name) for name in MULTIPLES)


def _range(company: CompanyFigures, peers: Sequence[CompanyFigures], name: Multiple) -> ImpliedRange:
    known = tuple((peer.symbol, value) for peer in peers if (value := _multiple(peer, name)) is not None)
    own = _multiple(company, name)
    if not known:
        return ImpliedRange(name, own, (), None, None, "no peer has this multiple")
    low, middle, high = (float(one) for one in np.quantile([value for _, value in known], (0.25, 0.5, 0.75)))
    quartiles = (low, middle, high)
    reason = _obstacle(company, name)
    if reason is not None:
        return ImpliedRange(name, own, known, quartiles, None, reason)
    prices = (_price(company, name, low), _price(company, name, middle), _price(company, name, high))
    return ImpliedRange(name, own, known, quartiles, prices, None)


def _divisor(company: CompanyFigures, name: Multiple) -> float | None:
    return {
        "ev_ebitda": company.ebitda,
        "ev_sales": company.sales,
        "pe": company.earnings,
        "pb": company.equity,
        "p_fcf": company.free_cash_flow,
    }[name]


def _multiple(company: CompanyFigures, name: Multiple) -> float | None:
    divisor, worth = _divisor(company, name), company.market_value
    if name in OF_THE_ENTERPRISE:
        worth = None if worth is None or company.net_debt is None else worth + company.net_debt
    if divisor is None or divisor <= 0 or worth is None or worth <= 0:
        return None
    return worth / divisor


def _obstacle(company: CompanyFigures, name: Multiple) -> str | None:
    divisor = _divisor(company, name)
    what = _DIVISORS[name]
    if divisor is None:
        return f"{what} of {company.symbol} not known for the day"
    if divisor <= 0:
        return f"{what} of {company.symbol} not positive"
    if not company.shares:
        return f"share count of {company.symbol} not known"
    if name in OF_THE_ENTERPRISE and company.net_debt is None:
        return f"debt or cash of {company.symbol} not known"
    return None


def _price(company: CompanyFigures, name: Multiple, multiple: float) -> float:
    worth = multiple * (_divisor(company, name) or 0.0)
    if name in OF_THE_ENTERPRISE:
        worth -= company.net_debt or 0.0
    return worth / (company.shares or 1.0)
