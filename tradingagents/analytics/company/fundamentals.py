"""Valuation and quality ratios as of a day: the price as traded over the statements filed by then.

A ratio with missing parts, or without meaning (such as the P/E of a loss), is None, never zero, and a note says why.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import date, datetime

import numpy as np

from tradingagents.analytics.company.multiples import OF_YEAR, Multiples, Valued, multiples
from tradingagents.analytics.company.quoted_shares import reason, unstated_currency, withheld_faults
from tradingagents.analytics.company.statements import sources
from tradingagents.analytics.company.trailing import Basis, Trailing, months_in_words, trailing, year_span
from tradingagents.analytics.least_history import YEAR, is_long_enough, short_history_note
from tradingagents.analytics.price.indicators import latest
from tradingagents.analytics.price.returns import beta, last_day, percent, price_unit, ratio
from tradingagents.analytics.price.stock_data import level_notes, year_range
from tradingagents.analytics.text import cut, one_line
from tradingagents.dataflows.gateway.checks.row_checks import SUSPECTS, beyond_bounds
from tradingagents.dataflows.gateway.faults import Fault
from tradingagents.dataflows.models import Prices, Profile, Ratios, Statement
from tradingagents.dataflows.reference.metrics import Figure
from tradingagents.dataflows.reference.sectors import DISPLAY
from tradingagents.dataflows.results import Result
from tradingagents.errors import NoData
from tradingagents.schemas.derivation import Derivation, SourceCell

MONEY = "money"
FIGURES: Mapping[str, str] = {
    "price": "price",
    "market_cap": MONEY,
    "pe_ttm": "x",
    "ps_ttm": "x",
    "pb": "x",
    "peg": "x",
    "ev_ebitda": "x",
    "eps_ttm": MONEY,
    "dividend_yield": "%",
    "beta": "",
    "fcf_yield": "%",
    "roa": "%",
    "current_ratio": "x",
    "high_52w": "price",
    "low_52w": "price",
    "sma_50": "price",
    "sma_200": "price",
}
"""The ratios computed here, with their units."""
OVER_TWELVE_MONTHS = frozenset({"pe_ttm", "ps_ttm", "peg", "ev_ebitda", "eps_ttm", "fcf_yield", "roa"})
"""Ratios over twelve months, or over the fiscal year that replaces them."""
NEEDING_HISTORY = ("dividend_yield", "high_52w", "low_52w", "sma_50", "sma_200")
"""Figures of prices that a short history lacks."""
BUSINESS_LENGTH = 800
"""Maximum characters of the source's description of the company."""
VENDOR_RATIOS: Mapping[str, str] = {"forward_pe": "x", "forward_eps": MONEY}
"""Ratios that a vendor may provide itself, for the current day only, with units; others are shown without a unit."""


class Fundamentals(Result):
    """Ratios of one company on one day. Money in `currency`."""

    name: str
    sector: str | None
    """Sector key; None where unknown."""
    industry: str | None
    basis: Basis
    """Period covered by the statements: `ttm`, `annual` or `none`."""
    periods: tuple[date, ...]
    """Ends of the quarters (or the year) summed, newest first."""
    price: float
    """Last close, as traded."""
    market_cap: float | None
    """Price times the diluted average shares of the newest statement with a share count, adjusted to the day."""
    pe_ttm: float | None
    """Price over `eps_ttm`; None for a loss."""
    ps_ttm: float | None
    """Market cap over revenue."""
    pb: float | None
    """Market cap over the newest equity; None where equity is not positive."""
    peg: float | None
    """P/E over the percent growth of `eps_ttm` from the twelve months before (P. Lynch, One Up on Wall Street, 1989,
    with past instead of forecast growth); None unless both years were profitable and earnings grew."""
    ev_ebitda: float | None
    """Market cap plus debt minus cash, over EBITDA; None when EBITDA is not positive."""
    eps_ttm: float | None
    """Diluted earnings per share over the periods, adjusted to the share basis of the day."""
    dividend_yield: float | None
    """Percent: dividends of the last 365 days by ex-date, over the price."""
    beta: float | None
    """Slope of daily returns on the benchmark's over two years; None below 60 common sessions."""
    fcf_yield: float | None
    """Percent: free cash flow over market cap."""
    roa: float | None
    """Percent: net income over total assets."""
    current_ratio: float | None
    """Current assets over current liabilities."""
    high_52w: float | None
    """As traded, as are `low_52w`, `sma_50` and `sma_200` (means of so many closes)."""
    low_52w: float | None
    sma_50: float | None
    sma_200: float | None
    shares: float | None
    """The share count used for `market_cap`."""
    flows: Mapping[str, float | None]
    """Revenue, EBITDA, net income, cash flows over the periods, in `books_currency`."""
    books_currency: str | None
    """Currency of the statements; None where there are none."""
    vendor_ratios: Mapping[str, float]
    """Current ratios of the vendor; only for the current day, and only those not computed here."""
    business: str | None = None
    """Current description of the company and its source; None for a past day, or if there is none."""
    of_year: Mapping[str, float] = {}
    """Multiples of a fiscal year that ended too long ago to stand for the last twelve months, by name: `pe_fy`, `ps_fy`
    …; units as those of the names with `ttm`. Shown with the year; empty where there are current multiples."""
    withheld: tuple[str, ...] = ()
    """Why computable multiples were withheld, one sentence each; `notes` holds them too."""
    unit: str
    """Unit of the prices: the currency, or empty for an index."""

    @property
    def warnings(self) -> tuple[str, ...]:
        """Return why multiples were withheld."""
        return tuple(f"{self.symbol}: {reason}" for reason in self.withheld)

    @property
    def faults(self) -> tuple[Fault, ...]:
        """Return what prices and statements show of each other: receipts, sizes and currencies that cannot be."""
        return withheld_faults(self.symbol or "", self.withheld)

    @property
    def title(self) -> str:
        """Heading."""
        return f"Fundamentals: {self.name} ({self.symbol})"

    def figures(self) -> tuple[Figure, ...]:
        """Return the computed ratios, then those of the vendor, if any."""
        year = year_span(self.basis, self.periods)
        own = (
            Figure(name, value, self._unit(unit), year if name in OVER_TWELVE_MONTHS and value is not None else "")
            for name, unit in FIGURES.items()
            for value in (getattr(self, name),)
        )
        older = (
            Figure(OF_YEAR[name], self.of_year[OF_YEAR[name]], self._unit(FIGURES[name]), year)
            for name in OF_YEAR
            if OF_YEAR[name] in self.of_year
        )
        lent = (
            Figure(name, value, self._unit(VENDOR_RATIOS.get(name, ""))) for name, value in self.vendor_ratios.items()
        )
        return (*own, *older, *lent)

    def derivation(self, name: str) -> Derivation | None:
        """Return ratios as their parts over each other; None for those that are no quotient of what is kept here."""
        flow = {key: value for key, value in self.flows.items() if value is not None}
        cells = {"price": self.price, "shares": self.shares, "eps": self.eps_ttm, "market_cap": self.market_cap, **flow}
        one_currency = self.books_currency == self.currency
        formulas = {
            "pe_ttm": ("price / eps", True),
            "market_cap": ("price * shares", True),
            "ps_ttm": ("market_cap / revenue", one_currency),
            "fcf_yield": ("free_cash_flow / market_cap * 100", one_currency),
        }
        formula, sound = formulas.get(name, ("", False))
        parts = [word for word in formula.replace("* 100", "").split() if word.isidentifier()]
        if not sound or any(cells.get(part) is None for part in parts):
            return None
        period = f"the periods to {self.periods[0]}" if self.periods else "no period"
        where = {
            "price": f"last close by {self.as_of}",
            "market_cap": "price times shares",
            "shares": "shares of the day",
        }
        return Derivation(
            formula=formula,
            output="number",
            cells=tuple(
                SourceCell(
                    name=part,
                    value=float(cells[part] or 0.0),
                    unit="",
                    where=where.get(part, f"statements, {period}"),
                )
                for part in parts
            ),
        )

    def body(self) -> str:
        """Return a description of the company and of the data behind the ratios."""
        sector = DISPLAY.get(self.sector, self.sector) if self.sector else "unknown"
        lines = [f"Sector: {sector}. Industry: {self.industry or 'unknown'}."]
        if self.periods:
            what = months_in_words(self.basis, self.periods).capitalize()
            parts = (
                f"{name.replace('_', ' ')} {Figure(name, value, self.books_currency or '').text}"
                for name, value in self.flows.items()
            )
            lines.append(f"{what} to {self.periods[0]}: {', '.join(parts)}.")
        if self.shares is not None:
            lines.append(f"Shares: {Figure('shares', self.shares).text}.")
        if self.business:
            lines.append(f"What the company does, {self.business}")
        return "\n".join(lines)

    def _unit(self, unit: str) -> str:
        return {MONEY: self.currency or "", "price": self.unit}.get(unit, unit)


def fundamentals(
    prices: Prices,
    income: Sequence[Statement],
    balance: Sequence[Statement],
    cashflow: Sequence[Statement],
    profile: Profile,
    *,
    as_of: date,
    benchmark: Prices | None,
    known_at: datetime,
    ratios: Ratios | None = None,
) -> Fundamentals:
    """Compute a company's ratios from what was known on a day.

    Args:
        prices: Bars as traded, with the splits and dividends up to the day.
        income: Income statements filed by the day, quarterly and annual, in any order, on the share basis of the last
            bar.
        balance: Balance sheets, likewise.
        cashflow: Cash-flow statements, likewise.
        benchmark: The market index for beta; None leaves beta n/a.
        known_at: When the last bar became known.
        ratios: Current ratios of the vendor; None for a past day.

    Raises:
        NoData: There are no bars.
    """
    bars = prices.upto(as_of)
    if not len(bars):
        raise NoData(f"{prices.symbol} has no bars up to {as_of}; name a later date or check the symbol.")
    books, given = trailing(income, balance, cashflow, profile, as_of=as_of), (*income, *balance, *cashflow)
    notes = [*(books.notes if given else _bookless(profile))]
    valued = Valued(Multiples())
    unstated = unstated_currency(bars, given)
    if given and unstated is not None:
        valued = Valued(Multiples(), withheld=(unstated,))
    elif (other := _another_currency(bars, books, given)) is not None:
        unlike = f"Prices are in {bars.currency}, the books in {other}: ratios of the two are n/a."
        valued = Valued(Multiples(), withheld=(unlike,))
    elif given:
        said = ratios.values.get("market_cap") if ratios and ratios.currency == bars.currency else None
        valued = multiples(bars, books, tuple(income), profile, cashflow=cashflow, vendor_value=said)
    notes.extend((*valued.withheld, *valued.notes))
    high, low = year_range(bars)
    averages = latest(bars, "close_50_sma", "close_200_sma")
    market = benchmark.upto(as_of) if benchmark is not None else None
    slope = beta(bars, market) if market is not None else None
    if slope is None:
        notes.append("Beta is not available: no benchmark, or fewer than 60 common sessions.")
    paid = _dividend_yield(bars)
    short = short_history_note(bars, NEEDING_HISTORY)
    if paid is None and is_long_enough(bars, "dividend_yield"):
        notes.append("The source gives no dividends: the yield is not known.")
    paid, beyond = _possible_yield(paid, prices.symbol)
    notes.extend(beyond)
    lent, unlent = _lent(ratios, bars)
    notes.extend(unlent)
    mixed = _mixed(books, prices.symbol)
    notes.extend(mixed)
    if ratios and lent:
        notes.append(f"{', '.join(lent)}: {ratios.vendor}'s own, as of {ratios.fetched_at:%Y-%m-%d}.")
    return Fundamentals(
        symbol=prices.symbol,
        as_of=as_of,
        source="+".join(dict.fromkeys((prices.vendor, *(sources(given).split("+") if given else ())))),
        currency=prices.currency,
        known_at=max([known_at, *(statement.known_at for statement in given)]),
        fetched_at=prices.fetched_at,
        end=last_day(bars),
        rows=len(bars) + len(given),
        inputs=(market.symbol,) if market is not None else (),
        notes=(*notes, *level_notes(bars), *((short,) if short else ())),
        name=profile.name,
        sector=profile.sector,
        industry=profile.industry,
        basis=books.basis,
        periods=tuple(period.end for period in books.periods),
        price=float(bars.close[-1]),
        dividend_yield=percent(paid),
        beta=slope,
        high_52w=high,
        low_52w=low,
        sma_50=averages["close_50_sma"],
        sma_200=averages["close_200_sma"],
        flows=books.flows,
        books_currency=given[0].currency if given else None,
        vendor_ratios=lent,
        business=_told(ratios) if ratios and ratios.business else None,
        unit=price_unit(bars),
        roa=None if mixed else percent(ratio(books.flows["net_income"], _item(books, "total_assets"))),
        current_ratio=ratio(_item(books, "current_assets"), _item(books, "current_liabilities")),
        of_year=valued.of_year,
        withheld=(*books.withheld, *valued.withheld, *beyond, *unlent, *mixed),
        **asdict(valued.multiples),
    )


def _another_currency(bars: Prices, books: Trailing, given: Sequence[Statement]) -> str | None:
    """Return the currency of a statement that the ratios rest on, where it is not that of the prices."""
    used = [period.income for period in (*books.periods, *books.before)]
    used += [books.balance] if books.balance is not None else []
    return next((statement.currency for statement in (*given[:1], *used) if statement.currency != bars.currency), None)


def _mixed(books: Trailing, symbol: str) -> tuple[str, ...]:
    """Return why a ratio of income to assets cannot be, where they are in two currencies; () where it can."""
    income = next((period.income for period in books.periods if period.income is not None), None)
    if income is None or books.balance is None or income.currency == books.balance.currency:
        return ()
    what = f"its income statements are in {income.currency}, its balance sheet in {books.balance.currency}"
    return (reason(f"{symbol}: {what}; the return on assets is withheld", "currency-unknown"),)


def _possible_yield(paid: float | None, symbol: str) -> tuple[float | None, tuple[str, ...]]:
    """Return the dividend yield, a fraction, or why no company ever had it."""
    beyond = beyond_bounds("dividend_yield", percent(paid))
    if beyond is None:
        return paid, ()
    suspected = "a dividend in another unit or currency than the price, or one of a time before a split"
    return None, (reason(f"{symbol}: {beyond}; suspected is {suspected}; it is withheld", "out-of-range"),)


def _lent(ratios: Ratios | None, bars: Prices) -> tuple[dict[str, float], tuple[str, ...]]:
    """Return the vendor's ratios that are not computed here, and why an expected EPS does not fit the price."""
    lent = {name: value for name, value in ratios.values.items() if name not in FIGURES} if ratios else {}
    expected = lent.get("forward_eps")
    beyond = None if expected is None else beyond_bounds("earnings_yield", 100 * expected / float(bars.close[-1]))
    if beyond is None:
        return lent, ()
    why = f"{bars.symbol}: on the expected earnings {beyond}; suspected is {SUSPECTS}; they are withheld"
    return {name: value for name, value in lent.items() if name != "forward_eps"}, (reason(why, "out-of-range"),)


def _told(ratios: Ratios) -> str:
    said = cut(one_line(ratios.business or ""), BUSINESS_LENGTH)
    return f'in the words of {ratios.vendor} today: "{said}"'


def _bookless(profile: Profile) -> tuple[str, ...]:
    if profile.kind == "stock":
        return ("The source has no financial statement of that day or before: ratios that need one are n/a.",)
    return (
        f"There are no company statements of this kind of instrument ({profile.kind}): ratios of the books are n/a.",
    )


def _item(books: Trailing, name: str) -> float | None:
    return books.balance.items.get(name) if books.balance else None


def _dividend_yield(prices: Prices) -> float | None:
    """Return the last year's dividends over the price, a fraction; None without a year or listed dividends.

    Without listed dividends, the adjusted close decides: if it equals the close all year, none was paid.
    """
    if prices.withheld is None and not is_long_enough(prices, "dividend_yield"):
        return None
    since = last_day(prices) - YEAR
    if prices.withheld is not None and prices.withheld.until is None and prices.is_cut(since):
        return None  # dividends before a split that is not listed count in other shares
    if not np.isfinite(prices.since(since).adj_close).all():
        return None  # the list of dividends and the adjusted close contradict each other
    paid = sum(dividend.amount for dividend in prices.dividends if since < dividend.day <= last_day(prices))
    if paid:
        return ratio(paid, float(prices.close[-1]))
    if prices.is_cut(since):
        return None
    year = prices.since(since)
    adjustment = year.adj_close / year.close
    unchanged = prices.basis == "split_adjusted" and np.allclose(adjustment, adjustment[-1], rtol=1e-4)
    return 0.0 if unchanged else None
