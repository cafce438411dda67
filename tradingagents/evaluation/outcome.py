"""What came of a decision, from prices as they were known when its window had passed."""

from __future__ import annotations

import math
from datetime import date

from tradingagents.analytics.decisions.outcome import path, window_end
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.models import Prices
from tradingagents.dataflows.reference.calendar import exchange_of, sessions
from tradingagents.errors import BadSymbol, NoData, NotForPastDate
from tradingagents.evaluation.decision import Case
from tradingagents.memory.days import first_day_known
from tradingagents.memory.outcomes import Outcome

ROOM = 15
"""Calendar days of prices read before a window, so that a benchmark that did not trade on its first day has a close."""
SAME_PRICE = 0.01
"""How far the as-of price of the card and that of the vendor may lie apart; beyond, it is not the same market."""


class NotYet(NoData):
    """The window has not passed by the cut-off."""


def measure(case: Case, data: MarketData) -> Outcome:
    """Return what came of a decision.

    The window runs from the close of the as-of session to the close of the first session on or after `until`. Prices
    are read as of that close, whatever the cut-off: what came later, a split too, changes nothing.

    Args:
        case: The run; it has something to be judged by.
        data: The market, bound to the day on which this is settled.

    Raises:
        NotYet: The window has not passed.
        NoData: The stock did not trade on both days, or these are not the prices it was judged by: it stays unsettled.
        DataError: Prices cannot be had for now.
    """
    basis = case.judged_by
    if basis is None:
        raise NoData(f"{case.run_id} ended without a decision; there is nothing to settle.")
    until, start = date.fromisoformat(basis["until"]), date.fromisoformat(basis["as_of_session"])
    calendar = sessions(exchange_of(case.ticker))
    if calendar.last_closed(data.cutoff.instant) < until:
        raise NotYet(f"The window of {case.run_id} ends with the first session from {until} on; settle it after that.")
    end = window_end(calendar, until)
    then, days = data.as_of_date(end).with_new_sheet(), (end - start).days + ROOM
    prices = then.prices(case.ticker, days=days)
    benchmark = _benchmark(then, basis["benchmark"], days)
    found = path(case.final.action, prices, start, end, benchmark, sell_means=case.final.sell_means)
    if found is None:
        raise NoData(
            f"{prices.vendor} has no close of {case.ticker} on {start} or on {end}: its prices end on "
            f"{prices.days[-1]}, or leave out those days; `tradingagents memory settle` tries again."
        )
    _assert_same_market(case, prices, start, basis["as_of_price"])
    return Outcome(
        run_id=case.run_id,
        ticker=case.ticker,
        trade_date=case.trade_date,
        start=start,
        end=end,
        settled_on=first_day_known(calendar.close_of(end)),
        horizon_days=basis["horizon_days"],
        action=case.final.action,
        confidence=case.final.confidence,
        as_of_price=basis["as_of_price"],
        total_return=found.total_return,
        benchmark=basis["benchmark"],
        benchmark_return=found.benchmark_return,
        drawdown=found.drawdown,
        position_drawdown=found.position_drawdown,
        vendor=prices.vendor,
        models=case.models,
        vintage=case.vintage,
        agents=case.agents,
        cohort=case.cohort,
    )


def _benchmark(data: MarketData, symbol: str | None, days: int) -> Prices | None:
    """Return the benchmark's prices; None where there is none. A vendor that is only silent for now is waited for."""
    if symbol is None:
        return None
    try:
        return data.prices(symbol, days=days)
    except (NoData, NotForPastDate, BadSymbol):
        return None


def _assert_same_market(case: Case, prices: Prices, start: date, as_of_price: float) -> None:
    """Refuse prices of another market of that name, such as the simulated one: their return says nothing.

    Raises:
        NoData: The close of the as-of session, as traded then, is not the one that the run was given.
    """
    if prices.basis == "fully_adjusted":  # its closes were never traded
        return
    known = prices.since(start)
    splits = math.prod(split.ratio for split in prices.splits if split.day > start)
    close = float(known.close[0]) * splits
    if abs(close / as_of_price - 1) > SAME_PRICE:
        raise NoData(
            f"{prices.vendor} has {case.ticker} at {close:.2f} on {start}, the run had it at {as_of_price:.2f}: "
            f"settle it with the data vendor of the run."
        )
