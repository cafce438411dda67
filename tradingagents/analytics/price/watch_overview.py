"""A watch list on a day: price, moves, results and the last decision of each symbol."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import ClassVar

from pydantic import BaseModel, ConfigDict

from tradingagents.analytics.least_history import short_history_note
from tradingagents.analytics.market.scanned import short_name
from tradingagents.analytics.price.returns import last_day, percent, price_unit, simple_return
from tradingagents.analytics.price.stock_data import year_range
from tradingagents.analytics.text import table_of
from tradingagents.dataflows.models import EarningsEvent, Prices
from tradingagents.dataflows.reference.metrics import MISSING, Figure
from tradingagents.dataflows.results import Result
from tradingagents.errors import NoData
from tradingagents.schemas.batches import DecidedAction

MOVES: Mapping[str, int] = {"change_1d": 1, "change_1w": 5, "change_1m": 21}
"""Sessions of each change; dividends are included."""


class RecordedDecision(DecidedAction):
    """The decision of a stored run."""

    trade_date: date
    """The day that the run was about; it used nothing that became known later."""
    run_id: str

    @property
    def said(self) -> str:
        """Return it in a few words."""
        return f"{self.action} {self.conviction:.2f} on {self.trade_date}"


class WatchedSymbol(BaseModel):
    """One symbol of the list."""

    model_config = ConfigDict(frozen=True)

    symbol: str
    name: str
    day: date
    """Last session."""
    price: float
    """Last close, as traded, in `unit`."""
    unit: str
    """The currency, or empty for an index."""
    changes: Mapping[str, float | None]
    """Percent by name: `change_1d`, `change_1w`, `change_1m`; None: too short a history."""
    from_high_pct: float | None
    """Percent from the highest price of 52 weeks, 0 or negative; None: too short a history."""
    last_results: date | None
    """Day of the last published results in the calendar read; None where none are known."""
    next_results: date | None
    """Next announced day of results; None where none is known."""
    decision: RecordedDecision | None = None
    """Decision of the last run for the day or an earlier one; None where there is none, or runs were not read."""


class WatchOverview(Result):
    """The symbols of a watch list: price, changes, results and, where runs are stored, the last decision."""

    tabulated: ClassVar[bool] = True

    symbols: tuple[WatchedSymbol, ...]
    """In the order of the list."""
    missing: tuple[str, ...]
    """Symbols without prices on the day."""
    runs_read: bool = False
    """Whether the decisions of stored runs were looked up."""

    @property
    def title(self) -> str:
        """Heading."""
        return "Watch list"

    def figures(self) -> tuple[Figure, ...]:
        """Return price, changes and distance from the high of each symbol."""
        return tuple(figure for row in self.symbols for figure in _figures(row))

    def body(self) -> str:
        """Return the symbols as a table."""
        head = ["Symbol", "Name", "Price", "1 day", "1 week", "1 month", "From 52-week high", "Results", "Next results"]
        rows = [
            [*_cells(row), *((row.decision.said if row.decision else MISSING,) if self.runs_read else ())]
            for row in self.symbols
        ]
        return table_of([*head, *(("Last decision",) if self.runs_read else ())], rows)

    def with_decisions(self, decisions: Mapping[str, RecordedDecision]) -> WatchOverview:
        """Return the overview with the decisions of stored runs, by symbol."""
        rows = tuple(row.model_copy(update={"decision": decisions.get(row.symbol)}) for row in self.symbols)
        return self.model_copy(update={"symbols": rows, "runs_read": True})


@dataclass(frozen=True, slots=True)
class WatchedData:
    """What is known of one symbol."""

    prices: Prices
    """As traded on the last session."""
    name: str
    known_at: datetime
    """When the last bar became known."""


def watch_overview(
    symbols: Sequence[str],
    found: Mapping[str, WatchedData],
    events: Sequence[EarningsEvent],
    *,
    as_of: date,
    notes: Sequence[str] = (),
) -> WatchOverview:
    """Sum up the symbols of a watch list.

    Args:
        symbols: The list, in its order.
        found: Prices and names, by symbol; symbols without prices are named as missing.
        events: Results published or announced by the day, of any company.
        notes: Gaps of the data.

    Raises:
        NoData: No symbol has prices.
    """
    listed = [ticker for ticker in symbols if ticker in found]
    missing = tuple(ticker for ticker in symbols if ticker not in found)
    if not listed:
        raise NoData(f"None of {', '.join(symbols[:8])} has prices on {as_of}; check the symbols and the day.")
    data = [found[ticker] for ticker in listed]
    gap = f"No prices on this day: {', '.join(missing)}."
    short = (short_history_note(found[ticker].prices, (*MOVES, "high_52w")) for ticker in listed)
    return WatchOverview(
        as_of=as_of,
        source="+".join(dict.fromkeys(watched.prices.vendor for watched in data)),
        known_at=max(
            (
                *(watched.known_at for watched in data),
                *(event.known_at for event in events if event.symbol in found),
            )
        ),
        fetched_at=max(watched.prices.fetched_at for watched in data),
        rows=sum(len(watched.prices) for watched in data),
        inputs=tuple(listed),
        notes=(*((gap,) if missing else ()), *notes, *filter(None, short)),
        symbols=tuple(_row(ticker, found[ticker], events, as_of) for ticker in listed),
        missing=missing,
    )


def _row(symbol: str, known: WatchedData, events: Sequence[EarningsEvent], as_of: date) -> WatchedSymbol:
    prices = known.prices
    high, _ = year_range(prices)
    price = float(prices.close[-1])
    own = [event for event in events if event.symbol == symbol]
    published = (event.day for event in own if event.day <= as_of and event.eps is not None)
    announced = (event.day for event in own if event.day > as_of)
    return WatchedSymbol(
        symbol=symbol,
        name=short_name(known.name),
        day=last_day(prices),
        price=price,
        unit=price_unit(prices),
        changes={name: percent(simple_return(prices, sessions)) for name, sessions in MOVES.items()},
        from_high_pct=100 * (price / high - 1) if high else None,
        last_results=max(published, default=None),
        next_results=min(announced, default=None),
    )


def _figures(row: WatchedSymbol) -> tuple[Figure, ...]:
    return (
        Figure(f"{row.symbol}_price", row.price, row.unit),
        *(Figure(f"{row.symbol}_{name}", value, "%") for name, value in row.changes.items()),
        Figure(f"{row.symbol}_from_52w_high", row.from_high_pct, "%"),
    )


def _cells(row: WatchedSymbol) -> tuple[str, ...]:
    days = (day.isoformat() if day else MISSING for day in (row.last_results, row.next_results))
    return (row.symbol, row.name, *(figure.text for figure in _figures(row)), *days)
