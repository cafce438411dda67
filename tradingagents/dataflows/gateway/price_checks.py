"""Validity of daily bars: finite prices above zero, one bar per session, plausible splits, no unexplained jump.

Invalid bars are left out and reported. If there are too many, the newest bar is invalid, or a session has two different
bars, the prices are unusable as a whole: results based on them would be wrong without showing it. Bars before a break
(`price_breaks`) are withheld, so that no figure crosses it; where the level since then may be the wrong one, the prices
are unusable too.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from tradingagents.dataflows.gateway.faults import Fault, quoted
from tradingagents.dataflows.gateway.price_breaks import SETTLED, in_doubt, price_breaks
from tradingagents.dataflows.gateway.row_checks import is_currency
from tradingagents.dataflows.gateway.traded_bars import checked_end, with_traded_bars
from tradingagents.dataflows.models import Dividend, Prices, Split
from tradingagents.dataflows.reference.calendar import Sessions, exchange_of, sessions
from tradingagents.dataflows.reference.currencies import major_unit

HIGHEST_PRICE = 1e9
"""Maximum price of a share, index or coin in any traded currency."""
HIGHEST_VOLUME = 1e15
MAX_SPLIT = 10_000.0
"""Maximum split ratio, and its inverse the minimum: the largest of listed stocks were a few thousand to one."""
MAX_BAD = 0.01
"""Maximum share of bars that may be left out."""
TOLERANCE = 0.001
"""Tolerance by which a high may lie below its low, for rounding: a tenth of a percent."""
US_INDICES = frozenset({"^GSPC", "^DJI", "^IXIC", "^RUT", "^VIX", "^NDX", "^OEX", "^TNX", "^TYX", "^FVX", "^IRX"})
"""Indices that have values on New York sessions only; for others the calendar is unknown."""

_BAR = "the bar is left out"
_UNUSED = "its prices are not used"
_Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class CheckedPrices:
    """Valid bars, and the faults of the others."""

    prices: Prices
    faults: tuple[Fault, ...]
    unusable: str | None
    """Why the prices as a whole are unusable; None if they aren't."""


def check_prices(prices: Prices, last: date) -> CheckedPrices:
    """Check the bars and dividends of one symbol up to a day; later dividends aren't checked.

    All splits are checked, since later ones restate the prices too.
    """
    split = next((one for one in prices.splits if not is_split(one)), None)
    if split is not None:
        fault = Fault(prices.symbol, split.day, f"the split ratio is {quoted(split.ratio)}", _UNUSED, split)
        return CheckedPrices(prices, (fault,), "one of its splits cannot be")
    if not is_currency(prices.currency):
        fault = Fault(prices.symbol, None, f"{quoted(prices.currency)!r} is no currency", _UNUSED)
        return CheckedPrices(prices, (fault,), "its currency is none")
    faults: list[Fault] = []
    prices = in_major_unit(prices)
    prices = _with_sound_dividends(prices.upto(last), last, faults)
    if not len(prices):
        return CheckedPrices(prices, tuple(faults), None)
    prices = _without_copies(prices)
    twice = _first_of_two(prices)
    if twice is not None:
        what = f"two different bars of this session, {_bar_text(prices, twice)} and {_bar_text(prices, twice + 1)}"
        fault = Fault(prices.symbol, _day(prices, twice), what, _UNUSED)
        return CheckedPrices(prices, (*faults, fault), f"{_day(prices, twice)} has two different bars")
    wrong = _wrong_values(prices)
    off = _off_calendar(prices)
    if wrong.any() or off.any():
        dropped = wrong | off
        faults += [_bar_fault(prices, int(index), off) for index in np.flatnonzero(dropped)]
        unusable = _unusable(prices, wrong, off)
        if unusable is not None:
            return CheckedPrices(prices, tuple(replace(fault, done=_UNUSED) for fault in faults), unusable)
        prices = _kept(prices, ~dropped)
    prices = checked_end(prices, last, trading_calendar(prices.symbol), faults)
    prices = with_traded_bars(prices, faults)
    prices = _with_sound_volume(prices, faults)
    crossed = prices.high < prices.low * (1 - TOLERANCE)
    for index in np.flatnonzero(crossed):
        what = f"the high {prices.high[index]:g} lies below the low {prices.low[index]:g}"
        faults.append(Fault(prices.symbol, _day(prices, int(index)), what, "the bar is used as delivered"))
    return _up_to_the_newest_break(prices, faults)


def _up_to_the_newest_break(prices: Prices, faults: list[Fault]) -> CheckedPrices:
    """Return the bars since the newest break, or why none can be used."""
    found = price_breaks(prices)
    if not found:
        return CheckedPrices(prices, tuple(faults), None)
    newest = found[-1]
    doubted = in_doubt(newest, prices)
    done = _UNUSED if doubted else f"prices before {newest.sound_from} are withheld, with every figure across that day"
    faults += [Fault(prices.symbol, one.day, one.text, done) for one in found]
    if doubted:
        wait = "" if newest.changes_unit else f" (it counts as true after {SETTLED} sessions)"
        why = f"their level since {newest.day} cannot be told from an error{wait}"
        return CheckedPrices(prices, tuple(faults), why)
    return CheckedPrices(replace(prices.since(newest.sound_from), withheld=newest), tuple(faults), None)


def in_major_unit(prices: Prices) -> Prices:
    """Return prices quoted in pence, cents or agorot in pounds, rand or shekels, which statements are in."""
    currency, value = major_unit(prices.currency)
    if currency == prices.currency:
        return prices
    levels = {name: getattr(prices, name) * value for name in ("open", "high", "low", "close", "adj_close")}
    paid = tuple(replace(one, amount=one.amount * value) if _is_dividend(one) else one for one in prices.dividends)
    return replace(prices, **levels, dividends=paid, currency=currency)


def is_split(split: Split) -> bool:
    """Return whether a split ratio is plausible."""
    ratio: Any = split.ratio
    return isinstance(ratio, (int, float)) and 1 / MAX_SPLIT <= ratio <= MAX_SPLIT


def trading_calendar(symbol: str) -> Sessions | None:
    """Return the sessions of a symbol's calendar; None if the calendar is unknown."""
    if symbol.endswith("=F") or (symbol.startswith("^") and symbol not in US_INDICES):
        return None
    return sessions(exchange_of(symbol))


def off_calendar(symbol: str, days: npt.NDArray[np.datetime64]) -> _Mask:
    """Return which days aren't sessions of the symbol's exchange; days outside its calendar aren't checked."""
    calendar = trading_calendar(symbol)
    if calendar is None or not len(days):
        return np.zeros(len(days), dtype=np.bool_)
    known = _session_days(calendar.exchange)
    inside = (days >= known[0]) & (days <= known[-1])
    found = known[np.minimum(np.searchsorted(known, days), len(known) - 1)]
    return np.asarray(inside & (found != days), dtype=np.bool_)


@lru_cache(maxsize=32)
def _session_days(exchange: str) -> npt.NDArray[np.datetime64]:
    return np.array(sessions(exchange).days, dtype="datetime64[D]")


def _without_copies(prices: Prices) -> Prices:
    """Return the bars without those that equal the one before in day and values."""
    same = prices.days[1:] == prices.days[:-1]
    if not same.any():
        return prices
    for name in ("open", "high", "low", "close", "adj_close", "volume"):
        values = getattr(prices, name)
        same &= (values[1:] == values[:-1]) | (np.isnan(values[1:]) & np.isnan(values[:-1]))
    return _kept(prices, np.insert(~same, 0, True))


def _first_of_two(prices: Prices) -> int | None:
    """Return the index of the first bar that is followed by one of the same session; None if there is none."""
    repeated = np.flatnonzero(prices.days[1:] <= prices.days[:-1])
    return int(repeated[0]) if len(repeated) else None


def _bar_text(prices: Prices, index: int) -> str:
    levels = "/".join(f"{getattr(prices, name)[index]:g}" for name in ("open", "high", "low", "close"))
    return f"{levels} (volume {prices.volume[index]:,.0f})"


def _wrong_values(prices: Prices) -> _Mask:
    wrong = np.zeros(len(prices), dtype=np.bool_)
    for values in (prices.open, prices.high, prices.low, prices.close, prices.adj_close):
        wrong |= ~((values > 0) & (values <= HIGHEST_PRICE))  # false for NaN too
    return wrong


def _off_calendar(prices: Prices) -> _Mask:
    return off_calendar(prices.symbol, prices.days)


def _unusable(prices: Prices, wrong: _Mask, off: _Mask) -> str | None:
    on_sessions = np.flatnonzero(~off)
    bad = int(wrong[on_sessions].sum())
    if not bad and len(on_sessions):
        return None
    if not len(on_sessions) or wrong[on_sessions[-1]]:
        index = int(on_sessions[-1]) if len(on_sessions) else len(prices) - 1
        return f"the newest bar, of {_day(prices, index)}, cannot be"
    if bad > MAX_BAD * len(on_sessions):
        return f"{bad} of {len(on_sessions)} bars cannot be"
    return None


def _bar_fault(prices: Prices, index: int, off: _Mask) -> Fault:
    day = _day(prices, index)
    if off[index]:
        return Fault(prices.symbol, day, "a bar on a day without a session", _BAR)
    values = {name: float(getattr(prices, name)[index]) for name in ("close", "adj_close", "open", "high", "low")}
    name, value = next((name, value) for name, value in values.items() if not 0 < value <= HIGHEST_PRICE)
    return Fault(prices.symbol, day, f"{name} is {value:g}", _BAR)


def _with_sound_volume(prices: Prices, faults: list[Fault]) -> Prices:
    """Return the bars with unreadable volumes set to 0."""
    bad = ~((prices.volume >= 0) & (prices.volume <= HIGHEST_VOLUME))
    if not bad.any():
        return prices
    for index in np.flatnonzero(bad):
        what = f"the volume is {prices.volume[index]:g}"
        faults.append(Fault(prices.symbol, _day(prices, int(index)), what, "it is read as 0"))
    return replace(prices, volume=np.where(bad, 0.0, prices.volume))


def _with_sound_dividends(prices: Prices, last: date, faults: list[Fault]) -> Prices:
    bad = tuple(paid for paid in prices.dividends if paid.day <= last and not _is_dividend(paid))
    faults += [
        Fault(prices.symbol, paid.day, f"the dividend is {quoted(paid.amount)}", "the dividend is left out", paid)
        for paid in bad
    ]
    return replace(prices, dividends=tuple(paid for paid in prices.dividends if paid not in bad)) if bad else prices


def _is_dividend(paid: Dividend) -> bool:
    amount: Any = paid.amount
    return isinstance(amount, (int, float)) and 0 <= amount <= HIGHEST_PRICE


def _kept(prices: Prices, keep: _Mask) -> Prices:
    arrays = {name: getattr(prices, name)[keep] for name in ("open", "high", "low", "close", "adj_close", "volume")}
    return replace(prices, days=prices.days[keep], **arrays)


def _day(prices: Prices, index: int) -> date:
    day: date = prices.days[index].item()
    return day
