"""A book at the prices of a day: later splits applied, other currencies converted, what cannot be priced named."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import date, timedelta
from typing import Any

from tradingagents.dataflows.gateway.share_basis import is_share_split, shares_per_share
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.models import Prices
from tradingagents.dataflows.reference.currencies import HUNDREDTHS, major_unit
from tradingagents.errors import DataError, NoData, VendorNotConfigured
from tradingagents.schemas.portfolio import Portfolio, Position

WEEK = timedelta(days=7)
"""How long after the day of the book the first bar may be: holidays."""
RATE_DAYS = 10
"""Calendar days back from the cut-off in which an exchange rate must have been quoted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ValuedPosition:
    """A position on the day of the study."""

    symbol: str
    account: str
    quantity: float
    """In units of the day: splits since the day of the book are applied."""
    average_price: float | None
    """Of a unit of the day, in `paid_in`; None where it is not known."""
    paid_in: str | None
    """None where that is not known."""
    price: float | None
    """The last close, in `currency`; None where no vendor has one."""
    previous: float | None
    """The close before; None where there is none."""
    currency: str | None
    rate: float | None
    """Units of the book's currency for one of `currency`; None where it is not known."""
    is_counted: bool = True
    """False where a split since the day of the book may be missing, so that the quantity is doubtful."""
    note: str = ""
    """Why there is no value, or which splits were applied; empty where there is nothing to say."""

    @property
    def value(self) -> float | None:
        """Return its worth in the book's currency, negative for a short position; None where it cannot be said."""
        return None if self.price is None or self.rate is None else self.quantity * self.price * self.rate

    @property
    def day_change(self) -> float | None:
        """Return the gain since the close before, in the book's currency; None where it cannot be said."""
        if self.price is None or self.previous is None or self.rate is None:
            return None
        return self.quantity * (self.price - self.previous) * self.rate

    @property
    def gain(self) -> float | None:
        """Return the gain on what was paid, as a fraction of it; None where prices are not of one currency."""
        if self.price is None or not self.average_price or self.paid_in != self.currency:
            return None
        return math.copysign(1.0, self.quantity) * (self.price / self.average_price - 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class ValuedBook:
    """All positions and cash on the day of the study, in one currency."""

    day: date
    currency: str
    positions: tuple[ValuedPosition, ...]
    cash: float
    """In the book's currency; amounts in `unconverted` are not in it."""
    unconverted: Mapping[str, float]
    """Cash by currency for which no exchange rate is known."""

    @property
    def equity(self) -> float:
        """Return the worth of everything that has a value."""
        return math.fsum([self.cash, *(position.value or 0.0 for position in self.positions)])

    @property
    def without_value(self) -> tuple[str, ...]:
        """Return the symbols that could not be valued: weights are of the rest."""
        return tuple(dict.fromkeys(position.symbol for position in self.positions if position.value is None))

    def weights(self) -> dict[str, float]:
        """Return the signed weight of each symbol over all accounts; empty where everything is worth nothing."""
        equity = self.equity
        found: dict[str, float] = {}
        for position in self.positions:
            if position.value is not None and equity > 0:
                found[position.symbol] = found.get(position.symbol, 0.0) + position.value / equity
        return found

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON, with the worth of each position and the weight of each symbol."""
        positions = [
            {**asdict(position), "value": position.value, "day_change": position.day_change, "gain": position.gain}
            for position in self.positions
        ]
        return {
            "day": self.day.isoformat(),
            "currency": self.currency,
            "positions": positions,
            "cash": self.cash,
            "unconverted": dict(self.unconverted),
            "equity": self.equity,
            "weights": self.weights(),
        }


def valued_book(book: Portfolio, data: MarketData, currency: str | None = None) -> ValuedBook:
    """Return a book at the last closes before a cut-off.

    Args:
        book: Of the day of the study or earlier.
        data: The market as known at the cut-off.
        currency: ISO code of what everything is converted to; None: the book's own.
    """
    currency = currency or book.own_currency
    since = book.day or data.as_of
    prices = {symbol: _prices(data, symbol, since) for symbol in book.symbols}
    rates: dict[str, float | None] = {}

    def rate(other: str) -> float | None:
        if other not in rates:
            rates[other] = exchange_rate(data, other, currency)
        return rates[other]

    cash = {other: rate(other) for other in book.cash}
    return ValuedBook(
        day=data.as_of,
        currency=currency,
        positions=tuple(
            _valued(position, prices[position.symbol], since, rate, currency) for position in book.positions
        ),
        cash=math.fsum(book.cash[other] * known for other, known in cash.items() if known is not None),
        unconverted={other: book.cash[other] for other, known in cash.items() if known is None},
    )


def exchange_rate(data: MarketData, currency: str, home: str) -> float | None:
    """Return units of `home` for one of another currency at the cut-off; None where no vendor has the pair.

    Args:
        data: The market as known at the cut-off.
        currency: ISO code, or a unit in hundredths such as GBp.
        home: ISO code.
    """
    major, unit = major_unit(currency)
    if major == home:
        return unit
    for pair, inverse in ((f"{major}{home}=X", False), (f"{home}{major}=X", True)):
        try:
            close = float(data.prices(pair, days=RATE_DAYS).close[-1])
        except (DataError, VendorNotConfigured):
            continue
        return (1 / close if inverse else close) * unit
    return None


def _prices(data: MarketData, symbol: str, since: date) -> Prices | str:
    """Return the bars of an instrument, back to the day of the book; why there are none where there are none."""
    try:
        return data.prices(symbol, days=max(data.settings.price_history_days, (data.as_of + WEEK - since).days))
    except NoData as error:
        return str(error)
    except (DataError, VendorNotConfigured) as error:
        return f"its price is not known: {error}"


def _valued(
    position: Position,
    prices: Prices | str,
    since: date,
    rate: Callable[[str], float | None],
    home: str,
) -> ValuedPosition:
    """Return a position at the last close.

    Args:
        position: As stored.
        prices: Of its instrument, or why there are none.
        since: Day of the book; later splits are applied.
        rate: Gives units of `home` for one of a currency.
        home: The book's currency.
    """
    held = ValuedPosition(
        symbol=position.symbol,
        account=position.account,
        quantity=position.quantity,
        average_price=position.average_price,
        paid_in=position.currency,
        price=None,
        previous=None,
        currency=None,
        rate=None,
    )
    if isinstance(prices, str):
        return replace(held, note=prices)
    first, last = prices.days[0].item(), prices.days[-1].item()
    if first > since + WEEK:
        missing = f"its prices are known from {first} on only, so that a split since {since} may be missing"
        return replace(held, is_counted=False, note=missing)
    later = [split for split in prices.splits if since < split.day]
    ratio = shares_per_share(later, since, max(last, *(split.day for split in later)) if later else last)
    notes = [
        f"{split.ratio:g}-for-1 split of {split.day} applied"
        if is_share_split(split)
        else f"the spin-off of {split.day} is not in it"
        for split in later
    ]
    if not prices.splits_listed:
        notes.append("its vendor lists no splits, so that none is applied")
    converted = rate(prices.currency)
    if converted is None:
        notes.append(f"no exchange rate from {prices.currency} to {home} is known")
    paid = position.average_price
    return replace(
        held,
        quantity=position.quantity * ratio,
        average_price=None if paid is None else paid / ratio,
        # Where listings are quoted in pence, a price paid without a currency may be in pence or in pounds.
        paid_in=position.currency or (None if prices.currency in HUNDREDTHS.values() else prices.currency),
        price=float(prices.close[-1]),
        previous=float(prices.close[-2]) if len(prices) > 1 else None,
        currency=prices.currency,
        rate=converted,
        note="; ".join(notes),
    )
