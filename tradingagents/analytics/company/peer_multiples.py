"""Valuation multiples of a company and of large companies in its sector, from statements filed by the same day."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from statistics import median
from typing import Literal

from pydantic import BaseModel, ConfigDict

from tradingagents.analytics.company.fundamentals import FIGURES, Fundamentals
from tradingagents.analytics.company.trailing import Basis
from tradingagents.dataflows.reference.metrics import MISSING, Figure
from tradingagents.dataflows.reference.sectors import DISPLAY
from tradingagents.dataflows.results import Result

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
    rows = [_row(company, "target"), *(_row(peer, "peer") for peer in peers)]
    lacking = dict(missing or {})
    own = no_multiples(company)
    if own is not None:
        lacking = {str(company.symbol): own, **lacking}
    return PeerMultiples(
        symbol=company.symbol,
        as_of=as_of,
        source=", ".join(dict.fromkeys(part for one in (company, *peers) for part in one.source.split(", "))),
        currency=company.currency,
        known_at=known_at,
        fetched_at=max(one.fetched_at for one in (company, *peers)),
        end=company.end,
        rows=len(rows),
        inputs=tuple(peer.symbol for peer in peers),
        notes=(
            *_notes(lacking),
            *_unlike(rows),
            *(f"{one.symbol}: {why}" for one in (company, *peers) for why in _partly(one)),
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


def _notes(lacking: Mapping[str, str]) -> list[str]:
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


def _row(company: Fundamentals, role: Literal["target", "peer"]) -> MultiplesRow:
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
