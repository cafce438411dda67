"""Whether each field of a snapshot's rows can be, by the checks that the gateway makes of every vendor's rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from tradingagents.dataflows.gateway.faults import quoted
from tradingagents.dataflows.gateway.price_checks import HIGHEST_PRICE, HIGHEST_VOLUME, is_split, off_calendar
from tradingagents.dataflows.gateway.row_checks import FIRST_YEAR, LARGEST, check_row, is_currency
from tradingagents.dataflows.models import Dividend, Split
from tradingagents.dataflows.reference.calendar import NEVER
from tradingagents.dataflows.vendors.snapshot.filings import FILE as FILINGS
from tradingagents.dataflows.vendors.snapshot.filings import filing_of
from tradingagents.dataflows.vendors.snapshot.folder import UNREADABLE, Unreadable, reason
from tradingagents.dataflows.vendors.snapshot.insiders import trade_of
from tradingagents.dataflows.vendors.snapshot.news import article_of
from tradingagents.dataflows.vendors.snapshot.profiles import load_profiles
from tradingagents.dataflows.vendors.snapshot.social import FILE as SOCIAL
from tradingagents.dataflows.vendors.snapshot.social import post_of
from tradingagents.dataflows.vendors.snapshot.statements import checked_row, named_items
from tradingagents.errors import VendorDown
from tradingagents.snapshots.findings import Findings

PRICES, MACRO, PROFILES, ACTIONS = "prices.parquet", "macro.parquet", "profiles.json", "actions.csv"
STATEMENTS, NEWS, INSIDERS = "statements.jsonl.gz", "news.jsonl.gz", "insider.jsonl.gz"
Row = Mapping[str, Any]
Numbers = npt.NDArray[np.float64]


def check_fields(file: str, row: dict[str, Any], where: str, found: Findings) -> None:
    """Check the fields of one line as the vendor reads it, and as the gateway checks it.

    Args:
        file: Of dated rows.
        row: The line.
        where: Which line.
        found: Where faults are noted.

    Raises:
        Exception: One of `folder.UNREADABLE`, where the vendor cannot read the line.
    """
    if file == STATEMENTS:
        _check_statement(row, where, found)
        return
    _, faults = check_row(_READ[file](row))
    for fault in faults:
        found.error(file, "fields that cannot be", f"{fault.text(where)}; {fault.done}")


def check_more_bars(
    symbol: str, days: npt.NDArray[np.datetime64], columns: Mapping[str, Numbers], found: Findings
) -> None:
    """Check what the bars of one symbol hold beyond signs and order: infinities, volumes, days without a session."""
    for name in ("open", "high", "low", "close", "adj_close"):
        values = columns[name]
        for index in np.flatnonzero(values > HIGHEST_PRICE):  # infinity too
            found.error(PRICES, f"{name} is no price", f"{symbol} {days[index]} ({values[index]:g})")
    volume = columns["volume"]
    for index in np.flatnonzero(np.isnan(volume)):
        found.warn(PRICES, "bars without a volume, which is read as 0", f"{symbol} {days[index]}")
    for index in np.flatnonzero(volume > HIGHEST_VOLUME):
        found.error(PRICES, "the volume is none that can be", f"{symbol} {days[index]} ({volume[index]:g})")
    for index in np.flatnonzero(off_calendar(symbol, days)):
        found.error(PRICES, "bars on days without a session, which are left out", f"{symbol} {days[index]}")


def check_action(symbol: str, one: Split | Dividend, found: Findings) -> None:
    """Check the ratio of a split or the amount of a dividend that is above zero."""
    if isinstance(one, Split) and one.ratio > 0 and not is_split(one):
        found.error(ACTIONS, "a split ratio that cannot be", f"{symbol} {one.day} ({one.ratio:g})")
    if isinstance(one, Dividend) and one.amount > HIGHEST_PRICE:
        found.error(ACTIONS, "a dividend that cannot be", f"{symbol} {one.day} ({one.amount:g})")


def check_profiles(path: Path, found: Findings) -> None:
    """Check the fields of every profile."""
    faulty = Unreadable()
    try:
        load_profiles(path / PROFILES, faulty)
    except VendorDown:  # the file as a whole is an error already
        return
    for _, text in faulty.lines:
        found.error(PROFILES, "fields that cannot be", text.removesuffix("."))


def check_columns(path: Path, found: Findings) -> None:
    """Check the currencies of prices, and the values and days of economic series."""
    for file, check in ((PRICES, _check_currencies), (MACRO, _check_macro)):
        if not (path / file).is_file():
            continue
        try:
            check(path / file, found)
        except UNREADABLE as error:
            found.error(file, "it cannot be read", reason(error))


def _check_currencies(path: Path, found: Findings) -> None:
    if "currency" not in pq.read_schema(path).names:
        return
    table = pq.read_table(path, columns=["symbol", "currency"])
    pairs = table.group_by(["symbol", "currency"]).aggregate([]).to_pylist()
    for pair in pairs:
        if not is_currency(pair["currency"]):
            found.error(PRICES, "a currency that is none", f"{pair['symbol']} ({quoted(pair['currency'])})")


def _check_macro(path: Path, found: Findings) -> None:
    table = pq.read_table(path, columns=["series", "date", "value"])
    values = table["value"].to_numpy().astype(np.float64)
    years = np.asarray(table["date"].cast(pa.date32()).to_numpy(), "datetime64[Y]").astype(np.int64) + 1970
    bad = (np.abs(values) > LARGEST) | (years < FIRST_YEAR) | (years >= NEVER.year)
    for index in np.flatnonzero(bad):
        row = int(index)
        about = f"row {row + 1} ({table['series'][row]} {table['date'][row]}: {values[row]:g})"
        found.error(MACRO, "values or days that cannot be, which are left out", about)


def _check_statement(row: dict[str, Any], where: str, found: Findings) -> None:
    read = named_items(checked_row(row))
    currency = row.get("currency") or "USD"
    if not is_currency(currency):
        found.error(STATEMENTS, "a currency that is none", f"{where} ({quoted(currency)})")
    for item, value in _not_numbers(read["items"]):
        found.error(STATEMENTS, "items that are no number", f"{where} ({quoted(item)} is {quoted(value)})")


def _not_numbers(items: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for item, value in items.items():
        if not -LARGEST <= value <= LARGEST:
            yield item, value


_READ: Mapping[str, Callable[[dict[str, Any]], Any]] = {
    NEWS: lambda row: article_of(row, "XNYS"),
    INSIDERS: trade_of,
    SOCIAL: post_of,
    FILINGS: filing_of,
}
