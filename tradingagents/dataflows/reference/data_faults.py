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
        "The closes jump by the ratio of a listed split, whatever it is, on its day or up to two sessions from it, "
        "or by the square of a ratio that is listed upside down.",
        "Bars before it are withheld, with every figure that reaches back across it.",
    ),
    "split-not-listed": FaultMeaning(
        "prices",
        "The closes jump by the ratio of a split, with the usual money traded, and no split is listed. Ratios from "
        "3 for 2 on below three times the usual money, 4 for 3 and 5 for 4 below 1.4 times.",
        "Bars before it are withheld; until 20 sessions have passed, all prices are.",
    ),
    "split-applied-twice": FaultMeaning(
        "prices",
        "The closes jump by the inverse ratio of a listed split on its day.",
        "Bars before it are withheld, with every figure that reaches back across it.",
    ),
    "unit-change": FaultMeaning(
        "prices",
        "The closes jump by 100 or 1,000, another unit of the currency; or by 12 % or more there and back by the same "
        "factor within 60 sessions, both without the trading that news brings: another currency.",
        "Bars up to the way back are withheld; without a way back, all prices are.",
    ),
    "price-jump": FaultMeaning(
        "prices",
        "The close changes by three times or more without an action and without the trading that news brings; of a "
        "share, by a fifth or more and six times its usual daily change with less than 1.4 times the usual money "
        "traded.",
        "Bars before it are withheld; until 20 sessions have passed, all prices are.",
    ),
    "two-bars-of-a-day": FaultMeaning(
        "prices",
        "A session has two different bars.",
        "The prices are not used: which of the two is right cannot be told.",
    ),
    "repeated-bar": FaultMeaning("prices", "A bar equals the one before in day and values.", "It counts once."),
    "day-without-session": FaultMeaning(
        "prices",
        "A bar is of a day on which the exchange was closed. Two such bars or more close to sessions without a bar are "
        "days that are shifted.",
        "The bar is left out. Of shifted days, bars up to a week after the last such bar are withheld; where that "
        "is the end, all prices are.",
    ),
    "missing-days": FaultMeaning(
        "prices",
        "Sessions of the exchange have no bar.",
        "Up to five within 20 bars are named, and windows count the bars there are. Of more, bars before the last of "
        "them are withheld, for a window of 20 bars would be one of more than five weeks.",
    ),
    "unsorted-days": FaultMeaning("prices", "The bars are not in the order of their days.", "They are sorted."),
    "bar-order": FaultMeaning(
        "prices",
        "The high lies below the low, or open or close outside of both, by more than a tenth of a percent; or the high "
        "is twice open and close, or the low half of them (threefold where it is no share).",
        "From half a percent on, the bar is left out, as one that cannot be; else it is used and named.",
    ),
    "volume-unit": FaultMeaning(
        "prices",
        "The volume of a share that is traded much steps a hundred- or thousand-fold at an unchanged price: lots, or "
        "thousands.",
        "Volumes before the way back are withheld, with every figure on them; without a way back, all volumes are.",
    ),
    "dividends-disagree": FaultMeaning(
        "prices",
        "The ratio of adjusted to traded close changes on a day without a listed dividend, or on an ex-day not by "
        "about the dividend over the close before. A step of 5 % or more by which the close fell too is a spin-off "
        "or a special dividend that is not listed, and right.",
        "Returns that reach back before the newest such day are withheld, for they include dividends; closes and "
        "figures of closes stay.",
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
