"""The kinds of faults of data: how each is told, and what becomes of it. The gateway names one with each fault.

The same table is the page `docs/reference/data-faults.md`, to which each reason leads.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

PAGE = "docs/reference/data-faults.md"
"""The page of all kinds."""
About = Literal["prices", "statements", "identity", "rows"]
FaultKind = Literal[
    # prices
    "split-not-applied",
    "split-not-listed",
    "split-applied-twice",
    "unit-change",
    "price-jump",
    "two-bars-of-a-day",
    "repeated-bar",
    "day-without-session",
    "missing-days",
    "unsorted-days",
    "no-trade",
    "bar-order",
    "volume-unit",
    "dividends-disagree",
    "stale-end",
    "short-history",
    # statements
    "period-length",
    "year-to-date",
    "unit-jump",
    "items-disagree",
    "share-count",
    "restated",
    # identity, units, currency
    "receipt-ratio",
    "out-of-range",
    "currency-unknown",
    "symbol-reused",
    # other rows
    "repeated-row",
    "impossible-price",
    "invalid-value",
]


@dataclass(frozen=True, slots=True)
class FaultMeaning:
    """What the page says about a kind."""

    about: About
    seen: str
    """How it is told, as a sentence."""
    done: str
    """What becomes of the rows and of the figures over them, as a sentence."""


FAULT_KINDS: Mapping[FaultKind, FaultMeaning] = {
    "split-not-applied": FaultMeaning(
        "prices",
        "The closes jump by the ratio of a listed split on its day.",
        "Bars before it are withheld, with every figure that reaches back across it.",
    ),
    "split-not-listed": FaultMeaning(
        "prices",
        "The closes jump by the ratio of a split, with the usual money traded, and no split is listed.",
        "Bars before it are withheld; until 20 sessions have passed, all prices are.",
    ),
    "split-applied-twice": FaultMeaning(
        "prices",
        "The closes jump by the inverse ratio of a listed split on its day.",
        "Bars before it are withheld, with every figure that reaches back across it.",
    ),
    "unit-change": FaultMeaning(
        "prices",
        "The closes jump by 100 or 1,000: another unit of the currency.",
        "Bars up to the way back are withheld; without a way back, all prices are.",
    ),
    "price-jump": FaultMeaning(
        "prices",
        "The close changes by three times or more without an action and without the trading that news brings.",
        "Bars before it are withheld; until 20 sessions have passed, all prices are.",
    ),
    "two-bars-of-a-day": FaultMeaning(
        "prices",
        "A session has two different bars.",
        "The prices are not used: which of the two is right cannot be told.",
    ),
    "repeated-bar": FaultMeaning("prices", "A bar equals the one before in day and values.", "It counts once."),
    "day-without-session": FaultMeaning(
        "prices", "A bar is of a day on which the exchange was closed.", "The bar is left out."
    ),
    "no-trade": FaultMeaning(
        "prices",
        "A bar shows no trade: volume 0 at one price in a series that has volume, volume 0 at the close before for "
        "three sessions, a copy of the bar before with its volume, or one price for five sessions.",
        "The bar is left out. A figure over a window of sessions is absent where more than one in twenty of them had "
        "no trade; high, low and drawdown of a year are of the sessions traded. With such a stretch in the last 20 "
        "sessions a decision has no entry, stop, target or size; where the last session had no trade, there is none.",
    ),
    "stale-end": FaultMeaning(
        "prices",
        "The newest bar is two sessions or more older than the last session.",
        "There is no decision: the last price is no price of the day. After more than ten days the prices are not "
        "used. A bar that lags by one session is a warning.",
    ),
    "short-history": FaultMeaning(
        "prices",
        "There are fewer sessions than a figure needs to mean what its name says.",
        "The figure is absent and scores nothing; the answer names how many sessions there are and are needed. "
        "Without the volatility of 20 sessions a decision has no entry, stop, target or size.",
    ),
    "invalid-value": FaultMeaning(
        "rows",
        "A value has another type than the field, is not finite, or lies beyond what any company or market ever had.",
        "An optional field is emptied, an item is left out; else the row is left out. The newest bar, or more than "
        "1 % of the bars: the prices are not used.",
    ),
}
"""Each kind that is told. The order is that of the page."""


def reference(kind: FaultKind) -> str:
    """Return the place of a kind on the page."""
    return f"{PAGE}#{kind}"


def kinds_of(about: About) -> tuple[FaultKind, ...]:
    """Return the kinds of one part of the page, in its order."""
    return tuple(kind for kind, meaning in FAULT_KINDS.items() if meaning.about == about)


ALL_KINDS: tuple[FaultKind, ...] = get_args(FaultKind)
