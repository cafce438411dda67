"""Prices and corporate actions of a snapshot: all bars in a few NumPy columns, one slice per symbol."""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from tradingagents.dataflows.gateway.cache import Memo
from tradingagents.dataflows.gateway.faults import quoted
from tradingagents.dataflows.models import Days, Dividend, Floats, ListingEnd, Split
from tradingagents.dataflows.reference.calendar import is_listed
from tradingagents.dataflows.vendors.snapshot.folder import (
    UNREADABLE,
    Unreadable,
    reading,
    reason,
    recorded_day,
    spelled,
    too_many,
)
from tradingagents.errors import VendorDown
from tradingagents.files.parquet import column_of, days_of, numbers_of, pa, pq, texts_of

Basis = Literal["split_adjusted", "fully_adjusted", "index"]

BASIS: Mapping[str, Basis] = {"raw+adj": "split_adjusted", "auto_adjusted": "fully_adjusted", "index": "index"}
"""The file's values of `basis`, and the library's names for them."""
COLUMNS = ("open", "high", "low", "close", "adj_close", "volume")
ENDS = ("delisted", "merged")
"""Actions that end a listing."""
HIGHEST_AMOUNT = 1e9
DIGITS = 7
"""Significant digits of prices stored in single precision: restores any price of up to seven digits (213.4900055 reads
213.49); further digits are storage noise."""
SYMBOLS_WIDENED = 600
"""Symbols whose columns are held in double precision, some 40 KB each."""


@dataclass(frozen=True, slots=True)
class Bars:
    """The bars of one symbol in a window, oldest first."""

    days: Days
    columns: Mapping[str, Floats]
    basis: Basis
    currency: str | None
    """As recorded; None if the folder doesn't say."""


@dataclass(frozen=True, slots=True)
class Actions:
    """Splits and dividends of one symbol, oldest first, and the end of its listing."""

    splits: tuple[Split, ...] = ()
    dividends: tuple[Dividend, ...] = ()
    ended: ListingEnd | None = None


class PriceTable:
    """All bars of a folder, sorted by symbol and day. Read-only, so safe to share between threads."""

    def __init__(
        self,
        days: Days,
        columns: Mapping[str, npt.NDArray[Any]],
        spans: Mapping[str, slice],
        bases: Mapping[str, str],
        currencies: Mapping[str, str] | None = None,
        mixed: Mapping[str, tuple[str, ...]] | None = None,
    ) -> None:
        self._days = days
        self._columns = columns
        self._spans = spans
        self._bases = bases
        self._currencies = currencies or {}
        self._wide = Memo(SYMBOLS_WIDENED)
        self.mixed = mixed or {}
        """The bases of symbols that have more than one; the first counts."""

    @property
    def symbols(self) -> tuple[str, ...]:
        """Symbols with at least one bar, alphabetically."""
        return tuple(sorted(self._spans))

    def __contains__(self, symbol: str) -> bool:
        return symbol in self._spans

    def bars(self, symbol: str, start: date, end: date) -> Bars:
        """Return the bars of a symbol in [start, end]; empty if it did not trade.

        Raises:
            KeyError: The folder has no prices of this symbol.
            VendorDown: Their basis is unknown.
        """
        basis = self._bases[symbol]
        if basis not in BASIS:
            raise VendorDown(
                f"prices.parquet has an unknown basis for {symbol}, {quoted(basis)!r}; use one of {', '.join(BASIS)}."
            )
        span = self._spans[symbol]
        days = self._days[span]
        first = int(np.searchsorted(days, np.datetime64(start, "D"), side="left"))
        stop = int(np.searchsorted(days, np.datetime64(end, "D"), side="right"))
        part = slice(first, max(first, stop))
        return Bars(
            days=days[part],
            columns={name: column[part] for name, column in self._widened(symbol, span).items()},
            basis=BASIS[basis],
            currency=self._currencies.get(symbol),
        )

    def _widened(self, symbol: str, span: slice) -> Mapping[str, Floats]:
        """Return the whole columns of a symbol; a backtest asks for overlapping windows of the same ones."""
        known: dict[str, Floats] | None = self._wide.get(symbol)
        if known is None:
            known = {name: widened(column[span]) for name, column in self._columns.items()}
            for column in known.values():
                column.flags.writeable = False
            self._wide.put(symbol, known)
        return known

    def begins(self, symbol: str) -> np.datetime64 | None:
        """Return the day of a symbol's first bar; None if it has none."""
        span = self._spans.get(symbol)
        return None if span is None else self._days[span.start]


def load_prices(path: Path) -> PriceTable:
    """Read prices.parquet; an empty table if it doesn't exist.

    Bars without a close are dropped, as are symbols whose exchange is not known: no question can name them. Nothing
    else is repaired: a high or low between open and close stays as recorded, as do two bars of one symbol and day,
    which the gateway judges.

    Raises:
        VendorDown: The file is corrupt, lacks a column, or names an unknown basis.
    """
    if not path.is_file():
        return PriceTable(np.empty(0, "datetime64[D]"), {}, {}, {})
    with reading(path), pq.ParquetFile(path, read_dictionary=["symbol", "basis"]) as file:
        codes, names = texts_of(column_of(file, "symbol"))
        basis_codes, basis_names = texts_of(column_of(file, "basis"))
        days = days_of(column_of(file, "date"))
        columns = {name: numbers_of(column_of(file, name), name) for name in COLUMNS}
        order = _order(codes, days, columns["close"])
        if order is not None:
            codes, basis_codes, days = codes[order], basis_codes[order], days[order]
            columns = {name: column[order] for name, column in columns.items()}
        starts = np.flatnonzero(np.r_[True, codes[1:] != codes[:-1]]) if len(codes) else np.empty(0, np.intp)
        stops = np.r_[starts[1:], len(codes)]
        spans = {
            spelled(names[codes[start]]): slice(int(start), int(stop))
            for start, stop in zip(starts, stops, strict=False)
            if is_listed(spelled(names[codes[start]]))
        }
        bases = {symbol: str(basis_names[basis_codes[span.start]]) for symbol, span in spans.items()}
        mixed = _mixed(basis_codes, basis_names, spans)
        currencies = _currencies(file, order, spans)
        pa.default_memory_pool().release_unused()  # decompression buffers, twice the size of the data
        return PriceTable(days, columns, spans, bases, currencies, mixed)


def load_actions(path: Path, unreadable: Unreadable | None = None) -> Mapping[str, Actions]:
    """Read actions.csv by symbol; {} if it doesn't exist.

    Args:
        unreadable: Collects the unreadable lines; None: the first is an error. A split with an unreadable ratio is
            returned with an invalid ratio, since its symbol's prices can't be used without it.

    Raises:
        VendorDown: The file is corrupt, or a line is unreadable and `unreadable` is None.
    """
    if not path.is_file():
        return {}
    splits: dict[str, list[Split]] = defaultdict(list)
    dividends: dict[str, list[Dividend]] = defaultdict(list)
    ends: dict[str, ListingEnd] = {}
    with reading(path), path.open(encoding="utf-8", newline="") as lines:
        reader, failures = csv.DictReader(lines), 0
        for count, row in enumerate(reader, start=1):
            try:
                symbol, day = spelled(row["symbol"]), recorded_day(row["date"])
                if row["action"] == "split":
                    splits[symbol].append(Split(day, _ratio(row["value"]) if unreadable else float(row["value"])))
                elif row["action"] == "dividend":
                    dividends[symbol].append(Dividend(day, float(row["value"])))
                elif row["action"] in ENDS:
                    ends[symbol] = listing_end(row, day)
                else:
                    raise ValueError(f"unknown action {row['action']!r}")
            except UNREADABLE as error:
                failures += 1
                if unreadable is None or too_many(failures, count):
                    raise
                whose = row.get("symbol")
                text = f"{path.name} line {reader.line_num} cannot be read ({reason(error)}); it is left out."
                unreadable.lines.append((spelled(whose) if isinstance(whose, str) else "", text))
    return {
        symbol: Actions(
            splits=tuple(sorted(splits[symbol], key=lambda split: split.day)),
            dividends=tuple(sorted(dividends[symbol], key=lambda paid: paid.day)),
            ended=ends.get(symbol),
        )
        for symbol in {*splits, *dividends, *ends}
    }


def listing_end(row: Mapping[str, Any], day: date) -> ListingEnd:
    """Return the end of a listing from a line of actions.csv; of several the last line counts.

    Raises:
        ValueError: An amount is no number or below zero, or a merger does not say what holders get.
    """
    cash, shares = (_amount(row.get(name)) for name in ("value", "into_shares"))
    into = spelled(row["into"]) if row.get("into") else None
    if row["action"] == "delisted":
        if into is not None or shares is not None:
            raise ValueError("a delisting has no other symbol; one with shares of another is 'merged'")
        return ListingEnd(day, "delisted", cash)
    if (into is None) != (shares is None) or (into is None and not cash):
        raise ValueError("a merger gives cash (value), or shares of another symbol (into and into_shares), or both")
    return ListingEnd(day, "merged", cash or None, into, shares)


def _amount(text: Any) -> float | None:
    if text is None or text == "":
        return None
    value = float(text)
    if not 0 <= value <= HIGHEST_AMOUNT:
        raise ValueError(f"{quoted(text)} is no amount per share")
    return value


def _ratio(text: str | None) -> float:
    try:
        return float(text or "")
    except ValueError:
        return float("nan")


def _currencies(
    file: pq.ParquetFile, order: npt.NDArray[np.intp] | None, spans: Mapping[str, slice]
) -> Mapping[str, str]:
    """Return the currency of each symbol from its first row; {} if the file has no such column."""
    if "currency" not in file.schema_arrow.names:
        return {}
    codes, names = texts_of(column_of(file, "currency"))
    codes = codes if order is None else codes[order]
    return {symbol: names[codes[span.start]] for symbol, span in spans.items()}


def _order(codes: npt.NDArray[np.int32], days: Days, close: npt.NDArray[Any]) -> npt.NDArray[np.intp] | None:
    """Return the rows to use, by symbol and day; None if the file is already sorted and complete."""
    same = codes[1:] == codes[:-1]
    steps = np.diff(codes)
    ascending = bool(np.all(steps >= 0) and np.all(np.diff(days)[same] > np.timedelta64(0, "D")))
    if ascending and not np.isnan(close).any():
        return None
    order: npt.NDArray[np.intp] = np.lexsort((days, codes))  # stable: of equal keys, file order
    kept: npt.NDArray[np.intp] = order[~np.isnan(close[order])]
    return kept


def _mixed(
    codes: npt.NDArray[np.int32], names: Sequence[str], spans: Mapping[str, slice]
) -> Mapping[str, tuple[str, ...]]:
    """Return the bases of each symbol that has more than one."""
    changes = np.flatnonzero(codes[1:] != codes[:-1]) + 1
    starts = {span.start for span in spans.values()}
    if all(int(change) in starts for change in changes):
        return {}
    return {
        symbol: tuple(str(names[code]) for code in dict.fromkeys(codes[span].tolist()))
        for symbol, span in spans.items()
        if (codes[span] != codes[span.start]).any()
    }


def widened(values: npt.NDArray[Any]) -> Floats:
    """Return a recorded column in double precision; from single precision the quoted digits."""
    wide = values.astype(np.float64)
    return _significant(wide) if values.dtype == np.float32 else wide


def _significant(values: Floats) -> Floats:
    """Round to `DIGITS` significant digits, in place; monotonic, so a high stays at or above its close."""
    some = np.abs(values)
    some[~((some > 0) & np.isfinite(some))] = 1.0  # zero, infinity and NaN have no magnitude
    scale = 10.0 ** (DIGITS - 1 - np.floor(np.log10(some)))
    return np.round(values * scale) / scale
