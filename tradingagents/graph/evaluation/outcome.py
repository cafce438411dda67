"""Measure the outcome of a decision from prices as known at the end of its window."""

from __future__ import annotations

import math
from datetime import date

from tradingagents.analytics.decisions.outcome import path, stop_hit, window_end
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.models import Prices
from tradingagents.dataflows.reference.calendar import exchange_of, sessions
from tradingagents.errors import BadSymbol, NoData, NotForPastDate
from tradingagents.graph.evaluation.decision import Case
from tradingagents.memory.days import first_day_known
from tradingagents.memory.outcome import Outcome

ROOM = 15
"""Calendar days of prices read before a window, so that a benchmark that did not trade on the first day has a close."""
SAME_PRICE = 0.01
"""Largest relative difference between the as-of price on the card and the vendor's; above it, the market differs."""


class NotYet(NoData):
    """The evaluation window has not passed by the cut-off."""


def measure(case: Case, data: MarketData) -> Outcome:
    """Return the outcome of a decision.

    The window runs from the close of the as-of session to the close of the first session on or after `until`; where the
    run knew of news since that close, from the first open after its cut-off. Prices are read as known at that last
    close, whatever the cut-off of the evaluation: later events, including splits, change nothing.

    Args:
        case: The run; `case.judged_by` must not be `None`.
        data: Market data bound to the day of the evaluation.

    Raises:
        NotYet: The window has not passed.
        NoData: The stock did not trade on both days, or the prices differ from those the run was given; the decision
            stays pending.
        DataError: Prices are temporarily unavailable.
    """
    basis = case.judged_by
    if basis is None:
        raise NoData(f"{case.run_id} ended without a decision; there is nothing to settle.")
    until, priced_on = date.fromisoformat(basis.until), date.fromisoformat(basis.as_of_session)
    at_open = bool(basis.entry_open)
    start = date.fromisoformat(basis.entry_open) if at_open else priced_on
    calendar = sessions(exchange_of(case.ticker))
    if calendar.last_closed(data.cutoff.instant) < until:
        raise NotYet(f"The window of {case.run_id} ends with the first session from {until} on; settle it after that.")
    end = window_end(calendar, until)
    then = data.as_of_date(end).with_new_sheet()
    # The whole history: of a short window the gate would not see a break before it.
    days = max((end - priced_on).days + ROOM, then.settings.price_history_days)
    prices = then.prices(case.ticker, days=days)
    benchmark = benchmark_prices(then, basis.benchmark, days)
    meaning = case.final.sell_means
    found = path(case.final.action, prices, start, end, benchmark, sell_means=meaning, from_open=at_open)
    if found is None:
        raise NoData(
            f"{prices.vendor} has no price of {case.ticker} on {start} or on {end}: its prices end on "
            f"{prices.days[-1]}, or leave out those days; `tradingagents memory settle` tries again."
        )
    price = basis.as_of_price
    _assert_same_market(case, prices, priced_on, price)
    return Outcome(
        run_id=case.run_id,
        ticker=case.ticker,
        trade_date=case.trade_date,
        start=start,
        end=end,
        settled_on=first_day_known(calendar.close_of(end)),
        horizon_days=basis.horizon_days,
        action=case.final.action,
        confidence=case.final.confidence,
        as_of_price=price,
        total_return=found.total_return,
        benchmark=basis.benchmark,
        benchmark_return=found.benchmark_return,
        drawdown=found.drawdown,
        position_drawdown=found.position_drawdown,
        vendor=prices.vendor,
        models=case.models,
        vintage=case.vintage,
        agents=case.agents,
        cohort=case.cohort,
        stop_hit=_stop_hit(case, prices, start, end, from_open=at_open),
    )


def _stop_hit(case: Case, prices: Prices, start: date, end: date, *, from_open: bool) -> date | None:
    """Return the first session in which the decision's stop would have closed its position; None for none."""
    if case.stop is None or case.judged_by is None:
        return None
    return stop_hit(
        *(case.final.action, prices, start, end, case.stop),
        as_of_price=case.judged_by.as_of_price,
        sell_means=case.final.sell_means,
        from_open=from_open,
    )


def benchmark_prices(data: MarketData, symbol: str | None, days: int) -> Prices | None:
    """Return the benchmark's prices; `None` when there are none. Temporary vendor failures are raised."""
    if symbol is None:
        return None
    try:
        return data.prices(symbol, days=days)
    except (NoData, NotForPastDate, BadSymbol):
        return None


def _assert_same_market(case: Case, prices: Prices, start: date, as_of_price: float) -> None:
    """Reject prices of a different market for the same ticker, such as a simulated one.

    Raises:
        NoData: The vendor's close of the as-of session, as traded then, differs from the one the run was given.
    """
    if prices.basis == "fully_adjusted":  # adjusted closes cannot be compared with a traded price
        return
    known = prices.since(start)
    splits = math.prod(split.ratio for split in prices.splits if split.day > start)
    close = float(known.close[0]) * splits
    if abs(close / as_of_price - 1) > SAME_PRICE:
        raise NoData(
            f"{prices.vendor} has {case.ticker} at {close:.2f} on {start}, the run had it at {as_of_price:.2f}: "
            f"settle it with the data vendor of the run."
        )
