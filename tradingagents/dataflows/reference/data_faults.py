"""The kinds of faults of data: how each is recognised, and what becomes of it. The gateway names one with each fault.

The same table is the page `docs/reference/data-faults.md`, to which each reason leads.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

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
    "statement-missing",
    "unit-jump",
    "items-disagree",
    "share-count",
    "share-basis",
    "restated",
    # identity, units, currency
    "receipt-ratio",
    "out-of-range",
    "currency-unknown",
    "symbol-reused",
    "another-company",
    # other rows
    "repeated-row",
    "impossible-price",
    "series-unit",
    "invalid-value",
    "earlier-answer",
    "second-vendor",
]


@dataclass(frozen=True, slots=True)
class FaultMeaning:
    """What the page says about a kind."""

    about: About
    seen: str
    """How it is recognised, as a sentence."""
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
        "Bars before it are withheld, and share figures counted before it; until 20 sessions have passed, all prices "
        "are. After a ratio below 3 for 2 they stay withheld: it looks like a change of the currency.",
    ),
    "split-applied-twice": FaultMeaning(
        "prices",
        "The closes jump by the inverse ratio of a listed split on its day.",
        "Bars before it are withheld, with every figure that reaches back across it.",
    ),
    "unit-change": FaultMeaning(
        "prices",
        "The closes jump by 100 or 1,000, another unit of the currency; or by 12 % or more there and back by the same "
        "factor within 60 sessions, both without the trading that news brings: another currency. So is the ratio of a "
        "split across which as many shares are traded as before.",
        "Bars up to the way back are withheld; without a way back, all prices are.",
    ),
    "price-jump": FaultMeaning(
        "prices",
        "The close changes by three times or more without an action and without the trading that news brings; of a "
        "share, by a fifth or more and six times its usual daily change with less than 1.4 times the usual money "
        "traded.",
        "Bars since are as doubtful as those before: no price is used while it lies in the history.",
    ),
    "two-bars-of-a-day": FaultMeaning(
        "prices",
        "A session has two different bars.",
        "The prices are not used: which of the two is right is not known.",
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
        "Sessions of the exchange have no bar, or one that is wrong and left out.",
        "Up to five within 20 bars are named. A change goes by sessions and is absent where its first day has no bar; "
        "a figure over a window with such a session is absent, except averages of which it is less than a fiftieth; "
        "and so is the high, low or drawdown of a year that a price of it could have changed. Of more, bars before the "
        "last of them are withheld, for a window of 20 bars would be one of more than five weeks.",
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
        "figures of closes stay. Where the adjusted closes equal the closes across ex-days, and these are in no steps "
        "of a traded price, the closes may be adjusted themselves, and no price is used.",
    ),
    "repeated-row": FaultMeaning(
        "rows",
        "An insider trade, or a value of an economic series, is there again: in an amended form, or listed twice.",
        "It counts once, as first reported. Of two different values of one publication none is used.",
    ),
    "impossible-price": FaultMeaning(
        "rows",
        "An insider's trade in the open market was made at more than three times, or less than a third of, the close "
        "of its day, or more than 1 % off the price that its source states in words.",
        "The trade is listed and counted, and all sums over the trades are withheld: its price or shares are wrong.",
    ),
    "series-unit": FaultMeaning(
        "rows",
        "Values of an economic series are a hundred, a thousand or a million times their neighbours.",
        "Up to six values in another unit are left out; after a longer stretch, those before it are.",
    ),
    "unit-jump": FaultMeaning(
        "statements",
        "Most amounts of a statement, its share counts or one item are about 100, 1,000 or 1,000,000 times those of "
        "the others; or earnings per share times shares are that far from net income; or a sum within the statement "
        "holds only with one item in another unit.",
        "The items of the statements in the other unit are withheld, never rescaled, with every figure over them; "
        "where it is not known which are right, those of both.",
    ),
    "items-disagree": FaultMeaning(
        "statements",
        "Items of one statement contradict each other: gross profit exceeds revenue or is not revenue less cost, "
        "liabilities and equity are not the assets, a part exceeds its whole, free cash flow is not operating cash "
        "flow plus capital expenditure, money out is positive.",
        "All items of the contradiction are withheld, with every figure over them. A profit of more than twice "
        "revenue and a negative revenue that losses on investments explain are noted only.",
    ),
    "share-count": FaultMeaning(
        "statements",
        "A share count is not above zero, or diluted shares are fewer than basic ones by more than a tenth.",
        "The counts are withheld, with market value and figures per share that need them.",
    ),
    "share-basis": FaultMeaning(
        "statements",
        "Share counts of neighbouring statements, or closes, jump by the ratio of a split that is not listed, or not "
        "for that day.",
        "Share counts and EPS counted before the jump of the closes are withheld, with every sum over them; where the "
        "counts jump, those of all periods, for which of them the prices are of is not known.",
    ),
    "restated": FaultMeaning(
        "statements",
        "A later version of a period differs from the one before by more than half.",
        "The version known last is used, and a note names the items.",
    ),
    "period-length": FaultMeaning(
        "statements",
        "A flow labelled a quarter or a year lasts longer or shorter, by its first and last day, by the ends around it "
        "or by its values; or whether it is year to date is not known; or one period is given to two ends.",
        "It is in no figure of a quarter or a year. With a known length it may be part of twelve months.",
    ),
    "year-to-date": FaultMeaning(
        "statements",
        "A flow labelled a quarter runs from the start of the fiscal year, by its first day or by its values.",
        "The quarter is the row less those before it in that year; share counts and EPS of it are withheld. Where one "
        "of those rows is missing, see `period-length`.",
    ),
    "statement-missing": FaultMeaning(
        "statements",
        "A statement of the newest period is known and another one of it is missing, which the source gives for at "
        "least three quarters of the periods before.",
        "Its items are withheld, with every figure over that period; the statement before does not stand for it.",
    ),
    "receipt-ratio": FaultMeaning(
        "identity",
        "One quoted share is not one share of the statements, and the ratio is not known: a depositary receipt, or "
        "counts that no price, trading or dividend of the company fits.",
        "Market value, EPS and all multiples are withheld, and the value of a share. Where the ratio is known "
        "(`dataflows.reference.share_classes`), counts and EPS are brought to the quoted share, and a note says so.",
    ),
    "out-of-range": FaultMeaning(
        "identity",
        "A market value, multiple or yield lies beyond what any company ever had "
        "(`dataflows.gateway.checks.row_checks`), or the money that a share is traded for.",
        "It is withheld, with what it would make wrong, or the prices are not used; the reason names what is "
        "suspected.",
    ),
    "currency-unknown": FaultMeaning(
        "identity",
        "The source does not state the currency of prices or statements, and the listing does not tell it; or the "
        "statements of one series are in different currencies; or all amounts of up to three statements are the same "
        "multiple, 3.5 times or more, of those before and after.",
        "Nothing is converted: market value against statements, and all multiples, are withheld, and so are amounts of "
        "the statements in the rarer currency, since no sum holds over two.",
    ),
    "symbol-reused": FaultMeaning(
        "identity",
        "A symbol changed hands: bars of an earlier company stand before those of the present one.",
        "The earlier bars are withheld.",
    ),
    "another-company": FaultMeaning(
        "identity",
        "A source answers about another symbol than the one asked for, or calls the company by the name of another "
        "one of the companies that are known (`dataflows/reference/companies.csv`).",
        "The answer is not used; of a profile with another name, name, sector and industry are not, so that nothing "
        "is set against a sector or peers.",
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
        "used. A bar that lags by one session is a warning, and every answer names the newest bar.",
    ),
    "short-history": FaultMeaning(
        "prices",
        "There are fewer sessions than a figure needs to mean what its name says.",
        "The figure is absent and scores nothing; the answer names how many sessions there are and are needed. "
        "Without the volatility of 20 sessions a decision has no entry, stop, target or size.",
    ),
    "invalid-value": FaultMeaning(
        "rows",
        "A value has another type than the field, is not finite, or lies beyond what any company or market ever had; "
        "or an article has no title, or a placeholder such as [Removed] in its place.",
        "An optional field is emptied, an item is left out; else the row is left out. The newest bar, or more than "
        "1 % of the bars: the prices are not used.",
    ),
    "earlier-answer": FaultMeaning(
        "rows",
        "A remote vendor gives what is over otherwise than in its last good answer to the same question, or no longer: "
        "bars, items of a period without a newer filing, times of articles, trades, all amounts by one factor.",
        "What disagrees is withheld, with both values or their ratio; of a tenth of the bars, or of most times, the "
        "answer is not used. What is missing is stated. An answer that the vendor repeats for three days is believed.",
    ),
    "second-vendor": FaultMeaning(
        "rows",
        "Two vendors give the same figure otherwise than rounding, restatements or other definitions explain: closes "
        "as traded by more than half a percent, all amounts of statements by one factor, an item by more than a factor "
        "of two, items at another period.",
        "What disagrees is withheld, and both vendors are named; where more than a twentieth of the closes do, neither "
        "is used. `second_vendor` of the settings turns this off.",
    ),
}
"""Each kind. The order is that of the page."""


def reference(kind: FaultKind) -> str:
    """Return the place of a kind on the page."""
    return f"{PAGE}#{kind}"
