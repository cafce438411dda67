"""Trailing and forward price-to-earnings ratios of a company on a day."""

from __future__ import annotations

from datetime import date

from tradingagents.analytics.company.fundamentals import Fundamentals
from tradingagents.analytics.company.trailing import year_span
from tradingagents.analytics.price.returns import percent, ratio
from tradingagents.dataflows.reference.metrics import Figure
from tradingagents.dataflows.results import Result
from tradingagents.errors import NoData

NO_FORECAST = (
    "Forecasts of earnings exist for the current day only, and none was recorded for this one: the forward P/E is n/a."
)


class TrailingForwardPE(Result):
    """Price over the earnings of the last twelve months, and over those that analysts expect."""

    name: str
    price: float
    """Last close, as traded."""
    eps_ttm: float | None
    """Diluted earnings per share of the last twelve months, on the share basis of the day."""
    pe_ttm: float | None
    """Price over `eps_ttm`; None for a loss."""
    forward_eps: float | None
    """Earnings per share expected for the next fiscal year, by the vendor; None for a past day."""
    forward_pe: float | None
    """Price over `forward_eps`; None for an expected loss."""
    expected_growth_pct: float | None
    """Percent: `forward_eps` against `eps_ttm`; None unless both are positive."""
    earnings_yield_pct: float | None
    """Percent: `eps_ttm` over the price."""
    year: str = ""
    """The fiscal year that stands for the last twelve months, in words; empty where they are four quarters."""

    @property
    def title(self) -> str:
        """Heading."""
        return f"Trailing and forward P/E: {self.name} ({self.symbol})"

    def figures(self) -> tuple[Figure, ...]:
        """Return price, earnings and ratios."""
        money = self.currency or ""
        return (
            Figure("price", self.price, money),
            Figure("eps_ttm", self.eps_ttm, money, self.year),
            Figure("pe_ttm", self.pe_ttm, "x", self.year),
            Figure("earnings_yield", self.earnings_yield_pct, "%", self.year),
            Figure("forward_eps", self.forward_eps, money),
            Figure("forward_pe", self.forward_pe, "x"),
            Figure("expected_eps_growth", self.expected_growth_pct, "%"),
        )


def trailing_forward_pe(own: Fundamentals, *, as_of: date) -> TrailingForwardPE:
    """Compare the price with earnings past and expected.

    Args:
        own: The company's ratios on the day, with those of the vendor where the day is the current one.

    Raises:
        NoData: Neither past nor expected earnings are known.
    """
    expected = own.vendor_ratios.get("forward_eps")
    if expected is None and own.vendor_ratios.get("forward_pe"):
        expected = ratio(own.price, own.vendor_ratios["forward_pe"])
    if own.eps_ttm is None and expected is None:
        raise NoData(
            f"Neither past nor expected earnings per share of {own.symbol} are known by {as_of}{_because(own)}; "
            f"choose another vendor, or continue without it."
        )
    span = year_span(own.basis, own.periods)
    growth = None
    if own.eps_ttm is not None and expected is not None and own.eps_ttm > 0 and expected > 0:
        growth = 100 * (expected / own.eps_ttm - 1)
    return TrailingForwardPE(
        symbol=own.symbol,
        as_of=as_of,
        source=own.source,
        currency=own.currency,
        known_at=own.known_at,
        fetched_at=own.fetched_at,
        end=own.end,
        rows=own.rows,
        notes=(*own.notes, *(() if expected is not None else (NO_FORECAST,))),
        name=own.name,
        price=own.price,
        year=span,
        eps_ttm=own.eps_ttm,
        pe_ttm=own.pe_ttm,
        forward_eps=expected,
        forward_pe=ratio(own.price, expected if expected is not None and expected > 0 else None),
        expected_growth_pct=growth,
        earnings_yield_pct=percent(ratio(own.eps_ttm, own.price)),
    )


def _because(own: Fundamentals) -> str:
    """Return why past earnings were withheld, as a clause; empty where they are not known at all."""
    return f" ({own.withheld[0].removesuffix('.')})" if own.withheld else ""
