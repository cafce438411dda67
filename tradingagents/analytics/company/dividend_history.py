"""What a company paid its shareholders: each dividend per share, the year's sum and yield, growth and cover."""

from __future__ import annotations

from datetime import date, datetime, timedelta

from pydantic import BaseModel, ConfigDict

from tradingagents.analytics.company.fundamentals import Fundamentals
from tradingagents.dataflows.models import Dividend, Prices
from tradingagents.dataflows.reference.metrics import Figure
from tradingagents.dataflows.results import Result
from tradingagents.errors import NoData

YEAR = timedelta(days=365)
A_YEAR_BEFORE = (timedelta(days=330), timedelta(days=400))
"""How long before a dividend the same one of the year before may lie."""
MOST_PAYMENTS = 12


class DividendPayment(BaseModel):
    """A dividend per share."""

    model_config = ConfigDict(frozen=True)

    ex_date: date
    amount: float
    """In the currency of the price, in shares of today's size."""


class DividendHistory(Result):
    """The dividends of a company by ex-date, up to a day."""

    price: float
    unit: str
    """Of prices and dividends."""
    dividends_12m: float | None
    """Sum of the last 365 days by ex-date; 0.0 where none was paid, None where that is not known."""
    dividend_yield: float | None
    """Percent of the price."""
    payout_ratio: float | None
    """Percent of the earnings per share of the last twelve months; None where they are unknown or no profit."""
    dividend_last: float | None
    last_ex_date: date | None
    dividend_before: float | None
    """The payment before the last one."""
    dividend_yoy: float | None
    """Percent: the last payment against the one about a year before it; None where there is none."""
    payments: tuple[DividendPayment, ...] = ()
    """Newest first, at most twelve."""

    @property
    def title(self) -> str:
        """Heading."""
        return f"Dividends of {self.symbol} to {self.as_of}"

    def figures(self) -> tuple[Figure, ...]:
        """Return price, yield, sum, cover, the last payments and their growth."""
        year = "the last 365 days by ex-date"
        ex = f"ex-date {self.last_ex_date}" if self.last_ex_date else ""
        return (
            Figure("price", self.price, self.unit, f"on {self.end}"),
            Figure("dividend_yield", self.dividend_yield, "%", year),
            Figure("dividends_12m", self.dividends_12m, self.unit, year),
            Figure("payout_ratio", self.payout_ratio, "%", "of earnings of the last twelve months"),
            Figure("dividend_last", self.dividend_last, self.unit, ex),
            Figure("dividend_before", self.dividend_before, self.unit, ""),
            Figure("dividend_yoy", self.dividend_yoy, "%", "last payment against a year before"),
        )


def dividend_history(prices: Prices, ratios: Fundamentals, *, known_at: datetime) -> DividendHistory:
    """Describe the dividends of a company.

    Args:
        prices: Bars up to the day, with the dividends up to it.
        ratios: Of the same day: the yield, and the earnings per share.
        known_at: When the last bar became known.

    Raises:
        NoData: The source lists no dividends and does not say that none were paid.
    """
    paid = tuple(sorted(prices.dividends, key=lambda dividend: dividend.day))
    if not paid and ratios.dividend_yield is None:
        raise NoData(f"The source gives no dividends of {prices.symbol}; whether it pays any is not known.")
    last = paid[-1] if paid else None
    year = sum(dividend.amount for dividend in paid if ratios.as_of - YEAR < dividend.day)
    earned = ratios.eps_ttm
    known = ratios.dividend_yield is not None
    return DividendHistory(
        symbol=prices.symbol,
        as_of=ratios.as_of,
        source=ratios.source,
        currency=prices.currency,
        known_at=known_at,
        fetched_at=prices.fetched_at,
        end=ratios.end,
        rows=len(paid),
        price=ratios.price,
        unit=ratios.unit,
        dividends_12m=year if known else None,
        dividend_yield=ratios.dividend_yield,
        payout_ratio=100 * year / earned if known and year and earned is not None and earned > 0 else None,
        dividend_last=last.amount if last else None,
        last_ex_date=last.day if last else None,
        dividend_before=paid[-2].amount if len(paid) > 1 else None,
        dividend_yoy=_growth(paid),
        payments=tuple(
            DividendPayment(ex_date=each.day, amount=each.amount) for each in reversed(paid[-MOST_PAYMENTS:])
        ),
    )


def _growth(paid: tuple[Dividend, ...]) -> float | None:
    """Return by how many percent the last payment is above the one about a year before; None without one."""
    if not paid:
        return None
    least, most = A_YEAR_BEFORE
    before = [each for each in paid if least <= paid[-1].day - each.day <= most]
    if not before or before[-1].amount <= 0:
        return None
    nearest = min(before, key=lambda each: abs((paid[-1].day - each.day) - YEAR))
    return 100 * (paid[-1].amount / nearest.amount - 1)
