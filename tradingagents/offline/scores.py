"""Scores: what one figure says about a stock, from -1 (bearish) to 1 (bullish), with words.

Each function is one rule. Neutral points are ordinary levels for large listed companies; a full score needs a level
that few reach. `ramp` rules are monotone in their figure. The words hold no digits but those of a metric's name, such
as "200-day average": whoever quotes them adds no figure.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

MOMENTUM = ((0.0, 0.5), (10.0, 0.5), (20.0, 0.2), (30.0, -0.5), (35.0, -0.6), (50.0, 0.0))
"""RSI and money flow, below 50: weakness counts against the stock until it is oversold. Mirrored above 50."""
USUAL_GROWTH = 5.0
"""Percent a year: growth of revenue about that of the economy in money, and of the median large company."""
USUAL_MARGIN = 12.0
"""Percent: operating margin of listed companies taken together. The giants of an index have more (a median of 20 %), a
quarter of them less."""
USUAL_VOLATILITY = 30.0
"""Percent a year, of a large company's share."""
USUAL_DEBT = 1.0
"""Debt as a multiple of equity that neither burdens nor relieves."""
CLEAR_UPSIDE = 15.0
"""Percent between value and price from which on they differ: within it, a valuation says nothing."""
BAND = ((0.0, 0.0), (0.8, 0.4), (1.0, 0.0), (1.3, -0.4))
"""Distance from the middle band in half band widths: strength inside the band, exhaustion outside it."""


@dataclass(frozen=True, slots=True)
class Score:
    """What one rule says."""

    value: float
    """-1 to 1; positive is bullish."""
    words: str


def ramp(x: float, neutral: float, full: float) -> float:
    """Map x linearly to 0 at `neutral` and 1 at `full`, mirrored on the other side, clipped to -1 and 1."""
    return max(-1.0, min(1.0, (x - neutral) / (full - neutral)))


def curve(x: float, points: Sequence[tuple[float, float]]) -> float:
    """Interpolate linearly between points sorted by x; flat beyond the ends."""
    places = [place for place, _ in points]
    right = bisect_right(places, x)
    if right == 0:
        return points[0][1]
    if right == len(points):
        return points[-1][1]
    (x0, y0), (x1, y1) = points[right - 1], points[right]
    return y0 + (y1 - y0) * (x - x0) / (x1 - x0)


def size_of(value: float) -> int:
    """Return how strong a score is: 0 next to nothing, 1 slight, 2 clear, 3 strong."""
    size = abs(value)
    return 0 if size < 0.1 else 1 if size < 0.35 else 2 if size < 0.75 else 3


ADVERBS = ("slightly", "slightly", "clearly", "far")
ADJECTIVES = ("fairly", "fairly", "", "very")


def say(value: float, up: str, down: str, flat: str | None = None) -> Score:
    """Pair a score with the words of its side, or with `flat` where it says next to nothing.

    Args:
        value: The score.
        up: Words for a positive score; `{}` takes an adverb (slightly, clearly, far), `{adj}` one that goes with an
            adjective (fairly, very, or none).
        down: The same for a negative score.
        flat: Words for a score near zero; None: those of its side.
    """
    size = size_of(value)
    if not size and flat is not None:
        return Score(value, flat)
    return Score(value, _worded(up if value >= 0 else down, size))


@lru_cache(maxsize=512)
def _worded(template: str, size: int) -> str:
    return " ".join(template.format(ADVERBS[size], adj=ADJECTIVES[size]).split())


# Price


def over_average(average: float, close: float, *, full: float, name: str) -> Score:
    """Score the close against one of its averages; `full` is the distance (0.15 for 15 %) that counts fully."""
    if average <= 0:
        return Score(0.0, f"the {name} is not positive")
    return say(
        ramp(close / average - 1, 0, full),
        f"price {{}} above its {name}",
        f"price {{}} below its {name}",
        f"price close to its {name}",
    )


def oscillator(x: float, *, name: str) -> Score:
    """Score an oscillator of 0 to 100 (RSI, money flow): momentum, until it is overbought or oversold."""
    value = curve(x, MOMENTUM) if x <= 50 else -curve(100 - x, MOMENTUM)
    if x >= 70:
        return Score(value, f"{name} overbought")
    if x <= 30:
        return Score(value, f"{name} oversold")
    return say(value, f"{name} {{adj}} strong", f"{name} {{adj}} weak", f"{name} neutral")


def macd_histogram(macdh: float, close: float, atr: float | None) -> Score:
    """Score the MACD histogram: half an ATR counts fully; without an ATR, one per cent of the price."""
    scale = 0.5 * atr if atr else 0.01 * close
    value = ramp(macdh, 0, scale) if scale > 0 else 0.0
    return say(value, "MACD {} above its signal line", "MACD {} below its signal line", "MACD close to its signal line")


def change(percent: float, *, full: float, name: str) -> Score:
    """Score a price change in per cent; `full` counts fully."""
    sizes = ("", "slightly ", "clearly ", "sharply ")
    value = ramp(percent, 0, full)
    size = size_of(value)
    if not size:
        return Score(value, f"little changed over {name}")
    return Score(value, f"{sizes[size]}{'higher' if value > 0 else 'lower'} over {name}")


def band_position(upper: float, lower: float, close: float) -> Score:
    """Score where the close stands in its Bollinger band: strength inside, exhaustion beyond."""
    half = (upper - lower) / 2
    if half <= 0:
        return Score(0.0, "the Bollinger band has no width")
    place = (close - (upper + lower) / 2) / half
    value = math.copysign(1, place) * curve(abs(place), BAND)
    if abs(place) > 1:
        return Score(value, "price above its upper Bollinger band" if place > 0 else "price below its lower band")
    return say(
        value,
        "price in the upper part of its Bollinger band",
        "price in the lower part of its Bollinger band",
        "price near the middle or the edge of its Bollinger band",
    )


def average_range(atr: float, close: float) -> Score:
    """Score the average true range as per cent of the price: 2.5 neutral, 5 costs 0.5, calm earns up to 0.25."""
    percent = 100 * atr / close if close > 0 else 0.0
    return say(
        max(-0.5, min(0.25, (2.5 - percent) / 5)),
        "a {adj} narrow daily range",
        "a {adj} wide daily range",
        "an ordinary daily range",
    )


def volatility(percent: float) -> Score:
    """Score annualised volatility: the usual is neutral, twice as much costs half a point, calm earns up to 0.25."""
    return say(
        max(-0.5, min(0.25, (USUAL_VOLATILITY - percent) / 60)),
        "{adj} low volatility",
        "{adj} high volatility",
        "ordinary volatility",
    )


def drawdown(percent: float) -> Score:
    """Score the year's deepest fall (negative): -25 % neutral, -45 % costs half a point, -15 % earns 0.25."""
    return say(
        max(-0.5, min(0.25, (percent + 25) / 40)),
        "largest fall of the past year {adj} small",
        "largest fall of the past year {adj} large",
        "largest fall of the past year ordinary",
    )


def near_high(high: float, close: float) -> Score:
    """Score the close against its 52-week high: 15 % below is neutral, at the high earns 0.6.

    Nearness to the 52-week high is a momentum signal of its own: George and Hwang, Journal of Finance 2004.
    """
    value = 0.6 * ramp(close / high, 0.85, 1.0) if high > 0 else 0.0
    words = ("some way below its 52-week high", "not far below its 52-week high", "close to its 52-week high")
    if value > 0:
        return Score(value, f"price {words[min(2, size_of(value))]}")
    return Score(value, f"price {words[0] if size_of(value) < 2 else 'far below its 52-week high'}")


def regime(score: float) -> Score:
    """Score the macro regime (-6 to 6): 4 counts fully; 3 and -3 are where risk-on and risk-off begin."""
    name = "risk-on" if score >= 3 else "risk-off" if score <= -3 else "in transition"
    return Score(ramp(score, 0, 4), f"the market is {name}")


def fear(vix: float) -> Score:
    """Score the VIX: 20 neutral, 32 costs 0.6, 14 earns 0.3."""
    return say(
        max(-0.6, min(0.3, (20 - vix) / 20)),
        "{adj} low expected volatility",
        "{adj} high expected volatility",
        "ordinary expected volatility",
    )


# Business


def growth(percent: float, *, neutral: float, full: float, name: str) -> Score:
    """Score growth in per cent against an ordinary rate."""
    value = ramp(percent, neutral, full)
    if percent < 0:
        return Score(value, f"{name} shrinking")
    return say(
        value, f"{name} growing {{adj}} fast", f"{name} growing {{adj}} slowly", f"{name} growing at an ordinary pace"
    )


def level(x: float, *, neutral: float, full: float, name: str) -> Score:
    """Score a ratio of which more is better against the ordinary level of large companies."""
    value = ramp(x, neutral, full)
    if x < 0:
        return Score(value, f"negative {name}")
    return say(value, f"{{adj}} high {name}", f"{{adj}} low {name}", f"ordinary {name}")


def margin_trend(direction: str) -> Score:
    """Score where the operating margin is heading: half a point either way."""
    return Score({"expanding": 0.5, "contracting": -0.5}.get(direction, 0.0), f"operating margin {direction}")


def leverage(debt_to_equity: float) -> Score:
    """Score debt over equity: the usual is neutral, 2.5 counts fully against, and so does negative equity."""
    if debt_to_equity < 0:
        return Score(-1.0, "equity is negative")
    return say(
        ramp(debt_to_equity, USUAL_DEBT, -0.5), "{adj} low debt", "{adj} high debt", "an ordinary amount of debt"
    )


def cash_margin(free_cash_flow: float, revenue: float) -> Score:
    """Score free cash flow per unit of revenue: 5 % neutral, 20 % counts fully."""
    value = ramp(free_cash_flow / revenue, 0.05, 0.20) if revenue > 0 else 0.0
    if free_cash_flow < 0:
        return Score(value, "free cash flow is negative")
    return say(
        value,
        "{adj} high free cash flow for its revenue",
        "{adj} low free cash flow for its revenue",
        "ordinary free cash flow for its revenue",
    )


def conversion(operating_cash_flow: float, net_income: float) -> Score:
    """Score how profit becomes cash: 0.9 of it neutral, 1.65 earns and 0.15 costs 0.6. A loss is judged by cash."""
    if net_income <= 0:
        good = operating_cash_flow > 0
        return Score(0.1 if good else -0.6, "a loss, yet cash comes in" if good else "a loss, and cash goes out")
    value = 0.6 * ramp(operating_cash_flow / net_income, 0.9, 1.65)
    return say(value, "cash flow {} ahead of profit", "cash flow {} short of profit", "cash flow in line with profit")


def multiple(x: float, *, points: Sequence[tuple[float, float]], name: str) -> Score:
    """Score a price multiple by a falling curve; at or below zero nothing is earned, which costs 0.5."""
    if x <= 0:
        return Score(-0.5, f"no {name}, for nothing is earned")
    return say(curve(x, points), f"{{adj}} low {name}", f"{{adj}} high {name}", f"ordinary {name}")


def upside(percent: float) -> Score:
    """Score a computed value per share against the price, in percent: 60 points from neutral count fully.

    Neutral is half the price: the median of 25 large companies with default assumptions (docs/concepts/valuation.md).
    """
    return say(
        ramp(percent, -50, 10),
        "computed value {adj} high for the price",
        "computed value {adj} low for the price",
        "computed value ordinary for the price",
    )


def piotroski(score: float) -> Score:
    """Score the Piotroski F-score: 5 of 9 is neutral, 9 counts fully."""
    return say(
        ramp(score, 5, 9), "{adj} strong Piotroski score", "{adj} weak Piotroski score", "ordinary Piotroski score"
    )


def alpha(points: float, *, full: float, name: str) -> Score:
    """Score percentage points against the sector's fund; `full` counts fully."""
    return say(
        ramp(points, 0, full),
        f"{{}} ahead of its sector over {name}",
        f"{{}} behind its sector over {name}",
        f"in line with its sector over {name}",
    )


def rank(place: float, of: float) -> Score:
    """Score a rank among peers, first to last: 0.8 to -0.8; alone it says nothing."""
    value = 0.8 * (1 - 2 * (place - 1) / (of - 1)) if of > 1 else 0.0
    return say(
        max(-0.8, min(0.8, value)),
        "ranks {adj} high among its peers",
        "ranks {adj} low among its peers",
        "ranks in the middle of its peers",
    )


def insiders(net: float, bought: float, sold: float) -> Score:
    """Score insider trades by value: all buying earns 0.8, all selling costs 0.3, for selling has many reasons."""
    turnover = abs(bought) + abs(sold)
    if not turnover or not net:
        return Score(0.0, "insiders neither net buyers nor net sellers")
    share = max(-1.0, min(1.0, net / turnover))
    if share > 0:
        return Score(0.8 * share, "insiders only bought" if share == 1 else "insiders bought more than they sold")
    return Score(0.3 * share, "insiders only sold" if share == -1 else "insiders sold more than they bought")
