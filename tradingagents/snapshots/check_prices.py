"""Check the prices of a snapshot: bars against each other, the calendar, and the listed splits."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from tradingagents.dataflows.gateway.price_breaks import price_breaks
from tradingagents.dataflows.gateway.price_checks import off_calendar
from tradingagents.dataflows.models import Prices
from tradingagents.dataflows.reference.calendar import NEVER, exchange_of, is_listed, sessions
from tradingagents.dataflows.vendors.snapshot.folder import Unreadable, spelled
from tradingagents.dataflows.vendors.snapshot.prices import BASIS, COLUMNS, Actions, load_actions, widened
from tradingagents.snapshots.check_fields import check_action, check_more_bars
from tradingagents.snapshots.findings import CheckFindings

FILE, ACTIONS = "prices.parquet", "actions.csv"
INSIDE = 0.001
"""Tolerance by which open and close may lie outside low to high, for rounding: a tenth of a percent."""


@dataclass(frozen=True, slots=True)
class Bars:
    """The bars of one symbol as recorded, sorted by day, duplicates included."""

    symbol: str
    days: npt.NDArray[np.datetime64]
    columns: Mapping[str, npt.NDArray[np.float64]]
    bases: frozenset[str]

    def on(self, index: int) -> str:
        """Return a bar's name for messages."""
        return f"{self.symbol} {self.days[index]}"


def read_bars(path: Path) -> Iterator[Bars]:
    """Yield the bars of every symbol, alphabetically.

    Raises:
        ArrowException: The file is unreadable.
    """
    table = pq.read_table(path, columns=["symbol", "date", "basis", *COLUMNS])
    symbols = table["symbol"].combine_chunks().dictionary_encode()
    codes, names = symbols.indices.to_numpy(zero_copy_only=False), symbols.dictionary.to_pylist()
    days = np.asarray(table["date"].cast(pa.date32()).to_numpy(), "datetime64[D]")
    bases = np.asarray(table["basis"].to_pylist(), dtype=object)
    columns = {name: widened(table[name].to_numpy().astype(_floating(table[name].type))) for name in COLUMNS}
    order = np.lexsort((days, codes))
    bounds = np.searchsorted(codes[order], np.arange(len(names) + 1))
    spans = {name: order[bounds[code] : bounds[code + 1]] for code, name in enumerate(names)}
    for name in sorted(spans):
        rows = spans[name]
        yield Bars(
            spelled(name),
            days[rows],
            {column: values[rows] for column, values in columns.items()},
            frozenset(bases[rows]),
        )


def doubts_in(folder: Path, symbols: Collection[str] | None = None) -> tuple[str, ...]:
    """Return the errors in a folder's prices that withhold them from runs: breaks, and days with two different bars.

    Args:
        symbols: Those looked at; None: all.

    Raises:
        VendorDown: actions.csv is unreadable as a whole.
        ArrowException: The prices are.
    """
    if not (folder / FILE).is_file():
        return ()
    found, actions = CheckFindings(), load_actions(folder / ACTIONS, Unreadable())
    for bars in read_bars(folder / FILE):
        if (symbols is None or bars.symbol in symbols) and is_listed(bars.symbol):
            _check_twice(bars, found)
            _check_breaks(bars, actions.get(bars.symbol, Actions()), found)
    return tuple(one.text for one in found.all() if one.level == "error")


def check_bars(bars: Bars, actions: Actions, last: date, today: date, found: CheckFindings) -> None:
    """Check the bars of one symbol.

    Args:
        bars: As recorded.
        actions: Its splits and dividends.
        last: Last day of the folder's window.
        today: Later bars are errors.
        found: Collects the faults.
    """
    if not is_listed(bars.symbol):
        found.error(FILE, "symbols of an exchange that is not known, which no question can name", bars.symbol)
        return
    if not bars.bases <= set(BASIS):
        found.error(FILE, f"a basis other than {', '.join(BASIS)}", bars.symbol)
    elif len(bars.bases) > 1:
        found.error(FILE, "more than one basis for one symbol", bars.symbol)
    _check_days(bars, last, today, found)
    _check_values(bars, found)
    check_more_bars(bars.symbol, bars.days, bars.columns, found)
    _check_breaks(bars, actions, found)


def _floating(kind: Any) -> Any:
    return np.float32 if pa.types.is_float32(kind) else np.float64


def _check_days(bars: Bars, last: date, today: date, found: CheckFindings) -> None:
    days = bars.days
    _check_twice(bars, found)
    for index in np.flatnonzero(days > np.datetime64(today)):
        found.error(FILE, "a bar in the future", bars.on(int(index)))
    if days[-1] > np.datetime64(last):
        found.warn(FILE, f"bars after the window's last day, {last}", bars.on(-1))
    first, newest = days[0].item(), days[-1].item()
    exchange = exchange_of(bars.symbol)
    traded = np.array(sessions(exchange).between(first, newest), "datetime64[D]")
    missing = np.setdiff1d(traded, days)
    if len(missing):
        found.warn(FILE, "sessions without a bar", f"{bars.symbol} {len(missing)} (first {missing[0]})")
    for day in np.setdiff1d(days[~off_calendar(bars.symbol, days)], traded)[:1]:
        found.warn(FILE, f"bars on days without a session of {exchange}", f"{bars.symbol} {day}")


def _check_twice(bars: Bars, found: CheckFindings) -> None:
    days = bars.days
    for index in np.flatnonzero(days[1:] == days[:-1]).tolist():
        if all(values[index] == values[index + 1] for values in bars.columns.values()):
            found.warn(FILE, "a bar that is there twice", bars.on(index))
        else:
            both = " and ".join(_levels(bars, row) for row in (index, index + 1))
            found.error(FILE, "two different bars of one session", f"{bars.on(index)}: {both}")


def _levels(bars: Bars, index: int) -> str:
    return "/".join(f"{bars.columns[name][index]:g}" for name in ("open", "high", "low", "close"))


def _check_values(bars: Bars, found: CheckFindings) -> None:
    prices = {name: bars.columns[name] for name in COLUMNS if name != "volume"}
    close, high, low = prices["close"], prices["high"], prices["low"]
    if np.isnan(close).all():
        found.error(FILE, "symbols without any close, of which there are no prices", bars.symbol)
    for index in np.flatnonzero(np.isnan(close)):
        found.warn(FILE, "bars without a close, which are left out", bars.on(int(index)))
    for name, values in prices.items():
        for index in np.flatnonzero(~(values > 0) & ~np.isnan(values)):
            found.error(FILE, f"{name} is not above zero", bars.on(int(index)))
        if name != "close":
            for index in np.flatnonzero(~np.isfinite(values) & ~np.isnan(close)):
                found.error(FILE, f"{name} is not a number", bars.on(int(index)))
    for index in np.flatnonzero(high < low):
        found.error(FILE, "the high lies below the low", bars.on(int(index)))
    top, bottom = np.maximum(prices["open"], close), np.minimum(prices["open"], close)
    inside = (high >= low) & ((high < top * (1 - INSIDE)) | (low > bottom * (1 + INSIDE)))
    for index in np.flatnonzero(inside):
        found.warn(FILE, "open or close lies outside of low to high", bars.on(int(index)))
    for index in np.flatnonzero(bars.columns["volume"] < 0):
        found.error(FILE, "the volume is negative", bars.on(int(index)))


def _check_breaks(bars: Bars, actions: Actions, found: CheckFindings) -> None:
    """Name the days of unexplained jumps by the rule of every run; prices before them give no figure."""
    if len(bars.bases) != 1 or not bars.bases <= set(BASIS):
        return
    good = np.isfinite(bars.columns["close"]) & (bars.columns["close"] > 0)
    good &= np.append(bars.days[1:] != bars.days[:-1], True)
    series = Prices(
        symbol=bars.symbol,
        days=bars.days[good],
        **{name: values[good] for name, values in bars.columns.items()},
        currency="",
        vendor="",
        fetched_at=NEVER,
        splits=actions.splits,
        dividends=actions.dividends,
        basis=BASIS[next(iter(bars.bases))],
        splits_listed=True,
        splits_since=None,
        withheld=None,
        gate_notes=(),
        untraded=(),
    )
    for one in price_breaks(series):
        found.error(
            FILE, "jumps that no action explains; no figure crosses them", f"{bars.symbol} {one.day}: {one.text}"
        )


def check_actions(actions: Mapping[str, Actions], symbols: frozenset[str], today: date, found: CheckFindings) -> None:
    """Check splits and dividends on their own."""
    for symbol, one in sorted(actions.items()):
        if symbol not in symbols:
            found.warn(ACTIONS, "actions of symbols without prices", symbol)
        for split in one.splits:
            if not split.ratio > 0:
                found.error(ACTIONS, "a split ratio that is not above zero", f"{symbol} {split.day}")
            check_action(symbol, split, found)
        for paid in one.dividends:
            if not paid.amount > 0:
                found.error(ACTIONS, "a dividend that is not above zero", f"{symbol} {paid.day}")
            check_action(symbol, paid, found)
        days = [split.day for split in one.splits]
        for day in sorted({day for day in days if days.count(day) > 1}):
            found.error(ACTIONS, "two splits on one day", f"{symbol} {day}")
        days += [paid.day for paid in one.dividends]
        if days and max(days) > today:
            found.warn(ACTIONS, "actions in the future", f"{symbol} {max(days)}")
