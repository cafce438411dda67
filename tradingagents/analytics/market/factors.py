"""Factor returns from the stocks at hand, and a stock's loadings on them.

Every 21 sessions the stocks are sorted by what was known then; the factor is the mean return of the highest 30 % less
that of the lowest 30 % until the next sort, equally weighted.

    market        benchmark fund
    size          small less large: market value              Fama and French, Journal of Financial Economics 33, 1993
    value         high less low: book equity / market value   the same
    momentum      return from 252 to 21 sessions before       Jegadeesh and Titman, Journal of Finance 48, 1993
    quality       net income / equity of the last year        after Novy-Marx 2013; Asness, Frazzini, Pedersen 2019
    low_volatility  low less high standard deviation          Frazzini and Pedersen 2014, without the leverage

Regressions have Newey-West errors. Returns are not in excess of a risk-free rate.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from typing import ClassVar

import numpy as np
from pydantic import BaseModel, ConfigDict

from tradingagents.analytics.company.quoted_shares import market_value
from tradingagents.analytics.company.statements import newest_first
from tradingagents.analytics.company.trailing import trailing
from tradingagents.analytics.market.universe import TODAY_S_MEMBERS, CompanyBooks, Universe
from tradingagents.analytics.price.beta_estimate import linear_fit
from tradingagents.analytics.price.returns import SESSIONS_PER_YEAR
from tradingagents.analytics.text import table_of
from tradingagents.dataflows.gateway.checks.share_jumps import usable_shares
from tradingagents.dataflows.models import Days, Floats, Prices
from tradingagents.dataflows.reference.metrics import Figure
from tradingagents.dataflows.results import Result
from tradingagents.errors import NoData

FACTORS = ("market", "size", "value", "momentum", "quality", "low_volatility")
MONTH, YEAR = 21, SESSIONS_PER_YEAR
LEAST_STOCKS = 6
"""Stocks with the characteristic below which they are not sorted."""
LEG = 0.3
"""Share of the stocks on each side."""
LEAST_DAYS = 60
SHOWN = 5
"""Stocks named of each side."""
CLOSE_UTC = time(20)
"""Statements count from the session whose close they precede: the earlier of New York's two closes in UTC."""

_Known = tuple[float | None, float | None, float | None, str | None]


@dataclass(frozen=True, slots=True)
class FactorSeries:
    """Daily factor returns as fractions, aligned with `days`."""

    days: Days
    returns: Mapping[str, Floats]
    """By factor; without those that too few stocks have the data for."""
    longs: Mapping[str, tuple[str, ...]]
    """Stocks on the high side of the last sort, the highest first; `shorts` those on the low side, the lowest first."""
    shorts: Mapping[str, tuple[str, ...]]
    counts: Mapping[str, int]
    """Stocks sorted last."""


class FactorRow(BaseModel):
    """One factor's returns."""

    model_config = ConfigDict(frozen=True)

    factor: str
    return_1m_pct: float | None
    """Percent over 21 sessions, compounded; None where the series is shorter. So are 3m (63) and 1y (252)."""
    return_3m_pct: float | None
    return_1y_pct: float | None
    volatility_pct: float
    """Annualised standard deviation of the daily returns, percent."""
    t_value: float | None
    """Mean daily return over its Newey-West error."""
    stocks: int
    """Stocks sorted; 0 for the market."""
    long: tuple[str, ...]
    short: tuple[str, ...]


class FactorReturns(Result):
    """Returns of the factors over the window."""

    tabulated: ClassVar[bool] = True

    factors: tuple[FactorRow, ...]

    @property
    def title(self) -> str:
        """Heading."""
        return "Factor returns"

    def figures(self) -> tuple[Figure, ...]:
        """Return the returns of each factor."""
        return tuple(figure for row in self.factors for figure in _row_figures(row))

    def body(self) -> str:
        """Return the factors as a table, then the stocks on both sides."""
        head = ("Factor", "1 month", "3 months", "1 year", "Volatility", "t", "Stocks", "Long", "Short")
        rows = (
            (
                row.factor.replace("_", " "),
                *(figure.text for figure in _row_figures(row)),
                ", ".join(row.long) or "-",
                ", ".join(row.short) or "-",
            )
            for row in self.factors
        )
        return table_of(head, rows)


class FactorLoading(BaseModel):
    """A stock's loading on one factor."""

    model_config = ConfigDict(frozen=True)

    factor: str
    loading: float
    """Return of the stock in points for one point of the factor."""
    standard_error: float
    """Newey-West."""
    t_value: float


class FactorRegression(Result):
    """A regression of a stock's daily returns on the factors."""

    tabulated: ClassVar[bool] = True

    alpha_pct: float
    """Constant, annualised, percent."""
    alpha_t: float
    r_squared: float
    """Share of the variance that the factors explain, 0 to 1."""
    observations: int
    lags: int
    """Autocorrelations that the errors allow for."""
    loadings: tuple[FactorLoading, ...]

    @property
    def title(self) -> str:
        """Heading."""
        return f"Factor regression of {self.symbol}"

    def figures(self) -> tuple[Figure, ...]:
        """Return alpha, fit and loadings with their t values."""
        own = (
            Figure("factor_alpha", self.alpha_pct, "%"),
            Figure("factor_alpha_t", self.alpha_t),
            Figure("factor_r_squared", 100 * self.r_squared, "%"),
            Figure("factor_observations", self.observations),
        )
        return (*own, *(figure for one in self.loadings for figure in _loading_figures(one)))

    def body(self) -> str:
        """Return the regression as a table."""
        alpha, alpha_t, fit, count = self.figures()[:4]
        rows: list[tuple[str, ...]] = [("alpha, annualised", alpha.text, "", alpha_t.text)]
        rows += [
            (loading.factor.replace("_", " "), *(figure.text for figure in _loading_figures(loading)))
            for loading in self.loadings
        ]
        table = table_of(("Factor", "Loading", "Standard error", "t"), rows)
        fitted = table_of(("R²", "Days", "Newey-West lags"), [(fit.text, count.text, str(self.lags))])
        return f"{table}\n\n{fitted}"


def factor_series(
    stocks: Universe, books: Mapping[str, CompanyBooks], market: Prices | None, *, sessions: int = YEAR
) -> FactorSeries:
    """Build the daily factor returns of the last sessions.

    Args:
        books: Their statements filed by the last session, on its share basis, by symbol.
        market: The benchmark; None leaves the market factor out.
        sessions: Daily returns wanted; fewer where the history does not hold a year before them.
    """
    count = min(sessions, len(stocks.days) - 1 - YEAR)
    if count < LEAST_DAYS:
        return FactorSeries(stocks.days[:0], {}, {}, {}, {})
    first = len(stocks.days) - count
    daily = stocks.returns
    sorts = range(first - 1, len(stocks.days) - 1, MONTH)
    series = {name: np.full(count, np.nan) for name in FACTORS[1:]}
    longs: dict[str, tuple[str, ...]] = {}
    shorts: dict[str, tuple[str, ...]] = {}
    counts: dict[str, int] = {}
    for at in sorts:
        held = daily[at : min(at + MONTH, len(daily))]
        for name, scores in _characteristics(stocks, daily, books, at).items():
            high, low, sorted_count = _legs(scores, held)
            if sorted_count:
                place = at - first + 1
                series[name][place : place + len(held)] = _mean(held[:, high]) - _mean(held[:, low])
                longs[name] = tuple(stocks.symbols[index] for index in high)
                shorts[name] = tuple(stocks.symbols[index] for index in low)
                counts[name] = sorted_count
    days = stocks.days[first:]
    found = {name: values for name, values in series.items() if np.isfinite(values).all()}
    own = _market_returns(market, stocks.days[first - 1 :])
    if own is not None:
        found = {"market": own, **found}
    return FactorSeries(days, found, longs, shorts, counts)


def factor_returns(
    series: FactorSeries, stocks: Universe, *, as_of: date, benchmark: str | None, known_at: datetime
) -> FactorReturns:
    """Sum up the factors' returns.

    Raises:
        NoData: No factor could be built.
    """
    _check(series, as_of)
    rows = tuple(_row(name, series) for name in FACTORS if name in series.returns)
    return FactorReturns(
        as_of=as_of,
        source="+".join(stocks.sources),
        known_at=known_at,
        fetched_at=stocks.fetched_at,
        start=series.days[0].item(),
        end=series.days[-1].item(),
        rows=len(stocks.symbols),
        inputs=(benchmark,) if benchmark else (),
        notes=(*_missing(series), TODAY_S_MEMBERS),
        factors=rows,
    )


def factor_regression(
    prices: Prices, series: FactorSeries, stocks: Universe, *, as_of: date, known_at: datetime
) -> FactorRegression:
    """Regress a stock's daily returns on the factors, over the days on which it traded; a return across a halt is none.

    Raises:
        NoData: No factor could be built, or too few days are common.
    """
    _check(series, as_of)
    names = [name for name in FACTORS if name in series.returns]
    own = prices.adj_close[1:] / prices.adj_close[:-1] - 1
    daily = ~prices.resumes[1:] & np.isfinite(own)  # returns that the gate withholds are absent
    days, own = prices.days[1:][daily], own[daily]
    common, ours, theirs = np.intersect1d(days, series.days, assume_unique=True, return_indices=True)
    if len(common) < LEAST_DAYS:
        raise NoData(f"{prices.symbol} has {len(common)} days in common with the factors; {LEAST_DAYS} are needed.")
    columns = np.column_stack([series.returns[name][theirs] for name in names])
    try:
        fit = linear_fit(own[ours], columns)
    except ValueError as error:
        raise NoData(f"The factors at hand cannot be told apart ({error}); choose a vendor with more stocks.") from None
    loadings = tuple(
        FactorLoading(factor=name, loading=float(slope), standard_error=float(error), t_value=float(t))
        for name, slope, error, t in zip(names, fit.coefficients[1:], fit.errors[1:], fit.t_values[1:], strict=True)
    )
    return FactorRegression(
        symbol=prices.symbol,
        as_of=as_of,
        source="+".join(dict.fromkeys((prices.vendor, *stocks.sources))),
        known_at=known_at,
        fetched_at=prices.fetched_at,
        start=common[0].item(),
        end=common[-1].item(),
        rows=len(common),
        notes=(*_missing(series), TODAY_S_MEMBERS),
        alpha_pct=100 * float(fit.coefficients[0]) * YEAR,
        alpha_t=float(fit.t_values[0]),
        r_squared=fit.r_squared,
        observations=fit.observations,
        lags=fit.lags,
        loadings=loadings,
    )


def _characteristics(stocks: Universe, daily: Floats, books: Mapping[str, CompanyBooks], at: int) -> dict[str, Floats]:
    """Return what the stocks are sorted by at a session, the higher the longer; NaN where it is not known then."""
    closes = stocks.closes
    width = closes.shape[1]
    momentum = closes[at - MONTH] / closes[at - YEAR] - 1 if at >= YEAR else np.full(width, np.nan)
    spread = daily[max(at - YEAR, 0) : at].std(axis=0)
    size, value, quality = (np.full(width, np.nan) for _ in range(3))
    moment = datetime.combine(stocks.days[at].item(), CLOSE_UTC, UTC)
    for column, symbol in enumerate(stocks.symbols):
        known = books.get(symbol)
        if known is None:
            continue
        shares, equity, income, currency = _known_then(known, moment)
        if currency != stocks.currencies[column]:
            continue
        cap = None if shares is None else _market_value(stocks, at, column, shares)
        if cap is not None and cap > 0:
            size[column] = -math.log(cap)
            if equity is not None and equity > 0:
                value[column] = equity / cap
        if equity is not None and equity > 0 and income is not None:
            quality[column] = income / equity
    return {
        "size": size,
        "value": value,
        "momentum": np.asarray(momentum),
        "quality": quality,
        "low_volatility": np.asarray(-spread),
    }


def _market_value(stocks: Universe, at: int, column: int, shares: float) -> float | None:
    """Return close times shares at a session; None where the shares may not be what is quoted.

    Whether they are is told by the trading up to the newest session, of whose shares both counts are.
    """
    usual = stocks.usual_volumes[column] if stocks.usual_volumes else 0.0
    close, day = float(stocks.traded_closes[at, column]), stocks.days[at].item()
    return market_value(stocks.symbols[column], day, close, shares, stocks.currencies[column], usual=usual)


def _known_then(books: CompanyBooks, moment: datetime) -> _Known:
    """Return shares, equity, a year's net income and the currency from the statements filed by a moment."""
    income = [statement for statement in books.income if statement.known_at <= moment]
    balance = [statement for statement in books.balance if statement.known_at <= moment]
    counted = next(
        (count for statement in newest_first(income) if (count := usable_shares(statement)) is not None), None
    )
    known = trailing(income, balance, (), as_of=moment.date())
    equity = known.balance.items.get("equity") if known.balance else None
    return counted, equity, known.flows["net_income"], income[0].currency if income else None


def _legs(scores: Floats, held: Floats) -> tuple[list[int], list[int], int]:
    """Return the columns of both sides and how many stocks were sorted; those that stop trading meanwhile stay out."""
    usable = np.flatnonzero(np.isfinite(scores) & np.isfinite(held).any(axis=0))
    if len(usable) < LEAST_STOCKS:
        return [], [], 0
    order = usable[np.argsort(scores[usable], kind="stable")]
    side = max(1, int(LEG * len(order)))
    return order[::-1][:side].tolist(), order[:side].tolist(), len(order)


def _mean(held: Floats) -> Floats:
    """Return the mean of each day's known returns; 0 on a day without any."""
    known = np.isfinite(held)
    return np.asarray(np.where(known, held, 0.0).sum(axis=1) / np.maximum(known.sum(axis=1), 1))


def _market_returns(market: Prices | None, days: Days) -> Floats | None:
    """Return the benchmark's daily returns on the days after the first; None where it did not trade on each."""
    if market is None:
        return None
    rows = np.searchsorted(market.days, days)
    if len(market) == 0 or rows[-1] >= len(market) or not np.array_equal(market.days[rows], days):
        return None
    closes = market.adj_close[rows]
    return np.asarray(closes[1:] / closes[:-1] - 1) if np.isfinite(closes).all() else None


def _check(series: FactorSeries, as_of: date) -> None:
    if not series.returns:
        raise NoData(
            f"No factor can be built up to {as_of}: a year of prices of {LEAST_STOCKS} stocks or more is needed; "
            f"choose a vendor that has them."
        )


def _missing(series: FactorSeries) -> tuple[str, ...]:
    absent = [name.replace("_", " ") for name in FACTORS if name not in series.returns]
    return (f"Too few stocks have the data for: {', '.join(absent)}.",) if absent else ()


def _row(name: str, series: FactorSeries) -> FactorRow:
    returns = series.returns[name]
    fit = linear_fit(returns, np.empty((len(returns), 0)))
    error = float(fit.errors[0])
    return FactorRow(
        factor=name,
        return_1m_pct=_compounded(returns, MONTH),
        return_3m_pct=_compounded(returns, 3 * MONTH),
        return_1y_pct=_compounded(returns, YEAR),
        volatility_pct=100 * float(returns.std(ddof=1)) * math.sqrt(YEAR),
        t_value=float(fit.coefficients[0]) / error if error > 0 else None,
        stocks=series.counts.get(name, 0),
        long=series.longs.get(name, ())[:SHOWN],
        short=series.shorts.get(name, ())[:SHOWN],
    )


def _compounded(returns: Floats, sessions: int) -> float | None:
    return 100 * float(np.prod(1 + returns[-sessions:]) - 1) if len(returns) >= sessions else None


def _row_figures(row: FactorRow) -> tuple[Figure, ...]:
    name = f"factor_{row.factor}"
    return (
        Figure(f"{name}_return_1m", row.return_1m_pct, "%"),
        Figure(f"{name}_return_3m", row.return_3m_pct, "%"),
        Figure(f"{name}_return_1y", row.return_1y_pct, "%"),
        Figure(f"{name}_volatility", row.volatility_pct, "%"),
        Figure(f"{name}_t", row.t_value),
        Figure(f"{name}_stocks", row.stocks),
    )


def _loading_figures(one: FactorLoading) -> tuple[Figure, ...]:
    name = f"factor_{one.factor}_loading"
    return (Figure(name, one.loading), Figure(f"{name}_error", one.standard_error), Figure(f"{name}_t", one.t_value))
