"""Revenue and margins of a company over years, as known on a run's day: for charts and for the range of scenarios."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from tradingagents.analytics.company.business import without_doubtful_gross_profit
from tradingagents.analytics.company.statements import StatementTable, as_labelled, consecutive, sources
from tradingagents.context import RunContext
from tradingagents.dataflows.models import Statement
from tradingagents.errors import TradingAgentsError
from tradingagents.features.deep_report.schemas.thesis import FiscalYearRecord

MOST_YEARS = 8
ENOUGH_YEARS = 3
"""Years of summed quarters from which on the annual statements are not asked for."""


async def company_years(
    context: RunContext, symbol: str, annual: Callable[[], Awaitable[object]]
) -> tuple[list[FiscalYearRecord], str]:
    """Return the company's years, oldest first, and their source; both empty where nothing makes a year.

    Args:
        context: The run's context.
        symbol: The company.
        annual: Asks for the annual income statements, which is done only where the quarters make few years.
    """
    loop = asyncio.get_running_loop()
    summed, source = await loop.run_in_executor(context.executor, _twelve_months, context, symbol)
    if len(summed) >= ENOUGH_YEARS:
        return summed, source
    years, source_of_years = _fiscal_years(await annual())
    return (years, source_of_years) if len(years) > len(summed) else (summed, source)


def _twelve_months(context: RunContext, symbol: str) -> tuple[list[FiscalYearRecord], str]:
    """Return twelve months to the newest quarter and to that quarter of the years before, oldest first.

    Returns:
        The years and their source; both empty where the quarterly statements do not make a year.
    """
    try:
        quarters = consecutive(as_labelled(context.data.statements(symbol, "income")))
    except TradingAgentsError:
        return [], ""
    quarters, _ = without_doubtful_gross_profit(quarters, context.data.known_profile(symbol))
    found = []
    for first in range(0, min(len(quarters), 4 * MOST_YEARS), 4):
        year = quarters[first : first + 4]
        if len(year) == 4:
            found.append(_year_of(year))
    return found[::-1], f"sums of four quarterly income statements, {sources(quarters)}" if found else ""


def _fiscal_years(table: object) -> tuple[list[FiscalYearRecord], str]:
    """Return the years of annual income statements, oldest first, and their source; both empty without a table."""
    if not isinstance(table, StatementTable):
        return [], ""

    def share(part: str, at: int) -> float | None:
        revenue, amount = _item(table, "revenue", at), _item(table, part, at)
        return None if revenue is None or amount is None or revenue <= 0 else round(amount / revenue, 6)

    years = [
        FiscalYearRecord(
            end=end.isoformat(),
            revenue=_item(table, "revenue", at),
            currency=table.currency or "",
            gross_margin=share("gross_profit", at),
            operating_margin=share("operating_income", at),
            net_margin=share("net_income", at),
        )
        for at, end in reversed(list(enumerate(table.periods)))
    ]
    return years, f"annual income statements, {table.source}" if years else ""


def _year_of(quarters: Sequence[Statement]) -> FiscalYearRecord:
    def total(name: str) -> float | None:
        values = [one.items.get(name) for one in quarters]
        return None if any(value is None for value in values) else sum(value for value in values if value is not None)

    revenue = total("revenue")

    def share(name: str) -> float | None:
        amount = total(name)
        return None if amount is None or revenue is None or revenue <= 0 else round(amount / revenue, 6)

    return FiscalYearRecord(
        end=quarters[0].period_end.isoformat(),
        revenue=revenue,
        currency=quarters[0].currency or "",
        gross_margin=share("gross_profit"),
        operating_margin=share("operating_income"),
        net_margin=share("net_income"),
    )


def _item(table: StatementTable, name: str, at: int) -> float | None:
    values = table.items.get(name)
    return None if values is None else values[at]
