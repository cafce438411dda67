"""A vendor's answer as something that can be changed: its columns of values, and its tables of rows."""

from __future__ import annotations

import ast
import inspect
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from tests.support.vendor_server import Reply

PLAIN = frozenset({"raw", "fmt", "longFmt", "reportedValue", "value", "val", "*"})
"""Names that say nothing; what they belong to is named by the key above."""
_SPAN = re.compile(r"^(quarterly|annual|trailing)(?=[A-Z])")
_STAMP = re.compile(r"\d{4}-\d{2}-\d{2}.*|\d{9,}")
_NUMBER = re.compile(r"-?\d[\d,]*(\.\d+)?([eE][-+]?\d+)?%?")
OF_LIBRARIES = frozenset(
    {
        *("timestamp", "open", "high", "low", "close", "volume", "adjclose", "amount", "date", "numerator"),
        *("denominator", "splitRatio", "currency", "exchangeTimezoneName", "gmtoffset", "instrumentType", "symbol"),
        *("asOfDate", "currencyCode", "periodType", "startDate", "shares", "transactionText", "filerName"),
        *("filerRelation", "ownership", "quotes", "news", "stream", "content", "headline", "datetime"),
    }
)
"""Names that the vendors' libraries read for us."""


@cache
def names_read(vendor: str) -> frozenset[str]:
    """Return the names that a vendor's code mentions: what it reads is among them."""
    module = import_module(f"tradingagents.dataflows.vendors.{vendor}")
    file = Path(inspect.getfile(module))
    sources = file.parent.glob("*.py") if file.name == "__init__.py" else [file]
    found = set(OF_LIBRARIES)
    for source in sources:
        tree = ast.parse(source.read_text(encoding="utf-8"))
        found |= {
            node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)
        }
    if vendor == "sec_edgar":
        tags = Path(inspect.getfile(import_module("tradingagents.dataflows.reference.xbrl_tags")))
        tree = ast.parse(tags.read_text(encoding="utf-8"))
        found |= {
            node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)
        }
    return frozenset(found)


@dataclass
class Column:
    """The values under one key, one a row."""

    path: tuple[str, ...]
    label: str
    cells: list[tuple[Any, Any]] = field(default_factory=list)
    """Container and key or index of each value."""

    @property
    def values(self) -> list[Any]:
        """The values, in order."""
        return [container[key] for container, key in self.cells]

    @property
    def is_numeric(self) -> bool:
        """Whether there are numbers, as such or as text."""
        return any(number_of(value) is not None for value in self.values)


@dataclass
class Table:
    """Rows of an answer: a list, an object by day, or arrays of one length."""

    rows: list[Any]
    """Each row, as it stands in the answer."""
    put: Callable[[list[Any]], None]
    """Writes other rows in their place."""
    keyed: bool = False
    """Whether rows stand under their day, so that none can be there twice or elsewhere."""
    day: int | None = None
    """Index of the array of days, for arrays of one length."""


class Document:
    """One answer in JSON, with what of it a vendor's code reads."""

    def __init__(self, reply: Reply, vendor: str) -> None:
        """Parse.

        Raises:
            ValueError: It is no JSON object or list.
        """
        self.vendor = vendor
        self.body = json.loads(reply.bytes())  # no copy: made-up answers hold one row in two places
        if not isinstance(self.body, (dict, list)):
            raise ValueError("no object")
        self.columns = list(_columns(self.body))
        self.read = [column for column in self.columns if _SPAN.sub("", column.label) in names_read(vendor)]
        self.tables = sorted(_tables(self.body), key=lambda table: -len(table.rows))

    def reply(self) -> Reply:
        """Return the document as it is now."""
        return Reply(self.body)


def number_of(value: Any) -> float | None:
    """Return a number that stands there as such or as text; None for anything else."""
    if isinstance(value, bool):
        return None
    if isinstance(value, (int, float)):
        return float(value)
    if isinstance(value, str) and _NUMBER.fullmatch(value.strip()):
        return float(value.strip().rstrip("%").replace(",", ""))
    return None


def like(old: Any, number: float) -> Any:
    """Return a number in the form of an old value: text, whole or with decimals."""
    if isinstance(old, str):
        return f"{number:.4f}" + ("%" if old.strip().endswith("%") else "")
    if isinstance(old, int) and abs(number) >= 1 and abs(number) < 1e17:
        return round(number)
    return number


def _columns(body: Any) -> Iterator[Column]:
    found: dict[tuple[str, ...], Column] = {}

    def walk(node: Any, path: tuple[str, ...]) -> None:
        items = node.items() if isinstance(node, dict) else enumerate(node)
        for key, value in items:
            step = str(key) if isinstance(node, dict) and not _STAMP.fullmatch(str(key)) else "*"
            here = (*path, step)
            if isinstance(value, (dict, list)):
                walk(value, here)
            else:
                label = next((part for part in reversed(here) if part not in PLAIN), "*")
                found.setdefault(here, Column(here, label)).cells.append((node, key))

    walk(body, ())
    yield from found.values()


def _tables(body: Any) -> Iterator[Table]:
    if isinstance(body, list):
        if len(body) >= 3 and all(isinstance(row, (dict, list)) for row in body):

            def put_list(rows: list[Any], body: list[Any] = body) -> None:
                body[:] = rows

            yield Table(list(body), put_list)
        for row in body[:3]:
            yield from _tables(row) if isinstance(row, (dict, list)) else ()
        return
    days = [key for key in body if _STAMP.fullmatch(str(key))]
    if len(days) >= 3 and len(days) == len(body):

        def put_days(rows: list[Any], body: dict[str, Any] = body) -> None:
            body.clear()
            body.update(rows)

        yield Table(list(body.items()), put_days, keyed=True)
    arrays = list(_arrays(body))
    lengths = {len(holder[key]) for holder, key in arrays}
    if ("timestamp" in body and len(lengths) == 1) or ("accessionNumber" in body and len(lengths) == 1):
        places = [(holder, key) for holder, key in arrays]
        rows = [list(row) for row in zip(*(holder[key] for holder, key in places), strict=True)]

        def put_arrays(rows: list[Any], places: list[Any] = places) -> None:
            columns = [list(column) for column in zip(*rows, strict=True)] if rows else [[] for _ in places]
            for (holder, key), column in zip(places, columns, strict=True):
                holder[key] = column

        day = next(index for index, (_, key) in enumerate(places) if key in ("timestamp", "filingDate"))
        yield Table(rows, put_arrays, day=day)
        return
    for value in body.values():
        if isinstance(value, (dict, list)):
            yield from _tables(value)


def _arrays(body: dict[str, Any]) -> Iterator[tuple[dict[str, Any], str]]:
    """Yield the arrays of scalars below a node, not those of few entries that describe it."""
    for key, value in body.items():
        if isinstance(value, list) and len(value) >= 3 and not isinstance(value[0], (dict, list)):
            yield body, key
        elif isinstance(value, dict) and key not in ("meta", "events"):
            yield from _arrays(value)
        elif isinstance(value, list) and len(value) == 1 and isinstance(value[0], dict):
            yield from _arrays(value[0])
