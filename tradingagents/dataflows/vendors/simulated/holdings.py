"""Investors of the simulated market: what they report to hold, 45 days after each quarter's end, and amendments."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta

import numpy as np

from tradingagents.dataflows.models import Floats, Holding, HoldingsReport
from tradingagents.dataflows.reference.investors import Investor
from tradingagents.dataflows.vendors.simulated.companies import COMPANIES
from tradingagents.dataflows.vendors.simulated.shares import before_split
from tradingagents.dataflows.vendors.simulated.streams import decaying_sum, stream
from tradingagents.dataflows.vendors.simulated.timeline import Timeline
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
