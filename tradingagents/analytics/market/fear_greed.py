"""Fear and greed: a score of the market's mood from 0 to 100, computed from prices and from nothing else.

    Momentum      S&P 500 against its mean of 125 sessions
    Volatility    VIX against its mean of 50 sessions, inverted
    Credit        HYG/LQD over 20 sessions
    Safe haven    return of the S&P 500 less that of TLT over 20 sessions
    Breadth       share of the sector funds above their mean of 50 sessions

Each component is the percent of the last 252 sessions on which it stood at or below its last value; the score is their
mean. Below 25 extreme fear, below 45 fear, to 55 neutral, to 75 greed, above extreme greed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date, datetime
from typing import ClassVar

import numpy as np
from pydantic import BaseModel, ConfigDict

from tradingagents.analytics.price.returns import LONGEST_GAP, last_day
from tradingagents.analytics.text import table_of
from tradingagents.dataflows.models import Floats, Prices
from tradingagents.dataflows.reference.metrics import Figure
from tradingagents.dataflows.reference.sectors import SECTOR_ETF
from tradingagents.dataflows.results import Result
from tradingagents.errors import NoData

SYMBOLS = ("^GSPC", "SPY", "^VIX", "HYG", "LQD", "TLT", *SECTOR_ETF.values())
YEAR, LEAST_VALUES, LEAST_COMPONENTS = 252, 126, 3


class MoodComponent(BaseModel):
    """One component of the score."""

    model_config = ConfigDict(frozen=True)

    name: str
    """`momentum`, `volatility`, `credit`, `safe_haven` or `breadth`."""
    score: float | None
    """0 (fear) to 100 (greed); None where its series is missing or too short."""
    value: float | None
    """The last value ranked, in percent."""
    definition: str


class FearGreed(Result):
    """Mood of the market from prices."""

    tabulated: ClassVar[bool] = True

    score: float
    """Mean of the components, 0 (fear) to 100 (greed)."""
    mood: str
    components: tuple[MoodComponent, ...]

    @property
    def title(self) -> str:
        """Heading."""
        return "Fear and greed"

    def figures(self) -> tuple[Figure, ...]:
        """Return the score and its components."""
        parts = (Figure(f"fear_greed_{component.name}", component.score) for component in self.components)
        return (Figure("fear_greed_score", self.score), *parts)

    def body(self) -> str:
        """Return the mood and the components."""
        head, *scores = self.figures()
        rows = [(head.name, head.text, self.mood)]
        rows += [
            (figure.name, figure.text, f"{component.definition}: {Figure('', component.value, '%').text}")
            for figure, component in zip(scores, self.components, strict=True)
        ]
        return table_of(("Figure", "Value", "Meaning"), rows)


def fear_greed(series: Mapping[str, Prices], *, as_of: date, known_at: datetime) -> FearGreed:
    """Score the mood of the market.

    Args:
        series: Bars of `SYMBOLS`, by symbol; those whose last bar is over ten days old are left out.
        known_at: When the last bar became known.

    Raises:
        NoData: Fewer than three components are available.
    """
    known = {symbol: prices.upto(as_of) for symbol, prices in series.items()}
    fresh = {
        symbol: prices
        for symbol, prices in known.items()
        if len(prices) and (as_of - last_day(prices)).days <= LONGEST_GAP
    }
    components = tuple(_component(name, values(fresh), text) for name, (values, text) in _COMPONENTS.items())
    found = [component.score for component in components if component.score is not None]
    if len(found) < LEAST_COMPONENTS:
        raise NoData(
            f"{len(found)} of {len(components)} components of fear and greed have prices up to {as_of}, and "
            f"{LEAST_COMPONENTS} are needed; choose a vendor that has {', '.join(SYMBOLS[:6])}, or continue without it."
        )
    score = sum(found) / len(found)
    missing = [component.name for component in components if component.score is None]
    return FearGreed(
        as_of=as_of,
        source="+".join(sorted({prices.vendor for prices in fresh.values()})),
        known_at=known_at,
        fetched_at=max(prices.fetched_at for prices in fresh.values()),
        end=max(last_day(prices) for prices in fresh.values()),
        rows=sum(len(prices) for prices in fresh.values()),
        inputs=tuple(fresh),
        notes=(f"Not available and left out of the mean: {', '.join(missing)}.",) if missing else (),
        score=score,
        mood=mood_of(score),
        components=components,
    )


def mood_of(score: float) -> str:
    """Return the mood for a score: below 25 extreme fear, below 45 fear, to 55 neutral, to 75 greed."""
    if score < 45:
        return "extreme fear" if score < 25 else "fear"
    return "neutral" if score <= 55 else "greed" if score <= 75 else "extreme greed"


def _component(name: str, values: Floats | None, definition: str) -> MoodComponent:
    usable = values[np.isfinite(values)][-YEAR:] if values is not None else np.array([])
    if len(usable) < LEAST_VALUES:
        return MoodComponent(name=name, score=None, value=None, definition=definition)
    share = 100 * float((usable <= usable[-1]).mean())
    return MoodComponent(name=name, score=share, value=100 * float(usable[-1]), definition=definition)


def _momentum(series: Mapping[str, Prices]) -> Floats | None:
    index = _index(series)
    return None if index is None else _against_mean(index.adj_close, 125)


def _volatility(series: Mapping[str, Prices]) -> Floats | None:
    return -_against_mean(series["^VIX"].close, 50) if "^VIX" in series else None


def _credit(series: Mapping[str, Prices]) -> Floats | None:
    pair = _aligned(series.get("HYG"), series.get("LQD"))
    return None if pair is None else _change(pair[0] / pair[1], 20)


def _safe_haven(series: Mapping[str, Prices]) -> Floats | None:
    pair = _aligned(_index(series), series.get("TLT"))
    return None if pair is None else _change(pair[0], 20) - _change(pair[1], 20)


def _breadth(series: Mapping[str, Prices]) -> Floats | None:
    funds = [series[fund] for fund in SECTOR_ETF.values() if fund in series]
    if len(funds) < len(SECTOR_ETF):
        return None
    days = funds[0].days
    for fund in funds[1:]:
        days = np.intersect1d(days, fund.days, assume_unique=True)
    closes = [fund.adj_close[np.searchsorted(fund.days, days)] for fund in funds]
    above = [_against_mean(close, 50) for close in closes]
    return np.asarray(np.mean([np.where(np.isfinite(distance), distance > 0, np.nan) for distance in above], axis=0))


def _index(series: Mapping[str, Prices]) -> Prices | None:
    return series.get("^GSPC") or series.get("SPY")


def _against_mean(values: Floats, length: int) -> Floats:
    """Return each value over the mean of the last `length`, less 1; NaN for those before there are so many."""
    found = np.full(len(values), np.nan)
    if len(values) >= length:
        sums = np.concatenate(([0.0], np.cumsum(values)))
        found[length - 1 :] = values[length - 1 :] / ((sums[length:] - sums[:-length]) / length) - 1
    return found


def _change(values: Floats, sessions: int) -> Floats:
    found = np.full(len(values), np.nan)
    found[sessions:] = values[sessions:] / values[:-sessions] - 1
    return found


def _aligned(left: Prices | None, right: Prices | None) -> tuple[Floats, Floats] | None:
    """Return the adjusted closes of the days on which both traded."""
    if left is None or right is None:
        return None
    _, ours, theirs = np.intersect1d(left.days, right.days, assume_unique=True, return_indices=True)
    return left.adj_close[ours], right.adj_close[theirs]


_COMPONENTS: Mapping[str, tuple[Callable[[Mapping[str, Prices]], Floats | None], str]] = {
    "momentum": (_momentum, "S&P 500 against its mean of 125 sessions"),
    "volatility": (_volatility, "VIX against its mean of 50 sessions, inverted"),
    "credit": (_credit, "HYG/LQD over 20 sessions"),
    "safe_haven": (_safe_haven, "S&P 500 less TLT over 20 sessions"),
    "breadth": (_breadth, "share of sector funds above their mean of 50 sessions"),
}
