"""A person's holdings: positions with signed quantities, and cash, on one day.

Three states stay distinct wherever a portfolio is passed: None (nobody said what is held), an empty `Portfolio`
(nothing is held), and one with positions.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from datetime import date
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, Field, field_validator, model_validator

from tradingagents.schemas.record import Record

CURRENCY = r"^[A-Z]{3}$"
"""ISO 4217, such as USD."""
ACCOUNT_LENGTH = 60
"""Maximum characters of an account's name."""


def _finite(number: float) -> float:
    if not math.isfinite(number):
        raise ValueError("must be a finite number")
    return number


Finite = Annotated[float, AfterValidator(_finite)]
Currency = Annotated[str, Field(pattern=CURRENCY)]


class Position(Record):
    """Shares, coins or units of one instrument in one account."""

    symbol: str
    """Normalised, such as BRK-B."""
    quantity: Finite
    """Negative for a short position; never 0."""
    average_price: Annotated[float, Field(ge=0)] | None = None
    """What one unit cost, in `currency`; None where it is not known."""
    currency: Currency | None = None
    """Currency of `average_price`; None is that of the instrument's listing. Where an exchange quotes hundredths of it,
    such as pence, the unit is then not known."""
    account: str = Field("", max_length=ACCOUNT_LENGTH)

    @model_validator(mode="before")
    @classmethod
    def _symbol_or_ticker(cls, given: Any) -> Any:
        """Take `ticker`, as the public API calls a symbol."""
        if isinstance(given, Mapping) and "ticker" in given and "symbol" not in given:
            return {"symbol": given["ticker"], **given}
        return given

    @property
    def ticker(self) -> str:
        """Return the symbol, by its name in the public API."""
        return self.symbol

    @field_validator("quantity")
    @classmethod
    def _something(cls, quantity: float) -> float:
        if quantity == 0:
            raise ValueError("a position of 0 is none; leave it out")
        return quantity


class Portfolio(Record):
    """All that a person holds on a day."""

    positions: tuple[Position, ...] = ()
    """In the order of symbol and account; one an instrument and account."""
    cash: dict[Currency, Finite] = Field(default_factory=dict)
    """Amount by currency; negative for a debt."""
    day: date | None = None
    """Day that quantities and average prices are of: later splits adjust them. None: the day of the run."""

    @field_validator("positions")
    @classmethod
    def _in_order(cls, positions: tuple[Position, ...]) -> tuple[Position, ...]:
        return tuple(sorted(positions, key=lambda position: (position.symbol, position.account)))

    @field_validator("cash")
    @classmethod
    def _by_currency(cls, cash: dict[str, float]) -> dict[str, float]:
        return {currency: cash[currency] for currency in sorted(cash)}

    @model_validator(mode="after")
    def _once_each(self) -> Self:
        places = [(position.symbol, position.account) for position in self.positions]
        if again := next((place for place in places if places.count(place) > 1), None):
            raise ValueError(f"{again[0]} is listed twice" + (f" in account {again[1]}" if again[1] else ""))
        return self

    @property
    def is_flat(self) -> bool:
        """Return whether no position is held; cash may be."""
        return not self.positions

    @property
    def symbols(self) -> tuple[str, ...]:
        """Return what is held, each symbol once."""
        return tuple(dict.fromkeys(position.symbol for position in self.positions))

    def quantity(self, symbol: str) -> float:
        """Return the units of an instrument over all accounts; 0 where it is not held."""
        return math.fsum(position.quantity for position in self.positions if position.symbol == symbol)

    def average_price(self, symbol: str) -> tuple[float, str | None] | None:
        """Return the average price of an instrument over all accounts, by quantity, with its currency.

        None where it is not held, where one of its positions has no price, or where they have several currencies or
        directions, over which an average means nothing.
        """
        held = [position for position in self.positions if position.symbol == symbol]
        prices = [position.average_price for position in held if position.average_price is not None]
        same = len({(position.currency, position.quantity > 0) for position in held}) == 1
        if not same or len(prices) < len(held):
            return None
        paid = math.fsum(price * position.quantity for price, position in zip(prices, held, strict=True))
        return paid / self.quantity(symbol), held[0].currency

    @property
    def own_currency(self) -> str:
        """Return what all is converted to: the only currency of the cash, else that of all prices paid, else USD."""
        paid = {position.currency for position in self.positions if position.currency is not None}
        only = [currencies for currencies in (set(self.cash), paid) if len(currencies) == 1]
        return next(iter(only[0])) if only else "USD"

    @property
    def digest(self) -> str:
        """Return what tells this portfolio from another, as hexadecimal digits: equal ones have the same."""
        return hashlib.sha256(json.dumps(self.as_json(), sort_keys=True).encode()).hexdigest()


HolderAction = Literal["open", "add", "hold", "trim", "close", "short", "cover"]


class BeforeAfter(Record):
    """A figure of a book before and after an order."""

    before: float
    after: float


class HolderRecord(Record):
    """What the decision of a run means for the book that it was given. Amounts are in the book's currency."""

    hash: str
    """Of the book, see `Portfolio.digest`."""
    day: str
    """Of the book."""
    currency: str
    equity: float
    """Worth of everything that has a value."""
    action: HolderAction
    why: str
    """The row of the rule table, in a few words."""
    quantity: float
    """What is held over all accounts, in units of the day; negative where it is sold short."""
    shares: float = 0.0
    """To trade: positive to buy, negative to sell."""
    price: float | None = None
    """Of one unit, in the instrument's currency; None where it is not known."""
    money: float | None = None
    """What the order costs, negative for what it brings; None where no exchange rate is known."""
    cut_by: tuple[str, ...] = ()
    """Limits that made the order smaller than the rule table asks for."""
    stop: float | None = None
    """For the whole position that is left, in the instrument's currency."""
    target: float | None = None
    weight: BeforeAfter | None = None
    """Of the instrument, signed; None where it cannot be said."""
    sector: str | None = None
    sector_weight: BeforeAfter | None = None
    """Sum of the sizes of positions of its sector."""
    cash: BeforeAfter | None = None
    """As a fraction of all."""
    beta: BeforeAfter | None = None
    """Of the book against the instrument's benchmark."""
    volatility: BeforeAfter | None = None
    """Of the book a year, as a fraction."""
    average_price: float | None = None
    """What one unit of the day cost; it plays no part in the action."""
    gain: float | None = None
    """On the average price, as a fraction of it."""
    notes: tuple[str, ...] = ()
    """What is not known of the book, one sentence each."""


class OrderRecord(Record):
    """What is done about one decision. Amounts are in the book's currency."""

    symbol: str
    view: str
    """Action of the decision: BUY, SELL, HOLD or NO_DECISION."""
    action: HolderAction
    why: str
    """The row of the rule table, in a few words."""
    shares: float
    """Positive to buy, negative to sell; 0 for a hold."""
    price: float
    """The last close of one unit."""
    quoted: float | None = None
    """The last close as it is quoted, in `quoted_in`, as stop and target are."""
    quoted_in: str | None = None
    """Currency of the instrument's listing; pounds where its exchange quotes pence."""
    money: float
    """What the order costs, negative for what it brings."""
    commission: float = 0.0
    cut_by: tuple[str, ...] = ()
    """Limits that made the order smaller than the decision asks for."""
    stop: float | None = None
    """Of the decision, in `quoted_in`."""
    target: float | None = None


class OrderListRecord(Record):
    """All orders of a day for a book, sales first; nothing is sent anywhere. Amounts are in the book's currency."""

    hash: str
    """Of the book, see `Portfolio.digest`."""
    day: str
    """Of the book."""
    currency: str
    equity: float
    cash: BeforeAfter
    turnover: float
    """Sum of all orders as a fraction of the equity."""
    weights: str
    """The scheme by which weights are computed."""
    lines: list[OrderRecord]
    """Sales, then purchases, then holds; each by symbol."""
    notes: tuple[str, ...] = ()
    """What is not known of the book or of a decision, one sentence each."""
