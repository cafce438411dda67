"""The shape of a vendor's response without its content: names of fields, kinds of values, counts, status.

Values are described by their kind (`number`, `day`, `instant`, `text`), never quoted. Names that are data themselves,
such as the days of a table by day, become `*`, and so does the symbol that was asked about.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

MOST_KEPT = 40
"""Responses of one question that are described: a calendar has twenty pages."""
DEEPEST = 12
MANY = 40
"""Fields of one object from which on their names are taken for data, where all hold the same kind."""
SECONDS, MILLISECONDS = (1e8, 4.2e9), (1e11, 4.2e12)
"""What whole numbers are taken for times since 1970."""
_NAME = re.compile(r"[A-Za-z_$][\w .:()%&/+-]{0,59}|\d{1,3}[A-Za-z. ][\w .()%-]{0,40}")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_INSTANT = re.compile(r"\d{4}-?\d{2}-?\d{2}[T ]\d{2}:?\d{2}.*")
_NUMBER = re.compile(r"-?\d[\d,]*(\.\d+)?([eE][-+]?\d+)?%?")
_NUMBERED = re.compile(r"\d+(-\d+){1,4}", re.ASCII)
"""A number in parts, such as that of a filing: readers look at its form."""
_CURRENCY = re.compile(r"[A-Z]{3}")
IN_PARTS = "in parts, as "
"""Begins the kind of a number in parts; its form follows, with zeros for the digits."""
ANY = "*"
"""Stands for names that are data."""

Shape = Mapping[str, Any]
"""`{"kind": "object", "fields": {name: shape}}`, `{"kind": "list", "count": n, "items": shape}`, or
`{"kind": "number"}` and the like; `in` counts in how many of the rows a field stands, `kinds` lists those of a field
that has several."""


@dataclass(frozen=True, slots=True)
class ResponseShape:
    """One response."""

    path: str
    """Of the request, with the symbol and numbers as `*`."""
    query: tuple[str, ...]
    """Names of its parameters."""
    status: int
    size: int
    """Bytes."""
    shape: Shape
    """`{"kind": "html"}` and the like for what is no JSON."""


_HEARD: ContextVar[list[ResponseShape] | None] = ContextVar("response_shapes", default=None)
_ASKED: ContextVar[str] = ContextVar("asked_about", default="")


def note_response(url_path: str, query: Sequence[str], status: int, body: bytes) -> None:
    """Describe a response, where somebody listens; called by every client for every response."""
    heard = _HEARD.get()
    if heard is not None and len(heard) < MOST_KEPT:
        symbol = _ASKED.get()
        names = tuple(sorted({name for name in query if _NAME.fullmatch(name)}))
        heard.append(ResponseShape(_masked(url_path, symbol), names, status, len(body), shape_of_body(body, symbol)))


@contextmanager
def listening(symbol: str = "") -> Iterator[list[ResponseShape]]:
    """Collect the shapes of the responses that arrive on this thread.

    Args:
        symbol: What is asked about, which is masked in paths and named `symbol` as a value.
    """
    heard: list[ResponseShape] = []
    tokens = _HEARD.set(heard), _ASKED.set(symbol)
    try:
        yield heard
    finally:
        _HEARD.reset(tokens[0])
        _ASKED.reset(tokens[1])


def shape_of_body(body: bytes, symbol: str = "") -> Shape:
    """Return the shape of a response's body."""
    try:
        return shape_of(json.loads(body), symbol)
    except (ValueError, RecursionError):
        pass
    head = body[:200].lstrip().lower()
    if not head:
        return {"kind": "nothing"}
    if head.startswith((b"<!doctype html", b"<html")):
        return {"kind": "html"}
    if head.startswith(b"<"):
        return {"kind": "xml"}
    first = body.split(b"\n", 1)[0].decode("utf-8", "replace").strip()
    names = first.split(",")
    if len(names) > 1 and all(_NAME.fullmatch(name) for name in names):
        return {"kind": "csv", "columns": names, "count": body.count(b"\n")}
    return {"kind": "text"}


def shape_of(value: Any, symbol: str = "", depth: int = 0) -> Shape:
    """Return the shape of a value of JSON."""
    if depth > DEEPEST:
        return {"kind": "deeper"}
    if isinstance(value, dict):
        fields = {name: shape_of(held, symbol, depth + 1) for name, held in value.items()}
        if fields and _are_data(fields):
            return {
                "kind": "by key",
                "named_by": _key_kind(fields),
                "count": len(fields),
                "items": _merged(fields.values()),
            }
        return {"kind": "object", "fields": {_name(name, symbol): shape for name, shape in fields.items()}}
    if isinstance(value, list):
        found = [shape_of(held, symbol, depth + 1) for held in value]
        return {"kind": "list", "count": len(found), **({"items": _merged(found)} if found else {})}
    return {"kind": _kind_of(value, symbol)}


def _are_data(fields: Mapping[str, Shape]) -> bool:
    if all(_DAY.match(name) or name.isdecimal() for name in fields):
        return True
    return len(fields) >= MANY and len({json.dumps(shape, sort_keys=True) for shape in fields.values()}) == 1


def _key_kind(fields: Mapping[str, Shape]) -> str:
    name = next(iter(fields))
    return "day" if _DAY.match(name) else "number" if name.isdecimal() else "text"


def _name(name: str, symbol: str) -> str:
    return ANY if name == symbol or not _NAME.fullmatch(name) else name


def _kind_of(value: Any, symbol: str) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, (int, float)):
        whole = isinstance(value, int)
        if whole and SECONDS[0] < value < SECONDS[1]:
            return "seconds or number"
        if whole and MILLISECONDS[0] < value < MILLISECONDS[1]:
            return "milliseconds or number"
        return "whole number" if whole else "number"
    text = str(value)
    if symbol and text == symbol:
        return "symbol"
    known = (("day", _DAY), ("instant", _INSTANT), ("number as text", _NUMBER), ("currency", _CURRENCY))
    if _NUMBERED.fullmatch(text) and not _DAY.fullmatch(text):
        return f"{IN_PARTS}{re.sub(r'[0-9]', '0', text)}"
    return next((kind for kind, form in known if form.fullmatch(text)), "text" if text else "empty text")


def _merged(shapes: Any) -> Shape:
    """Return the shape of rows: of objects, each field with the number of rows that have it."""
    found = list(shapes)
    kinds = sorted({str(shape["kind"]) for shape in found})
    if len(kinds) > 1:
        rows = [shape for shape in found if shape["kind"] == "object"]
        return {"kind": kinds[0], "kinds": kinds, **({"fields": _merged(rows)["fields"]} if rows else {})}
    if kinds == ["object"]:
        names = dict.fromkeys(name for shape in found for name in shape["fields"])
        fields = {}
        for name in names:
            held = [shape["fields"][name] for shape in found if name in shape["fields"]]
            fields[name] = {**_merged(held), "in": len(held)}
        return {"kind": "object", "fields": fields}
    if kinds == ["list"]:
        items = [shape["items"] for shape in found if "items" in shape]
        count = max(shape["count"] for shape in found)
        return {"kind": "list", "count": count, **({"items": _merged(items)} if items else {})}
    return dict(found[0])


def _masked(path: str, symbol: str) -> str:
    parts = path.split("/")
    return "/".join(ANY if part and (part == symbol or any(map(str.isdigit, part[1:]))) else part for part in parts)


class Maker:
    """Makes synthetic values of a shape: nothing in them is anybody's data."""

    def __init__(self, symbol: str, last: date, most: int | None = None) -> None:
        """Name the symbol and the newest day of what is made.

        Args:
            symbol: Stands where the symbol that was asked about stood.
            last: The newest day.
            most: Rows of a list at most; None for as many as the shape has.
        """
        self._symbol = symbol
        self._last = last
        self._most = most

    def body(self, shape: Shape) -> str:
        """Return a body of the shape."""
        kind = shape["kind"]
        if kind == "nothing":
            return ""
        if kind == "html":
            return "<html><body>made up</body></html>"
        if kind == "xml":
            return "<made/>"
        if kind == "csv":
            rows = [",".join("1" for _ in shape["columns"])] * max(0, int(shape["count"]) - 1)
            return "\n".join([",".join(shape["columns"]), *rows])
        return "made up" if kind == "text" else json.dumps(self.value(shape))

    def value(self, shape: Shape, row: int = 0) -> Any:
        """Return a value of a shape, as it stands in a row."""
        kind = (shape.get("kinds") or [shape["kind"]])[row % len(shape.get("kinds") or [0])]
        if kind == "object":
            fields = shape.get("fields", {})
            held = {name: field for name, field in fields.items() if row < field.get("in", row + 1)}
            return {self._symbol if name == ANY else name: self.value(field, row) for name, field in held.items()}
        if kind == "list":
            return [self.value(shape["items"], at) for at in self._rows(shape)] if "items" in shape else []
        if kind == "by key":
            return {self._key(shape["named_by"], at): self.value(shape["items"], at) for at in self._rows(shape)}
        return self._leaf(str(kind), row)

    def _rows(self, shape: Shape) -> range:
        count = int(shape["count"])
        return range(count if self._most is None else min(count, self._most))

    def _key(self, kind: str, row: int) -> str:
        if kind == "day":
            return self._day(row).isoformat()
        return str(1_000_000 + row) if kind == "number" else f"key{row}"

    def _day(self, row: int) -> date:
        return self._last - timedelta(days=row)

    def _leaf(self, kind: str, row: int) -> Any:
        if kind.startswith(IN_PARTS):
            form = kind.removeprefix(IN_PARTS)
            *parts, last = form.split("-")
            return "-".join([*parts, str(row).zfill(len(last))[-len(last) :]])
        noon = datetime.combine(self._day(row), time(12), tzinfo=UTC)
        seconds = int(noon.timestamp())
        return {
            "null": None,
            "boolean": True,
            "seconds or number": seconds,
            "milliseconds or number": seconds * 1000,
            "whole number": 100 + row,
            "number": 100.5 + row / 8,
            "number as text": f"{100.5 + row / 8}",
            "symbol": self._symbol,
            "day": self._day(row).isoformat(),
            "instant": noon.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "currency": "USD",
            "empty text": "",
        }.get(kind, f"made up {row}")
