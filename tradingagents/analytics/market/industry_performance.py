"""Returns of a sector's companies and industries: leaders, best and worst of the others, and means by industry."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict

from tradingagents.analytics.market.scanned import (
    LEAP,
    TODAY_S_EDITION,
    ListedStock,
    ScannedCompany,
    current,
    figure_name,
    leap_note,
    seen_stock,
    session_note,
    short_name,
    table,
)
from tradingagents.analytics.price.returns import (
    SCAN_HORIZONS,
    largest_daily_change,
    last_day,
    mean_dollar_volume,
    percent,
    simple_return,
)
from tradingagents.analytics.text import cut, one_line
from tradingagents.dataflows.models import Prices, SectorMember
from tradingagents.dataflows.reference.metrics import MISSING, Figure
from tradingagents.dataflows.reference.sectors import DISPLAY, LEADERS
from tradingagents.dataflows.results import Result
from tradingagents.errors import NoData

EXTREMES = 5
"""Number of best and of worst other companies shown, by one-month return."""
INDUSTRIES = 8
"""Maximum number of industries shown, those with the most companies first."""
RANKED_BY = "1m"
COMPANIES_HEADER = "| Company | Symbol | Rating | Market Weight | 1-Day | 1-Week | 1-Month |"
INDUSTRIES_HEADER = "| Industry | Companies | 1-Day | 1-Week | 1-Month |"

Returns = Mapping[str, float | None]


class CompanyReturns(ListedStock):
    """One company of the sector."""

    industry: str | None
    rating: str | None
    """Analysts' consensus in the vendor's words; None if the source has none."""
    weight: float | None
    """Percent of the sector's market value; None if the source has none."""
    leader: bool
    """Whether it is among the ten largest by weight or, if weights are unknown, by traded value."""
    returns: Returns
    """Percent, by period: 1d, 1w, 1m (1, 5, 21 sessions); dividends are included."""

    def figures(self) -> tuple[Figure, ...]:
        """Return weight and returns, named by the symbol."""
        return (Figure(f"{self.symbol}_weight", self.weight, "%"), *_return_figures(self.symbol, self.returns))


class IndustryReturns(BaseModel):
    """Mean returns of the companies of one industry."""

    model_config = ConfigDict(frozen=True)

    industry: str
    companies: int
    """Number of companies with prices."""
    returns: Returns
    """Percent, by period: the unweighted mean over the companies that have a return."""

    def figures(self) -> tuple[Figure, ...]:
        """Return count and mean returns, named by the industry."""
        name = figure_name(self.industry)
        return (Figure(f"{name}_companies", self.companies), *_return_figures(name, self.returns))


class IndustryPerformance(Result):
    """Returns of a sector's companies and industries at one session."""

    tabulated: ClassVar[bool] = True

    sector: str
    """Sector key."""
    companies: tuple[CompanyReturns, ...]
    """Leaders by descending weight; then the best of the others over the month, then the worst, by descending
    return."""
    industries: tuple[IndustryReturns, ...]
    """At most eight, those with the most companies first."""

    @property
    def title(self) -> str:
        """Heading."""
        return f"Industry performance: {DISPLAY[self.sector]}"

    @property
    def subject(self) -> str | None:
        """The sector key."""
        return self.sector

    def figures(self) -> tuple[Figure, ...]:
        """Return the figures of every company and industry shown."""
        rows: tuple[CompanyReturns | IndustryReturns, ...] = (*self.companies, *self.industries)
        return tuple(figure for row in rows for figure in row.figures())

    def body(self) -> str:
        """Return the companies and the industries as tables."""
        companies = table(COMPANIES_HEADER, (_company_cells(row) for row in self.companies))
        if not self.industries:
            return companies
        industries = ((row.industry, *(figure.text for figure in row.figures())) for row in self.industries)
        return f"{companies}\n\n{table(INDUSTRIES_HEADER, industries)}"

    def kept(self) -> dict[str, Any]:
        """Return the stocks listed, for the scan's state."""
        tool = f"get_industry_performance:{self.sector}"
        return {
            "seen": {
                row.symbol: seen_stock(ScannedCompany(name=row.name, sector=self.sector), tool, _seen_figures(row))
                for row in self.companies
            }
        }


@dataclass(frozen=True, slots=True, eq=False)
class _Read:
    """A member with its prices."""

    member: SectorMember
    prices: Prices
    returns: Returns


def industry_performance(
    members: Sequence[SectorMember],
    series: Mapping[str, Prices],
    *,
    as_of: date,
    sector: str,
    session: date,
    live: bool,
    known_at: datetime,
) -> IndustryPerformance:
    """Compute how a sector's companies and industries did at the newest session of their prices.

    Args:
        members: The companies whose prices were asked for.
        series: Their bars, by symbol; a company that is missing or whose bars end before the others' is left out. A
            note counts the rest: of a past day, those left out would include companies listed only later.
        as_of: The day of the question.
        sector: Sector key.
        session: The last session that had closed.
        live: Whether that is the latest session, so that today's membership is that of the session.
        known_at: When its bars became known.

    Raises:
        NoData: No member has bars.
    """
    listed = {one.symbol: one for one in members}
    traded = current({symbol: series[symbol] for symbol in listed if len(series.get(symbol, ()))})
    if not traded:
        raise NoData(f"No company of {DISPLAY[sector]} has prices of {session}; choose another sector or vendor.")
    read = [_Read(listed[symbol], prices, _returns(prices)) for symbol, prices in traded.items()]
    leaders = _leaders(read)
    others = _extremes([company for company in read if company not in leaders])
    shown = [*leaders, *others]
    end = last_day(shown[0].prices)
    return IndustryPerformance(
        as_of=as_of,
        source="+".join(sorted({prices.vendor for prices in traded.values()})),
        known_at=known_at,
        fetched_at=max(prices.fetched_at for prices in traded.values()),
        end=end,
        rows=sum(len(prices) for prices in traded.values()),
        inputs=tuple(traded),
        notes=_notes(shown, len(read), end, session, live=live),
        sector=sector,
        companies=tuple(_company(company, leader=company in leaders) for company in shown),
        industries=_industries(read),
    )


def _returns(prices: Prices) -> Returns:
    return {period: percent(simple_return(prices, count)) for period, count in SCAN_HORIZONS.items()}


def _leaders(read: Sequence[_Read]) -> list[_Read]:
    """Return the heaviest companies; where no weight is known, those of most value traded; equals by symbol."""
    if any(company.member.weight is not None for company in read):
        known = [company for company in read if company.member.weight is not None]
        return sorted(known, key=lambda company: (-(company.member.weight or 0), company.member.symbol))[:LEADERS]
    return sorted(read, key=lambda company: (-(mean_dollar_volume(company.prices) or 0), company.member.symbol))[
        :LEADERS
    ]


def _extremes(others: Sequence[_Read]) -> list[_Read]:
    """Return the strongest and the weakest over the month, each company once, the strongest first."""
    moved = [(move, company) for company in others if (move := company.returns[RANKED_BY]) is not None]
    ranked = [one for _, one in sorted(moved, key=lambda pair: (-pair[0], pair[1].member.symbol))]
    return ranked if len(ranked) <= 2 * EXTREMES else [*ranked[:EXTREMES], *ranked[-EXTREMES:]]


def _company(read: _Read, *, leader: bool) -> CompanyReturns:
    member = read.member
    return CompanyReturns(
        symbol=member.symbol,
        name=short_name(member.name),
        industry=_industry(member),
        rating=cut(one_line(member.rating or ""), 20) or None,
        weight=member.weight,
        leader=leader,
        returns=read.returns,
    )


def _industry(member: SectorMember) -> str | None:
    return cut(one_line(member.industry or ""), 60) or None


def _industries(read: Iterable[_Read]) -> tuple[IndustryReturns, ...]:
    """Return the industries of most companies that have a return at all; equals by name."""
    groups: dict[str, list[Returns]] = {}
    for company in read:
        if industry := _industry(company.member):
            groups.setdefault(industry, []).append(company.returns)
    means = (
        IndustryReturns(industry=name, companies=len(group), returns=_means(group)) for name, group in groups.items()
    )
    known = [row for row in means if any(value is not None for value in row.returns.values())]
    return tuple(sorted(known, key=lambda row: (-row.companies, row.industry))[:INDUSTRIES])


def _means(group: Sequence[Returns]) -> Returns:
    means: dict[str, float | None] = {}
    for period in SCAN_HORIZONS:
        known = [value for returns in group if (value := returns[period]) is not None]
        means[period] = sum(known) / len(known) if known else None
    return means


def _notes(shown: Sequence[_Read], companies: int, end: date, session: date, *, live: bool) -> tuple[str, ...]:
    month = SCAN_HORIZONS[RANKED_BY]
    leapt = (
        company.member.symbol for company in shown if (largest_daily_change(company.prices, month) or 0) > LEAP / 100
    )
    leading = (
        "the heaviest" if any(company.member.weight is not None for company in shown) else "those of most value traded"
    )
    others = f"The first {LEADERS} are {leading}; below stand the strongest and weakest of the others over the month."
    return (
        *((others,) if len(shown) > LEADERS else ()),
        *session_note(end, session),
        f"Companies with prices of {end}: {companies}.",
        *leap_note(leapt),
        *(() if live else (TODAY_S_EDITION,)),
    )


def _return_figures(name: str, returns: Returns) -> tuple[Figure, ...]:
    return tuple(Figure(f"{name}_{period}", returns[period], "%") for period in SCAN_HORIZONS)


def _company_cells(row: CompanyReturns) -> tuple[str, ...]:
    return (row.name, row.symbol, row.rating or MISSING, *(figure.text for figure in row.figures()))


def _seen_figures(row: CompanyReturns) -> dict[str, float | None]:
    return {"change_1d": row.returns["1d"], "return_1w": row.returns["1w"], "return_1m": row.returns["1m"]}
