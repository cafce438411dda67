"""A company among large companies of its sector: returns over five horizons, its rank, and valuation multiples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from statistics import median
from typing import Literal

import numpy as np
from pydantic import BaseModel, ConfigDict

from tradingagents.analytics.company.fundamentals import FIGURES, Fundamentals
from tradingagents.analytics.company.trailing import Basis
from tradingagents.analytics.least_history import missing_returns_note
from tradingagents.analytics.market.sectors import LABELS, alphas, percents, vendors
from tradingagents.analytics.price.returns import HORIZONS, PERIODS, horizon_returns, last_day, returns_alongside
from tradingagents.dataflows.models import Prices
from tradingagents.dataflows.reference.metrics import MISSING, Figure
from tradingagents.dataflows.reference.sectors import DISPLAY
from tradingagents.dataflows.results import Result
from tradingagents.errors import NoData

RANKED_BY = "3m"
ALPHA_PERIODS = ("1m", "3m", "6m")
STALE_SESSIONS = 5
"""Number of the stock's sessions that a peer's prices may lag before the peer is left out."""


class PeerRow(BaseModel):
    """One line of the comparison."""

    model_config = ConfigDict(frozen=True)

    symbol: str
    role: Literal["target", "peer", "benchmark"]
    returns: Mapping[str, float | None]
    """Percent, by period: 1w, 1m, 3m, 6m (5, 21, 63, 126 sessions of the target) and ytd. Dividends are included."""


class PeerComparison(Result):
    """A company ranked among its peers, and against the sector fund."""

    sector: str | None
    """Sector key; None where unknown."""
    members: tuple[PeerRow, ...]
    """Target and peers by descending 3-month return, those without one last; then the benchmark."""
    rank_3m: int | None
    """Rank by 3-month return, 1 is best; equal returns share a rank, and the fund is not counted."""
    ranked: int
    """Companies that have a 3-month return, the target included."""
    alpha: Mapping[str, float | None]
    """Percentage points relative to the fund: 1m, 3m, 6m."""

    @property
    def title(self) -> str:
        """Heading."""
        return f"Peers of {self.symbol}"

    @property
    def target(self) -> PeerRow:
        """The company itself."""
        return next(row for row in self.members if row.role == "target")

    def figures(self) -> tuple[Figure, ...]:
        """Return the company's returns, its rank and its alphas."""
        return (
            *(Figure(f"return_{period}", self.target.returns[period], "%") for period in PERIODS),
            Figure("rank_3m", self.rank_3m),
            Figure("peers", self.ranked),
            *(Figure(f"alpha_{period}", self.alpha[period], "%") for period in ALPHA_PERIODS),
        )

    def body(self) -> str:
        """Return sector, rank and the table."""
        sector = DISPLAY.get(self.sector, self.sector) if self.sector else "unknown"
        rank = f"{self.rank_3m} of {self.ranked}" if self.rank_3m else "n/a"
        head = f"| Symbol | Role | {' | '.join(LABELS[period] for period in PERIODS)} |"
        rows = (
            f"| {row.symbol} | {row.role} | "
            + " | ".join(Figure(period, row.returns[period], "%").text for period in PERIODS)
            + " |"
            for row in self.members
        )
        table = "\n".join((head, "|---" * (2 + len(PERIODS)) + "|", *rows))
        alpha = ", ".join(f"{LABELS[period]} {Figure('', self.alpha[period], '%').text}" for period in ALPHA_PERIODS)
        return (
            f"Sector: {sector}. Rank by 3-month return: {rank}.\n\n{table}\n\nAlpha against the sector fund: {alpha}."
        )


def peer_comparison(
    stock: Prices,
    peers: Mapping[str, Prices],
    etf: Prices | None,
    *,
    as_of: date,
    sector: str | None,
    known_at: datetime,
) -> PeerComparison:
    """Rank a stock among its peers over the stock's own sessions.

    Args:
        stock: The company.
        peers: Comparable companies, by symbol; one without bars, or more than five sessions behind, is left out.
        etf: The sector fund; None leaves the alphas n/a.
        sector: Sector key; None if unknown.
        known_at: When the last bar became known.

    Raises:
        NoData: The stock has no bars.
    """
    stock = stock.upto(as_of)
    if not len(stock):
        raise NoData(f"{stock.symbol} has no bars up to {as_of}; name a later date or check the symbol.")
    fund = etf.upto(as_of) if etf is not None else None
    known = {symbol: prices.upto(as_of) for symbol, prices in peers.items() if symbol != stock.symbol}
    current = {symbol: prices for symbol, prices in known.items() if not _stale(prices, stock)}
    ours = percents(horizon_returns(stock))
    companies = [PeerRow(symbol=stock.symbol, role="target", returns=ours)]
    for symbol, prices in current.items():
        companies.append(PeerRow(symbol=symbol, role="peer", returns=percents(returns_alongside(prices, stock))))
    companies.sort(key=_by_rank)
    theirs = percents(returns_alongside(fund, stock)) if fund is not None else dict.fromkeys(PERIODS)
    benchmark = [PeerRow(symbol=fund.symbol, role="benchmark", returns=theirs)] if fund is not None else []
    difference = alphas(ours, theirs)
    return PeerComparison(
        symbol=stock.symbol,
        as_of=as_of,
        source=vendors(stock, *current.values(), fund),
        currency=stock.currency,
        known_at=known_at,
        fetched_at=max(bars.fetched_at for bars in (stock, *current.values(), fund) if bars is not None),
        end=last_day(stock),
        rows=len(stock),
        inputs=(*current, *((fund.symbol,) if fund is not None else ())),
        notes=_notes(stock, ours, [symbol for symbol in known if symbol not in current], fund),
        sector=sector,
        members=(*companies, *benchmark),
        rank_3m=_rank(ours[RANKED_BY], companies),
        ranked=sum(row.returns[RANKED_BY] is not None for row in companies),
        alpha={period: difference[period] for period in ALPHA_PERIODS},
    )


def _stale(peer: Prices, stock: Prices) -> bool:
    """Return whether the peer has no bars, or its last one is too many of the stock's sessions old."""
    if not len(peer):
        return True
    return len(stock) - int(np.searchsorted(stock.days, peer.days[-1], side="right")) > STALE_SESSIONS


def _by_rank(row: PeerRow) -> tuple[bool, float, str]:
    value = row.returns[RANKED_BY]
    return value is None, -(value or 0.0), row.symbol


def _rank(value: float | None, companies: list[PeerRow]) -> int | None:
    if value is None:
        return None
    others = (row.returns[RANKED_BY] for row in companies)
    return 1 + sum(other is not None and other > value for other in others)


def _notes(
    stock: Prices, ours: Mapping[str, float | None], left_out: list[str], fund: Prices | None
) -> tuple[str, ...]:
    notes = []
    if left_out:
        notes.append(f"Left out for want of recent prices: {', '.join(left_out)}.")
    short = {LABELS[period]: HORIZONS.get(period) for period in PERIODS if ours[period] is None}
    if short:
        notes.append(missing_returns_note(stock, short))
    if fund is None:
        notes.append("No sector fund to compare with.")
    return tuple(notes)


MULTIPLES: Mapping[str, str] = {
    "pe_ttm": "P/E",
    "ps_ttm": "P/S",
    "pb": "P/B",
    "ev_ebitda": "EV/EBITDA",
    "fcf_yield": "FCF yield",
}
"""The multiples compared, with their headings; see `fundamentals` for the formulas."""

SAME_TIME = 120
"""Days: companies whose statements end no further apart are compared without a note; fiscal quarters differ by a month
or two."""


class MultiplesRow(BaseModel):
    """One line of the comparison."""

    model_config = ConfigDict(frozen=True)

    symbol: str
    role: Literal["target", "peer"]
    values: Mapping[str, float | None]
    """By the names of `MULTIPLES`; None when a part is missing or the ratio has no meaning."""
    basis: Basis = "none"
    """What the statements cover: `ttm`, `annual`, or `none` without any."""
    end: date | None = None
    """The last day that they cover; None without any."""

    @property
    def period(self) -> str:
        """What the statements cover, such as `12 months to 2024-12-28` or `fiscal year to 2024-01-31`."""
        if self.end is None:
            return MISSING
        return f"{'12 months' if self.basis == 'ttm' else 'fiscal year'} to {self.end}"


class PeerMultiples(Result):
    """A company's multiples compared with those of its peers."""

    sector: str | None
    """Sector key; None where unknown."""
    companies: tuple[MultiplesRow, ...]
    """The company, then its peers, most comparable first."""
    medians: Mapping[str, float | None]
    """Medians over the peers that have the multiple; None if none has."""

    @property
    def title(self) -> str:
        """Heading."""
        return f"Multiples of {self.symbol} and its peers"

    def figures(self) -> tuple[Figure, ...]:
        """Return the medians of the peers."""
        return tuple(Figure(f"peer_median_{name}", self.medians[name], FIGURES[name]) for name in MULTIPLES)

    def body(self) -> str:
        """Return the sector and the table."""
        sector = DISPLAY.get(self.sector, self.sector) if self.sector else "unknown"
        rows = (
            f"| {row.symbol} | {row.role} | "
            + " | ".join(Figure(name, row.values[name], FIGURES[name]).text for name in MULTIPLES)
            + f" | {row.period} |"
            for row in self.companies
        )
        head = f"| Symbol | Role | {' | '.join(MULTIPLES.values())} | Statements |"
        return "\n".join((f"Sector: {sector}.", "", head, "|---" * (3 + len(MULTIPLES)) + "|", *rows))


def peer_multiples(
    company: Fundamentals,
    peers: Sequence[Fundamentals],
    *,
    as_of: date,
    sector: str | None,
    known_at: datetime,
    missing: Mapping[str, str] | None = None,
) -> PeerMultiples:
    """Compare a company's multiples with those of its peers.

    Args:
        company: The company's ratios.
        peers: Ratios of comparable companies, most comparable first.
        sector: Sector key; None if unknown.
        known_at: When the newest of the data became known.
        missing: Peers without any multiple, each with the reason.
    """
    rows = [_multiples_row(company, "target"), *(_multiples_row(peer, "peer") for peer in peers)]
    lacking = dict(missing or {})
    own = no_multiples(company)
    if own is not None:
        lacking = {str(company.symbol): own, **lacking}
    return PeerMultiples(
        symbol=company.symbol,
        as_of=as_of,
        source=", ".join(dict.fromkeys(part for company in (company, *peers) for part in company.source.split(", "))),
        currency=company.currency,
        known_at=known_at,
        fetched_at=max(company.fetched_at for company in (company, *peers)),
        end=company.end,
        rows=len(rows),
        inputs=tuple(peer.symbol for peer in peers),
        notes=(
            *_multiples_notes(lacking),
            *_unlike(rows),
            *(f"{company.symbol}: {why}" for company in (company, *peers) for why in _partly(company)),
        ),
        sector=sector,
        companies=tuple(rows),
        medians={name: _median([row.values[name] for row in rows[1:]]) for name in MULTIPLES},
    )


def no_multiples(company: Fundamentals) -> str | None:
    """Return as a clause why a company has no multiple at all; None if it has one."""
    if any(getattr(company, name) is not None for name in MULTIPLES):
        return None
    if company.withheld:
        return company.withheld[0].removesuffix(".")
    if not company.periods:
        return "the source has no twelve months of its statements filed by then"
    if company.books_currency != company.currency:
        return "its prices and its statements are in different currencies"
    if company.shares is None:
        return "its statements give no usable share count"
    return "its statements lack the figures that the multiples need"


def _partly(company: Fundamentals) -> tuple[str, ...]:
    """Return why some multiples of a company that has others were withheld."""
    return company.withheld if no_multiples(company) is None else ()


def _multiples_notes(lacking: Mapping[str, str]) -> list[str]:
    """Return notes on companies without multiples; those with the same reason share a sentence."""
    by_reason: dict[str, list[str]] = {}
    for symbol, why in lacking.items():
        by_reason.setdefault(why, []).append(symbol)
    return [f"No multiples of {', '.join(symbols)}: {why}." for why, symbols in by_reason.items()]


def _unlike(rows: Sequence[MultiplesRow]) -> tuple[str, ...]:
    """Return a note where the statements compared end more than `SAME_TIME` days apart."""
    ends = sorted((row.end, row.symbol) for row in rows if row.end)
    if len(ends) < 2 or (ends[-1][0] - ends[0][0]).days <= SAME_TIME:
        return ()
    (oldest, old), (newest, new) = ends[0], ends[-1]
    said = f"The statements are of different times: those of {old} end on {oldest}, those of {new} on {newest}."
    return (f"{said} Older earnings make a growing company look dearer.",)


def _multiples_row(company: Fundamentals, role: Literal["target", "peer"]) -> MultiplesRow:
    return MultiplesRow(
        symbol=company.symbol,
        role=role,
        values={name: getattr(company, name) for name in MULTIPLES},
        basis=company.basis,
        end=company.periods[0] if company.periods else None,
    )


def _median(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return median(known) if known else None
