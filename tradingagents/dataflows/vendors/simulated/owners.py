"""Who owns the companies: investors that report their holdings, and trades of insiders.

Investors report 45 days after each quarter's end, and amend. Insiders purchase more after falls, sell more after rises,
and each officer has a grant every year.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from typing import Literal

import numpy as np

from tradingagents.dataflows.models import Floats, Holding, HoldingsReport, InsiderTransaction
from tradingagents.dataflows.reference.investors import Investor
from tradingagents.dataflows.vendors.simulated.companies import COMPANIES
from tradingagents.dataflows.vendors.simulated.market import Timeline, decaying_sum, stream
from tradingagents.dataflows.vendors.simulated.shares import Share, before_split
from tradingagents.dataflows.vendors.simulated.world import World

INVESTORS = (
    Investor(9900000001, "Larkspur Hill Capital", ("Edda Ashgrove",)),
    Investor(9900000002, "Fenwick Row Partners", ("Hugo Dunmere",)),
    Investor(9900000003, "Moorcastle Macro", ("Ines Quarrington",)),
)
"""Fictional; the numbers are beyond those that the regulator has given out."""
CONFIDENTIAL, OPTIONS = INVESTORS[1].cik, INVESTORS[2].cik
"""Who reports a holding later, by an amendment after each year's end, and who holds puts on its largest holding."""
ASSETS = 4e9
"""USD that an investor manages, about."""
_DELAY, _AMENDED_AFTER = timedelta(days=45), timedelta(days=30)
_KEEPS, _HELD, _STEP = 0.7, -0.3, 0.5
"""How much of its view of a company an investor keeps each quarter, above which view it holds it, and the step in which
it changes what it holds: small changes of the view change nothing."""
_UNIVERSE, _PUT_SHARE = 0.4, 0.25


@dataclass(frozen=True, slots=True)
class _QuarterEnd:
    end: date
    position: int
    """Last session of the quarter."""


def reports_of(investor: Investor, world: World) -> tuple[HoldingsReport, ...]:
    """Return every report that an investor files within the calendar, newest first."""
    quarters = tuple(_quarters(world.timeline))
    shares = _share_counts(investor, world, quarters)
    found: list[HoldingsReport] = []
    for quarter, held in zip(quarters, shares, strict=True):
        known_at = _accepted(quarter.end + _DELAY, world.timeline)
        if known_at is None:
            break
        found += _filed(investor, quarter, _holdings(investor, world, quarter, held), known_at, world.timeline)
    return tuple(sorted(found, key=lambda report: (report.known_at, report.accession), reverse=True))


def _quarters(timeline: Timeline) -> Iterator[_QuarterEnd]:
    """Yield the calendar quarters that end within the sessions, oldest first."""
    months = timeline.dates.astype("datetime64[M]").astype(int)
    for position in np.flatnonzero(months[1:] // 3 != months[:-1] // 3).tolist():
        last = timeline.days[position]
        following = date(last.year + last.month // 12, last.month % 12 + 1, 1)
        yield _QuarterEnd(following - timedelta(days=1), position)


def _share_counts(investor: Investor, world: World, quarters: tuple[_QuarterEnd, ...]) -> Floats:
    """Return the shares held at the end of each quarter, in today's shares, by company; 0 for none."""
    roster = tuple(COMPANIES)
    style = stream(world.seed, "13f-style", str(investor.cik))
    inside, weight = style.random(len(roster)) < _UNIVERSE, style.lognormal(0.0, 0.8, len(roster))
    first = np.array([world.series[symbol].close[world.series[symbol].first] for symbol in roster])
    usual = ASSETS * weight / weight[inside].sum() / first
    shocks = stream(world.seed, "13f", str(investor.cik)).standard_normal((len(quarters), len(roster)))
    view = decaying_sum(shocks * np.sqrt(1 - _KEEPS**2), _KEEPS)
    wanted = usual * np.exp(0.4 * np.round(view / _STEP) * _STEP)
    counts: Floats = np.where(inside & (view > _HELD), np.round(wanted, -2), 0.0)
    return counts


def _holdings(investor: Investor, world: World, quarter: _QuarterEnd, held: Floats) -> tuple[Holding, ...]:
    """Return the lines of a report, in the shares and at the prices of the quarter's last session."""
    found = []
    for company, shares in zip(COMPANIES.values(), held.tolist(), strict=True):
        series = world.series[company.symbol]
        if shares <= 0 or quarter.position < series.first:
            continue
        units = float(before_split(company, world.timeline)[quarter.position])
        count = float(round(shares / units))
        price = float(series.close[quarter.position]) * units
        cusip = _cusip(company.symbol)
        found.append(Holding(company.name, "COM", cusip, "shares", round(count * price), count, company.symbol))
    if investor.cik == OPTIONS and found:
        largest = max(found, key=lambda line: line.value)
        value, amount = round(largest.value * _PUT_SHARE), round(largest.amount * _PUT_SHARE)
        found.append(replace(largest, kind="put", value=float(value), amount=float(amount)))
    return tuple(found)


def _filed(
    investor: Investor, quarter: _QuarterEnd, holdings: tuple[Holding, ...], known_at: datetime, timeline: Timeline
) -> Iterator[HoldingsReport]:
    """Yield the report, and the amendment that adds what it left out."""
    later = _accepted(known_at.date() + _AMENDED_AFTER, timeline)
    withheld = holdings[-1:] if investor.cik == CONFIDENTIAL and quarter.end.month == 12 else ()
    accession = f"{investor.cik}-{quarter.end:%y}-{quarter.end.month:06d}"
    report = HoldingsReport(
        investor=investor.name,
        cik=investor.cik,
        period_end=quarter.end,
        known_at=known_at,
        filed_on=known_at.date(),
        accession=accession,
        form="13F-HR",
        holdings=holdings[: len(holdings) - len(withheld)],
        url=f"https://filings.invalid/13f/{accession}",
    )
    yield report
    if withheld and later is not None:
        yield replace(
            report,
            known_at=later,
            filed_on=later.date(),
            accession=f"{accession}-A",
            form="13F-HR/A",
            holdings=withheld,
            amendment="new_holdings",
            url=f"{report.url}-A",
        )


def _accepted(day: date, timeline: Timeline) -> datetime | None:
    """Return the close of the first session on or after a day, when its filings are accepted; None beyond the last."""
    position = timeline.position(day)
    return timeline.calendar.close_of(timeline.days[position]) if position < len(timeline) else None


def _cusip(symbol: str) -> str:
    return hashlib.sha256(symbol.encode()).hexdigest()[:9].upper()


RELATIONS = ("Chief Executive Officer", "Chief Financial Officer", "General Counsel", "Director", "Director")
_FIRST_NAMES = ("Ada", "Bruno", "Celia", "Dario", "Edda", "Felix", "Greta", "Hugo", "Ines", "Jonas", "Klara", "Leon")
_LAST_NAMES = (
    "Ashgrove", "Bellwater", "Crowmarsh", "Dunmere", "Elderfen", "Foxholt", "Greyhurst", "Hollowell",
    "Ivorsen", "Kestreldale", "Larchmont-Ives", "Moorcastle", "Nettlesby", "Oakvale", "Pinemoor", "Quarrington",
)  # fmt: skip
_LOOK_BACK = 60  # sessions
_BUY, _BUY_PER_FALL = 0.003, 0.06  # chance a session, and what each unit of a fall beyond a tenth adds
_SELL, _SELL_PER_RISE = 0.010, 0.03
_FILING_FROM = time(20, 0, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class _Trade:
    position: int
    officer: int
    kind: Literal["buy", "sell", "grant"]
    dollars: float


def transactions_of(share: Share, seed: int, timeline: Timeline) -> tuple[InsiderTransaction, ...]:
    """Return the trades filed within the calendar, newest first."""
    delays = stream(seed, share.company.symbol, "insider-filings").random((len(timeline), 2))
    prices = share.series.close * before_split(share.company, timeline)
    filed = []
    for trade in (*_trades(share, seed, timeline), *_grants(share, timeline)):
        known_at = _filing(trade, delays[trade.position].tolist(), timeline)
        if known_at is not None:
            filed.append(_transaction(share, trade, float(prices[trade.position]), known_at, timeline))
    return tuple(sorted(filed, key=lambda row: (row.known_at, row.insider), reverse=True))


def _trades(share: Share, seed: int, timeline: Timeline) -> Iterator[_Trade]:
    """Yield purchases and sales in the open market."""
    count, close = len(timeline), share.series.close
    drawn = stream(seed, share.company.symbol, "insiders").random((count, 3))
    before = close[np.maximum(np.arange(count) - _LOOK_BACK, 0)]
    change = close / before - 1.0
    buys = _BUY + _BUY_PER_FALL * np.maximum(-change - 0.1, 0.0)
    sells = _SELL + _SELL_PER_RISE * np.maximum(change, 0.0)
    for position in np.flatnonzero(drawn[:, 0] < buys + sells).tolist():
        if position < share.series.first:
            continue
        chance, officer, size = drawn[position].tolist()
        buys_now = chance < buys[position]
        smallest, orders_of_magnitude = (4e4, 1.4) if buys_now else (1.5e5, 1.6)
        dollars = smallest * 10.0 ** (orders_of_magnitude * size)
        yield _Trade(position, int(officer * len(RELATIONS)), "buy" if buys_now else "sell", dollars)


def _grants(share: Share, timeline: Timeline) -> Iterator[_Trade]:
    """Yield a yearly grant of shares to each officer, two months after the fiscal year's end."""
    month = share.company.year_end % 12 + 2
    for year in range(timeline.days[0].year, timeline.days[-1].year + 1):
        position = timeline.position(date(year, min(month, 12), 10))
        if share.series.first <= position < len(timeline):
            yield from (_Trade(position, officer, "grant", 1e6 / (officer + 1)) for officer in range(len(RELATIONS)))


def _filing(trade: _Trade, chances: list[float], timeline: Timeline) -> datetime | None:
    """Return when a trade is filed: after the close one or two sessions later; None beyond the calendar."""
    position = trade.position + (1 if chances[0] < 0.4 else 2)
    if position >= len(timeline):
        return None
    session = timeline.days[position]
    close = max(timeline.calendar.close_of(session), datetime.combine(session, _FILING_FROM))
    return close + timedelta(minutes=5 + int(chances[1] * 55))


def _transaction(
    share: Share, trade: _Trade, price: float, known_at: datetime, timeline: Timeline
) -> InsiderTransaction:
    """Write a trade down, in the shares and at the price of its day."""
    number = max(round(trade.dollars / price / 10.0) * 10, 10)
    verb = {"buy": "Purchase", "sell": "Sale", "grant": "Grant"}[trade.kind]
    return InsiderTransaction(
        symbol=share.company.symbol,
        insider=officer_name(share.company.symbol, trade.officer),
        relation=RELATIONS[trade.officer],
        kind=trade.kind,
        shares=float(number),
        value=None if trade.kind == "grant" else round(number * price, 2),
        transaction_date=timeline.days[trade.position],
        known_at=known_at,
        text=f"{verb} of {number:,} shares" + ("" if trade.kind == "grant" else f" at {price:.2f} USD"),
    )


def officer_name(symbol: str, officer: int) -> str:
    """Return the fictional name of a company's officer; `officer` is a position in `RELATIONS`."""
    digest = hashlib.sha256(f"{symbol}/{officer}".encode()).digest()
    return f"{_FIRST_NAMES[digest[0] % len(_FIRST_NAMES)]} {_LAST_NAMES[digest[1] % len(_LAST_NAMES)]}"
