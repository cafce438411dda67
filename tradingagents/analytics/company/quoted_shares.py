"""What one quoted share stands for in the shares that statements count: one of them, or those of a receipt or class.

Where the ratio is known (`reference.share_classes`) it is applied here and nowhere else, to share counts and earnings
per share. Where it is not, what price, trading and dividends say of the counts is looked at: counts that do not fit
them give no market value and no multiple.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from statistics import median

import numpy as np

from tradingagents.analytics.company.trailing import Trailing
from tradingagents.analytics.price.returns import last_day
from tradingagents.dataflows.gateway.checks.row_checks import SUSPECTS, UNITS_OF_A_DOLLAR, beyond_bounds
from tradingagents.dataflows.gateway.checks.share_jumps import usable_shares
from tradingagents.dataflows.gateway.faults import Fault
from tradingagents.dataflows.models import Prices, Profile, Statement
from tradingagents.dataflows.reference.currencies import is_stated
from tradingagents.dataflows.reference.data_faults import FaultKind, reference
from tradingagents.dataflows.reference.share_classes import class_ratio, is_receipt_name, receipt_of, trades_receipts

WITHHELD = "market cap, EPS and the multiples are withheld"
KINDS: tuple[FaultKind, ...] = ("receipt-ratio", "out-of-range", "currency-unknown")
"""The kinds of faults that show where prices and statements meet."""
SESSIONS = 60
"""Sessions whose median volume stands for a usual day's trading."""
THIN: Sequence[tuple[float, float]] = ((500e9, 0.001), (100e9, 0.0005))
"""Market values in USD from which on at least this share of all shares changes hands on a usual day. The least liquid
US listings of that size that were seen turn over 0.2 % (Alphabet, Walmart); foreign ones are in the table."""
SMALLEST = 100e6
"""USD: below this market value a stock may be traded through more than once a day, as some were."""
PAID_APART = 1.7
"""Dividends paid by the cash-flow statement and those of all shares of its year differ by less: dates of payment,
reinvestment and preferred shares make a third at most."""
OVERPAID = 2.0
"""Usual dividends of a year stay below so many times the cash flow from operations, outside of finance and property."""
MOST_OF_USUAL = 3.0
"""A dividend of more than so many usual ones is a special one, and counts as so many."""
VALUED_APART = 2.5
"""The vendor's market value and price times counted shares differ by less, though one may leave out a class."""
PAYMENT_LAG = timedelta(days=60)
"""A dividend is paid up to so many days after its ex-date."""


@dataclass(frozen=True, slots=True)
class QuotedShares:
    """How counts of the statements become counts of what is quoted."""

    counted_for_one: float = 1.0
    """Shares of the statements for one quoted share."""
    note: str | None = None
    """The ratio applied; None where a quoted share is a share of the statements."""
    withheld: str | None = None
    """Why no count fits the price; None where one does."""


def unstated_currency(prices: Prices, history: Sequence[Statement]) -> str | None:
    """Return why prices and statements cannot be set against each other: a currency that nobody states."""
    stated = {
        "prices": is_stated(prices.currency),
        "statements": all(is_stated(statement.currency) for statement in history),
    }
    unknown = [what for what, known in stated.items() if not known]
    if not unknown:
        return None
    return reason(
        f"The source does not state the currency of the {' and the '.join(unknown)} of {prices.symbol}: "
        f"they are not set against each other, and {WITHHELD}",
        "currency-unknown",
    )


def quoted_shares(
    prices: Prices,
    profile: Profile | None,
    count: float,
    books: Trailing,
    *,
    cashflow: Sequence[Statement] = (),
    vendor_value: float | None = None,
) -> QuotedShares:
    """Find what one quoted share stands for.

    Args:
        prices: As traded, up to the day.
        profile: Who it is; None where that is not known.
        count: All shares, as the newest statement with a count has them, on the share basis of the day.
        books: The last twelve months that the count is of.
        cashflow: Cash-flow statements on the same basis.
        vendor_value: The market value of today in the words of a vendor; None where there is none.
    """
    day = last_day(prices)
    known = class_ratio(prices.symbol, day) or receipt_of(prices.symbol, day)
    if known is not None:
        factor = known.counted_for_one(count)
        if factor is None:
            return QuotedShares(withheld=_unfit(prices.symbol, f"{known.words}, and the count fits no such ratio"))
        note = None if factor == 1 else f"{prices.symbol}: {known.words}; share counts and EPS are of what is quoted."
        return QuotedShares(factor, note)
    currency = next((period.income.currency for period in (*books.quarters, *books.years)), prices.currency)
    doubt = (
        _unknown_receipt(prices, profile, currency)
        or _thin(prices, count)
        or _said_otherwise(prices, count, vendor_value)
        or (_paid_otherwise(prices, books, cashflow) if currency == prices.currency else None)
        or (_overpaid(prices, profile, count, books) if currency == prices.currency else None)
    )
    return QuotedShares(withheld=None if doubt is None else _unfit(prices.symbol, doubt))


def reason(text: str, kind: FaultKind) -> str:
    """Return a reason as a sentence with the page of its kind."""
    return f"{text}{_page(kind)}"


def market_value(
    symbol: str, day: date, close: float, count: float, currency: str, *, usual: float = 0.0
) -> float | None:
    """Return close times shares in a table of many companies; None where a ratio, the currency or the size is in doubt.

    Args:
        close: As traded.
        count: All shares as the statements count them, on the share basis of the day.
        currency: Of close and statements.
        usual: Shares traded on a usual day; 0 where that is not known.
    """
    known = class_ratio(symbol, day) or receipt_of(symbol, day)
    counted_for_one = 1.0 if known is None else known.counted_for_one(count)
    if counted_for_one is None or not is_stated(currency):
        return None
    value = count / counted_for_one * close
    if known is None and _unlike_trading(symbol, usual, count, value, currency) is not None:
        return None
    return None if beyond_bounds("market_cap", value, currency) is not None else value


def withheld_faults(symbol: str, reasons: Iterable[str]) -> tuple[Fault, ...]:
    """Return those of the reasons why figures are withheld that `reason` wrote, as faults by their kind."""
    found = ((text, next((kind for kind in KINDS if text.endswith(_page(kind))), None)) for text in reasons)
    return tuple(
        Fault(symbol, None, text.removesuffix(_page(kind)), "the figures are withheld", kind=kind, withholds=True)
        for text, kind in found
        if kind is not None
    )


def is_of_quoted_share(why: str) -> bool:
    """Return whether a reason says that a quoted share may not be one share of the statements."""
    return WITHHELD in why and why.endswith((_page("receipt-ratio"), _page("out-of-range")))


def _page(kind: FaultKind) -> str:
    return f" ({reference(kind)})."


def _unfit(symbol: str, doubt: str) -> str:
    return reason(
        f"One quoted share of {symbol} may not be one share of its statements: {doubt}. Suspected is {SUSPECTS}; "
        f"{WITHHELD}",
        "receipt-ratio",
    )


def _unknown_receipt(prices: Prices, profile: Profile | None, books: str) -> str | None:
    """Return why it is a receipt whose ratio is not known; None where nothing says so."""
    if profile is not None and profile.kind == "stock" and is_receipt_name(profile.name):
        return "its name is that of a depositary receipt, and how many shares it stands for is not known"
    if books != prices.currency and trades_receipts(prices.symbol):
        return (
            f"its statements are in {books} and its price in {prices.currency}, as of depositary receipts, and how "
            f"many shares one stands for is not known"
        )
    return None


def _thin(prices: Prices, count: float) -> str | None:
    """Return why the trading does not fit the count; None where it does, or where volumes are not given."""
    return _unlike_trading(prices.symbol, usual_volume(prices), count, count * float(prices.close[-1]), prices.currency)


def usual_volume(prices: Prices) -> float:
    """Return the shares traded on a usual day of the last `SESSIONS`; 0 where that is not known."""
    volumes = prices.volume[-SESSIONS:]
    usual = float(np.median(volumes)) if len(volumes) == SESSIONS else 0.0
    return usual if usual > 0 else 0.0


def _unlike_trading(symbol: str, usual: float, count: float, value: float, currency: str) -> str | None:
    """Return why a usual day's trading does not fit a count and the market value it makes; None where it does."""
    if usual <= 0:
        return None
    dollars = value / UNITS_OF_A_DOLLAR.get(currency, float("inf"))
    if usual > count and dollars >= SMALLEST:
        return "on a usual day more shares are traded than the statements count"
    least = next((share for size, share in THIN if dollars >= size), 0.0)
    if not trades_receipts(symbol) or usual / count >= least:
        return None
    return (
        f"on a usual day less than {100 * least:.2f} % of the shares counted are traded, as of no company of its size"
    )


def _paid_otherwise(prices: Prices, books: Trailing, cashflow: Sequence[Statement]) -> str | None:
    """Return why the dividends paid for each share do not fit those of all shares; None where they do or are unknown.

    Looked at is the newest fiscal year with both that the prices cover, by ex-dates and by when they were paid.
    """
    counts = {period.end: usable_shares(period.income) for period in books.years}
    first = prices.days[0].item()
    for year in sorted(cashflow, key=lambda statement: statement.period_end, reverse=True):
        paid = -year.items.get("dividends_paid", 0.0)
        start = year.period_end - timedelta(days=365)
        count = counts.get(year.period_end)
        if year.frequency != "annual" or paid <= 0 or count is None:
            continue
        if start - PAYMENT_LAG < first:
            return None
        windows = [_declared(prices, start - lag, year.period_end - lag) * count for lag in (timedelta(), PAYMENT_LAG)]
        if not all(windows) or any(1 / PAID_APART < declared / paid < PAID_APART for declared in windows):
            return None
        side = "more" if windows[0] > paid else "less"
        return (
            f"dividends of all shares counted would be {side} by {PAID_APART:g} times or more than what was paid in "
            f"the year to {year.period_end}"
        )
    return None


def _overpaid(prices: Prices, profile: Profile | None, count: float, books: Trailing) -> str | None:
    """Return why the counted shares cannot have got the dividends of the last year; None where they can.

    Left out are companies whose cash flow says little of what they can pay, and what goes beyond usual dividends.
    """
    cash = books.flows.get("operating_cash_flow")
    if cash is None or cash <= 0 or profile is None or profile.sector in (None, "financials", "real-estate"):
        return None
    end = last_day(prices)
    amounts = [dividend.amount for dividend in prices.dividends if end - timedelta(days=365) < dividend.day <= end]
    if not amounts:
        return None
    usual = median(amounts)
    declared = count * sum(min(amount, MOST_OF_USUAL * usual) for amount in amounts)
    if declared <= OVERPAID * cash:
        return None
    return f"dividends of all shares counted would be more than {OVERPAID:g} times the cash flow from operations"


def _said_otherwise(prices: Prices, count: float, vendor_value: float | None) -> str | None:
    """Return why the count does not fit the vendor's own market value; None where it does or there is none."""
    if vendor_value is None or vendor_value <= 0:
        return None
    apart = count * float(prices.close[-1]) / vendor_value
    if 1 / VALUED_APART < apart < VALUED_APART:
        return None
    return f"the vendor's own market value is {'less' if apart > 1 else 'more'} by {VALUED_APART:g} times or more"


def _declared(prices: Prices, after: date, by: date) -> float:
    return sum(dividend.amount for dividend in prices.dividends if after < dividend.day <= by)
