"""A book at the prices of a day: later splits applied, other currencies converted, what cannot be priced named."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from datetime import date, timedelta
from functools import partial
from typing import Any

from tradingagents.dataflows.gateway.share_basis import is_share_split, shares_per_share
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.models import Prices
from tradingagents.dataflows.reference.currencies import HUNDREDTHS, major_unit
from tradingagents.dataflows.vendor import Vendor
from tradingagents.errors import AllVendorsFailed, DataError, NoData, VendorNotConfigured, VendorUnavailable
from tradingagents.schemas.portfolio import Portfolio, Position

WEEK = timedelta(days=7)
"""How long after the day of the book the first bar may be: holidays."""
UNANSWERED = (VendorUnavailable, AllVendorsFailed)
"""Errors that say nothing of whether a price is there: another attempt may find it."""
AGAIN = "Try again in a few minutes."
RATE_DAYS = 10
"""Calendar days back from the cut-off in which an exchange rate must have been quoted."""


@dataclass(frozen=True, slots=True)
class ValueGap:
    """Why a price or an exchange rate is not known."""

    why: str
    """To end a sentence; it names the vendor where one could not be asked."""
    may_pass: bool = False
    """Whether a vendor did not answer, so that another attempt may find it."""


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
    may_pass: bool = False
    """Whether there is no value only because a vendor did not answer."""
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
    rate_gaps: Mapping[str, ValueGap] = field(default_factory=dict)
    """Why there is none, by the currencies of `unconverted`."""

    @property
    def equity(self) -> float:
        """Return the worth of everything that has a value."""
        return math.fsum([self.cash, *(position.value or 0.0 for position in self.positions)])

    @property
    def without_value(self) -> tuple[str, ...]:
        """Return the symbols that could not be valued: weights are of the rest."""
        return tuple(dict.fromkeys(position.symbol for position in self.positions if position.value is None))

    def unanswered(self) -> tuple[str, ...]:
        """Return what is not known only because a vendor did not answer, one sentence each."""
        positions = {position.symbol: position.note for position in self.positions if position.may_pass}
        cash = {f"Cash in {code}": gap.why for code, gap in self.rate_gaps.items() if gap.may_pass}
        return tuple(f"{what}: {why}." for what, why in (positions | cash).items())

    def check_answered(self) -> None:
        """Refuse what depends on the worth of the whole book where a vendor did not answer.

        Raises:
            AllVendorsFailed: Something has no value for this reason; another attempt may find it.
        """
        if unanswered := self.unanswered():
            more = f" (and {len(unanswered) - 1} more)" if len(unanswered) > 1 else ""
            raise AllVendorsFailed(f"The book cannot be valued now: {unanswered[0]}{more} {AGAIN}")

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
            "unanswered": list(self.unanswered()),
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
    prices = data.of_each(book.symbols, partial(_prices, data, since=since), Vendor.get_stock_data)
    quoted = (bars.currency for bars in prices.values() if isinstance(bars, Prices))
    rates = data.of_each(
        tuple(dict.fromkeys((*book.cash, *quoted))), partial(exchange_rate, data, home=currency), Vendor.get_stock_data
    )
    known = {other: rate for other in book.cash if isinstance(rate := rates[other], float)}
    gaps = {other: gap for other in book.cash if isinstance(gap := rates[other], ValueGap)}
    return ValuedBook(
        day=data.as_of,
        currency=currency,
        positions=tuple(_valued(position, prices[position.symbol], since, rates) for position in book.positions),
        cash=math.fsum(book.cash[other] * rate for other, rate in known.items()),
        unconverted={other: book.cash[other] for other in gaps},
        rate_gaps=gaps,
    )


def exchange_rate(data: MarketData, currency: str, home: str) -> float | ValueGap:
    """Return units of `home` for one of another currency at the cut-off; why not where no vendor has the pair.

    Args:
        data: The market as known at the cut-off.
        currency: ISO code, or a unit in hundredths such as GBp.
        home: ISO code.
    """
    major, unit = major_unit(currency)
    if major == home:
        return unit
    silent: Exception | None = None
    for pair, inverse in ((f"{major}{home}=X", False), (f"{home}{major}=X", True)):
        try:
            close = float(data.prices(pair, days=RATE_DAYS).close[-1])
        except UNANSWERED as error:
            silent = error
        except (DataError, VendorNotConfigured):
            continue
        else:
            return (1 / close if inverse else close) * unit
    if silent is not None:
        return ValueGap(f"the exchange rate from {currency} to {home} could not be asked for now ({silent})", True)
    return ValueGap(f"no exchange rate from {currency} to {home} is known")


def _prices(data: MarketData, symbol: str, *, since: date) -> Prices | ValueGap:
    """Return the bars of an instrument, back to the day of the book; why there are none where there are none."""
    back = (data.as_of + WEEK - since).days
    try:  # the usual history, which others ask for too, where it reaches back to the book
        return data.prices(symbol, days=back if back > data.settings.price_history_days else None)
    except NoData as error:
        return ValueGap(str(error))
    except UNANSWERED as error:
        return ValueGap(f"its price could not be asked for now ({error})", True)
    except (DataError, VendorNotConfigured) as error:
        return ValueGap(f"its price is not known: {error}")


def _valued(
    position: Position,
    prices: Prices | ValueGap,
    since: date,
    rates: Mapping[str, float | ValueGap],
) -> ValuedPosition:
    """Return a position at the last close.

    Args:
        position: As stored.
        prices: Of its instrument, or why there are none.
        since: Day of the book; later splits are applied.
        rates: Units of the book's currency for one of each currency.
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
    if isinstance(prices, ValueGap):
        return replace(held, note=prices.why, may_pass=prices.may_pass)
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
    converted = rates[prices.currency]
    if isinstance(converted, ValueGap):
        notes.append(converted.why)
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
        rate=converted if isinstance(converted, float) else None,
        may_pass=isinstance(converted, ValueGap) and converted.may_pass,
        note="; ".join(notes),
    )
