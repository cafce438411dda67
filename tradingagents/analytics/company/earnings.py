"""A company's earnings: quarterly results against the estimates before them, and the price over past and next ones."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from typing import ClassVar

from pydantic import BaseModel, ConfigDict

from tradingagents.analytics.company.fundamentals import Fundamentals
from tradingagents.analytics.company.trailing import year_span
from tradingagents.analytics.price.returns import percent, ratio
from tradingagents.analytics.text import table_of
from tradingagents.dataflows.models import EarningsEvent
from tradingagents.dataflows.reference.metrics import MISSING, Figure
from tradingagents.dataflows.results import Result
from tradingagents.errors import NoData

SHOWN = 8
YEAR_APART = range(350, 381)
"""Days between the results of a quarter and those of the same quarter a year before."""


class QuarterResult(BaseModel):
    """The results of one quarter."""

    model_config = ConfigDict(frozen=True)

    day: date
    """Day of publication."""
    period_end: date | None
    fiscal_period: str | None
    eps: float | None
    """Reported, diluted, per share, on the share basis of the day."""
    eps_estimate: float | None
    """The estimate recorded with the results; None where the source has none."""
    surprise_pct: float | None
    """Percent: `eps` against `eps_estimate`, over the estimate's size; None without an estimate, or where it is 0."""
    eps_growth_pct: float | None
    """Percent against the same quarter of the year before; None unless both are positive."""
    revenue: float | None


class EarningsHistory(Result):
    """Quarterly results of a company, newest first."""

    tabulated: ClassVar[bool] = True

    quarters: tuple[QuarterResult, ...]
    next_day: date | None
    """Next announced day of results; None where none is known."""
    next_estimate: float | None
    """Earnings per share expected for it."""
    beats: int
    """Results above their estimate, of those with one."""
    compared: int
    """Results with an estimate."""

    @property
    def title(self) -> str:
        """Heading."""
        return f"Earnings: {self.symbol}"

    def figures(self) -> tuple[Figure, ...]:
        """Return the newest quarter's results, the next estimate and how often estimates were beaten."""
        newest = self.quarters[0] if self.quarters else None
        money = self.currency or ""
        over = f"quarter to {newest.period_end}" if newest and newest.period_end else ""
        return (
            Figure("eps_reported", newest.eps if newest else None, money, over),
            Figure("eps_estimate", newest.eps_estimate if newest else None, money, over),
            Figure("eps_surprise", newest.surprise_pct if newest else None, "%", over),
            Figure("eps_yoy", newest.eps_growth_pct if newest else None, "%", over),
            Figure("revenue", newest.revenue if newest else None, money, over),
            Figure("next_eps_estimate", self.next_estimate, money),
            Figure("estimates_beaten", self.beats if self.compared else None),
            Figure("estimates_compared", self.compared or None),
        )

    def body(self) -> str:
        """Return the quarters as a table, and the next date."""
        figures = table_of(("Figure", "Value"), ((figure.name, figure.text) for figure in self.figures()))
        head = ("Reported", "Period to", "EPS", "Estimate", "Surprise", "On year", "Revenue")
        rows = (
            (
                quarter.day.isoformat(),
                quarter.period_end.isoformat() if quarter.period_end else MISSING,
                Figure("", quarter.eps).text,
                Figure("", quarter.eps_estimate).text,
                Figure("", quarter.surprise_pct, "%").text,
                Figure("", quarter.eps_growth_pct, "%").text,
                Figure("", quarter.revenue).text,
            )
            for quarter in self.quarters
        )
        due = f"Next results: {self.next_day}." if self.next_day else "No date of the next results is known."
        return f"{figures}\n\n{table_of(head, rows)}\n\n{due}"


def earnings_history(
    events: Sequence[EarningsEvent], *, symbol: str, as_of: date, fetched_at: datetime, source: str
) -> EarningsHistory:
    """Collect a company's results known by a day.

    Args:
        events: Its results and announced days known at the cut-off, on the share basis of the day.
        fetched_at: When the vendor delivered them.

    Raises:
        NoData: There are none.
    """
    past = sorted(
        (event for event in events if _is_published(event) and event.day <= as_of), key=lambda event: event.day
    )
    ahead = sorted(
        (event for event in events if not _is_published(event) and event.day >= as_of), key=lambda event: event.day
    )
    if all(event.eps is None and not event.withheld for event in past):  # the source gives no earnings per share at all
        past = []
    if not past and not ahead:
        raise NoData(
            f"{source} has no results of {symbol} known by {as_of}; choose another vendor, or continue without it."
        )
    newest = list(reversed(past))[:SHOWN]
    quarters = tuple(_quarter(event, past) for event in newest)
    compared = [quarter for quarter in quarters if quarter.eps is not None and quarter.eps_estimate is not None]
    gap = (
        "No quarter with an estimate has reported earnings per share: how often estimates were beaten is not known."
        if any(event.withheld or event.eps_estimate is not None for event in newest)
        else "The source records no estimates: reported earnings stand without them."
    )
    return EarningsHistory(
        symbol=symbol,
        as_of=as_of,
        source=source,
        currency=(newest or ahead)[0].currency,
        known_at=max(event.known_at for event in (*newest, *ahead[:1])),
        fetched_at=fetched_at,
        start=newest[-1].day if newest else None,
        end=newest[0].day if newest else None,
        rows=len(newest),
        notes=(
            *dict.fromkeys(event.withheld for event in newest if event.withheld),
            *(() if compared else (gap,)),
            *_no_year_before(past),
            *_half_year_notes(past),
        ),
        quarters=quarters,
        next_day=ahead[0].day if ahead else None,
        next_estimate=ahead[0].eps_estimate if ahead else None,
        beats=sum(
            quarter.eps > quarter.eps_estimate
            for quarter in compared
            if quarter.eps is not None and quarter.eps_estimate is not None
        ),
        compared=len(compared),
    )


def _is_published(event: EarningsEvent) -> bool:
    """Return whether results are out; where the data gate withholds them, they are out and absent."""
    return event.eps is not None or bool(event.withheld)


def _no_year_before(past: Sequence[EarningsEvent]) -> tuple[str, ...]:
    """Return which results are missing for the growth over a year; () where they are there, or none are so old."""
    older = [event for event in past if (past[-1].day - event.day).days >= YEAR_APART.stop]
    if not older or past[-1].eps is None or any((past[-1].day - event.day).days in YEAR_APART for event in past):
        return ()
    said = (
        f"No year-on-year growth of earnings per share: the results of a year before those of {past[-1].day} are "
        f"missing, the ones known before them are of {older[-1].day}."
    )
    return (said,)


def _half_year_notes(past: Sequence[EarningsEvent]) -> tuple[str, ...]:
    """Return that results are of half-years; () where the newest are not."""
    newest = past[-1] if past else None
    if newest is None or newest.period_end is None or not (newest.fiscal_period or "").startswith("H"):
        return ()
    return (f"The company reports half-yearly: the results to {newest.period_end} and before are of half-years.",)


def _quarter(one: EarningsEvent, past: Sequence[EarningsEvent]) -> QuarterResult:
    before = next((other for other in past if (one.day - other.day).days in YEAR_APART), None)
    surprise = growth = None
    if one.eps is not None and one.eps_estimate:
        surprise = 100 * (one.eps - one.eps_estimate) / abs(one.eps_estimate)
    if one.eps is not None and one.eps > 0 and before is not None and before.eps is not None and before.eps > 0:
        growth = 100 * (one.eps / before.eps - 1)
    return QuarterResult(
        day=one.day,
        period_end=one.period_end,
        fiscal_period=one.fiscal_period,
        eps=one.eps,
        eps_estimate=one.eps_estimate,
        surprise_pct=surprise,
        eps_growth_pct=growth,
        revenue=one.revenue,
    )


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
