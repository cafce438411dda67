"""What settling is given where no run is under way: the market bound to a day, a meter, events of its own."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime

from tradingagents.context import RunContext
from tradingagents.dataflows.calendar import exchange_of, sessions
from tradingagents.dataflows.market_data import MarketData
from tradingagents.events import EventStream, Subscriber
from tradingagents.graph.desk import Desk
from tradingagents.llm_clients.meter import UsageMeter
from tradingagents.llm_clients.replay import Replay


def market_of(desk: Desk, symbol: str, as_of: date | None) -> MarketData:
    """Return the market as it was known on a day; None: at the last close of the symbol's exchange.

    Raises:
        BadDate: The day lies in the future.
    """
    exchange = exchange_of(symbol)
    day = as_of or sessions(exchange).last_closed(datetime.now(UTC))
    return MarketData(
        desk.settings, day, exchange=exchange, vendors=desk.vendors, cache=desk.cache, memo=desk.memo
    )  # fmt: skip


def surroundings(
    desk: Desk, data: MarketData, run_id: str, meter: UsageMeter, subscribers: Sequence[Subscriber] = ()
) -> RunContext:
    """Return the surroundings in which a run is looked back at; its events carry that run's id."""
    return RunContext(
        run_id=run_id,
        settings=desk.settings,
        data=data,
        preamble="",
        events=EventStream(run_id, tuple(subscribers)),
        meter=meter,
        labels=desk.models.labels,
        fallbacks=desk.models.fallbacks,
        breakers=desk.breakers,
        replay=Replay(desk.settings, desk.replies, desk.writer),
        secrets=desk.secrets,
        executor=desk.executor,
    )
