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
    "period-length": FaultMeaning(
        "statements",
        "A flow labelled a quarter or a year lasts longer or shorter, by its first and last day, by the ends around it "
        "or by its values; or whether it is year to date cannot be told; or one quarter is given to two ends.",
        "It is in no figure of a quarter or a year. With a known length it may be part of twelve months.",
    ),
    "year-to-date": FaultMeaning(
        "statements",
        "A flow labelled a quarter runs from the start of the fiscal year, by its first day or by its values.",
        "The quarter is the row less those before it in that year; share counts and EPS of it are withheld. Where one "
        "of those rows is missing, see `period-length`.",
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
