"""The question of how the economy stands, series by series."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from typing import Annotated, Literal

from pydantic import Field

from tradingagents.analytics.market.macro_indicators import MacroIndicators, macro_indicators
from tradingagents.capabilities.capability import capability
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.models import MacroSeries
from tradingagents.errors import DataError, NoData, NotInPlan, TradingAgentsError, UsageError

MOST_SERIES = 6
USUAL_DAYS = 730
READ_DAYS = 1500
"""Days read at least: an annual figure may be two and a half years old, and is compared with the one before."""


@capability(
    returns=MacroIndicators,
    requires={"get_macro_indicators"},
    example={"indicator": "unemployment rate, 10y"},
    aliases=("economic",),
)
def get_macro_indicators(
    data: MarketData,
    indicator: str,
    curr_date: date | None = None,
    look_back_days: Annotated[int, Field(ge=1, le=20000)] | None = None,
) -> MacroIndicators:
    """Get an economic series as published by a day: latest value, change, change over a year, range, table of values.

    Args:
        indicator: A name such as CPI, core CPI, unemployment rate, payrolls, GDP growth, fed funds, 10y, 2y, yield
            curve, HY spread or VIX, or a series id of FRED such as UNRATE; up to six, separated by commas.
        curr_date: Day to look back from, YYYY-MM-DD; none: the day of this study.
        look_back_days: Calendar days of values to show; none: two years.
    """
    market, days = data.as_of_date(curr_date), look_back_days or USUAL_DAYS
    names = tuple(dict.fromkeys(name.strip() for name in indicator.split(",") if name.strip()))
    if not 0 < len(names) <= MOST_SERIES:
        raise UsageError(f"Name one to {MOST_SERIES} series, separated by commas, such as unemployment rate, 10y.")
    start = market.as_of - timedelta(days=max(days, READ_DAYS))
    found: list[MacroSeries] = []
    missing: dict[str, TradingAgentsError] = {}
    for name in names:
        try:
            found.append(market.macro_series(name, start))
        except (DataError, NotInPlan) as error:  # one series says nothing of the others
            missing[name] = error
    if not found:
        raise _none_of(missing)
    return macro_indicators(
        found,
        as_of=market.as_of,
        look_back_days=days,
        fetched_at=data.asked_at,
        source=next(row.vendor for row in market.sheet.rows if row.method == "get_macro_indicators"),
        missing={name: str(error) for name, error in missing.items()},
    )


def _none_of(missing: Mapping[str, TradingAgentsError]) -> TradingAgentsError:
    """Return the error of a question none of whose series can be shown: its own, or of several one with each reason."""
    first, *others = missing.values()
    if not others or {str(one) for one in others} == {str(first)}:
        return first
    if not all(isinstance(one, NoData) for one in missing.values()):
        return next(one for one in missing.values() if not isinstance(one, NoData))  # asking again may help
    return NoData(" ".join(f"{name}: {error}" for name, error in missing.items()))


FOCUS: Mapping[str, str] = {
    "overview": "fed funds target, 10y, CPI, unemployment rate, GDP growth, HY spread",
    "rates": "fed funds target, 2y, 10y, 30y, yield curve, real yield",
    "inflation": "CPI, core CPI, PCE, core PCE, PPI, breakeven inflation",
    "jobs": "unemployment rate, payrolls, initial jobless claims, job openings",
    "growth": "GDP growth, industrial production, retail sales, housing starts, consumer sentiment",
    "markets": "VIX, HY spread, IG spread, dollar index, WTI, M2",
}
"""Series of each view, by the names of `dataflows.reference.macro_series`."""


@capability(title="Economic series in focus", returns=MacroIndicators, requires={"get_macro_indicators"})
def macro_focus(
    data: MarketData, focus: Literal["overview", "rates", "inflation", "jobs", "growth", "markets"] = "overview"
) -> MacroIndicators:
    """Get the economic series of one view as published by the day: overview, rates, inflation, jobs, growth, markets.

    Args:
        focus: The view: overview, rates, inflation, jobs, growth or markets.
    """
    return get_macro_indicators.answer(data, FOCUS[focus])
