"""Macro regime: six signals of risk appetite, each -1, 0 or +1, and the regime given by their sum.

Risk-on counts +1. A value exactly on a threshold is neutral.

    VIX level        below 16 +1, above 25 -1
    VIX trend        mean of 5 sessions below that of 20 +1, above -1
    Credit           HYG/LQD over 21 sessions: more than +0.5 % +1, less than -0.5 % -1
    Yield curve      TLT minus SHY over 21 sessions: above +1 point -1 (flight to long bonds), below -1 point +1
    Breadth          S&P 500 above its mean of 200 sessions +1, below -1
    Rotation         defensive minus cyclical sectors over 21 sessions: above +1 point -1, below -1 point +1

Sum 3 or more: risk-on; -3 or less: risk-off; else transition. Confidence: sum 4 or more either way high, 2 medium.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date, datetime
from typing import Literal

import numpy as np
from pydantic import BaseModel, ConfigDict

from tradingagents.analytics.price.indicators import latest
from tradingagents.analytics.price.returns import LONGEST_GAP, common_closes, last_day, simple_return
from tradingagents.dataflows.models import Prices
from tradingagents.dataflows.reference.metrics import Figure
from tradingagents.dataflows.reference.sectors import CYCLICALS, DEFENSIVES, MACRO_SYMBOLS
from tradingagents.dataflows.results import Result
from tradingagents.errors import NoData

Regime = Literal["risk-on", "risk-off", "transition"]
Confidence = Literal["high", "medium", "low"]

MONTH = 21
"""Number of sessions."""
_IMPLICATIONS: Mapping[Regime, str] = {
    "risk-on": "Conditions favour taking equity risk: cyclical and growth shares tend to lead, and falls tend to be "
    "bought. Calm markets also invite crowding, so a turn of the VIX trend or of credit deserves attention first.",
    "risk-off": "Conditions favour caution: defensive sectors, quality and cash tend to hold up better, and rallies "
    "tend to be sold. Smaller positions and wider stops fit the higher volatility.",
    "transition": "The signals disagree, so the market as a whole gives little direction: what is particular to a "
    "company weighs more. Watch which of the neutral signals tips first.",
}


class Signal(BaseModel):
    """One of the six signals."""

    model_config = ConfigDict(frozen=True)

    name: str
    """`vix_level`, `vix_trend`, `credit`, `yield_curve`, `breadth` or `rotation`."""
    score: Literal[-1, 0, 1]
    """+1 favours risk, -1 opposes it; 0 also when not available."""
    description: str
    available: bool = True
    """False when its series is missing, too short or too old."""


class MacroRegime(Result):
    """Risk appetite of the whole market."""

    regime: Regime
    score: int
    """Sum of the signals, -6 to 6."""
    confidence: Confidence
    vix: float | None
    """Last close of the VIX; None when not available."""
    signals: tuple[Signal, ...]

    @property
    def title(self) -> str:
        """Heading."""
        return "Macro regime"

    def figures(self) -> tuple[Figure, ...]:
        """Return score, VIX and the six signals; a signal that is not available is n/a."""
        return (
            Figure("regime_score", self.score),
            Figure("vix", self.vix),
            *(Figure(f"signal_{signal.name}", signal.score if signal.available else None) for signal in self.signals),
        )

    @property
    def summary(self) -> str:
        """The regime, its score and confidence in one line."""
        return f"{self.regime} (score {self.score} of 6, confidence {self.confidence})"

    def body(self) -> str:
        """Return the regime, the signals and their implications."""
        rows = (f"| {signal.name} | {signal.score:+d} | {signal.description} |" for signal in self.signals)
        table = "\n".join(("| Signal | Score | Reading |", "|---|---|---|", *rows))
        return f"Regime: {self.summary}\n\n{table}\n\nImplications: {_IMPLICATIONS[self.regime]}"


def macro_regime(series: Mapping[str, Prices], *, as_of: date, known_at: datetime) -> MacroRegime:
    """Classify the market by the six signals.

    Args:
        series: Prices of `MACRO_SYMBOLS`, by symbol; if one is missing, short or over ten days old, its signal is
            neutral, and a note says so.
        known_at: When the last bar became known.

    Raises:
        NoData: None of the signals is available.
    """
    fresh = _fresh(series, as_of)
    signals = tuple(read(fresh) for read in _SIGNALS)
    missing = [signal.name for signal in signals if not signal.available]
    if len(missing) == len(signals):
        raise NoData(f"No series of the macro regime reaches {as_of}; choose a vendor that has {MACRO_SYMBOLS[0]}.")
    score = sum(signal.score for signal in signals)
    return MacroRegime(
        as_of=as_of,
        source="+".join(sorted({prices.vendor for prices in fresh.values()})),
        known_at=known_at,
        fetched_at=max(prices.fetched_at for prices in fresh.values()),
        end=max(last_day(prices) for prices in fresh.values()),
        rows=sum(len(prices) for prices in fresh.values()),
        inputs=tuple(fresh),
        notes=tuple(f"Signal {name} is not available and counts as neutral." for name in missing),
        regime=regime_of(score),
        score=score,
        confidence=confidence_of(score),
        vix=float(fresh["^VIX"].close[-1]) if "^VIX" in fresh else None,
        signals=signals,
    )


def regime_of(score: int) -> Regime:
    """Return the regime for a sum of signals."""
    return "risk-on" if score >= 3 else "risk-off" if score <= -3 else "transition"


def confidence_of(score: int) -> Confidence:
    """Return the confidence, which grows with the distance of the sum from zero."""
    return "high" if abs(score) >= 4 else "medium" if abs(score) >= 2 else "low"


def vix_level(series: Mapping[str, Prices]) -> Signal:
    """Return the signal of the VIX level."""
    if "^VIX" not in series:
        return _absent("vix_level")
    level = float(series["^VIX"].close[-1])
    return Signal(
        name="vix_level", score=-_step(level, 16, 25), description=f"VIX {level:.2f} (below 16 calm, above 25 fear)"
    )


def vix_trend(series: Mapping[str, Prices]) -> Signal:
    """Return the signal of the VIX trend."""
    if "^VIX" not in series or len(series["^VIX"]) < 20:
        return _absent("vix_trend")
    closes = series["^VIX"].close
    short, long = float(closes[-5:].mean()), float(closes[-20:].mean())
    description = f"VIX mean of 5 sessions {short:.2f}, of 20 {long:.2f}"
    return Signal(name="vix_trend", score=-_step(short - long, 0, 0), description=description)


def credit(series: Mapping[str, Prices]) -> Signal:
    """Return the signal of high-yield (HYG) against investment-grade bonds (LQD)."""
    if not {"HYG", "LQD"} <= series.keys():
        return _absent("credit")
    high_yield, grade = common_closes(series["HYG"], series["LQD"])
    if len(grade) <= MONTH:
        return _absent("credit")
    change = 100 * float(high_yield[-1] / grade[-1] / (high_yield[-1 - MONTH] / grade[-1 - MONTH]) - 1)
    return Signal(name="credit", score=_step(change, -0.5, 0.5), description=f"HYG/LQD {change:+.2f}% over 21 sessions")


def yield_curve(series: Mapping[str, Prices]) -> Signal:
    """Return the signal of long against short Treasuries (TLT, SHY)."""
    spread = _spread(series, ("TLT",), ("SHY",))
    if spread is None:
        return _absent("yield_curve")
    description = f"TLT less SHY {spread:+.2f} points over 21 sessions"
    return Signal(name="yield_curve", score=-_step(spread, -1, 1), description=description)


def breadth(series: Mapping[str, Prices]) -> Signal:
    """Return the signal of the S&P 500's long-term trend."""
    mean = latest(series["^GSPC"], "close_200_sma")["close_200_sma"] if "^GSPC" in series else None
    if mean is None:
        return _absent("breadth")
    close = float(series["^GSPC"].close[-1])
    description = f"S&P 500 {close:.2f}, mean of 200 sessions {mean:.2f}"
    return Signal(name="breadth", score=_step(close - mean, 0, 0), description=description)


def rotation(series: Mapping[str, Prices]) -> Signal:
    """Return the signal of defensive against cyclical sectors."""
    spread = _spread(series, DEFENSIVES, CYCLICALS)
    if spread is None:
        return _absent("rotation")
    description = f"defensives less cyclicals {spread:+.2f} points over 21 sessions"
    return Signal(name="rotation", score=-_step(spread, -1, 1), description=description)


_SIGNALS: tuple[Callable[[Mapping[str, Prices]], Signal], ...] = (
    vix_level,
    vix_trend,
    credit,
    yield_curve,
    breadth,
    rotation,
)


def _step(value: float, low: float, high: float) -> Literal[-1, 0, 1]:
    """Return +1 above `high`, -1 below `low`, else 0; rounded, so that float noise does not cross a threshold."""
    value = round(value, 9)
    return 1 if value > high else -1 if value < low else 0


def _spread(series: Mapping[str, Prices], left: tuple[str, ...], right: tuple[str, ...]) -> float | None:
    """Return the mean 21-session return of `left` minus that of `right`, in points; None if one is missing."""
    means = []
    for group in (left, right):
        returns = [simple_return(series[symbol], MONTH) if symbol in series else None for symbol in group]
        found = [change for change in returns if change is not None]
        if len(found) < len(group):
            return None
        means.append(100 * float(np.mean(found)))
    return means[0] - means[1]


def _fresh(series: Mapping[str, Prices], as_of: date) -> dict[str, Prices]:
    """Return the series cut at the day, without those whose last bar is too old."""
    known = {symbol: series[symbol].upto(as_of) for symbol in MACRO_SYMBOLS if symbol in series}
    return {
        symbol: prices
        for symbol, prices in known.items()
        if len(prices) and (as_of - last_day(prices)).days <= LONGEST_GAP
    }


def _absent(name: str) -> Signal:
    return Signal(name=name, score=0, description="not available", available=False)
