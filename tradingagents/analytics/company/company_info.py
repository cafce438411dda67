"""Who a company is on a day: sector, exchange, size, business, peers, reach of its data; and whom a name may mean."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import date, datetime
from typing import Literal, get_args

from pydantic import BaseModel, ConfigDict

from tradingagents.analytics.company.fundamentals import Fundamentals
from tradingagents.analytics.text import one_line, table_of
from tradingagents.dataflows.models import InstrumentKind, Prices, Profile
from tradingagents.dataflows.reference.company_names import KNOWN_AS
from tradingagents.dataflows.reference.metrics import MISSING, Figure
from tradingagents.dataflows.reference.sectors import DISPLAY
from tradingagents.dataflows.reference.symbols import normalise
from tradingagents.dataflows.results import Result
from tradingagents.errors import BadSymbol


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


MatchKind = Literal[
    "ticker", "name", "known as", "start of the ticker", "start of the name", "start of a name it is known by",
    "start of a word of the name", "part of the name",
]  # fmt: skip
EXACT: frozenset[MatchKind] = frozenset({"ticker", "name", "known as"})
"""What fits as a whole: the others are the beginning of something longer."""
MOST_CANDIDATES = 10
LONGEST_TICKER_START = 5
"""Characters of a text that may be the start of a ticker."""
_LEGAL = re.compile(
    r"\b(the|inc|incorporated|corp|corporation|company|co|ltd|limited|plc|group|holdings?|class [a-c])\b"
)


class InstrumentCandidate(BaseModel):
    """An instrument that fits the words."""

    model_config = ConfigDict(frozen=True)

    symbol: str
    name: str
    sector: str | None
    """Sector key; None where unknown."""
    match: MatchKind
    """What fits: the ticker, the whole name, a name people use, or a part or the start of one of them."""


class ResolvedInstruments(Result):
    """Instruments that a name or ticker may mean."""

    query: str
    candidates: tuple[InstrumentCandidate, ...]
    """Best match first; those after the first are as good, or the words are not ambiguous."""
    ambiguous: bool
    """True where more than one instrument fits equally well."""

    @property
    def title(self) -> str:
        """Heading."""
        return f"Instruments for {self.query}"

    def figures(self) -> tuple[Figure, ...]:
        """Return how many there are."""
        return (Figure("candidates", len(self.candidates)),)

    def body(self) -> str:
        """Return the candidates as a table."""
        if not self.candidates:
            return f"No known instrument begins with {self.query!r}."
        what = (
            "More than one fits equally well: name the ticker." if self.ambiguous else f"{self.query} is {self.symbol}."
        )
        rows = (
            (
                candidate.symbol,
                candidate.name,
                DISPLAY.get(candidate.sector, candidate.sector) if candidate.sector else MISSING,
                candidate.match,
            )
            for candidate in self.candidates
        )
        return f"{what}\n\n{table_of(('Symbol', 'Name', 'Sector', 'Fits by'), rows)}"


def matching(query: str, companies: Iterable[tuple[str, str, str | None]]) -> tuple[InstrumentCandidate, ...]:
    """Return the companies that a text names: the best kind of match only.

    Args:
        query: Ticker or name, as typed.
        companies: Symbol, name and sector key of each known company.
    """
    wanted = bare_name(query)
    found: dict[MatchKind, list[InstrumentCandidate]] = {}
    for symbol, name, sector in companies:
        match = _match(query, wanted, symbol, name)
        if match is not None:
            one = InstrumentCandidate(symbol=symbol, name=one_line(name), sector=sector, match=match)
            found.setdefault(match, []).append(one)
    kinds: tuple[MatchKind, ...] = ("ticker", "name", "known as", "part of the name")
    best = next((found[kind] for kind in kinds if kind in found), [])
    return tuple(sorted(best, key=lambda candidate: (len(candidate.name), candidate.symbol))[:MOST_CANDIDATES])


def starting_with(
    text: str, companies: Iterable[tuple[str, str, str | None]], *, limit: int
) -> tuple[InstrumentCandidate, ...]:
    """Return the instruments that a text may become as it is typed, the best match first, in the given order.

    Args:
        text: What was typed so far, of a ticker or a name.
        companies: Symbol, name and sector key of each known instrument, those most asked about first.
        limit: Most to return.
    """
    written, wanted, ticker = text.strip().upper(), bare_name(text), ticker_of(text)
    found: dict[MatchKind, list[InstrumentCandidate]] = {kind: [] for kind in get_args(MatchKind)}
    for symbol, name, sector in companies:
        match = "ticker" if symbol == ticker else _start(written, wanted, symbol, name)
        if match is not None:
            found[match].append(InstrumentCandidate(symbol=symbol, name=one_line(name), sector=sector, match=match))
    return tuple(candidate for some in found.values() for candidate in some)[:limit]


def ticker_of(text: str) -> str | None:
    """Return the symbol that a text without blanks may be, in our spelling: `brk.b` BRK-B; None where it is none."""
    try:
        return normalise(text) if len(text.split()) == 1 else None
    except BadSymbol:
        return None


def bare_name(text: str) -> str:
    """Return a name in lower case without legal forms, punctuation and doubled spaces."""
    words = _LEGAL.sub(" ", re.sub(r"[^a-z0-9& ]+", " ", text.lower()))
    return " ".join(words.split())


def resolved(
    query: str, candidates: Sequence[InstrumentCandidate], *, as_of: date, source: str, fetched_at: datetime
) -> ResolvedInstruments:
    """Return the candidates as a result; the symbol is set where there is one, or the first alone fits as a whole."""
    whole = [candidate for candidate in candidates if candidate.match in EXACT] or candidates
    return ResolvedInstruments(
        symbol=whole[0].symbol if len(whole) == 1 else None,
        as_of=as_of,
        source=source,
        fetched_at=fetched_at,
        rows=len(candidates),
        query=one_line(query),
        candidates=tuple(candidates),
        ambiguous=len(whole) > 1,
    )


def _match(query: str, wanted: str, symbol: str, name: str) -> MatchKind | None:
    if query.strip().upper() == symbol:
        return "ticker"
    own = bare_name(name)
    if not wanted:
        return None
    if wanted == own:
        return "name"
    if any(wanted == bare_name(known_name) for known_name in KNOWN_AS.get(symbol, ())):
        return "known as"
    return "part of the name" if set(wanted.split()) <= set(own.split()) else None


def _start(written: str, wanted: str, symbol: str, name: str) -> MatchKind | None:
    """Return how a text is the whole or the start of a ticker or name; None where it is neither."""
    if written in (symbol, symbol.removeprefix("^")):
        return "ticker"
    own, others = bare_name(name), [bare_name(other) for other in KNOWN_AS.get(symbol, ())]
    if wanted and wanted in (own, *others):
        return "name" if wanted == own else "known as"
    if len(written) <= LONGEST_TICKER_START and written and symbol.removeprefix("^").startswith(written):
        return "start of the ticker"
    if not wanted:
        return None
    if own.startswith(wanted):
        return "start of the name"
    if any(other.startswith(wanted) for other in others):
        return "start of a name it is known by"
    return "start of a word of the name" if f" {wanted}" in f" {own}" else None
