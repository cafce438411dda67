"""Check the prices of a snapshot: what the file says of itself here, everything else by the gate that judges every run.

`price_checks.check_prices` has the rules; its faults are the findings, as errors where figures are withheld.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tradingagents.dataflows.gateway.checks.price_checks import check_prices
from tradingagents.dataflows.gateway.faults import Fault, summarised
from tradingagents.dataflows.models import Prices
from tradingagents.dataflows.reference.calendar import NEVER, is_listed
from tradingagents.dataflows.reference.data_faults import reference
from tradingagents.dataflows.snapshots.check_fields import CheckFindings, check_action
from tradingagents.dataflows.vendors.snapshot.folder import Unreadable, spelled
from tradingagents.dataflows.vendors.snapshot.prices import BASIS, COLUMNS, Actions, load_actions, widened
from tradingagents.files.parquet import pa, pq

FILE, ACTIONS = "prices.parquet", "actions.csv"


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
    """Return why runs withhold figures on a folder's prices, as the gate says it.

    Args:
        symbols: Those looked at; None: all.

    Raises:
        VendorDown: actions.csv is unreadable as a whole.
        ArrowException: The prices are.
    """
    if not (folder / FILE).is_file():
        return ()
    faults: list[Fault] = []
    actions = load_actions(folder / ACTIONS, Unreadable())
    for bars in read_bars(folder / FILE):
        if (symbols is None or bars.symbol in symbols) and is_listed(bars.symbol):
            faults += _faults(bars, actions.get(bars.symbol, Actions()), bars.days[-1].item())
    return tuple(summarised([(fault, "") for fault in faults if fault.withholds]))


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
    for index in np.flatnonzero(bars.days > np.datetime64(today)):
        found.error(FILE, "a bar in the future", bars.on(int(index)))
    if bars.days[-1] > np.datetime64(last):
        found.warn(FILE, f"bars after the window's last day, {last}", bars.on(-1))
    closes = bars.columns["close"]
    if np.isnan(closes).all():
        found.error(FILE, "symbols without any close, of which there are no prices", bars.symbol)
    for index in np.flatnonzero(np.isnan(closes)):
        found.warn(FILE, "bars without a close, which are left out", bars.on(int(index)))
    if actions.ended is not None and bars.days[-1] >= np.datetime64(actions.ended.day):
        found.error(ACTIONS, "bars after the end of a listing", f"{bars.symbol} {actions.ended.day} ({bars.on(-1)})")
    for fault in _faults(bars, actions, today):
        note = found.error if fault.withholds else found.warn
        note(FILE, f"{fault.kind.replace('-', ' ')} ({reference(fault.kind)})", f"{fault.text()}; {fault.done}")


def _floating(kind: Any) -> Any:
    return np.float32 if pa.types.is_float32(kind) else np.float64


def _faults(bars: Bars, actions: Actions, last: date) -> tuple[Fault, ...]:
    """Return what the gate says of a symbol's bars up to a day, as the vendor of the folder gives them."""
    known = ~np.isnan(bars.columns["close"])
    series = Prices(
        symbol=bars.symbol,
        days=bars.days[known],
        **{name: values[known] for name, values in bars.columns.items()},
        currency="USD",  # the file's currencies are checked by themselves
        vendor="",
        fetched_at=NEVER,
        splits=actions.splits,
        dividends=actions.dividends,
        ended=actions.ended,
        basis=BASIS.get(min(bars.bases), "split_adjusted"),
        splits_listed=True,
        splits_since=None,
        withheld=None,
        gate_notes=(),
        untraded=(),
        lost=(),
    )
    return check_prices(series, last).faults


def check_actions(actions: Mapping[str, Actions], symbols: frozenset[str], today: date, found: CheckFindings) -> None:
    """Check splits, dividends and ends of listings on their own."""
    for symbol, listed in sorted(actions.items()):
        if symbol not in symbols:
            found.warn(ACTIONS, "actions of symbols without prices", symbol)
        if listed.ended is not None and listed.ended.into is not None and listed.ended.into not in symbols:
            found.warn(
                ACTIONS, "mergers into symbols without prices", f"{symbol} {listed.ended.day}: {listed.ended.into}"
            )
        for split in listed.splits:
            if not split.ratio > 0:
                found.error(ACTIONS, "a split ratio that is not above zero", f"{symbol} {split.day}")
            check_action(symbol, split, found)
        for paid in listed.dividends:
            if not paid.amount > 0:
                found.error(ACTIONS, "a dividend that is not above zero", f"{symbol} {paid.day}")
            check_action(symbol, paid, found)
        days = [split.day for split in listed.splits]
        for day in sorted({day for day in days if days.count(day) > 1}):
            found.error(ACTIONS, "two splits on one day", f"{symbol} {day}")
        days += [paid.day for paid in listed.dividends]
        days += [listed.ended.day] if listed.ended is not None else []
        if days and max(days) > today:
            found.warn(ACTIONS, "actions in the future", f"{symbol} {max(days)}")
