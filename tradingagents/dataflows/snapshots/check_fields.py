"""The findings of a check, and the check of each field of a snapshot's rows by the validation of vendor rows."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

from tradingagents.dataflows.gateway.checks.price_checks import HIGHEST_PRICE, is_split
from tradingagents.dataflows.gateway.checks.row_checks import FIRST_YEAR, LARGEST, check_row, is_currency
from tradingagents.dataflows.gateway.faults import quoted
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
from tradingagents.files.parquet import pa, pq

Level = Literal["error", "warning"]
EXAMPLES = 5


@dataclass(frozen=True, slots=True)
class Finding:
    """One kind of fault, with its count and first examples."""

    level: Level
    file: str
    what: str
    count: int
    examples: tuple[str, ...]

    @property
    def text(self) -> str:
        """The finding as one sentence."""
        some = ", ".join(self.examples)
        more = f" and {self.count - len(self.examples)} more" if self.count > len(self.examples) else ""
        return f"{self.what}: {some}{more}." if some else f"{self.what}."


class CheckFindings:
    """Collects faults; equal ones are merged into one finding."""

    def __init__(self) -> None:
        self._found: dict[tuple[Level, str, str], list[str]] = defaultdict(list)

    def error(self, file: str, what: str, where: str = "") -> None:
        """Record a fault that makes answers wrong or impossible."""
        self._found["error", file, what].append(where)

    def warn(self, file: str, what: str, where: str = "") -> None:
        """Record a warning."""
        self._found["warning", file, what].append(where)

    def all(self) -> tuple[Finding, ...]:
        """Return the findings, errors first, then by file, in the order found."""
        found = [
            Finding(level, file, what, len(where), tuple(place for place in where[:EXAMPLES] if place))
            for (level, file, what), where in self._found.items()
        ]
        return tuple(sorted(found, key=lambda finding: (finding.level, finding.file)))


PRICES, MACRO, PROFILES, ACTIONS = "prices.parquet", "macro.parquet", "profiles.json", "actions.csv"
STATEMENTS, NEWS, INSIDERS = "statements.jsonl.gz", "news.jsonl.gz", "insider.jsonl.gz"


def check_fields(file: str, row: dict[str, Any], where: str, found: CheckFindings) -> None:
    """Check the fields of one line as read by the vendor and validated by the gateway.

    Args:
        where: Location of the line.
        found: Collects the faults.

    Raises:
        Exception: One of `folder.UNREADABLE` if the vendor can't read the line.
    """
    if file == STATEMENTS:
        _check_statement(row, where, found)
        return
    _, faults = check_row(_READ[file](row))
    for fault in faults:
        found.error(file, "invalid fields", f"{fault.text(where)}; {fault.done}")


def check_action(symbol: str, one: Split | Dividend, found: CheckFindings) -> None:
    """Check the ratio of a split, or the amount of a dividend, above zero."""
    if isinstance(one, Split) and one.ratio > 0 and not is_split(one):
        found.error(ACTIONS, "an invalid split ratio", f"{symbol} {one.day} ({one.ratio:g})")
    if isinstance(one, Dividend) and one.amount > HIGHEST_PRICE:
        found.error(ACTIONS, "an invalid dividend", f"{symbol} {one.day} ({one.amount:g})")


def check_profiles(path: Path, found: CheckFindings) -> None:
    """Check the fields of every profile."""
    faulty = Unreadable()
    try:
        load_profiles(path / PROFILES, faulty)
    except VendorDown:  # the file as a whole is already reported
        return
    for _, text in faulty.lines:
        found.error(PROFILES, "invalid fields", text.removesuffix("."))


def check_columns(path: Path, found: CheckFindings) -> None:
    """Check the currencies of prices, and the values and days of economic series."""
    for file, check in ((PRICES, _check_currencies), (MACRO, _check_macro)):
        if not (path / file).is_file():
            continue
        try:
            check(path / file, found)
        except UNREADABLE as error:
            found.error(file, "it cannot be read", reason(error))


def _check_currencies(path: Path, found: CheckFindings) -> None:
    if "currency" not in pq.read_schema(path).names:
        return
    table = pq.read_table(path, columns=["symbol", "currency"])
    pairs = table.group_by(["symbol", "currency"]).aggregate([]).to_pylist()
    for pair in pairs:
        if not is_currency(pair["currency"]):
            found.error(PRICES, "an invalid currency", f"{pair['symbol']} ({quoted(pair['currency'])})")


def _check_macro(path: Path, found: CheckFindings) -> None:
    table = pq.read_table(path, columns=["series", "date", "value"])
    values = table["value"].to_numpy().astype(np.float64)
    years = np.asarray(table["date"].cast(pa.date32()).to_numpy(), "datetime64[Y]").astype(np.int64) + 1970
    bad = (np.abs(values) > LARGEST) | (years < FIRST_YEAR) | (years >= NEVER.year)
    for index in np.flatnonzero(bad):
        row = int(index)
        about = f"row {row + 1} ({table['series'][row]} {table['date'][row]}: {values[row]:g})"
        found.error(MACRO, "invalid values or days, which are left out", about)


def _check_statement(row: dict[str, Any], where: str, found: CheckFindings) -> None:
    read = named_items(checked_row(row))
    currency = row.get("currency")
    if not currency:
        found.warn(STATEMENTS, "no currency: no market value is set against them", where)
    elif not is_currency(currency):
        found.error(STATEMENTS, "an invalid currency", f"{where} ({quoted(currency)})")
    for item, value in _not_numbers(read["items"]):
        found.error(STATEMENTS, "items that are not numbers", f"{where} ({quoted(item)} is {quoted(value)})")


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
