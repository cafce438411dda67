"""Log-periodic power law: does a price rise like a bubble that nears its end (Johansen, Ledoit and Sornette, 2000)?

The logarithm of the price is fitted on many windows that end on the last session:

    ln p(t) = A + B (tc - t)^m + (tc - t)^m [C1 cos(w ln(tc - t)) + C2 sin(w ln(tc - t))]

A, B, C1 and C2 are linear and solved in closed form (Filimonov and Sornette, Physica A 392, 2013), so that only tc, m
and w are searched: on a grid, refined around the best points. NumPy does this in milliseconds and needs no SciPy.

A fit qualifies where (Sornette et al., Journal of Investment Strategies 4, 2015) 0.1 <= m <= 0.9, 6 <= w <= 13,
tc lies after the last session by at most a fifth of the window, the damping m |B| / (w |C|) is at least 0.5, B has the
bubble's sign (negative rises), and the mean relative error of the price is below 5 %. The confidence is the share of
windows whose fit qualifies.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import ClassVar, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict

from tradingagents.analytics.least_history import short_window_note
from tradingagents.analytics.price.returns import last_day
from tradingagents.analytics.text import table_of
from tradingagents.dataflows.models import Floats, Prices
from tradingagents.dataflows.reference.metrics import Figure
from tradingagents.dataflows.results import Result
from tradingagents.errors import NoData

LONGEST, SHORTEST, STEP = 504, 126, 28
"""Sessions of the windows."""
EXPONENTS = np.linspace(0.05, 0.95, 10)
FREQUENCIES = np.linspace(4.0, 15.0, 12)
AHEAD = np.linspace(0.005, 0.35, 8)
"""Critical times tried, as a share of the window after its end."""
REFINEMENTS = 2
LEAST_DAMPING, MOST_ERROR, MOST_AHEAD = 0.5, 0.05, 0.2
M_RANGE, W_RANGE = (0.1, 0.9), (6.0, 13.0)
CALENDAR_PER_SESSION = 365.25 / 252


class LPPLFit(BaseModel):
    """The best fit of one window."""

    model_config = ConfigDict(frozen=True)

    sessions: int
    """Length of the window."""
    critical_day: date
    """Estimated end of the regime, by calendar."""
    exponent: float
    """m."""
    frequency: float
    """w, the angular log-frequency."""
    damping: float
    """m |B| / (w |C|)."""
    relative_error_pct: float
    """Mean absolute error of the price, percent."""
    r_squared: float
    kind: Literal["positive", "negative"]
    """`positive`: the price accelerates upwards (B < 0); `negative`: it accelerates downwards."""
    qualified: bool
    failed: tuple[str, ...]
    """Filter conditions that do not hold."""


class LPPLAnalysis(Result):
    """Bubble fits of a price over many windows."""

    tabulated: ClassVar[bool] = True

    windows: int
    positive_confidence_pct: float
    """Percent of the windows with a qualified fit of a positive bubble; `negative_confidence_pct` likewise."""
    negative_confidence_pct: float
    critical_low: date | None
    """Lower quartile of the critical days of the qualified fits; None where none qualifies."""
    critical_high: date | None
    median_r_squared: float
    fits: tuple[LPPLFit, ...]
    """One a window, the longest first."""

    @property
    def title(self) -> str:
        """Heading."""
        return f"LPPL bubble analysis: {self.symbol}"

    def figures(self) -> tuple[Figure, ...]:
        """Return the confidences, the number of windows and the fit quality."""
        return (
            Figure("lppl_positive_confidence", self.positive_confidence_pct, "%"),
            Figure("lppl_negative_confidence", self.negative_confidence_pct, "%"),
            Figure("lppl_windows", self.windows),
            Figure("lppl_median_r_squared", 100 * self.median_r_squared, "%"),
        )

    def body(self) -> str:
        """Return the figures, what they mean, and the fits."""
        figures = table_of(("Figure", "Value"), ((figure.name, figure.text) for figure in self.figures()))
        span = f"{self.critical_low} to {self.critical_high}" if self.critical_low else "none: no fit qualifies"
        head = ("Sessions", "Kind", "Critical day", "m", "w", "Damping", "Error", "R²", "Qualified")
        rows = (
            (
                str(fit.sessions),
                fit.kind,
                fit.critical_day.isoformat(),
                f"{fit.exponent:.2f}",
                f"{fit.frequency:.2f}",
                f"{fit.damping:.2f}",
                f"{fit.relative_error_pct:.2f}%",
                f"{fit.r_squared:.3f}",
                "yes" if fit.qualified else f"no: {', '.join(fit.failed)}",
            )
            for fit in self.fits
        )
        what = (
            f"Filter: {M_RANGE[0]} <= m <= {M_RANGE[1]}, {W_RANGE[0]:g} <= w <= {W_RANGE[1]:g}, critical day within "
            f"{MOST_AHEAD:.0%} of the window, damping >= {LEAST_DAMPING}, error < {MOST_ERROR:.0%}. The confidence is "
            f"the share of windows whose fit passes; it is no probability of a crash."
        )
        return f"{figures}\n\nCritical days of the qualified fits: {span}.\n\n{what}\n\n{table_of(head, rows)}"


@dataclass(frozen=True, slots=True)
class LPPLPoint:
    """Parameters of a fit: the critical time in sessions after the window's first, and the rest of the formula."""

    critical: float
    exponent: float
    frequency: float
    linear: Floats
    """A, B, C1, C2."""
    squares: float
    """Sum of squared errors of the log price."""


def lppl_analysis(prices: Prices, *, as_of: date, known_at: datetime) -> LPPLAnalysis:
    """Fit the windows of a price history.

    Args:
        prices: Bars; adjusted closes are fitted.
        known_at: When the last bar became known.

    Raises:
        NoData: There are fewer than 126 usable closes, or a session of every window has no bar.
    """
    bars = prices.upto(as_of)
    closes = bars.adj_close
    if len(bars) < SHORTEST or not (np.isfinite(closes).all() and (closes > 0).all()):
        raise NoData(f"{prices.symbol} has {len(bars)} closes up to {as_of}; LPPL needs {SHORTEST} or more.")
    lengths = [length for length in range(min(LONGEST, len(bars)), SHORTEST - 1, -STEP) if not bars.spans_gap(length)]
    if not lengths:
        raise NoData(f"{prices.symbol} has no bar of a session among its last {SHORTEST}; LPPL needs all of them.")
    end = last_day(bars)
    fits = tuple(_fit(np.log(closes[-length:]), end) for length in lengths)
    good = [fit for fit in fits if fit.qualified]
    share = {kind: 100 * sum(fit.kind == kind for fit in good) / len(fits) for kind in ("positive", "negative")}
    days = sorted(fit.critical_day for fit in good)
    return LPPLAnalysis(
        symbol=prices.symbol,
        as_of=as_of,
        source=prices.vendor,
        currency=prices.currency,
        known_at=known_at,
        fetched_at=prices.fetched_at,
        start=bars.days[-fits[0].sessions].item(),
        end=end,
        rows=fits[0].sessions,
        notes=tuple(filter(None, (short_window_note(bars, "fits are"),))),
        windows=len(fits),
        positive_confidence_pct=share["positive"],
        negative_confidence_pct=share["negative"],
        critical_low=days[len(days) // 4] if days else None,
        critical_high=days[(3 * len(days)) // 4] if days else None,
        median_r_squared=float(np.median([fit.r_squared for fit in fits])),
        fits=fits,
    )


def best_fit(logs: Floats) -> LPPLPoint:
    """Return the best parameters for a window of log prices: a grid, then finer grids around its best point."""
    sessions = len(logs)
    best = _search(logs, sessions - 1 + AHEAD * sessions, EXPONENTS, FREQUENCIES)
    spans = (float(AHEAD[1] - AHEAD[0]) * sessions, float(EXPONENTS[1] - EXPONENTS[0]), 1.0)
    low_ahead, high_ahead = sessions - 1 + AHEAD[0] * sessions, sessions - 1 + AHEAD[-1] * sessions
    for step in range(REFINEMENTS):
        width = [span / 2**step for span in spans]
        criticals = np.clip(best.critical + width[0] * np.linspace(-1, 1, 5), low_ahead, high_ahead)
        finer = _search(
            logs,
            criticals,
            np.clip(best.exponent + width[1] * np.linspace(-1, 1, 5), EXPONENTS[0], EXPONENTS[-1]),
            np.clip(best.frequency + width[2] * np.linspace(-1, 1, 5), FREQUENCIES[0], FREQUENCIES[-1]),
        )
        best = finer if finer.squares < best.squares else best
    return best


def _search(logs: Floats, criticals: Floats, exponents: Floats, frequencies: Floats) -> LPPLPoint:
    """Return the best of all combinations; the linear parameters of each are solved by the normal equations."""
    tc, m, w = (axis.ravel() for axis in np.meshgrid(criticals, exponents, frequencies, indexing="ij"))
    left = np.log(criticals[:, None] - np.arange(len(logs)))  # ln(tc - t), a row a critical time
    moments, targets = _moments(logs, left, exponents, frequencies)
    solved, squares = _solve(moments, targets, float(logs @ logs))
    index = int(np.argmin(squares))
    return LPPLPoint(float(tc[index]), float(m[index]), float(w[index]), solved[index], float(squares[index]))


def _moments(logs: Floats, left: Floats, exponents: Floats, frequencies: Floats) -> tuple[Floats, Floats]:
    """Return X'X (4 x 4) and X'y of every combination, in the order critical time, exponent, frequency."""
    power = np.exp(exponents[None, :, None] * left[:, None, :])  # critical x exponent x time
    phase = frequencies[None, :, None] * left[:, None, :]  # critical x frequency x time
    cosine, sine = np.cos(phase), np.sin(phase)
    square = power**2
    shape = (len(left), len(exponents), len(frequencies))
    rows = np.empty((*shape, 4, 4))
    right = np.empty((*shape, 4))

    def crossed(one: Floats, other: Floats) -> Floats:
        return np.asarray(one @ other.transpose(0, 2, 1))

    rows[..., 0, 0] = len(logs)
    rows[..., 0, 1] = rows[..., 1, 0] = power.sum(axis=2)[:, :, None]
    rows[..., 1, 1] = square.sum(axis=2)[:, :, None]
    rows[..., 0, 2] = rows[..., 2, 0] = crossed(power, cosine)
    rows[..., 0, 3] = rows[..., 3, 0] = crossed(power, sine)
    rows[..., 1, 2] = rows[..., 2, 1] = crossed(square, cosine)
    rows[..., 1, 3] = rows[..., 3, 1] = crossed(square, sine)
    rows[..., 2, 2] = crossed(square, cosine**2)
    rows[..., 3, 3] = crossed(square, sine**2)
    rows[..., 2, 3] = rows[..., 3, 2] = crossed(square, cosine * sine)
    right[..., 0] = logs.sum()
    right[..., 1] = (power @ logs)[:, :, None]
    right[..., 2] = crossed(power * logs, cosine)
    right[..., 3] = crossed(power * logs, sine)
    return rows.reshape(-1, 4, 4), right.reshape(-1, 4)


def _solve(moments: Floats, targets: Floats, total: float) -> tuple[Floats, Floats]:
    """Solve all normal equations at once; return the parameters and the sums of squared errors."""
    scale = 1 / np.sqrt(np.maximum(np.einsum("kii->ki", moments), 1e-300))
    scaled = moments * scale[:, :, None] * scale[:, None, :] + 1e-12 * np.eye(4)
    solved = np.linalg.solve(scaled, (targets * scale)[..., None])[..., 0] * scale
    return solved, np.maximum(total - np.einsum("ki,ki->k", solved, targets), 0.0)


def fitted(point: LPPLPoint, sessions: int) -> Floats:
    """Return the fitted log prices of a window."""
    left = point.critical - np.arange(sessions)
    power = left**point.exponent
    phase = point.frequency * np.log(left)
    columns = np.column_stack((np.ones(sessions), power, power * np.cos(phase), power * np.sin(phase)))
    return np.asarray(columns @ point.linear)


def _fit(logs: Floats, end: date) -> LPPLFit:
    point = best_fit(logs)
    sessions = len(logs)
    errors = logs - fitted(point, sessions)
    swing = float(np.hypot(point.linear[2], point.linear[3]))
    slope = float(point.linear[1])
    damping = point.exponent * abs(slope) / (point.frequency * swing) if swing > 0 else float("inf")
    relative = float(np.abs(np.expm1(-errors)).mean())
    spread = float(((logs - logs.mean()) ** 2).sum())
    ahead = point.critical - (sessions - 1)
    checks = {
        "m": M_RANGE[0] <= point.exponent <= M_RANGE[1],
        "w": W_RANGE[0] <= point.frequency <= W_RANGE[1],
        "critical day": ahead <= MOST_AHEAD * sessions,
        "damping": damping >= LEAST_DAMPING,
        "error": relative < MOST_ERROR,
    }
    return LPPLFit(
        sessions=sessions,
        critical_day=end + timedelta(days=round(ahead * CALENDAR_PER_SESSION)),
        exponent=point.exponent,
        frequency=point.frequency,
        damping=min(damping, 99.0),
        relative_error_pct=100 * relative,
        r_squared=1 - float(errors @ errors) / spread if spread > 0 else 0.0,
        kind="positive" if slope < 0 else "negative",
        qualified=all(checks.values()),
        failed=tuple(name for name, holds in checks.items() if not holds),
    )
