"""Bounds of market value and multiples: what no company ever had, and why. One table for every figure of the kind.

A figure beyond its bound is no finding about the company but a fault of the data: a share of the statements is not the
one that is quoted, a count or an amount is in another unit, or a currency is another one. It is withheld.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tradingagents.dataflows.reference.metrics import Figure

LARGEST_COMPANY = 12e12
"""USD: twice the value of the largest company there was by 2026, about 6 trillion."""
UNITS_OF_A_DOLLAR: Mapping[str, float] = {
    "USD": 1.0,
    **dict.fromkeys(("EUR", "GBP", "CHF", "KWD", "BHD"), 1.2),
    **dict.fromkeys(("CAD", "AUD", "SGD", "NZD"), 2.0),
    **dict.fromkeys(("PLN", "ILS", "SAR", "AED", "QAR", "MYR"), 5.0),
    **dict.fromkeys(("CNY", "CNH", "HKD", "DKK", "BRL"), 9.0),
    **dict.fromkeys(("SEK", "NOK"), 13.0),
    **dict.fromkeys(("MXN", "ZAR", "CZK"), 28.0),
    **dict.fromkeys(("TWD", "THB"), 48.0),
    **dict.fromkeys(("INR", "TRY", "PHP", "EGP"), 110.0),
    **dict.fromkeys(("JPY", "RUB"), 200.0),
    **dict.fromkeys(("HUF", "ISK", "PKR"), 500.0),
    **dict.fromkeys(("KRW", "CLP", "ARS", "NGN"), 2_000.0),
    "COP": 6_000.0,
    **dict.fromkeys(("IDR", "VND"), 30_000.0),
}
"""At most so many units of a currency were one US dollar, rounded up: the bound in USD is wide, so this may be too."""


@dataclass(frozen=True, slots=True)
class Bound:
    """Between what a figure of any company lay."""

    low: float
    high: float
    why: str
    """Why nothing lies beyond, as a clause."""


BOUNDS: Mapping[str, Bound] = {
    "market_cap": Bound(0.0, LARGEST_COMPANY, "no company was worth half as much by 2026"),
    "ps_ttm": Bound(0.0005, 10_000.0, "companies cost between a thousandth and a few thousand times their sales"),
    "pb": Bound(0.001, 10_000.0, "companies cost between a hundredth and a few thousand times their equity"),
    "pe_ttm": Bound(0.005, 20_000.0, "a year's earnings are neither 200 times the price nor lost in its rounding"),
    "forward_pe": Bound(0.005, 20_000.0, "a year's earnings are neither 200 times the price nor lost in its rounding"),
    "ev_ebitda": Bound(-10_000.0, 10_000.0, "a year's EBITDA is not lost in the value of the company"),
    "fcf_yield": Bound(-20_000.0, 20_000.0, "no company makes 200 times its price in a year"),
    "dividend_yield": Bound(0.0, 100.0, "no company pays more than its price within a year, but for winding up"),
    "earnings_yield": Bound(-20_000.0, 20_000.0, "no company makes 200 times its price in a year"),
}
"""By the names of `analytics.company.fundamentals`. Yields in percent, market value in USD."""
LABELS: Mapping[str, str] = {
    "market_cap": "the market value",
    "ps_ttm": "P/S",
    "pb": "P/B",
    "pe_ttm": "P/E",
    "forward_pe": "the forward P/E",
    "ev_ebitda": "EV/EBITDA",
    "fcf_yield": "the free cash flow yield",
    "dividend_yield": "the dividend yield",
    "earnings_yield": "the earnings yield",
}
"""Each figure as the subject of a sentence. The value that cannot be is never told: it would be quoted."""
SUSPECTS = "a receipt ratio, a share count or an amount in another unit, or another currency or unit of the price"
"""What such figures are made of."""


def beyond_bounds(name: str, value: float | None, currency: str | None = None) -> str | None:
    """Return why a figure cannot be, as a clause; None where it can, or has no bound.

    Args:
        value: Yields in percent; None is no fault.
        currency: Currency of a market value; None, or one whose worth is not listed: there is no bound.
    """
    bound = BOUNDS.get(name)
    if bound is None or value is None:
        return None
    low, high = bound.low, bound.high
    if name == "market_cap":
        units = UNITS_OF_A_DOLLAR.get(currency or "")
        if units is None:
            return None
        high *= units
    if low <= value <= high:
        return None
    unit = currency or "" if name == "market_cap" else "%" if "yield" in name else "x"
    side, limit = ("above", high) if value > high else ("below", low)
    return f"{LABELS.get(name, name)} would lie {side} {Figure(name, limit, unit).text}, and {bound.why}"
