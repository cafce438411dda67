"""Market data and run contexts for evaluating past decisions outside a run."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from tradingagents.context import RunContext
from tradingagents.dataflows.cutoff import latest_day, utc_now
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.reference.calendar import exchange_of
from tradingagents.events import EventStream, Subscriber
from tradingagents.llm_clients.meter import UsageMeter
from tradingagents.llm_clients.replay import Replay
from tradingagents.runtime.services import Services


def market_as_of(services: Services, symbol: str, as_of: date | None) -> MarketData:
    """Return market data as known on a day; `None` means now.

    Raises:
        BadDate: The day lies in the future.
    """
    exchange = exchange_of(symbol)
    day = as_of or latest_day(exchange, utc_now())
    return MarketData(
        services.settings, day, exchange=exchange, vendors=services.vendors, cache=services.cache, memo=services.memo
    )  # fmt: skip


def evaluation_context(
    services: Services, data: MarketData, run_id: str, meter: UsageMeter, subscribers: Sequence[Subscriber] = ()
) -> RunContext:
    """Build the run context for evaluating a past run; its events carry that run's id."""
    return RunContext(
        run_id=run_id,
        settings=services.settings,
        data=data,
        preamble="",
        events=EventStream(run_id, tuple(subscribers)),
        meter=meter,
        labels=services.models.labels,
        fallbacks=services.models.fallbacks,
        breakers=services.breakers,
        replay=Replay(services.settings, services.replies, services.writer),
        secrets=services.secrets,
        executor=services.executor,
        model_rates=services.model_rates,
    )
