"""What becomes of a ticker whose bars stop before the backtest ends.

| what is known | what is done |
|---|---|
| the bars of all tickers stop | the backtest ends there, too, and says so (`market.read_market`) |
| the bars of some stop, those of others continue, no source says why | the test is refused, with the last day for it |
| fewer than `traded_prices.GONE_AFTER` sessions without a bar, or bars without a trade | a halt: the last close, said |
| a source states a delisting (`models.ListingEnd`) | the position is closed at what holders got, else the last close |
| a source states a merger | the position becomes cash, shares of the other company, or both |

A fund that is only compared with is left out where its bars stop, and that is said.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import TYPE_CHECKING

from tradingagents.dataflows.models import Prices
from tradingagents.errors import DataError, NoData, VendorNotConfigured
from tradingagents.features.backtest.financing.currencies import in_home_currency
from tradingagents.features.backtest.financing.vendor_prices import read_prices
from tradingagents.features.backtest.traded_prices import TradedPrices
from tradingagents.runtime.services import Services

if TYPE_CHECKING:
    from tradingagents.features.backtest.request import BacktestRequest


def refuse_ended_data(table: TradedPrices, prices: Mapping[str, Prices], end: date) -> None:
    """Refuse tickers whose bars stop before the end, while those of others continue, and no source says why.

    Raises:
        NoData: Names them, and the last day that can be tested with them.
    """
    over = {symbol: known.days[-1].item() for symbol, known in prices.items() if known.days[-1].item() < end}
    stopped = {symbol: day for symbol, day in over.items() if table.stops(symbol)}
    if stopped:
        last = min(stopped.values())
        named = ", ".join(f"{symbol} (last bar {day})" for symbol, day in stopped.items())
        raise NoData(
            f"The prices of {named} end before {end}, those of other tickers continue, and no source says that they "
            f"were delisted or merged: the recording may have stopped. End the test on {last} at the latest, leave "
            f"them out, or add a delisting or merger to the folder's actions.csv."
        )


def funds_to_the_end(
    table: TradedPrices, funds: Mapping[str, Prices], end: date
) -> tuple[dict[str, Prices], tuple[str, ...]]:
    """Return the funds whose bars reach the end, and what is said of the others: their baselines would stand still."""
    short = {
        symbol: known.days[-1].item()
        for symbol, known in funds.items()
        if known.days[-1].item() < end and (table.stops(symbol) or known.ended is not None)
    }
    warnings = tuple(
        f"{symbol} is left out of the baselines: its prices end on {day}." for symbol, day in short.items()
    )
    return {symbol: known for symbol, known in funds.items() if symbol not in short}, warnings


def merged_into(
    services: Services, request: BacktestRequest, prices: Mapping[str, Prices], where: tuple[str, date, date]
) -> dict[str, Prices]:
    """Return the prices of companies that tickers merged into during the test, in one currency.

    Raises:
        NoData: A vendor has none of them, or only ones in which a number of shares cannot be worth what it was.
    """
    home, span, found = where[0], where[1:], dict[str, Prices]()
    ending = list(prices.items())
    for ticker, history in ending:
        end = history.ended
        if end is None or end.into is None or not request.start <= end.day <= request.end:
            continue
        why = f"{ticker} merged into {end.into} on {end.day} ({end.terms}); leave {ticker} out, or end before that day"
        if end.into not in prices and end.into not in found:
            try:
                found[end.into] = read_prices(services, end.into, *span)
            except (DataError, VendorNotConfigured) as error:
                raise NoData(f"{why}: {error}") from error
            ending.append((end.into, found[end.into]))
        if (found | {**prices})[end.into].basis == "fully_adjusted":
            raise NoData(
                f"{why}: the prices of {end.into} contain dividends, so that its shares are not worth those prices."
            )
    return in_home_currency(services, found, home, request.costs.conversion, span) if found else {}


def end_warning(table: TradedPrices, ticker: str, end: date) -> str | None:
    """Return what a reader should know of a ticker that does not trade on the last session; None for one that does."""
    last = table.last_traded(ticker)
    if not table.is_gone(ticker, end):
        if last is None or last >= end:
            return None
        return (
            f"{ticker} has not traded since {last}: it counts as halted, valued at that close, and no order for it is "
            "filled."
        )
    ended = table.end_of(ticker)
    if ended is None or (ended.kind == "delisted" and ended.cash is None):
        return (
            f"{ticker} is delisted; last price of {last}. A position is closed at it: what holders got later is not "
            f"known."
        )
    how = "merged" if ended.kind == "merged" else "was delisted"
    return f"{ticker} {how} on {ended.day}; last price of {last}. Holders get {ended.terms}."
