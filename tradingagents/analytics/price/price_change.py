"""What a price did between two days: closes, change, total return, highest and lowest close."""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import date, datetime, timedelta

import numpy as np
from pydantic import BaseModel, ConfigDict

from tradingagents.analytics.price.returns import around_gaps, price_unit
from tradingagents.analytics.price.stock_data import level_notes
from tradingagents.dataflows.gateway.checks.price_days import trading_calendar
from tradingagents.dataflows.models import Prices
from tradingagents.dataflows.reference.metrics import Figure
from tradingagents.dataflows.results import Result
from tradingagents.errors import NoData
from tradingagents.schemas.derivation import Derivation, SourceCell

OLDEST_CLOSE = timedelta(days=10)
"""How old the close used for a day without a session may be: longer than any closure of the exchanges."""


class PriceSplit(BaseModel):
    """A split: one share became `ratio` shares on the morning of `day`."""

    model_config = ConfigDict(frozen=True)

    day: date
    ratio: float


class PriceChange(Result):
    """The price of a symbol over a window of days. In `unit`, adjusted for splits up to the day of the request."""

    first_day: date
    """Session of `first_close`: the first day asked, or the last session before it."""
    last_day: date
    first_close: float
    last_close: float
    first_adjusted: float | None
    """Close adjusted for dividends too, up to the day of the request, as is `last_adjusted`: for the total return. A
    dividend paid since then is not in it: without one between the last day and the request it is the close. None where
    withheld."""
    last_adjusted: float | None
    price_change: float | None
    """Percent, without dividends."""
    total_return: float | None
    """Percent, dividends included."""
    highest_close: float | None
    """None where that of a session without a sound bar may have been higher; so with the lowest."""
    highest_day: date | None
    lowest_close: float | None
    lowest_day: date | None
    average_close: float | None
    """None where a session has no sound bar."""
    sessions: int
    """Sessions from the first day asked to the last, those without a sound bar among them."""
    split_ratio: float | None = None
    """Shares of the day of the request for one of the first day, by the splits since; None where they are not known."""
    splits: tuple[PriceSplit, ...] = ()
    """The splits behind `split_ratio`, oldest first."""
    unit: str

    @property
    def title(self) -> str:
        """Heading."""
        if self.first_day == self.last_day:
            return f"Close of {self.symbol} on {self.last_day}"
        return f"Price of {self.symbol} from {self.first_day} to {self.last_day}"

    def figures(self) -> tuple[Figure, ...]:
        """Return closes, changes and range, each with its day."""
        window = f"from {self.first_day} to {self.last_day}"
        return (
            Figure("first_close", self.first_close, self.unit, f"on {self.first_day}"),
            Figure("last_close", self.last_close, self.unit, f"on {self.last_day}"),
            Figure("price_change", self.price_change, "%", window),
            Figure("total_return", self.total_return, "%", window),
            Figure(
                "highest_close", self.highest_close, self.unit, f"on {self.highest_day}" if self.highest_day else window
            ),
            Figure(
                "lowest_close", self.lowest_close, self.unit, f"on {self.lowest_day}" if self.lowest_day else window
            ),
            Figure("average_close", self.average_close, self.unit, window),
            Figure("sessions", self.sessions, "", window),
            *self._split(),
        )

    def _split(self) -> tuple[Figure, ...]:
        """Return how many shares one of the first day has become, where it was split since."""
        if self.split_ratio in (None, 1.0):
            return ()
        return (Figure("split_ratio", self.split_ratio, "", f"from {self.first_day} to {self.as_of}"),)

    def derivation(self, name: str) -> Derivation | None:
        """Return closes as cells, and changes as growth from the first to the last."""
        if name == "price_change":
            return _growth(
                _bar("close", self.first_close, self.first_day), _bar("close", self.last_close, self.last_day)
            )
        if name == "total_return" and self.first_adjusted is not None and self.last_adjusted is not None:
            return _growth(
                _bar("adjusted", self.first_adjusted, self.first_day),
                _bar("adjusted", self.last_adjusted, self.last_day),
            )
        days = {
            "first_close": (self.first_close, self.first_day),
            "last_close": (self.last_close, self.last_day),
            "highest_close": (self.highest_close, self.highest_day),
            "lowest_close": (self.lowest_close, self.lowest_day),
        }
        value, day = days.get(name, (None, None))
        if value is None or day is None:
            return None
        cell = _bar("close", value, day)
        return Derivation(formula=cell.name, output="number", cells=(cell,))


def price_change(prices: Prices, *, as_of: date, start: date, end: date, known_at: datetime) -> PriceChange:
    """Describe the price of [start, end], both inclusive.

    Args:
        prices: Bars as traded, with some before the window.
        start: First day; where it is no session, the last one before it is the base of changes.
        end: Last day, likewise.
        known_at: When the last bar became known.

    Raises:
        NoData: No bar lies near one of the days, or the session that is the base has none.
    """
    bars = prices.upto(min(end, as_of))
    base = prices.upto(start)
    if not len(bars) or bars.days[-1].item() < end - OLDEST_CLOSE:
        raise NoData(f"{prices.symbol} has no close on {end} or shortly before; name another day.")
    if not len(base) or base.days[-1].item() < start - OLDEST_CLOSE:
        first = prices.days[0].item() if len(prices) else None
        if prices.is_cut(start):
            raise NoData(f"{prices.symbol} has no sound close on {start}; name a later day.")
        raise NoData(f"{prices.symbol} has no close on {start} or shortly before; its prices begin on {first}.")
    lost = next((day for day in prices.gaps if base.days[-1].item() < day <= start), None)
    if lost is not None:
        raise NoData(
            f"{prices.symbol} has no sound close on {start}: the session of {lost} has no bar; name another day."
        )
    to_this_day = _since_adjusted(prices.upto(as_of))
    window = bars.since(min(start, bars.days[-1].item()))
    high, low = _extremes(window)
    splits = _splits_since(prices, base.days[-1].item(), as_of)
    notes = [] if bars.days[-1].item() == end else [_no_bar(prices.symbol, end, bars.days[-1].item())]
    return PriceChange(
        symbol=prices.symbol,
        as_of=as_of,
        source=prices.vendor,
        currency=prices.currency,
        known_at=known_at,
        fetched_at=prices.fetched_at,
        start=base.days[-1].item(),
        end=bars.days[-1].item(),
        rows=len(window),
        notes=(*notes, *level_notes(bars)),
        first_day=base.days[-1].item(),
        last_day=bars.days[-1].item(),
        first_close=float(base.close[-1]),
        last_close=float(bars.close[-1]),
        first_adjusted=_known(base.adj_close[-1] * to_this_day),
        last_adjusted=_known(bars.adj_close[-1] * to_this_day),
        price_change=_percent_change(float(base.close[-1]), float(bars.close[-1])),
        total_return=_percent_change(float(base.adj_close[-1]), float(bars.adj_close[-1])),
        highest_close=None if high is None else float(window.close[high]),
        highest_day=None if high is None else window.days[high].item(),
        lowest_close=None if low is None else float(window.close[low]),
        lowest_day=None if low is None else window.days[low].item(),
        average_close=None if window.lost else float(window.close.mean()),
        sessions=len(window) + len(window.lost),
        split_ratio=math.prod(split.ratio for split in splits) if splits is not None else None,
        splits=splits or (),
        unit=price_unit(prices),
    )


def _extremes(window: Prices) -> tuple[int | None, int | None]:
    """Return the bars of the highest and the lowest close; None where a session without a sound bar may have another.

    A session without a trade has no close.
    """
    high, low = int(window.close.argmax()), int(window.close.argmin())
    if not window.lost:
        return high, low
    _, highest, lowest = around_gaps(replace(window, untraded=()), window.close, window.close).T
    return (
        None if (highest > window.close[high]).any() else high,
        None if (lowest < window.close[low]).any() else low,
    )


def _splits_since(prices: Prices, first: date, as_of: date) -> tuple[PriceSplit, ...] | None:
    """Return the splits after a day, oldest first; None where not every one is listed."""
    if not prices.splits_listed or (prices.splits_since is not None and first < prices.splits_since):
        return None
    since = (split for split in prices.splits if first < split.day <= as_of)
    return tuple(PriceSplit(day=split.day, ratio=split.ratio) for split in sorted(since, key=lambda split: split.day))


def _bar(kind: str, value: float, day: date) -> SourceCell:
    """Return a close of a day as a cell; `kind` is close or adjusted."""
    word = "close" if kind == "close" else "adjusted close"
    return SourceCell(name=f"{kind}@{day:%Y%m%d}", value=value, unit="", where=f"daily bar of {day}, {word}")


def _growth(first: SourceCell, last: SourceCell) -> Derivation:
    return Derivation(formula=f"growth({first.name}, {last.name})", output="percent", cells=(first, last))


def _since_adjusted(prices: Prices) -> float:
    """Return by what a vendor's adjusted closes are too low on the last day, for dividends paid later; NaN if withheld.

    A vendor adjusts for all dividends up to the day on which it was read.
    """
    sound = np.flatnonzero(np.isfinite(prices.adj_close) & (prices.adj_close > 0))
    return float(prices.close[sound[-1]] / prices.adj_close[sound[-1]]) if len(sound) else math.nan


def _known(adjusted: np.float64) -> float | None:
    return float(adjusted) if np.isfinite(adjusted) else None


def _no_bar(symbol: str, end: date, newest: date) -> str:
    """Say why the last day has no bar: no session, or a session of which none is known."""
    calendar = trading_calendar(symbol)
    if calendar is not None and calendar.is_session(end):
        return f"No bar of {end} is known: the last one before is of {newest}."
    return f"No session on {end}: the last one before is {newest}."


def _percent_change(first: float, last: float) -> float | None:
    return 100 * (last / first - 1) if first > 0 else None
