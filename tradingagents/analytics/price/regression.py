"""Ordinary least squares with errors robust to heteroskedasticity and autocorrelation (Newey and West, 1987)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tradingagents.dataflows.models import Floats


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
