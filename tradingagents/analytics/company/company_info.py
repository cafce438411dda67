"""Who a company is on a day: sector, exchange, size, business, peers, and how far its data reach."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from tradingagents.analytics.company.fundamentals import Fundamentals
from tradingagents.dataflows.models import InstrumentKind, Prices, Profile
from tradingagents.dataflows.reference.metrics import Figure
from tradingagents.dataflows.reference.sectors import DISPLAY
from tradingagents.dataflows.results import Result


class CompanyInfo(Result):
    """A company or other instrument, as known on a day."""

    name: str
    kind: InstrumentKind
    sector: str | None
    """Sector key; None where unknown."""
    industry: str | None
    exchange: str
    """MIC of the exchange where it is listed, or that it is not known."""
    price: float
    """Last close, as traded."""
    market_cap: float | None
    """Price times shares, in `currency`; None without a usable share count."""
    shares: float | None
    books_currency: str | None
    """Currency of the statements; None where there are none."""
    newest_period: date | None
    """End of the newest period of the statements."""
    prices_from: date
    """First session read."""
    benchmark: str | None
    sector_fund: str | None
    peers: tuple[str, ...]
    business: str | None
    """What the company does, in the vendor's words; for the current day only."""

    @property
    def title(self) -> str:
        """Heading."""
        return f"Company: {self.name} ({self.symbol})"

    def figures(self) -> tuple[Figure, ...]:
        """Return price, market value and share count."""
        return (
            Figure("price", self.price, self.currency or ""),
            Figure("market_cap", self.market_cap, self.currency or ""),
            Figure("share_count", self.shares, "shares"),
        )

    def body(self) -> str:
        """Return what is known as a list."""
        sector = DISPLAY.get(self.sector, self.sector) if self.sector else "unknown"
        facts = [
            ("Kind", self.kind),
            ("Sector", sector),
            ("Industry", self.industry or "unknown"),
            ("Exchange", self.exchange),
            ("Statements in", self.books_currency or "none known"),
            ("Newest period", self.newest_period.isoformat() if self.newest_period else "none known"),
            ("Prices read from", self.prices_from.isoformat()),
            ("Benchmark", self.benchmark or "none"),
            ("Sector fund", self.sector_fund or "none"),
            ("Peers", ", ".join(self.peers) or "none known"),
        ]
        lines = [f"- {name}: {value}" for name, value in facts]
        return "\n".join([*lines, *([f"- Business, {self.business}"] if self.business else [])])


def company_info(
    own: Fundamentals,
    prices: Prices,
    profile: Profile,
    *,
    as_of: date,
    exchange: str,
    benchmark: str | None,
    sector_fund: str | None,
    peers: Sequence[str],
) -> CompanyInfo:
    """Describe a company.

    Args:
        own: Its ratios on the day.
        prices: Its bars, as traded.
        profile: Who it is.
        exchange: Where it is listed, in words.
        benchmark: Fund it is compared with.
        peers: Comparable companies.
    """
    return CompanyInfo(
        symbol=own.symbol,
        as_of=as_of,
        source=own.source,
        currency=own.currency,
        known_at=own.known_at,
        fetched_at=own.fetched_at,
        end=own.end,
        rows=own.rows,
        notes=own.withheld,
        name=profile.name,
        kind=profile.kind,
        sector=profile.sector,
        industry=profile.industry,
        exchange=exchange,
        price=own.price,
        market_cap=own.market_cap,
        shares=own.shares,
        books_currency=own.books_currency,
        newest_period=own.periods[0] if own.periods else None,
        prices_from=prices.days[0].item(),
        benchmark=benchmark,
        sector_fund=sector_fund,
        peers=tuple(peers),
        business=own.business,
    )
