"""What vendors deliver: dated rows in our words and units, each knowing when it became known.

Vendors fill in everything they have, also what lies after the run's cut-off: dropping that is `MarketData`'s job,
done in one place for all of them.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from bisect import bisect_right
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from typing import Annotated, Literal

import numpy as np
import numpy.typing as npt
from pydantic import BeforeValidator, PlainSerializer

from tradingagents.dataflows.reference.currencies import NOT_STATED
from tradingagents.dataflows.reference.data_faults import FaultKind, reference
from tradingagents.dataflows.reference.line_items import StatementKind as StatementKind

Floats = npt.NDArray[np.float64]
Days = npt.NDArray[np.datetime64]
"""Session dates, dtype datetime64[D], ascending, without repeats."""

Frequency = Literal["quarterly", "annual"]
InstrumentKind = Literal["stock", "etf", "index", "crypto", "currency", "future"]
MoverCategory = Literal["day_gainers", "day_losers", "most_actives"]
KnownBy = Literal["accepted", "fetched", "assumed"]
"""How it was found since when a row is known.

* `accepted`: the regulator's acceptance of the filing, or the source's own date of filing or publication.
* `fetched`: the source has no date yet, and served the row to a live run.
* `assumed`: the source has no date; the filing deadline is taken (`dataflows.reference.fiscal_periods`).
"""


@dataclass(frozen=True, slots=True)
class Split:
    """A split: one share became `ratio` shares on the morning of `day`."""

    day: date
    ratio: float


@dataclass(frozen=True, slots=True)
class Dividend:
    """A cash dividend per share, by ex-date, in the currency of the prices."""

    day: date
    amount: float
    """Adjusted for later splits like `Prices.close`: what a share of today's size got."""
    rounding: float = 0.0
    """How far off the amount may be, where it was derived from adjusted closes; 0 for a listed one."""

    def scaled(self, factor: float) -> Dividend:
        """Return it on another basis, or in another currency."""
        return Dividend(self.day, self.amount * factor, self.rounding * factor)


@dataclass(frozen=True, slots=True)
class ListingEnd:
    """The end of a listing that a source states: a delisting, or a merger.

    Bars that stop are no such end: a recording stops, and trading is halted.
    """

    day: date
    """First session on which the symbol no longer trades."""
    kind: Literal["delisted", "merged"]
    cash: float | None = None
    """What holders get per share, in the prices' currency; None: not known of a delisting, nothing of a merger."""
    into: str | None = None
    """The symbol whose shares holders of a merged company get; None: none."""
    shares: float | None = None
    """Shares of `into` per share; None without `into`."""

    @property
    def terms(self) -> str:
        """What holders get, to end a sentence."""
        parts = [] if self.into is None else [f"{self.shares:g} shares of {self.into}"]
        if self.cash is not None:
            parts.append(f"{self.cash:,.2f}")
        return " and ".join(parts) + " a share" if parts else "what is not known"

    @property
    def told(self) -> str:
        """What became of it and what holders got, to end a sentence."""
        return f"was {self.kind}, and its holders got {self.terms}"


@dataclass(frozen=True, slots=True)
class PriceBreak:
    """A place that no figure may cross.

    A jump between neighbouring closes that nothing listed explains (`price_breaks`), or sessions that
    are missing or shifted (`price_days`).
    """

    before: date
    """The session before it."""
    day: date
    """First session at the other level."""
    close_before: float
    """Close of `before`, in the prices' currency."""
    close: float
    """Close of `day`."""
    until: date | None
    """First session back at the old level; None where the new level stands."""
    close_after: float | None
    cause: str
    """What it looks like, to end a sentence; where it `is_jump` not, the whole of it."""
    kind: FaultKind = "price-jump"

    def scaled(self, factor: float) -> PriceBreak:
        """Return it with closes on another basis, rounded so that they read the same however they were adjusted."""
        return replace(
            self,
            close_before=round(self.close_before * factor, 6),
            close=round(self.close * factor, 6),
            close_after=None if self.close_after is None else round(self.close_after * factor, 6),
        )

    @property
    def sound_from(self) -> date:
        """First session after which no bar lies across the break."""
        return self.until or self.day

    @property
    def is_jump(self) -> bool:
        """Whether the level of the closes changes there."""
        return self.kind not in ("missing-days", "day-without-session")

    @property
    def text(self) -> str:
        """The move with its days, and what it looks like."""
        if not self.is_jump:
            return self.cause
        back = "" if self.until is None else f", and back to {self.close_after:,.2f} on {self.until}"
        return (
            f"the close went from {self.close_before:,.2f} on {self.before} to {self.close:,.2f} on {self.day}{back}, "
            f"{self.cause}"
        )


@dataclass(frozen=True, slots=True)
class Prices:
    """Daily bars of one symbol, oldest first. A bar is known at its session's close."""

    symbol: str
    days: Days
    open: Floats
    high: Floats
    low: Floats
    close: Floats
    """Adjusted for the splits in `splits` with a day after the bar, for nothing else, unless `basis` says otherwise."""
    adj_close: Floats
    """Adjusted for splits and dividends: for returns, never shown as a price. NaN where the gate withholds returns, up
    to the day on which it disagrees with the listed dividends."""
    volume: Floats
    """Shares, adjusted for splits like `close`. NaN where the gate withholds it, in another unit than shares."""
    currency: str
    vendor: str
    fetched_at: datetime
    splits: tuple[Split, ...] = ()
    """Every split the vendor's `close` is adjusted for."""
    dividends: tuple[Dividend, ...] = ()
    ended: ListingEnd | None = None
    """The end of its listing, where the source states one; None: it states none, whatever bars there are."""
    basis: Literal["split_adjusted", "fully_adjusted", "index"] = "split_adjusted"
    """`fully_adjusted`: open to close are dividend-adjusted too, so returns are right and levels run low."""
    splits_listed: bool = True
    """False where the source adjusts for splits without listing them: prices of the past may not be as traded."""
    splits_since: date | None = None
    """First day from which `splits` has every split; None: from the first there was."""
    withheld: PriceBreak | None = None
    """The break before which bars are withheld, set by the gateway; None: none are."""
    gate_notes: tuple[str, ...] = ()
    """What else the gate withholds or doubts, one sentence each, which every answer that rests on the bars shows."""
    untraded: tuple[date, ...] = ()
    """Sessions whose bars show no trade and are left out, ascending, set by the gateway (`traded_bars`)."""
    lost: tuple[date, ...] = ()
    """Sessions since the first bar whose bar is missing, or wrong and left out, ascending, set by the gateway."""

    def __len__(self) -> int:
        return len(self.days)

    @property
    def notes(self) -> tuple[str, ...]:
        """What an answer that rests on these bars has to say: which are withheld, and what the gate doubts."""
        return (*((self.withheld_note,) if self.withheld_note else ()), *self.gate_notes)

    @property
    def withheld_note(self) -> str | None:
        """Which bars are withheld and why; None if none are."""
        found = self.withheld
        if found is None:
            return None
        return (
            f"Prices of {self.symbol} before {found.sound_from} are withheld: {found.text}. Figures that reach back "
            f"further are n/a; correct the prices, or name another vendor ({reference(found.kind)})."
        )

    def is_cut(self, first: date) -> bool:
        """Return whether a window from `first` on would reach across the break into withheld bars."""
        return self.withheld is not None and first < self.withheld.sound_from

    def lacks(self, sessions: int) -> bool:
        """Return whether a window of the last `sessions` bars would reach into withheld bars."""
        return self.withheld is not None and len(self) < sessions

    @property
    def gaps(self) -> tuple[date, ...]:
        """The sessions without a bar to rest on, ascending: those without a trade, and those that are lost."""
        return tuple(sorted((*self.untraded, *self.lost))) if self.lost else self.untraded

    def gaps_within(self, bars: int) -> int:
        """Return how many sessions without a bar lie within a window of the last `bars` bars, or after it."""
        gaps = self.gaps
        if not gaps or not len(self):
            return len(gaps)
        first: date = self.days[max(0, len(self) - bars)].item()
        return len(gaps) - bisect_right(gaps, first)

    @property
    def gaps_before(self) -> npt.NDArray[np.intp]:
        """How many sessions without a bar there are before each bar: its place plus this is its session's number."""
        return np.searchsorted(np.array(self.gaps, dtype="datetime64[D]"), self.days)

    @property
    def resumes(self) -> npt.NDArray[np.bool_]:
        """Which bars follow a session without a bar: their return is that of several sessions."""
        gone = self.gaps_before
        return np.asarray(np.diff(gone, prepend=gone[:1]) > 0, dtype=np.bool_)

    def spans_gap(self, bars: int) -> bool:
        """Return whether the last `bars` bars are no run of so many sessions, since one between or after has no bar."""
        return self.gaps_within(bars) > 0

    def sessions_back(self, sessions: int) -> int | None:
        """Return the index of the bar so many sessions before the last bar; None if that session has no bar.

        None too where the symbol has not traded since the last bar: what came after it is not known.
        """
        if not len(self) or self.gaps_within(1):
            return None
        if not self.gaps:
            return len(self) - 1 - sessions if len(self) > sessions else None
        numbers = np.arange(len(self)) + self.gaps_before
        wanted = int(numbers[-1]) - sessions
        index = int(np.searchsorted(numbers, wanted))
        return index if int(numbers[index]) == wanted else None

    def upto(self, last: date) -> Prices:
        """Return the bars of sessions up to and including `last`."""
        known = self._slice(0, int(np.searchsorted(self.days, np.datetime64(last, "D"), side="right")))
        return known._with_gaps(lambda day: day <= last)

    def since(self, first: date) -> Prices:
        """Return the bars of sessions from `first` on."""
        part = self._slice(int(np.searchsorted(self.days, np.datetime64(first, "D"), side="left")), len(self.days))
        return part._with_gaps(lambda day: day >= first)

    def as_traded(self, last: date) -> Prices:
        """Undo the adjustment for splits after `last`, so that prices read as they did that day.

        Splits and dividends after `last` are dropped. `adj_close` is rescaled like `close`, which leaves returns alone.
        """
        factor = float(np.prod([split.ratio for split in self.splits if split.day > last]))
        scaled = (
            self
            if factor == 1.0 and self.withheld is None
            else replace(
                self,
                open=self.open * factor,
                high=self.high * factor,
                low=self.low * factor,
                close=self.close * factor,
                adj_close=self.adj_close * factor,
                volume=self.volume / factor,
                withheld=None if self.withheld is None else self.withheld.scaled(factor),
            )
        )
        return replace(
            scaled,
            splits=tuple(split for split in self.splits if split.day <= last),
            ended=self.ended if self.ended is not None and self.ended.day <= last else None,
            dividends=tuple(paid.scaled(factor) for paid in self.dividends if paid.day <= last),
        )

    def _with_gaps(self, within: Callable[[date], bool]) -> Prices:
        """Return the bars with those sessions without a bar that lie within a window."""
        if not self.untraded and not self.lost:
            return self
        untraded, lost = (tuple(filter(within, days)) for days in (self.untraded, self.lost))
        return replace(self, untraded=untraded, lost=lost)

    def _slice(self, start: int, stop: int) -> Prices:
        if start == 0 and stop == len(self.days):
            return self
        part = slice(start, stop)
        return replace(
            self,
            days=self.days[part],
            open=self.open[part],
            high=self.high[part],
            low=self.low[part],
            close=self.close[part],
            adj_close=self.adj_close[part],
            volume=self.volume[part],
        )


@dataclass(frozen=True, slots=True)
class Statement:
    """One financial statement of one period, in our item names (`dataflows.reference.line_items`)."""

    symbol: str
    kind: StatementKind
    frequency: Frequency
    fiscal_year: int
    fiscal_period: str
    """Q1 … Q4, or FY."""
    period_end: date
    known_at: datetime
    """UTC; `known_by` says how it was found."""
    currency: str
    source: str
    """Who recorded it, for example polygon."""
    items: Mapping[str, float]
    """In `currency`, unscaled; per-share items per share. An item the source lacks is not there, never 0."""
    period_start: date | None = None
    known_by: KnownBy = "accepted"
    """`assumed`: period end + 45 days (quarter) or + 90 (year and fiscal Q4)."""
    shares_as_of: datetime | None = None
    """Instant in whose shares the share counts and per-share items are, every split by then applied; None: as filed, in
    those of `known_at`. The gateway brings every statement to the cut-off's (`share_basis`)."""
    share_factor: float = 1.0
    """How many shares of the cut-off stand for one share at `known_at`; set by the gateway."""
    withheld: Mapping[str, str] = field(default_factory=dict)
    """Items that the gate withholds, with the reason in one sentence (`gateway.faults.Fault.reason`); not in `items`.
    No figure over this period may count such an item as missing without its reason."""
    gate_notes: tuple[str, ...] = ()
    """What a reader of the items must know, such as that a quarter was worked out from year-to-date rows."""


@dataclass(frozen=True, slots=True)
class Books:
    """A company's statements as one source gives them, and what the other sources give."""

    vendor: str
    """Who gave the statements."""
    statements: tuple[Statement, ...]
    """Of each period the version known last, newest period first within each kind."""
    passed: Mapping[str, str]
    """Vendors asked before that could not answer, with the reason in one sentence."""
    others: Mapping[str, tuple[Statement, ...]]
    """What the vendors after it give of the same, to check against."""
    silent: Mapping[str, str]
    """Those of them that gave nothing, with the reason in one sentence."""


@dataclass(frozen=True, slots=True)
class NewsItem:
    """One article or headline."""

    title: str
    published_at: datetime
    """UTC."""
    known_at: datetime
    """UTC; `published_at`, or the next session's open where the source gives a day only."""
    source: str | None = None
    """Publisher."""
    summary: str | None = None
    url: str | None = None
    symbol: str | None = None
    """The company it was filed under; None for market news."""
    day_only: bool = False


INSIDER_WINDOW = timedelta(days=180)
"""Trades of so many days before the cut-off are wanted."""


@dataclass(frozen=True, slots=True)
class InsiderTransaction:
    """One reported trade of an insider."""

    symbol: str
    insider: str
    relation: str
    """Position, as the source words it."""
    kind: Literal["buy", "sell", "grant", "gift", "exercise", "other"]
    shares: float
    value: float | None
    """In the company's currency; None where the source has none."""
    transaction_date: date
    known_at: datetime
    """UTC; `known_by` says how it was found."""
    known_by: KnownBy = "accepted"
    """`assumed`: after the second session following the trade."""
    text: str = ""
    shares_as_of: date | None = None
    """Day in whose shares `shares` counts; None: as reported, in those of `transaction_date`."""
    share_factor: float = 1.0
    """How many shares of the cut-off stand for one share on `transaction_date`; set by the gateway."""
    withheld: str = ""
    """Why its value and shares are in no sum, set by the gateway; empty where they are."""


@dataclass(frozen=True, slots=True)
class Profile:
    """Who a symbol is. Slow-moving facts, today's edition: they carry no date."""

    symbol: str
    name: str
    kind: InstrumentKind
    sector: str | None = None
    """Our sector key (`dataflows.reference.sectors`); None for indices, unsectored ETFs, and where unknown."""
    industry: str | None = None
    exchange: str | None = None
    """MIC of the exchange calendar, for example XNYS."""
    currency: str = NOT_STATED
    """Of the quotes; `NOT_STATED` where neither source nor listing tells it."""
    listing: str | None = None
    """MIC of the exchange where it is listed (`reference.symbols`); None where the source does not say."""
    withheld: str = ""
    """Why name, sector and industry are not those of the source, set by the gateway; empty where they are."""


@dataclass(frozen=True, slots=True)
class Ratios:
    """A vendor's ratios and description of a company as of today (live only).

    Ratios have the names of `analytics.company.fundamentals`.
    """

    symbol: str
    values: Mapping[str, float]
    vendor: str
    fetched_at: datetime
    currency: str = "USD"
    labels: Mapping[str, str] = field(default_factory=dict)
    business: str | None = None
    """What the company does, in the vendor's words; None where it says nothing."""


@dataclass(frozen=True, slots=True)
class Mover:
    """A stock that moved, or was traded, more than others in one session."""

    symbol: str
    name: str
    price: float
    """Last price of the session, as traded unless `adjusted`, in `currency`."""
    change_pct: float
    """Percent against the close before, dividends not added back unless `adjusted`: what a quote page shows."""
    volume: float
    """Shares traded in the session."""
    known_at: datetime
    """UTC: the session's close, or the instant of a quote taken before it."""
    market_cap: float | None = None
    sector: str | None = None
    """Sector key; None where unknown."""
    currency: str = "USD"
    adjusted: bool = False
    """True where the source has prices adjusted for dividends and splits since, and volumes for splits, and cannot undo
    it (`Prices.basis` fully_adjusted)."""
    among: int | None = None
    """How many stocks the source compared in this session; None where it does not say."""


@dataclass(frozen=True, slots=True)
class SectorMember:
    """A company of a sector. Today's edition, like a profile: it carries no date."""

    symbol: str
    name: str
    industry: str | None = None
    rating: str | None = None
    """Analysts' consensus as the vendor words it; live sources only."""
    weight: float | None = None
    """Share of the sector's market value in percent; live sources only."""
    known_at: datetime | None = None
    """UTC: since when rating and weight may be shown; None where they are of the moment they were asked for."""


@dataclass(frozen=True, slots=True)
class EarningsEvent:
    """One company's quarterly results: published, or announced for a day to come."""

    symbol: str
    name: str
    day: date
    """Day of publication, in the exchange's time."""
    known_at: datetime
    """UTC: when the row became known: for published results their publication."""
    period_end: date | None = None
    fiscal_period: str | None = None
    eps: float | None = None
    """Reported, diluted, per share; None where not (yet) reported."""
    eps_estimate: float | None = None
    revenue: float | None = None
    currency: str = "USD"
    shares_as_of: datetime | None = None
    """Instant in whose shares `eps` and `eps_estimate` are; None: as published, in those of `known_at`."""
    withheld: str = ""
    """Why figures of it are absent that its statement has, since they cannot be true; empty where none are."""


@dataclass(frozen=True, slots=True)
class EconomicEvent:
    """One release of an economic figure: published, or scheduled for a day to come."""

    name: str
    """In words, such as `Unemployment rate`; the same for every release of the figure."""
    day: date
    """Day of release; assumed where `day_assumed`."""
    known_at: datetime
    """UTC: when the row became known."""
    period: str | None = None
    """What the figure is about, such as `2025-02` or `2025-Q1`."""
    value: float | None = None
    """In `unit`; None where not (yet) released."""
    previous: float | None = None
    estimate: float | None = None
    unit: str = ""
    region: str = "US"
    day_assumed: bool = False
    """True where the source knows the period only and the release day is a cautious assumption."""
    read_at: datetime | None = None
    """UTC: when `value` and `previous` were read, where the source gives its latest revision of them, and long after
    everything where that is not known; None where they are as they were published that day."""
    withheld: bool = False
    """True where a value was published, and only a later revision of it is available (`reference.macro_series`)."""


@dataclass(frozen=True, slots=True)
class SocialPost:
    """One post about a company."""

    symbol: str
    text: str
    posted_at: datetime
    """UTC."""
    known_at: datetime
    """UTC; `posted_at`."""
    source: str
    """Where it was posted: stocktwits, reddit."""
    author: str | None = None
    community: str | None = None
    """A part of the source, such as a subreddit."""
    sentiment: Literal["bullish", "bearish"] | None = None
    """As its author tagged it; None where untagged."""
    score: int | None = None
    """Likes, or votes up less votes down, at `counted_at`; None where the source does not say."""
    comments: int | None = None
    """At `counted_at`; None where the source does not say."""
    url: str | None = None
    counted_at: datetime | None = None
    """UTC: when `score` and `comments` were read, for they go on growing; None where neither is there."""


@dataclass(frozen=True, slots=True)
class SocialPosts:
    """What several sources answered together about one company."""

    posts: tuple[SocialPost, ...]
    """Newest first."""
    answered: tuple[str, ...]
    """The vendors that answered, with posts or without, in order of preference."""
    silent: Mapping[str, str]
    """The vendors that did not, with the reason in one sentence."""


@dataclass(frozen=True, slots=True)
class Filed:
    """What every paper filed with the regulator has."""

    symbol: str
    form: str
    """As filed: 10-K, 10-Q/A, 8-K, 4."""
    known_at: datetime
    """Instant of acceptance, UTC."""
    filed_on: date
    """The day the regulator counts it as filed."""
    accession: str
    """The regulator's number of the filing."""
    url: str


@dataclass(frozen=True, slots=True)
class Filing(Filed):
    """One filing, as the regulator's index lists it."""

    title: str = ""
    period_end: date | None = None
    items: tuple[str, ...] = ()
    """Items of an 8-K, such as 2.02."""


def _from_base64(value: object) -> object:
    return b64decode(value, validate=True) if isinstance(value, str) else value


Base64Json = Annotated[
    bytes,
    BeforeValidator(_from_base64),
    PlainSerializer(lambda value: b64encode(value).decode("ascii"), when_used="json"),
]
"""Bytes, written in base64 in JSON."""


@dataclass(frozen=True, slots=True)
class FilingDocument(Filed):
    """The main document of a filing, or an exhibit of it, as filed; its form may be that of the exhibit, as EX-99.1."""

    content_type: str
    """Such as text/html."""
    content: Base64Json
    period_end: date | None = None


@dataclass(frozen=True, slots=True)
class ReportedFact(Filed):
    """A figure of the company as a whole that a filing tags in XBRL, of one period or day."""

    tag: str
    """With its taxonomy, such as us-gaap:NetIncomeLoss."""
    unit: str
    """As tagged: USD, shares, USD/shares, pure."""
    period_end: date
    value: float
    """In `unit`, unscaled."""
    period_start: date | None = None
    """First day of the period; None for a figure of a day."""


@dataclass(frozen=True, slots=True)
class Holding:
    """One line of an investor's report: a security, or an option on one."""

    issuer: str
    title: str
    """Class of the security as filed, such as COM or CL A."""
    cusip: str
    """Nine letters and digits that identify the security; empty where the source has none."""
    kind: Literal["shares", "principal", "call", "put"]
    """`principal` counts `amount` in USD of bonds; `call` and `put` count the shares under the option."""
    value: float
    """USD at the end of the period; of an option, the value of the shares under it."""
    amount: float
    """Shares, or principal in USD."""
    symbol: str | None = None
    """None where the source gives no ticker; Form 13F does not."""


@dataclass(frozen=True, slots=True)
class HoldingsReport:
    """What an investor reported to hold at the end of a quarter (Form 13F), in one filing."""

    investor: str
    """Name as filed."""
    cik: int
    period_end: date
    known_at: datetime
    """Instant of acceptance, UTC."""
    filed_on: date
    accession: str
    form: str
    """13F-HR, or 13F-HR/A for an amendment."""
    holdings: tuple[Holding, ...]
    """In the order filed; a security may stand on more than one line."""
    amendment: Literal["restatement", "new_holdings"] | None = None
    """A `restatement` replaces what was filed for the period before; `new_holdings` are added to it. None: no
    amendment."""
    url: str = ""


@dataclass(frozen=True, slots=True)
class MacroObservation:
    """One value of an economic series, in one of its vintages."""

    day: date
    """What the value is about: the first day of its period, or the day itself."""
    value: float
    known_at: datetime
    """UTC: when this vintage was published."""


@dataclass(frozen=True, slots=True)
class MacroSeries:
    """An economic series with every vintage the source gave, by day and then by vintage."""

    series: str
    """The source's id, such as CPIAUCSL."""
    name: str
    observations: tuple[MacroObservation, ...]
    unit: str = ""
    frequency: Literal["daily", "weekly", "monthly", "quarterly", "annual", ""] = ""
    vintages: bool = True
    """False where the source gives today's revision only, with an assumed day of publication."""
    read_at: datetime | None = None
    """UTC: when values without vintages were read; None where that is not known."""
    gate_notes: tuple[str, ...] = ()
    """Which values the gate withholds, and why."""

    def __len__(self) -> int:
        return len(self.observations)
