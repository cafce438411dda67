"""The day in brief, for the evening or the next morning."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, TypeVar

from pydantic import Field

from tradingagents.analytics.holdings.daily_brief import BriefParts, DailyBrief, brief_of
from tradingagents.capabilities.book import MOST_DAYS_AHEAD, book
from tradingagents.capabilities.capability import capability
from tradingagents.capabilities.prices_risk_charts import watchlist
from tradingagents.capabilities.scanner import calendar_events, get_market_indices, get_market_movers
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.portfolio_store import NoBook
from tradingagents.dataflows.results import Result
from tradingagents.errors import DataError, VendorNotConfigured

R = TypeVar("R", bound=Result)


@capability(
    title="Brief of the day",
    returns=DailyBrief,
    requires={"get_stock_data"},
    uses={
        *("get_market_indices", "get_market_movers", "get_profile"),
        *("get_earnings_calendar", "get_economic_calendar"),
    },
    reads_home=True,
)
def daily_brief(
    data: MarketData,
    symbols: str = "",
    holdings: str = "",
    days_ahead: Annotated[int, Field(ge=1, le=MOST_DAYS_AHEAD)] = 7,
) -> DailyBrief:
    """Show the day in brief: indices, movers, the moves of what the user holds and watches, and the events ahead.

    Args:
        symbols: Tickers to watch, comma-separated; `ask` and the command line read the stored watch list where none is
            given, and add the last decision of the stored runs.
        holdings: What is held, such as 100 AAPL, 20 MSFT; empty: the book that the user has stored, if there is one.
        days_ahead: Calendar days whose events are named.
    """
    notes: list[str] = []

    def part(name: str, answer: Callable[[], R]) -> R | None:
        """Return a part; None, with a note, where it cannot be answered."""
        try:
            return answer()
        except NoBook:
            notes.append("No book is stored; `tradingagents book import positions.csv` stores one.")
        except (DataError, VendorNotConfigured) as error:
            notes.append(f"{name}: {error}")
        return None

    parts = BriefParts(
        indices=part("Indices", lambda: get_market_indices.answer(data)),
        gainers=part("Movers", lambda: get_market_movers.answer(data, "day_gainers")),
        losers=part("Movers", lambda: get_market_movers.answer(data, "day_losers")),
        book=part("Book", lambda: book.answer(data, holdings, days_ahead)),
        watched=part("Watch list", lambda: watchlist.answer(data, symbols)) if symbols.strip() else None,
        events=part("Calendar", lambda: calendar_events.answer(data, days_ahead)),
    )
    if not symbols.strip():
        notes.append("No symbols are watched; `tradingagents watch add AAPL` adds one.")
    once = tuple(dict.fromkeys(notes))
    return brief_of(parts, as_of=data.as_of, session=data.cutoff.session, fetched_at=data.asked_at, notes=once)
