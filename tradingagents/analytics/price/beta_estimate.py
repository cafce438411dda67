"""Beta of a stock: the slope of its returns on a market's, over daily and weekly returns, raw and adjusted."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import ClassVar, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict

from tradingagents.analytics.least_history import short_window_note
from tradingagents.analytics.price.returns import (
    SESSIONS_PER_YEAR,
    beta,
    common_closes,
    last_day,
    too_many_lost,
)
from tradingagents.dataflows.models import Floats, Prices
from tradingagents.dataflows.reference.metrics import Figure
from tradingagents.dataflows.results import Result
from tradingagents.errors import NoData


@dataclass(frozen=True, slots=True)
class LinearFit:
    """Coefficients of a regression, the constant first."""

    coefficients: Floats
    errors: Floats
    """Newey-West standard errors."""
    r_squared: float
    observations: int
    lags: int
    """Autocorrelations that the errors allow for."""

    @property
    def t_values(self) -> Floats:
        """Coefficients over their errors."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(self.coefficients / self.errors)


def newey_west_lags(observations: int) -> int:
    """Return the usual number of lags, floor(4 (n/100)^(2/9)) (Newey and West, 1994)."""
    return int(4 * (observations / 100) ** (2 / 9))


def linear_fit(y: Floats, x: Floats, *, lags: int | None = None) -> LinearFit:
    """Regress `y` on a constant and the columns of `x`.

    The covariance is (X'X)^-1 S (X'X)^-1 with Bartlett weights 1 - l/(L + 1), times n/(n - k).

    Args:
        y: Observations.
        x: One column for each explanatory variable; a single one may be a vector.
        lags: Autocorrelations allowed for; None: `newey_west_lags`; 0: White's errors.

    Raises:
        ValueError: There are not more observations than coefficients, or the columns are collinear.
    """
    columns = np.column_stack((np.ones(len(y)), x))
    count, width = columns.shape
    if count <= width:
        raise ValueError(f"{count} observations are too few for {width} coefficients")
    inner = columns.T @ columns
    if np.linalg.matrix_rank(inner / np.outer(np.sqrt(np.diag(inner)), np.sqrt(np.diag(inner)))) < width:
        raise ValueError("the explanatory variables are collinear")
    inverse = np.linalg.inv(inner)
    coefficients = inverse @ (columns.T @ y)
    residuals = y - columns @ coefficients
    used = newey_west_lags(count) if lags is None else lags
    scores = columns * residuals[:, None]
    spread = scores.T @ scores
    for lag in range(1, used + 1):
        moved = scores[lag:].T @ scores[:-lag]
        spread += (1 - lag / (used + 1)) * (moved + moved.T)
    covariance = inverse @ spread @ inverse * count / (count - width)
    total = float(((y - y.mean()) ** 2).sum())
    return LinearFit(
        coefficients=coefficients,
        errors=np.sqrt(np.maximum(np.diag(covariance), 0.0)),
        r_squared=1 - float(residuals @ residuals) / total if total > 0 else 0.0,
        observations=count,
        lags=used,
    )


WEEK = 5
"""Sessions of a week."""
DAILY_SESSIONS, WEEKLY_SESSIONS = 2 * SESSIONS_PER_YEAR, 5 * SESSIONS_PER_YEAR
LEAST_RETURNS = {"daily": 60, "weekly": 26}
BLUME_WEIGHT = 2 / 3
"""Weight of the raw beta against the market's 1 (Blume, Journal of Finance 30, 1975)."""


class BetaRegression(BaseModel):
    """One regression of the stock's returns on the market's."""

    model_config = ConfigDict(frozen=True)

    frequency: Literal["daily", "weekly"]
    beta: float
    standard_error: float
    """Newey-West."""
    r_squared: float
    """Share of the stock's variance that the market explains, 0 to 1."""
    returns: int
    """Returns regressed."""


class BetaEstimate(Result):
    """Beta of a stock against a market, with its uncertainty."""

    tabulated: ClassVar[bool] = True

    benchmark: str
    """Symbol of the market."""
    regressions: tuple[BetaRegression, ...]
    """Daily over two years, weekly over up to five; without those of too short a history."""
    adjusted: float
    """Two thirds of the first regression's beta and one third of 1 (Blume, 1975)."""

    @property
    def title(self) -> str:
        """Heading."""
        return f"Beta of {self.symbol} against {self.benchmark}"

    def figures(self) -> tuple[Figure, ...]:
        """Return the betas with error and fit."""
        found = [Figure("beta_adjusted", self.adjusted)]
        for regression in self.regressions:
            found += [
                Figure(f"beta_{regression.frequency}", regression.beta),
                Figure(f"beta_{regression.frequency}_error", regression.standard_error),
                Figure(f"beta_{regression.frequency}_r_squared", 100 * regression.r_squared, "%"),
                Figure(f"beta_{regression.frequency}_returns", regression.returns),
            ]
        return tuple(found)

    def body(self) -> str:
        """Return the regressions as a table."""
        head = "| Returns | Beta | Standard error | R² | Number |\n|---|---|---|---|---|"
        figures = {figure.name: figure.text for figure in self.figures()}
        rows = (
            f"| {slope.frequency} | {figures[f'beta_{slope.frequency}']} | {figures[f'beta_{slope.frequency}_error']} "
            f"| {figures[f'beta_{slope.frequency}_r_squared']} | {figures[f'beta_{slope.frequency}_returns']} |"
            for slope in self.regressions
        )
        table = "\n".join((head, *rows))
        return f"{table}\n\n| Adjusted beta (Blume 1975) | {figures['beta_adjusted']} |\n|---|---|"


def beta_estimate(prices: Prices, benchmark: Prices, *, as_of: date, known_at: datetime) -> BetaEstimate:
    """Estimate a beta from the days on which both traded.

    Args:
        prices: The stock.
        benchmark: The market.
        known_at: When the last bar became known.

    Raises:
        NoData: Fewer than 60 common daily returns, or too many sessions without a bar.
    """
    both = prices.upto(as_of), benchmark.upto(as_of)
    lacking = next((bars.symbol for bars in both if too_many_lost(bars, DAILY_SESSIONS + 1)), None)
    if lacking is not None:
        raise NoData(f"Too many of the last {DAILY_SESSIONS} sessions of {lacking} have no bar for a beta.")
    stock, market = common_closes(*both)
    is_whole = not any(bars.spans_gap(WEEKLY_SESSIONS + 1) for bars in both)
    weekly = _weekly(stock, market) if is_whole else None
    found = [regression for regression in (_daily(stock, market), weekly) if regression is not None]
    if not found or found[0].frequency != "daily":
        raise NoData(
            f"{prices.symbol} and {benchmark.symbol} have {max(len(stock) - 1, 0)} common daily returns up to {as_of}; "
            f"a beta needs {LEAST_RETURNS['daily']}. Name another benchmark or a later day."
        )
    bars = prices.upto(as_of)
    short = "Fewer than 26 weeks are known" if is_whole else "Sessions in between have no bar"
    return BetaEstimate(
        symbol=prices.symbol,
        as_of=as_of,
        source="+".join(dict.fromkeys((prices.vendor, benchmark.vendor))),
        currency=prices.currency,
        known_at=known_at,
        fetched_at=prices.fetched_at,
        start=bars.days[0].item(),
        end=last_day(bars),
        rows=len(stock),
        inputs=(benchmark.symbol,),
        notes=(
            *(() if len(found) > 1 else (f"{short}: there is no weekly beta.",)),
            *filter(None, (short_window_note(bars, "the beta is"),)),
        ),
        benchmark=benchmark.symbol,
        regressions=tuple(found),
        adjusted=BLUME_WEIGHT * found[0].beta + (1 - BLUME_WEIGHT),
    )


def daily_regression(prices: Prices, benchmark: Prices) -> BetaRegression | None:
    """Regress the daily returns of two years on a market's; None exactly where `returns.beta` gives none."""
    if beta(prices, benchmark) is None:
        return None
    return _daily(*common_closes(prices, benchmark))


def _daily(stock: Floats, market: Floats) -> BetaRegression | None:
    return _regression("daily", stock[-DAILY_SESSIONS - 1 :], market[-DAILY_SESSIONS - 1 :])


def _weekly(stock: Floats, market: Floats) -> BetaRegression | None:
    """Regress returns over five sessions that end with the last one and do not overlap."""
    last = stock[-WEEKLY_SESSIONS - 1 :][::-1][::WEEK][::-1], market[-WEEKLY_SESSIONS - 1 :][::-1][::WEEK][::-1]
    return _regression("weekly", *last)


def _regression(frequency: Literal["daily", "weekly"], stock: Floats, market: Floats) -> BetaRegression | None:
    usable = np.isfinite(stock).all() and np.isfinite(market).all() and (stock > 0).all() and (market > 0).all()
    if len(stock) <= LEAST_RETURNS[frequency] or not usable or np.ptp(market) == 0:
        return None
    fit = linear_fit(np.diff(stock) / stock[:-1], np.diff(market) / market[:-1])
    return BetaRegression(
        frequency=frequency,
        beta=float(fit.coefficients[1]),
        standard_error=float(fit.errors[1]),
        r_squared=fit.r_squared,
        returns=fit.observations,
    )
